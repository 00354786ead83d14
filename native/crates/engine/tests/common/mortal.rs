//! A process's view of the file system: it ends at a step chosen by chance, and from then on nothing that its threads do has an effect.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_base::RandomRead;
use grampus_env::{AppendFile, DirEntry, Env, FakeEnv, FileStat};

/// Steps that a process may still take; 0 once it is dead.
pub(crate) struct Life(AtomicU64);

impl Life {
    pub(crate) fn of_steps(steps: u64) -> Arc<Life> {
        Arc::new(Life(AtomicU64::new(steps)))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }

    pub(crate) fn end(&self) {
        self.0.store(0, Ordering::SeqCst);
    }

    /// Lets the process die after this number of steps from now.
    pub(crate) fn end_in(&self, steps: u64) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| (left > 0).then_some(steps));
    }

    fn step(&self) -> io::Result<()> {
        let took = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match took {
            Ok(left) if left > 1 => Ok(()),
            _ => Err(io::Error::other("the process is dead")),
        }
    }
}

/// Looks at a step before it is taken, and may fail it: what is done, and to which name.
pub(crate) type Watch = Box<dyn Fn(&str, &Path) -> io::Result<()> + Send + Sync>;

/// Files as a process with a life sees them.
pub(crate) struct Mortal {
    env: FakeEnv,
    life: Arc<Life>,
    watch: Watch,
}

impl Mortal {
    pub(crate) fn new(env: &FakeEnv, life: &Arc<Life>) -> Mortal {
        Mortal { env: env.clone(), life: life.clone(), watch: Box::new(|_, _| Ok(())) }
    }

    /// One that lives on, and whose lists and renames are watched.
    pub(crate) fn watched(env: &FakeEnv, watch: Watch) -> Mortal {
        Mortal { env: env.clone(), life: Life::of_steps(u64::MAX), watch }
    }
}

impl Env for Mortal {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        self.life.step()?;
        Ok(Box::new(MortalFile { file: self.env.create(path)?, life: self.life.clone() }))
    }

    fn create_log(&self, path: &Path, most: u64) -> io::Result<Box<dyn AppendFile>> {
        self.life.step()?;
        Ok(Box::new(MortalFile { file: self.env.create_log(path, most)?, life: self.life.clone() }))
    }

    fn flush_is_cheap(&self) -> bool {
        self.env.flush_is_cheap()
    }

    fn failed_syncs_are_final(&self, path: &Path) -> bool {
        self.env.failed_syncs_are_final(path)
    }

    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        self.life.step()?;
        self.env.recover_lease(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        self.env.open(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        (self.watch)("list", dir)?;
        self.env.list(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.life.step()?;
        (self.watch)("rename", to)?;
        if !self.env.begin_rename(from, to)? {
            return self.env.rename(from, to);
        }
        self.life.step()?;
        self.env.end_rename(from)
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        self.life.step()?;
        self.env.delete(path)
    }

    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        self.life.step()?;
        self.env.mkdir(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.life.step()?;
        self.env.sync_dir(dir)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.life.step()?;
        self.env.sync_file(path)
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        self.env.len(path)
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.env.exists(path)
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        self.env.stat(path)
    }

    fn now_millis(&self) -> i64 {
        self.env.now_millis()
    }

    /// By the clock of the test, which nothing else moves on while its thread waits for an answer: the log of a dead server gives up by it.
    fn pause_millis(&self, ms: u64) {
        self.env.pause_millis(ms);
    }

    fn monotonic_nanos(&self) -> u64 {
        self.env.monotonic_nanos()
    }

    fn random(&self) -> u64 {
        self.env.random()
    }
}

struct MortalFile {
    file: Box<dyn AppendFile>,
    life: Arc<Life>,
}

impl AppendFile for MortalFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let was_alive = !self.life.is_over();
        match self.life.step() {
            Ok(()) => self.file.append(bytes),
            Err(e) => {
                if was_alive {
                    self.file.append(&bytes[..bytes.len() / 2])?; // it dies in the middle
                }
                Err(e)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.life.step()?;
        self.file.flush()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.life.step()?;
        self.file.sync()
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        self.file.start_write_back()
    }

    fn position(&self) -> u64 {
        self.file.position()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.life.step()?;
        self.file.close()
    }
}
