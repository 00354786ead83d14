//! Writes that must wait hold no thread, and a full server takes the edits that could relieve it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_engine::{MutateStatus, Region};
use grampus_env::{Env, FakeEnv, Faults};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, open_region_json};

use crate::common::{self, Fixture, REGION, mutate, start_in};

const CONFIG: &str = "{\"memtableBytes\":300000,\"compactions\":false}";

fn put(row: &str) -> Batch {
    let skip_wal = 1;
    Batch::new().row_op(RowOp::put_as(skip_wal, &[Cell::put(row, "f", "q", 1, [7u8; 1000])]))
}

/// Appends of one byte to a column of row "r".
fn appends(count: usize) -> Batch {
    let append = || RowOp::append(0, &[Cell::put("r", "f", "q", i64::MAX, "x")]);
    (0..count).fold(Batch::new(), |batch, _| batch.row_op(append()))
}

/// How many of a batch's operations were executed; all the others are refused with this kind of error.
fn done_before(refusal: ErrorKind, answers: &[Answer]) -> usize {
    let done = answers.iter().take_while(|answer| matches!(answer, Answer::Cells(_))).count();
    for answer in &answers[done..] {
        assert!(matches!(answer, Answer::Failed(kind, _) if *kind == refusal as u8), "{answer:?}");
    }
    done
}

/// The same, where all the others are refused as ones that may be tried again.
fn executed(answers: &[Answer]) -> usize {
    done_before(ErrorKind::Busy, answers)
}

/// A region without a log, opened anew, whose row "r" has a value of `value` bytes.
fn unlogged(config: &str, value: usize) -> (FakeEnv, Fixture) {
    let env = FakeEnv::new(1);
    let mut f = start_in(Arc::new(env.clone()), config, &[("f", "")], 1);
    f.region.close(false).unwrap();
    f.open_json = f.open_json.replace("\"durability\":3", "\"durability\":1");
    f.region = f.engine.open_region(&f.open_json).unwrap();
    f.put(Cell::put("r", "f", "q", 1, vec![7u8; value]));
    (env, f)
}

#[test]
fn a_batch_ends_where_the_memory_does() {
    let (env, f) = unlogged(CONFIG, 10_000);
    env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
    let answers = f.mutate(&appends(1000));
    assert_eq!(answers.len(), 1000);
    let done = executed(&answers);
    assert!((1..40).contains(&done), "{done} of 10 KB each went into 300 KB");
    assert_eq!(f.get(&Spec::get("r")).remove(0).value.len(), 10_000 + done);
    assert!(f.region.memtable_bytes() < 330_000, "{}", f.region.memtable_bytes());
}

/// All or nothing: what an atomic group computes is in memory at once.
#[test]
fn an_atomic_group_computes_no_more_than_memory_takes() {
    let (_env, f) = unlogged(CONFIG, 100_000);
    let group = |appends: usize| {
        let append = || RowOp::append(0, &[Cell::put("r", "f", "q", i64::MAX, "x")]);
        Batch::new().atomic("r", (0..appends).map(|_| append()).collect())
    };
    assert_eq!(executed(&f.mutate(&group(300))), 0, "30 MB");
    assert_eq!(f.get(&Spec::get("r")).remove(0).value.len(), 100_000, "nothing has happened");
    assert_eq!(executed(&f.mutate(&group(2))), 1);
}

#[test]
fn the_answers_of_a_batch_are_bounded() {
    let value = 9 << 20;
    let (_env, f) = unlogged("{}", value);
    assert_eq!(
        done_before(ErrorKind::LargeAnswers, &f.mutate(&appends(4))),
        1,
        "the answer that passes 2 MiB is the last one"
    );
    assert_eq!(executed(&f.mutate(&appends(1))), 1, "the rest is done when it is sent again");
    assert_eq!(f.get(&Spec::get("r")).remove(0).value.len(), value + 2);
}

