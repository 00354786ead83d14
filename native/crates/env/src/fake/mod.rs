//! An in-memory file system with exactly [`Env`]'s operations, a manual clock, seeded randomness and faults on demand.
//!
//! It plays a local disk or HDFS ([`FakeKind`]). Of a local disk it models what a crash may take away: bytes appended but not synced, and,
//! names of files and directories created, renamed or deleted since their directory was last synced. The files of a
//! directory that is renamed are lost with its old name until they are synced under the new one.

mod content;
mod deaths;
mod event_loop;
mod faults;
mod file;
mod holds;
mod mounts;
#[cfg(test)]
mod tests;
mod tree;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use grampus_base::RandomRead;
use parking_lot::Mutex;

use self::content::Content;
pub use self::faults::Faults;
use self::faults::{eio, strikes};
use self::file::{FakeAppend, FakeRead};
pub use self::holds::Call;
use self::holds::Holds;
pub use self::mounts::Mounts;
use self::tree::Tree;
use super::strict::Strict;
use super::{AppendFile, DirEntry, Env, FileStat, parent};

/// What kind of file system it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FakeKind {
    /// A disk of the machine. Every append counts as handed to the operating system at once, so that a process's death loses nothing; the
    /// machine's death loses what was not synced, of bytes and of names.
    Local,
    /// HDFS, written through its plain streams, logs through HBase's fan-out stream. A flush waits for other machines; what it has not
    /// covered may be lost with the process. Names are durable at once, and a directory's sync does nothing. The length of a file is known
    /// once it is closed, by its writer or by a recovery of its lease, which fences the writer. A writer that has failed once is dead; what
    /// it left behind the last flush is in the file in part.
    ///
    /// The machine that dies is the server's: the replicas are on others, so whatever was flushed survives, synced or not. The loss of all
    /// machines at once is [`FakeEnv::lose_power`].
    Remote,
}

impl FakeKind {
    /// All of them.
    pub const ALL: [FakeKind; 2] = [FakeKind::Local, FakeKind::Remote];
}

struct State {
    live: Tree,
    /// Names as of the last sync of each directory.
    durable: Tree,
    faults: Faults,
    mounts: Mounts,
}

/// The in-memory environment; clones share one file system.
#[derive(Clone)]
pub struct FakeEnv {
    shared: Arc<Shared>,
}

struct Shared {
    kind: FakeKind,
    flush_is_cheap: bool,
    state: Mutex<State>,
    holds: Holds,
    /// Writers so far.
    writers: AtomicU64,
    flushes: AtomicU64,
    now_millis: AtomicI64,
    ticks: AtomicU64,
    random: AtomicU64,
    reads: AtomicU64,
    read_bytes: AtomicU64,
    announced_bytes: AtomicU64,
}

impl FakeEnv {
    /// An empty local file system; `seed` determines all random names.
    pub fn new(seed: u64) -> FakeEnv {
        FakeEnv::of(FakeKind::Local, seed)
    }

    /// An empty file system of a kind; `seed` determines all that is left to chance.
    pub fn of(kind: FakeKind, seed: u64) -> FakeEnv {
        FakeEnv::with_flushes(kind, seed, kind == FakeKind::Local)
    }

    /// The local disk of an environment that has remote files as well, so that no flush of it counts as cheap.
    pub fn local_beside_remote(seed: u64) -> FakeEnv {
        FakeEnv::with_flushes(FakeKind::Local, seed, false)
    }

    fn with_flushes(kind: FakeKind, seed: u64, flush_is_cheap: bool) -> FakeEnv {
        let state = State {
            live: Tree::default(),
            durable: Tree::default(),
            faults: Faults::default(),
            mounts: Mounts::default(),
        };
        FakeEnv {
            shared: Arc::new(Shared {
                kind,
                flush_is_cheap,
                writers: AtomicU64::new(0),
                flushes: AtomicU64::new(0),
                state: Mutex::new(state),
                holds: Holds::default(),
                now_millis: AtomicI64::new(1_700_000_000_000),
                ticks: AtomicU64::new(0),
                random: AtomicU64::new(seed),
                reads: AtomicU64::new(0),
                read_bytes: AtomicU64::new(0),
                announced_bytes: AtomicU64::new(0),
            }),
        }
    }

