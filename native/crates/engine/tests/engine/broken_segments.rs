//! Segments of the log that fail while they are written, do not close, or are taken away from a server that lives: nothing that was
//! acknowledged is lost, and what stands in two segments counts once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_base::events::Topic;
use grampus_engine::{Engine, MutateStatus};
use grampus_env::{Env, FakeEnv, FakeKind, Faults};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, decode_answers};
use grampus_wal::SegmentReader;

use crate::common::{self, Fixture, REGION, on_each_kind, start_in, until};

const RAW: u32 = 2;
const FAMILIES: [(&str, &str); 1] = [("f", "\"maxVersions\":100")];
const FSYNC: &str = "{\"walSync\":\"fsync\"}";

fn fixture(env: &FakeEnv, config: &str, generation: u32) -> Fixture {
    start_in(Arc::new(env.clone()), config, &FAMILIES, generation)
}

fn put(n: u64) -> Batch {
    Batch::new().row_op(RowOp::put(&[Cell::put(&format!("row{n}"), "f", "q", 1, n.to_string())]))
}

fn increment(nonce: u64) -> Batch {
    let one = Cell::put("counter", "f", "n", i64::MAX, 1u64.to_be_bytes());
    let mut batch = Batch::new().row_op(RowOp::increment(nonce, &[one]));
    batch.nonce_group = 7;
    batch
}

fn append(nonce: u64) -> Batch {
    let mut batch = Batch::new().row_op(RowOp::append(nonce, &[Cell::put("text", "f", "t", i64::MAX, "x")]));
    batch.nonce_group = 7;
    batch
}

fn segments(env: &FakeEnv, dir: &str) -> Vec<PathBuf> {
    let entries = env.list(Path::new(dir)).unwrap_or_default();
    entries.into_iter().map(|entry| Path::new(dir).join(entry.name)).collect()
}

/// Sequence ids of each segment, its lease recovered.
fn logged(env: &FakeEnv, dir: &str) -> Vec<Vec<u64>> {
    let ids = |path: PathBuf| {
        env.recover_lease(&path).unwrap();
        let mut reader = SegmentReader::open(env, &path).unwrap();
        let mut ids = Vec::new();
        while let Some(edit) = reader.next_edit().unwrap() {
            ids.push(edit.sequence);
        }
        ids
    };
    segments(env, dir).into_iter().map(ids).collect()
}

/// The process dies; another server splits its log, as the master has it do.
fn die_and_split(f: Fixture, env: &FakeEnv, from: &str, shuffle: &mut Random) {
    f.region.close(true).unwrap();
    drop(f);
    env.crash_process();
    let splitter = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    let mut all = segments(env, from);
    // The master gives the segments out in any order, and some of them twice.
    for n in (1..all.len()).rev() {
        all.swap(n, shuffle.below(n as u64 + 1) as usize);
    }
    for segment in all {
        for _ in 0..1 + shuffle.below(2) {
            split(&splitter, &segment).unwrap();
        }
    }
    splitter.close().unwrap();
}

fn split(engine: &Engine, segment: &Path) -> grampus_base::Result<String> {
    engine.split_wal(&format!("{{\"wal\":\"{}\",\"rootDir\":\"/h\"}}", segment.display()))
}

