//! CPU per operation of the engine alone: batched puts, gets and scans of 1 KB rows, from memory and from files.
//!
//! `cargo run --release -p grampus-engine --example operations -- <directory> [rows]`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring program")]

use std::time::{Duration, Instant};

use grampus_engine::{Engine, MutateStatus, NextOutcome, ScanLimits};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};

const REGION: &str = "0123456789abcdef0123456789abcdef";

/// The operations of a batch that the engine does not slow down.
fn admitted(batch: &Batch) -> Vec<u8> {
    const ADMITTED: u8 = 2;
    let mut ops = batch.ops();
    ops[1] |= ADMITTED;
    ops
}

fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    Duration::from_millis(10 * (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()))
}

fn report(what: &str, count: usize, work: impl FnOnce()) {
    let (wall, used) = (Instant::now(), cpu());
    work();
    let (wall, used) = (wall.elapsed(), cpu() - used);
    let per = |d: Duration| d.as_nanos() as f64 / count as f64 / 1000.0;
    println!("{what:40} {:8.3} us cpu {:8.3} us wall", per(used), per(wall));
}

fn row(n: usize) -> String {
    format!("{n:026}")
}

fn main() {
    let mut args = std::env::args().skip(1);
    let root = args.next().unwrap();
    let rows: usize = args.next().map_or(200_000, |n| n.parse().unwrap());
    let engine = Engine::open("{\"memtableBytes\":4000000000,\"flushBytes\":4000000000}").unwrap();
    engine.start_wal(&format!("{root}/WALs/s"), &format!("{root}/oldWALs"), "s").unwrap();
    std::fs::create_dir_all(format!("{root}/data/default/t/{REGION}")).unwrap();
    let region = engine.open_region(&open_region_json(&root, REGION, &[("info0", "")])).unwrap();
    let value = vec![b'v'; 1000];

    let batch_rows = 2000;
    let batches: Vec<(Vec<u8>, Vec<u8>)> = (0..rows / batch_rows)
        .map(|b| {
            let mut batch = Batch::new();
            for n in 0..batch_rows {
                batch = batch.row_op(RowOp::put(&[Cell::put(
                    &row(b * batch_rows + n),
                    "info0",
                    "0",
                    i64::MAX,
                    &value,
                )]));
            }
            (admitted(&batch), batch.cells)
        })
        .collect();
    report("put, batches of 2000, ascending", rows, || {
        let mut tokens = Vec::new();
        for (token, (ops, cells)) in batches.iter().enumerate() {
            if region.mutate(ops, cells, token as u64, &mut Vec::new()).unwrap() == MutateStatus::Pending {
                engine.poll_completions(&mut tokens, Duration::from_secs(10));
            }
        }
    });
    drop(batches);
    let singles: Vec<(Vec<u8>, Vec<u8>)> = (0..50_000)
        .map(|n| {
            let cell = Cell::put(&row((n * 7919) % rows), "info0", "0", i64::MAX, &value);
            let batch = Batch::new().row_op(RowOp::put(&[cell]));
            (admitted(&batch), batch.cells)
        })
        .collect();
    report("put, one by one, random", singles.len(), || {
        let mut tokens = Vec::new();
        let mut out = Vec::new();
        for (token, (ops, cells)) in singles.iter().enumerate() {
            out.clear();
            if region.mutate(ops, cells, token as u64, &mut out).unwrap() == MutateStatus::Pending {
                engine.poll_completions(&mut tokens, Duration::from_secs(10));
            }
        }
    });
    let increments: Vec<(Vec<u8>, Vec<u8>)> = (0..50_000)
        .map(|n| {
            let cell = Cell::put(&row((n * 7919) % 1000), "info0", "i", i64::MAX, 1i64.to_be_bytes());
            let batch = Batch::new().row_op(RowOp::increment(n as u64 + 1, &[cell]));
            (admitted(&batch), batch.cells)
        })
        .collect();
    report("increment", increments.len(), || {
        let mut tokens = Vec::new();
        for (token, (ops, cells)) in increments.iter().enumerate() {
            if region.mutate(ops, cells, token as u64, &mut Vec::new()).unwrap() == MutateStatus::Pending {
                engine.poll_completions(&mut tokens, Duration::from_secs(10));
            }
        }
    });
    let specs: Vec<Vec<u8>> =
        (0..100_000).map(|n| Spec::get(&row((n * 7919) % rows)).column("info0", "0").encode()).collect();
    let gets = |what: &str| {
        let mut out = vec![0; 4096];
        report(what, specs.len(), || {
            for spec in &specs {
                region.get_into(spec, &mut out).unwrap();
            }
        });
    };
    let scan = |what: &str| {
        let mut out = vec![0; 4 << 20];
        let mut info = vec![0; 1 << 20];
        report(what, rows, || {
            let mut scanner = region.open_scanner(&Spec::scan().column("info0", "0").encode()).unwrap();
            let limits = ScanLimits {
                max_results: u32::MAX,
                limit_of_rows: 0,
                size_limit: 2 << 20,
                time_budget: Duration::from_secs(60),
                partials_allowed: true,
                heartbeats_allowed: true,
                pause_after: Duration::MAX,
                continues: false,
            };
            let mut seen = 0;
            while info[8] == 0 {
                let NextOutcome::Done(_) = scanner.next(&limits, &mut out, &mut info).unwrap() else {
                    return;
                };
                seen += u32::from_le_bytes(info[0..4].try_into().unwrap()) as usize;
            }
            assert_eq!(seen, rows);
        });
    };
    gets("get from memory");
    scan("scan from memory");
    report("flush", rows, || assert!(region.flush().unwrap()));
    gets("get from a file, first");
    gets("get from a file, cached");
    scan("scan of a file, first");
    scan("scan of a file, cached");
    let before = engine.set_compactions_enabled(false);
    for file in 0..4 {
        for (token, (ops, cells)) in singles.iter().skip(file * 10_000).take(10_000).enumerate() {
            region.mutate(ops, cells, token as u64, &mut Vec::new()).unwrap();
        }
        if file < 3 {
            region.flush().unwrap();
        }
    }
    scan("scan of memory and four files");
    gets("get from memory and four files");
    engine.set_compactions_enabled(before);
    region.close(false).unwrap();
    engine.close().unwrap();
}