    /// Replaces the planned faults.
    pub fn set_faults(&self, faults: Faults) {
        self.shared.state.lock().faults = faults;
    }

    /// Says which places are not like the others.
    pub fn set_mounts(&self, mounts: Mounts) {
        self.shared.state.lock().mounts = mounts;
    }

    /// The first half of a file's rename, where it has two: the file has both names when this returns. False where a rename is one step, and
    /// nothing has been done.
    pub fn begin_rename(&self, from: &Path, to: &Path) -> io::Result<bool> {
        let mut state = self.shared.state.lock();
        if !state.mounts.renames_by_links || !state.live.files.contains_key(from) {
            return Ok(false);
        }
        if strikes(&mut state.faults.fail_rename_in) {
            return Err(eio("rename"));
        }
        state.mounts.check_rename(from, to)?;
        state.live.check_rename(from, to)?;
        state.live.link(from, to);
        Ok(true)
    }

    /// The second half: the file loses its old name.
    pub fn end_rename(&self, from: &Path) -> io::Result<()> {
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_unlink_in) {
            return Err(eio("unlink"));
        }
        state.live.files.remove(from).map(drop).ok_or_else(|| not_found(from))
    }

    /// Time passes, for both clocks.
    pub fn advance_millis(&self, ms: i64) {
        self.shared.now_millis.fetch_add(ms, Ordering::Relaxed);
        self.shared.ticks.fetch_add(u64::try_from(ms).unwrap_or(0) * 1_000_000, Ordering::Relaxed);
    }

    /// The wall clock is set to an earlier time. The monotonic one goes on as before.
    pub fn set_back_millis(&self, ms: i64) {
        self.shared.now_millis.fetch_sub(ms, Ordering::Relaxed);
    }

    fn next_writer(&self) -> u64 {
        self.shared.writers.fetch_add(1, Ordering::Relaxed)
    }

    /// Changes one byte of a file, as a failing disk would.
    pub fn flip(&self, path: &Path, at: usize) -> io::Result<()> {
        let content = self.content(path)?;
        let mut content = content.lock();
        let byte = content.bytes.get_mut(at).ok_or(io::ErrorKind::UnexpectedEof)?;
        *byte ^= 0xFF;
        Ok(())
    }

    /// Flushes of all files so far.
    pub fn flushes(&self) -> u64 {
        self.shared.flushes.load(Ordering::Relaxed)
    }

    /// Positioned reads of all files so far, and their bytes.
    pub fn reads(&self) -> (u64, u64) {
        (self.shared.reads.load(Ordering::Relaxed), self.shared.read_bytes.load(Ordering::Relaxed))
    }

    /// Bytes of all files that were announced to be read.
    pub fn announced_bytes(&self) -> u64 {
        self.shared.announced_bytes.load(Ordering::Relaxed)
    }

    /// Every file path, in order.
    pub fn files(&self) -> Vec<PathBuf> {
        self.shared.state.lock().live.files.keys().cloned().collect()
    }

    fn create_file(&self, path: &Path) -> io::Result<FakeAppend> {
        let _answered = self.answered(Call::Create);
        let mut state = self.shared.state.lock();
        state.mounts.check_change(path)?;
        if state.faults.failing_creates > 0 {
            state.faults.failing_creates -= 1;
            self.advance_millis(state.faults.slow_millis);
            if state.faults.leaves_created && !state.live.has(path) && state.live.has_dir(&parent(path)) {
                self.add_file(&mut state, path);
            }
            return Err(eio("create"));
        }
        if state.live.has(path) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", path.display())));
        }
        if !state.live.has_dir(&parent(path)) {
            return Err(not_found(&parent(path)));
        }
        Ok(self.add_file(&mut state, path))
    }

    fn add_file(&self, state: &mut State, path: &Path) -> FakeAppend {
        let writer = self.next_writer();
        let content = Arc::new(Content::new(self.is_remote().then_some(writer)));
        state.live.files.insert(path.to_path_buf(), Arc::clone(&content));
        FakeAppend { env: self.clone(), content, writer, position: 0, log_bytes: None, broken: false }
    }

    fn content(&self, path: &Path) -> io::Result<Arc<Content>> {
        let state = self.shared.state.lock();
        state.live.files.get(path).cloned().ok_or_else(|| not_found(path))
    }
}

fn not_found(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("{} does not exist", path.display()))
}