#[test]
fn what_stands_in_two_segments_counts_once() {
    let mut twice = 0;
    on_each_kind(|kind| {
        for seed in 0..40 {
            let config = if seed % 2 == 0 { "{}" } else { FSYNC };
            let (env, mut random) = (FakeEnv::of(kind, seed), Random::new(seed));
            let f = fixture(&env, config, 1);
            let mut answers = Vec::new();
            for n in 0..20 {
                let failing_flushes = random.below(3);
                let fail_flush_in = random.one_in(3).then_some(0);
                env.set_faults(Faults { fail_flush_in, failing_flushes, ..Faults::default() });
                let batch = match n % 3 {
                    0 => put(n),
                    1 => increment(100 + n),
                    _ => append(100 + n),
                };
                answers.push((f.mutate(&batch), batch));
            }
            env.set_faults(Faults::default());
            let seen = f.scan(&Spec::scan().versions(100));
            die_and_split(f, &env, "/h/WALs/s1", &mut random);
            let g = fixture(&env, config, 2);
            assert_eq!(g.scan(&Spec::scan().versions(100)), seen, "{kind:?} {seed}");
            assert_eq!(g.scan(&Spec::scan().versions(100).with(RAW)), seen, "{kind:?} {seed}");
            let report = g.region.open_report_json();
            assert!(report.contains("\"replayedEdits\":20"), "{kind:?} {seed}: {report}");
            // A client that did not hear the answer asks again: nothing is added or appended once more.
            for (answer, batch) in answers.iter() {
                if matches!(answer[0], Answer::Cells(_)) {
                    assert_eq!(&g.mutate(batch), answer, "{kind:?} {seed}");
                }
            }
            assert_eq!(g.scan(&Spec::scan().versions(100)), seen, "{kind:?} {seed}");
        }
    });
    // The test has met what it is about.
    for seed in 0..10 {
        let env = FakeEnv::new(seed);
        let f = fixture(&env, "{}", 1);
        env.set_faults(Faults { fail_flush_in: Some(0), ..Faults::default() });
        f.mutate(&put(1));
        let ids: Vec<u64> = logged(&env, "/h/WALs/s1").concat();
        twice += usize::from(ids.len() == 2 && ids[0] == ids[1]);
    }
    assert_eq!(twice, 10, "segments whose flush failed have the edit, and so have the next ones");
}

/// Lets a number of flushes in a row fail, each after a time. Whether the log survives that, and how long it took by the clock.
fn survives(kind: FakeKind, failing_flushes: u64, slow_millis: i64) -> (bool, i64) {
    let env = FakeEnv::of(kind, 1);
    let f = fixture(&env, "{}", 1);
    f.mutate(&put(1));
    let begun_millis = env.now_millis();
    env.set_faults(Faults { fail_flush_in: Some(0), failing_flushes, slow_millis, ..Faults::default() });
    let (batch, mut out) = (put(2), Vec::new());
    let acknowledged = match f.region.mutate(&batch.ops(), &batch.cells, 5, &mut out) {
        Ok(MutateStatus::Done) => true,
        Ok(_) => {
            let mut tokens = Vec::new();
            until("the fate of the write", || {
                f.engine.poll_completions(&mut tokens, Duration::from_secs(1));
                tokens.iter().any(|(token, _)| *token == 5)
            });
            tokens.contains(&(5, 0))
        }
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::Poisoned);
            false
        }
    };
    assert_eq!(f.scan(&Spec::scan()).len(), 1 + usize::from(acknowledged));
    assert_eq!(f.engine.log_failure().is_none(), acknowledged);
    (acknowledged, env.now_millis() - begun_millis)
}

#[test]
fn a_log_that_fails_again_and_again_is_given_up() {
    assert!(survives(FakeKind::Local, 5, 0).0);
    assert!(!survives(FakeKind::Local, 6, 0).0);
    // Where other machines have to answer, the attempts last as long as a name node may take to start.
    for (failing, expected) in [(20, true), (21, false)] {
        let (survives, took_millis) = survives(FakeKind::Remote, failing, 0);
        assert_eq!(survives, expected);
        assert!((28_000..32_000).contains(&took_millis), "{took_millis}");
    }
}

/// Each attempt waits for data nodes that do not answer for a minute.
#[test]
fn a_log_whose_attempts_are_slow_makes_as_many_of_them() {
    assert!(survives(FakeKind::Remote, 5, 60_000).0);
    assert!(!survives(FakeKind::Remote, 6, 60_000).0);
}

#[test]
fn a_segment_that_could_not_be_begun_leaves_nothing() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}", 1);
        // The group's flush, then that of the first fresh segment's header.
        env.set_faults(Faults { fail_flush_in: Some(0), failing_flushes: 2, ..Faults::default() });
        f.mutate(&put(1));
        assert_eq!(segments(&env, "/h/WALs/s1").len(), 2, "the broken one and the one that took the group");
    });
}

