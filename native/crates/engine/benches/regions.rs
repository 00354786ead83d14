//! What 10,000 open regions without traffic cost: CPU time and memory of opening one, CPU share of the ticks, CPU time of a load report.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that fails says so, and prints"
)]

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{cpu_time, mutate};
use grampus_engine::{Engine, Region};
use grampus_env::{Env, LocalEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, open_region_json};

const REGIONS: usize = 10_000;
const IDLE: Duration = Duration::from_secs(10);

/// Resident memory of this process in bytes.
fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

fn open(engine: &Arc<Engine>, root: &str) -> Vec<Arc<Region>> {
    let families = [("f", "\"maxVersions\":1"), ("g", "\"maxVersions\":1")];
    let region = |n: usize| engine.open_region(&open_region_json(root, &format!("{n:032x}"), &families));
    (0..REGIONS).map(|n| region(n).unwrap()).collect()
}

/// Prints what a moment without clients costs.
fn idle(what: &str) {
    let (began, before) = (Instant::now(), cpu_time());
    std::thread::sleep(IDLE);
    let share = (cpu_time() - before).as_secs_f64() / began.elapsed().as_secs_f64();
    println!("{what}: {:.2} % of a core", share * 100.0);
}

fn report(engine: &Engine) {
    let before = cpu_time();
    let regions = engine.region_stats().len();
    println!("load report of {regions} regions: {:?} of CPU", cpu_time() - before);
}

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().to_str().unwrap();
    let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
    let engine = Engine::open_in(Arc::clone(&env), "{}").unwrap();
    engine.start_wal(&format!("{root}/WALs/s1"), &format!("{root}/oldWALs"), "s1").unwrap();
    for n in 0..REGIONS {
        env.mkdir(Path::new(&format!("{root}/data/default/t/{n:032x}"))).unwrap();
    }
    let (memory, began, before) = (resident_bytes(), Instant::now(), cpu_time());
    let regions = open(&engine, root);
    println!(
        "{REGIONS} regions of two families: opened in {:?}, {:?} of CPU, {} bytes each",
        began.elapsed(),
        cpu_time() - before,
        (resident_bytes() - memory) / REGIONS as u64
    );
    idle("empty and idle");
    report(&engine);
    let put = Batch::new().row_op(RowOp::put(&[Cell::put("row", "f", "q", 1, "v")]));
    regions.iter().for_each(|region| drop(mutate(&engine, region, &put)));
    idle("with a row in each memtable");
    report(&engine);
    let before = Instant::now();
    regions.iter().for_each(|region| region.close(false).unwrap());
    println!("closed with a flush in {:?}", before.elapsed());
    engine.close().unwrap();
}
