//! The end of an engine while a part of it waits for other machines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use grampus_engine::Engine;
use grampus_env::{Call, FakeEnv, FakeKind, Faults};
use grampus_testkit::wire::Cell;

use crate::common::watched_clock::{ClockWatcher, WatchedClock};
use crate::common::{REGION, on_each_kind, start_in, until};

const ROLL: &str = "roll";

/// Whether the roll has looked at the clock: for the name of its segment, whose file it asks for next.
#[derive(Default)]
struct HasBegun(AtomicBool);

impl ClockWatcher for HasBegun {
    fn after_wall(&self) {
        if thread::current().name() == Some(ROLL) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}

/// As for metrics, and for the reason of a loss that the end of a log has come to.
#[test]
fn a_close_of_a_log_that_waits_holds_up_no_look_at_it() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    thread::scope(|scope| {
        let hangs = env.hold(Call::Close);
        let close = scope.spawn(|| f.engine.close());
        until("the close of the logs", || !f.engine.metrics_json().contains("engine.wal.appends"));
        assert!(!close.is_finished());
        assert_eq!(f.engine.log_failure(), None);
        drop(hangs);
        close.join().unwrap().unwrap();
    });
}

/// The log of hbase:meta begins behind that of the regions.
#[test]
fn a_start_that_fails_leaves_no_log_behind() {
    for syncs in 0.. {
        let env = FakeEnv::new(1);
        let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
        env.set_faults(Faults { fail_sync_in: Some(syncs), ..Faults::default() });
        if engine.start_wal("/h/WALs/s", "/h/oldWALs", "s").is_ok() {
            assert!(syncs > 5, "{syncs}");
            return engine.close().unwrap();
        }
        assert!(!env.files().iter().any(|path| path.starts_with("/h/WALs")), "{syncs}: {:?}", env.files());
        engine.start_wal("/h/WALs/s", "/h/oldWALs", "s").unwrap();
        engine.close().unwrap();
    }
}

#[test]
fn a_roll_that_waits_for_the_name_node_does_not_hold_up_the_close() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let watched = Arc::new(WatchedClock { env: env.clone(), watcher: HasBegun::default() });
    let f = start_in(watched.clone(), "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    thread::scope(|scope| {
        let hangs = env.hold(Call::Create);
        let roll = thread::Builder::new().name(ROLL.to_string());
        let roll = roll.spawn_scoped(scope, || f.engine.roll_wal()).unwrap();
        until("the roll", || watched.watcher.0.load(Ordering::SeqCst));
        let close = scope.spawn(|| f.engine.close());
        until("the close", || close.is_finished());
        assert!(!roll.is_finished());
        drop(hangs);
        close.join().unwrap().unwrap();
        roll.join().unwrap().unwrap();
    });
}

/// The exit code of a server follows from this.
#[test]
fn a_close_fails_when_edits_are_in_the_log_alone() {
    on_each_kind(|kind| {
        let f = start_in(Arc::new(FakeEnv::of(kind, 1)), "{}", &[("f", "")], 1);
        f.put(Cell::put("r", "f", "q", 1, "v"));
        let failure = f.engine.close().unwrap_err();
        assert!(failure.message.starts_with(&format!("edits of 1 region, {REGION} for one, ")), "{failure}");
        assert!(!f.engine.poll_completions(&mut Vec::new(), Duration::from_secs(60)), "it has not ended");
    });
}

/// A log without its end record is read as well, and there is nothing in it that is not in files.
#[test]
fn a_full_disk_behind_the_close_of_the_regions_fails_no_close() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
        f.put(Cell::put("r", "f", "q", 1, "v"));
        f.region.close(false).unwrap();
        env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
        f.engine.close().unwrap();
    });
}
