//! Puts of rows of 1 KB through log and memtable on the local disk, CPU time per put, what the kernel does for the log included.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{CpuTime, FAMILY, Fixture, REGION, VALUE_BYTES, mutate, noise, row};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use grampus_engine::Engine;
use grampus_env::{Env, LocalEnv};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, open_region_json};
use tempfile::TempDir;

/// Rows that go into a fresh table.
const ROWS: u64 = 40_000;
/// The server's time.
const LATEST: i64 = i64::MAX;

/// An empty table in a directory of its own.
struct Table {
    fixture: Fixture,
    _dir: TempDir,
}

impl Table {
    fn new() -> Table {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().to_str().unwrap();
        let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
        let engine = Engine::open_in(Arc::clone(&env), "{}").unwrap();
        engine.start_wal(&format!("{root}/WALs/s"), &format!("{root}/oldWALs"), "s").unwrap();
        env.mkdir(Path::new(&format!("{root}/data/default/t/{REGION}"))).unwrap();
        let open_json = open_region_json(root, REGION, &[(FAMILY, "")]);
        let region = engine.open_region(&open_json).unwrap();
        Table { fixture: Fixture { env, engine, region, open_json }, _dir: dir }
    }

    fn write(&self, requests: &[Batch]) {
        for request in requests {
            mutate(&self.fixture.engine, &self.fixture.region, request);
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.fixture.region.close(true).unwrap();
        drop(self.fixture.engine.close()); // it was closed without a flush
    }
}

/// Rows in requests of `rows_each` rows, in an order that a memtable has to search for.
fn requests(rows_each: u64, ascending: bool) -> Vec<Batch> {
    let mut random = Random::new(9);
    let mut put = |n: u64| {
        let row = row(if ascending { n } else { random.bits() % 1_000_000_000 });
        RowOp::put(&[Cell::put(&row, FAMILY, "0", LATEST, noise(&mut random, VALUE_BYTES))])
    };
    (0..ROWS)
        .step_by(rows_each as usize)
        .map(|first| (first..first + rows_each).fold(Batch::new(), |batch, n| batch.row_op(put(n))))
        .collect()
}

fn puts(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("put through log and memtable");
    group.throughput(Throughput::Elements(ROWS)).sample_size(20);
    for (name, rows_each, ascending) in [
        ("2000 rows a request, ascending", 2000, true),
        ("2000 rows a request, in any order", 2000, false),
        ("one row a request, in any order", 1, false),
    ] {
        let requests = requests(rows_each, ascending);
        group.bench_function(name, |b| {
            b.iter_batched(
                Table::new,
                |table| {
                    table.write(&requests);
                    table
                },
                BatchSize::PerIteration,
            )
        });
    }
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = puts);
criterion_main!(benches);
