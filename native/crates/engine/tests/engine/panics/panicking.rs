//! An environment in which planned panics happen.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_base::RandomRead;
use grampus_env::{AppendFile, DirEntry, Env, FakeEnv, FileStat};

/// What a thread is doing when it panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Create,
    Append,
    WallClock,
    Monotonic,
    Read,
    /// Whatever comes next, but for files of a log: a job may write the log for others.
    Any,
    /// Whatever comes next.
    AnyOrLog,
}

/// Panics of threads whose name begins so, at one step.
struct Plan {
    thread: &'static str,
    step: Step,
    /// Steps before the first panic.
    skip: AtomicU64,
    /// Panics.
    left: AtomicU64,
}

/// A fake environment in which a planned panic happens.
#[derive(Clone)]
pub(crate) struct PanickingEnv {
    pub(crate) env: FakeEnv,
    plan: Arc<Plan>,
}

impl PanickingEnv {
    pub(crate) fn new(thread: &'static str, step: Step) -> PanickingEnv {
        PanickingEnv::over(FakeEnv::new(1), thread, step)
    }

    pub(crate) fn over(env: FakeEnv, thread: &'static str, step: Step) -> PanickingEnv {
        let plan = Plan { thread, step, skip: AtomicU64::new(0), left: AtomicU64::new(0) };
        PanickingEnv { env, plan: Arc::new(plan) }
    }

    /// Panics the next `times` times.
    pub(crate) fn arm(&self, times: u64) {
        self.plan.skip.store(0, Ordering::SeqCst);
        self.plan.left.store(times, Ordering::SeqCst);
    }

    /// Panics once, after a number of steps.
    pub(crate) fn arm_after(&self, steps: u64) {
        self.plan.skip.store(steps, Ordering::SeqCst);
        self.plan.left.store(1, Ordering::SeqCst);
    }

    pub(crate) fn disarm(&self) {
        self.plan.left.store(0, Ordering::SeqCst);
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.plan.left.load(Ordering::SeqCst) == 0
    }
}

impl Plan {
    fn pass(&self, step: Step) {
        let thread = std::thread::current();
        let planned = self.step == step || matches!(self.step, Step::Any | Step::AnyOrLog);
        if !planned || std::thread::panicking() || !thread.name().unwrap_or_default().starts_with(self.thread)
        {
            return;
        }
        let take = |left: u64| left.checked_sub(1);
        if self.skip.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_ok() {
            return;
        }
        if self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_ok() {
            panic!("planned at {step:?}");
        }
    }
}

struct PanickingFile {
    file: Box<dyn AppendFile>,
    plan: Arc<Plan>,
}

impl AppendFile for PanickingFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.plan.pass(Step::Append);
        self.file.append(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.file.flush()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.file.sync()
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        self.file.start_write_back()
    }

    fn position(&self) -> u64 {
        self.file.position()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.file.close()
    }
}

impl Env for PanickingEnv {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        self.plan.pass(Step::Create);
        Ok(Box::new(PanickingFile { file: self.env.create(path)?, plan: self.plan.clone() }))
    }

    fn create_log(&self, path: &Path, most: u64) -> io::Result<Box<dyn AppendFile>> {
        // A flush may write the log for others, and a panic of the log ends it: that has a test of its own.
        if self.plan.thread == "flush-" || self.plan.step == Step::Any {
            return self.env.create_log(path, most);
        }
        self.plan.pass(Step::Create);
        Ok(Box::new(PanickingFile { file: self.env.create_log(path, most)?, plan: self.plan.clone() }))
    }

    fn flush_is_cheap(&self) -> bool {
        self.env.flush_is_cheap()
    }

    fn failed_syncs_are_final(&self, path: &Path) -> bool {
        self.env.failed_syncs_are_final(path)
    }

    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.env.recover_lease(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        self.plan.pass(Step::Read);
        self.env.open(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.plan.pass(Step::Any);
        self.env.list(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.env.rename(from, to)
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.env.delete(path)
    }

    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.env.mkdir(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.env.sync_dir(dir)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.plan.pass(Step::Any);
        self.env.sync_file(path)
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        self.plan.pass(Step::Any);
        self.env.len(path)
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.plan.pass(Step::Any);
        self.env.exists(path)
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        self.plan.pass(Step::Any);
        self.env.stat(path)
    }

    fn now_millis(&self) -> i64 {
        self.plan.pass(Step::WallClock);
        self.env.now_millis()
    }

    fn monotonic_nanos(&self) -> u64 {
        self.plan.pass(Step::Monotonic);
        self.env.monotonic_nanos()
    }

    fn random(&self) -> u64 {
        self.env.random()
    }
}
