//! An in-memory file system with exactly [`Env`]'s operations, a manual clock, seeded randomness and faults on demand.
//!
//! It models what a crash may take away: bytes appended but not synced, and, when asked to, names of files and directories created,
//! renamed or deleted since their directory was last synced. The files of a directory that is renamed are lost with its old name until
//! they are synced under the new one.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use grampus_base::RandomRead;
use parking_lot::Mutex;

use super::strict::Strict;
use super::{AppendFile, DirEntry, Env, parent};

/// What goes wrong, and when. Counts are of calls from now on; `None` never fails.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Bytes that may still be appended before the disk is full.
    pub free_bytes: Option<u64>,
    /// The n-th append from now fails with EIO (0: the next).
    pub fail_append_in: Option<u64>,
    /// The n-th sync from now fails with EIO (0: the next).
    pub fail_sync_in: Option<u64>,
    /// The n-th rename from now fails with EIO (0: the next).
    pub fail_rename_in: Option<u64>,
    /// The n-th delete from now fails with EIO (0: the next).
    pub fail_delete_in: Option<u64>,
    /// The n-th positioned read from now fails with EIO (0: the next).
    pub fail_read_in: Option<u64>,
}

/// Bytes of one file; shared with its readers and its writer, so that a rename or delete does not disturb them.
#[derive(Default)]
struct Content {
    bytes: Mutex<Vec<u8>>,
    synced: AtomicU64,
    /// A sync has failed: as on Linux, later ones succeed, but the bytes that it should have written never reach the medium.
    lost: AtomicBool,
}

impl Content {
    /// What the medium has of it.
    fn after_crash(&self) -> Content {
        let synced = self.synced.load(Ordering::Relaxed);
        let mut bytes = self.bytes.lock().clone();
        bytes.truncate(usize::try_from(synced).unwrap_or(usize::MAX));
        Content { bytes: Mutex::new(bytes), synced: AtomicU64::new(synced), lost: AtomicBool::new(false) }
    }
}

#[derive(Clone, Default)]
struct Tree {
    files: BTreeMap<PathBuf, Arc<Content>>,
    dirs: BTreeSet<PathBuf>,
}

struct State {
    live: Tree,
    /// Names as of the last sync of each directory.
    durable: Tree,
    faults: Faults,
}

/// The in-memory environment; clones share one file system.
#[derive(Clone)]
pub struct FakeEnv {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    now_millis: AtomicI64,
    ticks: AtomicU64,
    random: AtomicU64,
    reads: AtomicU64,
    read_bytes: AtomicU64,
    announced_bytes: AtomicU64,
}

