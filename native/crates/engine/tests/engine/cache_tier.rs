//! The second tier of the block cache under a table, seen in its counters.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::events::Topic;
use grampus_engine::Engine;
use grampus_env::FakeEnv;
use grampus_testkit::wire::Spec;
use serde_json::{Value, json};

use crate::common::{Fixture, NO_LIMITS, next, noise, row, start_in};

const CACHE_BLOCKS: u32 = 8;
const ROWS: u32 = 8_000;
const MEMORY_BYTES: u64 = 4 << 20;
const FAMILY: &str = "\"maxVersions\":1,\"blockSize\":4096";

fn config(dir: &Path) -> String {
    let paths = [dir.join("a"), dir.join("b")];
    let tier = json!({"paths": paths, "bytes": 32 << 20, "reserve": true});
    json!({"blockCacheBytes": MEMORY_BYTES, "blockCacheTier": tier}).to_string()
}

/// A table of twice the cache's memory, in one file, over a tier on two paths.
fn table(dir: &Path, family: &str) -> Fixture {
    let f = start_in(Arc::new(FakeEnv::new(1)), &config(dir), &[("f", family)], 1);
    f.fill(ROWS);
    f.region.flush().unwrap();
    let stored: Value = serde_json::from_str(&f.region.stats().to_string()).unwrap();
    assert!(stored["storeFileBytes"].as_u64().unwrap() > 19 * MEMORY_BYTES / 10, "{stored}");
    f
}

fn get(f: &Fixture, n: u32, cache: bool) {
    let mut spec = Spec::get(&row(n));
    if !cache {
        spec.flags &= !CACHE_BLOCKS;
    }
    let cells = f.get(&spec);
    assert_eq!(cells.len(), 1, "row {n}");
    assert_eq!(cells[0].value, noise(n), "row {n}");
}

fn get_all(f: &Fixture) {
    (0..ROWS).for_each(|n| get(f, n, true));
}

