//! Scans that evaluate rows of files by one column alone, or none, answer what a walk cell by cell does: call for call, byte for byte and row for
//! row where the output has room, and the same results altogether where it has not, since rows that are dropped take no room. The
//! walk is had by putting the filter, if there is one, into a list together with an empty one.

use std::time::Duration;

use grampus_engine::{NextOutcome, ScanLimits, Scanner};
use grampus_store::FrozenLimits;
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, bytes};

use crate::common::frozen::{scan_frozen, scan_frozen_by};
use crate::common::{Fixture, NO_LIMITS, start};

/// Enough rows for each column to have pages of its own; without them no row is decided by one column.
const ROWS: u64 = 1200;
const PUT: u8 = 4;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;
const REVERSED: u32 = 32;
const INCLUDE_STOP: u32 = 128;
const TTL_MILLIS: i64 = 1000 * 1000;
const BINARY: u8 = 1;
/// Bytes of an output that has room for all that a call returns.
const AMPLE: usize = 1 << 20;

/// What a table has besides puts.
#[derive(Clone, Copy, Debug)]
struct Kind {
    versions: bool,
    deleted_columns: bool,
    deleted_families: bool,
    tags: bool,
    expired: bool,
    files: u64,
    block: u64,
}

impl Kind {
    fn random(random: &mut Random) -> Kind {
        Kind {
            versions: random.one_in(3),
            deleted_columns: random.one_in(4),
            deleted_families: random.one_in(5),
            tags: random.one_in(4),
            expired: random.one_in(4),
            files: 1 + random.below(3),
            block: *random.pick(&[1024, 4096, 65536]),
        }
    }
}

/// A value of column `q`; each column has an encoding of its own.
fn value(random: &mut Random, q: u64) -> Vec<u8> {
    let n = random.below(100);
    match q {
        0 => vec![n as u8; 8],
        1 => (n * 1_000_003).to_string().into_bytes(),
        2 => ["yes", "no", "unknown"][(n % 3) as usize].into(),
        3 => n.to_be_bytes().to_vec(),
        4 => vec![n as u8; n as usize % 40],
        _ => b"the same in every row".into(),
    }
}

fn table(random: &mut Random, kind: Kind) -> Fixture {
    let attributes =
        format!("\"maxVersions\":2,\"ttlSeconds\":{},\"blockSize\":{}", TTL_MILLIS / 1000, kind.block);
    let f = start(&[("f", &attributes)]);
    f.engine.set_compactions_enabled(false);
    let now = f.env.now_millis();
    // Columns that every row has lie otherwise than those that some rows have.
    let dense = random.one_in(2);
    for row in 0..ROWS {
        let key = format!("row{row:05}");
        let age = if kind.expired && random.one_in(20) { TTL_MILLIS + 1000 } else { 500 };
        let stamp = now - age + random.below(100) as i64;
        let mut puts: Vec<Cell> = Vec::new();
        for q in 0..6 {
            if !dense && random.one_in(3) && !(q == 5 && puts.is_empty()) {
                continue;
            }
            for version in 0..1 + i64::from(kind.versions && random.one_in(200)) {
                let mut cell = Cell::new(&key, "f", &format!("q{q}"), stamp - version, PUT, value(random, q));
                if kind.tags && random.one_in(200) {
                    cell.tags = vec![0, 2, 77, 1];
                }
                puts.push(cell);
            }
        }
        f.mutate(&Batch::new().row_op(RowOp::put(&puts)));
        if kind.deleted_columns && random.one_in(20) {
            let marker = Cell::new(&key, "f", "q3", stamp, DELETE_COLUMN, "");
            f.mutate(&Batch::new().row_op(RowOp::delete(&[marker])));
        }
        if kind.deleted_families && random.one_in(30) {
            let marker = Cell::new(&key, "f", "", stamp, DELETE_FAMILY, "");
            f.mutate(&Batch::new().row_op(RowOp::delete(&[marker])));
        }
        if (row + 1) % (ROWS / kind.files) == 0 {
            f.region.flush().unwrap();
        }
    }
    if random.one_in(2) {
        f.region.flush().unwrap();
    }
    f
}