impl FakeEnv {
    /// An empty file system; `seed` determines all random names.
    pub fn new(seed: u64) -> FakeEnv {
        let state = State { live: Tree::default(), durable: Tree::default(), faults: Faults::default() };
        FakeEnv {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
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

    /// Time passes, for both clocks.
    pub fn advance_millis(&self, ms: i64) {
        self.shared.now_millis.fetch_add(ms, Ordering::Relaxed);
        self.shared.ticks.fetch_add(u64::try_from(ms).unwrap_or(0) * 1_000_000, Ordering::Relaxed);
    }

    /// The wall clock is set to an earlier time. The monotonic one goes on as before.
    pub fn set_back_millis(&self, ms: i64) {
        self.shared.now_millis.fetch_sub(ms, Ordering::Relaxed);
    }

    /// A process crash followed by a restart: everything handed to [`AppendFile::flush`] survives, so nothing is lost here
    /// but planned faults. Buffers do not exist in this environment: every append counts as flushed.
    pub fn crash_process(&self) {
        self.set_faults(Faults::default());
    }

    /// A machine crash: unsynced bytes are gone, and so are names whose directory was not synced since they changed. What a writer
    /// from before appends reaches no file any more.
    pub fn crash_machine(&self) {
        let mut state = self.shared.state.lock();
        state.faults = Faults::default();
        state.durable.drop_unreachable();
        state.durable.files.values_mut().for_each(|content| *content = Arc::new(content.after_crash()));
        state.live = state.durable.clone();
    }

    /// Changes one byte of a file, as a failing disk would.
    pub fn flip(&self, path: &Path, at: usize) -> io::Result<()> {
        let content = self.content(path)?;
        let mut bytes = content.bytes.lock();
        let byte = bytes.get_mut(at).ok_or(io::ErrorKind::UnexpectedEof)?;
        *byte ^= 0xFF;
        Ok(())
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

    fn content(&self, path: &Path) -> io::Result<Arc<Content>> {
        let state = self.shared.state.lock();
        state.live.files.get(path).cloned().ok_or_else(|| not_found(path))
    }
}

impl Tree {
    /// Drops what lies in directories that are not there.
    fn drop_unreachable(&mut self) {
        let dirs = std::mem::take(&mut self.dirs);
        let reachable =
            |path: &Path| path.ancestors().skip(1).all(|dir| dir == Path::new("/") || dirs.contains(dir));
        self.files.retain(|path, _| reachable(path));
        self.dirs = dirs.iter().filter(|path| reachable(path)).cloned().collect();
    }

    fn has(&self, path: &Path) -> bool {
        path == Path::new("/") || self.files.contains_key(path) || self.dirs.contains(path)
    }

    fn children<'a>(&'a self, dir: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
        self.files.keys().chain(self.dirs.iter()).filter(move |p| p.parent() == Some(dir))
    }
}

fn not_found(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("{} does not exist", path.display()))
}

fn eio(what: &str) -> io::Error {
    io::Error::other(format!("injected fault: {what}"))
}

/// Counts a planned fault down; true when it strikes now.
fn strikes(countdown: &mut Option<u64>) -> bool {
    match countdown {
        Some(0) => {
            *countdown = None;
            true
        }
        Some(n) => {
            *n -= 1;
            false
        }
        None => false,
    }
}

impl Env for FakeEnv {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let mut state = self.shared.state.lock();
        if state.live.has(path) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", path.display())));
        }
        if !state.live.has(&parent(path)) {
            return Err(not_found(&parent(path)));
        }
        let content = Arc::new(Content::default());
        state.live.files.insert(path.to_path_buf(), Arc::clone(&content));
        Ok(Box::new(Strict::new(FakeAppend { env: self.clone(), content })))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        let content = self.content(path)?;
        let len = content.bytes.lock().len() as u64;
        Ok(Arc::new(FakeRead { env: self.clone(), content, len, name: path.display().to_string() }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let state = self.shared.state.lock();
        if state.live.files.contains_key(dir) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        if !state.live.has(dir) {
            return Err(not_found(dir));
        }
        let mut entries: Vec<DirEntry> = state.live.children(dir).map(|p| entry(&state.live, p)).collect();
        entries.sort();
        Ok(entries)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_rename_in) {
            return Err(eio("rename"));
        }
        if state.live.has(to) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", to.display())));
        }
        if !state.live.has(from) || !state.live.has(&parent(to)) {
            return Err(not_found(from));
        }
        let moved = |p: &Path| {
            p.strip_prefix(from)
                .ok()
                .map(|rest| if rest.as_os_str().is_empty() { to.into() } else { to.join(rest) })
        };
        let tree = &mut state.live;
        tree.files =
            std::mem::take(&mut tree.files).into_iter().map(|(p, c)| (moved(&p).unwrap_or(p), c)).collect();
        tree.dirs = std::mem::take(&mut tree.dirs).into_iter().map(|p| moved(&p).unwrap_or(p)).collect();
        Ok(())
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_delete_in) {
            return Err(eio("delete"));
        }
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
        let mut state = self.shared.state.lock();
        state.live.dirs.extend(dir.ancestors().map(Path::to_path_buf));
        Ok(())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        let mut state = self.shared.state.lock();
        if strikes(&mut state.faults.fail_sync_in) {
            return Err(eio("sync of a directory"));
        }
        let names: Vec<(PathBuf, Arc<Content>)> = state
            .live
            .files
            .iter()
            .filter(|(p, _)| p.parent() == Some(dir))
            .map(|(p, c)| (p.clone(), c.clone()))
            .collect();
        // A rename is one step of a journal: it is durable as a whole once either directory is synced.
        let State { live, durable, .. } = &mut *state;
        let left: Vec<Arc<Content>> =
            durable.files.iter().filter(|(p, _)| p.parent() == Some(dir)).map(|(_, c)| c.clone()).collect();
        durable.files.retain(|_, c| !names.iter().any(|(_, n)| Arc::ptr_eq(c, n)));
        durable.files.retain(|p, _| p.parent() != Some(dir));
        durable.files.extend(names);
        for (path, content) in live.files.iter().filter(|(_, c)| left.iter().any(|l| Arc::ptr_eq(l, c))) {
            durable.files.insert(path.clone(), content.clone());
            durable.dirs.extend(path.ancestors().skip(1).map(Path::to_path_buf));
        }
        let is_child = |path: &PathBuf| path.parent() == Some(dir);
        let dirs: Vec<PathBuf> = live.dirs.iter().filter(|path| is_child(path)).cloned().collect();
        // What lay in a directory that is gone does not come back with another one of its name.
        let gone: Vec<PathBuf> =
            durable.dirs.iter().filter(|path| is_child(path) && !dirs.contains(path)).cloned().collect();
        let is_gone = |path: &Path| gone.iter().any(|dir| path.starts_with(dir));
        durable.files.retain(|path, _| !is_gone(path));
        durable.dirs.retain(|path| !is_gone(path));
        durable.dirs.extend(dirs);
        Ok(())
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        Ok(self.content(path)?.bytes.lock().len() as u64)
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        Ok(self.shared.state.lock().live.has(path))
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
        super::split_mix(&self.shared.random)
    }
}

