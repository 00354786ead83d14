//! A region that closes in the middle of a batch: what was applied is answered as done, what was not as not served, so that a client
//! that does the latter again on the opened region has done everything once.

use std::sync::Arc;
use std::time::Duration;

use grampus_engine::{Engine, MutateStatus, Region};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, decode_answers};

use crate::common::{self, Fixture, mutate, start};

const LATEST: i64 = i64::MAX;
const OPERATIONS: usize = 5_000;

fn increment(nonce: u64) -> RowOp {
    RowOp::increment(nonce, &[Cell::put("r", "f", "n", LATEST, 1i64.to_be_bytes())])
}

/// One of many rows: the answers to appends to a single one would be too large for one batch.
fn append(nonce: u64) -> RowOp {
    RowOp::append(0, &[Cell::put(&format!("r{}", nonce % 100), "f", "n", LATEST, "x")])
}

/// A put between two operations that stand for themselves.
fn mixed(nonce: u64) -> RowOp {
    if nonce.is_multiple_of(2) { RowOp::put(&[Cell::put("p", "f", "q", LATEST, "v")]) } else { append(nonce) }
}

/// Whether an operation met a region that is closing, or one that had closed when it had read.
fn is_not_served(message: &str) -> bool {
    message.ends_with("is closing") || message.ends_with("is closed")
}

/// Answers of a batch on a region that may be closing; none where all of it was refused.
fn try_mutate(engine: &Engine, region: &Region, batch: &Batch) -> Vec<Answer> {
    let mut out = Vec::new();
    match common::run(region, batch, 77, &mut out) {
        Ok(MutateStatus::Done) => {}
        Ok(MutateStatus::Pending) => {
            let mut tokens = Vec::new();
            while tokens.is_empty() {
                assert!(engine.poll_completions(&mut tokens, Duration::from_secs(10)));
            }
            assert!(tokens.iter().all(|(_, kind)| *kind == 0), "{tokens:?}");
        }
        Ok(other) => panic!("a blocking call that has waited is answered {other:?}"),
        Err(e) => {
            assert!(is_not_served(&e.message), "{e}");
            assert!(out.is_empty());
        }
    }
    decode_answers(&out)
}

/// Closes the region while a batch runs, and opens it again. Returns how many operations were answered as done; all the others were
/// answered as not served.
fn interrupt(f: &mut Fixture, batch: &Batch) -> usize {
    let (engine, region) = (Arc::clone(&f.engine), Arc::clone(&f.region));
    let answers = std::thread::scope(|scope| {
        let running = scope.spawn(|| try_mutate(&engine, &region, batch));
        while region.memtable_bytes() == 0 && !running.is_finished() {
            std::thread::yield_now();
        }
        region.close(false).unwrap();
        running.join().unwrap()
    });
    drop(region);
    f.region = f.engine.open_region(&f.open_json).unwrap();
    let done = answers.iter().take_while(|a| !matches!(a, Answer::Failed(..))).count();
    for answer in &answers[done..] {
        let Answer::Failed(_, message) = answer else { panic!("done after one that was not: {answer:?}") };
        assert!(is_not_served(message), "{message}");
    }
    assert!(answers.is_empty() || answers.len() == OPERATIONS);
    done
}

fn batch(operations: std::ops::Range<usize>, operation: fn(u64) -> RowOp) -> Batch {
    operations.fold(Batch::new(), |batch, n| batch.row_op(operation(n as u64 + 1)))
}

/// Runs batches until one was interrupted in its middle, does the rest of it again and returns what all rows have in the column then.
fn done_twice(operation: fn(u64) -> RowOp) -> Vec<u8> {
    for _ in 0..200 {
        let mut f = start(&[("f", "")]);
        let done = interrupt(&mut f, &batch(0..OPERATIONS, operation));
        if done == 0 || done == OPERATIONS {
            continue;
        }
        let answers = mutate(&f.engine, &f.region, &batch(done..OPERATIONS, operation));
        assert!(!answers.iter().any(|a| matches!(a, Answer::Failed(..))), "{answers:?}");
        return f.scan(&Spec::scan().column("f", "n")).into_iter().flat_map(|cell| cell.value).collect();
    }
    panic!("no batch was ever interrupted");
}

#[test]
fn increments_of_an_interrupted_batch_are_executed_once() {
    assert_eq!(done_twice(increment), (OPERATIONS as i64).to_be_bytes());
}

#[test]
fn appends_of_an_interrupted_batch_are_executed_once() {
    assert_eq!(done_twice(append).len(), OPERATIONS);
}

#[test]
fn operations_between_puts_are_executed_once() {
    assert_eq!(done_twice(mixed).len(), OPERATIONS / 2);
}

#[test]
fn a_nonce_is_known_after_the_region_was_closed_and_opened_again() {
    let mut f = start(&[("f", "")]);
    let add = Batch::new().row_op(increment(9));
    let first = f.mutate(&add);
    f.region.close(false).unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(f.mutate(&add), first);
    let other = f.mutate(&Batch::new().row_op(increment(10)));
    let [Answer::Cells(cells)] = other.as_slice() else { panic!("{other:?}") };
    assert_eq!(cells[0].value, 2i64.to_be_bytes());
}
