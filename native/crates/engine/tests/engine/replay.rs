//! Recovered edits that are more than a replay may hold in memory: they go to files on the way, and a replay that fails on the way loses
//! and invents nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv, FakeKind, Faults};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};
use serde_json::Value;

use crate::common::{REGION, on_each_kind, row, scan_all, start_in};

const FAMILIES: [(&str, &str); 2] = [("f", "\"maxVersions\":3"), ("g", "")];
/// Much larger than what is written, so that nothing is flushed before the server dies.
const BEFORE: &str = "{\"walSync\":\"fsync\"}";
/// A replay may hold an eighth of it.
const MEMSTORE_BYTES: u64 = 400_000;
const WRITES: u32 = 1200;
const WRITES_PER_SEGMENT: u32 = 100;
const HELD_BYTES: u64 = MEMSTORE_BYTES / 8;

fn after() -> String {
    format!("{{\"memtableBytes\":{MEMSTORE_BYTES}}}")
}

/// A server writes several times the memory that the next one may use for a replay, and dies. Returns what it had acknowledged.
fn write_and_die(env: &FakeEnv, seed: u64) -> Vec<Cell> {
    let f = start_in(Arc::new(env.clone()), BEFORE, &FAMILIES, 1);
    let mut random = Random::new(seed);
    for n in 0..WRITES {
        if n % WRITES_PER_SEGMENT == 0 {
            f.engine.roll_wal().unwrap();
        }
        let key = row(random.below(300) as u32);
        let family = if random.one_in(4) { "g" } else { "f" };
        let value = vec![n as u8; random.below(400) as usize];
        let cell = Cell::put(&key, family, "q", i64::from(n), value);
        let op = if random.one_in(10) {
            const DELETE_COLUMN: u8 = 12;
            RowOp::delete(&[Cell::new(&key, family, "q", i64::from(n), DELETE_COLUMN, "")])
        } else {
            RowOp::put(&[cell])
        };
        f.mutate(&Batch::new().row_op(op));
    }
    let expected = f.scan(&Spec::scan().versions(3));
    assert!(f.metric("memstore.bytes") > 4 * HELD_BYTES);
    f.region.close(true).unwrap();
    drop(f);
    env.crash_machine();
    expected
}

/// Distributes the dead server's log.
fn split(env: &FakeEnv) {
    let engine = Engine::open_in(Arc::new(env.clone()), &after()).unwrap();
    for segment in env.list(Path::new("/h/WALs/s1")).unwrap() {
        engine.split_wal(&format!("{{\"wal\":\"/h/WALs/s1/{}\",\"rootDir\":\"/h\"}}", segment.name)).unwrap();
    }
}

fn edits_dir() -> PathBuf {
    PathBuf::from(format!("/h/data/default/t/{REGION}/recovered.edits"))
}

/// Files of recovered edits, lowest first: their names have leading zeros.
fn edits(env: &FakeEnv) -> Vec<String> {
    let names = env.list(&edits_dir()).unwrap().into_iter().map(|entry| entry.name);
    let mut edits: Vec<String> = names.filter(|name| name.parse::<u64>().is_ok()).collect();
    edits.sort_unstable();
    edits
}

/// A server of a generation opens the region.
fn open(env: &FakeEnv, generation: u32) -> grampus_base::Result<(Arc<Engine>, Arc<Region>)> {
    let engine = Engine::open_in(Arc::new(env.clone()), &after()).unwrap();
    engine.set_compactions_enabled(false);
    let prefix = format!("s{generation}");
    engine.start_wal(&format!("/h/WALs/{prefix}"), "/h/oldWALs", &prefix)?;
    let region = engine.open_region(&open_region_json("/h", REGION, &FAMILIES))?;
    Ok((engine, region))
}

fn number(json: &str, name: &str) -> u64 {
    serde_json::from_str::<Value>(json).unwrap()[name].as_u64().unwrap()
}

fn memory(engine: &Engine) -> u64 {
    number(&engine.metrics_json(), "engine.memstore.bytes")
}

#[test]
fn more_edits_than_memory_come_back_in_several_files() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 3);
        let expected = write_and_die(&env, 3);
        split(&env);
        assert!(edits(&env).len() > 5, "{:?}", env.files());
        let (engine, region) = open(&env, 2).unwrap();
        assert_eq!(scan_all(&region, &Spec::scan().versions(3)), expected);
        let files = number(&region.stats().to_string(), "storeFileCount");
        assert!(files > 2 * 3, "{files} files of two families");
        assert_eq!((edits(&env), memory(&engine)), (Vec::new(), 0));
        assert_eq!(number(&region.open_report_json(), "replayedEdits"), u64::from(WRITES));
    });
}

/// Edits of which a later file has earlier ones, as no log has them: they stay in memory, since no store file could say what it holds.
#[test]
fn files_that_overlap_come_back_whole() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 4);
        let expected = write_and_die(&env, 4);
        split(&env);
        let first = edits(&env).remove(0);
        env.rename(&edits_dir().join(first), &edits_dir().join("9999999999999999999")).unwrap();
        let (_engine, region) = open(&env, 2).unwrap();
        assert_eq!(scan_all(&region, &Spec::scan().versions(3)), expected);
        assert_eq!(number(&region.stats().to_string(), "storeFileCount"), 2);
    });
}

/// The n-th call of a kind fails, the machine crashes, and the next server opens the region: for every n until none fails.
fn survives(kind: FakeKind, name: &str, faults: fn(u64) -> Faults) {
    let mut failed = 0;
    for n in 0.. {
        let env = FakeEnv::of(kind, n);
        let expected = write_and_die(&env, n);
        split(&env);
        env.set_faults(faults(n));
        let outcome = open(&env, 2);
        env.set_faults(Faults::default());
        let Err(_) = outcome else { break };
        failed += 1;
        env.crash_machine();
        let (engine, region) = open(&env, 3).unwrap();
        assert_eq!(scan_all(&region, &Spec::scan().versions(3)), expected, "{name} {n}");
        assert_eq!(memory(&engine), 0, "{name} {n}");
    }
    assert!(failed > 5, "{failed} failures of a {name} on a {kind:?} file system");
}

#[test]
fn a_replay_that_cannot_rename_is_made_good_by_the_next() {
    on_each_kind(|kind| {
        survives(kind, "rename", |n| Faults { fail_rename_in: Some(n), ..Faults::default() })
    });
}

#[test]
fn a_replay_that_cannot_sync_is_made_good_by_the_next() {
    on_each_kind(|kind| survives(kind, "sync", |n| Faults { fail_sync_in: Some(n), ..Faults::default() }));
}

#[test]
fn a_replay_that_cannot_append_is_made_good_by_the_next() {
    on_each_kind(|kind| {
        survives(kind, "append", |n| Faults { fail_append_in: Some(n), ..Faults::default() })
    });
}
