//! Two workers that split one segment at the same time: the master has taken one of them for dead, and it lives.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use grampus_base::Result;
use grampus_engine::Engine;
use grampus_env::{Env, FakeEnv, FakeKind};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::layout::{names, region_dir};
use crate::common::mortal::Mortal;
use crate::common::{Fixture, REGION, on_each_kind, start_in, until};

const RAW: u32 = 2;
const FAMILIES: [(&str, &str); 1] = [("f", "\"maxVersions\":100")];
const LOGS: &str = "/h/WALs/s1";
const WRITES: u64 = 12;

fn fixture(env: &FakeEnv, generation: u32) -> Fixture {
    start_in(Arc::new(env.clone()), "{}", &FAMILIES, generation)
}

fn edits_dir() -> PathBuf {
    region_dir("t", REGION).join("recovered.edits")
}

/// Names of the region's recovered edits.
fn edits(env: &FakeEnv) -> Vec<String> {
    names(env, &edits_dir()).into_iter().filter(|name| name.parse::<u64>().is_ok()).collect()
}

/// One that counts twice where it is replayed twice.
fn write(n: u64) -> Batch {
    let mut batch = Batch::new().row_op(match n % 2 {
        0 => RowOp::append(100 + n, &[Cell::put("text", "f", "t", i64::MAX, "x")]),
        _ => RowOp::increment(100 + n, &[Cell::put("counter", "f", "n", i64::MAX, 1u64.to_be_bytes())]),
    });
    batch.nonce_group = 7;
    batch
}

/// A server writes, begins a new segment where it is told to, and dies. Returns what its region had, and its segments.
fn die_with_segments(env: &FakeEnv, mut rolls: impl FnMut() -> bool) -> (Vec<Cell>, Vec<PathBuf>) {
    let f = fixture(env, 1);
    for n in 0..WRITES {
        f.mutate(&write(n));
        if rolls() {
            f.engine.roll_wal().unwrap();
        }
    }
    let seen = history(&f);
    f.region.close(true).unwrap();
    drop(f);
    env.crash_process();
    (seen, names(env, Path::new(LOGS)).iter().map(|name| Path::new(LOGS).join(name)).collect())
}

fn history(f: &Fixture) -> Vec<Cell> {
    f.scan(&Spec::scan().versions(100).with(RAW))
}

/// One that does something before it puts a file in place.
fn worker(env: &FakeEnv, before_rename: impl Fn() + Send + Sync + 'static) -> Arc<Engine> {
    let watched = Mortal::watched(
        env,
        Box::new(move |what, _| {
            if what == "rename" {
                before_rename();
            }
            Ok(())
        }),
    );
    Engine::open_in(Arc::new(watched), "{}").unwrap()
}

fn split(worker: &Engine, segment: &Path) -> Result<String> {
    worker.split_wal(&format!("{{\"wal\":\"{}\",\"rootDir\":\"/h\"}}", segment.display()))
}

/// Lets two threads go on only together.
#[derive(Default)]
struct Rendezvous(AtomicU64);

impl Rendezvous {
    /// Arrivals pair up: 0 and 1, 2 and 3, …; each waits for its partner.
    fn wait(&self) {
        let place = self.0.fetch_add(1, Ordering::SeqCst);
        until("the other worker", || self.0.load(Ordering::SeqCst) > (place | 1));
    }
}

/// Each worker has its whole file before either puts its own in place, for each segment.
fn split_at_the_same_time(env: &FakeEnv, segments: &[PathBuf]) {
    let rendezvous = Arc::new(Rendezvous::default());
    thread::scope(|scope| {
        for _ in 0..2 {
            let rendezvous = Arc::clone(&rendezvous);
            let worker = worker(env, move || rendezvous.wait());
            scope.spawn(move || {
                for segment in segments {
                    let report = split(&worker, segment).unwrap();
                    assert!(report.contains("\"leftOut\":0"), "{report}");
                }
                worker.close().unwrap();
            });
        }
    });
}

#[test]
fn what_two_workers_leave_is_replayed_once() {
    on_each_kind(|kind| {
        for seed in 0..20 {
            let (env, mut random) = (FakeEnv::of(kind, seed), Random::new(seed));
            let (seen, segments) = die_with_segments(&env, || random.one_in(4));
            split_at_the_same_time(&env, &segments);
            let left = edits(&env);
            assert!(!left.is_empty() && left.len() <= segments.len(), "{kind:?} {seed}: {left:?}");
            let all = names(&env, &edits_dir());
            assert!(all.iter().all(|name| !name.ends_with(".tmp")), "{kind:?} {seed}: {all:?}");
            let next = fixture(&env, 2);
            assert_eq!(history(&next), seen, "{kind:?} {seed}");
            let report = next.region.open_report_json();
            assert!(report.contains(&format!("\"replayedEdits\":{WRITES}")), "{kind:?} {seed}: {report}");
            assert!(edits(&env).is_empty(), "{kind:?} {seed}");
        }
    });
}

/// Holds a thread up until it is opened.
#[derive(Default)]
struct Gate {
    is_reached: AtomicBool,
    is_open: AtomicBool,
}

impl Gate {
    fn pass(&self) {
        self.is_reached.store(true, Ordering::SeqCst);
        until("the gate to be open", || self.is_open.load(Ordering::SeqCst));
    }

    fn await_arrival(&self) {
        until("the thread at the gate", || self.is_reached.load(Ordering::SeqCst));
    }

    fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
    }
}

fn worker_behind(env: &FakeEnv, gate: &Arc<Gate>) -> Arc<Engine> {
    let gate = Arc::clone(gate);
    worker(env, move || gate.pass())
}

/// The region is open by the time that one of them puts its file in place: the file would be replayed by the next opening.
#[test]
fn the_file_of_a_worker_that_is_late_comes_to_nothing() {
    on_each_kind(put_a_file_into_an_open_region);
}

fn put_a_file_into_an_open_region(kind: FakeKind) {
    let env = FakeEnv::of(kind, 1);
    let (seen, segments) = die_with_segments(&env, || false);
    let gate = Arc::new(Gate::default());
    let (late, other) = (worker_behind(&env, &gate), worker(&env, || ()));
    thread::scope(|scope| {
        let late_split = scope.spawn(|| split(&late, &segments[0]));
        gate.await_arrival();
        split(&other, &segments[0]).unwrap();
        env.rename(Path::new(LOGS), Path::new("/h/oldWALs/s1")).unwrap();
        let next = fixture(&env, 2);
        gate.open();
        let refused = late_split.join().unwrap().unwrap_err();
        assert!(refused.message.contains("recovered.edits"), "{refused}");
        assert_eq!(history(&next), seen);
        next.region.close(false).unwrap();
        let again = fixture(&env, 3);
        assert_eq!(history(&again), seen);
        assert!(again.region.open_report_json().contains("\"replayedEdits\":0"));
    });
}
