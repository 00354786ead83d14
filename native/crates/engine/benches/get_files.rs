//! Gets from a table that was written five times over into five files, all of it in the block cache: CPU time and pages per get.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that fails says so, and prints"
)]

mod common;

use common::{CpuTime, Fixture, GETS, get, gets, rewritten_table, row};
use criterion::{Criterion, criterion_group, criterion_main};
use grampus_testkit::random::Random;
use grampus_testkit::wire::Spec;

const ROWS: u64 = 200_000;
const FILES: i64 = 5;

fn page_hits(table: &Fixture) -> u64 {
    let metrics: serde_json::Value = serde_json::from_str(&table.engine.metrics_json()).unwrap();
    metrics["engine.block_cache.hit_count"].as_u64().unwrap()
}

fn run(c: &mut Criterion<CpuTime>) {
    let table = rewritten_table(ROWS, 1, FILES);
    let mut out = vec![0; 16384];
    for n in 0..ROWS {
        get(&table, &Spec::get(&row(n)).versions(FILES as u32).encode(), &mut out); // lets every page in
    }
    let mut random = Random::new(3);
    let mut group = c.benchmark_group("get from five files");
    group.sample_size(20);
    for (name, column) in [("a row of one column", None), ("a column of it", Some("0"))] {
        let specs = gets(&mut random, ROWS, column);
        let before = page_hits(&table);
        specs.iter().for_each(|spec| get(&table, spec, &mut out));
        println!("{name}: {} pages per get", (page_hits(&table) - before) as f64 / GETS as f64);
        let mut next = specs.iter().cycle();
        group.bench_function(name, |b| b.iter(|| get(&table, next.next().unwrap(), &mut out)));
    }
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = run);
criterion_main!(benches);
