//! Scanners and memtables that were flushed: they let go of them between rows, whether they are called or not, go on as if nothing had
//! happened, and what they still keep counts.

mod flushing_pattern;
mod watched_scans;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use grampus_base::{ErrorKind, crash_point};
use grampus_engine::{MutateStatus, ScanLimits, Scanner};
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, ScanInfo, Spec};
use parking_lot::Mutex;

use crate::common::{self, Fixture, NO_LIMITS, next, row, start, start_in, until};

const ROOM: usize = 1 << 20;
const REVERSED: u32 = 32;
/// A limit of memtables that is soon reached.
const SMALL: &str = "{\"memtableBytes\":300000,\"compactions\":false}";

/// Bytes in memtables that are in files.
fn pinned(f: &Fixture) -> u64 {
    f.metric("memstore.pinned_bytes")
}

/// All bytes are in memtables of the region.
fn assert_nothing_is_pinned(f: &Fixture, when: &str) {
    assert_eq!(pinned(f), 0, "{when}");
    assert_eq!(f.metric("memstore.bytes"), f.region.memtable_bytes(), "{when}");
}

/// The next rows.
fn rows(scanner: &mut Scanner, count: u32) -> Vec<Cell> {
    next(scanner, &ScanLimits { max_results: count, ..NO_LIMITS }, ROOM).0
}

/// A few cells of a row whose results end within it.
fn part_of_a_row(scanner: &mut Scanner) -> ScanInfo {
    let (cells, info) = next(scanner, &ScanLimits { max_results: 1, ..NO_LIMITS }, ROOM);
    assert_eq!((cells.len(), info.results.as_slice()), (2, &[(2, true)][..]));
    info
}

/// Row "r" with five columns, in memory.
fn wide_row(f: &Fixture) {
    let cells: Vec<Cell> = (0..5).map(|n| Cell::put("r", "f", &format!("q{n}"), 1, "v")).collect();
    f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
}

fn wide_scan(f: &Fixture) -> Scanner {
    f.region.open_scanner(&Spec { batch: 2, ..Spec::scan() }.encode()).unwrap()
}

#[test]
fn scanners_keep_no_memtable_through_flushes_whether_they_are_called_or_not() {
    let f = start(&[("f", "\"maxVersions\":1"), ("g", "")]);
    f.fill(50);
    let specs = [Spec::scan(), Spec::scan().with(REVERSED), Spec::scan().column("g", "q")];
    let open = || specs.iter().map(|spec| f.region.open_scanner(&spec.encode()).unwrap());
    let (idle, mut begun): (Vec<Scanner>, Vec<Scanner>) = (open().collect(), open().collect());
    let mut seen: Vec<Vec<Cell>> = begun.iter_mut().map(|scanner| rows(scanner, 1)).collect();
    let mut reading = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let mut read = Vec::new();
    for round in 0..20 {
        f.put(Cell::put(&row(round), "f", "q", 2 + i64::from(round), "new"));
        f.put(Cell::put(&row(round), "g", "other", 1, "new"));
        read.extend(rows(&mut reading, 1));
        assert!(f.region.memtable_bytes() > 0);
        f.region.flush().unwrap();
        assert_nothing_is_pinned(&f, &format!("round {round}"));
        assert_eq!(f.region.memtable_bytes(), 0);
    }
    read.extend(rows(&mut reading, 1000));
    let expected: Vec<Cell> = (0..50).map(|n| Cell::put(&row(n), "f", "q", 1, common::noise(n))).collect();
    assert_eq!(read, expected);
    for (seen, scanner) in seen.iter_mut().zip(&mut begun) {
        seen.extend(rows(scanner, 1000));
    }
    let downwards: Vec<Cell> = expected.iter().rev().cloned().collect();
    assert_eq!(seen, [expected.clone(), downwards.clone(), Vec::new()]);
    let idle: Vec<Vec<Cell>> = idle.into_iter().map(|mut scanner| rows(&mut scanner, 1000)).collect();
    assert_eq!(idle, [expected, downwards, Vec::new()]);
}

