//! The log on disk: the format byte by byte, torn tails, damage, and what a failing disk does to acknowledgements.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::ErrorKind;
use grampus_base::events::{Event, Level, Topic};
use grampus_cells::{CellRef, CellType};
use grampus_engine::MutateStatus;
use grampus_env::{Env, FakeEnv, FakeKind, Faults};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use grampus_wal::record::Record;
use grampus_wal::{RecordBuilder, SegmentReader, segment};

use crate::common::{self, Fixture, on_each_kind, start_in, until};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wal/v1/two_regions.wal");

fn cell<'a>(row: &'a [u8], value: &'a [u8], tags: &'a [u8]) -> CellRef<'a> {
    CellRef {
        row,
        qualifier: b"q",
        timestamp: 1_700_000_000_000,
        cell_type: CellType::PUT,
        value,
        tags,
        sequence: 0,
    }
}

/// The segment that the golden file holds: two regions, a nonce, a marker, tags, and an end.
fn segment_bytes() -> Vec<u8> {
    let mut bytes = segment::header(0, 1_700_000_000_000).to_vec();
    let mut first =
        RecordBuilder::new("t", "0123456789abcdef0123456789abcdef", 1_700_000_000_001, 0, &[], 0).unwrap();
    first.push(b"f", &cell(b"row1", b"value", &[]));
    first.push(b"g", &cell(b"row1", b"", &[0, 9, 8, 0, 0, 0, 0, 0, 0, 3, 232]));
    bytes.extend(first.finish().unwrap().with_sequence(7));
    let mut second =
        RecordBuilder::new("ns:u", "fedcba9876543210fedcba9876543210", 1_700_000_000_002, 11, &[12, 13], 0)
            .unwrap();
    second.push(
        b"f",
        &CellRef { cell_type: CellType::DELETE_FAMILY, qualifier: b"", ..cell(b"row2", b"", &[]) },
    );
    bytes.extend(second.finish().unwrap().with_sequence(8));
    bytes.extend(Record::end(2).unwrap().with_sequence(0));
    bytes
}

fn read(bytes: &[u8]) -> grampus_base::Result<Vec<(u64, String, usize)>> {
    let env = FakeEnv::new(1);
    let path = Path::new("/segment");
    let mut file = env.create(path).unwrap();
    file.append(bytes).unwrap();
    file.close().unwrap();
    let mut reader = SegmentReader::open(&env, path)?;
    let mut edits = Vec::new();
    while let Some(raw) = reader.next_edit()? {
        let edit = raw.decode()?;
        edits.push((edit.sequence, edit.table.to_string(), edit.cells.len()));
    }
    Ok(edits)
}

#[test]
fn version_1_is_written_and_read_as_its_golden_file() {
    let golden = std::fs::read(GOLDEN).unwrap();
    assert_eq!(segment_bytes(), golden, "the writer no longer writes version 1");
    assert_eq!(read(&golden).unwrap(), [(7, "t".to_string(), 2), (8, "ns:u".to_string(), 1)]);
}

#[test]
fn a_segment_cut_anywhere_yields_its_whole_records() {
    let bytes = segment_bytes();
    let all = read(&bytes).unwrap();
    let mut longest = 0;
    for n in 0..bytes.len() {
        let edits = read(&bytes[..n]).unwrap_or_else(|e| panic!("cut at {n}: {e}"));
        assert_eq!(edits, all[..edits.len()], "cut at {n}");
        assert!(edits.len() >= longest, "a longer segment has no fewer records");
        longest = edits.len();
    }
    assert_eq!(longest, 2);
}

#[test]
fn a_flipped_bit_is_damage_or_a_torn_tail_but_never_a_wrong_edit() {
    let bytes = segment_bytes();
    let all = read(&bytes).unwrap();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            match read(&damaged) {
                Err(e) => {
                    assert_eq!(e.kind, ErrorKind::Corrupt, "{at}.{bit}: {e}");
                    assert!(e.message.contains("/segment") && e.message.contains("byte"), "{e}");
                }
                // Only what lies in the last record, the end, may pass as torn: all edits are there.
                Ok(edits) => assert_eq!(edits, all, "{at}.{bit}"),
            }
        }
    }
}

fn fixture(env: &FakeEnv, config: &str) -> Fixture {
    start_in(Arc::new(env.clone()), config, &[("f", "")], 1)
}

