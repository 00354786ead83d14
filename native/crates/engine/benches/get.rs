//! Gets of one row of a table of 1,000,000 rows of 1 KB from the block cache, CPU time per get.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use common::{CpuTime, get, gets, row, table};
use criterion::{Criterion, criterion_group, criterion_main};
use grampus_testkit::random::Random;
use grampus_testkit::wire::Spec;

const ROWS: u64 = 1_000_000;

fn run(c: &mut Criterion<CpuTime>) {
    run_table(c, "get from cache", 1, "a row of one column");
    run_table(c, "get from cache, ten columns", 10, "a row of ten columns");
}

fn run_table(c: &mut Criterion<CpuTime>, group: &str, columns: usize, whole: &str) {
    let table = table(ROWS, columns);
    let mut out = vec![0; 4096];
    for n in 0..ROWS {
        get(&table, &Spec::get(&row(n)).encode(), &mut out); // lets every page in
    }
    let mut random = Random::new(3);
    let mut group = c.benchmark_group(group);
    group.sample_size(20);
    for (name, column) in [(whole, None), ("a column of it", Some("0"))] {
        let specs = gets(&mut random, ROWS, column);
        let mut next = specs.iter().cycle();
        group.bench_function(name, |b| b.iter(|| get(&table, next.next().unwrap(), &mut out)));
    }
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = run);
criterion_main!(benches);
