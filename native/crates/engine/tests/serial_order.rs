//! What a row has acknowledged is in force for what starts later, whatever the operations and however fast they come.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;

use common::watched_clock::{ClockWatcher, WatchedClock};
use common::{Fixture, mutate, run, start, start_in, until};
use grampus_base::seeded_bug;
use grampus_engine::MutateStatus;
use grampus_env::{Env, FakeEnv};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, column_condition, decode_answers};

const FAMILIES: [(&str, &str); 1] = [("f", "\"maxVersions\":1")];
const LATEST: i64 = i64::MAX;
const DELETE: u8 = 8;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;

fn long(value: i64) -> [u8; 8] {
    value.to_be_bytes()
}

fn put(value: i64) -> RowOp {
    RowOp::put(&[Cell::put("r", "f", "n", LATEST, long(value))])
}

fn delete(code: u8) -> RowOp {
    let qualifier = if code == DELETE_FAMILY { "" } else { "n" };
    RowOp::delete(&[Cell::new("r", "f", qualifier, LATEST, code, "")])
}

fn increment(by: i64) -> RowOp {
    RowOp::increment(0, &[Cell::put("r", "f", "n", LATEST, long(by))])
}

fn append(by: &str) -> RowOp {
    RowOp::append(0, &[Cell::put("r", "f", "n", LATEST, by)])
}

fn non_blocking(op: RowOp) -> Batch {
    let mut batch = Batch::new();
    batch.non_blocking = true;
    batch.row_op(op)
}

fn values(f: &Fixture) -> Vec<Vec<u8>> {
    f.get(&Spec::get("r")).into_iter().map(|cell| cell.value).collect()
}

/// Holds the thread "late" after it has read the clock, once.
struct HoldsLate {
    armed: AtomicBool,
    read: Barrier,
    go_on: Barrier,
}

impl ClockWatcher for HoldsLate {
    fn after_wall(&self) {
        if std::thread::current().name() == Some("late") && self.armed.swap(false, Ordering::SeqCst) {
            self.read.wait();
            self.go_on.wait();
        }
    }
}

fn paused_clock() -> Arc<WatchedClock<HoldsLate>> {
    let watcher = HoldsLate { armed: AtomicBool::new(false), read: Barrier::new(2), go_on: Barrier::new(2) };
    Arc::new(WatchedClock { env: FakeEnv::new(1), watcher })
}

/// Runs a batch on a thread that stops after its first look at the clock, and an increment meanwhile, which fails if the batch holds the
/// row's lock.
fn beside_an_increment(batch: Batch) -> Fixture {
    beside(batch, increment(1)).0
}

/// The same with any operation, and how that ended.
fn beside(batch: Batch, other: RowOp) -> (Fixture, MutateStatus) {
    let clock = paused_clock();
    let f = start_in(clock.clone(), "{}", &FAMILIES, 1);
    f.mutate(&Batch::new().row_op(put(7)));
    clock.watcher.armed.store(true, Ordering::SeqCst);
    let late = on_thread("late", &f, batch);
    clock.watcher.read.wait();
    clock.env.advance_millis(5);
    let one = non_blocking(other);
    let status = f.region.mutate(&one.ops(), &one.cells, 5, &mut Vec::new()).unwrap();
    clock.watcher.go_on.wait();
    assert!(late.join().unwrap().iter().all(|answer| *answer == Answer::Done));
    (f, status)
}

fn on_thread(name: &str, f: &Fixture, batch: Batch) -> JoinHandle<Vec<Answer>> {
    let (engine, region) = (f.engine.clone(), f.region.clone());
    let run = move || mutate(&engine, &region, &batch);
    std::thread::Builder::new().name(name.to_string()).spawn(run).unwrap()
}

