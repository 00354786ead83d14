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
use crate::common::mortal::{Mortal, Watch};
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

/// A server writes, begins a new segment at random moments, and dies. Returns what its region had, and its segments.
fn die_with_segments(env: &FakeEnv, random: &mut Random) -> (Vec<Cell>, Vec<PathBuf>) {
    let f = fixture(env, 1);
    for n in 0..WRITES {
        f.mutate(&write(n));
        if random.one_in(4) {
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

fn worker(env: &FakeEnv, watch: Watch) -> Arc<Engine> {
    Engine::open_in(Arc::new(Mortal::watched(env, watch)), "{}").unwrap()
}

fn split(worker: &Engine, segment: &Path) -> Result<String> {
    worker.split_wal(&format!("{{\"wal\":\"{}\",\"rootDir\":\"/h\"}}", segment.display()))
}

/// Lets two threads go on only together.
#[derive(Default)]
struct Meeting(AtomicU64);

impl Meeting {
    fn come(&self) {
        let place = self.0.fetch_add(1, Ordering::SeqCst);
        until("the other worker", || self.0.load(Ordering::SeqCst) > (place | 1));
    }
}

/// Each worker has its whole file before either puts its own in place, for each segment.
fn split_at_the_same_time(env: &FakeEnv, segments: &[PathBuf]) {
    let meeting = Arc::new(Meeting::default());
    thread::scope(|scope| {
        for _ in 0..2 {
            let meeting = Arc::clone(&meeting);
            let worker = worker(
                env,
                Box::new(move |what, _| {
                    if what == "rename" {
                        meeting.come();
                    }
                    Ok(())
                }),
            );
            scope.spawn(move || {
                for segment in segments {
                    let report = split(&worker, segment).unwrap();
                    assert!(report.contains("\"leftOut\":0"), "{report}");
                }
                worker.close();
            });
        }
    });
}

#[test]
fn what_two_workers_leave_is_replayed_once() {
    on_each_kind(|kind| {
        for seed in 0..20 {
            let (env, mut random) = (FakeEnv::of(kind, seed), Random::new(seed));
            let (seen, segments) = die_with_segments(&env, &mut random);
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

/// The region is open by the time that one of them puts its file in place: the file would be replayed by the next opening.
#[test]
fn the_file_of_a_worker_that_is_late_comes_to_nothing() {
    on_each_kind(late);
}

fn late(kind: FakeKind) {
    let env = FakeEnv::of(kind, 1);
    let f = fixture(&env, 1);
    (0..WRITES).for_each(|n| drop(f.mutate(&write(n))));
    let seen = history(&f);
    f.region.close(true).unwrap();
    drop(f);
    env.crash_process();
    let segment = Path::new(LOGS).join(&names(&env, Path::new(LOGS))[0]);
    let (has_come, may_go) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (come, go) = (Arc::clone(&has_come), Arc::clone(&may_go));
    let late = worker(
        &env,
        Box::new(move |what, _| {
            if what == "rename" {
                come.store(true, Ordering::SeqCst);
                until("the region to be open", || go.load(Ordering::SeqCst));
            }
            Ok(())
        }),
    );
    thread::scope(|scope| {
        let of_late = scope.spawn(|| split(&late, &segment));
        until("the worker's file", || has_come.load(Ordering::SeqCst));
        let other = worker(&env, Box::new(|_, _| Ok(())));
        split(&other, &segment).unwrap();
        env.rename(Path::new(LOGS), Path::new("/h/oldWALs/s1")).unwrap();
        let next = fixture(&env, 2);
        may_go.store(true, Ordering::SeqCst);
        let refused = of_late.join().unwrap().unwrap_err();
        assert!(refused.message.contains("recovered.edits"), "{refused}");
        assert_eq!(history(&next), seen);
        next.region.close(false).unwrap();
        let again = fixture(&env, 3);
        assert_eq!(history(&again), seen);
        assert!(again.region.open_report_json().contains("\"replayedEdits\":0"));
    });
}
