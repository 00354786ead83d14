//! Scanners and memtables that were flushed: they let go of them between rows, whether they are called or not, go on as if nothing had
//! happened, and what they still keep counts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use common::{Fixture, NO_LIMITS, next, row, start, start_in, until};
use grampus_base::{ErrorKind, crash_point};
use grampus_engine::{Engine, MutateStatus, Region, ScanLimits, Scanner};
use grampus_env::FakeEnv;
use grampus_filter::pattern::{CompiledPattern, PatternCompiler, PatternSource};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, ScanInfo, Spec, bytes};
use parking_lot::Mutex;

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

/// A scanner within a row that keeps a flushed memtable of about so many bytes.
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

struct Table {
    engine: Arc<Engine>,
    region: Arc<Region>,
}

/// A pattern that flushes the region when a scan asks it for the first time, and notes what is kept at each row.
#[derive(Clone, Default)]
struct Flushes {
    table: Arc<Mutex<Option<Table>>>,
    pinned: Arc<Mutex<Vec<u64>>>,
}

impl PatternCompiler for Flushes {
    fn compile(&self, _: &PatternSource) -> grampus_base::Result<Box<dyn CompiledPattern>> {
        Ok(Box::new(self.clone()))
    }
}

impl CompiledPattern for Flushes {
    fn find(&self, _: &[u8]) -> grampus_base::Result<bool> {
        let Some(Table { engine, region }) = &*self.table.lock() else { return Ok(true) };
        let mut pinned = self.pinned.lock();
        if pinned.is_empty() {
            region.flush()?;
        }
        pinned.push(common::metric(engine, "memstore.pinned_bytes"));
        Ok(true)
    }
}

#[test]
fn a_call_during_which_a_flush_ends_lets_go_itself() {
    for results in [1, 10] {
        let (env, flushes) = (FakeEnv::new(1), Flushes::default());
        let mut f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
        f.region.close(false).unwrap();
        f.engine = Engine::open_with(Arc::new(env), Arc::new(flushes.clone()), "{}").unwrap();
        f.engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
        f.region = f.engine.open_region(&f.open_json).unwrap();
        let cells: Vec<Cell> = (0..4).map(|n| Cell::put(&row(n), "f", "q", 1, "v")).collect();
        cells.iter().for_each(|cell| f.put(cell.clone()));
        let bytes = f.region.memtable_bytes();
        let spec = Spec::scan().filter(value_like("(v)\\1"));
        let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
        *flushes.table.lock() = Some(Table { engine: f.engine.clone(), region: f.region.clone() });
        let mut seen = rows(&mut scanner, results);
        assert_nothing_is_pinned(&f, "after the call");
        seen.extend(rows(&mut scanner, 10));
        assert_eq!(seen, cells);
        assert_eq!(*flushes.pinned.lock(), [bytes, 0, 0, 0], "of each row");
        *flushes.table.lock() = None;
    }
}

/// A ValueFilter for a pattern.
fn value_like(pattern: &str) -> Vec<u8> {
    const VALUE: u8 = 4;
    const EQUAL: u8 = 2;
    const REGEX: u8 = 8;
    let mut filter = vec![VALUE, EQUAL, REGEX];
    bytes(&mut filter, pattern.as_bytes());
    filter.extend(0u32.to_le_bytes());
    bytes(&mut filter, b"UTF-8");
    filter.push(0);
    filter
}

/// A scan of the property test and what it must return.
struct Watched {
    scanner: Scanner,
    expected: Vec<Cell>,
    seen: Vec<Cell>,
    /// It may be within a row.
    within_row: bool,
    room: usize,
    what: String,
}