/// Other reads need that memory, and the wait for a row's lock may be long.
#[test]
fn a_batch_that_waits_for_a_row_has_given_its_copies_of_large_pages_back() {
    const LARGE: usize = 500_000;
    let clock = paused_clock();
    let f = start_in(clock.clone(), "{\"blockCacheBytes\":0,\"rowLockWaitMillis\":600000}", &FAMILIES, 1);
    f.mutate(&Batch::new().row_op(RowOp::put(&[Cell::put("large", "f", "n", 1, vec![b'v'; LARGE])])));
    f.region.flush().unwrap();
    clock.watcher.armed.store(true, Ordering::SeqCst);
    let late = on_thread("late", &f, Batch::new().row_op(put(1)));
    clock.watcher.read.wait(); // it has the lock of its row
    let both = Batch::new()
        .row_op(RowOp::append(0, &[Cell::put("large", "f", "n", LATEST, "x")]))
        .row_op(append("y"));
    let region = f.region.clone();
    let batch = std::thread::spawn(move || {
        let mut out = Vec::new();
        run(&region, &both, 78, &mut out).unwrap(); // it does not poll: the completions of the other would come to it
        decode_answers(&out)
    });
    until("the first append to be applied", || f.metric("memstore.bytes") > LARGE as u64);
    // The answer of the first append is kept.
    until("its memory to be given back", || f.metric("large_reads.bytes") <= LARGE as u64 + 1_000);
    assert!(f.metric("large_reads.bytes") > LARGE as u64);
    assert!(!batch.is_finished(), "the second append waits for the row");
    clock.watcher.go_on.wait();
    assert_eq!(late.join().unwrap(), [Answer::Done]);
    let answers = batch.join().unwrap();
    assert!(matches!(answers.as_slice(), [Answer::Cells(_), Answer::Cells(_)]), "{answers:?}");
}

#[test]
fn a_put_that_was_held_up_is_not_hidden_behind_an_earlier_increment() {
    let f = beside_an_increment(Batch::new().row_op(put(100)));
    assert_eq!(values(&f), [long(100)]);
}

#[test]
fn a_delete_that_was_held_up_hides_an_earlier_increment() {
    for code in [DELETE_COLUMN, DELETE_FAMILY] {
        let f = beside_an_increment(Batch::new().row_op(delete(code)));
        assert!(values(&f).is_empty(), "marker {code}");
    }
}

#[test]
fn a_batch_that_was_held_up_is_not_hidden_behind_an_earlier_increment() {
    let other = Cell::put("other", "f", "n", LATEST, long(1));
    let f = beside_an_increment(Batch::new().row_op(RowOp::put(&[other])).row_op(put(200)));
    assert_eq!(values(&f), [long(200)]);
}

#[test]
fn a_group_that_was_held_up_is_not_hidden_behind_an_earlier_increment() {
    let f = beside_an_increment(Batch::new().atomic("r", vec![put(300)]));
    assert_eq!(values(&f), [long(300)]);
}

/// What judges of histories are tried with: [`grampus_base::seeded_bug`].
#[test]
fn the_seeded_bug_hides_what_was_held_up() {
    for test in [
        "a_put_that_was_held_up_is_not_hidden_behind_an_earlier_increment",
        "a_group_that_was_held_up_is_not_hidden_behind_an_earlier_increment",
    ] {
        let run = |bug: Option<&str>| alone(test, bug).status.success();
        assert!(run(None), "{test}");
        assert!(!run(Some(seeded_bug::CLOCK_BEFORE_LOCKS)), "{test}");
    }
}

/// A test of this file in a process of its own, with a seeded bug.
fn alone(test: &str, bug: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env_remove(seeded_bug::VARIABLE);
    command.envs(bug.map(|bug| (seeded_bug::VARIABLE, bug))).output().unwrap()
}

#[test]
fn a_seeded_bug_that_there_is_not_is_refused_by_name() {
    let refused =
        alone("a_group_that_was_held_up_is_not_hidden_behind_an_earlier_increment", Some("clock_before"));
    let text = String::from_utf8_lossy(&refused.stdout);
    assert!(
        !refused.status.success() && text.contains("there is no such bug, only clock_before_locks"),
        "{text}"
    );
}

