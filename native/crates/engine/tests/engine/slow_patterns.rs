//! A scan whose patterns take long: it looks at the clock after each row that was searched, and pauses.

use std::sync::Arc;
use std::time::Duration;

use grampus_engine::{Engine, ScanLimits};
use grampus_env::FakeEnv;
use grampus_filter::pattern::{CompiledPattern, PatternCompiler, PatternSource};
use grampus_testkit::wire::{Cell, Spec, bytes};

use crate::common::{Fixture, NO_LIMITS, next, row, start_in};

const ROWS: u32 = 8;
/// What a search takes.
const SEARCH_MILLIS: i64 = 1_000;
const PAUSED: u8 = 6;
const TIME: u8 = 4;
const END: u8 = 0;
const EQUAL: u8 = 2;
const NOT_EQUAL: u8 = 3;
/// A pattern that is left to the compiler.
const SEARCHED: &str = "(v)\\1";

/// A pattern that takes its time and occurs everywhere.
struct Slow(FakeEnv);

impl PatternCompiler for Slow {
    fn compile(&self, _: &PatternSource) -> grampus_base::Result<Box<dyn CompiledPattern>> {
        Ok(Box::new(Slow(self.0.clone())))
    }
}

impl CompiledPattern for Slow {
    fn find(&self, _: &[u8]) -> grampus_base::Result<bool> {
        self.0.advance_millis(SEARCH_MILLIS);
        Ok(true)
    }
}

/// A table of one cell a row, in memory or in a file.
fn table(flushed: bool, value: impl Fn(u32) -> Vec<u8>) -> Fixture {
    let env = FakeEnv::new(1);
    let mut f = start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    f.engine = Engine::open_with(Arc::new(env.clone()), Arc::new(Slow(env)), "{}").unwrap();
    f.engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
    (0..ROWS).for_each(|n| f.put(Cell::put(&row(n), "f", "q", 1, value(n))));
    if flushed {
        f.region.flush().unwrap();
    }
    f
}

fn regex(out: &mut Vec<u8>, pattern: &str) {
    out.push(8);
    bytes(out, pattern.as_bytes());
    out.extend(0u32.to_le_bytes());
    bytes(out, b"UTF-8");
    out.push(0);
}

/// ValueFilter: cell by cell.
fn of_values(pattern: &str) -> Vec<u8> {
    let mut filter = vec![4, 2];
    regex(&mut filter, pattern);
    filter
}

/// SingleColumnValueFilter, EQUAL or NOT_EQUAL: on the fast path where the rows are in a file.
fn of_column(op: u8, pattern: &str) -> Vec<u8> {
    let mut filter = vec![6];
    bytes(&mut filter, b"f");
    bytes(&mut filter, b"q");
    filter.push(op);
    regex(&mut filter, pattern);
    filter.extend([0, 0]);
    filter
}

/// RowFilter that takes no row.
fn of_no_key(pattern: &str) -> Vec<u8> {
    let mut filter = vec![1, 3];
    regex(&mut filter, pattern);
    filter
}

/// How many rows each call returns, and why it ends, up to the end of the region.
fn calls(f: &Fixture, filter: Vec<u8>, limits: &ScanLimits) -> Vec<(usize, u8)> {
    let mut scanner = f.region.open_scanner(&Spec::scan().filter(filter).encode()).unwrap();
    let mut calls = Vec::new();
    loop {
        let (cells, info) = next(&mut scanner, limits, 4096);
        calls.push((cells.len(), info.stop_reason));
        if info.end {
            return calls;
        }
    }
}

#[test]
fn a_scan_looks_at_the_clock_after_each_row_that_was_searched() {
    let half_a_second = Duration::from_millis(500);
    let pauses = ScanLimits { pause_after: half_a_second, ..NO_LIMITS };
    let beats = ScanLimits { time_budget: half_a_second, heartbeats_allowed: true, ..NO_LIMITS };
    for flushed in [false, true] {
        let f = table(flushed, |_| b"v".to_vec());
        for (limits, stop) in [(&pauses, PAUSED), (&beats, TIME)] {
            for (filter, rows) in [
                (of_values(SEARCHED), 1),
                (of_column(EQUAL, SEARCHED), 1),
                (of_no_key(SEARCHED), 0),
                (of_column(NOT_EQUAL, SEARCHED), 0),
            ] {
                let seen = calls(&f, filter, limits);
                let ended: Vec<_> = seen.iter().take(ROWS as usize - 1).collect();
                assert_eq!(ended, [&(rows, stop); ROWS as usize - 1], "flushed {flushed}");
                assert_eq!(seen.iter().map(|(rows, _)| rows).sum::<usize>(), rows * ROWS as usize);
            }
        }
    }
}

#[test]
fn what_the_engine_decides_itself_costs_no_look() {
    let pauses = ScanLimits { pause_after: Duration::ZERO, ..NO_LIMITS };
    assert_eq!(calls(&table(true, |_| b"v".to_vec()), of_values("^v$"), &pauses), [(ROWS as usize, END)]);
}

/// The first value is UTF-8 and is decided by the engine, the others are searched outside of it. In a file all of them are in one page,
/// whose values are looked at in one go as long as no row is taken.
#[test]
fn a_run_of_rows_that_are_not_taken_ends_at_the_value_that_took_long() {
    let pauses = ScanLimits { pause_after: Duration::from_millis(500), ..NO_LIMITS };
    let value = |n: u32| if n == 0 { b"v".to_vec() } else { vec![b'v', 0xff, n as u8] };
    for flushed in [false, true] {
        let seen = calls(&table(flushed, value), of_column(NOT_EQUAL, "v"), &pauses);
        assert_eq!(seen[..ROWS as usize - 2], vec![(0, PAUSED); ROWS as usize - 2], "flushed {flushed}");
    }
}