fn entry(tree: &Tree, path: &Path) -> DirEntry {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let content = tree.files.get(path);
    DirEntry { name, is_dir: content.is_none(), len: content.map_or(0, |c| c.bytes.lock().len() as u64) }
}

struct FakeAppend {
    env: FakeEnv,
    content: Arc<Content>,
}

impl AppendFile for FakeAppend {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.env.shared.state.lock();
        if strikes(&mut state.faults.fail_append_in) {
            return Err(eio("write"));
        }
        let wanted = bytes.len() as u64;
        if let Some(free) = &mut state.faults.free_bytes {
            if *free < wanted {
                let part = usize::try_from(*free).unwrap_or(0);
                self.content.bytes.lock().extend_from_slice(bytes.get(..part).unwrap_or_default());
                *free = 0;
                return Err(io::Error::new(io::ErrorKind::StorageFull, "injected fault: no space left"));
            }
            *free -= wanted;
        }
        self.content.bytes.lock().extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if strikes(&mut self.env.shared.state.lock().faults.fail_sync_in) {
            self.content.lost.store(true, Ordering::Relaxed);
            return Err(eio("sync"));
        }
        if !self.content.lost.load(Ordering::Relaxed) {
            self.content.synced.store(self.content.bytes.lock().len() as u64, Ordering::Relaxed);
        }
        Ok(())
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn position(&self) -> u64 {
        self.content.bytes.lock().len() as u64
    }
}

struct FakeRead {
    env: FakeEnv,
    content: Arc<Content>,
    len: u64,
    name: String,
}

impl RandomRead for FakeRead {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        if strikes(&mut self.env.shared.state.lock().faults.fail_read_in) {
            return Err(eio("read"));
        }
        self.env.shared.reads.fetch_add(1, Ordering::Relaxed);
        self.env.shared.read_bytes.fetch_add(buf.len() as u64, Ordering::Relaxed);
        let bytes = self.content.bytes.lock();
        let from = usize::try_from(offset).map_err(io::Error::other)?;
        let part = from
            .checked_add(buf.len())
            .and_then(|to| bytes.get(from..to))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(part);
        Ok(())
    }

    fn will_read(&self, bytes: Range<u64>) {
        let bytes = bytes.end.saturating_sub(bytes.start);
        self.env.shared.announced_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn name(&self) -> &str {
        &self.name
    }
}