fn put(row: &str) -> Batch {
    Batch::new().row_op(RowOp::put(&[Cell::put(row, "f", "q", 1, "v")]))
}

#[test]
fn a_failed_write_goes_to_a_fresh_segment_and_is_acknowledged_once() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}");
        f.put(Cell::put("a", "f", "q", 1, "v"));
        env.set_faults(Faults { fail_append_in: Some(0), ..Faults::default() });
        f.put(Cell::put("b", "f", "q", 1, "v"));
        assert_eq!(f.scan(&Spec::scan()).len(), 2);
        assert_eq!(env.list(Path::new("/h/WALs/s1")).unwrap().len(), 2);
        assert!(f.engine.metrics_json().contains("\"engine.wal.error_rolls\":1"));
    });
}

#[test]
fn a_full_disk_poisons_and_nothing_of_the_group_is_acknowledged_or_visible() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}");
        f.put(Cell::put("a", "f", "q", 1, "v"));
        env.set_faults(Faults { free_bytes: Some(10), ..Faults::default() });
        let mut out = Vec::new();
        let batch = put("b");
        let outcome = f.region.mutate(&batch.ops(), &batch.cells, 5, &mut out);
        match outcome {
            Err(e) => {
                assert_eq!(e.kind, ErrorKind::Poisoned);
                assert!(poisoned_calls(&f).is_empty());
            }
            Ok(status) => {
                assert_eq!(status, MutateStatus::Pending);
                assert_eq!(poisoned_calls(&f), [5]);
            }
        }
        assert_eq!(f.scan(&Spec::scan()).len(), 1, "the write is not visible");
        env.set_faults(Faults::default());
        let again = f.region.mutate(&batch.ops(), &batch.cells, 6, &mut out);
        assert_eq!(again.unwrap_err().kind, ErrorKind::Poisoned, "not even when there is space again");
    });
}

/// Waits until the log's loss is reported, which it is in any case, and returns the calls that were poisoned with it.
fn poisoned_calls(f: &Fixture) -> Vec<u64> {
    let mut tokens = Vec::new();
    for _ in 0..3 {
        if !tokens.contains(&(u64::MAX, 7)) {
            assert!(f.engine.poll_completions(&mut tokens, Duration::from_secs(10)));
        }
    }
    assert!(tokens.contains(&(u64::MAX, 7)), "the log is not lost: {tokens:?}");
    tokens.iter().filter(|(token, _)| *token != u64::MAX).map(|(token, _)| *token).collect()
}

#[test]
fn a_failed_sync_of_a_local_disk_poisons() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{\"walSync\":\"fsync\"}");
    f.put(Cell::put("a", "f", "q", 1, "v"));
    env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    let batch = put("b");
    match f.region.mutate(&batch.ops(), &batch.cells, 5, &mut Vec::new()) {
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::Poisoned);
            assert!(poisoned_calls(&f).is_empty());
        }
        Ok(status) => {
            assert_eq!(status, MutateStatus::Pending);
            assert_eq!(poisoned_calls(&f), [5]);
        }
    }
    assert_eq!(f.scan(&Spec::scan()).len(), 1);
}

/// One data node that fails is enough for it, and what earlier syncs have covered is on the media of the others.
#[test]
fn behind_a_failed_sync_of_a_remote_file_a_fresh_segment_goes_on() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let f = fixture(&env, "{\"walSync\":\"fsync\"}");
    let (rolls, syncs) = (f.metric("wal.rolls"), f.metric("wal.syncs"));
    for row in ["a", "b"] {
        env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
        f.put(Cell::put(row, "f", "q", 1, "v"));
    }
    assert!(f.engine.log_failure().is_none());
    assert_eq!((f.metric("wal.rolls"), f.metric("wal.syncs")), (rolls + 2, syncs + 4));
    assert_eq!((f.metric("wal.failed_syncs"), f.metric("wal.failed_writes")), (2, 0));
    env.lose_power();
    assert_eq!(logged(&env), 2, "both are on media");
}

