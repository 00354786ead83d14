//! What the files that are open take of memory besides their pages in the cache.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::{Level, Topic};
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use serde_json::Value;

use crate::common::{row, start, start_in};

/// A page of 64 KiB is a line of the footer, and so is a column of a row group.
#[test]
fn open_files_take_little_memory_and_are_counted_as_long_as_they_are_open() {
    let f = start(&[("f", "\"maxVersions\":1"), ("g", "\"maxVersions\":1")]);
    assert_eq!((f.metric("files.open_count"), f.metric("files.open_bytes")), (0, 0));
    f.fill(4_000);
    f.region.flush().unwrap();
    let narrow = f.metric("files.open_bytes");
    assert!((4_000..40_000).contains(&narrow), "{narrow} bytes for 4 MiB in pages of 64 KiB");
    let cells: Vec<Cell> = (0..1_000).map(|n| Cell::put("row", "g", &format!("q{n:04}"), 1, "v")).collect();
    f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    f.region.flush().unwrap();
    assert_eq!(f.metric("files.open_count"), 2);
    assert!(f.metric("files.open_bytes") > narrow);
    assert_eq!(f.get(&Spec::get("row")).len(), 1_000);
    f.region.close(false).unwrap();
    assert_eq!(f.metric("files.open_count"), 0);
    let engine = Arc::clone(&f.engine);
    drop(f); // a region that is held holds its files
    let metrics: Value = serde_json::from_str(&engine.metrics_json()).unwrap();
    assert_eq!(metrics["engine.files.open_bytes"], 0);
}

#[test]
fn the_block_cache_has_what_open_files_leave_it_and_a_quarter_at_least() {
    let config = "{\"compactions\":false,\"blockCacheBytes\":65536}";
    let f = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "\"maxVersions\":1")], 1);
    let warnings = || {
        let events = f.engine.poll_events(Duration::ZERO).unwrap();
        events.into_iter().filter(|e| e.topic == Topic::Cache).map(|e| (e.level, e.text)).collect::<Vec<_>>()
    };
    let flush = |n: u32| {
        f.put(Cell::put(&row(n), "f", "q", 1, "v"));
        f.region.flush().unwrap();
        (f.metric("files.open_bytes"), f.metric("block_cache.capacity_bytes"))
    };
    assert_eq!(f.metric("block_cache.capacity_bytes"), 65536);
    for n in 0..8 {
        let (open, capacity) = flush(n);
        assert!((65536 - open - 2048..=65536 - open).contains(&capacity), "{open} leave {capacity}");
    }
    assert_eq!(warnings(), Vec::new());
    for n in 8..20 {
        flush(n);
    }
    let (open, capacity) = flush(20);
    assert!(open > 65536);
    assert_eq!(capacity, 16384);
    let said = warnings();
    let [(Level::Warn, said)] = said.as_slice() else { panic!("{said:?}") };
    assert!(said.contains("pages keep 16.0 KB of the block cache's 64.0 KB"), "{said}");
    f.engine.set_compactions_enabled(true);
    f.region.compact("{\"major\":true}").unwrap();
    while f.metric("files.open_count") > 1 || f.metric("files.open_bytes") > 16384 {
        std::thread::yield_now();
    }
    assert!(f.metric("block_cache.capacity_bytes") >= 65536 - 16384);
}
