//! Gets of rows that do not fit the output: the caller hears how much room they need, and makes it before the engine keeps anything.
//! Conditions keep no more of a row than they need.

use grampus_base::ErrorKind;
use grampus_engine::GetOutcome;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, bytes};

use crate::common::{Fixture, get, start};
use crate::counted::peak;

/// The first output of a reply is about so large.
const ROOM_BYTES: usize = 4_096;
/// What any get may take beside its output: sources, visibility, filter.
const LITTLE_BYTES: usize = 100_000;
const EQUAL: u8 = 2;
const MUST_PASS_ALL: u8 = 1;
const EXISTENCE_ONLY: u32 = 16;

/// SingleColumnValueExcludeFilter of column `f:qualifier`.
fn exclude(qualifier: &str, value: &str) -> Vec<u8> {
    let mut out = vec![7];
    bytes(&mut out, b"f");
    bytes(&mut out, qualifier.as_bytes());
    out.extend([EQUAL, 1]);
    bytes(&mut out, value.as_bytes());
    out.extend([1, 1]);
    out
}

/// DependentColumnFilter of column `f:qualifier` without a comparison.
fn dependent(qualifier: &str) -> Vec<u8> {
    let mut out = vec![5];
    bytes(&mut out, b"f");
    bytes(&mut out, qualifier.as_bytes());
    out.extend([0, 6, 0]);
    out
}

fn all_of(filters: &[Vec<u8>]) -> Vec<u8> {
    let head = [&[26, MUST_PASS_ALL][..], &(filters.len() as u32).to_le_bytes()].concat();
    [head, filters.concat()].concat()
}

/// Row `r`: columns `a` and `z` with "v", and between them many of megabytes in all, with timestamps 1 and 2 in turn.
fn large_row(columns: usize, bytes: usize) -> Fixture {
    let f = start(&[("f", "")]);
    let mut cells = vec![Cell::put("r", "f", "a", 1, b"v"), Cell::put("r", "f", "z", 1, b"v")];
    let column = |q: usize| Cell::put("r", "f", &format!("q{q:06}"), 1 + (q % 2) as i64, vec![7; bytes]);
    cells.extend((0..columns).map(column));
    for chunk in cells.chunks(1_000) {
        f.mutate(&Batch::new().row_op(RowOp::put(chunk)));
    }
    f
}

/// Filters that decide about the cells of a whole row, each with the cells that it keeps of [`large_row`].
fn filters(columns: usize) -> [(&'static str, Vec<u8>, usize); 3] {
    [
        ("the column is taken out", exclude("a", "v"), columns + 1),
        ("a timestamp is kept", dependent("a"), columns / 2 + 2),
        ("both", all_of(&[exclude("a", "v"), dependent("z")]), columns / 2 + 1),
    ]
}

#[test]
fn nothing_of_a_row_is_kept_beside_the_output() {
    for (columns, bytes) in [(40, 500_000), (100_000, 1)] {
        let f = large_row(columns, bytes);
        for (name, filter, kept) in filters(columns) {
            let spec = Spec::get("r").filter(filter);
            let encoded = spec.encode();
            let what = format!("{name}, {columns} columns");
            let mut small = vec![0; ROOM_BYTES];
            let (outcome, held) = peak(|| f.region.get_into(&encoded, &mut small).unwrap());
            let GetOutcome::NeedBytes(needed) = outcome else { panic!("{what}: {outcome:?}") };
            assert!(held <= LITTLE_BYTES, "{what}: {held} bytes beside {ROOM_BYTES}");
            assert!(needed > columns * bytes, "{what}: {needed} bytes");
            let mut large = vec![0; needed];
            let (outcome, held) = peak(|| f.region.get_into(&encoded, &mut large).unwrap());
            let GetOutcome::Done(written) = outcome else { panic!("{what}: {outcome:?}") };
            // A number of four bytes for each cell, in a vector that doubles.
            assert!(
                held <= LITTLE_BYTES + 4 * columns.next_power_of_two(),
                "{what}: {held} bytes beside {needed}"
            );
            let cells = Cell::decode_all(&large[8..written]);
            assert_eq!(cells.len(), kept, "{what}");
            assert!(cells == get(&f.region, &spec), "{what}: other cells");
        }
    }
}

/// No memory is asked for a row of which nothing is returned.
#[test]
fn a_large_row_that_a_filter_drops_needs_no_room() {
    let f = large_row(40, 100_000);
    for filter in [exclude("z", "other"), all_of(&[dependent("a"), exclude("z", "other")])] {
        let spec = Spec::get("r").filter(filter);
        let mut small = vec![0; ROOM_BYTES];
        assert_eq!(f.region.get_into(&spec.encode(), &mut small).unwrap(), GetOutcome::Done(8));
        assert_eq!(small[..8], [0; 8]);
    }
}

/// Existence is known only when the filter has seen all cells of the row.
#[test]
fn whether_a_large_row_exists_is_not_guessed() {
    let f = large_row(40, 100_000);
    let nothing = dependent("q999999"); // drops every cell: no timestamp of a column that is not there
    for (filter, exists) in [(exclude("a", "v"), 1), (dependent("z"), 1), (nothing, 0)] {
        let spec = Spec::get("r").with(EXISTENCE_ONLY).filter(filter).encode();
        let GetOutcome::NeedBytes(needed) = f.region.get_into(&spec, &mut vec![0; ROOM_BYTES]).unwrap()
        else {
            panic!("the row was not decided as a whole")
        };
        let mut large = vec![0; needed];
        assert_eq!(f.region.get_into(&spec, &mut large).unwrap(), GetOutcome::Done(8));
        assert_eq!(u32::from_le_bytes(large[..4].try_into().unwrap()), exists);
    }
}

/// Whether a put under a filter as its condition was done, and the most that the call held.
fn put_if(f: &Fixture, filter: &[u8]) -> (Answer, usize) {
    let mut condition = vec![2];
    bytes(&mut condition, filter);
    condition.extend([0_i64.to_le_bytes(), i64::MAX.to_le_bytes()].concat());
    let put = RowOp::put(&[Cell::put("r", "f", "zz", 9, b"done")]);
    let batch = Batch::new().check("r", &condition, vec![put]);
    let (mut answers, held) = peak(|| f.mutate(&batch));
    (answers.remove(0), held)
}

/// SingleColumnValueFilter of column `f:a`: it decides cell by cell.
fn single(value: &str) -> Vec<u8> {
    [&[6], &exclude("a", value)[1..]].concat()
}

#[test]
fn a_condition_keeps_one_cell_of_a_large_row() {
    let f = large_row(40, 500_000);
    let (answer, held) = put_if(&f, &single("other"));
    assert!(answer == Answer::NotMatched && held <= LITTLE_BYTES + 500_000, "{answer:?}, {held} bytes");
    assert_eq!(put_if(&f, &single("v")).0, Answer::Done);
}

#[test]
fn a_condition_on_all_cells_of_a_row_too_large_is_refused() {
    let f = large_row(20, 500_000);
    assert_eq!(put_if(&f, &exclude("a", "v")).0, Answer::Done);
    let f = large_row(40, 500_000);
    let (answer, held) = put_if(&f, &exclude("a", "v"));
    let Answer::Failed(kind, message) = answer else { panic!("{answer:?}") };
    assert!(kind == ErrorKind::RowTooBig as u8 && message.contains("row r is too large"), "{message}");
    // The buffer doubles.
    assert!(held <= 3 * (16 << 20), "{held} bytes");
}
