//! A load on its way: files that are moved in, committed, and moved on.

use std::io::{self, ErrorKind as IoErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::{Error, Result, crash_point};
use grampus_env::Env;

use crate::load::record::{LoadDir, LoadFile, Stage};
use crate::load::recovery;

/// Bytes of a file that are copied at a time.
const COPY_BYTES: usize = 1 << 20;

/// The files of a load below `.load`, durable and out of reach of the one who ordered it.
pub struct StagedLoad {
    env: Arc<dyn Env>,
    region_dir: PathBuf,
    dir: LoadDir,
    files: Vec<LoadFile>,
    places: Vec<PathBuf>,
    /// The files stay where they were.
    copy: bool,
}

/// A load that is done, whatever happens from now on.
pub struct CommittedLoad {
    staged: StagedLoad,
    sequence: u64,
}

impl StagedLoad {
    /// Takes over the files: moves them, or copies them where that is asked for or they are on another file system.
    ///
    /// `go_on` is asked between parts of a copy, and ends it with an error. After any error the files are where they were.
    pub fn take(
        env: &Arc<dyn Env>,
        region_dir: &Path,
        files: Vec<LoadFile>,
        copy: bool,
        go_on: &dyn Fn() -> Result<()>,
    ) -> Result<StagedLoad> {
        let dir = LoadDir::of(region_dir);
        let mut staged = StagedLoad {
            env: Arc::clone(env),
            region_dir: region_dir.to_path_buf(),
            dir,
            files,
            places: Vec::new(),
            copy,
        };
        match staged.take_all(go_on) {
            Ok(()) => Ok(staged),
            Err(error) => Err(staged.undo_after(error)),
        }
    }

    fn take_all(&mut self, go_on: &dyn Fn() -> Result<()>) -> Result<()> {
        let env = Arc::clone(&self.env);
        self.dir.begin(env.as_ref(), &self.files)?;
        crash_point!("load.after_record_before_move");
        for file in &self.files {
            go_on()?;
            let place = match self.copy {
                true => copy_in(env.as_ref(), &self.dir, file, go_on)?,
                false => move_in(env.as_ref(), &self.dir, file, go_on)?,
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

    /// Moves the files back after an error, and returns that; what cannot be moved back now is by the next open of the region.
    pub fn undo_after(self, error: Error) -> Error {
        match recovery::recover(self.env.as_ref(), &self.region_dir) {
            Ok(_) => error,
            Err(second) => Error {
                message: format!(
                    "{error}; its files are moved back when the region is opened next: {second}"
                ),
                ..error
            },
        }
    }

    /// The load happens now: at every open from here on the files are the region's. After an error they are where they were.
    pub fn commit(self, sequence: u64) -> Result<CommittedLoad> {
        let (moving, committed) =
            (self.dir.record(Stage::Moving), self.dir.record(Stage::Committed(sequence)));
        if let Err(e) = self.env.rename(&moving, &committed) {
            return Err(self.undo_after(Error::io("rename", &moving, e)));
        }
        if let Err(e) = self.env.sync_dir(&self.dir.path) {
            let error = Error::io("sync directory", &self.dir.path, e);
            // Not known to be durable. Where it cannot be taken back the next open decides; nothing is shown here.
            return Err(match self.env.rename(&committed, &moving) {
                Ok(()) => self.undo_after(error),
                Err(_) => error,
            });
        }
        Ok(CommittedLoad { staged: self, sequence })
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
            env.rename(place, &target).map_err(|e| Error::io("rename", place, e))?;
            crash_point!("load.after_place_one");
        }
        env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))
    }

    /// All files are in place: forgets the load. A file that could only be copied, and was to be moved, leaves its old place now.
    pub fn end(self) -> Result<()> {
        crash_point!("load.after_place_before_end");
        let StagedLoad { env, dir, files, places, copy, .. } = &self.staged;
        let copied = |file: &LoadFile, place: &PathBuf| !copy && *place == dir.copied(file);
        for (file, _) in files.iter().zip(places).filter(|(file, place)| copied(file, place)) {
            match env.delete(&file.source) {
                Err(e) if e.kind() != IoErrorKind::NotFound => {
                    return Err(Error::io("delete", &file.source, e));
                }
                _ => {}
            }
        }
        dir.end(env.as_ref())
    }
}

/// Moves a file in. Its bytes are made durable here: who wrote it need not have cared.
fn move_in(env: &dyn Env, dir: &LoadDir, file: &LoadFile, go_on: &dyn Fn() -> Result<()>) -> Result<PathBuf> {
    let place = dir.moved(file);
    match env.rename(&file.source, &place) {
        Ok(()) => {
            env.sync_file(&place).map_err(|e| Error::io("sync", &place, e))?;
            Ok(place)
        }
        Err(e) if e.kind() == IoErrorKind::CrossesDevices => copy_in(env, dir, file, go_on),
        Err(e) => Err(Error::io("move", &file.source, e)),
    }
}

fn copy_in(env: &dyn Env, dir: &LoadDir, file: &LoadFile, go_on: &dyn Fn() -> Result<()>) -> Result<PathBuf> {
    let place = dir.copied(file);
    let source = env.open(&file.source).map_err(|e| Error::io("open", &file.source, e))?;
    let mut copy = env.create_bulk(&place).map_err(|e| Error::io("create", &place, e))?;
    let mut part = vec![0; COPY_BYTES];
    let mut at = 0;
    while at < source.len() {
        go_on()?;
        let left = usize::try_from(source.len() - at).unwrap_or(COPY_BYTES).min(COPY_BYTES);
        let part = part.get_mut(..left).unwrap_or_default();
        source.read_exact_at(part, at).map_err(|e| Error::io("read", &file.source, e))?;
        copy.append(part).map_err(|e| Error::io("write", &place, e))?;
        at += left as u64;
    }
    copy.sync().map_err(|e: io::Error| Error::io("sync", &place, e))?;
    copy.close().map_err(|e| Error::io("close", &place, e))?;
    Ok(place)
}
