//! Logs below a root of their own, HBase's `hbase.wal.dir`: recovered edits, sequence ids and nonces are there, too, where HBase's master and its
//! servers look for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv, LocalEnv};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, open_region_json};
use serde_json::Value;

use crate::common::layout::{create, names};
use crate::common::{self, REGION, mutate, on_each_kind, row, scan_all, start_at};

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
    open_with(env, engine, LOGS)
}

/// Opens the region with a root of logs, or none.
fn open_with(env: &FakeEnv, engine: &Arc<Engine>, logs: &str) -> Arc<Region> {
    env.mkdir_durably(Path::new(&format!("/h/data/default/t/{REGION}"))).unwrap();
    engine.open_region(&request("/h", logs)).unwrap()
}

fn request(root: &str, logs: &str) -> String {
    let json = open_region_json(root, REGION, &FAMILIES);
    json.replacen(",\"startKey\"", &format!("{logs},\"startKey\""), 1)
}

fn increment(engine: &Engine, region: &Region) -> Vec<Answer> {
    let cell = Cell::put("r", "f", "n", i64::MAX, 1i64.to_be_bytes());
    mutate(engine, region, &Batch::new().row_op(RowOp::increment(7, &[cell])))
}

fn has_nonces(env: &FakeEnv, root: &str) -> bool {
    names(env, &edits_dir(root)).iter().any(|name| name.ends_with(".nonces"))
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

/// A server, behind the death of one whose log `a` has a row.
fn behind_a_death(env: &FakeEnv) -> Arc<Engine> {
    let dead = server(env, "a");
    let region = open(env, &dead);
    write(&dead, &region, "r");
    region.close(true).unwrap();
    drop((region, dead));
    env.crash_process();
    server(env, "b")
}

#[test]
fn what_a_split_leaves_is_below_the_root_of_logs() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let next = behind_a_death(&env);
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
    let answer = increment(&first, &region);
    region.close(false).unwrap();
    assert!(has_nonces(&env, "/logs"));
    let second = server(&env, "b");
    let region = open(&env, &second);
    assert_eq!(increment(&second, &region), answer);
}

/// The root of logs is set between an orderly stop of all servers and their next start.
#[test]
fn nonces_that_were_left_in_the_regions_directory_are_taken_in_and_go() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let first = server(&env, "a");
        let region = open_with(&env, &first, "");
        let answer = increment(&first, &region);
        region.close(false).unwrap();
        assert!(has_nonces(&env, "/h"));
        let second = server(&env, "b");
        let region = open(&env, &second);
        assert_eq!(increment(&second, &region), answer);
        region.close(false).unwrap();
        assert_eq!((has_nonces(&env, "/h"), has_nonces(&env, "/logs")), (false, true));
    });
}

/// Splits of earlier versions wrote below `hbase.rootdir`, and so did HBase's before HBASE-20734.
#[test]
fn what_lies_in_the_regions_directory_is_taken_as_well() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let next = behind_a_death(&env);
        split(&env, &next, "a", "");
        create(&env, &edits_dir("/h").join("1000.seqid"), b"");
        let region = open(&env, &next);
        assert_eq!(rows(&region), 1);
        assert_eq!(names(&env, &edits_dir("/logs")), ["1001.seqid"]);
        assert_eq!(names(&env, &edits_dir("/h")), Vec::<String>::new());
    });
}

/// With two names for one directory each file is listed twice: it is read once, and that it is gone when it is deleted again is no failure.
#[test]
fn a_second_name_of_the_root_changes_nothing() {
    const SEGMENTS: u32 = 10;
    const ROWS: u32 = 300;
    let dir = tempfile::tempdir().unwrap();
    let [root, link] = ["root", "link"].map(|name| dir.path().join(name));
    std::fs::create_dir(&root).unwrap();
    std::os::unix::fs::symlink(&root, &link).unwrap();
    let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
    let dead = start_at(env.clone(), &root, "{}", &FAMILIES, 1);
    for n in 0..ROWS {
        if n % (ROWS / SEGMENTS) == 0 {
            dead.engine.roll_wal().unwrap();
        }
        dead.put(Cell::put(&row(n), "f", "q", 1, common::noise(n)));
    }
    dead.region.close(true).unwrap();
    drop(dead);

    let next = Engine::open_in(env.clone(), "{\"memtableBytes\":400000,\"compactions\":false}").unwrap();
    let path = |name: &str| root.join(name).display().to_string();
    next.start_wal(&path("WALs/s2"), &path("oldWALs"), "s2").unwrap();
    for segment in env.list(&root.join("WALs/s1")).unwrap() {
        let wal = path(&format!("WALs/s1/{}", segment.name));
        next.split_wal(&format!("{{\"wal\":\"{wal}\",\"rootDir\":\"{}\"}}", path(""))).unwrap();
    }
    let logs = format!(",\"walRootDir\":\"{}\"", link.display());
    let region = next.open_region(&request(root.to_str().unwrap(), &logs)).unwrap();
    assert_eq!(rows(&region), ROWS as usize);
    let stats: Value = serde_json::from_str(&region.stats().to_string()).unwrap();
    assert!(stats["storeFileCount"].as_u64() > Some(1), "nothing went to files on the way: {stats}");
    let left = env.list(&root.join(format!("data/default/t/{REGION}/recovered.edits"))).unwrap();
    assert!(left.iter().all(|entry| entry.name.ends_with(".seqid")), "{left:?}");
}