/// A filter of a single column, a list of some, often of the same column, or none.
fn filter(random: &mut Random) -> Option<Vec<u8>> {
    let q = random.below(7);
    if random.one_in(3) {
        return None;
    }
    if random.one_in(2) {
        return Some(of_column(random, q));
    }
    let filters: Vec<Vec<u8>> = (0..1 + random.below(3))
        .map(|_| {
            let q = if random.one_in(3) { random.below(7) } else { q };
            of_column(random, q)
        })
        .collect();
    Some(list(&filters))
}

/// SingleColumnValueFilter or SingleColumnValueExcludeFilter.
fn of_column(random: &mut Random, q: u64) -> Vec<u8> {
    let mut filter = vec![6 + u8::from(random.one_in(3))];
    bytes(&mut filter, if random.one_in(12) { b"g" } else { b"f" });
    bytes(&mut filter, format!("q{q}").as_bytes());
    filter.extend([random.below(7) as u8, BINARY]);
    bytes(&mut filter, &value(random, q));
    filter.extend([u8::from(random.one_in(2)), u8::from(!random.one_in(3))]);
    filter
}

fn spec(random: &mut Random, now: i64) -> Spec {
    let mut spec = Spec::scan();
    if random.one_in(3) {
        (0..6).filter(|_| random.one_in(2)).for_each(|q| spec = spec.clone().column("f", &format!("q{q}")));
    }
    if random.one_in(4) {
        spec = spec.with(REVERSED);
    }
    if random.one_in(4) {
        spec = spec.versions(2);
    }
    match random.below(4) {
        0 => spec.range = (now - 450, i64::MAX),
        1 => spec.range = (now - 10_000, now + 1),
        _ => {}
    }
    if random.one_in(3) {
        let (low, high) = (random.below(ROWS / 2), ROWS / 2 + random.below(ROWS / 2));
        let (start, stop) = if spec.flags & REVERSED == 0 { (low, high) } else { (high, low) };
        (spec.start, spec.stop) = (format!("row{start:05}").into(), format!("row{stop:05}").into());
        if random.one_in(2) {
            spec = spec.with(INCLUDE_STOP);
        }
    }
    spec
}

fn limits(random: &mut Random) -> (ScanLimits, usize) {
    let (size_max, room_max) = (*random.pick(&[6000, 100_000]), *random.pick(&[9000, 90_000]));
    let limits = ScanLimits {
        max_results: if random.one_in(2) { 1 + random.below(90) as u32 } else { u32::MAX },
        limit_of_rows: if random.one_in(3) { 1 + random.below(30) as u32 } else { 0 },
        size_limit: if random.one_in(2) { 1 + random.below(size_max) } else { u64::MAX },
        partials_allowed: random.one_in(2),
        ..NO_LIMITS
    };
    let room = if random.one_in(2) { AMPLE } else { 200 + random.below(room_max) as usize };
    (limits, room)
}

/// What a call answers.
struct Call {
    cells: Vec<u8>,
    info: Vec<u8>,
}

impl Call {
    fn count(&self, at: usize) -> usize {
        u32::from_le_bytes(self.info[at..at + 4].try_into().unwrap()) as usize
    }

    /// Rows looked at and rows dropped, since the scan began.
    fn rows(&self) -> (u64, u64) {
        let count = |at: usize| u64::from_le_bytes(self.info[at..at + 8].try_into().unwrap());
        (count(16), count(24))
    }

    fn is_last(&self) -> bool {
        self.info[8] != 0
    }

    /// Number of cells of each result.
    fn results(&self) -> impl Iterator<Item = usize> {
        (0..self.count(0)).map(|result| self.count(56 + 4 * result))
    }

