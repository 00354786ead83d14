//! What a region says of its files and their readers, for the load report.

use grampus_engine::{ScanLimits, Scanner};
use grampus_testkit::wire::{Cell, Spec};
use serde_json::Value;

use crate::common::{Fixture, NO_LIMITS, next, row, start, until};

const FAMILY: &str = "\"maxVersions\":1,\"bloom\":\"ROW\",\"compression\":\"GZ\"";

fn number(f: &Fixture, name: &str) -> u64 {
    let stats: Value = serde_json::from_str(&f.region.stats().to_string()).unwrap();
    stats[name].as_u64().unwrap_or_else(|| panic!("no {name} in {stats}"))
}

/// A scan that stands in the first of the file's pages.
fn begun(f: &Fixture) -> Scanner {
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let (cells, _) = next(&mut scanner, &ScanLimits { max_results: 1, ..NO_LIMITS }, 1 << 20);
    assert_eq!(cells.len(), 1);
    scanner
}

#[test]
fn file_parts_are_zero_without_files_and_have_their_sizes_after_a_flush() {
    let f = start(&[("f", FAMILY)]);
    let parts = ["ownFileBytes", "uncompressedBytes", "openFileBytes", "footerBytes", "bloomBytes"];
    assert_eq!(parts.map(|part| number(&f, part)), [0; 5]);
    for n in 0..2_000 {
        f.put(Cell::put(&row(n), "f", "q", 1, "the same text ".repeat(100)));
    }
    f.region.flush().unwrap();
    let [own, raw, open, footer, bloom] = parts.map(|part| number(&f, part));
    assert_eq!(own, number(&f, "storeFileBytes"));
    assert!(raw > own, "{raw} bytes of pages in a file of {own}");
    assert_eq!(open, f.metric("files.open_bytes"));
    assert!((100..raw / 10).contains(&footer), "a footer of {footer}");
    assert!((2_000..8_000).contains(&bloom), "{bloom} bytes for 2,000 keys of 11 bits");
}

#[test]
fn readers_count_while_their_cursors_are_open() {
    let f = start(&[("f", FAMILY)]);
    f.fill(200);
    f.region.flush().unwrap();
    assert_eq!(number(&f, "fileReaders"), 0);
    let (first, second) = (begun(&f), begun(&f));
    assert_eq!(number(&f, "fileReaders"), 2);
    drop(first);
    assert_eq!((number(&f, "fileReaders"), number(&f, "replacedFileReaders")), (1, 0));
    f.put(Cell::put(&row(0), "f", "q", 2, "new"));
    f.region.flush().unwrap();
    let third = begun(&f);
    f.region.compact("{\"major\":true}").unwrap();
    until("the compaction to let go of what it has replaced", || number(&f, "replacedFileReaders") == 2);
    assert_eq!((number(&f, "storeFileCount"), number(&f, "fileReaders")), (1, 0));
    drop((second, third));
    assert_eq!(number(&f, "replacedFileReaders"), 0);
}
