//! A scan that may not block ends within an event loop's limits, or says that it does not, and has read nothing from disk.

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::{NextOutcome, Scanner};
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, ScanInfo, Spec};

use crate::common::watched_clock::{ClockWatcher, WatchedClock};
use crate::common::{Fixture, NO_LIMITS, next, scan_all, start, start_in};

const NON_BLOCKING: u32 = 1;
const ROOM: usize = 4 << 20;
/// Stop reasons of the info block.
const END: u8 = 0;
const SIZE: u8 = 3;
const PAUSED: u8 = 6;

fn short() -> Spec {
    Spec::scan().with(NON_BLOCKING)
}

fn put(f: &Fixture, row: u32, value: &[u8]) {
    f.mutate(&Batch::new().row_op(RowOp::put(&[Cell::put(&format!("{row:05}"), "f", "q", 1, value)])));
}

fn open(f: &Fixture) -> Scanner {
    f.region.open_scanner(&short().encode()).unwrap()
}

/// What a short scan of everything ends with.
fn ends(f: &Fixture) -> (Vec<Cell>, ScanInfo) {
    next(&mut open(f), &NO_LIMITS, ROOM)
}

/// Whether a short scan is left to a pool by the engine.
fn would_block(f: &Fixture, spec: &Spec) -> bool {
    match f.region.open_scanner(&spec.encode()) {
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::WouldBlock);
            true
        }
        Ok(mut scanner) => {
            let (mut out, mut info) = (vec![0; ROOM], vec![0; 256 << 10]);
            scanner.next(&NO_LIMITS, &mut out, &mut info).unwrap() == NextOutcome::WouldBlock
        }
    }
}

#[test]
fn rows_in_memory_are_those_of_any_other_scan() {
    let f = start(&[("f", "")]);
    (0..100).for_each(|row| put(&f, row, b"in the file"));
    f.region.flush().unwrap();
    (50..150).for_each(|row| put(&f, row, b"in the memtable"));
    let all = scan_all(&f.region, &Spec::scan()); // its pages are in the cache now
    let (cells, info) = ends(&f);
    assert_eq!(cells, all);
    assert_eq!((info.stop_reason, info.end, info.results.len()), (END, true, 150));
    assert!(!would_block(&f, &short()));
}

#[test]
fn a_page_on_disk_is_left_to_a_pool() {
    let f = start(&[("f", "")]);
    (0..100).for_each(|row| put(&f, row, b"v"));
    f.region.flush().unwrap();
    f.region.clear_cache().unwrap();
    let reads = f.metric("files.page_reads");
    assert!(would_block(&f, &short()));
    assert_eq!(f.metric("files.page_reads"), reads);
    assert_eq!(scan_all(&f.region, &Spec::scan()).len(), 100);
    assert!(!would_block(&f, &short()), "its pages are in the cache now");
}

#[test]
fn a_long_scan_stops_at_its_size() {
    let f = start(&[("f", "")]);
    (0..400).for_each(|row| put(&f, row, &[7; 1000]));
    let (cells, info) = ends(&f);
    assert_eq!((info.stop_reason, info.end), (SIZE, false));
    assert!((100..140).contains(&cells.len()), "{} rows in 128 KiB", cells.len());
}

#[test]
fn hidden_cells_count() {
    let f = start(&[("f", "\"maxVersions\":1")]);
    for row in 0..2_000 {
        put(&f, row, &[7; 100]);
        let marker = Cell { code: 8, ..Cell::put(&format!("{row:05}"), "f", "q", 1, b"") };
        f.mutate(&Batch::new().row_op(RowOp::delete(&[marker])));
    }
    assert!(would_block(&f, &short()));
    assert_eq!(scan_all(&f.region, &Spec::scan()), []);
}

/// A clock on which each reading takes two milliseconds.
struct SlowClock(FakeEnv);

impl ClockWatcher for SlowClock {
    fn before_monotonic(&self) {
        self.0.advance_millis(2);
    }
}

#[test]
fn a_scan_that_takes_long_pauses() {
    let env = FakeEnv::new(1);
    let watched = WatchedClock { env: env.clone(), watcher: SlowClock(env) };
    let f = start_in(Arc::new(watched), "{}", &[("f", "")], 1);
    (0..1000).for_each(|row| put(&f, row, b"v"));
    let (cells, info) = ends(&f);
    assert_eq!((info.stop_reason, info.end), (PAUSED, false));
    assert!(cells.len() < 1000);
    assert_eq!(scan_all(&f.region, &Spec::scan()).len(), 1000, "others have half a second for a call");
}
