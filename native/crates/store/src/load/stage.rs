//! A load on its way: files that are moved in, committed, and moved on.

use std::io::ErrorKind as IoErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::{Error, Result, crash_point};
use grampus_env::Env;

use crate::load::check::CheckedFile;
use crate::load::copying::copy_file;
use crate::load::record::{LoadDir, LoadFile, Stage};
use crate::load::recovery::LoadRecovery;
use crate::load::{check, recovery};

/// The files of a load below `.load`, durable, under names that the client that ordered the load does not know. On HDFS they keep their owner, as in HBase:
/// nothing but the permissions of the root directory keeps that user from changing them.
pub struct StagedLoad {
    env: Arc<dyn Env>,
    region_dir: PathBuf,
    dir: LoadDir,
    files: Vec<LoadFile>,
    places: Vec<PathBuf>,
}

/// A load that is done, whatever happens from now on.
pub struct CommittedLoad {
    staged: StagedLoad,
    sequence: u64,
}

/// A load whose commit failed. Whether it has happened is found out by [`UncertainLoad::resolve`].
pub struct UncertainLoad {
    staged: StagedLoad,
    error: Error,
    /// Only the next open finds out.
    is_open: bool,
}

/// A load that did not come to its end.
#[derive(Debug)]
pub struct FailedLoad {
    /// Why.
    pub error: Error,
    /// It has not happened, and never will. Else it has, or the next open finds out.
    pub is_undone: bool,
}

impl StagedLoad {
    /// Takes over the files: moves them, or copies them where that is asked for or they are on another file system.
    ///
    /// `opening` is the sequence id of the region's opening. `go_on` is asked between files and parts of a copy, and ends it with an error.
    /// After any error the files are where they were.
    pub fn take(
        env: &Arc<dyn Env>,
        region_dir: &Path,
        opening: u64,
        checked: &[CheckedFile],
        go_on: &dyn Fn() -> Result<()>,
    ) -> Result<StagedLoad> {
        let mut staged = StagedLoad {
            env: Arc::clone(env),
            region_dir: region_dir.to_path_buf(),
            dir: LoadDir::fresh(env.as_ref(), region_dir, opening),
            files: checked.iter().map(|checked| checked.file.clone()).collect(),
            places: Vec::new(),
        };
        match staged.take_all(checked, go_on) {
            Ok(()) => Ok(staged),
            Err(error) => Err(staged.undo_after(error)),
        }
    }

    fn take_all(&mut self, checked: &[CheckedFile], go_on: &dyn Fn() -> Result<()>) -> Result<()> {
        let env = Arc::clone(&self.env);
        self.dir.begin(env.as_ref(), &self.files)?;
        crash_point!("load.after_record_before_move");
        for checked in checked {
            go_on()?;
            let place = match checked.file.copy {
                true => copy_in(env.as_ref(), &self.dir, checked, go_on)?,
                false => move_in(env.as_ref(), &self.dir, checked, go_on)?,
            };
            self.places.push(place);
            crash_point!("load.after_move_one");
        }
        env.sync_dir(&self.dir.path).map_err(|e| Error::io("sync directory", &self.dir.path, e))?;
        crash_point!("load.after_move_before_commit");
        Ok(())
    }

    /// The files with the places where they are now.
    pub fn files(&self) -> impl Iterator<Item = (&LoadFile, &Path)> {
        self.files.iter().zip(self.places.iter().map(PathBuf::as_path))
    }

    /// Moves the files back after an error before the commit, and returns that; what cannot be moved back now is by the next open or close of
    /// the region.
    pub fn undo_after(self, error: Error) -> Error {
        match self.recover() {
            Ok(Some(LoadRecovery::Waiting { error: second, .. })) | Err(second) => later(error, &second),
            Ok(_) => error,
        }
    }

    fn recover(&self) -> Result<Option<LoadRecovery>> {
        match self.dir.take(self.env.as_ref())? {
            Some(dir) => recovery::recover_one(self.env.as_ref(), &self.region_dir, dir, true),
            None => Ok(None),
        }
    }

    /// The load happens now: at every open from here on the files are the region's.
    pub fn commit(self, sequence: u64) -> std::result::Result<CommittedLoad, Box<UncertainLoad>> {
        let (moving, committed) =
            (self.dir.record(Stage::Moving), self.dir.record(Stage::Committed(sequence)));
        if let Err(e) = self.env.rename(&moving, &committed) {
            let error = Error::io("rename", &moving, e);
            return Err(Box::new(UncertainLoad { staged: self, error, is_open: false }));
        }
        if let Err(e) = self.env.sync_dir(&self.dir.path) {
            let error = Error::io("sync directory", &self.dir.path, e);
            // Not known to be durable. Where it cannot be taken back the next open decides; nothing is shown here.
            let is_open = self.env.rename(&committed, &moving).is_err();
            return Err(Box::new(UncertainLoad { staged: self, error, is_open }));
        }
        Ok(CommittedLoad { staged: self, sequence })
    }
}

