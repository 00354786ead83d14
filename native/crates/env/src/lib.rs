//! The only code that touches disk, wall clock and randomness, but for the files of the second cache tier. A wait for another thread has
//! its time limit from the condition (`wait_while_for`). Clippy refuses `Instant::now`, `SystemTime::now` and `sleep` in the other
//! crates of the engine.
//!
//! [`Env`] asks for what every Hadoop `FileSystem` can do: no mmap, truncate, overwrite, preallocation or hard
//! link. Everything above runs unchanged on [`LocalEnv`] and on the faulty in-memory [`FakeEnv`].

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod buffered;
pub mod contract;
#[cfg(target_os = "linux")]
mod direct;
mod fake;
mod local;
mod place;
#[cfg(test)]
mod planned_file;
mod raw_file;
mod strict;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use fake::{Call, FakeEnv, FakeKind, Faults, Mounts};
use grampus_base::{RandomRead, Result, SPLIT_MIX_STEP, split_mix};
pub use local::LocalEnv;
pub use place::{is_absolute, is_uri, path_of, place_of};
pub use strict::strict;

/// What a directory listing says about one entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    /// The last path component.
    pub name: String,
    /// True for a directory.
    pub is_dir: bool,
    /// Length in bytes; of a file that is being written an earlier one, or 0; 0 for a directory.
    pub len: u64,
}

/// What a name stands for itself: a link is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// A file that has bytes: no directory, link, pipe or device.
    pub is_plain: bool,
    /// How many names it has.
    pub names: u64,
    /// Tells it from all others that are there at the time, whatever its name is.
    pub id: (u64, u64),
}

/// An append-only file being written. It is complete once [`AppendFile::close`] has succeeded: before, its length is not known to others, and
/// it is not to be opened for reading. Dropped without a close it is abandoned: what was not flushed may be lost, and its length is
/// known only after [`Env::recover_lease`].
///
/// After an append, flush or start of a write-back that failed the file's tail is undefined, and nothing more can be appended: a sync
/// may still succeed for what had been flushed before. After a sync that failed every call fails. A file with a failure does not close.
pub trait AppendFile: Send {
    /// Appends all bytes or fails.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Hands all bytes to the operating system (or to HDFS's pipeline: `hflush`).
    fn flush(&mut self) -> io::Result<()>;

    /// All bytes are on the medium when this returns (`hsync`), those that were flushed before among them. It is the flush of what was not:
    /// none is needed before it.
    ///
    /// A file of [`Env::create_log`] promises that only where something was appended since its last flush or sync. Else no bytes go out
    /// that could ask for it: nothing becomes safer, and the call may fail.
    fn sync(&mut self) -> io::Result<()>;

    /// Starts writing the bytes back without waiting; a hint that may do nothing.
    fn start_write_back(&mut self) -> io::Result<()>;

    /// Bytes appended so far.
    fn position(&self) -> u64;

    /// Hands over what is left and ends the file: from now on its length is final and it may be read. This is no sync.
    ///
    /// May wait for seconds where a server has to take note. After an error the file is not complete: it is deleted, or its lease is
    /// recovered before it is read. There is no second attempt.
    fn close(self: Box<Self>) -> io::Result<()>;
}

/// What [`Env::read`] reads at most: a length that is wrong must not ask for more memory than there is.
pub(crate) const SMALL_FILE_BYTES_MAX: usize = 64 << 20;

/// Disk, clock and randomness.
pub trait Env: Send + Sync {
    /// Refuses by a sentence a place of [`place_of`] that is on no file system of this environment. Asked before the first use of a place, since what
    /// is no local path would be taken for a relative one. Makes no call of a file system.
    fn check_place(&self, place: &Path) -> Result<()> {
        path_of(&place.to_string_lossy()).map(drop)
    }

    /// Creates a new file for appending; an existing path is [`io::ErrorKind::AlreadyExists`].
    ///
    /// Never makes a directory: without the parent it is [`io::ErrorKind::NotFound`]. A dead server's directory is renamed before its log
    /// is recovered, and one that was only paused must not acknowledge into a directory that it has made again.
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>>;

    /// The same for a file of which nothing is read before it is synced: large pieces may bypass the page cache.
    fn create_bulk(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        self.create(path)
    }

    /// The same for a file of groups, each of which is flushed or synced while others wait for it. About `most` bytes come into it: it
    /// may be kept in one piece for which that is room. See [`AppendFile::sync`].
    fn create_log(&self, path: &Path, most: u64) -> io::Result<Box<dyn AppendFile>>;

    /// True when a flush costs about a system call, so that a thread that others wait for may make one. Else it waits for other machines,
    /// for as long as they take to answer.
    fn flush_is_cheap(&self) -> bool;

