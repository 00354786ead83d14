//! An environment that tells a test of looks at its clocks.

use std::io;
use std::path::Path;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_env::{AppendFile, DirEntry, Env, FakeEnv};

/// Is told of looks at a clock, on the thread that looks.
pub(crate) trait ClockWatcher: Send + Sync {
    /// The wall clock was read, and the thread that reads it does not have the time yet.
    fn after_wall(&self) {}

    /// The monotonic clock is about to be read.
    fn before_monotonic(&self) {}
}

/// A [`FakeEnv`] with a watcher.
pub(crate) struct WatchedClock<W> {
    pub env: FakeEnv,
    pub watcher: W,
}

impl<W: ClockWatcher> Env for WatchedClock<W> {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        self.env.create(path)
    }
    fn create_log(&self, path: &Path, most: u64) -> io::Result<Box<dyn AppendFile>> {
        self.env.create_log(path, most)
    }
    fn flush_is_cheap(&self) -> bool {
        self.env.flush_is_cheap()
    }
    fn failed_syncs_are_final(&self, path: &Path) -> bool {
        self.env.failed_syncs_are_final(path)
    }
    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        self.env.recover_lease(path)
    }
    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        self.env.open(path)
    }
    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.env.list(dir)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.env.rename(from, to)
    }
    fn delete(&self, path: &Path) -> io::Result<()> {
        self.env.delete(path)
    }
    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        self.env.mkdir(dir)
    }
    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.env.sync_dir(dir)
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.env.sync_file(path)
    }
    fn len(&self, path: &Path) -> io::Result<u64> {
        self.env.len(path)
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.env.exists(path)
    }
    fn now_millis(&self) -> i64 {
        let now = self.env.now_millis();
        self.watcher.after_wall();
        now
    }
    fn pause_millis(&self, ms: u64) {
        self.env.pause_millis(ms);
    }
    fn monotonic_nanos(&self) -> u64 {
        self.watcher.before_monotonic();
        self.env.monotonic_nanos()
    }
    fn random(&self) -> u64 {
        self.env.random()
    }
}
