//! What requests and families say about the block cache, seen in its counters.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::events::Topic;
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use serde_json::Value;

use crate::common::{Fixture, NO_LIMITS, next, noise, row, start_in};

const CACHE_BLOCKS: u32 = 8;
const CACHE_BYTES: u64 = 4 << 20;
const CONFIG: &str = "{\"blockCacheBytes\":4194304}";
const FAMILY: &str = "\"maxVersions\":1,\"blockSize\":4096";

/// A table of rows of 1 KiB in files.
fn table(family: &str, rows: u32) -> Fixture {
    let f = start_in(Arc::new(FakeEnv::new(1)), CONFIG, &[("f", family)], 1);
    f.fill(rows);
    f.region.flush().unwrap();
    f
}

fn get(f: &Fixture, n: u32, cache: bool) {
    let mut spec = Spec::get(&row(n));
    if !cache {
        spec.flags &= !CACHE_BLOCKS;
    }
    let mut out = Vec::new();
    f.region.get(&spec.encode(), &mut out).unwrap();
    assert!(out.len() > 1024, "row {n} is missing");
}

fn hot_rows() -> impl Iterator<Item = u32> {
    (0..16_000).step_by(160)
}

/// Share of hits among the pages that gets of the hot rows ask for.
fn hit_ratio(f: &Fixture) -> f64 {
    let count = |name| f.metric(&format!("block_cache.{name}_caching_count")) as f64;
    let before = (count("hit"), count("miss"));
    hot_rows().for_each(|n| get(f, n, true));
    let (hits, misses) = (count("hit") - before.0, count("miss") - before.1);
    hits / (hits + misses)
}

fn full_scan(f: &Fixture, cache: bool) {
    let mut spec = Spec::scan();
    if !cache {
        spec.flags &= !CACHE_BLOCKS;
    }
    let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
    let mut rows = 0;
    loop {
        let (cells, info) = next(&mut scanner, &NO_LIMITS, 256 * 1024);
        rows += cells.len();
        if info.end {
            break;
        }
    }
    assert_eq!(rows, 16_000);
}

#[test]
fn full_scans_of_four_times_the_cache_spare_what_gets_use() {
    let f = table(FAMILY, 16_000);
    let stored: Value = serde_json::from_str(&f.region.stats().to_string()).unwrap();
    assert!(
        stored["storeFileBytes"].as_u64().unwrap() > 15 << 20,
        "less than four times the cache: {stored}"
    );
    full_scan(&f, true);
    (0..5).for_each(|_| hot_rows().for_each(|n| get(&f, n, true)));
    assert!(hit_ratio(&f) > 0.99, "the hot rows fit the cache");
    for cache in [false, true, true] {
        full_scan(&f, cache);
        let ratio = hit_ratio(&f);
        assert!(ratio > 0.9, "after a scan with cacheBlocks={cache} gets find {ratio} of their pages");
    }
    assert!(f.metric("block_cache.eviction_count") > 0);
    assert!(f.metric("block_cache.used_bytes") <= CACHE_BYTES);
}

#[test]
fn a_request_that_does_not_cache_blocks_lets_none_in_but_uses_what_is_there() {
    let f = table(FAMILY, 1_000);
    get(&f, 7, false);
    f.await_filters();
    let blooms = f.metric("block_cache.page_count");
    assert_eq!(blooms, 1, "the bloom filter comes in, as in HBase");
    get(&f, 7, false);
    assert_eq!(f.metric("block_cache.page_count"), blooms);
    assert_eq!(f.metric("block_cache.miss_caching_count"), 0);
    get(&f, 7, true);
    let misses = f.metric("block_cache.miss_count");
    get(&f, 7, false);
    assert_eq!(f.metric("block_cache.miss_count"), misses, "all pages were there");
}

#[test]
fn a_family_without_blockcache_reads_every_page_again() {
    let f = table(&format!("{FAMILY},\"blockCache\":false"), 1_000);
    get(&f, 7, true);
    f.await_filters();
    let first = f.metric("files.page_reads");
    get(&f, 7, true);
    assert_eq!(f.metric("files.page_reads"), 2 * first - 1, "only the bloom filter is there");
    assert_eq!(f.metric("block_cache.page_count"), 1);
}

#[test]
fn cache_data_on_write_makes_the_first_read_a_hit_and_does_so_without_blockcache_too() {
    for rest in ["", ",\"blockCache\":false"] {
        let f = table(&format!("{FAMILY},\"cacheDataOnWrite\":true{rest}"), 1_000);
        get(&f, 7, true);
        assert_eq!(f.metric("block_cache.miss_count"), 0);
        assert!(f.metric("block_cache.hit_count") > 0);
    }
}

