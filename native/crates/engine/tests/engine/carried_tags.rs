//! Tags of the cells that increments and appends make, as they are stored and as they are answered.

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, column_condition};

use crate::common::{Fixture, start, start_in};

const WITH_TAGS: u32 = 2048;
const TTL: u8 = 8;
/// Of one day and more: nothing expires.
const DAY: i64 = 86_400_000;

fn ttl(days: i64) -> Vec<u8> {
    [&[0, 9, TTL][..], &(days * DAY).to_be_bytes()].concat()
}

fn tag(value: u8) -> Vec<u8> {
    vec![0, 2, 100, value]
}

fn tagged(tags: &[Vec<u8>]) -> Cell {
    Cell { tags: tags.concat(), ..Cell::put("r", "f", "q", i64::MAX, 1i64.to_be_bytes()) }
}

fn region() -> Fixture {
    start(&[("f", "")])
}

fn batch() -> Batch {
    let mut batch = Batch::new();
    batch.with_tags = true;
    batch
}

fn tags_of(answer: &Answer) -> Vec<u8> {
    let Answer::Cells(cells) = answer else { panic!("{answer:?}") };
    cells[0].tags.clone()
}

fn answered(f: &Fixture, op: RowOp) -> Vec<u8> {
    tags_of(&f.mutate(&batch().row_op(op))[0])
}

fn stored(f: &Fixture) -> Vec<u8> {
    f.get(&Spec::get("r").with(WITH_TAGS))[0].tags.clone()
}

#[test]
fn the_tags_of_the_delta_come_before_those_of_the_cell() {
    let f = region();
    assert_eq!(answered(&f, RowOp::increment(0, &[tagged(&[tag(1)])])), tag(1));
    let both = [tag(2), tag(1)].concat();
    assert_eq!(answered(&f, RowOp::increment(0, &[tagged(&[tag(2)])])), both);
    assert_eq!(answered(&f, RowOp::append(0, &[tagged(&[])])), both);
    assert_eq!(stored(&f), both);
}

#[test]
fn the_time_to_live_of_the_mutation_comes_last_and_replaces_the_one_carried() {
    let f = region();
    f.put(tagged(&[ttl(1), tag(1)]));
    let expected = [tag(2), tag(1), ttl(2)].concat();
    assert_eq!(answered(&f, RowOp::increment_for(2 * DAY, 0, &[tagged(&[tag(2)])])), expected);
    assert_eq!(stored(&f), expected);
    let expected = [tag(2), tag(1), ttl(3)].concat();
    assert_eq!(answered(&f, RowOp::append_for(3 * DAY, 0, &[tagged(&[])])), expected);
    assert_eq!(stored(&f), expected);
}

#[test]
fn the_times_to_live_of_delta_and_cell_are_both_carried() {
    let f = region();
    f.put(tagged(&[ttl(1)]));
    let both = [ttl(2), ttl(1)].concat();
    assert_eq!(answered(&f, RowOp::increment(0, &[tagged(&[ttl(2)])])), both);
    assert_eq!(stored(&f), both);
}

#[test]
fn a_repeated_increment_is_answered_with_the_tags_that_are_stored() {
    let f = region();
    f.put(tagged(&[ttl(1)]));
    let increment = || RowOp::increment_for(3 * DAY, 7, &[tagged(&[ttl(2), tag(1)])]);
    assert_eq!(answered(&f, increment()), [tag(1), ttl(1), ttl(3)].concat());
    let twice = [tag(1), ttl(3), ttl(3)].concat();
    assert_eq!(stored(&f), twice);
    assert_eq!(answered(&f, increment()), twice);
    let unasked = f.mutate(&Batch::new().row_op(increment()));
    assert!(tags_of(&unasked[0]).is_empty());
}