#[test]
fn the_answers_of_a_large_batch_have_more_room() {
    let (_env, f) = unlogged("{}", 1);
    let appends = |puts: &[usize]| {
        let append = |_| RowOp::append(0, &[Cell::put("r", "f", "q", i64::MAX, vec![7; 1 << 20])]);
        let put = |&bytes| RowOp::put(&[Cell::put("p", "f", "q", i64::MAX, vec![7; bytes])]);
        puts.iter().map(put).chain((0..8).map(append)).fold(Batch::new(), Batch::row_op)
    };
    assert_eq!(
        done_before(ErrorKind::LargeAnswers, &f.mutate(&appends(&[]))),
        6,
        "1 + 2 + .. + 6 MiB pass 18 MiB"
    );
    let answers = f.mutate(&appends(&[20 << 20]));
    assert_eq!(
        done_before(ErrorKind::LargeAnswers, &answers[1..]),
        3,
        "7 + 8 + 9 MiB pass them; a put has no part"
    );
}

#[test]
fn a_batch_does_not_keep_what_it_logs_to_its_end() {
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", "")], 1);
    f.put(Cell::put("r", "f", "q", 1, vec![7u8; 1 << 20]));
    let before = f.metric("wal.groups");
    let append = |_| RowOp::append(0, &[Cell::put("r", "f", "q", i64::MAX, "x")]).without_result();
    f.mutate(&(0..40).map(append).fold(Batch::new(), Batch::row_op));
    assert_eq!(f.get(&Spec::get("r")).remove(0).value.len(), (1 << 20) + 40);
    let groups = f.metric("wal.groups") - before;
    assert!(groups >= 8, "40 MiB were logged in {groups} groups");
}

/// A server whose disk is full, with its hbase:meta and so much in its memtables that writes are answered otherwise than at once.
fn pressed(wanted: impl Fn(&grampus_base::Result<MutateStatus>) -> bool) -> (Fixture, Arc<Region>) {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), CONFIG, &[("f", "")], 1);
    let name = REGION.replace('0', "f");
    env.mkdir(Path::new(&format!("/h/data/hbase/meta/{name}"))).unwrap();
    let json = open_region_json("/h", &name, &[("f", "")])
        .replace("\"table\":\"t\"", "\"table\":\"hbase:meta\",\"meta\":true")
        .replace("data/default/t", "data/hbase/meta")
        .replace("\"durability\":3", "\"durability\":1");
    let meta = f.engine.open_region(&json).unwrap();
    env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
    for n in 0..1000 {
        let batch = put(&format!("r{n:05}"));
        let outcome = f.region.mutate(&batch.ops(), &batch.cells, 9, &mut Vec::new());
        if wanted(&outcome) {
            return (f, meta);
        }
        if matches!(outcome, Ok(MutateStatus::Wait(_))) {
            common::run(&f.region, &batch, 9, &mut Vec::new()).unwrap();
        }
    }
    panic!("1 MB went into 300 KB of memory");
}

#[test]
fn a_write_that_must_wait_comes_again_and_is_then_let_in() {
    let (f, _) = pressed(|outcome| matches!(outcome, Ok(MutateStatus::Wait(_))));
    for non_blocking in [true, false] {
        let mut batch = put(&format!("again {non_blocking}"));
        batch.non_blocking = non_blocking;
        let run = |batch: &Batch| f.region.mutate(&batch.ops(), &batch.cells, 9, &mut Vec::new()).unwrap();
        let MutateStatus::Wait(wait) = run(&batch) else { panic!("let in at once") };
        assert!(wait <= Duration::from_millis(50), "{wait:?}");
        assert_eq!(f.get(&Spec::get(&format!("again {non_blocking}"))), [], "nothing has happened");
        batch.admitted = true;
        assert_eq!(run(&batch), MutateStatus::Done);
        assert_eq!(f.get(&Spec::get(&format!("again {non_blocking}"))).len(), 1);
    }
}

#[test]
fn the_meta_table_is_written_when_nothing_else_is() {
    let (f, meta) = pressed(Result::is_err);
    mutate(&f.engine, &meta, &put("t,,1"));
    assert_eq!(common::get(&meta, &Spec::get("t,,1")).len(), 1);
    let large = Cell::put("r", "f", "q", 1, [7u8; 1000]);
    mutate(&f.engine, &meta, &Batch::new().row_op(RowOp::put(&[large])));
    assert_eq!(executed(&mutate(&f.engine, &meta, &appends(20))), 20, "no step is refused either");
    let batch = put("more");
    let refused = f.region.mutate(&batch.ops(), &batch.cells, 9, &mut Vec::new());
    assert_eq!(refused.unwrap_err().kind, ErrorKind::Busy);
}
