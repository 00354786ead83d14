//! Rows to batches, and batches to files: the demo's flights of 19 short columns of text, and rows of ten columns of 100 bytes that nothing makes
//! smaller. CPU time per row.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

#[path = "../tests/common/mod.rs"]
mod common;
mod cpu_time;

use std::fs::File;
use std::io::{self, Read};

use arrow_array::RecordBatch;
use common::{read_all, region, scan_all};
use cpu_time::CpuTime;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use grampus_columns::{
    AvroFile, BatchLimits, BatchReader, Compression, CsvFile, CsvStyle, JsonLinesFile, Mapping, ParquetFile,
    ParquetOptions, TableWriter,
};
use grampus_store::read::Stop;
use grampus_store::{FrozenLimits, FrozenRegion, FrozenRows};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Cell, Spec};

const ROWS: usize = 50_000;
const FLIGHTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../perf-eval/data/flights.csv.gz");
/// What the demo's row keys are made of.
const KEY: [&str; 7] = ["year", "month", "day", "carrier", "flight", "origin", "sched_dep_time"];
const NUMBERS: [&str; 9] =
    ["year", "month", "day", "dep_time", "arr_time", "flight", "distance", "hour", "minute"];

/// A table with the mappings that are measured, and what a scan asks for with each.
struct Case {
    name: &'static str,
    region: FrozenRegion,
    mappings: Vec<(&'static str, Mapping, Spec)>,
}

fn flights() -> Case {
    let mut csv = String::new();
    flate2::read::MultiGzDecoder::new(File::open(FLIGHTS).unwrap()).read_to_string(&mut csv).unwrap();
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let key = KEY.map(|name| header.iter().position(|column| *column == name).unwrap());
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let key = key.map(|column| fields[column]).join("|");
        let cell = |(name, value): (&&str, &&str)| Cell::put(&key, "f", name, 1_760_000_000_000, value);
        let there = header.iter().zip(&fields).filter(|(_, value)| !value.is_empty() && **value != "NA");
        there.map(cell).collect::<Vec<_>>()
    };
    let cells: Vec<Cell> = lines.take(ROWS).flat_map(row).collect();
    let of = |kind: &dyn Fn(&str) -> &'static str| {
        let columns: Vec<String> =
            header.iter().map(|name| format!("f:{name}={name}:{}", kind(name))).collect();
        Mapping::parse(&format!(":key=id:string,{}", columns.join(","))).unwrap()
    };
    let is_number = |name: &str| NUMBERS.contains(&name);
    let one = |name| Mapping::parse(&format!("f:{name}={name}:bytes")).unwrap();
    let mappings = vec![
        ("bytes", of(&|_| "bytes"), Spec::scan()),
        ("text", of(&|_| "string"), Spec::scan()),
        ("numbers", of(&|name| if is_number(name) { "long(text)" } else { "string" }), Spec::scan()),
        ("one of 19", one("dest"), Spec::scan().column("f", "dest")),
        (
            "one of 19, without keys",
            Mapping::parse(":nokey,f:dest=dest:bytes").unwrap(),
            Spec::scan().column("f", "dest"),
        ),
        ("one of 19, with gaps", one("dep_time"), Spec::scan().column("f", "dep_time")),
        ("all cells", Mapping::parse("*").unwrap(), Spec::scan()),
    ];
    Case { name: "flights", region: region(&cells), mappings }
}

fn kilobytes() -> Case {
    let mut random = Random::new(7);
    let mut noise = || (0..13).flat_map(|_| random.bits().to_le_bytes()).take(100).collect::<Vec<u8>>();
    let cells: Vec<Cell> = (0..ROWS)
        .flat_map(|n| (0..10).map(move |column| (n, column)))
        .map(|(n, column)| Cell::put(&format!("{n:026}"), "info0", &column.to_string(), 1, noise()))
        .collect();
    let columns: Vec<String> = (0..10).map(|column| format!("info0:{column}")).collect();
    let mappings = vec![("bytes", Mapping::parse(&columns.join(",")).unwrap(), Spec::scan())];
    Case { name: "1 KB", region: region(&cells), mappings }
}

/// The scan alone, whose share of the rest is to be known.
fn scan(region: &FrozenRegion) -> usize {
    let (mut scan, mut rows, mut cells) = (scan_all(region), FrozenRows::default(), 0);
    loop {
        let stop = scan.next(&FrozenLimits::USUAL, &mut rows).unwrap();
        cells += rows.cells().len();
        if stop == Stop::End {
            return cells;
        }
    }
}

fn reader(region: &FrozenRegion, mapping: &Mapping, spec: &Spec) -> BatchReader {
    let scan = region.scan(&spec.encode(), 0).unwrap();
    BatchReader::of_scan(scan, mapping, BatchLimits::default()).unwrap()
}

/// Reads all batches. Returns their rows.
fn count(mut reader: BatchReader) -> usize {
    read_all(&mut reader).map(|batch| batch.num_rows()).sum()
}

fn write(mut file: impl TableWriter, batches: &[RecordBatch]) -> u64 {
    batches.iter().for_each(|batch| file.write(batch).unwrap());
    file.finish().unwrap().1.bytes
}

fn columns(c: &mut Criterion<CpuTime>) {
    for case in [flights(), kilobytes()] {
        let rows = count(reader(&case.region, &case.mappings[0].1, &Spec::scan()));
        let mut group = c.benchmark_group(case.name);
        group.throughput(Throughput::Elements(rows as u64)).sample_size(10);
        group.bench_function("scan alone", |b| b.iter(|| scan(&case.region)));
        for (name, mapping, spec) in &case.mappings {
            group.bench_function(format!("batches, {name}"), |b| {
                b.iter(|| count(reader(&case.region, mapping, spec)));
            });
        }
        // The most telling of the mappings by name.
        let (_, mapping, spec) = case.mappings.get(2).unwrap_or(&case.mappings[0]);
        let batches: Vec<RecordBatch> = read_all(&mut reader(&case.region, mapping, spec)).collect();
        let schema = mapping.schema();
        for compression in [Compression::None, Compression::Snappy, Compression::Zstd] {
            let options = ParquetOptions { compression, rows_ascend: false, ..ParquetOptions::default() };
            let create = || ParquetFile::create(io::sink(), schema.clone(), &options).unwrap();
            group.bench_function(
                format!("Parquet, {compression:?}, {} bytes", write(create(), &batches)),
                |b| {
                    b.iter_batched(create, |file| write(file, &batches), BatchSize::PerIteration);
                },
            );
        }
        for compression in [Compression::None, Compression::Deflate, Compression::Snappy, Compression::Zstd] {
            let create = || AvroFile::create(io::sink(), schema.clone(), compression).unwrap();
            let name = format!("Avro, {compression:?}, {} bytes", write(create(), &batches));
            group.bench_function(name, |b| b.iter(|| write(create(), &batches)));
        }
        group.bench_function("CSV", |b| {
            let create = || CsvFile::create(io::sink(), schema.clone(), CsvStyle::Quoted).unwrap();
            b.iter(|| write(create(), &batches));
        });
        group.bench_function("JSON lines", |b| {
            b.iter(|| write(JsonLinesFile::create(io::sink(), schema.clone()), &batches));
        });
        group.finish();
    }
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = columns);
criterion_main!(benches);
