//! Deletes of the newest versions of a column.

use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, start};

const LATEST: i64 = i64::MAX;
const DELETE: u8 = 8;
const VERSIONS: i64 = 500;

/// Columns `a` and `b` of a row with timestamps from 1 to [`VERSIONS`], in a file.
fn start_with_versions() -> Fixture {
    let f = start(&[("f", "\"maxVersions\":1000")]);
    let cells: Vec<Cell> =
        (1..=VERSIONS).flat_map(|n| ["a", "b"].map(|q| Cell::put("r", "f", q, n, "v"))).collect();
    f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    f.region.flush().unwrap();
    f
}

fn stamps(f: &Fixture, qualifier: &str) -> Vec<i64> {
    let cells = f.get(&Spec::get("r").column("f", qualifier).versions(1000));
    cells.iter().map(|cell| cell.timestamp).collect()
}

/// What has looked for a page of a file so far.
fn looks(f: &Fixture) -> u64 {
    f.metric("block_cache.hit_count") + f.metric("block_cache.miss_count")
}

/// Its row is locked meanwhile.
#[test]
fn a_delete_reads_a_column_once_however_many_cells_name_it() {
    let f = start_with_versions();
    let newest = |q: &str| Cell::new("r", "f", q, LATEST, DELETE, "");
    let delete = |cells: &[Cell]| {
        let before = looks(&f);
        f.mutate(&Batch::new().row_op(RowOp::delete(cells)));
        looks(&f) - before
    };
    let one = delete(&[newest("a"), newest("b")]);
    assert!(one > 0, "the columns are in a file");
    let both: Vec<Cell> = (0..299).flat_map(|_| [newest("a"), newest("b")]).collect();
    let many = delete(&both);
    assert!(many <= one * 10, "{many} looks for pages, and {one} for one version of each column");
    for qualifier in ["a", "b"] {
        assert_eq!(stamps(&f, qualifier), (1..=200).rev().collect::<Vec<_>>(), "{qualifier}");
    }
}

/// Behind the last version there is nothing to name: the markers are of the time of the delete, as HBase's are.
#[test]
fn cells_behind_the_last_version_delete_nothing_more() {
    let f = start_with_versions();
    let newest = Cell::new("r", "f", "a", LATEST, DELETE, "");
    f.mutate(&Batch::new().row_op(RowOp::delete(&vec![newest; 510])));
    assert!(stamps(&f, "a").is_empty());
    assert_eq!(stamps(&f, "b").len(), 500);
}
