//! Scans of a table that no cache has, from the disk of the build directory: elapsed time per row, with reading ahead and without, for a
//! client that asks again at once and for one that takes as long to look at a reply as HBase's takes about.
//!
//! Nothing else should use the disk meanwhile. Linux only: the operating system is asked to forget the files between scans.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark that fails says so"
)]

mod common;

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{FAMILY, Fixture, fill, start_at};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grampus_engine::{NextOutcome, ScanLimits};
use grampus_env::LocalEnv;
use grampus_testkit::wire::Spec;

const ROWS: u64 = 400_000;
const NO_READ_AHEAD: u32 = 1024;
const LIMITS: ScanLimits = ScanLimits {
    max_results: u32::MAX,
    limit_of_rows: 0,
    size_limit: 2 << 20,
    time_budget: Duration::from_secs(60),
    partials_allowed: true,
    heartbeats_allowed: true,
    pause_after: Duration::MAX,
    continues: false,
};
/// What the client takes for a reply of 2 MiB.
const DIGESTION: Duration = Duration::from_millis(3);

/// A table in one file on disk, whose cache has room for next to nothing.
fn table(root: &Path, columns: usize) -> Fixture {
    let config = format!(r#"{{"blockCacheBytes":{},"memtableBytes":{}}}"#, 1 << 20, 4u64 << 30);
    let f = start_at(Arc::new(LocalEnv::new()), root, &config, &[(FAMILY, "")], 1);
    f.engine.set_compactions_enabled(false);
    fill(&f, ROWS, columns);
    f
}

/// Makes every cache forget the files below a directory.
fn forget(f: &Fixture, directory: &Path) {
    f.region.clear_cache().unwrap();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            forget(f, &path);
            continue;
        }
        let file = File::open(path).unwrap();
        file.sync_all().unwrap();
        // SAFETY: the descriptor is open for the whole call and the call touches no memory of ours.
        assert_eq!(unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) }, 0);
    }
}

/// Reads the whole table.
fn scan(f: &Fixture, spec: &[u8], digestion: Duration, out: &mut [u8], info: &mut [u8]) {
    let mut scanner = f.region.open_scanner(spec).unwrap();
    loop {
        let NextOutcome::Done(n) = scanner.next(&LIMITS, out, info).unwrap() else { panic!("info is large") };
        if info[8] != 0 {
            return;
        }
        std::thread::sleep(digestion.mul_f64(n as f64 / LIMITS.size_limit as f64));
    }
}

fn scans(c: &mut Criterion) {
    let mut group = c.benchmark_group("scan from disk, per row");
    group.throughput(Throughput::Elements(ROWS)).sample_size(10);
    let (mut out, mut info) = (vec![0; 4 << 20], vec![0; 1 << 20]);
    for (columns, name, spec) in [
        (1, "one column of 1000 bytes", Spec::scan()),
        (10, "one of ten columns", Spec::scan().column(FAMILY, "3")),
    ] {
        let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let f = table(root.path(), columns);
        for (client, digestion) in [("at once", Duration::ZERO), ("with digestion", DIGESTION)] {
            for (how, flags) in [("ahead", 0), ("as asked", NO_READ_AHEAD)] {
                let spec = spec.clone().with(flags).encode();
                group.bench_function(format!("{name}, {client}, {how}"), |b| {
                    b.iter_custom(|times| {
                        let mut taken = Duration::ZERO;
                        for _ in 0..times {
                            forget(&f, root.path());
                            let start = Instant::now();
                            scan(&f, &spec, digestion, &mut out, &mut info);
                            taken += start.elapsed();
                        }
                        taken
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, scans);
criterion_main!(benches);
