//! What becomes of a load that did not come to its end.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result};
use grampus_env::Env;

use crate::load::copying::copy_file;
use crate::load::record::{LoadDir, LoadFile, Stage};

/// What was done about a load.
#[derive(Debug)]
pub enum LoadRecovery {
    /// It had happened.
    Completed {
        /// These files have come into their family directories now.
        placed: Vec<PathBuf>,
        /// Why files of another device are still where they were moved from, under a name that loaders pass over.
        left: Vec<Error>,
    },
    /// It had not: these files are where they came from.
    Undone(Vec<PathBuf>),
    /// It had not, and its files cannot go back. They wait for the next attempt.
    Waiting {
        /// Why.
        error: Error,
        /// Where they are, with their record.
        dir: PathBuf,
    },
}

/// Whose loads are meant. That of an earlier version, which has no opening, is of the last one.
#[derive(Clone, Copy, Debug)]
pub enum Openings {
    /// All, before the region is opened. `last` is its last opening that has left a sequence id file: what an earlier one has committed since
    /// was never acknowledged, and its sequence ids are the last one's as well. So it is undone.
    All {
        /// The sequence id of that file.
        last: u64,
    },
    /// Those of this one, which closes, and of earlier ones, as before an open. A later one's load is another server's, and may be under way.
    UpTo(u64),
    /// Those of this one.
    Only(u64),
}

impl Openings {
    /// Whether what an opening has committed counts; `None` when it is not meant.
    fn count(self, opening: Option<u64>) -> Option<bool> {
        let at_least = |last: u64| opening.is_none_or(|opening| opening >= last);
        match self {
            Openings::All { last } => Some(at_least(last)),
            Openings::UpTo(own) => opening.is_none_or(|opening| opening <= own).then(|| at_least(own)),
            Openings::Only(one) => (opening == Some(one)).then_some(true),
        }
    }
}

/// Completes loads that were committed, and undoes those that were not. It may be repeated. All but `Openings::Only` must come before the
/// family directories are read, or behind all use of the region.
///
/// # Errors
/// A record cannot be read, or a load cannot be completed or taken out of the family directories. The region is not to be opened then, nor
/// closed as if it were whole: a load would be there in part. `NotServing` when another server recovers the same load.
pub fn recover(env: &dyn Env, region_dir: &Path, openings: Openings) -> Result<Vec<LoadRecovery>> {
    let mut done = Vec::new();
    let Some(dirs) = LoadDir::all(env, region_dir)? else { return Ok(done) };
    if dirs.is_empty() {
        LoadDir::remove_root_if_empty(env, region_dir)?;
    }
    for dir in dirs {
        if let Some(counts) = openings.count(dir.opening) {
            let dir = dir.take(env)?.ok_or_else(|| taken(&dir))?;
            done.extend(recover_one(env, region_dir, dir, counts)?);
        }
    }
    Ok(done)
}

fn taken(dir: &LoadDir) -> Error {
    let message =
        format!("{} was taken away: another server has the region, or opens it", dir.path.display());
    Error::new(grampus_base::ErrorKind::NotServing, message)
}

/// The same for one load that was taken. What was committed is undone where it does not count.
pub(super) fn recover_one(
    env: &dyn Env,
    region_dir: &Path,
    dir: LoadDir,
    counts: bool,
) -> Result<Option<LoadRecovery>> {
    let done = match dir.read(env)? {
        None => None,
        Some((Stage::Committed(sequence), files)) if counts => {
            Some(complete(env, &dir, region_dir, &files, sequence)?)
        }
        Some((stage, files)) => {
            take_out(env, &dir, region_dir, &files, stage)?;
            match undo(env, &dir, &files) {
                Ok(back) => Some(LoadRecovery::Undone(back)),
                Err(error) => return Ok(Some(LoadRecovery::Waiting { error, dir: dir.path })),
            }
        }
    };
    // Where another one has it, files that were not here are not where they belong yet.
    if !exists(env, &dir.path)? {
        return Err(taken(&dir));
    }
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
) -> Result<LoadRecovery> {
    let (mut placed, mut left) = (Vec::new(), Vec::new());
    for file in files {
        let family_dir = region_dir.join(&file.family);
        let target = family_dir.join(file.name_at(sequence));
        for place in [dir.moved(file), dir.copied(file)] {
            if exists(env, &place)? {
                env.mkdir_durably(&family_dir).map_err(|e| Error::io("create directory", &family_dir, e))?;
                rename_once(env, &place, &target)?;
                placed.push(target.clone());
            }
        }
        if exists(env, &family_dir)? {
            env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))?;
        }
        left.extend(leave_old_place(env, dir, file).err());
    }
    Ok(LoadRecovery::Completed { placed, left })
}