impl Env for FakeEnv {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(Strict::new(self.create_file(path)?)))
    }

    fn create_log(&self, path: &Path, most: u64) -> io::Result<Box<dyn AppendFile>> {
        let file = self.create_file(path)?;
        Ok(Box::new(Strict::new(FakeAppend { log_bytes: self.is_remote().then_some(most), ..file })))
    }

    fn flush_is_cheap(&self) -> bool {
        self.shared.flush_is_cheap
    }

    fn failed_syncs_are_final(&self, _path: &Path) -> bool {
        !self.is_remote()
    }

    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        let _answered = self.answered(Call::Recovery);
        if strikes(&mut self.shared.state.lock().faults.fail_recovery_in) {
            return Err(eio("recovery of a lease"));
        }
        let content = self.content(path)?;
        let chance = self.random();
        content.lock().recover(chance);
        Ok(())
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        let content = self.content(path)?;
        let len = content.lock().visible() as u64;
        Ok(Arc::new(FakeRead { env: self.clone(), content, len, name: path.display().to_string() }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let _answered = self.answered(Call::List);
        let state = self.shared.state.lock();
        if state.live.files.contains_key(dir) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        if !state.live.has(dir) {
            return Err(not_found(dir));
        }
        let mut entries: Vec<DirEntry> = state.live.children(dir).map(|p| state.live.entry(p)).collect();
        entries.sort();
        Ok(entries)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let _answered = self.answered(Call::Rename);
        if self.begin_rename(from, to)? {
            return self.end_rename(from);
        }
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_rename_in) {
            return Err(eio("rename"));
        }
        state.mounts.check_rename(from, to)?;
        state.live.check_rename(from, to)?;
        state.live.rename(from, to);
        if strikes(&mut state.faults.lose_rename_in) {
            return Err(eio("the answer to a rename"));
        }
        Ok(())
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        let _answered = self.answered(Call::Delete);
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_delete_in) {
            return Err(eio("delete"));
        }
        state.mounts.check_change(path)?;
        if state.live.files.remove(path).is_some() {
            return Ok(());
        }
        if !state.live.dirs.contains(path) {
            return Err(not_found(path));
        }
        if state.live.children(path).next().is_some() {
            return Err(io::Error::new(
                io::ErrorKind::DirectoryNotEmpty,
                format!("{} is not empty", path.display()),
            ));
        }
        state.live.dirs.remove(path);
        Ok(())
    }

    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        self.may_wait(format_args!("a new directory"));
        let mut state = self.shared.state.lock();
        state.live.dirs.extend(dir.ancestors().map(Path::to_path_buf));
        Ok(())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_remote() {
            return Ok(()); // names are durable before their change is answered
        }
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_sync_in) {
            return Err(eio("sync of a directory"));
        }
        let State { live, durable, .. } = &mut *state;
        durable.sync_dir(live, dir);
        Ok(())
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        let content = self.content(path)?;
        if self.is_remote() {
            return Ok(()); // a closed file is at all replicas
        }
        if strikes(&mut self.shared.state.lock().faults.fail_sync_in) {
            return Err(eio("sync of a file"));
        }
        let mut bytes = content.lock();
        if !bytes.lost {
            bytes.synced = bytes.bytes.len();
        }
        Ok(())
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        Ok(self.content(path)?.lock().told() as u64)
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        Ok(self.shared.state.lock().live.has(path))
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        let state = self.shared.state.lock();
        match state.live.files.get(path) {
            Some(content) => Ok(FileStat {
                is_plain: true,
                names: state.live.names_of(content),
                id: (0, Arc::as_ptr(content).addr() as u64),
            }),
            None if state.live.has_dir(path) => Ok(FileStat { is_plain: false, names: 1, id: (0, 0) }),
            None => Err(not_found(path)),
        }
    }

    fn now_millis(&self) -> i64 {
        self.shared.now_millis.load(Ordering::Relaxed)
    }

    fn pause_millis(&self, ms: u64) {
        self.advance_millis(i64::try_from(ms).unwrap_or(i64::MAX));
    }

    fn monotonic_nanos(&self) -> u64 {
        self.shared.ticks.fetch_add(1000, Ordering::Relaxed)
    }

    fn random(&self) -> u64 {
        super::random_bits(&self.shared.random)
    }
}
