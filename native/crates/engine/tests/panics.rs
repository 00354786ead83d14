//! A panic in a piece of background work ends that piece and nothing else; one in the log's thread ends the process with its reason.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::{Fixture, start_in, until};
use grampus_base::events::Topic;
use grampus_base::{ErrorKind, RandomRead};
use grampus_engine::MutateStatus;
use grampus_env::{AppendFile, DirEntry, Env, FakeEnv, FileStat};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

/// What a thread is doing when it panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Create,
    Append,
    WallClock,
    Monotonic,
    Read,
}

/// Panics of threads whose name begins so, at one step.
struct Plan {
    thread: &'static str,
    step: Step,
    left: AtomicU64,
}

/// A fake environment in which a planned panic happens.
#[derive(Clone)]
struct PanickingEnv {
    env: FakeEnv,
    plan: Arc<Plan>,
}

impl PanickingEnv {
    fn new(thread: &'static str, step: Step) -> PanickingEnv {
        PanickingEnv { env: FakeEnv::new(1), plan: Arc::new(Plan { thread, step, left: AtomicU64::new(0) }) }
    }

    /// Panics the next `times` times.
    fn arm(&self, times: u64) {
        self.plan.left.store(times, Ordering::SeqCst);
    }

    fn is_spent(&self) -> bool {
        self.plan.left.load(Ordering::SeqCst) == 0
    }
}

impl Plan {
    fn pass(&self, step: Step) {
        let thread = std::thread::current();
        if self.step != step || !thread.name().unwrap_or_default().starts_with(self.thread) {
            return;
        }
        let take = |left: u64| left.checked_sub(1);
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
        self.file.flush()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        self.file.start_write_back()
    }

    fn position(&self) -> u64 {
        self.file.position()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.file.close()
    }
}

impl Env for PanickingEnv {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        // A flush may write the log for others, and a panic of the log ends it: that has a test of its own.
        if self.plan.thread == "flush-" && path.starts_with("/h/WALs") {
            return self.env.create(path);
        }
        self.plan.pass(Step::Create);
        Ok(Box::new(PanickingFile { file: self.env.create(path)?, plan: self.plan.clone() }))
    }

    fn flush_is_cheap(&self) -> bool {
        self.env.flush_is_cheap()
    }

    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        self.env.recover_lease(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        self.plan.pass(Step::Read);
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

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
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

fn start(env: &PanickingEnv, config: &str) -> Fixture {
    start_in(Arc::new(env.clone()), config, &[("f", ""), ("g", "")], 1)
}

fn put(f: &Fixture, n: u32) {
    let row = common::row(n);
    f.put(Cell::put(&row, "f", "q", 1, common::noise(n)));
    f.put(Cell::put(&row, "g", "q", 1, "v"));
}

/// The panics happen; afterwards the region flushes, compacts and closes, and the engine stops.
fn survives(env: &PanickingEnv, f: Fixture, times: u64, provoke: impl Fn(&Fixture)) {
    env.arm(times);
    until("the panics", || {
        provoke(&f);
        env.env.advance_millis(61_000);
        env.is_spent()
    });
    let rows = f.scan(&Spec::scan()).len();
    let next = 1000;
    for n in 0..3 {
        put(&f, next + n);
        until("a flush of the region", || f.region.flush().is_ok());
    }
    let majors = f.metric("compaction.major.count");
    f.region.compact("{\"major\":true}").unwrap();
    until("a compaction", || {
        env.env.advance_millis(61_000);
        f.metric("compaction.major.count") >= majors + 2
    });
    assert_eq!(f.scan(&Spec::scan()).len(), rows + 6);
    let events = f.engine.poll_events(Duration::ZERO).unwrap();
    assert!(events.iter().any(|e| e.text.contains("planned at")), "the reason is not said: {events:?}");
    f.region.close(false).unwrap();
    f.engine.close();
}

#[test]
fn a_flush_that_panics_is_tried_again() {
    for step in [Step::Create, Step::Append] {
        let env = PanickingEnv::new("flush-", step);
        let f = start(&env, "{\"regionFlushBytes\":3000}");
        survives(&env, f, 5, |f| (0..4).for_each(|n| put(f, n)));
    }
}

#[test]
fn a_compaction_that_panics_is_tried_again_and_its_files_are_free() {
    for step in [Step::Create, Step::Append] {
        let env = PanickingEnv::new("compact-", step);
        let f = start(&env, "{}");
        survives(&env, f, 4, |f| {
            put(f, 1);
            f.region.flush().unwrap();
            f.region.compact("{\"major\":true}").unwrap();
        });
    }
}

#[test]
fn a_look_that_panics_does_not_end_its_thread() {
    let env = PanickingEnv::new("compact-", Step::WallClock);
    let f = start(&env, "{}");
    survives(&env, f, 6, |f| {
        put(f, 1);
        f.region.flush_and_compact().unwrap();
    });
}

#[test]
fn a_tick_that_panics_is_followed_by_the_next_one() {
    let env = PanickingEnv::new("flush-", Step::Monotonic);
    let f = start(&env, "{}");
    survives(&env, f, 3, |_| {});
}

#[test]
fn relief_of_memory_that_panics_is_tried_again() {
    let env = PanickingEnv::new("flush-", Step::Monotonic);
    let f = start(&env, "{\"flushBytes\":2000}");
    survives(&env, f, 5, |f| put(f, 1));
}

#[test]
fn a_prefetch_that_panics_does_not_end_its_thread() {
    let env = PanickingEnv::new("compact-", Step::Read);
    let f = start_in(
        Arc::new(env.clone()),
        "{}",
        &[("f", "\"maxVersions\":1,\"prefetchBlocksOnOpen\":true"), ("g", "")],
        1,
    );
    survives(&env, f, 2, |f| {
        put(f, 1);
        f.region.flush().unwrap();
        f.region.compact("{\"major\":true}").unwrap();
    });
}

/// Records are lost with the panic: nothing more is acknowledged, and the process hears why.
#[test]
fn a_panic_of_the_log_poisons_it_with_its_reason() {
    // ASYNC_WAL is written by the log's thread, a small SYNC_WAL by the caller.
    for (thread, durability) in [("wal", 2), ("a_panic_of_the_log", 3)] {
        let env = PanickingEnv::new(thread, Step::Append);
        let f = start(&env, "{}");
        put(&f, 1);
        env.arm(1);
        let batch = Batch::new().row_op(RowOp::put_as(durability, &[Cell::put("lost", "f", "q", 1, "v")]));
        match f.region.mutate(&batch.ops(), &batch.cells, 5, &mut Vec::new()) {
            Ok(MutateStatus::WouldBlock) => panic!("a blocking call would block"),
            Ok(_) => assert_eq!(durability, 2),
            Err(e) => assert!(e.kind == ErrorKind::Poisoned && e.message.contains("planned at"), "{e}"),
        }
        let mut tokens = Vec::new();
        until("the report of the loss", || {
            f.engine.poll_completions(&mut tokens, Duration::from_millis(10));
            tokens.contains(&(u64::MAX, 7))
        });
        assert!(f.engine.log_failure().unwrap().contains("planned at"));
        let events = f.engine.poll_events(Duration::ZERO).unwrap();
        assert!(events.iter().any(|e| e.topic == Topic::Log && e.text.contains("planned at")), "{events:?}");
        f.region.close(true).unwrap();
        f.engine.close();
    }
}
