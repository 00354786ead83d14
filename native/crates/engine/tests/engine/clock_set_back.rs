//! A wall clock that is set back. Nothing that waits for its time is delayed, since it does so by the monotonic clock; and what is
//! acknowledged is seen, unless the clock was wrong by more than the server takes for a correction.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::{Level, Topic};
use grampus_env::{FakeEnv, Faults};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use serde_json::Value;

use crate::common::{Fixture, noise, row, start_in, until};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
/// The pause after a first failure.
const PAUSE_MILLIS: i64 = 2_000;

fn fixture(env: &FakeEnv, config: &str, compaction: &str) -> Fixture {
    let family = format!("\"maxVersions\":1,\"compaction\":{{{compaction}}}");
    start_in(Arc::new(env.clone()), config, &[("f", &family)], 1)
}

fn put(f: &Fixture, n: u32) {
    f.put(Cell::put(&row(n), "f", "q", 1, noise(n)));
}

fn files(f: &Fixture) -> u64 {
    let stats: Value = serde_json::from_str(&f.region.stats().to_string()).unwrap();
    stats["storeFileCount"].as_u64().unwrap()
}

fn await_text(f: &Fixture, topic: Topic, part: &str) {
    until(part, || {
        let events = f.engine.poll_events(Duration::ZERO).unwrap();
        events.iter().any(|e| e.topic == topic && e.text.contains(part))
    });
}

#[test]
fn a_failed_flush_is_tried_again() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{}", "");
    put(&f, 0);
    env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    f.region.flush().unwrap_err();
    env.set_back_millis(DAY_MILLIS);
    env.advance_millis(PAUSE_MILLIS);
    until("the next attempt", || files(&f) == 1);
}

#[test]
fn old_edits_are_flushed() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{\"flushIntervalMillis\":90000}", "");
    put(&f, 0);
    env.set_back_millis(DAY_MILLIS);
    env.advance_millis(90_000);
    until("the flush", || files(&f) == 1);
}

#[test]
fn a_failed_compaction_is_tried_again() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{}", "\"filesMin\":3");
    f.engine.set_compactions_enabled(false);
    for n in 0..3 {
        put(&f, n);
        f.region.flush().unwrap();
    }
    env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    f.engine.set_compactions_enabled(true);
    await_text(&f, Topic::Compaction, "the next attempt follows in 2 s");
    env.set_back_millis(DAY_MILLIS);
    env.advance_millis(PAUSE_MILLIS);
    until("the next attempt", || files(&f) == 1);
}

#[test]
fn a_flush_of_a_store_with_too_many_files_is_held_back_no_longer() {
    let env = FakeEnv::new(1);
    // Nothing is ever merged: a compaction would need more files than there are.
    let many_files = "\"filesMin\":9,\"filesMax\":10,\"filesBlocking\":2";
    let f = fixture(&env, "{\"regionFlushBytes\":1,\"blockingWaitMillis\":90000}", many_files);
    for n in 0..3 {
        put(&f, n);
        until("a flush by size", || files(&f) > u64::from(n));
    }
    put(&f, 3);
    await_text(&f, Topic::Stall, "is held back for up to 90 s");
    env.set_back_millis(DAY_MILLIS);
    env.advance_millis(90_000);
    until("the flush", || files(&f) == 4);
}

#[test]
fn a_failed_rotation_of_the_log_is_tried_again() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{\"walSegmentBytes\":2000}", "");
    let rolls = f.metric("wal.rolls");
    env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    (0..4).for_each(|n| put(&f, n));
    await_text(&f, Topic::Log, "the next attempt follows in 2 s");
    env.set_back_millis(DAY_MILLIS);
    env.advance_millis(PAUSE_MILLIS);
    until("the next rotation", || {
        put(&f, 4);
        f.metric("wal.rolls") > rolls
    });
}

/// By how much a clock may be corrected: `steady_clock::AHEAD_MILLIS_MAX`.
const CORRECTION_MILLIS: i64 = 30_000;
const LATEST: i64 = i64::MAX;
const DELETE_COLUMN: u8 = 12;

fn write(f: &Fixture, value: &str) {
    f.put(Cell::put("r", "f", "q", LATEST, value));
}

fn value(f: &Fixture) -> Option<String> {
    let cells = f.scan(&Spec::scan());
    cells.first().map(|cell| String::from_utf8_lossy(&cell.value).into_owned())
}

fn levels(f: &Fixture) -> Vec<Level> {
    let events = f.engine.poll_events(Duration::ZERO).unwrap();
    events.iter().filter(|event| event.topic == Topic::Clock).map(|event| event.level).collect()
}

#[test]
fn what_is_written_after_a_correction_is_seen() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{}", "");
    write(&f, "before");
    env.set_back_millis(CORRECTION_MILLIS);
    write(&f, "after");
    assert_eq!(value(&f).as_deref(), Some("after"));
    f.mutate(&Batch::new().row_op(RowOp::delete(&[Cell::new("r", "f", "q", LATEST, DELETE_COLUMN, "")])));
    assert_eq!(value(&f), None);
    write(&f, "after the delete");
    assert_eq!(value(&f).as_deref(), Some("after the delete"));
    // All the while until the wall clock has caught up, and then.
    for n in 0..80 {
        env.advance_millis(1_000);
        write(&f, &n.to_string());
        assert_eq!(value(&f), Some(n.to_string()));
    }
    assert_eq!((levels(&f), f.metric("clock.set_back")), (vec![Level::Warn], 1));
}

#[test]
fn increments_count_on_after_a_correction() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{}", "");
    let one = Cell::put("r", "f", "n", LATEST, 1i64.to_be_bytes());
    f.put(one.clone());
    env.set_back_millis(CORRECTION_MILLIS);
    for n in 2..40i64 {
        f.mutate(&Batch::new().row_op(RowOp::increment(0, std::slice::from_ref(&one))));
        assert_eq!(f.scan(&Spec::scan())[0].value, n.to_be_bytes());
    }
}

/// As in HBase: a clock that was wrong by so much may have been wrong by years, and no timestamp may go there again.
#[test]
fn what_is_written_after_a_clock_was_wrong_by_far_is_hidden_until_it_catches_up() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{}", "");
    write(&f, "before");
    env.set_back_millis(CORRECTION_MILLIS + 1);
    write(&f, "hidden");
    assert_eq!(value(&f).as_deref(), Some("before"));
    assert_eq!((levels(&f), f.metric("clock.set_back")), (vec![Level::Error], 1));
    env.advance_millis(CORRECTION_MILLIS + 1);
    write(&f, "seen");
    assert_eq!(value(&f).as_deref(), Some("seen"));
}
