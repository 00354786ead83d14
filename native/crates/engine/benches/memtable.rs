//! Gets and increments of rows that are in a memtable of 100,000 rows of 1 KB, CPU time per operation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use std::sync::Arc;

use common::{CpuTime, FAMILY, Fixture, GETS, get, gets, mutate, row, start_in, write};
use criterion::{Criterion, criterion_group, criterion_main};
use grampus_env::FakeEnv;
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp};

const ROWS: u64 = 100_000;
const NO_NONCE: u64 = 0;
/// The server's time.
const LATEST: i64 = i64::MAX;

/// A region whose rows are in its memtable.
fn table() -> Fixture {
    let config = format!(r#"{{"memtableBytes":{}}}"#, 4u64 << 30);
    let table = start_in(Arc::new(FakeEnv::new(1)), &config, &[(FAMILY, "")], 1);
    write(&table, ROWS, 1, 1, &mut Random::new(7));
    table
}

/// Increments of a second column, of rows by chance.
fn increments(random: &mut Random) -> Vec<Batch> {
    let by_one = 1i64.to_be_bytes();
    let increment = |_| {
        let cell = Cell::put(&row(random.below(ROWS)), FAMILY, "n", LATEST, by_one);
        Batch::new().row_op(RowOp::increment(NO_NONCE, &[cell]))
    };
    (0..GETS).map(increment).collect()
}

fn run(c: &mut Criterion<CpuTime>) {
    let table = table();
    let mut out = vec![0; 4096];
    let mut random = Random::new(3);
    let mut group = c.benchmark_group("a row of the memtable");
    group.sample_size(20);
    let specs = gets(&mut random, ROWS, Some("0"));
    let mut next = specs.iter().cycle();
    group.bench_function("get", |b| b.iter(|| get(&table, next.next().unwrap(), &mut out)));
    let batches = increments(&mut random);
    let mut next = batches.iter().cycle();
    group.bench_function("increment", |b| {
        b.iter(|| mutate(&table.engine, &table.region, next.next().unwrap()))
    });
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = run);
criterion_main!(benches);
