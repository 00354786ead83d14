//! Scans of a compacted table of 1 KB rows from the block cache into an output buffer, per row.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Fixture, start_in};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grampus_engine::env::FakeEnv;
use grampus_engine::{NextOutcome, ScanLimits};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

const ROWS: u64 = 200_000;
const VALUE_BYTES: usize = 1000;
const BATCH: u64 = 1000;
const LIMITS: ScanLimits = ScanLimits {
    max_results: 1000,
    limit_of_rows: 0,
    size_limit: 2 << 20,
    time_budget: Duration::from_secs(60),
    partials_allowed: true,
    heartbeats_allowed: true,
};

/// A table whose rows have so many columns that share the value's bytes, flushed and compacted into one file.
fn table(columns: usize) -> Fixture {
    let config = format!(r#"{{"blockCacheBytes":{},"memstoreBytes":{}}}"#, 1u64 << 30, 1u64 << 30);
    let f = start_in(Arc::new(FakeEnv::new(1)), &config, &[("info0", "")], 1);
    let mut random = Random::new(7);
    for first in (0..ROWS).step_by(BATCH as usize) {
        let mut batch = Batch::new();
        for row in first..first + BATCH {
            let cells: Vec<Cell> = (0..columns)
                .map(|c| {
                    let value: Vec<u8> = (0..VALUE_BYTES / columns).map(|_| random.bits() as u8).collect();
                    Cell::put(&format!("{row:026}"), "info0", &c.to_string(), 1, value)
                })
                .collect();
            batch = batch.row_op(RowOp::put(&cells));
        }
        f.mutate(&batch);
    }
    f.region.flush().unwrap();
    f.region.compact("{\"major\":true}").unwrap();
    f
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

fn scans(c: &mut Criterion) {
    let mut group = c.benchmark_group("scan from cache, per row");
    group.throughput(Throughput::Elements(ROWS)).sample_size(20);
    let (mut out, mut info) = (vec![0; 4 << 20], vec![0; 256 * 1024]);
    let wide = table(10);
    let narrow = table(1);
    for (name, table, spec) in [
        ("one column of 1000 bytes", &narrow, Spec::scan()),
        ("ten columns of 100 bytes", &wide, Spec::scan()),
        ("one of ten columns", &wide, Spec::scan().column("info0", "3")),
    ] {
        let spec = spec.encode();
        group.bench_function(name, |b| b.iter(|| scan(table, &spec, &mut out, &mut info)));
    }
    group.finish();
}

criterion_group!(benches, scans);
criterion_main!(benches);
