//! Where a region is split.

use grampus_testkit::wire::{Batch, Cell, RowOp};

use crate::common::{self, Fixture, start};

fn row(n: u32) -> String {
    format!("r{n:06}")
}

/// Puts rows of equal size.
fn put(f: &Fixture, rows: &[u32]) {
    for chunk in rows.chunks(500) {
        let add = |batch: Batch, n: &u32| {
            let value = common::noise(*n).split_off(960);
            batch.row_op(RowOp::put(&[Cell::put(&row(*n), "f", "q", 1, value)]))
        };
        f.mutate(&chunk.iter().fold(Batch::new(), add));
    }
}

/// Rows below the split point.
fn split(f: &Fixture) -> u32 {
    let middle = String::from_utf8(f.region.split_point().unwrap().unwrap()).unwrap();
    middle[1..].parse().unwrap()
}

fn assert_near(found: u32, wanted: u32, within: u32) {
    assert!(found.abs_diff(wanted) <= within, "{found} is not near {wanted}");
}

#[test]
fn a_row_group_and_a_bit_are_split_in_the_middle() {
    let f = start(&[("f", "")]);
    put(&f, &(0..17_576).collect::<Vec<_>>());
    f.region.flush().unwrap();
    let before = f.metric("files.page_reads");
    assert_near(split(&f), 8_788, 17_576 / 32);
    assert!(f.metric("files.page_reads") - before <= 8, "pages of row keys of one row group");
}

#[test]
fn overlapping_files_count_together() {
    let f = start(&[("f", "\"maxVersions\":1,\"compaction\":{\"filesMin\":99,\"filesMax\":99}")]);
    for first in 0..3 {
        put(&f, &(0..3_000).filter(|n| n % 3 == first).collect::<Vec<_>>());
        f.region.flush().unwrap();
    }
    assert_near(split(&f), 1_500, 3_000 / 16);
    put(&f, &(3_000..9_000).collect::<Vec<_>>());
    f.region.flush().unwrap();
    assert_near(split(&f), 4_500, 9_000 / 16);
}

#[test]
fn a_file_of_a_few_rows_is_split_between_them() {
    let f = start(&[("f", "")]);
    put(&f, &[1, 2]);
    f.region.flush().unwrap();
    assert_eq!(split(&f), 2);
    let f = start(&[("f", "")]);
    put(&f, &[1]);
    f.region.flush().unwrap();
    assert_eq!(f.region.split_point().unwrap(), None, "one row cannot be split");
}