/// A table that is changed while it is scanned.
struct World {
    random: Random,
    f: Fixture,
    stamp: i64,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        // Reads see no difference between versions that a flush drops and those that it has not dropped yet only if it drops none.
        let family = |random: &mut Random| {
            format!(
                "\"maxVersions\":100000,\"blockSize\":{},\"bloom\":\"{}\",\"keepDeletedCells\":\"{}\",\
                 \"compaction\":{{\"filesMin\":3,\"filesMax\":10,\"filesBlocking\":1000}}",
                random.pick(&[256, 4096]),
                random.pick(&["NONE", "ROW", "ROWCOL"]),
                random.pick(&["FALSE", "TRUE"]),
            )
        };
        let (first, second) = (family(&mut random), family(&mut random));
        World { random, f: start(&[("f", &first), ("g", &second)]), stamp: 1000 }
    }

    fn row(&mut self) -> String {
        format!("r{:02}", self.random.below(24))
    }

    fn write(&mut self) {
        const DELETE_COLUMN: u8 = 12;
        const DELETE_FAMILY: u8 = 14;
        self.stamp += 1;
        let row = self.row();
        let mut cells = Vec::new();
        for _ in 0..1 + self.random.below(6) {
            let family = *self.random.pick(&["f", "f", "g"]);
            let qualifier = format!("q{}", self.random.below(5));
            let value = self.random.below(3).to_string();
            cells.retain(|cell: &Cell| {
                cell.family != family.as_bytes() || cell.qualifier != qualifier.as_bytes()
            });
            cells.push(Cell::put(&row, family, &qualifier, self.stamp, value));
        }
        let op = match self.random.below(8) {
            0 => RowOp::delete(&[Cell::new(&row, "f", "q1", self.stamp, DELETE_COLUMN, "")]),
            1 => RowOp::delete(&[Cell::new(&row, "f", "", self.stamp, DELETE_FAMILY, "")]),
            2 => RowOp::delete(&[Cell::new(&row, "g", "", self.stamp, DELETE_FAMILY, "")]),
            _ => RowOp::put(&cells),
        };
        self.f.mutate(&Batch::new().row_op(op));
    }

    fn compact(&mut self) {
        let major = self.random.one_in(2);
        self.f.region.compact(&format!("{{\"major\":{major}}}")).unwrap();
        if self.random.one_in(2) {
            let queues = ["look", "small", "large"].map(|queue| format!("compaction.{queue}_queue_length"));
            until("the compaction to begin", || queues.iter().all(|queue| self.f.metric(queue) == 0));
        }
    }

    /// Values of f:q0 and f:q1 judge rows, so that `g` is loaded on demand; hints go over rows; the others end rows or scans early.
    fn filter(&mut self) -> Vec<u8> {
        const EQUAL: u8 = 2;
        const BINARY: u8 = 1;
        match self.random.below(7) {
            0 => {
                let mut filter = vec![6];
                bytes(&mut filter, b"f");
                bytes(&mut filter, format!("q{}", self.random.below(2)).as_bytes());
                filter.extend([EQUAL, BINARY]);
                bytes(&mut filter, b"1");
                filter.extend([u8::from(self.random.one_in(2)), 1]);
                filter
            }
            1 => {
                let mut fuzzy = vec![21];
                fuzzy.extend(1u32.to_le_bytes());
                bytes(&mut fuzzy, format!("r?{}", self.random.below(10)).as_bytes());
                bytes(&mut fuzzy, &[0, 1, 0]);
                fuzzy.push(0);
                fuzzy
            }
            2 => {
                let mut ranges = vec![22];
                ranges.extend(2u32.to_le_bytes());
                for (start, stop) in [("r03", "r09"), ("r15", "r17")] {
                    bytes(&mut ranges, start.as_bytes());
                    ranges.push(1);
                    bytes(&mut ranges, stop.as_bytes());
                    ranges.push(0);
                }
                ranges
            }
            3 => [&[11][..], &(1 + self.random.below(12)).to_le_bytes()].concat(),
            4 => vec![17],
            5 => {
                let mut prefix = vec![14];
                bytes(&mut prefix, b"q3");
                prefix
            }
            // In the middle of a row a scan has enough.
            _ => {
                let mut value = vec![25, 4, EQUAL, BINARY];
                bytes(&mut value, b"1");
                value
            }
        }
    }

    fn spec(&mut self) -> Spec {
        const LOAD_ON_DEMAND: u32 = 512;
        let mut spec = Spec::scan();
        let (mut start, mut stop) = (self.row(), self.row());
        let reversed = self.random.one_in(3);
        if (start > stop) != reversed {
            std::mem::swap(&mut start, &mut stop);
        }
        if reversed {
            spec.flags |= REVERSED;
        }
        if self.random.one_in(2) {
            (spec.start, spec.stop) = (start.into(), stop.into());
            if self.random.one_in(2) {
                spec.flags &= !64; // the start is excluded
            }
            if self.random.one_in(2) {
                spec.flags |= 128;
            }
        }
        spec.max_versions = *self.random.pick(&[1, 2, 100]);
        if self.random.one_in(4) {
            spec = spec.column("f", "q0").column("f", "q1");
        }
        if self.random.one_in(6) {
            spec.families.insert("g".into(), Vec::new());
        }
        if self.random.one_in(5) {
            spec.range = (1000 + self.random.below(200) as i64, i64::MAX);
        }
        if self.random.one_in(2) {
            spec = Spec { filter: self.filter(), ..spec };
            spec.flags |= if self.random.one_in(2) { LOAD_ON_DEMAND } else { 0 };
        }
        // Filters that judge rows as a whole go with no batch.
        if ![Some(&6), Some(&11), Some(&25)].contains(&spec.filter.first()) && self.random.one_in(3) {
            spec.batch = 1 + self.random.below(3) as i32;
        }
        if self.random.one_in(6) {
            (spec.store_limit, spec.store_offset) = (2, 1);
        }
        spec
    }

    fn limits(&mut self) -> ScanLimits {
        ScanLimits {
            max_results: 1 + self.random.below(3) as u32,
            size_limit: if self.random.one_in(3) { 1 + self.random.below(300) } else { u64::MAX },
            partials_allowed: self.random.one_in(2),
            ..NO_LIMITS
        }
    }

    /// Opens a scan, which is to return what one returns that nothing disturbs.
    fn watch(&mut self) -> Watched {
        let spec = self.spec();
        let open = || self.f.region.open_scanner(&spec.encode()).unwrap();
        let (scanner, mut undisturbed) = (open(), open());
        let mut expected = Vec::new();
        loop {
            let (cells, info) = next(&mut undisturbed, &NO_LIMITS, ROOM);
            expected.extend(cells);
            if info.end {
                break;
            }
        }
        let room = *self.random.pick(&[200, 600, ROOM]);
        let what = format!("{spec:?}, room {room}");
        Watched { scanner, expected, seen: Vec::new(), within_row: false, room, what }
    }

    /// One call of a scan. True at its end.
    fn call(&mut self, scan: &mut Watched) -> bool {
        const OUTPUT: u8 = 5;
        let (cells, info) = next(&mut scan.scanner, &self.limits(), scan.room);
        scan.room = scan.room.max(info.needed as usize);
        scan.seen.extend(cells);
        scan.within_row = info.stop_reason == OUTPUT || info.results.last().is_some_and(|(_, more)| *more);
        info.end
    }
}

