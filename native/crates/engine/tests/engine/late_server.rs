//! A server that is taken for dead and lives: it was paused, its regions are open elsewhere, and it goes on where it stood.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::Engine;
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, REGION, on_each_kind, start_in, until};

/// Compactions come when they are asked for: one that came by itself before would let the one that is asked for write a file of its own.
const FAMILIES: [(&str, &str); 1] =
    [("f", "\"maxVersions\":100,\"compaction\":{\"filesMin\":99,\"filesMax\":99}")];
const DELETE_FAMILY: u8 = 14;
const MAJOR: &str = "{\"major\":true}";

fn fixture(env: &FakeEnv, generation: u32) -> Fixture {
    start_in(Arc::new(env.clone()), "{}", &FAMILIES, generation)
}

fn put(row: &str) -> Batch {
    Batch::new().row_op(RowOp::put(&[Cell::put(row, "f", "q", 1, "value")]))
}

/// What the master does with the log of a server that it takes for dead.
fn bury(env: &FakeEnv, server: &str) {
    let dir = PathBuf::from(format!("/h/WALs/{server}-splitting"));
    env.rename(Path::new(&format!("/h/WALs/{server}")), &dir).unwrap();
    let splitter = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for segment in env.list(&dir).unwrap() {
        let wal = dir.join(segment.name);
        env.recover_lease(&wal).unwrap();
        splitter.split_wal(&format!("{{\"wal\":\"{}\",\"rootDir\":\"/h\"}}", wal.display())).unwrap();
    }
    env.rename(&dir, Path::new(&format!("/h/oldWALs/{server}"))).unwrap();
    splitter.close().unwrap();
}

/// Files in a directory of the region.
fn column_files(env: &FakeEnv, family: &str) -> Vec<PathBuf> {
    let dir = PathBuf::from(format!("/h/data/default/t/{REGION}/{family}"));
    env.files().into_iter().filter(|path| path.parent() == Some(&dir)).collect()
}

/// Were its file to come into the directory, the next opening would bring the row back whose marker a compaction has dropped.
#[test]
fn the_flush_and_compaction_of_a_late_server_come_to_nothing() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let late = fixture(&env, 1);
        for row in ["a", "b"] {
            late.mutate(&put(row));
            late.region.flush().unwrap();
        }
        late.mutate(&put("c"));
        bury(&env, "s1");

        let now = fixture(&env, 2);
        now.mutate(&Batch::new().row_op(RowOp::delete(&[Cell::new(
            "c",
            "f",
            "",
            i64::MAX,
            DELETE_FAMILY,
            "",
        )])));
        now.region.flush().unwrap();
        now.region.compact(MAJOR).unwrap();
        until("the compaction", || {
            now.metric("compaction.major.count") > 0 && column_files(&env, "f").len() == 1
        });
        let (files, rows) = (column_files(&env, "f"), now.scan(&Spec::scan()));
        assert_eq!(rows.len(), 2);

        late.region.compact(MAJOR).unwrap();
        until("the compaction's failure", || late.metric("compaction.failed_count") > 0);
        let failure = late.region.flush().unwrap_err();
        assert_eq!(failure.kind, ErrorKind::Poisoned, "{failure}");
        assert_eq!(column_files(&env, "f"), files);
        late.region.close(true).unwrap();

        now.region.close(false).unwrap();
        drop(now);
        assert_eq!(fixture(&env, 3).scan(&Spec::scan()), rows);
    });
}

/// An order of the master that comes late to a server, which has been taken for dead since, must not end what its successor has open.
#[test]
fn a_late_server_opens_nothing() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let late = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
        late.start_wal("/h/WALs/s1", "/h/oldWALs", "s1").unwrap();
        bury(&env, "s1");
        let now = fixture(&env, 2);
        now.mutate(&put("a"));
        let failure = late.open_region(&now.open_json).err().unwrap();
        assert_eq!(failure.kind, ErrorKind::Poisoned, "{failure}");
        assert!(now.region.flush().unwrap());
        assert_eq!(now.scan(&Spec::scan()).len(), 1);
    });
}
