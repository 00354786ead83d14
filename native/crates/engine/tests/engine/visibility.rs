//! What reads may see: TTL, versions, markers and their variants, from memory and from files.

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, start_in};

const RAW: u32 = 2;

/// Runs a check with everything in memory, then with everything in files.
fn both(family: &str, cells: impl Fn(i64) -> Vec<Cell>, check: impl Fn(&Fixture, &FakeEnv)) {
    for flushed in [false, true] {
        let env = FakeEnv::new(1);
        let f = start_in(Arc::new(env.clone()), "{}", &[("f", family)], 1);
        for cell in cells(env.now_millis()) {
            let op = if cell.code == 4 { RowOp::put(&[cell]) } else { RowOp::delete(&[cell]) };
            f.mutate(&Batch::new().row_op(op));
        }
        if flushed {
            f.region.flush().unwrap();
        }
        check(&f, &env);
    }
}

fn stamps(f: &Fixture, spec: &Spec) -> Vec<i64> {
    f.get(spec).iter().map(|c| c.timestamp).collect()
}

fn put(ts: i64) -> Cell {
    Cell::put("r", "f", "q", ts, format!("v{ts}"))
}

fn marker(ts: i64, code: u8) -> Cell {
    Cell::new("r", "f", if code == 8 || code == 12 { "q" } else { "" }, ts, code, "")
}

fn all() -> Spec {
    Spec::get("r").versions(100)
}

#[test]
fn a_family_ttl_hides_all_but_min_versions() {
    both(
        "\"maxVersions\":5,\"minVersions\":2,\"ttlSeconds\":10",
        |now| vec![put(now - 30_000), put(now - 20_000), put(now - 15_000), put(now)],
        |f, env| {
            let now = env.now_millis();
            assert_eq!(stamps(f, &all()), [now, now - 15_000]);
        },
    );
    both(
        "\"maxVersions\":5,\"ttlSeconds\":10",
        |now| vec![put(now - 20_000), put(now)],
        |f, env| {
            assert_eq!(stamps(f, &all()), [env.now_millis()]);
            env.advance_millis(10_001);
            assert_eq!(stamps(f, &all()), [0i64; 0]);
        },
    );
}

#[test]
fn a_cells_own_ttl_hides_it_and_is_carried_by_increments() {
    let long = |n: i64| n.to_be_bytes();
    both(
        "\"maxVersions\":5",
        |now| vec![put(now - 1), Cell::put("r", "f", "n", now, long(1)).ttl(5_000)],
        |f, env| {
            assert_eq!(stamps(f, &all()).len(), 2);
            let one = Cell::put("r", "f", "n", i64::MAX, long(1));
            f.mutate(&Batch::new().row_op(RowOp::increment(0, &[one])));
            assert_eq!(f.get(&Spec::get("r").column("f", "n"))[0].value, long(2));
            env.advance_millis(6_000);
            assert_eq!(stamps(f, &all()).len(), 1, "the increment kept the TTL");
        },
    );
}

#[test]
fn markers_hide_what_is_at_or_below_them_whatever_came_first() {
    let cases: [(u8, i64, &[i64]); 4] =
        [(8, 20, &[30, 10]), (12, 20, &[30]), (14, 20, &[30]), (10, 20, &[30, 10])];
    for (code, at, expected) in cases {
        for marker_first in [false, true] {
            both(
                "\"maxVersions\":9",
                |_| {
                    let mut cells = vec![put(10), put(20), put(30)];
                    cells.insert(if marker_first { 0 } else { 3 }, marker(at, code));
                    cells
                },
                |f, _| assert_eq!(stamps(f, &all()), expected, "type {code}, marker first: {marker_first}"),
            );
        }
    }
}

