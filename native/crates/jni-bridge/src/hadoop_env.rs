//! A server's environment where its files are on a file system of Hadoop's (`docs/design/0051-region-servers-on-hadoop-file-systems.md`).
//!
//! A path that is a URI goes to Java, every other one to the machine's own disks, so that root and log may lie apart. Calls run on the
//! thread that makes them, which may wait for other machines: no event loop may be among them.
//!
//! `JavaFiles` (`file_upcalls`) has Java's `FileOpener`, `JavaEngineFiles` its `EngineFiles`, `JavaStream` its `AppendStream`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::{RandomRead, Result};
use grampus_env::{AppendFile, DirEntry, Env, FileStat, LocalEnv, is_uri};
use jni::objects::JObject;

use crate::boundary::BridgeResult;
use crate::engine_files_upcalls::{Entry, JavaEngineFiles};
use crate::file_upcalls::JavaFiles;

/// Files of Hadoop's file systems and of local disks.
pub(crate) struct HadoopEnv {
    reads: JavaFiles,
    files: JavaEngineFiles,
    local: LocalEnv,
}

impl HadoopEnv {
    /// The files that an `EngineFiles` has.
    pub(crate) fn new(env: &mut jni::Env<'_>, files: &JObject<'_>) -> BridgeResult<HadoopEnv> {
        Ok(HadoopEnv {
            reads: JavaFiles::new(env, files)?,
            files: JavaEngineFiles::new(env, files)?,
            local: LocalEnv::new(),
        })
    }

    /// What a URI names, which must be there.
    fn entry(&self, uri: &str) -> io::Result<Entry> {
        self.files
            .status(uri)?
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{uri} does not exist")))
    }
}

/// The URI that a path is, if it is one.
fn uri(path: &Path) -> Option<&str> {
    if is_uri(path) { path.to_str() } else { None }
}

impl Env for HadoopEnv {
    /// Which schemes there are Java says at the first use.
    fn check_place(&self, _place: &Path) -> Result<()> {
        Ok(())
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        match uri(path) {
            Some(uri) => self.files.create(uri, false),
            None => self.local.create(path),
        }
    }

    fn create_bulk(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        match uri(path) {
            Some(uri) => self.files.create(uri, true),
            None => self.local.create_bulk(path),
        }
    }

    fn create_log(&self, path: &Path, most: u64) -> io::Result<Box<dyn AppendFile>> {
        match uri(path) {
            Some(uri) => self.files.create_log(uri, most),
            None => self.local.create_log(path, most),
        }
    }

    fn flush_is_cheap(&self) -> bool {
        false
    }

    fn failed_syncs_are_final(&self, path: &Path) -> bool {
        uri(path).is_none()
    }

    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        match uri(path) {
            Some(uri) => self.files.recover_lease(uri),
            None => self.local.recover_lease(path),
        }
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        match uri(path) {
            Some(_) => self.reads.open(path),
            None => self.local.open(path),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        match uri(dir) {
            Some(uri) => self.files.list(uri),
            None => self.local.list(dir),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match (uri(from), uri(to)) {
            (Some(from), Some(to)) => self.files.rename(from, to),
            (None, None) => self.local.rename(from, to),
            _ => Err(io::ErrorKind::CrossesDevices.into()),
        }
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        match uri(path) {
            Some(uri) => self.files.delete(uri),
            None => self.local.delete(path),
        }
    }

    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        match uri(dir) {
            Some(uri) => self.files.make_directories(uri),
            None => self.local.mkdir(dir),
        }
    }

    /// Remote: names are durable before their change is answered.
    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        if uri(dir).is_some() { Ok(()) } else { self.local.sync_dir(dir) }
    }

    /// Remote: a closed file is at its replicas, and nothing makes it safer.
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        match uri(path) {
            Some(uri) => self.entry(uri).map(drop),
            None => self.local.sync_file(path),
        }
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        match uri(path) {
            Some(uri) => Ok(self.entry(uri)?.bytes),
            None => self.local.len(path),
        }
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        match uri(path) {
            Some(uri) => Ok(self.files.status(uri)?.is_some()),
            None => self.local.exists(path),
        }
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        let Some(uri) = uri(path) else { return self.local.stat(path) };
        let entry = self.entry(uri)?;
        if entry.id == 0 {
            let message = format!("the file system of {uri} does not tell one file from another");
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Ok(FileStat { is_plain: !entry.directory, names: 1, id: (0, entry.id) })
    }

    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        if uri(path).is_some() { Ok(path.to_path_buf()) } else { self.local.real_path(path) }
    }

    fn now_millis(&self) -> i64 {
        self.local.now_millis()
    }

    fn monotonic_nanos(&self) -> u64 {
        self.local.monotonic_nanos()
    }

    fn random(&self) -> u64 {
        self.local.random()
    }
}
