//! Batches of rows that come column by column, beside those of the same rows cell by cell.

use std::time::Duration;

use arrow_array::RecordBatch;
use grampus_base::{ErrorKind, Result};
use grampus_columns::{BatchLimits, BatchReader, FrozenSource, Mapping, RowSource};
use grampus_store::read::ScanCounts;
use grampus_store::{FamilyConfig, FrozenRegion};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Cell, Spec};

use crate::common::{read_all, region, region_of_files, scan_all};

const MAPPING: &str = "f:b=b:string+ts,f:a,f:none,f:c=c:int+ts";
/// Milliseconds since 1970: cells of the age of the family's time to live are in the middle of the larger tables.
const NOW: i64 = 2500;
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
    FrozenSource::new(region.scan(&spec.encode(), NOW).unwrap()).unwrap()
}

/// All batches, and what the scan has looked at.
fn by_column(
    region: &FrozenRegion,
    spec: &Spec,
    mapping: &Mapping,
    limits: BatchLimits,
) -> (Vec<RecordBatch>, ScanCounts) {
    let mut reader = BatchReader::new(source(region, spec), mapping, limits);
    let batches = read_all(&mut reader).collect();
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

/// A family's files: rows of four columns, one of which is not in the mapping, each of which may have gaps. Now and then a row has what hides
/// another cell. Several files have rows of their own, or each has some of the columns.
fn files(random: &mut Random) -> Vec<Vec<Cell>> {
    let mut files = vec![Vec::new(); 1 + random.below(3) as usize];
    let by_rows = random.one_in(2);
    let rows = 1 + random.below(3000);
    let gaps: Vec<u64> = (0..4).map(|_| *random.pick(&[1, 2, 50, 1_000_000])).collect();
    let hidden = *random.pick(&[300, 1_000_000]);
    let mut time = 0;
    for row in 0..rows {
        let key = format!("row{row:06}");
        for (column, gap) in gaps.iter().enumerate() {
            if *gap > 1 && random.one_in(*gap) {
                continue;
            }
            time += 1 + random.below(3);
            let (qualifier, value) = match column {
                0 => ("a", (0..random.below(60)).map(|_| random.bits() as u8).collect()),
                1 => ("b", format!("text {}", time % 100).into_bytes()),
                2 => ("c", (time as u32).to_be_bytes().to_vec()),
                _ => ("unmapped", vec![b'u'; time as usize % 70]),
            };
            let part = if by_rows { row * files.len() as u64 / rows } else { column as u64 };
            let file = part as usize % files.len();
            files[file].push(Cell::put(&key, "f", qualifier, time as i64, value));
        }
        if random.one_in(hidden) {
            let last = files.len() - 1;
            files[last].push(Cell::put(&key, "f", "a", 0, "older"));
        }
    }
    files.iter_mut().for_each(|file| file.push(Cell::put("row", "f", "a", 7, "there is one row")));
    files.truncate(if by_rows { files.len() } else { 4 });
    files
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
    match random.below(4) {
        0 => spec.column("f", "a"),
        1 => spec.column("f", "a").column("f", "c"),
        _ => spec,
    }
}

fn config(random: &mut Random) -> FamilyConfig {
    let block_size = *random.pick(&[512, 4096, 65_536]);
    let ttl_millis = random.one_in(4).then_some(1000);
    FamilyConfig { block_size, ttl_millis, ..FamilyConfig::new("f") }
}

fn value_bytes(batch: &RecordBatch) -> usize {
    let columns = batch.columns().iter().map(|column| column.to_data());
    columns.map(|column| column.buffers().iter().skip(1).map(|values| values.len()).sum::<usize>()).sum()
}

#[test]
fn both_ways_lead_to_the_same_rows() {
    let fixed = std::env::var("GRAMPUS_COLUMNS_SEED").ok().map(|seed| seed.parse().unwrap());
    let mapping = Mapping::parse(MAPPING).unwrap();
    let keyless = Mapping::parse(&format!(":nokey,{MAPPING}")).unwrap();
    for seed in fixed.map_or(0..100, |seed: u64| seed..seed + 1) {
        let mut random = Random::new(seed);
        let region = region_of_files(&files(&mut random), config(&mut random), u64::MAX);
        let spec = spec(&mut random);
        let (expected, looked_at) = by_row(&region, &spec);
        let rows = expected.as_ref().map_or(0, RecordBatch::num_rows);
        for limits in [
            ALL_AT_ONCE,
            BatchLimits { rows: 1 + random.below(900) as usize, ..ALL_AT_ONCE },
            BatchLimits { bytes: 1 + random.below(60_000) as usize, ..ALL_AT_ONCE },
        ] {
            let (batches, counts) = by_column(&region, &spec, &mapping, limits);
            let mut from = 0;
            for batch in batches {
                assert!(batch.num_rows() <= limits.rows, "seed {seed}: {} rows", batch.num_rows());
                let bytes = value_bytes(&batch);
                assert!(bytes <= limits.bytes + (64 << 10) + 1000, "seed {seed}: {bytes} bytes, {limits:?}");
                let part = expected.as_ref().unwrap().slice(from, batch.num_rows());
                assert_eq!(batch, part, "seed {seed}, from row {from}, {spec:?}, {limits:?}");
                from += batch.num_rows();
            }
            assert_eq!(from, rows, "seed {seed}, {spec:?}, {limits:?}");
            assert_eq!(counts, looked_at, "seed {seed}, {spec:?}");
            let (without_keys, counts) = by_column(&region, &spec, &keyless, limits);
            let rows_of = |counts: &ScanCounts| (counts.rows_scanned, counts.rows_filtered);
            assert_eq!(rows_of(&counts), rows_of(&looked_at), "seed {seed}, {spec:?}, without keys");
            assert!(counts.bytes_scanned <= looked_at.bytes_scanned, "seed {seed}, {spec:?}, without keys");
            let mut from = 0;
            for batch in without_keys {
                assert!(
                    batch.num_rows() <= limits.rows,
                    "seed {seed}: {} rows without keys",
                    batch.num_rows()
                );
                let part = expected.as_ref().unwrap().slice(from, batch.num_rows());
                let columns: Vec<usize> = (1..part.num_columns()).collect();
                assert_eq!(batch, part.project(&columns).unwrap(), "seed {seed}, from row {from}, {spec:?}");
                from += batch.num_rows();
            }
            assert_eq!(from, rows, "seed {seed}, {spec:?}, {limits:?}, without keys");
        }
    }
}

#[test]
fn a_row_that_is_too_large_is_refused_in_both_ways() {
    let row = |n: u32| {
        let key = format!("row{n:06}{}", "k".repeat(if n == 1234 { 300 } else { 0 }));
        ["a", "b", "c"].map(|column| Cell::put(&key, "f", column, 1, n.to_be_bytes()))
    };
    let cells: Vec<Cell> = (0..3000).flat_map(row).collect();
    let region = region_of_files(&[cells], FamilyConfig::new("f"), 800);
    let spec = Spec::scan();
    for mapping in ["f:a,f:b,f:c", ":nokey,f:a,f:b,f:c"] {
        let mapping = Mapping::parse(mapping).unwrap();
        let mut by_column = BatchReader::new(source(&region, &spec), &mapping, ALL_AT_ONCE);
        let mut by_row = BatchReader::new(ByRow(source(&region, &spec)), &mapping, ALL_AT_ONCE);
        let error = by_column.next_batch().unwrap_err();
        assert_eq!(error.kind, ErrorKind::RowTooBig);
        assert_eq!(error.message, by_row.next_batch().unwrap_err().message);
    }
}

#[test]
fn a_value_that_its_column_cannot_take_is_named() {
    let value = |n: u32| if n == 1234 { b"no int".to_vec() } else { n.to_be_bytes().to_vec() };
    let cell = |n: u32| Cell::put(&format!("row{n:06}"), "f", "c", 1, value(n));
    let other = |n: u32| Cell::put(&format!("row{n:06}"), "f", "d", 1, "d");
    let everywhere: Vec<Cell> = (0..3000).map(cell).collect();
    let gaps = (0..3000).map(|n| if n % 3 == 0 { other(n) } else { cell(n) }).collect();
    let spec = Spec::scan().column("f", "c");
    for cells in [everywhere, gaps] {
        let region = region(&cells);
        for mapping in ["f:c=c:int", ":nokey,f:c=c:int"] {
            let mapping = Mapping::parse(mapping).unwrap();
            let mut reader = BatchReader::new(source(&region, &spec), &mapping, ALL_AT_ONCE);
            let error = reader.next_batch().unwrap_err().message;
            assert!(error.starts_with("row row001234, column f:c: "), "{error}");
            assert!(reader.next_batch().is_err(), "what follows an error is not the rest");
        }
    }
}

#[test]
fn rows_of_single_puts_come_column_by_column() {
    let row = |n: u32| ["a", "b"].map(|q| Cell::put(&format!("row{n:06}"), "f", q, 1, n.to_be_bytes()));
    let cells: Vec<Cell> = (0..5000).flat_map(row).collect();
    let mut scan = scan_all(&region(&cells));
    let mut sink = Rows::default();
    let rows = scan.next_columns(Duration::MAX, &mut sink).unwrap();
    assert_eq!((rows, sink.keys, sink.values), (5000, 5000, 10_000));
    assert!(sink.runs < 20, "{} runs", sink.runs);
}

/// Counts what it takes.
#[derive(Default)]
struct Rows {
    runs: u32,
    keys: usize,
    values: usize,
}

impl grampus_store::read::ColumnSink for Rows {
    fn room(&mut self, _columns: grampus_cells::RunColumns) -> grampus_cells::RunRoom {
        grampus_cells::RunRoom { rows: u32::MAX, key_bytes: Some(usize::MAX), value_bytes: usize::MAX }
    }

    fn rows(&mut self, keys: &grampus_cells::Strings) {
        self.runs += 1;
        self.keys += keys.len();
    }

    fn column(&mut self, family: &[u8], _qualifier: &[u8], values: &grampus_cells::RunValues<'_>) {
        assert_eq!(family, b"f");
        self.values += values.values.len();
    }
}
