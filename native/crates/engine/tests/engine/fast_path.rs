//! Scans that return whole rows of a file on the fast path answer call for call what a walk cell by cell does.

use std::time::Duration;

use grampus_engine::ScanLimits;
use grampus_store::FrozenLimits;
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::frozen::scan_frozen_by;
use crate::common::{Fixture, NO_LIMITS, next, start};

const ROWS: u64 = 300;
const PUT: u8 = 4;
const REVERSED: u32 = 32;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;

/// Rows of one to five columns; some have two versions, some a marker.
fn write(f: &Fixture, seed: u64, markers: bool, mut between: impl FnMut(u64)) {
    let mut random = Random::new(seed);
    for row in 0..ROWS {
        let key = format!("row{row:05}");
        let cell = |q: u64, ts: i64, kind: u8, value: Vec<u8>| {
            Cell::new(&key, "f", &format!("q{q}"), ts, kind, value)
        };
        let columns = 1 + random.below(5);
        let mut puts: Vec<Cell> = Vec::new();
        for q in 0..columns {
            for version in 0..1 + u64::from(markers && random.one_in(9)) {
                let bytes = random.below(90) as usize;
                puts.push(cell(q, 100 + (row + version) as i64, PUT, vec![q as u8; bytes]));
            }
        }
        f.mutate(&Batch::new().row_op(RowOp::put(&puts)));
        // A scan that has rows left, all of them deleted, need not know yet that it is at its end: the outermost rows stay.
        if markers && (1..ROWS - 1).contains(&row) && random.one_in(7) {
            let marker = if random.one_in(2) {
                cell(0, 100 + row as i64, DELETE_COLUMN, Vec::new())
            } else {
                Cell::new(&key, "f", "", 100 + row as i64, DELETE_FAMILY, "")
            };
            f.mutate(&Batch::new().row_op(RowOp::delete(&[marker])));
        }
        between(row);
    }
}

fn limits(random: &mut Random) -> (ScanLimits, usize) {
    let some = |random: &mut Random, n: u64| {
        if random.one_in(2) { 1 + random.below(n) } else { u64::from(u32::MAX) }
    };
    let limits = ScanLimits {
        max_results: some(random, 40) as u32,
        limit_of_rows: if random.one_in(3) { 1 + random.below(60) as u32 } else { 0 },
        size_limit: some(random, 3000),
        partials_allowed: random.one_in(2),
        ..NO_LIMITS
    };
    (limits, 1500 + random.below(9000) as usize)
}

fn specs(random: &mut Random) -> Vec<Spec> {
    let mut timed = Spec::scan();
    timed.range = (100 + random.below(100) as i64, 250 + random.below(100) as i64);
    vec![
        Spec::scan(),
        Spec::scan().versions(2),
        Spec::scan().column("f", "q1").column("f", "q3"),
        Spec::scan().with(REVERSED),
        timed,
    ]
}

/// The same calls to both until both are at the end.
fn compare(
    memtable: &Fixture,
    files: &Fixture,
    spec: &Spec,
    partials: bool,
    random: &mut Random,
    what: &str,
) {
    let mut walked = memtable.region.open_scanner(&spec.encode()).unwrap();
    let mut streamed = files.region.open_scanner(&spec.encode()).unwrap();
    for call in 0.. {
        let (mut limits, room) = limits(random);
        limits.partials_allowed &= partials;
        let (cells, info) = next(&mut walked, &limits, room);
        let (other_cells, other) = next(&mut streamed, &limits, room);
        assert_eq!(other_cells, cells, "{what}, call {call} with {limits:?}");
        assert_eq!(
            (&other.results, other.stop_reason, other.end, other.complete_rows),
            (&info.results, info.stop_reason, info.end, info.complete_rows),
            "{what}, call {call} with {limits:?}"
        );
        if info.end {
            return;
        }
    }
}

/// All cells, in calls with limits of their own.
fn cells(f: &Fixture, spec: &Spec, random: &mut Random) -> Vec<Cell> {
    let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
    let mut all = Vec::new();
    loop {
        let (limits, room) = limits(random);
        let (cells, info) = next(&mut scanner, &ScanLimits { limit_of_rows: 0, ..limits }, room);
        all.extend(cells);
        if info.end {
            return all;
        }
    }
}

/// All cells of the files without a server, in calls with limits of their own.
fn frozen_cells(f: &Fixture, spec: &Spec, random: &mut Random) -> Vec<Cell> {
    let limits = || FrozenLimits {
        rows: 1 + random.below(80) as u32,
        bytes: if random.one_in(2) { 1 + random.below(3000) } else { u64::MAX },
        time: Duration::MAX,
    };
    scan_frozen_by(&f.frozen(), spec, f.env.now_millis(), limits)
}

fn run(markers: bool) {
    let first_seed = std::process::id() as u64;
    eprintln!("seeds from {first_seed}");
    for seed in first_seed..first_seed + 6 {
        let memtable = start(&[("f", "\"maxVersions\":2")]);
        write(&memtable, seed, markers, |_| ());
        let one = start(&[("f", "\"maxVersions\":2")]);
        write(&one, seed, markers, |_| ());
        one.region.flush().unwrap();
        let several = start(&[("f", "\"maxVersions\":2")]);
        write(&several, seed, markers, |row| {
            if row % 70 == 69 {
                several.region.flush().unwrap();
            }
        });
        let compacted = start(&[("f", "\"maxVersions\":2")]);
        write(&compacted, seed, markers, |_| ());
        compacted.region.flush().unwrap();
        compacted.region.compact("{\"major\":true}").unwrap();
        for (name, files) in [("one file", &one), ("several files", &several), ("compacted", &compacted)] {
            let mut random = Random::new(seed);
            let specs = specs(&mut random);
            for (index, spec) in specs.iter().enumerate() {
                let what = format!("seed {seed}, {name}, spec {index}");
                // Hidden versions and columns that were not asked for may follow a cell in memory and not in a file.
                let partials = !markers && spec.families.is_empty();
                for _ in 0..4 {
                    compare(&memtable, files, spec, partials, &mut random, &what);
                }
                let walked = cells(&memtable, spec, &mut random);
                assert_eq!(cells(files, spec, &mut random), walked, "{what}");
            }
            // Last, as it flushes what is in memory.
            for spec in &specs {
                let walked = cells(&memtable, spec, &mut random);
                let frozen = frozen_cells(files, spec, &mut random);
                assert_eq!(frozen, walked, "seed {seed}, {name}, {spec:?} without a server");
            }
        }
    }
}

#[test]
fn rows_of_puts_come_as_if_walked() {
    run(false);
}

#[test]
fn rows_with_versions_and_markers_come_as_if_walked() {
    run(true);
}