/// Waits until the tier has what it is to have.
fn await_writes(f: &Fixture) {
    f.await_filters();
    let deadline = Instant::now() + Duration::from_secs(60);
    while f.metric("block_cache_tier.queued_bytes") > 0 {
        assert!(Instant::now() < deadline, "the tier does not write: {}", f.engine.metrics_json());
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_table_of_twice_the_memory_is_served_without_a_read_of_its_files() {
    let dir = tempfile::tempdir().unwrap();
    let f = table(dir.path(), FAMILY);
    get_all(&f);
    await_writes(&f);
    let (reads, hits) = (f.metric("files.page_reads"), f.metric("block_cache_tier.hit_count"));
    (0..2).for_each(|_| get_all(&f));
    assert_eq!(f.metric("files.page_reads"), reads, "{}", f.engine.metrics_json());
    assert!(f.metric("block_cache_tier.hit_count") > hits + u64::from(ROWS) / 8);
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let mut rows = 0;
    while rows < ROWS as usize {
        rows += next(&mut scanner, &NO_LIMITS, 256 * 1024).0.len();
    }
    assert_eq!(f.metric("files.page_reads"), reads, "scans are served from it as well");
    assert_eq!(f.metric("block_cache_tier.drop_count"), 0);
    assert_eq!(f.metric("block_cache_tier.damaged_count"), 0);
    assert!(f.metric("block_cache.used_bytes") <= MEMORY_BYTES);
    for path in ["a", "b"] {
        assert_eq!(dir.path().join(path).metadata().unwrap().len(), (16 << 20) + 4096);
    }
}

#[test]
fn what_does_not_come_into_memory_does_not_come_into_the_tier() {
    let dir = tempfile::tempdir().unwrap();
    let f = table(dir.path(), FAMILY);
    (0..ROWS).step_by(4).for_each(|n| get(&f, n, false));
    await_writes(&f);
    assert_eq!(f.metric("block_cache_tier.page_count"), 0);
    get_all(&f);
    await_writes(&f);
    let (reads, pages) = (f.metric("files.page_reads"), f.metric("block_cache.page_count"));
    (0..ROWS).for_each(|n| get(&f, n, false));
    assert_eq!(f.metric("files.page_reads"), reads, "but such a request uses what is there");
    assert_eq!(f.metric("block_cache.page_count"), pages);
}

#[test]
fn a_request_that_may_not_wait_does_not_wait_for_the_tier() {
    use grampus_engine::GetStatus;
    const NON_BLOCKING: u32 = 1;
    let dir = tempfile::tempdir().unwrap();
    let f = table(dir.path(), FAMILY);
    get_all(&f);
    await_writes(&f);
    let hits = f.metric("block_cache_tier.hit_count");
    let refused = |n: &u32| {
        let mut spec = Spec::get(&row(*n));
        spec.flags |= NON_BLOCKING;
        f.region.get(&spec.encode(), &mut Vec::new()).unwrap() == GetStatus::WouldBlock
    };
    assert!((0..ROWS).filter(refused).count() > ROWS as usize / 8);
    assert_eq!(f.metric("block_cache_tier.hit_count"), hits);
}

#[test]
fn a_replaced_or_cleared_file_leaves_the_tier() {
    let dir = tempfile::tempdir().unwrap();
    let f = table(dir.path(), FAMILY);
    get_all(&f);
    await_writes(&f);
    let pages = f.metric("block_cache_tier.page_count") + f.metric("block_cache.page_count");
    assert_eq!(f.region.clear_cache().unwrap(), pages);
    assert_eq!(f.metric("block_cache_tier.page_count"), 0);
    get_all(&f);
    await_writes(&f);
    assert!(f.metric("block_cache_tier.page_count") > 0);
    f.region.compact("{\"major\":true}").unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while f.metric("compaction.major.count") == 0 {
        assert!(Instant::now() < deadline, "no compaction came");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(f.metric("block_cache_tier.page_count"), 0);
    get_all(&f);
}

type Damage = fn(&mut Vec<u8>);

/// Another process writes into the files, or cuts them: the values are right all the same, the log says what was found, and a file that
/// has too much of it is not used any more.
#[test]
fn damage_of_its_files_costs_hits_only() {
    let flip = |bytes: &mut Vec<u8>| bytes.iter_mut().skip(4096).step_by(500).for_each(|byte| *byte ^= 1);
    let swap = |bytes: &mut Vec<u8>| bytes[4096..].rotate_left(64 << 10);
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(4096 + 1000);
    let damages: [(&str, Damage); 3] = [("flipped", flip), ("swapped", swap), ("cut", cut)];
    for (what, damage) in damages {
        let dir = tempfile::tempdir().unwrap();
        let f = table(dir.path(), FAMILY);
        get_all(&f);
        await_writes(&f);
        for path in ["a", "b"] {
            let path = dir.path().join(path);
            let mut bytes = std::fs::read(&path).unwrap();
            damage(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        f.engine.poll_events(Duration::ZERO).unwrap();
        (0..2).for_each(|_| get_all(&f));
        let damaged = f.metric("block_cache_tier.damaged_count");
        assert!(damaged >= 200, "{what}: {damaged} damaged pages");
        assert_eq!(f.metric("block_cache_tier.failed_path_count"), 2, "{what}");
        let events = f.engine.poll_events(Duration::ZERO).unwrap();
        let said: Vec<&str> =
            events.iter().filter(|e| e.topic == Topic::Cache).map(|e| e.text.as_str()).collect();
        assert!(
            said.iter().any(|text| text.contains("is damaged; it is read from its column file")),
            "{said:?}"
        );
        assert_eq!(said.iter().filter(|text| text.contains("is not used again")).count(), 2, "{said:?}");
    }
}

#[test]
fn a_foreign_file_at_the_path_stops_the_start_in_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("b"), "precious").unwrap();
    let refusal = Engine::open(&config(dir.path())).err().unwrap().message;
    assert!(refusal.ends_with("is not a file of a block cache; name another path or remove it"), "{refusal}");
    assert!(!refusal.contains('\n'));
    assert_eq!(std::fs::read_to_string(dir.path().join("b")).unwrap(), "precious");
}
