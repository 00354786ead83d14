//! The commit path and the block cache under schedules that shuttle chooses: some by chance, some with few changes of thread at
//! unlikely places. Locks, atomics and waits are steps; time stands still, so that a wake-up that is lost is a deadlock.
//!
//! `cargo test -p grampus-engine --features shuttle --test schedules`. A failure prints its schedule, which `shuttle::replay`
//! repeats.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod cache;
mod log;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grampus_base::RandomRead;
use grampus_cache::{BlockCache, CacheRules, CachedPages};
use grampus_cells::{CellRef, CellType};
use grampus_colfile::{Access, ColumnFile, PageAt, PageSource};
use grampus_engine::completion::{CompletionQueue, DURABLE, NO_CALL, POISONED};
use grampus_engine::mvcc::Mvcc;
use grampus_env::{Env, FakeEnv, FakeKind, Faults};
use grampus_testkit::column_file::column_file;
use grampus_wal::{Durability, Need, RecordBuilder, RegionLog, SegmentReader, Wal, WalSettings};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::sync::atomic::{AtomicU64, Ordering};
use shuttle::{Config, Runner, thread};

/// Runs of each test with each of the two schedulers.
const RUNS: usize = 1500;
/// Changes of thread that a schedule of the second kind has.
const CHANGES: usize = 3;
/// The engine's calls need more than shuttle's default.
const STACK_BYTES: usize = 1 << 20;

fn explore(test: fn()) {
    let mut config = Config::new();
    config.stack_size = STACK_BYTES;
    config.silence_warnings = true;
    Runner::new(RandomScheduler::new(RUNS), config.clone()).run(test);
    Runner::new(PctScheduler::new(CHANGES, RUNS), config).run(test);
}