#[test]
fn a_scanner_within_a_row_keeps_its_memtable_and_the_bytes_count_until_it_leaves() {
    for closes in [false, true] {
        let f = start(&[("f", ""), ("g", "")]);
        wide_row(&f);
        f.put(Cell::put("s", "f", "q", 1, "v"));
        let mut scanner = wide_scan(&f);
        part_of_a_row(&mut scanner);
        let bytes = f.region.memtable_bytes();
        f.region.flush().unwrap();
        assert_eq!((pinned(&f), f.metric("memstore.bytes"), f.region.memtable_bytes()), (bytes, bytes, 0));
        f.put(Cell::put("r", "f", "q0", 2, "new"));
        let later = f.region.memtable_bytes();
        f.region.flush().unwrap();
        assert_eq!(
            f.metric("memstore.bytes"),
            bytes,
            "the later memtable of {later} bytes is not the scan's"
        );
        part_of_a_row(&mut scanner);
        assert_eq!(pinned(&f), bytes, "still in the row");
        if closes {
            drop(scanner);
        } else {
            let (cells, info) = next(&mut scanner, &ScanLimits { max_results: 1, ..NO_LIMITS }, ROOM);
            assert_eq!((cells.len(), info.end), (1, false));
            assert_nothing_is_pinned(&f, "between rows");
            assert_eq!(rows(&mut scanner, 10), [Cell::put("s", "f", "q", 1, "v")]);
        }
        assert_nothing_is_pinned(&f, "at the end");
    }
}

#[test]
fn a_scanner_keeps_no_memtable_that_is_younger_than_it() {
    let f = start(&[("f", "")]);
    wide_row(&f);
    let mut scanner = wide_scan(&f);
    f.region.flush().unwrap();
    f.put(Cell::put("r", "f", "q0", 2, "new"));
    part_of_a_row(&mut scanner);
    f.region.flush().unwrap();
    assert_nothing_is_pinned(&f, "within a row of a file");
}

/// A scanner within a row that keeps a flushed memtable of about this number of bytes.
fn keeps(f: &Fixture, bytes: usize) -> Scanner {
    wide_row(f);
    let mut scanner = wide_scan(f);
    part_of_a_row(&mut scanner);
    f.put(Cell::put("s", "f", "q", 1, vec![7; bytes]));
    f.region.flush().unwrap();
    assert!(pinned(f) > bytes as u64);
    scanner
}

fn write(f: &Fixture, n: u32) -> grampus_base::Result<MutateStatus> {
    let put = RowOp::put(&[Cell::put(&row(n), "f", "q", 1, vec![7; 20_000])]);
    common::run(&f.region, &Batch::new().row_op(put), 9, &mut Vec::new())
}

/// A client that does not go on can renew its lease for ever.
#[test]
fn scanners_within_rows_are_reset_before_they_keep_more_than_half_of_the_limit() {
    let f = start_in(Arc::new(FakeEnv::new(1)), SMALL, &[("f", "")], 1);
    let mut first = keeps(&f, 100_000);
    wide_row(&f);
    let mut second = wide_scan(&f);
    part_of_a_row(&mut second);
    f.put(Cell::put("s", "f", "q", 2, vec![7; 100_000]));
    f.region.flush().unwrap();
    let reset = first.next(&NO_LIMITS, &mut [0; 1024], &mut [0; 1 << 18]).unwrap_err();
    assert_eq!(reset.kind, ErrorKind::Busy);
    assert!(reset.message.contains("was reset"), "{}", reset.message);
    assert!((100_000..150_000).contains(&pinned(&f)), "the second may stay");
    part_of_a_row(&mut second);
    write(&f, 1).unwrap();
    drop(second);
    assert_nothing_is_pinned(&f, "closed");
}

#[test]
fn what_scanners_keep_does_not_hold_back_flushes_of_the_rest() {
    let f = start_in(Arc::new(FakeEnv::new(1)), SMALL, &[("f", "")], 1);
    let _within_row = keeps(&f, 120_000);
    for n in 0..40 {
        until("room for a write", || write(&f, n).is_ok());
    }
    assert!((120_000..150_000).contains(&pinned(&f)));
}

#[test]
fn a_region_that_closes_gets_back_what_scanners_keep() {
    for abort in [false, true] {
        let f = start(&[("f", "")]);
        wide_row(&f);
        let mut within_row = wide_scan(&f);
        let between_rows = wide_scan(&f);
        part_of_a_row(&mut within_row);
        f.region.close(abort).unwrap();
        assert_nothing_is_pinned(&f, "closed");
        assert_eq!(f.region.memtable_bytes(), 0);
        for mut scanner in [within_row, between_rows] {
            let refused = scanner.next(&NO_LIMITS, &mut [0; 1024], &mut [0; 1 << 18]).unwrap_err();
            assert_eq!(refused.kind, ErrorKind::NotServing);
        }
    }
}