/// Batches of puts share their rows. A reader that has seen the second one alone must not see the first one behind it later.
#[test]
fn of_two_batches_of_puts_the_later_one_is_seen_last_in_all_columns() {
    let puts = |value: &str, qualifiers: &[&str]| {
        let cells: Vec<Cell> =
            qualifiers.iter().map(|qualifier| Cell::put("r", "f", qualifier, LATEST, value)).collect();
        let other = Cell::put("other", "f", "n", LATEST, value);
        Batch::new().row_op(RowOp::put(&[other])).row_op(RowOp::put(&cells))
    };
    let clock = paused_clock();
    let f = start_in(clock.clone(), "{}", &FAMILIES, 1);
    clock.watcher.armed.store(true, Ordering::SeqCst);
    let late = on_thread("late", &f, puts("first", &["a", "b"]));
    clock.watcher.read.wait();
    clock.env.advance_millis(5);
    f.mutate(&puts("second", &["a"]));
    let row = || -> Vec<(Vec<u8>, Vec<u8>)> {
        f.get(&Spec::get("r")).into_iter().map(|cell| (cell.qualifier, cell.value)).collect()
    };
    assert_eq!(row(), [(b"a".to_vec(), b"second".to_vec())]);
    clock.watcher.go_on.wait();
    late.join().unwrap();
    let first = |qualifier: &[u8]| (qualifier.to_vec(), b"first".to_vec());
    assert_eq!(row(), [first(b"a"), first(b"b")]);
    assert_eq!(f.get(&Spec::get("other"))[0].value, b"first");
}

#[test]
fn a_put_does_not_pass_a_delete_that_was_stamped_before_it() {
    let (_, status) = beside(Batch::new().row_op(delete(DELETE_FAMILY)), put(8));
    assert_eq!(status, MutateStatus::WouldBlock, "readers would see the put, and then the delete");
}

#[test]
fn a_put_in_the_millisecond_of_a_marker_is_seen() {
    for code in [DELETE, DELETE_COLUMN, DELETE_FAMILY] {
        for flushed in [false, true] {
            let f = start(&FAMILIES);
            f.mutate(&Batch::new().row_op(put(1)));
            f.mutate(&Batch::new().row_op(delete(code)));
            assert!(values(&f).is_empty());
            if flushed {
                f.region.flush().unwrap();
            }
            f.mutate(&Batch::new().row_op(put(2)));
            assert_eq!(values(&f), [long(2)], "marker {code}, flushed {flushed}");
        }
    }
}

#[test]
fn a_marker_in_the_millisecond_of_puts_that_are_ahead_of_the_clock_hides_them() {
    for code in [DELETE_COLUMN, DELETE_FAMILY] {
        let f = start(&FAMILIES);
        for _ in 0..4 {
            f.mutate(&Batch::new().row_op(increment(1)));
        }
        f.mutate(&Batch::new().row_op(delete(code)));
        assert!(values(&f).is_empty(), "marker {code}");
        f.mutate(&Batch::new().row_op(put(3)));
        f.mutate(&Batch::new().row_op(increment(1)));
        assert_eq!(values(&f), [long(4)]);
    }
}

#[test]
fn timestamps_stay_near_the_clock() {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 1);
    for n in 0..100 {
        f.mutate(&Batch::new().row_op(put(n)));
        f.mutate(&Batch::new().row_op(increment(1)));
        assert_eq!(values(&f), [long(n + 1)]);
        let ahead = f.get(&Spec::get("r"))[0].timestamp - env.now_millis();
        assert!(ahead <= 10, "{ahead} ms");
        f.mutate(&Batch::new().row_op(delete(DELETE_COLUMN)));
    }
}

#[test]
fn rows_without_a_marker_have_the_clocks_time() {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 1);
    for n in 0..20 {
        f.mutate(&Batch::new().row_op(delete(DELETE_FAMILY)));
        f.mutate(&Batch::new().row_op(put(n)));
    }
    let now = env.now_millis();
    f.mutate(&Batch::new().row_op(RowOp::put(&[Cell::put("other", "f", "n", LATEST, "x")])));
    assert_eq!(f.get(&Spec::get("other"))[0].timestamp, now);
}

