//! A running engine with one region, for tests.
#![allow(dead_code, reason = "each test crate uses a part")]

pub(crate) mod external;
pub(crate) mod frozen;
pub(crate) mod layout;
pub(crate) mod mortal;
pub(crate) mod watched_clock;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_engine::{Engine, GetOutcome, GetStatus, MutateStatus, NextOutcome, Region, ScanLimits, Scanner};
use grampus_env::{Env, FakeEnv, FakeKind};
use grampus_store::FrozenRegion;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, ScanInfo, Spec, decode_answers, open_region_json};
use serde_json::Value;

pub(crate) const REGION: &str = "0123456789abcdef0123456789abcdef";

/// Runs a test on each kind of file system.
pub(crate) fn on_each_kind(test: impl Fn(FakeKind)) {
    for kind in FakeKind::ALL {
        eprintln!("on a {kind:?} file system");
        test(kind);
    }
}

/// An engine over a fake environment.
pub(crate) struct Fixture {
    pub env: Arc<dyn Env>,
    pub engine: Arc<Engine>,
    pub region: Arc<Region>,
    pub open_json: String,
}

pub(super) fn start(families: &[(&str, &str)]) -> Fixture {
    start_in(Arc::new(FakeEnv::new(1)), "{}", families, 1)
}

pub(crate) fn start_in(
    env: Arc<dyn Env>,
    config: &str,
    families: &[(&str, &str)],
    generation: u32,
) -> Fixture {
    start_at(env, Path::new("/h"), config, families, generation)
}

/// The same below another root directory.
pub(crate) fn start_at(
    env: Arc<dyn Env>,
    root: &Path,
    config: &str,
    families: &[(&str, &str)],
    generation: u32,
) -> Fixture {
    let engine = Engine::open_in(env.clone(), config).unwrap();
    let root = root.to_str().unwrap();
    let prefix = format!("s{generation}");
    engine.start_wal(&format!("{root}/WALs/{prefix}"), &format!("{root}/oldWALs"), &prefix).unwrap();
    let open_json = open_region_json(root, REGION, families);
    env.mkdir_durably(Path::new(&format!("{root}/data/default/t/{REGION}"))).unwrap();
    let region = engine.open_region(&open_json).unwrap();
    Fixture { env, engine, region, open_json }
}

/// The name of a row of a table that [`Fixture::fill`] filled.
pub(super) fn row(n: u32) -> String {
    format!("row{n:06}")
}

/// 1 KiB that no encoding makes smaller.
pub(super) fn noise(seed: u32) -> Vec<u8> {
    let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..128).flat_map(|_| next()).collect()
}

impl Fixture {
    pub(crate) fn mutate(&self, batch: &Batch) -> Vec<Answer> {
        mutate(&self.engine, &self.region, batch)
    }

    pub(crate) fn put(&self, cell: Cell) {
        assert_eq!(self.mutate(&Batch::new().row_op(RowOp::put(&[cell]))), vec![Answer::Done]);
    }

    /// Puts `rows` rows of [`noise`] into column `f:q`.
    pub(crate) fn fill(&self, rows: u32) {
        for chunk in (0..rows).collect::<Vec<_>>().chunks(50) {
            let cell = |n: &u32| Cell::put(&row(*n), "f", "q", 1, noise(*n));
            let puts = |batch: Batch, n: &u32| batch.row_op(RowOp::put(&[cell(n)]));
            self.mutate(&chunk.iter().fold(Batch::new(), puts));
        }
    }

    /// A number of the engine, by its path below `engine`.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        metric(&self.engine, name)
    }

    /// Waits until the bloom filters that gets went without are loaded.
    pub(crate) fn await_filters(&self) {
        until("bloom filters to be loaded", || self.metric("block_cache.wanted_count") == 0);
    }

    pub(crate) fn get(&self, spec: &Spec) -> Vec<Cell> {
        get(&self.region, spec)
    }

    pub(crate) fn scan(&self, spec: &Spec) -> Vec<Cell> {
        scan_all(&self.region, spec)
    }

    /// The same of the files alone, with all that was in memory.
    pub(crate) fn scan_frozen(&self, spec: &Spec) -> Vec<Cell> {
        frozen::scan_frozen(&self.frozen(), spec, self.env.now_millis())
    }

    /// The region's files alone, with all that was in memory.
    pub(crate) fn frozen(&self) -> FrozenRegion {
        let listed = self.region.snapshot_files(true).unwrap();
        frozen::frozen_region(self.env.clone(), &self.open_json, &listed)
    }
}

