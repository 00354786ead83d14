//! What runs on an event loop is small, or goes on elsewhere without having done anything.

use grampus_engine::{GetOutcome, MutateStatus};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, start};

const NON_BLOCKING: u32 = 1;

/// A region with one row of `columns` columns.
fn wide(columns: usize, value: &[u8]) -> Fixture {
    let f = start(&[("f", "")]);
    let cells: Vec<Cell> = (0..columns).map(|n| Cell::put("r", "f", &format!("q{n:05}"), 1, value)).collect();
    for chunk in cells.chunks(1000) {
        f.mutate(&Batch::new().row_op(RowOp::put(chunk)));
    }
    f
}

/// Whether a get is left to a pool; if so, it answers there.
fn is_left(f: &Fixture, spec: impl Fn() -> Spec, cells: usize) -> bool {
    let mut room = vec![0; 4 << 20];
    let outcome = f.region.get_into(&spec().with(NON_BLOCKING).encode(), &mut room).unwrap();
    assert_eq!(f.get(&spec()).len(), cells);
    outcome == GetOutcome::WouldBlock
}

#[test]
fn gets_of_large_rows_are_left_to_a_pool() {
    assert!(!is_left(&wide(100, b"v"), || Spec::get("r"), 100));
    assert!(is_left(&wide(20_000, b"v"), || Spec::get("r"), 20_000));
    assert!(is_left(&wide(1, &[7; 200_000]), || Spec::get("r"), 1));
}

#[test]
fn cells_that_are_looked_at_and_not_returned_count() {
    let f = wide(20_000, b"v");
    let mut none = vec![14u8]; // ColumnPrefixFilter
    grampus_testkit::wire::bytes(&mut none, b"zzz");
    let value = {
        let mut filter = vec![4u8, 2, 1]; // ValueFilter, EQUAL, BINARY
        grampus_testkit::wire::bytes(&mut filter, b"other");
        filter
    };
    assert!(is_left(&f, || Spec::get("r").filter(value.clone()), 0));
    assert!(!is_left(&f, || Spec::get("r").filter(none.clone()), 0), "a hint passes over them");
}

#[test]
fn gets_that_name_many_columns_are_left_to_a_pool() {
    let f = wide(1000, b"v");
    let named = |n: usize| (0..n).fold(Spec::get("r"), |spec, n| spec.column("f", &format!("q{n:05}")));
    assert!(!is_left(&f, || named(100), 100));
    assert!(is_left(&f, || named(500), 500));
}

#[test]
fn a_condition_on_a_large_row_changes_nothing_on_an_event_loop() {
    let f = wide(20_000, b"v");
    let mut condition = vec![2u8];
    let mut filter = vec![4u8, 3, 1]; // ValueFilter, NOT_EQUAL, BINARY
    grampus_testkit::wire::bytes(&mut filter, b"v");
    grampus_testkit::wire::bytes(&mut condition, &filter);
    condition.extend(0i64.to_le_bytes());
    condition.extend(i64::MAX.to_le_bytes());
    let put = RowOp::put(&[Cell::put("r", "f", "new", 1, "v")]);
    let mut batch = Batch::new();
    batch.non_blocking = true;
    let batch = batch.check("r", &condition, vec![put]);
    let status = f.region.mutate(&batch.ops(), &batch.cells, 7, &mut Vec::new()).unwrap();
    assert_eq!(status, MutateStatus::WouldBlock);
    assert!(f.get(&Spec::get("r").column("f", "new")).is_empty());
}

/// Steps behind the first one could only wait, since it cannot be taken back.
#[test]
fn a_batch_of_several_steps_is_left_to_a_pool_also_before_the_first_flush() {
    let f = start(&[("f", "")]);
    let put = |row: &str| RowOp::put(&[Cell::put(row, "f", "q", i64::MAX, "v")]);
    let increment =
        |row: &str| RowOp::increment(0, &[Cell::put(row, "f", "n", i64::MAX, 1i64.to_be_bytes())]);
    let run = |ops: Vec<RowOp>| {
        let mut batch = Batch::new();
        batch.non_blocking = true;
        let batch = ops.into_iter().fold(batch, Batch::row_op);
        f.region.mutate(&batch.ops(), &batch.cells, 7, &mut Vec::new()).unwrap()
    };
    assert_eq!(run(vec![put("a"), increment("b"), put("c")]), MutateStatus::WouldBlock);
    assert_eq!(run(vec![increment("a"), increment("b")]), MutateStatus::WouldBlock);
    assert!(f.scan(&Spec::scan()).is_empty(), "nothing has happened");
    assert_ne!(run(vec![put("a"), put("b"), put("c")]), MutateStatus::WouldBlock);
    assert_ne!(run(vec![increment("d")]), MutateStatus::WouldBlock);
}
