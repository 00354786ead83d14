//! What an open of a region does with a load that a crash interrupted.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result};
use grampus_env::Env;

use crate::load::record::{LoadDir, LoadFile, Stage};

/// What was done about a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadRecovery {
    /// It had happened: these files are in their family directories now.
    Completed(Vec<PathBuf>),
    /// It had not: these files are where they came from.
    Undone(Vec<PathBuf>),
}

/// Completes a load that was committed, and undoes one that was not. It may be repeated, and must come before the family directories are read.
///
/// # Errors
/// The record cannot be read, or a file cannot be moved. The region is not to be opened then: a load would be there in part.
pub fn recover(env: &dyn Env, region_dir: &Path) -> Result<Option<LoadRecovery>> {
    let dir = LoadDir::of(region_dir);
    let done = match dir.read(env)? {
        None => None,
        Some((Stage::Moving, files)) => Some(LoadRecovery::Undone(undo(env, &dir, &files)?)),
        Some((Stage::Committed(sequence), files)) => {
            Some(LoadRecovery::Completed(complete(env, &dir, region_dir, &files, sequence)?))
        }
    };
    dir.end(env)?;
    Ok(done)
}

/// Moves on what is still here; what is not here any more has been moved on before.
fn complete(
    env: &dyn Env,
    dir: &LoadDir,
    region_dir: &Path,
    files: &[LoadFile],
    sequence: u64,
) -> Result<Vec<PathBuf>> {
    let mut placed = Vec::new();
    for file in files {
        let family_dir = region_dir.join(&file.family);
        let target = family_dir.join(file.name_at(sequence));
        for place in [dir.moved(file), dir.copied(file)] {
            if exists(env, &place)? {
                env.mkdir_durably(&family_dir).map_err(|e| Error::io("create directory", &family_dir, e))?;
                env.rename(&place, &target).map_err(|e| Error::io("rename", &place, e))?;
                placed.push(target.clone());
            }
        }
        if exists(env, &family_dir)? {
            env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))?;
        }
    }
    Ok(placed)
}

/// Moves files back to where they came from, and deletes copies of those that are still there.
fn undo(env: &dyn Env, dir: &LoadDir, files: &[LoadFile]) -> Result<Vec<PathBuf>> {
    let mut back = Vec::new();
    for file in files {
        let copy = dir.copied(file);
        if exists(env, &copy)? {
            env.delete(&copy).map_err(|e| Error::io("delete", &copy, e))?;
        }
        let moved = dir.moved(file);
        if exists(env, &moved)? {
            back.push(move_back(env, &moved, file)?);
        }
    }
    Ok(back)
}

fn move_back(env: &dyn Env, moved: &Path, file: &LoadFile) -> Result<PathBuf> {
    let parent = file.source.parent().unwrap_or(Path::new("/"));
    env.mkdir_durably(parent).map_err(|e| Error::io("create directory", parent, e))?;
    let home = match env.rename(moved, &file.source) {
        // Another file has its name now: it goes beside that, under a name that loads pass over.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            let beside = parent.join(format!("_{}", file.name));
            env.rename(moved, &beside).map_err(|e| Error::io("move back", moved, e))?;
            beside
        }
        renamed => renamed.map(|()| file.source.clone()).map_err(|e| Error::io("move back", moved, e))?,
    };
    env.sync_dir(parent).map_err(|e| Error::io("sync directory", parent, e))?;
    Ok(home)
}

fn exists(env: &dyn Env, path: &Path) -> Result<bool> {
    env.exists(path).map_err(|e| Error::io("look for", path, e))
}
