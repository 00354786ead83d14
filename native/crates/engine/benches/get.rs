//! Gets of one row of a table of 1,000,000 rows of 1 KB from the block cache, CPU time per get.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use common::{CpuTime, FAMILY, VALUE_BYTES, row, table};
use criterion::{Criterion, criterion_group, criterion_main};
use grampus_engine::GetOutcome;
use grampus_testkit::random::Random;
use grampus_testkit::wire::Spec;

const ROWS: u64 = 1_000_000;
/// Requests that are made ahead; more than what the processor's caches hold of their rows.
const REQUESTS: usize = 100_000;

fn gets(c: &mut Criterion<CpuTime>) {
    let table = table(ROWS, 1);
    let mut out = vec![0; 4096];
    let mut get = |spec: &[u8]| {
        let GetOutcome::Done(bytes) = table.region.get_into(spec, &mut out).unwrap() else {
            panic!("the row does not fit")
        };
        assert!(bytes > VALUE_BYTES, "the row is missing");
    };
    for n in 0..ROWS {
        get(&Spec::get(&row(n)).encode()); // lets every page in
    }
    let mut random = Random::new(3);
    let mut group = c.benchmark_group("get from cache");
    group.sample_size(20);
    for (name, column) in [("a row of one column", None), ("a column of it", Some("0"))] {
        let specs: Vec<Vec<u8>> = (0..REQUESTS)
            .map(|_| {
                let spec = Spec::get(&row(random.below(ROWS)));
                column.map_or(spec.clone(), |column| spec.column(FAMILY, column)).encode()
            })
            .collect();
        let mut next = specs.iter().cycle();
        group.bench_function(name, |b| b.iter(|| get(next.next().unwrap())));
    }
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = gets);
criterion_main!(benches);
