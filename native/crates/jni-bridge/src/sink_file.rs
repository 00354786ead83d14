//! Files in the making whose bytes go to a sink of Java's, behind handles.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result};
use grampus_env::{Env, LocalEnv, path_of};
use jni::objects::JObject;
use jni::sys::jlong;
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};

use crate::boundary::BridgeResult;
use crate::file_upcalls::JavaFiles;
use crate::handles::HandleTable;
use crate::sink_upcalls::{JavaSink, Shut};

/// A file until it is finished.
pub(crate) struct SinkFile<F> {
    noun: &'static str,
    file: Mutex<Option<F>>,
    shut: Shut,
}

impl<F> Drop for SinkFile<F> {
    /// A file that is not finished leaves no bytes for a sink that may be closed already.
    fn drop(&mut self) {
        self.shut.shut();
    }
}

impl<F> SinkFile<F> {
    /// Begins a file with a `TableSink`, behind a new handle.
    pub(crate) fn open(
        files: &HandleTable<SinkFile<F>>,
        env: &mut jni::Env<'_>,
        sink: &JObject<'_>,
        create: impl FnOnce(JavaSink) -> Result<F>,
    ) -> BridgeResult<jlong> {
        let sink = JavaSink::new(env, sink)?;
        let shut = sink.shutter();
        let file = SinkFile { noun: files.noun(), file: Mutex::new(Some(create(sink)?)), shut };
        Ok(files.insert(Arc::new(file)))
    }

    /// Completes the file of a handle, which ends, whatever comes; the sink then has all bytes.
    pub(crate) fn finish<T>(
        files: &HandleTable<SinkFile<F>>,
        handle: jlong,
        finish: impl FnOnce(F) -> Result<(JavaSink, T)>,
    ) -> Result<T> {
        let slot = files.remove(handle)?;
        let (sink, written) = finish(slot.take()?)?;
        deliver_end(files.noun(), sink)?;
        Ok(written)
    }

    /// A step of the file. Unless it ends well, the sink gets nothing more.
    pub(crate) fn step<T>(&self, step: impl FnOnce(&mut F) -> Result<T>) -> Result<T> {
        let mut file = self.lock()?;
        self.shut.unless_done(|| step(&mut file))
    }

    /// The file, which is to be finished. A call that runs is not cut off.
    fn take(&self) -> Result<F> {
        drop(self.lock()?);
        self.file.lock().take().ok_or_else(|| self.finished())
    }

    /// The file, for one call at a time. A second call fails and does not wait: it may come out of the sink's upcall of the first.
    fn lock(&self) -> Result<MappedMutexGuard<'_, F>> {
        let guard = self.file.try_lock().ok_or_else(|| {
            Error::new(ErrorKind::Bug, format!("a {} is used by two calls at a time", self.noun))
        })?;
        MutexGuard::try_map(guard, Option::as_mut).map_err(|_| self.finished())
    }

    fn finished(&self) -> Error {
        Error::new(ErrorKind::NotServing, format!("the {} is finished", self.noun))
    }
}

/// Hands the last bytes of a file to its sink; `noun` is the file's name in errors.
pub(crate) fn deliver_end(noun: &str, mut sink: JavaSink) -> Result<()> {
    sink.flush().map_err(|e| Error {
        kind: ErrorKind::Io,
        message: format!("the end of a {noun} cannot be written: {e}"),
        source: Some(e),
        file: None,
    })
}

/// The files that a call reads: those that Java opens, or local ones.
pub(crate) enum Sources {
    Local(LocalEnv),
    Java(JavaFiles),
}

impl Sources {
    /// `files` is a `FileOpener`, or null.
    pub(crate) fn new(env: &mut jni::Env<'_>, files: &JObject<'_>) -> BridgeResult<Sources> {
        Ok(match files.is_null() {
            true => Sources::Local(LocalEnv::new()),
            false => Sources::Java(JavaFiles::new(env, files)?),
        })
    }

    pub(crate) fn open(&self, path: &str) -> Result<Arc<dyn RandomRead>> {
        let open = |files: &dyn Env, path: PathBuf| files.open(&path).map_err(|e| Error::io("open", path, e));
        match self {
            Sources::Local(local) => open(local, path_of(path)?),
            Sources::Java(java) => open(java, path.into()),
        }
    }
}
