//! What the files that are open take of memory besides their pages in the cache.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use common::start;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

/// A page of 64 KiB is a line of the footer, and so is a column of a row group.
#[test]
fn open_files_take_little_memory_and_are_counted_as_long_as_they_are_open() {
    let f = start(&[("f", "\"maxVersions\":1"), ("g", "\"maxVersions\":1")]);
    assert_eq!((f.metric("files.open_count"), f.metric("files.open_bytes")), (0, 0));
    f.fill(4_000);
    f.region.flush().unwrap();
    let narrow = f.metric("files.open_bytes");
    assert!((2_000..40_000).contains(&narrow), "{narrow} bytes for 4 MiB in pages of 64 KiB");
    let cells: Vec<Cell> = (0..1_000).map(|n| Cell::put("row", "g", &format!("q{n:04}"), 1, "v")).collect();
    f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    f.region.flush().unwrap();
    assert_eq!(f.metric("files.open_count"), 2);
    assert!(f.metric("files.open_bytes") > narrow);
    assert_eq!(f.get(&Spec::get("row")).len(), 1_000);
    f.region.close(false).unwrap();
    assert_eq!((f.metric("files.open_count"), f.metric("files.open_bytes")), (0, 0));
}