#[test]
fn scans_answer_as_if_nothing_were_flushed_and_keep_nothing_between_rows() {
    let fixed = std::env::var("GRAMPUS_SCANS_SEED").ok().and_then(|seed| seed.parse().ok());
    let first_seed = fixed.unwrap_or_else(|| u64::from(std::process::id()));
    let (mut returned, mut clean) = (0, 0);
    for seed in first_seed..first_seed + 12 {
        eprintln!("seed {seed}");
        let mut world = World::new(seed);
        let mut open: Vec<Watched> = Vec::new();
        (0..60).for_each(|_| world.write());
        for _ in 0..900 {
            match world.random.below(12) {
                0..4 => world.write(),
                4 => {
                    world.f.region.flush().unwrap();
                    if !open.iter().any(|scan| scan.within_row) {
                        assert_nothing_is_pinned(&world.f, &format!("seed {seed}"));
                        clean += usize::from(!open.is_empty());
                    }
                }
                5 if world.random.one_in(4) => world.compact(),
                6 if open.len() < 6 => open.push(world.watch()),
                _ if !open.is_empty() => {
                    let at = world.random.below(open.len() as u64) as usize;
                    if world.call(&mut open[at]) {
                        let Watched { expected, seen, what, .. } = open.swap_remove(at);
                        assert_eq!(seen, expected, "seed {seed}: {what}");
                        returned += seen.len();
                    }
                }
                _ => {}
            }
        }
        drop(open);
        assert_nothing_is_pinned(&world.f, &format!("seed {seed}, all closed"));
    }
    assert!(returned > 500 && clean > 0, "{returned} cells returned, {clean} flushes beside scanners");
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
