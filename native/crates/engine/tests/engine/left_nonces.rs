//! Nonces go where a region goes: what a client repeats on the next server, on a daughter or on a merged region is answered and not executed
//! again.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::Level;
use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv, Faults};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, open_region_json};

use crate::common::layout::{Range, create, delete_tree, highest_mark, names, put_mark, refer, region_dir};
use crate::common::{Fixture, REGION, mutate, on_each_kind, start_in, until};

const FAMILIES: [(&str, &str); 1] = [("f", "\"maxVersions\":3")];
const TTL_MILLIS: i64 = 30 * 60 * 1000;
const LOW: &str = "00000000000000000000000000000001";
const HIGH: &str = "00000000000000000000000000000002";
const MERGED: &str = "00000000000000000000000000000003";

fn fixture(env: &FakeEnv, generation: u32) -> Fixture {
    start_in(Arc::new(env.clone()), "{}", &FAMILIES, generation)
}

fn increment(row: &str, nonce: u64) -> Batch {
    Batch::new().row_op(RowOp::increment(nonce, &[Cell::put(row, "f", "n", i64::MAX, 1i64.to_be_bytes())]))
}

fn count(answers: &[Answer]) -> i64 {
    let [Answer::Cells(cells)] = answers else { panic!("{answers:?}") };
    i64::from_be_bytes(cells[0].value.as_slice().try_into().unwrap())
}

fn files(env: &FakeEnv, region: &str) -> Vec<PathBuf> {
    let dir = region_dir("t", region).join("recovered.edits");
    let names = names(env, &dir).into_iter().filter(|name| name.contains(".nonces"));
    names.map(|name| dir.join(name)).collect()
}

fn warnings(engine: &Engine) -> Vec<String> {
    let events = engine.poll_events(Duration::ZERO).unwrap();
    events.into_iter().filter(|e| e.level == Level::Warn).map(|e| e.text).collect()
}

/// Ends a server in order.
fn stop(f: Fixture) {
    f.region.close(false).unwrap();
    f.engine.close().unwrap();
}

/// The only file of nonces, behind a server that has executed nonce 9 and has stopped in order.
fn saved_by_one_increment(env: &FakeEnv) -> PathBuf {
    let first = fixture(env, 1);
    first.mutate(&increment("r", 9));
    stop(first);
    let [file] = &files(env, REGION)[..] else { panic!("not one file") };
    file.clone()
}

#[test]
fn a_region_that_moves_in_order_knows_its_nonces() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let first = fixture(&env, 1);
        assert_eq!(count(&first.mutate(&increment("r", 9))), 1);
        stop(first);
        let left = files(&env, REGION);
        assert_eq!(left.len(), 1);

        let second = fixture(&env, 2);
        assert_eq!(count(&second.mutate(&increment("r", 9))), 1);
        assert_eq!(count(&second.mutate(&increment("r", 10))), 2);
        assert_eq!(files(&env, REGION), left, "the next close replaces it");
        stop(second);
        assert_eq!(files(&env, REGION).len(), 1);
        assert_ne!(files(&env, REGION), left);

        let third = fixture(&env, 3);
        assert_eq!(count(&third.mutate(&increment("r", 10))), 2);
        assert_eq!(count(&third.mutate(&increment("r", 9))), 1);
        assert!(warnings(&third.engine).is_empty());
    });
}

#[test]
fn what_was_taken_in_outlives_a_server_that_dies() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let first = fixture(&env, 1);
        first.mutate(&increment("r", 9));
        stop(first);
        let second = fixture(&env, 2);
        second.region.close(true).unwrap();
        drop(second);
        env.crash_machine();
        assert_eq!(count(&fixture(&env, 3).mutate(&increment("r", 9))), 1);
    });
}

/// A server that died before it had removed the older file leaves two with the same nonces.
#[test]
fn a_file_has_each_nonce_once() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let file = &saved_by_one_increment(&env);
        let bytes = env.read(file).unwrap();
        create(&env, &file.with_file_name("1.0123456789abcdef.nonces"), &bytes);
        let second = fixture(&env, 2);
        assert_eq!(count(&second.mutate(&increment("r", 9))), 1);
        stop(second);
        let [file] = &files(&env, REGION)[..] else { panic!("not one file") };
        assert_eq!(env.len(file).unwrap(), bytes.len() as u64);
    });
}