    /// True where a sync of a file there that failed leaves it unknown what the medium has, of earlier bytes too: on the machine's own disks,
    /// whatever a flush costs elsewhere; a flush there reaches this machine only. Else one that failed is a broken file as a flush that failed is,
    /// and takes nothing back.
    fn failed_syncs_are_final(&self, path: &Path) -> bool;

    /// Ends the file of a writer that is dead or taken for dead, so that its length is final and it may be read: before each read of what
    /// another server may have left open. Where the writer lives, its calls fail from now on, so that it acknowledges nothing that is not
    /// read here. What it had flushed is kept, of what came after it a part may be. A file that is closed stays as it is.
    ///
    /// May wait for minutes.
    fn recover_lease(&self, path: &Path) -> io::Result<()>;

    /// Opens a complete file for positioned reads. Reads go on after a rename or delete of the path. Never waits for a writer: what is no
    /// file, such as a pipe, is [`io::ErrorKind::InvalidInput`].
    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>>;

    /// The entries of a directory in name order; a missing one is [`io::ErrorKind::NotFound`].
    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>>;

    /// Renames a file or directory. An existing target, be it a file or a directory, is [`io::ErrorKind::AlreadyExists`] and stays as it is;
    /// a missing source or parent of the target is [`io::ErrorKind::NotFound`].
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Deletes a file or an empty directory.
    fn delete(&self, path: &Path) -> io::Result<()>;

    /// Creates a directory and its parents; an existing one is fine. It is there after a machine's death only once its parent was synced.
    fn mkdir(&self, dir: &Path) -> io::Result<()>;

    /// Makes creations, renames and deletes in a directory durable; nothing to do where the file system does so itself.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;

    /// The bytes of a complete file, also of another process's, are on the medium when this returns. Nothing to do where a closed file is as safe as
    /// it becomes.
    fn sync_file(&self, path: &Path) -> io::Result<()>;

    /// A file's length; of one that is being written an earlier one, or 0.
    fn len(&self, path: &Path) -> io::Result<u64>;

    /// True when the path names a file or directory.
    fn exists(&self, path: &Path) -> io::Result<bool>;

    /// What a path names, without following it where it is a link; a missing one is [`io::ErrorKind::NotFound`]. An environment that only
    /// reads has none.
    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        let message = format!("this environment does not say what {} is", path.display());
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    /// The path of what is there without links on the way to it. The same path where a file system has none.
    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }

    /// Wall clock in milliseconds since the epoch.
    fn now_millis(&self) -> i64;

    /// Lets about this number of milliseconds of the wall clock pass.
    #[expect(clippy::disallowed_methods, reason = "this is where pauses are made")]
    fn pause_millis(&self, ms: u64) {
        std::thread::sleep(Duration::from_millis(ms));
    }

    /// A clock that never goes back, in nanoseconds from an arbitrary start.
    fn monotonic_nanos(&self) -> u64;

    /// 64 random bits, good enough for names; not for secrets.
    fn random(&self) -> u64;

    /// [`Env::mkdir`] whose directories outlive the machine. Each level is durable before the next is made, so one that exists lies in a
    /// durable one; it was perhaps made by a thread or a process that has not synced its name, so that is done in any case.
    fn mkdir_durably(&self, dir: &Path) -> io::Result<()> {
        let Some(parent) = dir.parent() else { return Ok(()) };
        if !self.exists(dir)? {
            self.mkdir_durably(parent)?;
            self.mkdir(dir)?;
        }
        self.sync_dir(parent)
    }

    /// Makes an empty file whose name says all, and which outlives the machine. One that is there comes from an earlier attempt.
    fn create_mark(&self, path: &Path) -> io::Result<()> {
        match self.create(path) {
            Ok(mut file) => file.sync().and_then(|()| file.close())?,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
        self.sync_dir(&parent(path))
    }

    /// The whole content of a small file. A larger one than [`SMALL_FILE_BYTES_MAX`] is [`io::ErrorKind::InvalidData`].
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.open(path)?;
        let len = usize::try_from(file.len()).ok().filter(|len| *len <= SMALL_FILE_BYTES_MAX);
        let len = len.ok_or_else(|| {
            let message = format!("{} bytes are more than such a file has", file.len());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        let mut bytes = vec![0; len];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }
}

/// A fresh name for a column file: 32 lower-case hex digits, as HBase names its store files.
pub fn new_file_name(env: &dyn Env) -> String {
    format!("{:016x}{:016x}", env.random(), env.random())
}

/// The parent of a path that is known to have one.
fn parent(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

/// 64 random bits of a generator that threads share.
fn random_bits(state: &AtomicU64) -> u64 {
    split_mix(&mut state.fetch_add(SPLIT_MIX_STEP, Ordering::Relaxed))
}