#[test]
fn no_event_loop_waits_for_a_remote_log() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    for (generation, config) in [(1, "{}"), (2, FSYNC)] {
        let f = fixture(&env, config, generation);
        let handed_over = || env.flushes() + f.metric("wal.syncs");
        let before = handed_over();
        for durability in [2, 3, 4] {
            let mut batch = Batch::new()
                .row_op(RowOp::put_as(durability, &[Cell::put("row", "f", "q", 1, vec![7; 1000])]));
            batch.non_blocking = true;
            let mut out = Vec::new();
            let status =
                FakeEnv::on_event_loop(|| f.region.mutate(&batch.ops(), &batch.cells, 9, &mut out).unwrap());
            let mut tokens = Vec::new();
            while status == MutateStatus::Pending && tokens.is_empty() {
                f.engine.poll_completions(&mut tokens, Duration::from_secs(10));
            }
            assert!(tokens.iter().all(|token| *token == (9, 0)), "{tokens:?}");
            assert_eq!(decode_answers(&out), [Answer::Done]);
        }
        assert!(handed_over() > before);
        f.region.close(false).unwrap();
    }
}

/// On a local disk the caller writes: no other thread takes part.
#[test]
fn a_local_log_is_written_by_its_caller() {
    let f = fixture(&FakeEnv::new(1), "{}", 1);
    let is_done = |n| {
        let batch = put(n);
        let status = f.region.mutate(&batch.ops(), &batch.cells, 9, &mut Vec::new()).unwrap();
        status == MutateStatus::Done
    };
    // The log's own thread may be at what the open has left to it, and takes the first puts along.
    assert!((0..100).any(is_done), "each put was left to another thread");
}

/// A server was paused for so long that the master has its log split: it acknowledges nothing that the split has not seen.
#[test]
fn a_server_whose_log_was_split_acknowledges_nothing_more() {
    for seed in 0..20 {
        for renamed_first in [true, false] {
            let env = FakeEnv::of(FakeKind::Remote, seed);
            let f = fixture(&env, if seed % 2 == 0 { "{}" } else { FSYNC }, 1);
            (0..5).for_each(|n| drop(f.mutate(&put(n))));
            let splitter = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
            let dir = if renamed_first { "/h/WALs/s1-splitting" } else { "/h/WALs/s1" };
            if renamed_first {
                env.rename(Path::new("/h/WALs/s1"), Path::new(dir)).unwrap();
                // The writer does not notice: what it acknowledges now is in the file.
                f.mutate(&put(5));
            }
            segments(&env, dir).iter().for_each(|segment| drop(split(&splitter, segment).unwrap()));
            env.rename(Path::new(dir), Path::new("/h/oldWALs/s1")).unwrap();
            let (batch, mut tokens) = (put(6), Vec::new());
            match f.region.mutate(&batch.ops(), &batch.cells, 5, &mut Vec::new()) {
                Err(e) => assert_eq!(e.kind, ErrorKind::Poisoned),
                Ok(status) => {
                    assert_eq!(status, MutateStatus::Pending);
                    until("the answer", || {
                        f.engine.poll_completions(&mut tokens, Duration::from_secs(1));
                        tokens.contains(&(5, 7))
                    });
                }
            }
            let why = f.engine.log_failure().unwrap();
            assert!(why.contains("lease") && why.contains("does not exist"), "{why}");
            assert!(!env.exists(Path::new("/h/WALs/s1")).unwrap(), "its directory is not made again");
            f.region.close(true).unwrap();
            let g = fixture(&env, "{}", 2);
            assert_eq!(g.scan(&Spec::scan()).len(), 5 + usize::from(renamed_first));
        }
    }
}