#[test]
fn a_region_that_is_aborted_takes_no_memory() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, 1);
    f.mutate(&increment("r", 9));
    assert_eq!(f.metric("nonces.count"), 1);
    f.region.close(true).unwrap();
    assert_eq!((f.metric("nonces.count"), f.metric("memstore.bytes")), (0, 0));
}

#[test]
fn ages_go_along() {
    let env = FakeEnv::new(1);
    let first = fixture(&env, 1);
    first.mutate(&increment("r", 9));
    env.advance_millis(TTL_MILLIS / 2);
    first.mutate(&increment("r", 10));
    stop(first);
    env.advance_millis(TTL_MILLIS / 4);
    let second = fixture(&env, 2);
    assert_eq!(count(&second.mutate(&increment("r", 9))), 1);
    env.advance_millis(TTL_MILLIS / 4);
    assert_eq!(count(&second.mutate(&increment("r", 9))), 3, "its time is over");
    assert_eq!(count(&second.mutate(&increment("r", 10))), 2);
}

#[test]
fn what_is_too_old_is_neither_left_nor_taken_in() {
    let env = FakeEnv::new(1);
    let first = fixture(&env, 1);
    first.mutate(&increment("r", 9));
    stop(first);
    env.advance_millis(TTL_MILLIS);
    let second = fixture(&env, 2);
    assert_eq!(second.metric("nonces.count"), 0);
    assert_eq!(count(&second.mutate(&increment("r", 9))), 2);
    env.advance_millis(TTL_MILLIS);
    stop(second);
    assert_eq!(files(&env, REGION), Vec::<PathBuf>::new());
}

#[test]
fn a_region_without_nonces_leaves_no_file() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, 1);
    f.put(Cell::put("r", "f", "q", 1, "v"));
    f.mutate(&increment("r", 0));
    stop(f);
    assert_eq!(files(&env, REGION), Vec::<PathBuf>::new());
}

#[test]
fn a_closed_region_takes_no_memory_and_leaves_that_of_others_alone() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, 1);
    let other = open(&f.engine, &env, LOW, ("", ""));
    mutate(&f.engine, &other, &increment("a", 1));
    f.mutate(&increment("a", 2));
    f.region.close(false).unwrap();
    assert_eq!(f.metric("nonces.count"), 1);
    assert_eq!(count(&mutate(&f.engine, &other, &increment("a", 1))), 1);
}

#[test]
fn a_damaged_file_costs_its_nonces_and_one_warning() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let file = &saved_by_one_increment(&env);
        env.flip(file, 30).unwrap();

        let second = fixture(&env, 2);
        let said = warnings(&second.engine);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(file.to_str().unwrap()) && said[0].contains("checksum"), "{said:?}");
        assert_eq!(count(&second.mutate(&increment("r", 9))), 2);
        stop(second);
        assert!(!env.exists(file).unwrap());
        assert!(warnings(&fixture(&env, 3).engine).is_empty());
    });
}

#[test]
fn a_directory_of_that_name_is_passed_over() {
    let env = FakeEnv::new(1);
    let file = &saved_by_one_increment(&env);
    env.delete(file).unwrap();
    env.mkdir(file).unwrap();
    let second = fixture(&env, 2);
    assert_eq!(count(&second.mutate(&increment("r", 9))), 2);
    assert!(warnings(&second.engine).is_empty());
}

#[test]
fn a_file_that_cannot_be_written_costs_no_close() {
    let env = FakeEnv::new(1);
    let first = fixture(&env, 1);
    first.mutate(&increment("r", 9));
    first.region.flush().unwrap();
    env.set_faults(Faults { failing_creates: 1, ..Faults::default() });
    first.region.close(false).unwrap();
    assert!(warnings(&first.engine).iter().any(|text| text.contains("nonces cannot be saved")));
    drop(first);
    assert_eq!(count(&fixture(&env, 2).mutate(&increment("r", 9))), 2);
}