    /// All that the calls answer but the bytes that were looked at.
    fn assert_eq(&self, other: &Call, what: impl Fn() -> String) {
        assert!(self.cells == other.cells, "other cells: {}", what());
        assert_eq!(self.info[..32], other.info[..32], "{}", what());
        assert!(self.info[40..] == other.info[40..], "other results or last row: {}", what());
    }
}

/// The calls of a scan up to its end.
fn calls(scanner: &mut Scanner, limits: &ScanLimits, room: usize) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    while !calls.last().is_some_and(Call::is_last) {
        // A row that does not fit by itself says what it needs.
        let room = calls.last().map_or(0, |call| call.count(12)).max(room);
        let (mut cells, mut info) = (vec![0; room], vec![0; 128 * 1024]);
        let NextOutcome::Done(n) = scanner.next(limits, &mut cells, &mut info).unwrap() else {
            panic!("info is large")
        };
        cells.truncate(n);
        cells.shrink_to_fit();
        info.truncate(info.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1).max(56));
        info.shrink_to_fit();
        calls.push(Call { cells, info });
    }
    calls
}

/// All cells of a scan, and how many belong to each result.
fn results(calls: &[Call]) -> (Vec<u8>, Vec<usize>) {
    let cells = calls.iter().flat_map(|call| &call.cells).copied().collect();
    (cells, calls.iter().flat_map(Call::results).collect())
}

fn list(filters: &[Vec<u8>]) -> Vec<u8> {
    const LIST: u8 = 26;
    const ALL: u8 = 1;
    [&[LIST, ALL][..], &(filters.len() as u32).to_le_bytes(), &filters.concat()].concat()
}

fn walked(filter: Option<Vec<u8>>) -> Vec<u8> {
    list(&[filter.unwrap_or_else(|| list(&[])), list(&[])])
}

#[test]
fn rows_come_as_if_walked() {
    let first_seed = u64::from(std::process::id());
    eprintln!("seeds from {first_seed}");
    let (mut kept, mut dropped) = (0, 0);
    for seed in first_seed..first_seed + 10 {
        let mut random = Random::new(seed);
        let kind = Kind::random(&mut random);
        let f = table(&mut random, kind);
        for scan in 0..40 {
            let (mut spec, filter) = (spec(&mut random, f.env.now_millis()), filter(&mut random));
            if filter.is_none() && kind.versions {
                // A scan leaves a column behind its last version; with a filter, as in HBase, it first comes to the next one, so that a row whose last
                // cell reaches a limit may have more.
                spec = spec.versions(2);
            }
            let open = |spec: &Spec| f.region.open_scanner(&spec.encode()).unwrap();
            let fast = filter.clone().map_or(spec.clone(), |filter| spec.clone().filter(filter));
            let (mut fast, mut walked) = (open(&fast), open(&spec.clone().filter(self::walked(filter))));
            let (limits, room) = limits(&mut random);
            let (expected, found) = (calls(&mut walked, &limits, room), calls(&mut fast, &limits, room));
            let what = || format!("seed {seed}, {kind:?}, scan {scan}, {limits:?}, {room}");
            if room == AMPLE {
                assert_eq!(found.len(), expected.len(), "{}", what());
                for (found, expected) in found.iter().zip(&expected) {
                    found.assert_eq(expected, what);
                }
            }
            assert_eq!(results(&found), results(&expected), "{}", what());
            let (Some(found), Some(expected)) = (found.last(), expected.last()) else {
                panic!("a scan has a call")
            };
            assert_eq!(found.rows(), expected.rows(), "{}", what());
            let (scanned, filtered) = expected.rows();
            kept += scanned - filtered;
            dropped += filtered;
        }
    }
    assert!(kept > 1000 && dropped > 1000, "{kept} rows kept, {dropped} dropped");
}

/// The rows of one file: their number, and the sizes of keys, columns and values.
struct Shape {
    rows: u64,
    key_bytes: usize,
    columns: u64,
    value_bytes: u64,
    /// Of one column alone, whose values are few.
    repeated_bytes: usize,
}