#[test]
fn groups_and_conditions_answer_with_tags_where_they_are_asked_for() {
    let f = region();
    f.put(tagged(&[tag(1)]));
    let ops = || vec![RowOp::append(0, &[tagged(&[])])];
    let missing = column_condition("f", "none", 2, b"");
    let groups = |batch: Batch| batch.atomic("r", ops()).check("r", &missing, ops());
    for answer in f.mutate(&groups(batch())) {
        assert_eq!(tags_of(&answer), tag(1));
    }
    for answer in f.mutate(&groups(Batch::new())) {
        assert!(tags_of(&answer).is_empty());
    }
}

#[test]
fn malformed_tags_are_refused_when_the_mutation_has_a_time_to_live() {
    let f = region();
    for malformed in [vec![0], vec![0, 0], vec![0, 9, TTL], [tag(1), vec![0, 3, 100]].concat()] {
        let answers = f.mutate(&batch().row_op(RowOp::increment_for(DAY, 0, &[tagged(&[malformed])])));
        let Answer::Failed(kind, text) = &answers[0] else { panic!("{answers:?}") };
        assert_eq!((*kind, text.as_str()), (ErrorKind::BadRequest as u8, "malformed tags"));
    }
    assert_eq!(f.get(&Spec::get("r")), []);
}

#[test]
fn what_increments_and_appends_may_make_at_once_counts_their_tags() {
    const COLUMNS: u32 = 160;
    let config = "{\"memtableBytes\":8388608,\"compactions\":false}";
    let f = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "")], 1);
    let large = [&60_000u16.to_be_bytes()[..], &[100; 60_000]].concat();
    let cells = |columns: u32, tags: &[u8]| -> Vec<Cell> {
        let cell =
            |n| Cell { tags: tags.to_vec(), ..Cell::put("r", "f", &format!("q{n:03}"), i64::MAX, "v") };
        (0..columns).map(cell).collect()
    };
    let current = cells(COLUMNS, &[ttl(1), large].concat());
    for some in current.chunks(20) {
        f.mutate(&Batch::new().row_op(RowOp::put(some)));
        f.region.flush().unwrap();
    }
    // 160 cells take 9.6 MB with their tags, and where the answer has other tags than the cell, 19.2 MB.
    let answers = f.mutate(&Batch::new().row_op(RowOp::append_for(3 * DAY, 0, &cells(COLUMNS, &ttl(2)))));
    let Answer::Failed(kind, text) = &answers[0] else { panic!("{answers:?}") };
    assert_eq!(*kind, ErrorKind::Busy as u8);
    assert!(text.contains("of an atomic group make"), "{text}");
    let twice = vec![RowOp::append(0, &cells(COLUMNS, &[])), RowOp::append(0, &cells(COLUMNS, &[]))];
    let answers = f.mutate(&Batch::new().atomic("r", twice));
    assert!(matches!(&answers[0], Answer::Failed(kind, _) if *kind == ErrorKind::Busy as u8), "{answers:?}");
    assert!(f.get(&Spec::get("r")).iter().all(|cell| cell.value == b"v"));
    f.mutate(&Batch::new().row_op(RowOp::append_for(3 * DAY, 0, &cells(COLUMNS, &[]))));
    assert!(f.get(&Spec::get("r")).iter().all(|cell| cell.value == b"vv"));
}

#[test]
fn an_answer_whose_tags_no_cell_can_hold_is_refused_before_anything_is_applied() {
    let f = region();
    let of_length = |kind: u8, length: u16| {
        let mut tag = [&length.to_be_bytes()[..], &[kind]].concat();
        tag.resize(usize::from(length) + 2, 0);
        tag
    };
    f.put(tagged(&[of_length(TTL, 65_000)]));
    // The answer keeps the cell's time to live, which is replaced in what would be stored.
    let delta = tagged(&[ttl(1), of_length(100, 600)]);
    let answers = f.mutate(&batch().row_op(RowOp::increment_for(DAY, 0, &[delta])));
    let Answer::Failed(kind, text) = &answers[0] else { panic!("{answers:?}") };
    assert_eq!(*kind, ErrorKind::BadRequest as u8);
    assert!(text.contains("tags"), "{text}");
    assert_eq!(f.get(&Spec::get("r"))[0].value, 1i64.to_be_bytes());
}