#[test]
fn an_event_loop_does_not_wait_for_the_clock() {
    let f = start(&FAMILIES);
    let mut blocked = false;
    for n in 0..40 {
        f.mutate(&Batch::new().row_op(delete(DELETE_COLUMN)));
        let batch = non_blocking(put(n));
        let before = f.env.now_millis();
        let status = f.region.mutate(&batch.ops(), &batch.cells, 5, &mut Vec::new()).unwrap();
        assert_eq!(f.env.now_millis(), before, "it paused");
        if status == MutateStatus::WouldBlock {
            blocked = true;
            assert!(values(&f).is_empty(), "nothing has happened");
            f.mutate(&Batch::new().row_op(put(n)));
        }
        assert_eq!(values(&f), [long(n)]);
    }
    assert!(blocked, "40 markers in one millisecond");
}

#[test]
fn what_a_region_stamped_ahead_of_the_clock_is_the_past_when_it_has_closed() {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 1);
    for n in 0..4 {
        f.mutate(&Batch::new().row_op(put(n)));
        f.mutate(&Batch::new().row_op(delete(DELETE_COLUMN)));
    }
    f.region.close(false).unwrap();
    f.engine.close().unwrap();
    let engine = grampus_engine::Engine::open_in(Arc::new(env), "{}").unwrap(); // knows nothing of the other's clock
    engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
    let region = engine.open_region(&f.open_json).unwrap();
    mutate(&engine, &region, &Batch::new().row_op(put(9)));
    assert_eq!(common::get(&region, &Spec::get("r"))[0].value, long(9));
}

/// One of nine kinds of operations on a row that has a value or none, and what the row has behind it.
fn operation(
    kind: u64,
    value: i64,
    before: Option<Vec<u8>>,
    random: &mut Random,
) -> (Batch, Option<Vec<u8>>) {
    let batch = Batch::new();
    let after = Some(long(value).to_vec());
    match kind {
        0 => (batch.row_op(put(value)), after),
        1 => (batch.row_op(delete(*random.pick(&[DELETE_COLUMN, DELETE_FAMILY]))), None),
        2 => {
            let old = before.map_or(0, |old| i64::from_be_bytes(old.try_into().unwrap()));
            (batch.row_op(increment(value)), Some(long(old + value).to_vec()))
        }
        3 => (batch.row_op(append("")), before.or_else(|| Some(Vec::new()))),
        4 => (batch.atomic("r", vec![put(value)]), after),
        5 => (batch.atomic("r", vec![delete(DELETE_COLUMN)]), None),
        6 => {
            let condition = column_condition("f", "n", 2, before.as_deref().unwrap_or_default());
            (batch.check("r", &condition, vec![put(value)]), after)
        }
        7 => {
            let beside = RowOp::put(&[Cell::put("other", "f", "n", LATEST, long(value))]);
            (batch.row_op(beside).row_op(put(value)), after)
        }
        _ => (batch.multi_row(vec![delete(DELETE_FAMILY)]), None),
    }
}

/// What may happen between two operations: time, a flush, another opening, or nothing.
fn between(f: &mut Fixture, env: &FakeEnv, random: &mut Random) {
    match random.below(12) {
        0..3 => env.advance_millis(1),
        3 => {
            let _flushed = f.region.flush().unwrap();
        }
        4 => {
            f.region.close(false).unwrap();
            f.region = f.engine.open_region(&f.open_json).unwrap();
        }
        _ => {}
    }
}

/// Every operation sees those before it, in one millisecond or over several, with flushes and openings between.
#[test]
fn one_operation_after_the_other_is_seen_whatever_they_are() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let env = FakeEnv::new(seed);
        let mut f = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 1);
        let mut expected: Option<Vec<u8>> = None;
        for step in 0..60 {
            let value = random.below(1000) as i64;
            let kind = random.below(9);
            let (batch, after) = operation(kind, value, expected, &mut random);
            f.mutate(&batch);
            expected = after;
            let context = format!("seed {seed}, step {step}, kind {kind}");
            assert_eq!(values(&f), expected.iter().cloned().collect::<Vec<_>>(), "{context}");
            if expected.as_ref().is_some_and(Vec::is_empty) {
                f.mutate(&Batch::new().row_op(put(0)));
                expected = Some(long(0).to_vec());
            }
            between(&mut f, &env, &mut random);
        }
    }
}
