//! Writing and reading each encoding: `cargo bench -p grampus-colfile`. `walk` reads all strings of a page one after the other,
//! `jump` as many at places that lie apart; both include parsing the page's part once.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints sizes, and panics when it fails"
)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grampus_colfile::{Compression, bench};

const COUNT: usize = 4096;

fn noise(n: usize) -> u64 {
    (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24
}

/// Places that visit each position once, far from the one before.
fn jumps() -> impl Iterator<Item = usize> {
    (0..COUNT).map(|n| n * 2_657 % COUNT)
}

fn columns() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let column = |of: &dyn Fn(usize) -> Vec<u8>| (0..COUNT).map(of).collect();
    vec![
        (
            "random of 1000 bytes",
            column(&|n| (0..125).flat_map(|i| (noise(n * 125 + i) << 20 | noise(i)).to_le_bytes()).collect()),
        ),
        ("states", column(&|n| ["Ohio", "Texas", "Maine", "Utah"][noise(n) as usize % 4].into())),
        ("numbers", column(&|n| (5_000_000 + noise(n) % 100_000).to_be_bytes().to_vec())),
        ("decimals", column(&|n| (noise(n) % 3000).to_string().into_bytes())),
        ("money", column(&|n| format!("-{}.{:02}", noise(n) % 3000 + 1, n % 100).into_bytes())),
        (
            "dates",
            column(&|n| {
                format!("2013-{:02}-{:02}T{:02}:00:00Z", n / 400 + 1, noise(n) % 28 + 1, n % 24).into_bytes()
            }),
        ),
        ("addresses", column(&|n| format!("https://example.org/occurrence/{}", noise(n)).into_bytes())),
    ]
}

fn strings(c: &mut Criterion) {
    for (column, strings) in columns() {
        let strings: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let mut group = c.benchmark_group(column);
        group.throughput(Throughput::Elements(COUNT as u64));
        for name in bench::encodings_of(&strings) {
            let body = bench::encode(&strings, name);
            println!("{column}, {name}: {} bytes", body.len());
            group.bench_function(BenchmarkId::new("write", name), |b| {
                b.iter(|| bench::encode(&strings, name))
            });
            group.bench_function(BenchmarkId::new("walk", name), |b| {
                b.iter(|| bench::read(&body, COUNT, 0..COUNT).unwrap())
            });
            group.bench_function(BenchmarkId::new("jump", name), |b| {
                b.iter(|| bench::read(&body, COUNT, jumps()).unwrap())
            });
        }
        for compression in [Compression::None, Compression::Snappy, Compression::Zstd] {
            group.bench_function(BenchmarkId::new("choose", format!("{compression:?}")), |b| {
                b.iter(|| bench::choose(&strings, compression))
            });
        }
    }
}

fn integers(c: &mut Criterion) {
    let sequences: [Vec<u64>; 4] = [
        (0..COUNT).map(|n| noise(n) % 1000).collect(),
        (0..COUNT).map(|n| noise(n / 100)).collect(),
        (0..COUNT).map(|n| n as u64 * 1000 + noise(n) % 16).collect(),
        (0..COUNT).map(|n| noise(noise(n) as usize % 5)).collect(),
    ];
    let mut group = c.benchmark_group("integers");
    group.throughput(Throughput::Elements(COUNT as u64));
    for values in sequences {
        let (body, name) = bench::encode_ints(&values).unwrap();
        println!("integers, {name}: {} bytes", body.len());
        group.bench_function(BenchmarkId::new("write", name), |b| {
            b.iter(|| bench::encode_ints(&values).unwrap())
        });
        group.bench_function(BenchmarkId::new("walk", name), |b| {
            b.iter(|| bench::read_ints(&body, 0..COUNT).unwrap())
        });
        group.bench_function(BenchmarkId::new("jump", name), |b| {
            b.iter(|| bench::read_ints(&body, jumps()).unwrap())
        });
    }
}

criterion_group!(benches, strings, integers);
criterion_main!(benches);