/// Renames a file whose rename may have come half of the way before, where it has two steps: it has both names then, and loses the old one.
pub(super) fn rename_once(env: &dyn Env, from: &Path, to: &Path) -> Result<()> {
    finish_rename(env, from, to).map_err(|e| Error::io("rename", from, e))
}

fn finish_rename(env: &dyn Env, from: &Path, to: &Path) -> io::Result<()> {
    match env.rename(from, to) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists && env.stat(from)?.id == env.stat(to)?.id => {
            env.delete(from)
        }
        renamed => renamed,
    }
}

fn same_file(env: &dyn Env, one: &Path, other: &Path) -> Result<bool> {
    let id = |path: &Path| env.stat(path).map(|found| found.id).map_err(|e| Error::io("look at", path, e));
    Ok(id(one)? == id(other)?)
}

/// A file that could only be copied, and was to be moved, goes from where it was.
pub(super) fn leave_old_place(env: &dyn Env, dir: &LoadDir, file: &LoadFile) -> Result<()> {
    if file.copy {
        return Ok(());
    }
    let parked = dir.parked(file);
    match env.delete(&parked) {
        Ok(()) => {
            let parent = parked.parent().unwrap_or(Path::new("/"));
            env.sync_dir(parent).map_err(|e| Error::io("sync directory", parent, e))
        }
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io("delete", &parked, e)),
    }
}

/// Takes the files of a load that does not count out of the family directories.
fn take_out(env: &dyn Env, dir: &LoadDir, region_dir: &Path, files: &[LoadFile], stage: Stage) -> Result<()> {
    let Stage::Committed(sequence) = stage else { return Ok(()) };
    for file in files {
        let family_dir = region_dir.join(&file.family);
        let target = family_dir.join(file.name_at(sequence));
        if exists(env, &target)? {
            let is_copy = file.copy || exists(env, &dir.parked(file))?;
            let place = if is_copy { dir.copied(file) } else { dir.moved(file) };
            rename_once(env, &target, &place)?;
            env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))?;
        }
    }
    Ok(())
}

/// Moves files back to where they came from, and deletes copies of those that are there.
fn undo(env: &dyn Env, dir: &LoadDir, files: &[LoadFile]) -> Result<Vec<PathBuf>> {
    let mut back = Vec::new();
    for file in files {
        let places = [dir.moved(file), dir.parked(file)];
        for place in places.iter().filter(|_| !file.copy) {
            if exists(env, place)? {
                back.push(move_back(env, place, file)?);
            }
        }
        let copy = dir.copied(file);
        if !exists(env, &copy)? {
            continue;
        }
        // If the file itself was deleted, these may be its last bytes.
        if exists(env, &file.source)? {
            env.delete(&copy).map_err(|e| Error::io("delete", &copy, e))?;
        } else {
            back.push(move_back(env, &copy, file)?);
        }
    }
    Ok(back)
}

fn move_back(env: &dyn Env, place: &Path, file: &LoadFile) -> Result<PathBuf> {
    let parent = file.source.parent().unwrap_or(Path::new("/"));
    env.mkdir_durably(parent).map_err(|e| Error::io("create directory", parent, e))?;
    let home = home(env, place, file)?;
    match finish_rename(env, place, &home) {
        // Its directory has become another device's since.
        Err(e) if e.kind() == ErrorKind::CrossesDevices => copy_back(env, place, &home, file)?,
        renamed => renamed.map_err(|e| Error::io("move back", place, e))?,
    }
    env.sync_dir(parent).map_err(|e| Error::io("sync directory", parent, e))?;
    Ok(home)
}

/// The first name that is free, or the file's own: where another file has its name now, it goes beside that.
fn home(env: &dyn Env, place: &Path, file: &LoadFile) -> Result<PathBuf> {
    for home in [file.source.clone(), file.beside("")] {
        if !exists(env, &home)? || same_file(env, place, &home)? {
            return Ok(home);
        }
    }
    Ok(file.beside(&format!(".{:016x}", env.random())))
}

fn copy_back(env: &dyn Env, place: &Path, home: &Path, file: &LoadFile) -> Result<()> {
    let half = file.beside(".half");
    if exists(env, &half)? {
        env.delete(&half).map_err(|e| Error::io("delete", &half, e))?;
    }
    copy_file(env, place, &half, &|| Ok(()))?;
    rename_once(env, &half, home)?;
    let parent = home.parent().unwrap_or(Path::new("/"));
    env.sync_dir(parent).map_err(|e| Error::io("sync directory", parent, e))?;
    env.delete(place).map_err(|e| Error::io("delete", place, e))
}

fn exists(env: &dyn Env, path: &Path) -> Result<bool> {
    env.exists(path).map_err(|e| Error::io("look for", path, e))
}

#[cfg(test)]
mod tests;