/// Edits of the segments, their leases recovered. One that stands in two segments counts once.
fn logged(env: &FakeEnv) -> usize {
    let mut sequences = BTreeSet::new();
    for segment in env.list(Path::new("/h/WALs/s1")).unwrap() {
        let path = Path::new("/h/WALs/s1").join(&segment.name);
        env.recover_lease(&path).unwrap();
        let mut reader = SegmentReader::open(env, &path).unwrap();
        while let Some(edit) = reader.next_edit().unwrap() {
            sequences.insert(edit.sequence);
        }
    }
    sequences.len()
}

/// The system tells of lost bytes once: a segment whose sync failed at its end must not take a synced edit behind a hole.
#[test]
fn a_segment_that_could_not_be_synced_at_its_end_is_not_gone_on_with() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{\"walSync\":\"fsync\"}");
    f.put(Cell::put("a", "f", "q", 1, "v"));
    // The first sync is that of the directory with the fresh segment, the next that of the old segment.
    env.set_faults(Faults { fail_sync_in: Some(1), ..Faults::default() });
    assert!(f.engine.roll_wal().is_err());
    let batch = put("b");
    match f.region.mutate(&batch.ops(), &batch.cells, 5, &mut Vec::new()) {
        Err(e) => assert_eq!(e.kind, ErrorKind::Poisoned),
        Ok(_) => assert_eq!(poisoned_calls(&f), [5]),
    }
    assert_eq!(f.scan(&Spec::scan()).len(), 1, "the write is not visible");
    env.crash_machine();
    assert_eq!(logged(&env), 1, "what was acknowledged is on the medium");
}

#[test]
fn a_remote_segment_that_could_not_be_synced_at_its_end_is_abandoned() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let f = fixture(&env, "{\"walSync\":\"fsync\"}");
    f.put(Cell::put("a", "f", "q", 1, "v"));
    env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    f.engine.roll_wal().unwrap();
    until("the end of the old segment", || f.metric("wal.failed_syncs") == 1);
    assert_eq!(f.metric("wal.syncs"), 2);
    f.put(Cell::put("b", "f", "q", 1, "v"));
    env.lose_power();
    assert_eq!(logged(&env), 2);
}

#[test]
fn a_failed_flush_keeps_the_data_and_succeeds_later() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}");
        f.put(Cell::put("a", "f", "q", 1, "v"));
        env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
        assert!(f.region.flush().is_err());
        env.set_faults(Faults::default());
        f.put(Cell::put("b", "f", "q", 1, "v"));
        assert_eq!(f.scan(&Spec::scan()).len(), 2);
        assert!(f.region.flush().unwrap());
        assert_eq!(f.scan(&Spec::scan()).len(), 2);
        assert!(
            f.region.stats().to_string().contains("\"memtableBytes\":0"),
            "{}",
            f.region.stats().to_string()
        );
    });
}

#[test]
fn durabilities_skip_and_async_are_acknowledged_and_seen() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}");
        for (durability, row) in [(1, "skip"), (2, "async"), (3, "sync"), (4, "fsync")] {
            let op = RowOp::put_as(durability, &[Cell::put(row, "f", "q", 1, "v")]);
            f.mutate(&Batch::new().row_op(op));
            assert_eq!(f.get(&Spec::get(row)).len(), 1);
        }
    });
}

#[test]
fn a_full_disk_under_flushes_ends_in_busy_and_recovers() {
    on_each_kind(|kind| {
        const SKIP_WAL: u8 = 1;
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{\"memtableBytes\":300000}");
        env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
        let value = [7u8; 1000];
        let write = |n: usize| {
            let op = RowOp::put_as(SKIP_WAL, &[Cell::put(&format!("r{n:05}"), "f", "q", 1, value)]);
            let batch = Batch::new().row_op(op);
            common::run(&f.region, &batch, 9, &mut Vec::new()).map(|_| ())
        };
        let refused = (0..1000).find_map(|n| write(n).err().map(|e| (n, e.kind)));
        let Some((count, kind)) = refused else { panic!("1 MB went into 300 KB of memory") };
        assert_eq!(kind, ErrorKind::Busy);
        assert_eq!(f.scan(&Spec::scan()).len(), count, "reads go on");
        assert!(f.engine.metrics_json().contains("engine.flush.failed_count"));
        env.set_faults(Faults::default());
        env.advance_millis(120_000);
        until("a flush that makes room", || write(count).is_ok());
        assert_eq!(f.scan(&Spec::scan()).len(), count + 1);
    });
}

