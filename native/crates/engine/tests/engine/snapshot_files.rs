//! The files that a region hands out for a snapshot, beside a writer, flushes and compactions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use grampus_env::FakeEnv;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, open_region_json};
use serde_json::Value;

use crate::common::{self, Fixture, REGION, row, start, start_in};

/// Files by family.
fn files(f: &Fixture, flush: bool) -> BTreeMap<String, Vec<Value>> {
    let json: Value = serde_json::from_str(&f.region.snapshot_files(flush).unwrap()).unwrap();
    let family = |family: &Value| {
        let name = family["family"].as_str().unwrap();
        let name =
            (0..name.len()).step_by(2).map(|at| u8::from_str_radix(&name[at..at + 2], 16).unwrap() as char);
        (name.collect(), family["files"].as_array().unwrap().clone())
    };
    json["families"].as_array().unwrap().iter().map(family).collect()
}

/// A row with the same value in both families, as one edit.
fn put(f: &Fixture, n: u32) {
    let cells = [
        Cell::put(&row(n % 7), "f", "q", 1, n.to_string()),
        Cell::put(&row(n % 7), "g", "q", 1, n.to_string()),
    ];
    assert_eq!(f.mutate(&Batch::new().row_op(RowOp::put(&cells))), vec![Answer::Done]);
}

/// The bytes of a file of the region, in its directory or in the archive.
fn file_bytes(f: &Fixture, family: &str, name: &str) -> u64 {
    let below = |top: &str| Path::new("/h").join(top).join("default/t").join(REGION).join(family).join(name);
    let opened = [below("data"), below("archive/data")].into_iter().find_map(|path| f.env.open(&path).ok());
    opened.unwrap_or_else(|| panic!("{name} is nowhere")).len()
}

/// The cells of a clone of these files, which the clone links to.
fn cells_of_clone(f: &Fixture, number: u32, files: &BTreeMap<String, Vec<Value>>) -> Vec<Cell> {
    let encoded = format!("{number:032x}");
    let json = open_region_json("/h", &encoded, &[("f", ""), ("g", "")]);
    for (family, files) in files {
        let dir = Path::new("/h/data/default/t").join(&encoded).join(family);
        f.env.mkdir(&dir).unwrap();
        for file in files {
            let name = file["name"].as_str().unwrap();
            assert_eq!(Some(file_bytes(f, family, name)), file["bytes"].as_u64());
            f.env.create(&dir.join(format!("t={REGION}-{name}"))).unwrap().sync().unwrap();
        }
    }
    let clone = f.engine.open_region(&json).unwrap();
    let cells = common::scan_all(&clone, &Spec::scan());
    clone.close(false).unwrap();
    cells
}

/// Ends the other threads also when an assertion fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn number(cell: &Cell) -> u32 {
    String::from_utf8(cell.value.clone()).unwrap().parse().unwrap()
}

#[test]
fn a_snapshot_has_all_that_was_acknowledged_and_no_half_edit() {
    let policy = "\"maxVersions\":1,\"compaction\":{\"filesMin\":2,\"filesMax\":3}";
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", policy), ("g", policy)], 1);
    let (stop, acknowledged, sent) = (AtomicBool::new(false), AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 1.. {
                if stop.load(Ordering::Acquire) {
                    return;
                }
                sent.store(n, Ordering::Release);
                put(&f, n);
                acknowledged.store(n, Ordering::Release);
            }
        });
        scope.spawn(|| {
            while !stop.load(Ordering::Acquire) {
                f.region.flush().unwrap();
                f.region.compact("{}").unwrap();
            }
        });
        let _stop = Stop(&stop);
        for snapshot in 1..=100 {
            let flush = snapshot % 4 != 0;
            let before = if flush { acknowledged.load(Ordering::Acquire) } else { 0 };
            let files = files(&f, flush);
            let after = sent.load(Ordering::Acquire);
            let cells = cells_of_clone(&f, snapshot, &files);
            let newest = cells.iter().map(number).max().unwrap_or(0);
            assert!(
                (before..=after).contains(&newest),
                "snapshot {snapshot}: {newest} of {before}..={after}"
            );
            for pair in cells.chunks(2) {
                assert_eq!(
                    (&pair[0].row, number(&pair[0])),
                    (&pair[1].row, number(&pair[1])),
                    "snapshot {snapshot}"
                );
                assert!(newest - number(&pair[0]) < 7, "the newest of each row, snapshot {snapshot}");
            }
        }
    });
    f.region.close(false).unwrap();
}

#[test]
fn files_that_a_compaction_replaces_afterwards_are_in_the_archive() {
    let f = start(&[("f", ""), ("g", "")]);
    for n in 0..2 {
        put(&f, n);
        f.region.flush().unwrap();
    }
    let files = files(&f, true);
    assert_eq!((files["f"].len(), files["g"].len()), (2, 2));
    f.region.compact("{\"major\":true}").unwrap();
    let name = files["f"][0]["name"].as_str().unwrap();
    let data = Path::new("/h/data/default/t").join(REGION).join("f").join(name);
    while f.env.exists(&data).unwrap() {
        std::thread::yield_now();
    }
    let cells = cells_of_clone(&f, 7, &files);
    assert_eq!(cells.iter().map(number).collect::<Vec<_>>(), [0, 0, 1, 1]);
}

#[test]
fn without_a_flush_the_files_are_those_of_the_last_one() {
    let f = start(&[("f", ""), ("g", "")]);
    put(&f, 1);
    f.region.flush().unwrap();
    put(&f, 2);
    let files = files(&f, false);
    assert_eq!(cells_of_clone(&f, 7, &files).iter().map(number).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn references_and_links_are_handed_out_as_such() {
    let f = start(&[("f", ""), ("g", "")]);
    f.engine.set_compactions_enabled(false); // one would replace the reference with a file
    put(&f, 1);
    put(&f, 6);
    f.region.flush().unwrap();
    let whole = files(&f, false)["f"][0].clone();
    let name = whole["name"].as_str().unwrap();
    let daughter = format!("{:032x}", 5);
    let dir = Path::new("/h/data/default/t").join(&daughter).join("f");
    f.env.mkdir(&dir).unwrap();
    // FSProtos.Reference behind PBUF: the key of the first cell on row000003, the upper half.
    let mut reference = b"PBUF\x0a\x15\x00\x09row000003\x00\x7f".to_vec();
    reference.extend([0xFF; 8]);
    reference.extend([0x10, 0]);
    f.env.create(&dir.join(format!("{name}.{REGION}"))).unwrap().append(&reference).unwrap();
    f.env.create(&dir.join(format!("t={REGION}-{name}"))).unwrap().sync().unwrap();
    let region = f.engine.open_region(&open_region_json("/h", &daughter, &[("f", "")])).unwrap();
    let json: Value = serde_json::from_str(&region.snapshot_files(false).unwrap()).unwrap();
    let found = json["families"][0]["files"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    let hex: String = reference.iter().map(|byte| format!("{byte:02x}")).collect();
    for file in found {
        assert_eq!(file["bytes"], whole["bytes"], "of the file behind it");
        let is_link = file["name"].as_str().unwrap().starts_with("t=");
        assert_eq!(file["reference"].as_str(), (!is_link).then_some(hex.as_str()));
    }
    region.close(false).unwrap();
    assert!(region.snapshot_files(false).is_err(), "a closed region is not serving");
}