/// A number of an engine, by its path below `engine`.
pub(super) fn metric(engine: &Engine, name: &str) -> u64 {
    let metrics: Value = serde_json::from_str(&engine.metrics_json()).unwrap();
    metrics[format!("engine.{name}")].as_u64().unwrap_or_else(|| panic!("no {name} in {metrics}"))
}

/// Waits for what makes a condition hold; fails after a minute.
pub(super) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "waited a minute in vain for: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a batch after the wait that the engine asks for.
pub(super) fn run(
    region: &Region,
    batch: &Batch,
    token: u64,
    out: &mut Vec<u8>,
) -> grampus_base::Result<MutateStatus> {
    const ADMITTED: u8 = 2;
    let mut ops = batch.ops();
    match region.mutate(&ops, &batch.cells, token, out)? {
        MutateStatus::Wait(wait) => {
            std::thread::sleep(wait);
            ops[1] |= ADMITTED;
            region.mutate(&ops, &batch.cells, token, out)
        }
        other => Ok(other),
    }
}

/// Runs a batch and waits until its reply may leave.
pub(crate) fn mutate(engine: &Engine, region: &Region, batch: &Batch) -> Vec<Answer> {
    let mut out = Vec::new();
    match run(region, batch, 77, &mut out).unwrap() {
        MutateStatus::Done => {}
        MutateStatus::Pending => {
            let mut tokens = Vec::new();
            while tokens.is_empty() {
                assert!(engine.poll_completions(&mut tokens, Duration::from_secs(10)));
            }
            assert!(tokens.iter().all(|(_, kind)| *kind == 0), "{tokens:?}");
        }
        other => panic!("a blocking call that has waited is answered {other:?}"),
    }
    decode_answers(&out)
}

pub(super) fn get(region: &Region, spec: &Spec) -> Vec<Cell> {
    let mut out = Vec::new();
    assert_eq!(region.get(&spec.encode(), &mut out).unwrap(), GetStatus::Done);
    let count = u32::from_le_bytes(out[..4].try_into().unwrap());
    let cells = Cell::decode_all(&out[8..]);
    if spec.flags & 16 == 0 {
        assert_eq!(cells.len(), count as usize);
    }
    let mut fixed = vec![0; out.len()];
    let mut outcome = region.get_into(&spec.encode(), &mut fixed).unwrap();
    if let GetOutcome::NeedBytes(needed) = outcome {
        assert!(
            needed > fixed.len() && !spec.filter.is_empty(),
            "only cells that a filter takes out need more"
        );
        fixed.resize(needed, 0);
        outcome = region.get_into(&spec.encode(), &mut fixed).unwrap();
    }
    assert_eq!(outcome, GetOutcome::Done(out.len()));
    assert_eq!(fixed[..out.len()], out);
    cells
}

pub(super) const NO_LIMITS: ScanLimits = ScanLimits {
    max_results: u32::MAX,
    limit_of_rows: 0,
    size_limit: u64::MAX,
    time_budget: Duration::from_secs(60),
    partials_allowed: true,
    heartbeats_allowed: false,
    pause_after: Duration::MAX,
    continues: false,
};

/// One scanner call.
pub(super) fn next(scanner: &mut Scanner, limits: &ScanLimits, room: usize) -> (Vec<Cell>, ScanInfo) {
    let mut out = vec![0; room];
    let mut info = vec![0; 256 * 1024];
    let NextOutcome::Done(n) = scanner.next(limits, &mut out, &mut info).unwrap() else {
        panic!("info is large")
    };
    let info = ScanInfo::decode(&info);
    assert_eq!(info.cell_bytes as usize, n);
    let cells = Cell::decode_all(&out[..n]);
    assert_eq!(cells.len() as u32, info.results.iter().map(|(n, _)| n).sum::<u32>());
    (cells, info)
}

/// All cells of a scan through small buffers.
pub(super) fn scan_all(region: &Arc<Region>, spec: &Spec) -> Vec<Cell> {
    let mut scanner = region.open_scanner(&spec.encode()).unwrap();
    let mut cells = Vec::new();
    let mut room = 4096;
    loop {
        let (more, info) = next(&mut scanner, &NO_LIMITS, room);
        cells.extend(more);
        if info.end {
            return cells;
        }
        assert_eq!(info.stop_reason, 5, "without limits only a full buffer stops a scan");
        if info.results.is_empty() {
            room = info.needed as usize;
        }
    }
}