/// What the log has said so far.
fn said(f: &Fixture) -> Vec<Event> {
    let events = f.engine.poll_events(Duration::ZERO).unwrap();
    events.into_iter().filter(|event| event.topic == Topic::Log).collect()
}

#[test]
fn a_lost_log_says_what_failed_where_and_why() {
    on_each_kind(|kind| {
        for (config, faults, what, metric) in [
            (
                "{}",
                Faults { free_bytes: Some(10), ..Faults::default() },
                "write log segment",
                "failed_writes",
            ),
            (
                "{\"walSync\":\"fsync\"}",
                Faults { fail_sync_in: Some(0), ..Faults::default() },
                "sync log segment",
                "failed_syncs",
            ),
        ] {
            if kind == FakeKind::Remote && faults.fail_sync_in.is_some() {
                continue; // a fresh segment goes on
            }
            let env = FakeEnv::of(kind, 1);
            let f = fixture(&env, config);
            f.put(Cell::put("a", "f", "q", 1, "v"));
            env.set_faults(faults);
            let batch = put("b");
            let _answered_either_way = f.region.mutate(&batch.ops(), &batch.cells, 5, &mut Vec::new());
            poisoned_calls(&f);
            let why = f.engine.log_failure().unwrap();
            assert!(why.contains(what) && why.contains("/h/WALs/s1/"), "{why}");
            let error = f.region.mutate(&batch.ops(), &batch.cells, 6, &mut Vec::new()).unwrap_err();
            assert!(error.message.contains(&why), "{error}");
            let events = said(&f);
            assert!(events.iter().any(|e| e.level == Level::Error && e.text.contains(&why)), "{events:?}");
            assert!(f.metric(&format!("wal.{metric}")) > 0);
        }
    });
}

#[test]
fn a_failed_write_that_was_repeated_is_said() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, "{}");
        env.set_faults(Faults { fail_append_in: Some(0), ..Faults::default() });
        f.put(Cell::put("b", "f", "q", 1, "v"));
        let events = said(&f);
        let [event] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(event.level, Level::Warn);
        assert!(event.text.contains("cannot write log segment /h/WALs/s1/"), "{}", event.text);
        assert!(event.text.contains("nothing is lost"), "{}", event.text);
        assert_eq!(f.metric("wal.failed_writes"), 1);
    });
}

#[test]
fn a_failed_rotation_is_said_and_tried_again_after_a_pause() {
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{\"walSegmentBytes\":2000}");
    let rolls = f.metric("wal.rolls");
    env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    let cell = |n: u32| Cell::put(&common::row(n), "f", "q", 1, common::noise(n));
    (0..4).for_each(|n| f.put(cell(n)));
    let mut events = Vec::new();
    until("the event of the failed rotation", || {
        events = said(&f);
        !events.is_empty()
    });
    assert_eq!(events[0].level, Level::Warn);
    let text = &events[0].text;
    assert!(text.contains("a rotation of the log failed: cannot begin log segment /h/WALs/s1/"), "{text}");
    assert!(text.contains("the next attempt follows in 2 s"), "{text}");
    (4..20).for_each(|n| f.put(cell(n)));
    assert_eq!((said(&f), f.metric("wal.failed_rolls")), (Vec::new(), 1), "not before the pause is over");
    until("the next rotation", || {
        env.advance_millis(3_000);
        f.put(cell(20));
        f.metric("wal.rolls") != rolls
    });
}

/// Writes whose clients do not wait for the disk go out together: about one group in ten milliseconds, however many they are.
#[test]
fn async_writes_have_company() {
    const ASYNC_WAL: u8 = 2;
    let env = FakeEnv::new(1);
    let f = fixture(&env, "{}");
    let before = f.metric("wal.groups");
    let begun = Instant::now();
    for n in 0..3000 {
        let op = RowOp::put_as(ASYNC_WAL, &[Cell::put(&common::row(n), "f", "q", 1, "v")]);
        f.mutate(&Batch::new().row_op(op));
    }
    let groups = f.metric("wal.groups") - before;
    let most = begun.elapsed().as_millis() / 10 + 1;
    assert!(u128::from(groups) <= most, "{groups} groups, at most {most} in that time");
    assert_eq!(f.metric("wal.appends"), 3000);
}
