//! Random tables: what every format of file has is what was put into the table.
//!
//! `GRAMPUS_COLUMNS_SEED` repeats one run; a run that fails prints its seed.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_avro::reader::ReaderBuilder;
use bytes::Bytes;
use grampus_columns::{
    AvroFile, BatchLimits, BatchReader, Compression, CsvFile, CsvOptions, CsvStyle, JsonLinesFile, Mapping,
    ParquetFile, ParquetOptions, TableWriter, Written,
};
use grampus_store::FrozenRegion;
use grampus_testkit::random::Random;
use grampus_testkit::wire::Spec;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::common::{VERSIONS, read_all, region, write_all};
use crate::model::table::Table;
use crate::model::value::Value;

const RUNS: u64 = 60;

/// Prints its seed where the test fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("run again with GRAMPUS_COLUMNS_SEED={}", self.0);
        }
    }
}

fn runs(test: impl Fn(&mut Random)) {
    let fixed = std::env::var("GRAMPUS_COLUMNS_SEED").ok().map(|seed| seed.parse().unwrap());
    for seed in fixed.map_or(0..RUNS, |seed: u64| seed..seed + 1) {
        let _seed = Seed(seed);
        test(&mut Random::new(seed));
    }
}

fn limits(random: &mut Random) -> BatchLimits {
    BatchLimits { rows: 1 + random.below(300) as usize, bytes: 1 + random.below(100_000) as usize }
}

fn reader(region: &FrozenRegion, table: &Table, limits: BatchLimits) -> BatchReader {
    let scan = region.scan(&Spec::scan().versions(VERSIONS).encode(), 0).unwrap();
    BatchReader::of_scan(scan, &table.mapping, limits).unwrap()
}

/// Values by row and column.
fn values(batches: &[RecordBatch]) -> Vec<Vec<Value>> {
    let row = |batch: &RecordBatch, row| batch.columns().iter().map(|c| Value::of_array(c, row)).collect();
    batches
        .iter()
        .flat_map(|batch| (0..batch.num_rows()).map(|n| row(batch, n)).collect::<Vec<_>>())
        .collect()
}

/// Checks what was said of a file, and returns its bytes.
fn checked((bytes, written): (Vec<u8>, Written), rows: usize) -> Vec<u8> {
    assert_eq!(written.rows, rows as u64);
    assert_eq!(written.bytes, bytes.len() as u64);
    assert_eq!(written.crc32c, crc32c::crc32c(&bytes));
    bytes
}

#[test]
fn batches_have_what_the_table_has() {
    runs(|random| {
        let table = Table::random(random);
        let mut reader = reader(&region(&table.cells), &table, limits(random));
        let batches: Vec<_> = read_all(&mut reader).collect();
        assert!(batches.iter().all(|batch| batch.num_rows() > 0 && batch.schema() == table.mapping.schema()));
        assert_eq!(values(&batches), table.rows, "{:?}", table.mapping);
    });
}

#[test]
fn parquet_has_what_the_table_has() {
    runs(|random| {
        let table = Table::random(random);
        let options = ParquetOptions {
            compression: *random.pick(&[Compression::None, Compression::Snappy, Compression::Zstd]),
            row_group_bytes: 1 + random.below(20_000) as usize,
            rows_ascend: random.one_in(2),
            metadata: vec![("snapshot".to_string(), "s1".to_string())],
        };
        let file = ParquetFile::create(Vec::new(), table.mapping.schema(), &options).unwrap();
        let written = write_all(&mut reader(&region(&table.cells), &table, limits(random)), file);
        let bytes = checked(written, table.rows.len());
        let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).unwrap();
        assert_eq!(builder.schema().fields(), table.mapping.schema().fields());
        let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
        assert_eq!(values(&batches), table.rows, "{:?}", table.mapping);
    });
}

#[test]
fn avro_has_what_the_table_has() {
    runs(|random| {
        let table = Table::random(random).with_plain_names();
        let compression =
            *random.pick(&[Compression::None, Compression::Deflate, Compression::Snappy, Compression::Zstd]);
        let file = AvroFile::create(Vec::new(), table.mapping.schema(), compression).unwrap();
        let written = write_all(&mut reader(&region(&table.cells), &table, limits(random)), file);
        let bytes = checked(written, table.rows.len());
        let batches = ReaderBuilder::new().build(bytes.as_slice()).unwrap();
        let batches: Vec<_> = batches.map(Result::unwrap).collect();
        let schema = table.mapping.schema();
        let names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
        for batch in &batches {
            let read = batch.schema();
            assert_eq!(read.fields().iter().map(|field| field.name()).collect::<Vec<_>>(), names);
            let nullable = |schema: &arrow_schema::Schema| -> Vec<bool> {
                schema.fields().iter().map(|field| field.is_nullable()).collect()
            };
            assert_eq!(nullable(&read), nullable(&schema));
        }
        assert_eq!(values(&batches), table.rows, "{:?}", table.mapping);
    });
}