#[test]
fn what_expires_while_a_scanner_is_open_stays_for_it() {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", "\"maxVersions\":1,\"ttlSeconds\":10")], 1);
    let now = f.env.now_millis();
    f.put(Cell::put("r", "f", "q", now, "v"));
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    env.advance_millis(20_000);
    f.region.flush().unwrap();
    assert_nothing_is_pinned(&f, "flushed");
    assert_eq!(rows(&mut scanner, 10), [Cell::put("r", "f", "q", now, "v")]);
    assert_eq!(f.scan(&Spec::scan()), [], "others do not see it");
}

/// A client's own read point is that of a scan whose scanner was lost. A flush that had begun may drop what it sees.
#[test]
fn a_scanner_below_a_flush_that_runs_keeps_its_memtable() {
    let f = start(&[("f", "\"maxVersions\":1")]);
    let old = Cell::put("r", "f", "q", 1, "old");
    f.put(old.clone());
    let (_, info) = next(&mut f.region.open_scanner(&Spec::scan().encode()).unwrap(), &NO_LIMITS, ROOM);
    f.put(Cell::put("r", "f", "q", 2, "new"));
    let spec = Spec { read_point: info.read_point, ..Spec::scan() };
    let opened: Arc<Mutex<Option<Scanner>>> = Arc::default();
    let (slot, region) = (opened.clone(), f.region.clone());
    crash_point::set_thread_hook(Some(Box::new(move |name| {
        if name == "flush.after_sync_before_rename" {
            *slot.lock() = Some(region.open_scanner(&spec.encode()).unwrap());
        }
        Ok(())
    })));
    f.region.flush().unwrap();
    crash_point::set_thread_hook(None);
    assert!(pinned(&f) > 0);
    let mut scanner = opened.lock().take().unwrap();
    assert_eq!(rows(&mut scanner, 10), [old]);
    drop(scanner);
    assert_nothing_is_pinned(&f, "closed");
}

/// Every row has the same value in both columns at any time.
#[test]
fn scanners_run_beside_writes_and_flushes() {
    const ROWS: u32 = 300;
    let f = start_in(
        Arc::new(FakeEnv::new(1)),
        "{\"compactions\":true}",
        &[("f", "\"maxVersions\":1"), ("g", "")],
        1,
    );
    let write = |n: u32, stamp: i64| {
        let cells = [("f", "a"), ("g", "b")]
            .map(|(family, q)| Cell::put(&row(n), family, q, stamp, stamp.to_string()));
        f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    };
    (0..ROWS).for_each(|n| write(n, 1));
    let (stop, scans) = (AtomicBool::new(false), AtomicUsize::new(0));
    let scan = |reversed: bool| {
        let spec = if reversed { Spec::scan().with(REVERSED) } else { Spec::scan() };
        while !stop.load(Ordering::Acquire) {
            let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
            let mut found = Vec::new();
            loop {
                let (cells, info) = next(&mut scanner, &ScanLimits { max_results: 20, ..NO_LIMITS }, ROOM);
                found.extend(cells);
                if info.end {
                    break;
                }
            }
            assert_eq!(found.len(), 2 * ROWS as usize);
            for pair in found.chunks(2) {
                assert_eq!((&pair[0].row, &pair[0].value), (&pair[1].row, &pair[1].value));
            }
            scans.fetch_add(1, Ordering::Relaxed);
        }
    };
    let idle: Vec<Scanner> = std::thread::scope(|threads| {
        let running = [false, true].map(|reversed| threads.spawn(move || scan(reversed)));
        let mut idle = Vec::new();
        let mut stamp = 2;
        while stamp < 60
            || scans.load(Ordering::Relaxed) < 20 && running.iter().all(|scan| !scan.is_finished())
        {
            (0..ROWS).step_by(7).for_each(|n| write(n, stamp));
            if stamp % 5 == 0 && idle.len() < 20 {
                idle.push(f.region.open_scanner(&Spec::scan().encode()).unwrap());
            }
            f.region.flush_and_compact().unwrap();
            stamp += 1;
        }
        stop.store(true, Ordering::Release);
        idle
    });
    f.region.flush().unwrap();
    assert_nothing_is_pinned(&f, "all stand between rows");
    for mut scanner in idle {
        assert_eq!(rows(&mut scanner, 1000).len(), 2 * ROWS as usize);
    }
}
