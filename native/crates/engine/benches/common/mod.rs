//! What the benches share: tables like PerformanceEvaluation's and a clock of CPU time.
#![allow(dead_code, reason = "each bench uses a part")]

#[path = "../../tests/common/mod.rs"]
mod fixture;

use std::sync::Arc;
use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
#[allow(unused_imports, reason = "each bench uses a part")]
pub(crate) use fixture::frozen::frozen_region_of;
#[allow(unused_imports, reason = "each bench uses a part")]
pub(crate) use fixture::{Fixture, REGION, mutate, start_at, start_in};
use grampus_engine::GetOutcome;
use grampus_env::FakeEnv;
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

/// Bytes of all values of a row.
pub(crate) const VALUE_BYTES: usize = 1000;
/// The family of all tables.
pub(crate) const FAMILY: &str = "info0";
/// SKIP_WAL: a table in the making needs no log.
const SKIP_WAL: u8 = 1;
const BATCH: u64 = 1000;

/// CPU time of the whole process, user and system, so that other work on the machine counts little.
pub(crate) struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        cpu_time()
    }

    fn end(&self, start: Duration) -> Duration {
        cpu_time() - start
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// CPU time of this process so far, of user and system.
pub(crate) fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec of ours, and the call writes nothing else.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(code, 0, "no clock of CPU time");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The key of a row.
pub(crate) fn row(n: u64) -> String {
    format!("{n:026}")
}

/// Bytes that no encoding makes smaller.
pub(crate) fn noise(random: &mut Random, bytes: usize) -> Vec<u8> {
    (0..bytes.div_ceil(8)).flat_map(|_| random.bits().to_le_bytes()).take(bytes).collect()
}

/// Gets that are made ahead; more than what the processor's caches hold of their rows.
pub(crate) const GETS: usize = 100_000;

/// A value like PerformanceEvaluation's: runs of eight equal letters.
pub(crate) fn letters(random: &mut Random, bytes: usize) -> Vec<u8> {
    let runs = (0..bytes.div_ceil(8)).map(|_| b'A' + random.below(26) as u8);
    runs.flat_map(|letter| [letter; 8]).take(bytes).collect()
}

/// Encoded gets of rows by chance, of a column of them if one is named.
pub(crate) fn gets(random: &mut Random, rows: u64, column: Option<&str>) -> Vec<Vec<u8>> {
    let get = |_| {
        let spec = Spec::get(&row(random.below(rows)));
        column.map_or(spec.clone(), |column| spec.column(FAMILY, column)).encode()
    };
    (0..GETS).map(get).collect()
}

/// Runs a get, whose row must be there.
pub(crate) fn get(table: &Fixture, spec: &[u8], out: &mut [u8]) {
    let GetOutcome::Done(bytes) = table.region.get_into(spec, out).unwrap() else {
        panic!("the row does not fit")
    };
    assert!(bytes > VALUE_BYTES, "the row is missing");
}

/// A table whose rows have `columns` columns that share the value's bytes, in one file, with room for all of it in the block cache.
pub(crate) fn table(rows: u64, columns: usize) -> Fixture {
    rewritten_table(rows, columns, 1)
}

/// A table in one file whose values are `value_bytes` long, see [`letters`].
pub(crate) fn table_of_letters(rows: u64, columns: usize, value_bytes: usize) -> Fixture {
    let f = rewritten_table(0, columns, 1);
    let mut random = Random::new(7);
    write_values(&f, rows, columns, 1, || letters(&mut random, value_bytes));
    f.region.flush().unwrap();
    f
}

/// Writes a table of one file into a region.
pub(crate) fn fill(f: &Fixture, rows: u64, columns: usize) {
    write(f, rows, columns, 1, &mut Random::new(7));
    f.region.flush().unwrap();
}

/// The same, written `times` times over, each time with a timestamp that is higher by one, into a file of its own.
pub(crate) fn rewritten_table(rows: u64, columns: usize, times: i64) -> Fixture {
    let config = format!(r#"{{"blockCacheBytes":{},"memtableBytes":{}}}"#, 2u64 << 30, 4u64 << 30);
    let f = start_in(Arc::new(FakeEnv::new(1)), &config, &[(FAMILY, "")], 1);
    f.engine.set_compactions_enabled(false);
    let mut random = Random::new(7);
    for timestamp in 1..=times {
        write(&f, rows, columns, timestamp, &mut random);
        f.region.flush().unwrap();
    }
    f
}

/// Writes rows that stay in the memtable, in their order, without a log.
pub(crate) fn write(f: &Fixture, rows: u64, columns: usize, timestamp: i64, random: &mut Random) {
    write_values(f, rows, columns, timestamp, || noise(random, VALUE_BYTES / columns));
}

fn write_values(f: &Fixture, rows: u64, columns: usize, timestamp: i64, mut value: impl FnMut() -> Vec<u8>) {
    for first in (0..rows).step_by(BATCH as usize) {
        let mut batch = Batch::new();
        for n in first..first + BATCH {
            let cells: Vec<Cell> = (0..columns)
                .map(|c| Cell::put(&row(n), FAMILY, &c.to_string(), timestamp, value()))
                .collect();
            batch = batch.row_op(RowOp::put_as(SKIP_WAL, &cells));
        }
        f.mutate(&batch);
    }
}