#[test]
fn a_segment_that_does_not_close_is_said_and_leaves_the_log_all_the_same() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}", 1);
        f.mutate(&put(1));
        env.set_faults(Faults { fail_close_in: Some(0), ..Faults::default() });
        f.engine.roll_wal().unwrap();
        until("the close", || f.metric("wal.failed_closes") == 1);
        env.set_faults(Faults::default());
        let events = f.engine.poll_events(Duration::ZERO).unwrap();
        let said =
            events.iter().filter(|e| e.topic == Topic::Log && e.text.contains("cannot close log segment"));
        assert_eq!(said.count(), 1, "{events:?}");
        f.region.flush().unwrap();
        until("the segment to leave", || segments(&env, "/h/oldWALs").len() == 1);
        let ids: Vec<u64> = logged(&env, "/h/oldWALs").concat();
        assert_eq!(ids.len(), 1, "its edit is in it");
    });
}

#[test]
fn a_file_that_does_not_close_is_not_committed() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{\"compactions\":false}", 1);
        f.mutate(&put(1));
        let before = env.files();
        env.set_faults(Faults { fail_close_in: Some(0), ..Faults::default() });
        let failure = f.region.flush().unwrap_err();
        assert!(failure.message.contains("cannot close") && failure.message.contains(".tmp"), "{failure}");
        assert_eq!(env.files(), before, "nothing is left of it");
        assert_eq!(f.scan(&Spec::scan()).len(), 1);
        assert!(f.region.flush().unwrap());
        assert_eq!(f.scan(&Spec::scan()).len(), 1);
        assert!(f.region.stats().to_string().contains("\"memtableBytes\":0"));
    });
}

/// A worker is taken for dead and goes on: its file is not the other's, and comes to nothing once the region is open.
#[test]
fn what_a_worker_left_unfinished_goes_when_the_region_opens() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}", 1);
        f.mutate(&put(1));
        let edits = format!("/h/data/default/t/{REGION}/recovered.edits");
        let left = Path::new(&edits).join("s1.1.s9-00000000000000ff.tmp");
        let mut zombie = env.create(&left).unwrap();
        zombie.append(b"half of it").unwrap();
        die_and_split(f, &env, "/h/WALs/s1", &mut Random::new(1));
        assert!(env.exists(&left).unwrap(), "another worker's file is left alone");
        let g = fixture(&env, "{}", 2);
        assert_eq!(g.scan(&Spec::scan()).len(), 1);
        assert!(!env.exists(&left).unwrap());
        let later = env.rename(&left, &Path::new(&edits).join("0000000000000000001"));
        assert_eq!(later.unwrap_err().kind(), std::io::ErrorKind::NotFound);
    });
}

#[test]
fn places_in_requests_may_be_uris() {
    let env = FakeEnv::new(1);
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    let refused = engine.start_wal("hdfs://nn/h/WALs/s1", "/h/oldWALs", "s1").unwrap_err();
    assert!(refused.message.contains("scheme hdfs is not supported"), "{refused}");
    engine.start_wal("file:///h/WALs/s1", "file:/h/oldWALs", "s1").unwrap();
    env.mkdir(Path::new(&format!("/h/data/default/t/{REGION}"))).unwrap();
    let json = grampus_testkit::wire::open_region_json("file:///h", REGION, &FAMILIES);
    let region = engine.open_region(&json).unwrap();
    common::mutate(&engine, &region, &put(1));
    region.close(true).unwrap();
    engine.close().unwrap_err();
    let splitter = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for segment in segments(&env, "/h/WALs/s1") {
        let request = format!("{{\"wal\":\"file://{}\",\"rootDir\":\"file:/h\"}}", segment.display());
        splitter.split_wal(&request).unwrap();
    }
    let other = splitter.split_wal("{\"wal\":\"s3a://b/WALs/s1/1\",\"rootDir\":\"/h\"}").unwrap_err();
    assert!(other.message.contains("scheme s3a is not supported"), "{other}");
    assert_eq!(fixture(&env, "{}", 2).scan(&Spec::scan()).len(), 1);
}