/// Waits for the line that says how a prefetch ended.
fn await_prefetch(f: &Fixture) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let events = f.engine.poll_events(Duration::from_millis(100)).unwrap();
        if let Some(event) = events.into_iter().find(|e| e.topic == Topic::Prefetch) {
            return event.text;
        }
        assert!(Instant::now() < deadline, "no prefetch ended: {}", f.engine.metrics_json());
    }
}

fn reopen(f: &mut Fixture) {
    f.region.close(false).unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
}

#[test]
fn prefetch_on_open_loads_all_pages_before_anybody_asks() {
    let mut f = table(&format!("{FAMILY},\"prefetchBlocksOnOpen\":true,\"evictBlocksOnClose\":true"), 1_000);
    await_prefetch(&f); // a flushed file is opened too
    reopen(&mut f);
    assert!(!await_prefetch(&f).contains("does not take"));
    (0..1_000).for_each(|n| get(&f, n, true));
    assert_eq!(f.metric("block_cache.miss_count"), 0);
}

#[test]
fn prefetch_ends_when_the_cache_is_full() {
    let f = table(&format!("{FAMILY},\"prefetchBlocksOnOpen\":true"), 8_000);
    assert!(await_prefetch(&f).contains("the cache does not take the others"));
    let (loaded, kept) = (f.metric("block_cache.loaded_count"), f.metric("block_cache.page_count"));
    assert_eq!(loaded, kept, "a page was loaded and pushed out again");
    assert!(f.metric("block_cache.used_bytes") > CACHE_BYTES / 2);
}

#[test]
fn pages_outlive_a_close_unless_the_family_wants_them_evicted() {
    for (rest, evicted) in [("", false), (",\"evictBlocksOnClose\":true", true)] {
        let mut f = table(&format!("{FAMILY}{rest}"), 1_000);
        get(&f, 7, true);
        reopen(&mut f);
        let misses = f.metric("block_cache.miss_count");
        get(&f, 7, true);
        assert_eq!(f.metric("block_cache.miss_count") > misses, evicted, "{rest}");
    }
}

#[test]
fn the_inputs_of_a_compaction_leave_the_cache_and_its_output_stays_out_unless_told_so() {
    for (rest, warm) in [("", false), (",\"cacheCompactedUpTo\":10000000", true)] {
        let f = table(&format!("{FAMILY}{rest}"), 1_000);
        f.put(Cell::put("row000001", "f", "q", 2, "new"));
        f.region.flush().unwrap();
        get(&f, 7, true);
        assert!(f.metric("block_cache.page_count") > 0);
        f.region.compact("{\"major\":true}").unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while f.metric("compaction.major.count") == 0 {
            assert!(Instant::now() < deadline, "no compaction came");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(f.metric("block_cache.page_count") > 0, warm, "{rest}");
        let misses = f.metric("block_cache.miss_count");
        get(&f, 7, true);
        assert_eq!(f.metric("block_cache.miss_count") == misses, warm, "{rest}");
    }
}

#[test]
fn an_in_memory_family_keeps_its_pages_among_busy_others() {
    let families = [("f", FAMILY), ("m", "\"maxVersions\":1,\"blockSize\":4096,\"inMemory\":true")];
    let f = start_in(Arc::new(FakeEnv::new(1)), CONFIG, &families, 1);
    for n in 0..8_000 {
        let cells = [Cell::put(&row(n), "f", "q", 1, noise(n))];
        f.mutate(&Batch::new().row_op(RowOp::put_as(1, &cells)));
    }
    for n in 0..200 {
        f.put(Cell::put(&row(n), "m", "q", 1, noise(n)));
    }
    f.region.flush().unwrap();
    let of = |family: &str, n: u32| drop(f.get(&Spec::get(&row(n)).column(family, "q")));
    (0..200).for_each(|n| of("m", n));
    assert!(f.metric("block_cache.in_memory_bytes") > 200 << 10);
    (0..3).for_each(|_| (0..8_000).for_each(|n| of("f", n)));
    let misses = f.metric("block_cache.miss_count");
    (0..200).for_each(|n| of("m", n));
    assert_eq!(f.metric("block_cache.miss_count"), misses);
}

#[test]
fn clearing_a_region_counts_its_pages_and_reads_bring_them_back() {
    let f = table(FAMILY, 256);
    (0..256).for_each(|n| get(&f, n, true));
    let pages = f.metric("block_cache.page_count");
    assert!(pages > 0);
    assert_eq!(f.region.clear_cache().unwrap(), pages);
    assert_eq!(f.metric("block_cache.page_count"), 0);
    assert_eq!(f.region.clear_cache().unwrap(), 0);
    (0..256).for_each(|n| get(&f, n, true));
    assert_eq!(f.metric("block_cache.page_count"), pages);
}
