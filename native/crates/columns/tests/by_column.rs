//! Batches of rows that come column by column, beside those of the same rows cell by cell.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use arrow_array::RecordBatch;
use common::{region, scan_all};
use grampus_base::Result;
use grampus_columns::{BatchLimits, BatchReader, FrozenSource, Mapping, RowSource};
use grampus_store::FrozenRegion;
use grampus_store::read::ScanCounts;
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Cell, Spec};

const MAPPING: &str = "f:b=b:string+ts,f:a,f:none,f:c=c:int+ts";
const ALL_AT_ONCE: BatchLimits = BatchLimits { rows: 1 << 20, bytes: 400 << 20 };

/// A source that gives rows of cells alone.
struct ByRow(FrozenSource);

impl RowSource for ByRow {
    fn advance(&mut self, rows: usize, bytes: usize) -> Result<bool> {
        self.0.advance(rows, bytes)
    }

    fn cells(&self) -> &[u8] {
        self.0.cells()
    }

    fn cell_counts(&self) -> impl Iterator<Item = u32> {
        self.0.cell_counts()
    }
}

fn source(region: &FrozenRegion, spec: &Spec) -> FrozenSource {
    FrozenSource::new(region.scan(&spec.encode(), 0).unwrap()).unwrap()
}

/// All batches, and what the scan has looked at.
fn by_column(region: &FrozenRegion, spec: &Spec, limits: BatchLimits) -> (Vec<RecordBatch>, ScanCounts) {
    let mut reader = BatchReader::new(source(region, spec), &Mapping::parse(MAPPING).unwrap(), limits);
    let batches = reader.by_ref().map(|batch| batch.unwrap()).collect();
    (batches, reader.source().scan().progress())
}

/// All rows in one batch, and what the scan has looked at.
fn by_row(region: &FrozenRegion, spec: &Spec) -> (Option<RecordBatch>, ScanCounts) {
    let source = ByRow(source(region, spec));
    let mut reader = BatchReader::new(source, &Mapping::parse(MAPPING).unwrap(), ALL_AT_ONCE);
    let batch = reader.next_batch().unwrap();
    assert!(reader.next_batch().unwrap().is_none());
    (batch, reader.source().0.scan().progress())
}

/// Rows of the three columns, each of which may lack some; now and then a row has what hides another cell.
fn cells(random: &mut Random) -> Vec<Cell> {
    let rows = 1 + random.below(3000);
    let gaps: Vec<u64> = (0..3).map(|_| *random.pick(&[1, 2, 50, 1_000_000])).collect();
    let hidden = *random.pick(&[300, 1_000_000]);
    let (mut cells, mut noise) = (Vec::new(), 0);
    for row in 0..rows {
        let key = format!("row{row:06}");
        let mut put = |qualifier: &str, timestamp: u64, value: Vec<u8>| {
            cells.push(Cell::put(&key, "f", qualifier, timestamp as i64, value));
        };
        for (qualifier, gap) in ["a", "b", "c"].iter().zip(&gaps) {
            if *gap > 1 && random.one_in(*gap) {
                continue;
            }
            noise += 1 + random.below(3);
            let value = match *qualifier {
                "a" => (0..random.below(60)).map(|_| random.bits() as u8).collect(),
                "b" => format!("text {}", noise % 100).into_bytes(),
                _ => (noise as u32).to_be_bytes().to_vec(),
            };
            put(qualifier, noise, value);
        }
        if random.one_in(hidden) {
            put("a", 0, b"older".to_vec());
        }
    }
    cells.push(Cell::put("row", "f", "a", 7, "there is one row"));
    cells
}

/// What a scan may ask for.
fn spec(random: &mut Random) -> Spec {
    let mut spec = Spec::scan();
    match random.below(4) {
        0 => spec.start = b"row000500".to_vec(),
        1 => spec.stop = b"row001000".to_vec(),
        2 => spec.range = (100, 2000),
        _ => {}
    }
    match random.below(3) {
        0 => spec.column("f", "a"),
        1 => spec.column("f", "a").column("f", "c"),
        _ => spec,
    }
}

#[test]
fn both_ways_lead_to_the_same_rows() {
    let fixed = std::env::var("GRAMPUS_COLUMNS_SEED").ok().map(|seed| seed.parse().unwrap());
    for seed in fixed.map_or(0..60, |seed: u64| seed..seed + 1) {
        let mut random = Random::new(seed);
        let (region, spec) = (region(&cells(&mut random)), spec(&mut random));
        let (expected, looked_at) = by_row(&region, &spec);
        let rows = expected.as_ref().map_or(0, RecordBatch::num_rows);
        for limits in [
            ALL_AT_ONCE,
            BatchLimits { rows: 1 + random.below(900) as usize, ..ALL_AT_ONCE },
            BatchLimits { bytes: 1 + random.below(30_000) as usize, ..ALL_AT_ONCE },
        ] {
            let (batches, counts) = by_column(&region, &spec, limits);
            let mut from = 0;
            for batch in batches {
                assert!(batch.num_rows() <= limits.rows, "seed {seed}: {} rows", batch.num_rows());
                let part = expected.as_ref().unwrap().slice(from, batch.num_rows());
                assert_eq!(batch, part, "seed {seed}, from row {from}, {spec:?}, {limits:?}");
                from += batch.num_rows();
            }
            assert_eq!(from, rows, "seed {seed}, {spec:?}, {limits:?}");
            assert_eq!(counts, looked_at, "seed {seed}, {spec:?}");
        }
    }
}

#[test]
fn a_value_that_its_column_cannot_take_is_named() {
    let value = |n: u32| if n == 1234 { b"no int".to_vec() } else { n.to_be_bytes().to_vec() };
    let cells: Vec<Cell> =
        (0..3000).map(|n| Cell::put(&format!("row{n:06}"), "f", "c", 1, value(n))).collect();
    let mapping = Mapping::parse("f:c=c:int").unwrap();
    let mut reader = BatchReader::of_scan(scan_all(&region(&cells)), &mapping, ALL_AT_ONCE).unwrap();
    let error = reader.next_batch().unwrap_err().message;
    assert!(error.starts_with("row row001234, column f:c: "), "{error}");
    assert!(reader.next_batch().is_err(), "what follows an error is not the rest");
}

#[test]
fn rows_of_single_puts_come_column_by_column() {
    let row = |n: u32| ["a", "b"].map(|q| Cell::put(&format!("row{n:06}"), "f", q, 1, n.to_be_bytes()));
    let cells: Vec<Cell> = (0..5000).flat_map(row).collect();
    let mut scan = scan_all(&region(&cells));
    let (mut rows, mut runs) = (0, 0);
    let mut sink = Rows::default();
    loop {
        let left = scan.next_columns(&mut sink).unwrap();
        if left == 0 {
            break;
        }
        (rows, runs) = (rows + left, runs + 1);
    }
    assert_eq!((rows, sink.keys, sink.values), (5000, 5000, 10_000));
    assert!(runs < 20, "{runs} runs");
}

/// Counts what it takes.
#[derive(Default)]
struct Rows {
    keys: u32,
    values: u32,
}

impl grampus_store::read::ColumnSink for Rows {
    fn room(&self) -> grampus_cells::RunRoom {
        grampus_cells::RunRoom { rows: u32::MAX, bytes: usize::MAX }
    }

    fn key(&mut self, _row: &[u8]) {
        self.keys += 1;
    }

    fn column(&mut self, family: &[u8], _qualifier: &[u8]) -> bool {
        family == b"f"
    }

    fn value(&mut self, _row: u32, _timestamp: i64, _value: &[u8]) {
        self.values += 1;
    }
}
