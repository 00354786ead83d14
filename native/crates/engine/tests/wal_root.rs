//! Logs below a root of their own, HBase's `hbase.wal.dir`: recovered edits, sequence ids and nonces are there, too, where HBase's master and its
//! servers look for them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::layout::{create, names};
use common::{REGION, mutate, on_each_kind, scan_all};
use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};

const FAMILIES: [(&str, &str); 1] = [("f", "")];
const LOGS: &str = ",\"walRootDir\":\"/logs\"";

fn edits_dir(root: &str) -> PathBuf {
    PathBuf::from(format!("{root}/data/default/t/{REGION}/recovered.edits"))
}

fn server(env: &FakeEnv, name: &str) -> Arc<Engine> {
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    engine.start_wal(&format!("/logs/WALs/{name}"), "/logs/oldWALs", name).unwrap();
    engine
}

fn open(env: &FakeEnv, engine: &Arc<Engine>) -> Arc<Region> {
    env.mkdir_durably(Path::new(&format!("/h/data/default/t/{REGION}"))).unwrap();
    let json = open_region_json("/h", REGION, &FAMILIES);
    engine.open_region(&json.replacen(",\"startKey\"", &format!("{LOGS},\"startKey\""), 1)).unwrap()
}

fn write(engine: &Engine, region: &Region, row: &str) {
    mutate(engine, region, &Batch::new().row_op(RowOp::put(&[Cell::put(row, "f", "q", 1, "v")])));
}

/// What the master does with the log of a dead server.
fn split(env: &FakeEnv, splitter: &Engine, server: &str, roots: &str) {
    for segment in env.list(Path::new(&format!("/logs/WALs/{server}"))).unwrap() {
        let wal = PathBuf::from(format!("/logs/WALs/{server}/{}", segment.name));
        splitter.split_wal(&format!("{{\"wal\":\"{}\",\"rootDir\":\"/h\"{roots}}}", wal.display())).unwrap();
        env.rename(&wal, &PathBuf::from(format!("/logs/oldWALs/{}", segment.name))).unwrap();
    }
}

fn rows(region: &Arc<Region>) -> usize {
    scan_all(region, &Spec::scan()).len()
}

#[test]
fn what_a_split_leaves_is_below_the_root_of_logs() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let dead = server(&env, "a");
        let region = open(&env, &dead);
        write(&dead, &region, "r");
        region.close(true).unwrap();
        drop((region, dead));
        env.crash_process();

        let next = server(&env, "b");
        split(&env, &next, "a", LOGS);
        let edits = names(&env, &edits_dir("/logs"));
        assert!(edits.iter().any(|name| name.parse::<u64>().is_ok()), "{edits:?}");
        // As HBase's master leaves it for a daughter.
        create(&env, &edits_dir("/logs").join("1000.seqid"), b"");
        let region = open(&env, &next);
        assert_eq!(rows(&region), 1);
        assert_eq!(names(&env, &edits_dir("/logs")), ["1001.seqid"]);
        assert_eq!(names(&env, &edits_dir("/h")), Vec::<String>::new());
    });
}

#[test]
fn nonces_are_there_too() {
    let env = FakeEnv::new(1);
    let first = server(&env, "a");
    let region = open(&env, &first);
    let add = || Batch::new().row_op(RowOp::increment(7, &[Cell::put("r", "f", "n", i64::MAX, [0; 8])]));
    let answer = mutate(&first, &region, &add());
    region.close(false).unwrap();
    assert!(names(&env, &edits_dir("/logs")).iter().any(|name| name.ends_with(".nonces")));
    let second = server(&env, "b");
    let region = open(&env, &second);
    assert_eq!(mutate(&second, &region, &add()), answer);
}

/// Splits of earlier versions wrote below `hbase.rootdir`, and so did HBase's before HBASE-20734.
#[test]
fn what_lies_in_the_regions_directory_is_taken_as_well() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let dead = server(&env, "a");
        let region = open(&env, &dead);
        write(&dead, &region, "r");
        region.close(true).unwrap();
        drop((region, dead));
        env.crash_process();

        let next = server(&env, "b");
        split(&env, &next, "a", "");
        create(&env, &edits_dir("/h").join("1000.seqid"), b"");
        let region = open(&env, &next);
        assert_eq!(rows(&region), 1);
        assert_eq!(names(&env, &edits_dir("/logs")), ["1001.seqid"]);
        assert_eq!(names(&env, &edits_dir("/h")), Vec::<String>::new());
    });
}