#[test]
fn a_time_range_below_a_marker_sees_it_unless_deleted_cells_are_kept() {
    let cells = |_: i64| vec![put(10), put(20), marker(25, 12), put(30)];
    let below = Spec { range: (0, 21), ..all() };
    both("\"maxVersions\":9", cells, |f, _| assert_eq!(stamps(f, &below), [0i64; 0]));
    for kept in ["TRUE", "TTL"] {
        both(&format!("\"maxVersions\":9,\"keepDeletedCells\":\"{kept}\""), cells, |f, _| {
            assert_eq!(stamps(f, &below), [20, 10]);
            assert_eq!(stamps(f, &all()), [30]);
        });
    }
}

#[test]
fn raw_reads_return_markers_and_what_they_hide() {
    both(
        "\"maxVersions\":1",
        |_| vec![put(10), marker(15, 14), put(20), marker(20, 8)],
        |f, _| {
            let cells = f.scan(&Spec::scan().versions(9).with(RAW));
            let seen: Vec<(i64, u8)> = cells.iter().map(|c| (c.timestamp, c.code)).collect();
            assert_eq!(seen[0], (15, 14));
            // A flush drops what its own markers hide, as HBase's does, but never the markers.
            let flushed = f.region.stats().to_string().contains("\"storeFileCount\":1");
            assert!(seen.contains(&(20, 8)) && (flushed || seen.contains(&(20, 4))), "{seen:?}");
            let columns = Spec::scan().with(RAW).column("f", "q");
            assert_eq!(f.region.open_scanner(&columns.encode()).err().unwrap().kind, ErrorKind::BadRequest);
        },
    );
}

#[test]
fn with_new_version_behavior_the_order_of_writing_counts() {
    let family = "\"maxVersions\":2,\"newVersionBehavior\":true";
    // A put after a marker is visible though its timestamp is below the marker's.
    both(family, |_| vec![put(10), marker(30, 12), put(20)], |f, _| assert_eq!(stamps(f, &all()), [20]));
    both(family, |_| vec![put(10), marker(30, 14), put(20)], |f, _| assert_eq!(stamps(f, &all()), [20]));
    // A deleted version still counts as one of the two.
    both(
        family,
        |_| vec![put(10), put(20), put(30), marker(30, 8)],
        |f, _| assert_eq!(stamps(f, &all()), [20]),
    );
}

#[test]
fn the_newest_write_of_one_version_wins() {
    both(
        "\"maxVersions\":3",
        |_| vec![put(10), Cell::put("r", "f", "q", 10, "second"), put(5)],
        |f, _| {
            let values: Vec<Vec<u8>> = f.get(&all()).into_iter().map(|c| c.value).collect();
            assert_eq!(values, [b"second".to_vec(), b"v5".to_vec()]);
        },
    );
}

#[test]
fn limits_and_offsets_count_cells_per_family_and_row() {
    let cells = |_: i64| (0..6).map(|n| Cell::put("r", "f", &format!("q{n}"), 1, "v")).collect();
    both("\"maxVersions\":1", cells, |f, _| {
        let qualifiers = |limit: i32, offset: i32| {
            let spec = Spec { store_limit: limit, store_offset: offset, ..all() };
            f.get(&spec).iter().map(|c| String::from_utf8(c.qualifier.clone()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(qualifiers(2, 0), ["q0", "q1"]);
        assert_eq!(qualifiers(2, 3), ["q3", "q4"]);
        assert_eq!(qualifiers(-1, 5), ["q5"]);
        assert_eq!(qualifiers(0, 0), ["q0"], "HBase looks at the limit after a cell that it returns");
    });
}

#[test]
fn existence_is_answered_without_cells() {
    both(
        "\"maxVersions\":1",
        |_| vec![put(1)],
        |f, _| {
            let exists = |row: &str| {
                let mut out = Vec::new();
                f.region.get(&Spec::get(row).with(16).encode(), &mut out).unwrap();
                assert_eq!(out.len(), 8);
                out[0]
            };
            assert_eq!((exists("r"), exists("s")), (1, 0));
        },
    );
}