/// Opens a region between two rows.
fn open(engine: &Arc<Engine>, env: &FakeEnv, region: &str, (from, until): (&str, &str)) -> Arc<Region> {
    env.mkdir_durably(&region_dir("t", region)).unwrap();
    let hex = |row: &str| row.bytes().map(|b| format!("{b:02x}")).collect::<String>();
    let json = open_region_json("/h", region, &FAMILIES)
        .replace("\"startKey\":\"\"", &format!("\"startKey\":\"{}\"", hex(from)))
        .replace("\"endKey\":\"\"", &format!("\"endKey\":\"{}\"", hex(until)));
    engine.open_region(&json).unwrap()
}

/// What the master does to the directories of a region that was closed.
fn split(env: &FakeEnv) {
    let last = highest_mark(env, "t", REGION);
    for (child, range) in [(LOW, Range::Below("m")), (HIGH, Range::From("m"))] {
        refer(env, "t", REGION, child, "f", range);
        put_mark(env, "t", child, last);
    }
}

fn merge(env: &FakeEnv) {
    let last = highest_mark(env, "t", LOW).max(highest_mark(env, "t", HIGH));
    for parent in [LOW, HIGH] {
        refer(env, "t", parent, MERGED, "f", Range::From(""));
    }
    put_mark(env, "t", MERGED, last);
}

/// Waits until a region has no file of its parents any more.
fn compact(env: &FakeEnv, region: &Region, name: &str) {
    region.compact("{\"major\":true}").unwrap();
    let family = region_dir("t", name).join("f");
    until("references to be compacted away", || names(env, &family).iter().all(|file| !file.contains('.')));
}

#[test]
fn daughters_know_the_nonces_of_their_parent() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let first = fixture(&env, 1);
        first.mutate(&increment("a", 1));
        first.mutate(&increment("x", 2));
        stop(first);
        split(&env);

        let second = server(&env, 2);
        let (low, high) = (open(&second, &env, LOW, ("", "m")), open(&second, &env, HIGH, ("m", "")));
        assert_eq!(count(&mutate(&second, &low, &increment("a", 1))), 1);
        assert_eq!(count(&mutate(&second, &high, &increment("x", 2))), 1);
        // One is closed: the other still has what both had.
        low.close(false).unwrap();
        assert_eq!(count(&mutate(&second, &high, &increment("x", 2))), 1);
        assert_eq!(files(&env, LOW).len(), 1);

        // The parent is forgotten, and the server of the other dies.
        compact(&env, &high, HIGH);
        delete_tree(&env, &region_dir("t", REGION));
        high.close(true).unwrap();
        drop((high, second));
        env.crash_machine();
        let third = server(&env, 3);
        let high = open(&third, &env, HIGH, ("m", ""));
        assert_eq!(count(&mutate(&third, &high, &increment("x", 2))), 1);
        assert_eq!(count(&mutate(&third, &high, &increment("x", 3))), 2);
    });
}

#[test]
fn a_merged_region_knows_the_nonces_of_both() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let first = server(&env, 1);
        let (low, high) = (open(&first, &env, LOW, ("", "m")), open(&first, &env, HIGH, ("m", "")));
        (1..=5).for_each(|nonce| {
            assert_eq!(count(&mutate(&first, &high, &increment("x", nonce))), nonce as i64)
        });
        mutate(&first, &low, &increment("a", 6));
        low.close(false).unwrap();
        high.close(false).unwrap();
        first.close().unwrap();
        merge(&env);

        let second = server(&env, 2);
        let merged = open(&second, &env, MERGED, ("", ""));
        assert_eq!(count(&mutate(&second, &merged, &increment("a", 6))), 1);
        assert_eq!(count(&mutate(&second, &merged, &increment("x", 5))), 5);
        assert_eq!(count(&mutate(&second, &merged, &increment("x", 7))), 6);
    });
}

/// A server without a region.
fn server(env: &FakeEnv, generation: u32) -> Arc<Engine> {
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    let name = format!("s{generation}");
    engine.start_wal(&format!("/h/WALs/{name}"), "/h/oldWALs", &name).unwrap();
    engine
}
