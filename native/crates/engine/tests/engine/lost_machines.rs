//! What SYNC_WAL promises where the machine of a server dies: by `walSync`.

use std::path::Path;
use std::sync::Arc;

use grampus_engine::Engine;
use grampus_env::{FakeEnv, FakeKind};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::layout::names;
use crate::common::start_in;

const FAMILIES: [(&str, &str); 1] = [("f", "")];
const LOGS: &str = "/h/WALs/s1";

/// Acknowledges a row, loses the machine, and returns how many rows the next server finds, and the syncs of the log.
fn rows_behind_a_death(kind: FakeKind, settings: &str) -> (usize, u64) {
    let env = FakeEnv::of(kind, 1);
    let f = start_in(Arc::new(env.clone()), settings, &FAMILIES, 1);
    f.mutate(&Batch::new().row_op(RowOp::put(&[Cell::put("a", "f", "q", 1, "value")])));
    let syncs = f.metric("wal.syncs");
    env.crash_machine();
    f.region.close(true).unwrap();
    drop(f);
    let splitter = Engine::open_in(Arc::new(env.clone()), settings).unwrap();
    for segment in names(&env, Path::new(LOGS)) {
        splitter.split_wal(&format!("{{\"wal\":\"{LOGS}/{segment}\",\"rootDir\":\"/h\"}}")).unwrap();
    }
    splitter.close().unwrap();
    (start_in(Arc::new(env), settings, &FAMILIES, 2).scan(&Spec::scan()).len(), syncs)
}

#[test]
fn a_write_outlives_its_machine_where_that_is_asked_for() {
    let machine = "{\"walSync\":\"machine\"}";
    assert_eq!(rows_behind_a_death(FakeKind::Local, machine), (1, 1));
    assert_eq!(
        rows_behind_a_death(FakeKind::Remote, machine),
        (1, 0),
        "the memory of data nodes is elsewhere"
    );
    assert_eq!(rows_behind_a_death(FakeKind::Local, "{}"), (0, 0), "the page cache dies with its machine");
    assert_eq!(rows_behind_a_death(FakeKind::Remote, "{\"walSync\":\"fsync\"}"), (1, 1));
}
