//! Scans from the block cache into an output buffer, CPU time per row: of one file of 1 KB rows or of rows of many columns, and of four files.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use std::time::Duration;

use common::{CpuTime, FAMILY, Fixture, VALUE_BYTES, rewritten_table, table, table_of_letters};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grampus_engine::{NextOutcome, ScanLimits};
use grampus_testkit::wire::{Spec, bytes};

const ROWS: u64 = 1_000_000;
const ROWS_OF_MANY_COLUMNS: u64 = 20_000;
const ROWS_IN_FOUR_FILES: u64 = 100_000;
const LIMITS: ScanLimits = ScanLimits {
    max_results: 1000,
    limit_of_rows: 0,
    size_limit: 2 << 20,
    time_budget: Duration::from_secs(60),
    partials_allowed: true,
    heartbeats_allowed: true,
    pause_after: Duration::MAX,
    continues: false,
};

/// SingleColumnValueFilter of the newest version: rows whose column is below a value that one row of 100 is below.
fn one_in_100_by(qualifier: &str) -> Vec<u8> {
    const SINGLE_COLUMN_VALUE: u8 = 6;
    const LESS: u8 = 0;
    const BINARY: u8 = 1;
    let mut filter = vec![SINGLE_COLUMN_VALUE];
    bytes(&mut filter, FAMILY.as_bytes());
    bytes(&mut filter, qualifier.as_bytes());
    filter.extend([LESS, BINARY]);
    bytes(&mut filter, &(u16::MAX / 100).to_be_bytes());
    filter.extend([1, 1]); // rows without the column are out; the newest version counts
    filter
}

/// A list of two of them that both must pass.
fn one_in_100_by_both(qualifiers: [&str; 2]) -> Vec<u8> {
    const LIST: u8 = 26;
    const ALL: u8 = 1;
    [&[LIST, ALL, 2, 0, 0, 0][..], &qualifiers.map(one_in_100_by).concat()].concat()
}

/// Reads the whole table, a reply's worth at a time, and returns the bytes written.
fn scan(f: &Fixture, spec: &[u8], out: &mut [u8], info: &mut [u8]) -> u64 {
    let mut scanner = f.region.open_scanner(spec).unwrap();
    let mut bytes = 0;
    loop {
        let NextOutcome::Done(n) = scanner.next(&LIMITS, out, info).unwrap() else { panic!("info is large") };
        bytes += n as u64;
        if info[8] != 0 {
            return bytes;
        }
    }
}

fn scans(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("scan from cache, per row");
    group.throughput(Throughput::Elements(ROWS)).sample_size(20);
    let (mut out, mut info) = (vec![0; 4 << 20], vec![0; 256 * 1024]);
    let wide = table(ROWS, 10);
    let narrow = table(ROWS, 1);
    for (name, table, spec) in [
        ("one column of 1000 bytes", &narrow, Spec::scan()),
        ("ten columns of 100 bytes", &wide, Spec::scan()),
        ("one of ten columns", &wide, Spec::scan().column(FAMILY, "3")),
        ("ten columns of one row in 100 by the first", &wide, Spec::scan().filter(one_in_100_by("0"))),
        ("ten columns of one row in 100 by the last", &wide, Spec::scan().filter(one_in_100_by("9"))),
        (
            "ten columns of one row in 10,000 by the first and the last",
            &wide,
            Spec::scan().filter(one_in_100_by_both(["0", "9"])),
        ),
        (
            "one of ten columns of one row in 100 by it",
            &wide,
            Spec::scan().column(FAMILY, "3").filter(one_in_100_by("3")),
        ),
    ] {
        let spec = spec.encode();
        group.bench_function(name, |b| b.iter(|| scan(table, &spec, &mut out, &mut info)));
    }
    group.finish();
}

fn scans_of_many_columns(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("scan of many columns from cache, per row");
    group.throughput(Throughput::Elements(ROWS_OF_MANY_COLUMNS)).sample_size(20);
    let (mut out, mut info) = (vec![0; 4 << 20], vec![0; 256 * 1024]);
    let (all, cells) = (Spec::scan().encode(), Spec { batch: 1000, ..Spec::scan() }.encode());
    for (columns, bytes) in [(100, 20), (100, 100), (30, 250)] {
        let table = table_of_letters(ROWS_OF_MANY_COLUMNS, columns, bytes);
        for (how, spec) in [("", &all), (", cell by cell", &cells)] {
            let name = format!("{columns} columns of {bytes} bytes{how}");
            group.bench_function(name, |b| b.iter(|| scan(&table, spec, &mut out, &mut info)));
        }
    }
    group.finish();
}

/// Each row is in four files, and its newest cells hide the others.
fn scans_of_files(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("scan of four files from cache, per row");
    group.throughput(Throughput::Elements(ROWS_IN_FOUR_FILES)).sample_size(20);
    let (mut out, mut info) = (vec![0; 4 << 20], vec![0; 256 * 1024]);
    let spec = Spec::scan().encode();
    for columns in [1, 10] {
        let table = rewritten_table(ROWS_IN_FOUR_FILES, columns, 4);
        let name = format!("{columns} columns of {} bytes", VALUE_BYTES / columns);
        group.bench_function(name, |b| b.iter(|| scan(&table, &spec, &mut out, &mut info)));
    }
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = scans, scans_of_many_columns, scans_of_files);
criterion_main!(benches);
