//! A file that is being written below `.tmp`, and one that is complete but not yet in the family directory.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::IoTimes;
use grampus_cells::CellRef;
use grampus_colfile::{ColumnFileWriter, FinishInfo, Summary, WriterOptions};
use grampus_env::{AppendFile, Env, new_file_name};

/// Bytes that are written between two starts of write-back.
const WRITE_BACK_BYTES: u64 = 8 << 20;

/// Writes one file; dropped before it is committed, it takes its bytes with it.
pub(crate) struct FileWriter {
    writer: ColumnFileWriter<Sink>,
    guard: TmpFile,
}

/// A complete file below `.tmp`; dropped without commit, it is deleted.
pub(crate) struct PendingFile {
    /// The open file; `None` once it is on the medium and closed, or could not be.
    file: Option<Box<dyn AppendFile>>,
    guard: TmpFile,
    summary: Summary,
    closed: bool,
}

struct TmpFile {
    env: Arc<dyn Env>,
    name: String,
    path: PathBuf,
    armed: bool,
}

impl Drop for TmpFile {
    fn drop(&mut self) {
        if self.armed {
            // Best effort: an open of the store removes what is left here.
            let _ = self.env.delete(&self.path);
        }
    }
}

impl FileWriter {
    /// Starts a file in the directory of a store's opening; the times of its writes are counted.
    pub(super) fn create(
        env: &Arc<dyn Env>,
        dir: &Path,
        options: WriterOptions,
        times: &Arc<IoTimes>,
    ) -> Result<FileWriter> {
        let name = new_file_name(env.as_ref());
        let path = dir.join(&name);
        let file = env.create_bulk(&path).map_err(|e| Error::io("create", &path, e))?;
        let guard = TmpFile { env: Arc::clone(env), name, path, armed: true };
        let sink = Sink { file, written_back: 0, env: Arc::clone(env), times: Arc::clone(times) };
        let writer = ColumnFileWriter::new(sink, options).map_err(|e| guard.failed(e))?;
        Ok(FileWriter { writer, guard })
    }

    /// Adds the next cell.
    pub(crate) fn append(&mut self, cell: CellRef<'_>) -> Result<()> {
        self.writer.append(cell).map_err(|e| self.guard.failed(e))
    }

    /// Bytes written so far, the open row group excluded.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.writer.written_bytes()
    }

    /// Completes the file and starts its write-back; it is durable after [`PendingFile::close`].
    pub(crate) fn finish(self, info: FinishInfo) -> Result<PendingFile> {
        let FileWriter { writer, guard } = self;
        let (mut sink, summary) = writer.finish(info).map_err(|e| guard.failed(e))?;
        sink.file.start_write_back().map_err(|e| Error::io("write", &guard.path, e))?;
        Ok(PendingFile { file: Some(sink.file), guard, summary, closed: false })
    }
}

impl PendingFile {
    /// What was written.
    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Name that the file will have.
    pub(crate) fn name(&self) -> &str {
        &self.guard.name
    }

    /// Path below `.tmp`.
    pub(super) fn path(&self) -> &Path {
        &self.guard.path
    }

    /// Waits until the bytes are on the medium, and ends the file: only now others can read it. One that does not close is not committed;
    /// there is no second attempt.
    pub(crate) fn close(&mut self) -> Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.sync().map_err(|e| Error::io("sync", &self.guard.path, e))?;
        file.close().map_err(|e| Error::io("close", &self.guard.path, e))?;
        self.closed = true;
        Ok(())
    }

    /// True after [`PendingFile::close`] has succeeded.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// The file is where it belongs: nothing is to be deleted any more.
    pub(super) fn disarm(mut self) {
        self.guard.armed = false;
    }
}

impl TmpFile {
    fn failed(&self, error: grampus_colfile::Error) -> Error {
        match error {
            grampus_colfile::Error::Write(source) => Error::io("write", &self.path, source),
            grampus_colfile::Error::Misuse(what) => {
                Error::new(ErrorKind::Bug, format!("writing {}: {what}", self.path.display()))
            }
            other => Error::from(other),
        }
    }
}

/// The file as `std::io::Write` with early write-back, each write timed.
struct Sink {
    file: Box<dyn AppendFile>,
    written_back: u64,
    env: Arc<dyn Env>,
    times: Arc<IoTimes>,
}

impl Sink {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)?;
        if self.file.position() - self.written_back >= WRITE_BACK_BYTES {
            self.file.start_write_back()?;
            self.written_back = self.file.position();
        }
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let begun_nanos = self.env.monotonic_nanos();
        let outcome = self.append(bytes);
        self.times.write(self.env.monotonic_nanos() - begun_nanos);
        outcome.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