#[test]
fn csv_has_what_the_table_has() {
    runs(|random| {
        let table = Table::random(random);
        let file = CsvFile::create(Vec::new(), table.mapping.schema(), CsvStyle::Quoted).unwrap();
        let written = write_all(&mut reader(&region(&table.cells), &table, limits(random)), file);
        let bytes = checked(written, table.rows.len());
        let mut csv = csv::ReaderBuilder::new().has_headers(false).from_reader(&bytes[..]);
        let mut lines = csv.records().map(|line| line.unwrap());
        let schema = table.mapping.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(lines.next().unwrap(), names);
        let texts: Vec<csv::StringRecord> =
            table.rows.iter().map(|row| row.iter().map(Value::text).collect()).collect();
        assert_eq!(lines.collect::<Vec<csv::StringRecord>>(), texts, "{:?}", table.mapping);
    });
}

#[test]
fn tabs_and_line_ends_of_a_table_of_tabs_are_its_own() {
    runs(|random| {
        let table = Table::random(random);
        let file = CsvFile::create(Vec::new(), table.mapping.schema(), CsvStyle::Tabs).unwrap();
        let written = write_all(&mut reader(&region(&table.cells), &table, limits(random)), file);
        let text = String::from_utf8(checked(written, table.rows.len())).unwrap();
        let lines: Vec<Vec<&str>> =
            text.strip_suffix('\n').unwrap().split('\n').map(|line| line.split('\t').collect()).collect();
        let clean = |text: String| text.replace(|c: char| c.is_control() || c == '\u{2028}', " ");
        let texts =
            table.rows.iter().map(|row| row.iter().map(|value| clean(value.text())).collect::<Vec<_>>());
        assert_eq!(lines.len(), 1 + table.rows.len());
        for (line, expected) in lines[1..].iter().zip(texts) {
            assert_eq!(*line, expected, "{:?}", table.mapping);
        }
    });
}

#[test]
fn json_has_what_the_table_has() {
    runs(|random| {
        let table = Table::random(random);
        let file = JsonLinesFile::create(Vec::new(), table.mapping.schema());
        let written = write_all(&mut reader(&region(&table.cells), &table, limits(random)), file);
        let text = String::from_utf8(checked(written, table.rows.len())).unwrap();
        let schema = table.mapping.schema();
        let mut lines = text.split_terminator('\n');
        for row in &table.rows {
            let object: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
            let there = row.iter().filter(|value| **value != Value::Null).count();
            assert_eq!(object.as_object().unwrap().len(), there);
            for (field, value) in schema.fields().iter().zip(row) {
                assert!(value.is_json(object.get(field.name())), "{field}: {value:?} {object}");
            }
        }
        assert_eq!(lines.next(), None);
    });
}

#[test]
fn a_file_without_rows_has_its_columns() {
    let mapping = Mapping::parse("f:a=a:int").unwrap();
    let schema = mapping.schema();
    let parquet = ParquetFile::create(Vec::new(), Arc::clone(&schema), &ParquetOptions::default()).unwrap();
    let (bytes, written) = parquet.finish().unwrap();
    assert_eq!(written.rows, 0);
    let read = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).unwrap();
    assert_eq!(read.schema().fields(), schema.fields());
    assert_eq!(read.build().unwrap().count(), 0);
    let csv = CsvFile::create(Vec::new(), Arc::clone(&schema), CsvStyle::Quoted).unwrap();
    assert_eq!(csv.finish().unwrap().0, b"rowkey,a\r\n");
    let bare = CsvOptions { style: CsvStyle::Quoted, header: false };
    assert_eq!(CsvFile::create(Vec::new(), Arc::clone(&schema), bare).unwrap().finish().unwrap().0, b"");
    let avro = AvroFile::create(Vec::new(), Arc::clone(&schema), Compression::USUAL_OF_AVRO).unwrap();
    let bytes = avro.finish().unwrap().0;
    let read = ReaderBuilder::new().build(bytes.as_slice()).unwrap();
    assert_eq!(read.schema().fields().len(), 2);
    assert_eq!(read.count(), 0);
    assert_eq!(JsonLinesFile::create(Vec::new(), schema).finish().unwrap().0, b"");
}
