//! A panic in a piece of background work or in a job of the master ends that and nothing else; one in the log's thread ends the process
//! with its reason.

mod jobs;
mod panicking;
mod rolls;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_base::events::Topic;
use grampus_engine::MutateStatus;
use grampus_env::{FakeEnv, FakeKind, Faults};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use panicking::{PanickingEnv, Step};

use crate::common::{self, Fixture, start_in, until};

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
    f.engine.close().unwrap();
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

/// What a remote log has done beside its writes. A segment whose close, recovery or move panics is not left behind.
#[test]
fn a_panic_beside_the_log_ends_that_piece_of_work_alone() {
    for thread in ["wal-roll", "wal-close", "wal-recover"] {
        let env = PanickingEnv::over(FakeEnv::of(FakeKind::Remote, 1), thread, Step::AnyOrLog);
        let f = start(&env, "{\"walSegmentBytes\":1500}");
        survives(&env, f, 2, |f| {
            env.env.set_faults(Faults { fail_flush_in: Some(0), ..Faults::default() });
            (0..2).for_each(|n| put(f, n));
            f.region.flush().unwrap();
        });
        let left = env.env.files().into_iter().filter(|path| path.starts_with("/h/WALs"));
        assert_eq!(left.collect::<Vec<_>>(), Vec::<PathBuf>::new(), "{thread}");
    }
}

/// Records are lost with the panic: nothing more is acknowledged, and the process hears why.
#[test]
fn a_panic_of_the_log_poisons_it_with_its_reason() {
    // ASYNC_WAL is written by the log's thread, a small SYNC_WAL by the caller.
    for (thread, durability) in [("wal", 2), ("panics::a_panic_of_the_log", 3)] {
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
        assert_eq!(f.engine.close().unwrap_err().kind, ErrorKind::Poisoned);
        assert!(f.engine.log_failure().unwrap().contains("planned at"), "also behind the close");
    }
}