impl UncertainLoad {
    /// Finds out, and moves the files back if it has not happened: where a rename has two steps it may have all the same.
    pub fn resolve(self) -> FailedLoad {
        let UncertainLoad { staged, error, is_open } = self;
        if is_open {
            return FailedLoad { error, is_undone: false };
        }
        match staged.recover() {
            Ok(None | Some(LoadRecovery::Undone(_))) => FailedLoad { error, is_undone: true },
            Ok(Some(LoadRecovery::Waiting { error: second, .. })) => {
                FailedLoad { error: later(error, &second), is_undone: true }
            }
            Ok(Some(LoadRecovery::Completed { .. })) => FailedLoad { error, is_undone: false },
            Err(second) => FailedLoad { error: with(error, "and then", &second), is_undone: false },
        }
    }
}

impl CommittedLoad {
    /// Moves the files of a family into its directory, durably.
    pub fn place(&self, family: &str) -> Result<()> {
        crash_point!("load.after_commit_before_place");
        let StagedLoad { env, region_dir, files, places, .. } = &self.staged;
        let family_dir = region_dir.join(family);
        for (file, place) in files.iter().zip(places).filter(|(file, _)| file.family == family) {
            let target = family_dir.join(file.name_at(self.sequence));
            recovery::rename_once(env.as_ref(), place, &target)?;
            crash_point!("load.after_place_one");
        }
        env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))
    }

    /// All files are in place: forgets the load. A file that could only be copied, and was to be moved, leaves its old place now.
    pub fn end(self) -> Result<()> {
        crash_point!("load.after_place_before_end");
        let StagedLoad { env, dir, files, .. } = &self.staged;
        files.iter().try_for_each(|file| recovery::leave_old_place(env.as_ref(), dir, file))?;
        dir.end(env.as_ref())
    }
}

fn later(first: Error, second: &Error) -> Error {
    with(first, "its files are moved back when the region is opened or closed next", second)
}

fn with(first: Error, joint: &str, second: &Error) -> Error {
    Error::new(first.kind, format!("{first}; {joint}: {second}"))
}

/// Moves a file in. Its bytes are made durable here, since its writer need not have synced it.
fn move_in(
    env: &dyn Env,
    dir: &LoadDir,
    checked: &CheckedFile,
    go_on: &dyn Fn() -> Result<()>,
) -> Result<PathBuf> {
    let (source, place) = (&checked.file.source, dir.moved(&checked.file));
    match env.rename(source, &place) {
        Ok(()) => {
            // Only here, under a name that other processes do not know.
            if checked.id != check::movable(env, &place, source)? {
                return Err(check::refused(source, "another file has got its name meanwhile"));
            }
            // A remote file system's writer goes on under the new name.
            env.recover_lease(&place).map_err(|e| Error::io("end the writer of", &place, e))?;
            env.sync_file(&place).map_err(|e| Error::io("sync", &place, e))?;
            Ok(place)
        }
        Err(e) if e.kind() == IoErrorKind::CrossesDevices => {
            let place = copy_in(env, dir, checked, go_on)?;
            park(env, dir, &checked.file)?;
            Ok(place)
        }
        Err(e) => Err(Error::io("move", source, e)),
    }
}

/// Hides a file that was copied from another device from loaders, which would load it a second time. So it is known before the load that its
/// directory lets it go.
fn park(env: &dyn Env, dir: &LoadDir, file: &LoadFile) -> Result<()> {
    let parked = dir.parked(file);
    env.rename(&file.source, &parked).map_err(|e| Error::io("move", &file.source, e))?;
    let parent = parked.parent().unwrap_or(Path::new("/"));
    env.sync_dir(parent).map_err(|e| Error::io("sync directory", parent, e))
}

fn copy_in(
    env: &dyn Env,
    dir: &LoadDir,
    checked: &CheckedFile,
    go_on: &dyn Fn() -> Result<()>,
) -> Result<PathBuf> {
    let file = &checked.file;
    let place = dir.copied(file);
    copy_file(env, &file.source, &place, go_on)?;
    if checked.id != check::plain(env, &file.source)?.id {
        return Err(check::refused(&file.source, "another file has got its name meanwhile"));
    }
    Ok(place)
}
