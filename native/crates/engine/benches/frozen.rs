//! Scans of a table of 1 KB rows in one file: by a server, from its cache into an output buffer, and of the file alone. CPU time per row.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{CpuTime, FAMILY, Fixture, frozen_region_of, table};
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use grampus_cache::BlockCache;
use grampus_engine::{NextOutcome, ScanLimits};
use grampus_store::read::Stop;
use grampus_store::{FrozenLimits, FrozenRegion, FrozenRows};
use grampus_testkit::wire::{Spec, bytes};

const ROWS: u64 = 200_000;
const REPLY_BYTES: u64 = 2 << 20;
const LIMITS: ScanLimits = ScanLimits {
    max_results: 1000,
    limit_of_rows: 0,
    size_limit: REPLY_BYTES,
    time_budget: Duration::from_secs(60),
    partials_allowed: true,
    heartbeats_allowed: true,
    pause_after: Duration::MAX,
    continues: false,
};

/// SingleColumnValueFilter of the newest version: rows whose column is below a value that one row of 100 is below.
fn one_in_100() -> Vec<u8> {
    const SINGLE_COLUMN_VALUE: u8 = 6;
    const LESS: u8 = 0;
    const BINARY: u8 = 1;
    let mut filter = vec![SINGLE_COLUMN_VALUE];
    bytes(&mut filter, FAMILY.as_bytes());
    bytes(&mut filter, b"3");
    filter.extend([LESS, BINARY]);
    bytes(&mut filter, &(u16::MAX / 100).to_be_bytes());
    filter.extend([1, 1]); // rows without the column are out; the newest version counts
    filter
}

/// Reads the whole table, a reply's worth at a time, and returns the bytes of cells.
fn by_server(f: &Fixture, spec: &[u8], out: &mut [u8], info: &mut [u8]) -> u64 {
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

/// The same without a server.
fn frozen(region: &FrozenRegion, spec: &[u8], rows: &mut FrozenRows) -> u64 {
    let limits = FrozenLimits { rows: 1000, bytes: REPLY_BYTES, time: Duration::from_secs(60) };
    let mut scan = region.scan(spec, 0).unwrap();
    let mut bytes = 0;
    loop {
        let stop = scan.next(&limits, rows).unwrap();
        bytes += rows.cells().len() as u64;
        if stop == Stop::End {
            return bytes;
        }
    }
}

fn scans(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("frozen beside server, per row");
    group.throughput(Throughput::Elements(ROWS)).sample_size(20);
    for columns in [10, 50] {
        scans_of(&mut group, columns);
    }
    group.finish();
}

/// Scans of rows of `columns` columns.
fn scans_of(group: &mut BenchmarkGroup<'_, CpuTime>, columns: usize) {
    let f = table(ROWS, columns);
    let cache = Arc::new(BlockCache::new(1 << 30));
    let listed = f.region.snapshot_files(false).unwrap();
    let region = frozen_region_of(&cache, f.env.clone(), &f.open_json, &listed);
    let (mut out, mut info) = (vec![0; 2 * REPLY_BYTES as usize], vec![0; 256 * 1024]);
    let mut rows = FrozenRows::default();
    for (name, spec) in [
        ("all", Spec::scan()),
        ("one", Spec::scan().column(FAMILY, "3")),
        ("all of one row in 100", Spec::scan().filter(one_in_100())),
    ] {
        let spec = spec.encode();
        assert_eq!(frozen(&region, &spec, &mut rows), by_server(&f, &spec, &mut out, &mut info));
        group.bench_function(format!("{name} of {columns} columns, server"), |b| {
            b.iter(|| by_server(&f, &spec, &mut out, &mut info));
        });
        group.bench_function(format!("{name} of {columns} columns, frozen"), |b| {
            b.iter(|| frozen(&region, &spec, &mut rows));
        });
    }
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = scans);
criterion_main!(benches);
