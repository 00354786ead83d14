//! What the engine holds of a region that was closed: nothing once its files are gone, its pages until then.

use std::path::Path;
use std::sync::Arc;

use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};

use crate::common::{Fixture, REGION, metric, mutate, row, scan_all, start_in, until};

const OTHER: &str = "fedcba9876543210fedcba9876543210";
const FAMILY: &str = "\"maxVersions\":1,\"bloom\":\"ROW\"";

/// Everything that a region takes by the engine's accounts: bytes of memtables, of those kept by reads, of open files and of pages.
fn held(engine: &Engine) -> [u64; 4] {
    ["memstore.bytes", "memstore.pinned_bytes", "files.open_bytes", "block_cache.used_bytes"]
        .map(|name| metric(engine, name))
}

/// Milliseconds from one look at closed stores to the next.
const LOOK_EVERY_MILLIS: i64 = 10_000;

/// As the master does with a table that is dropped. The next look is due.
fn archive(env: &FakeEnv, region: &str) {
    env.mkdir_durably(Path::new("/h/archive")).unwrap();
    env.rename(Path::new(&format!("/h/data/default/t/{region}")), Path::new(&format!("/h/archive/{region}")))
        .unwrap();
    env.advance_millis(LOOK_EVERY_MILLIS);
}

fn fixture(families: &[(&str, &str)]) -> (Arc<FakeEnv>, Fixture) {
    let env = Arc::new(FakeEnv::new(1));
    let f = start_in(env.clone(), "{}", families, 1);
    (env, f)
}

/// A second region, with a file that was read.
fn open_other(f: &Fixture) -> Arc<Region> {
    f.env.mkdir_durably(Path::new(&format!("/h/data/default/t/{OTHER}"))).unwrap();
    let region = f.engine.open_region(&open_region_json("/h", OTHER, &[("f", FAMILY)])).unwrap();
    mutate(&f.engine, &region, &Batch::new().row_op(RowOp::put(&[Cell::put(&row(1), "f", "q", 1, "v")])));
    region.flush().unwrap();
    assert_eq!(scan_all(&region, &Spec::scan()).len(), 1);
    region
}

#[test]
fn a_dropped_region_gives_everything_back() {
    let (env, f) = fixture(&[("f", FAMILY), ("g", FAMILY)]);
    let before = held(&f.engine);
    f.fill(2_000);
    f.region.flush().unwrap();
    assert_eq!(f.scan(&Spec::scan()).len(), 2_000);
    f.fill(100);
    f.put(Cell::put(&row(1), "g", "q", 1, "v"));
    assert!(held(&f.engine)[3] > 2_000 << 10 && held(&f.engine)[0] > 100 << 10);
    f.region.close(false).unwrap();
    let Fixture { engine, region, .. } = f;
    drop(region);
    let [memtables, pinned, files, pages] = held(&engine);
    assert_eq!([memtables, pinned, files], before[..3]);
    assert!(pages > 2_000 << 10, "the region might come back");
    archive(&env, REGION);
    until("the pages of files that are gone to leave", || held(&engine) == before);
}

#[test]
fn a_region_that_comes_back_finds_its_pages_and_others_lose_theirs() {
    let (env, f) = fixture(&[("f", FAMILY)]);
    f.fill(500);
    f.region.flush().unwrap();
    assert_eq!(f.scan(&Spec::scan()).len(), 500);
    let pages = f.metric("block_cache.page_count");
    let other = open_other(&f);
    f.region.close(false).unwrap(); // before the other one, so it is looked at first
    other.close(false).unwrap();
    assert!(f.metric("block_cache.page_count") > pages);
    archive(&env, OTHER);
    until("the other region's pages to leave", || f.metric("block_cache.page_count") == pages);
    let region = f.engine.open_region(&f.open_json).unwrap();
    let misses = f.metric("block_cache.miss_count");
    assert_eq!(scan_all(&region, &Spec::scan()).len(), 500);
    assert_eq!(f.metric("block_cache.miss_count"), misses);
}

#[test]
fn pages_that_a_region_only_found_in_the_cache_leave_as_well() {
    let (env, f) = fixture(&[("f", FAMILY)]);
    let before = held(&f.engine);
    f.fill(500);
    f.region.flush().unwrap();
    assert_eq!(f.scan(&Spec::scan()).len(), 500);
    f.region.close(false).unwrap();
    let region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(scan_all(&region, &Spec::scan()).len(), 500);
    let new = Cell::put(&row(500), "f", "q", 1, "v");
    mutate(&f.engine, &region, &Batch::new().row_op(RowOp::put(&[new])));
    region.flush().unwrap();
    assert_eq!(scan_all(&region, &Spec::scan()).len(), 501);
    region.close(false).unwrap();
    let Fixture { engine, region: first, .. } = f;
    drop((first, region));
    archive(&env, REGION);
    until("the pages of both files to leave", || held(&engine) == before);
}

#[test]
fn free_memory_goes_back_to_the_operating_system_once_use_has_been_low() {
    let env = Arc::new(FakeEnv::new(1));
    let config = "{\"memtableBytes\":1073741824,\"compactions\":false}";
    let f = start_in(env.clone(), config, &[("f", "\"maxVersions\":1")], 1);
    let tick = || {
        env.advance_millis(301_000);
        let seen = f.metric("maintenance.tick_count");
        until("a tick", || f.metric("maintenance.tick_count") > seen);
    };
    let value = "v".repeat(1 << 20);
    (0..70).for_each(|n| f.put(Cell::put(&row(n), "f", "q", 1, value.clone())));
    tick();
    assert!(f.metric("memstore.bytes") > 64 << 20);
    assert_eq!(f.metric("memory.trim_count"), 0);
    f.region.flush().unwrap();
    until("free memory to go back", || {
        tick();
        f.metric("memory.trim_count") == 1
    });
    tick();
    assert_eq!(f.metric("memory.trim_count"), 1, "nothing more was given up");
}
