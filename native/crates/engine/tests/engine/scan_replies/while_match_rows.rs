//! WhileMatchFilter ends a scan at a row that is not wanted, whether anything of it is visible or not. Which rows it is asked about does not depend on
//! what was flushed.

use grampus_testkit::wire::{Cell, Spec, bytes};

use super::{REVERSED, open};
use crate::common::{Fixture, NO_LIMITS, next, start};

/// WhileMatchFilter of a RowFilter that does not want r1.
fn until_r1() -> Vec<u8> {
    let mut out = vec![25, 1, 3, 1];
    bytes(&mut out, b"r1");
    out
}

fn put(f: &Fixture, row: &str, qualifier: &str, timestamp: i64) {
    f.put(Cell::put(row, "f", qualifier, timestamp, "v"));
}

/// Rows r0 and r2 of column q, flushed or not, and then what `others` puts, flushed or not.
fn tables(others: impl Fn(&Fixture)) -> Vec<(String, Fixture)> {
    let flushes = [(false, false), (false, true), (true, false), (true, true)];
    let table = |(first, then)| {
        let f = start(&[("f", "\"maxVersions\":5")]);
        put(&f, "r0", "q", 10);
        put(&f, "r2", "q", 10);
        if first {
            f.region.flush().unwrap();
        }
        others(&f);
        if then {
            f.region.flush().unwrap();
        }
        (format!("flushed: {first}, {then}"), f)
    };
    flushes.map(table).into()
}

fn rows(cells: Vec<Cell>) -> Vec<String> {
    cells.into_iter().map(|cell| String::from_utf8(cell.row).unwrap()).collect()
}

#[test]
fn a_row_without_the_columns_ends_the_scan() {
    for (name, f) in tables(|f| put(f, "r1", "other", 10)) {
        let spec = Spec::scan().column("f", "q").filter(until_r1());
        assert_eq!(rows(f.scan(&spec)), ["r0"], "{name}");
        assert_eq!(rows(f.scan(&spec.clone().with(REVERSED))), ["r2"], "{name}");
        assert_eq!(rows(f.scan_frozen(&spec)), ["r0"], "{name}");
        let in_lists = [26, 1, 1, 0, 0, 0, 26, 2, 1, 0, 0, 0];
        let listed = Spec::scan().column("f", "q").filter([&in_lists[..], &until_r1()].concat());
        assert_eq!(rows(f.scan(&listed)), ["r0"], "{name}");
    }
}

#[test]
fn a_row_outside_of_the_time_range_ends_the_scan_where_its_source_is_read() {
    let spec = Spec { range: (5, 20), ..Spec::scan().filter(until_r1()) };
    for (name, f) in tables(|f| put(f, "r1", "q", 1)) {
        // Whole files and memtables are left out by their timestamps.
        let one_source = name == "flushed: false, false" || name == "flushed: false, true";
        let expected: &[&str] = if one_source { &["r0"] } else { &["r0", "r2"] };
        assert_eq!(rows(f.scan(&spec)), expected, "{name}");
    }
    for (name, f) in tables(|f| {
        put(f, "r1", "q", 1);
        put(f, "r3", "q", 10);
    }) {
        assert_eq!(rows(f.scan(&spec)), ["r0"], "{name}");
    }
    // A marker of the column reaches down to all timestamps.
    for (name, f) in tables(|f| f.put(Cell::new("r1", "f", "q", 4, 12, ""))) {
        let early = Spec { range: (0, 3), ..spec.clone() };
        assert_eq!(rows(f.scan(&early)), rows(vec![]), "{name}");
        assert_eq!(rows(f.scan(&Spec { range: (0, 11), ..spec.clone() })), ["r0"], "{name}");
    }
}

#[test]
fn a_row_that_is_newer_than_the_scan_does_not_end_it() {
    for flushed in [false, true] {
        for (old, expected) in [(false, &["r0", "r2"][..]), (true, &["r0"][..])] {
            for column in [None, Some("q")] {
                let f = start(&[("f", "")]);
                put(&f, "r0", "q", 10);
                put(&f, "r2", "q", 10);
                if old {
                    put(&f, "r1", "other", 10);
                }
                let spec = Spec::scan().filter(until_r1());
                let spec = column.into_iter().fold(spec, |spec, column| spec.column("f", column));
                let mut scanner = open(&f, &spec);
                put(&f, "r1", "q", 10);
                if flushed {
                    f.region.flush().unwrap();
                }
                let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 20);
                assert!(info.end);
                assert_eq!(rows(cells), expected, "flushed: {flushed}, old: {old}, {column:?}");
            }
        }
    }
}
