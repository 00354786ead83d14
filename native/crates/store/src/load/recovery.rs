//! What becomes of a load that did not come to its end.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result};
use grampus_env::Env;

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
    /// It had not, and its files cannot go back for this reason. They wait in `.load` for the next attempt.
    Waiting(Error),
}

/// Whose loads are meant.
#[derive(Clone, Copy, Debug)]
pub enum Openings {
    /// Those of every opening of the region, of which this was the last one. What an earlier one has committed since it came to its own end
    /// was never acknowledged, and its sequence ids are the last one's as well: it is undone.
    UpTo(u64),
    /// Those of this one.
    Only(u64),
}

/// Completes loads that were committed, and undoes those that were not. It may be repeated. `Openings::UpTo` must come before the family
/// directories are read, or behind all use of the region.
///
/// # Errors
/// A record cannot be read, or a load that has happened cannot be completed. The region is not to be opened then, nor closed as if it were
/// whole: a load would be there in part.
pub fn recover(env: &dyn Env, region_dir: &Path, openings: Openings) -> Result<Vec<LoadRecovery>> {
    let mut done = Vec::new();
    let Some(dirs) = LoadDir::all(env, region_dir)? else { return Ok(done) };
    if dirs.is_empty() {
        LoadDir::end_all(env, region_dir)?;
    }
    for dir in dirs {
        let (meant, counts) = match openings {
            Openings::UpTo(last) => (true, dir.opening >= last),
            Openings::Only(one) => (dir.opening == one, true),
        };
        if meant {
            done.extend(recover_one(env, region_dir, &dir, counts)?);
        }
    }
    Ok(done)
}

/// The same for one load. What was committed is undone where it does not count.
pub(super) fn recover_one(
    env: &dyn Env,
    region_dir: &Path,
    dir: &LoadDir,
    counts: bool,
) -> Result<Option<LoadRecovery>> {
    let Some(dir) = dir.take(env)? else { return Ok(None) };
    let done = match dir.read(env)? {
        None => None,
        Some((Stage::Committed(sequence), files)) if counts => {
            Some(complete(env, &dir, region_dir, &files, sequence)?)
        }
        Some((stage, files)) => {
            match take_out(env, &dir, region_dir, &files, stage).and_then(|()| undo(env, &dir, &files)) {
                Ok(back) => Some(LoadRecovery::Undone(back)),
                Err(error) => return Ok(Some(LoadRecovery::Waiting(error))),
            }
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
        left.extend(leave_old_place(env, file).err());
    }
    Ok(LoadRecovery::Completed { placed, left })
}

/// Renames a file whose rename may have come half of the way before, where it has two steps: it has both names then, and loses the old one.
pub(super) fn rename_once(env: &dyn Env, from: &Path, to: &Path) -> Result<()> {
    match env.rename(from, to) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists && same_file(env, from, to)? => {
            env.delete(from).map_err(|e| Error::io("delete", from, e))
        }
        renamed => renamed.map_err(|e| Error::io("rename", from, e)),
    }
}

fn same_file(env: &dyn Env, one: &Path, other: &Path) -> Result<bool> {
    let id = |path: &Path| env.stat(path).map(|found| found.id).map_err(|e| Error::io("look at", path, e));
    Ok(id(one)? == id(other)?)
}

/// A file that could only be copied, and was to be moved, goes from where it was.
pub(super) fn leave_old_place(env: &dyn Env, file: &LoadFile) -> Result<()> {
    if file.copy {
        return Ok(());
    }
    let parked = file.parked();
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
            let is_copy = file.copy || exists(env, &file.parked())?;
            let place = if is_copy { dir.copied(file) } else { dir.moved(file) };
            rename_once(env, &target, &place)?;
            env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))?;
        }
    }
    Ok(())
}

/// Moves files back to where they came from, and deletes copies of those that are still there.
fn undo(env: &dyn Env, dir: &LoadDir, files: &[LoadFile]) -> Result<Vec<PathBuf>> {
    let mut back = Vec::new();
    for file in files {
        let copy = dir.copied(file);
        if exists(env, &copy)? {
            env.delete(&copy).map_err(|e| Error::io("delete", &copy, e))?;
        }
        let parked = file.parked();
        for place in [dir.moved(file), parked].iter().filter(|_| !file.copy) {
            if exists(env, place)? {
                back.push(move_back(env, place, file)?);
            }
        }
    }
    Ok(back)
}

fn move_back(env: &dyn Env, place: &Path, file: &LoadFile) -> Result<PathBuf> {
    let parent = file.source.parent().unwrap_or(Path::new("/"));
    env.mkdir_durably(parent).map_err(|e| Error::io("create directory", parent, e))?;
    // Where another file has its name now, it goes beside that.
    let is_taken = exists(env, &file.source)? && !same_file(env, place, &file.source)?;
    let home = if is_taken { file.beside() } else { file.source.clone() };
    rename_once(env, place, &home)?;
    env.sync_dir(parent).map_err(|e| Error::io("sync directory", parent, e))?;
    Ok(home)
}

fn exists(env: &dyn Env, path: &Path) -> Result<bool> {
    env.exists(path).map_err(|e| Error::io("look for", path, e))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grampus_env::FakeEnv;

    use super::*;
    use crate::load::{CheckedFile, StagedLoad};

    #[test]
    fn a_load_that_was_taken_away_is_not_committed_any_more() {
        let (env, region, source) = (FakeEnv::new(1), Path::new("/r"), PathBuf::from("/out/1"));
        env.mkdir(Path::new("/out")).unwrap();
        env.create(&source).unwrap().close().unwrap();
        let file = LoadFile {
            family: "f".to_string(),
            source: source.clone(),
            name: "0".repeat(32),
            offset: 0,
            copy: false,
        };
        let checked = CheckedFile { file, id: env.stat(&source).unwrap().id };
        let shared: Arc<dyn Env> = Arc::new(env.clone());
        let staged = StagedLoad::take(&shared, region, 7, &[checked], &|| Ok(())).unwrap();
        let dirs = LoadDir::all(&env, region).unwrap().unwrap();
        let taken = dirs.first().unwrap().take(&env).unwrap().unwrap();
        // Its new owner has looked at the record, and the old one goes on.
        assert_eq!(taken.read(&env).unwrap().unwrap().0, Stage::Moving);
        assert!(staged.commit(8).is_err_and(|failed| failed.is_undone));
        assert_eq!(taken.read(&env).unwrap().unwrap().0, Stage::Moving);
        let done = recover(&env, region, Openings::UpTo(9)).unwrap();
        assert!(
            matches!(done.as_slice(), [LoadRecovery::Undone(back)] if *back == [source.clone()]),
            "{done:?}"
        );
        assert_eq!(env.files(), [source]);
    }
}
