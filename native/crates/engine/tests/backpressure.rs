//! Writes that must wait hold no thread, and a full server takes the edits that could relieve it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::{Fixture, REGION, mutate, start_in};
use grampus_engine::env::fake::Faults;
use grampus_engine::env::{Env, FakeEnv};
use grampus_engine::{ErrorKind, MutateStatus, Region};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};

const CONFIG: &str = "{\"memstoreBytes\":300000,\"compactions\":false}";

fn put(row: &str) -> Batch {
    let skip_wal = 1;
    Batch::new().row_op(RowOp::put_as(skip_wal, &[Cell::put(row, "f", "q", 1, [7u8; 1000])]))
}

/// A server whose disk is full, with its hbase:meta and so much in its memtables that writes are answered otherwise than at once.
fn pressed(wanted: impl Fn(&grampus_engine::Result<MutateStatus>) -> bool) -> (Fixture, Arc<Region>) {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), CONFIG, &[("f", "")], 1);
    let name = REGION.replace('0', "f");
    env.mkdir(Path::new(&format!("/h/data/hbase/meta/{name}"))).unwrap();
    let json = open_region_json("/h", &name, &[("f", "")])
        .replace("\"table\":\"t\"", "\"table\":\"hbase:meta\",\"meta\":true")
        .replace("data/default/t", "data/hbase/meta");
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
    let batch = put("more");
    let refused = f.region.mutate(&batch.ops(), &batch.cells, 9, &mut Vec::new());
    assert_eq!(refused.unwrap_err().kind, ErrorKind::Busy);
}