impl Shape {
    fn table(&self, random: &mut Random) -> Fixture {
        let f = start(&[("f", "\"maxVersions\":1,\"blockSize\":65536")]);
        for row in 0..self.rows {
            let key = format!("{row:0width$}", width = self.key_bytes);
            let cell = |q: u64, value: Vec<u8>| Cell::new(&key, "f", &format!("q{q:03}"), 7, PUT, value);
            let short = (1..self.columns).filter(|q| *q == 1 || q % 5 != row % 5);
            let mut puts: Vec<Cell> =
                short.map(|q| cell(q, vec![q as u8; random.below(self.value_bytes) as usize])).collect();
            puts.insert(0, cell(0, vec![(row % 3) as u8; self.repeated_bytes]));
            f.mutate(&Batch::new().row_op(RowOp::put(&puts)));
        }
        f.region.flush().unwrap();
        f
    }
}

#[test]
fn rows_of_every_shape_come_as_if_walked() {
    let seed = u64::from(std::process::id());
    eprintln!("seed {seed}");
    let mut random = Random::new(seed);
    let small = Shape { rows: 400, key_bytes: 8, columns: 2, value_bytes: 20, repeated_bytes: 5 };
    for shape in [
        Shape { rows: 4500, ..small },
        Shape { columns: 150, ..small },
        Shape { rows: 150, key_bytes: 3000, columns: 9, ..small },
        Shape { rows: 80, key_bytes: 300, columns: 150, ..small },
        Shape { columns: 5, value_bytes: 2000, ..small },
        // As they are encoded the values are short.
        Shape { columns: 12, repeated_bytes: 9000, ..small },
    ] {
        let f = shape.table(&mut random);
        for _ in 0..8 {
            let (limits, _) = limits(&mut random);
            let open = |spec: &Spec| f.region.open_scanner(&spec.encode()).unwrap();
            let (mut fast, mut walk) = (open(&Spec::scan()), open(&Spec::scan().filter(walked(None))));
            let room = 5 * AMPLE;
            let (found, expected) = (calls(&mut fast, &limits, room), calls(&mut walk, &limits, room));
            let what =
                || format!("seed {seed}, {} rows of {} columns, {limits:?}", shape.rows, shape.columns);
            assert_eq!(found.len(), expected.len(), "{}", what());
            found.iter().zip(&expected).for_each(|(found, expected)| found.assert_eq(expected, what));
        }
    }
}

/// In calls that each return few rows or look at few bytes, however many rows the filter drops.
#[test]
fn files_without_a_server_give_the_same_rows() {
    let first_seed = u64::from(std::process::id());
    eprintln!("seeds from {first_seed}");
    let mut cells = 0;
    for seed in first_seed..first_seed + 6 {
        let mut random = Random::new(seed);
        let kind = Kind::random(&mut random);
        let f = table(&mut random, kind);
        let frozen = f.frozen();
        for scan in 0..20 {
            let now = f.env.now_millis();
            let (spec, filter) = (spec(&mut random, now), filter(&mut random));
            let mut walked =
                f.region.open_scanner(&spec.clone().filter(walked(filter.clone())).encode()).unwrap();
            let expected = Cell::decode_all(&results(&calls(&mut walked, &NO_LIMITS, AMPLE)).0);
            let spec = filter.map_or(spec.clone(), |filter| spec.filter(filter));
            let what = format!("seed {seed}, {kind:?}, scan {scan}");
            assert_eq!(scan_frozen(&frozen, &spec, now), expected, "{what}");
            let limits = || FrozenLimits {
                rows: 1 + random.below(200) as u32,
                bytes: 1 + random.below(20_000),
                time: Duration::MAX,
            };
            assert_eq!(scan_frozen_by(&frozen, &spec, now, limits), expected, "{what}, in calls");
            cells += expected.len();
        }
    }
    assert!(cells > 1000, "only {cells} cells");
}
