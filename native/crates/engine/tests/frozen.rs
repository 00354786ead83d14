//! A region's files without a server: lists that are out of date, and what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::sync::Arc;

use common::frozen::{frozen_region, scan_frozen};
use common::{Fixture, start, start_at};
use grampus_base::ErrorKind;
use grampus_env::{FakeEnv, Faults, LocalEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use serde_json::Value;

/// A row in each of two files.
fn two_files() -> Fixture {
    let f = start(&[("f", "")]);
    for row in ["a", "b"] {
        f.put(Cell::put(row, "f", "q", 1, row));
        f.region.flush().unwrap();
    }
    f
}

fn listed(f: &Fixture) -> Value {
    serde_json::from_str(&f.region.snapshot_files(false).unwrap()).unwrap()
}

fn compact(f: &Fixture) {
    let before = listed(f);
    f.region.compact("{\"major\":true}").unwrap();
    common::until("the files to be merged", || listed(f) != before);
}

fn frozen(f: &Fixture, list: &Value) -> Vec<Cell> {
    let region = frozen_region(f.env.clone(), &f.open_json, &list.to_string());
    scan_frozen(&region, &Spec::scan(), f.env.now_millis())
}

#[test]
fn inputs_of_a_compaction_that_the_list_has_beside_its_output_do_not_count() {
    let f = two_files();
    f.mutate(&Batch::new().row_op(RowOp::delete(&[Cell::new("a", "f", "", 9, 14, "")])));
    f.region.flush().unwrap();
    let before = listed(&f);
    compact(&f);
    let mut list = listed(&f);
    // The input with the marker is archived, that with what it hides is not yet.
    let first = before["families"][0]["files"][0].clone();
    list["families"][0]["files"].as_array_mut().unwrap().push(first);
    let rows: Vec<Vec<u8>> = frozen(&f, &list).into_iter().map(|cell| cell.row).collect();
    assert_eq!(rows, vec![b"b".to_vec()]);
}

#[test]
fn files_that_were_archived_since_the_list_was_made_are_found() {
    let f = two_files();
    let (list, cells) = (listed(&f), f.scan(&Spec::scan()));
    compact(&f);
    assert_eq!(frozen(&f, &list), cells);
}

#[test]
fn what_cannot_be_scanned_is_refused() {
    let f = two_files();
    let region = frozen_region(f.env.clone(), &f.open_json, &listed(&f).to_string());
    let refused = |spec: Spec| region.scan(&spec.encode(), 0).err().unwrap().kind;
    assert_eq!(refused(Spec::get("a")), ErrorKind::BadRequest);
    assert_eq!(refused(Spec { batch: 1, ..Spec::scan() }), ErrorKind::BadRequest);
    assert_eq!(refused(Spec::scan().column("g", "q")), ErrorKind::NoSuchFamily);
}

#[test]
fn a_scan_whose_file_cannot_be_read_fails_and_stays_failed() {
    let env = FakeEnv::new(1);
    let f = common::start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.fill(300);
    f.region.flush().unwrap();
    let region = frozen_region(f.env.clone(), &f.open_json, &listed(&f).to_string());
    let mut scan = region.scan(&Spec::scan().encode(), 0).unwrap();
    env.set_faults(Faults { fail_read_in: Some(1), ..Faults::default() });
    let mut out = Vec::new();
    loop {
        let before = out.len();
        match scan.next_row(&mut out) {
            Ok(row) => assert!(row.is_some(), "a read has failed"),
            Err(_) => break assert_eq!(out.len(), before, "nothing of the row is left"),
        }
    }
    assert!(scan.next_row(&mut out).is_err());
}

/// On disk, where a scan that does not feed the cache reads past the system's.
#[test]
fn local_files_read_as_with_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let f = start_at(Arc::new(LocalEnv::new()), dir.path(), "{}", &[("f", "\"maxVersions\":2")], 1);
    f.fill(3000);
    f.region.flush().unwrap();
    let list = listed(&f).to_string();
    let region = frozen_region(f.env.clone(), &f.open_json, &list);
    for (caching, reversed) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut spec = Spec::scan().with(if reversed { 32 } else { 0 });
        spec.flags = if caching { spec.flags | 8 } else { spec.flags & !8 };
        let cells = scan_frozen(&region, &spec, 0);
        assert_eq!(cells.len(), 3000);
        assert_eq!(cells, f.scan(&spec), "caching {caching}, reversed {reversed}");
    }
}
