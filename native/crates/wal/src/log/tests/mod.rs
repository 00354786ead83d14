//! Which thread writes the pending group: the caller that has the active segment, or the log's thread. What goes on while a segment is created.

mod ends;
mod hanging;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use grampus_base::sync::atomic::Ordering;
use grampus_cells::{CellRef, CellType};
use grampus_env::{Call, Env, FakeEnv, FakeKind, Faults};

use super::{Wal, WalSettings};
use crate::{Durability, Follower, Need, RecordBuilder, RegionLog, SegmentReader};

struct NoFollower;

impl Follower for NoFollower {
    fn log_moved(&self) {}
    fn log_lost(&self) {}
}

struct Fixture {
    env: FakeEnv,
    wal: Arc<Wal>,
    region: Arc<RegionLog>,
}

impl Fixture {
    fn of(kind: FakeKind) -> Fixture {
        Fixture::with_segments(kind, 1 << 30)
    }

    fn with_segments(kind: FakeKind, segment_bytes: u64) -> Fixture {
        Fixture::over(FakeEnv::of(kind, 1), segment_bytes, false)
    }

    fn over(env: FakeEnv, segment_bytes: u64, always_fsync: bool) -> Fixture {
        let settings = WalSettings {
            dir: "/h/WALs/s".into(),
            old_dir: "/h/oldWALs".into(),
            prefix: "s".to_string(),
            meta: false,
            segment_bytes,
            always_fsync,
        };
        let wal = Wal::start(Arc::new(env.clone()), settings, Box::new(|| {}), Arc::default()).unwrap();
        let region = RegionLog::new("t", "r", 0, Arc::new(NoFollower));
        Fixture { env, wal, region }
    }

    fn append(&self, value_bytes: usize, durability: Durability) -> Need {
        let value = vec![7; value_bytes];
        let mut record = RecordBuilder::new("t", "r", 1, 0, &[], value_bytes).unwrap();
        let cell = CellRef {
            row: b"row",
            qualifier: b"q",
            timestamp: 1,
            cell_type: CellType::PUT,
            value: &value,
            tags: b"",
            sequence: 0,
        };
        record.push(b"f", &cell);
        self.wal.append(record.finish().unwrap(), 1, &self.region, durability).unwrap()
    }

    fn written(&self) -> u64 {
        self.wal.progress().written.load(Ordering::SeqCst)
    }

    /// Appends, and waits until it is in the segment.
    fn write(&self) {
        let Need::Written(end) = self.append(100, Durability::Sync) else { panic!("nothing to wait for") };
        self.wal.commit(Durability::Sync).unwrap();
        until(|| self.written() >= end);
    }

    /// Appends, and waits until it is on media, or the log is lost.
    fn fsync(&self) -> bool {
        let Need::Synced(end) = self.append(100, Durability::Fsync) else { panic!("nothing to wait for") };
        let asked = self.wal.commit(Durability::Fsync);
        let progress = self.wal.progress();
        until(|| progress.check().is_err() || progress.synced.load(Ordering::SeqCst) >= end);
        asked.is_ok() && progress.check().is_ok()
    }

    fn segments(&self) -> usize {
        self.paths().len()
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.env.files().into_iter().filter(|path| path.starts_with("/h/WALs")).collect()
    }

    /// Edits of each segment, its lease recovered.
    fn edits(&self) -> Vec<usize> {
        let count = |path: PathBuf| {
            self.env.recover_lease(&path).unwrap();
            let mut reader = SegmentReader::open(&self.env, &path).unwrap();
            let mut edits = 0;
            while reader.next_edit().unwrap().is_some() {
                edits += 1;
            }
            edits
        };
        self.paths().into_iter().map(count).collect()
    }

    fn pending_bytes(&self) -> usize {
        self.wal.pending.lock().group.bytes()
    }
}

/// Waits for another thread.
fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "it does not come to be");
        thread::sleep(Duration::from_millis(1));
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        drop(self.wal.close());
    }
}

/// As long as the segment is held the log's thread writes nothing.
#[test]
fn a_small_group_that_a_caller_waits_for_is_written_by_the_holder_of_the_segment() {
    let f = Fixture::of(FakeKind::Local);
    let mut active = f.wal.active.lock();
    let Need::Written(end) = f.append(100, Durability::Sync) else { panic!("nothing to wait for") };
    assert!(f.wal.write_small(&mut active));
    assert_eq!((f.written(), f.pending_bytes()), (end, 0));
    assert!(!f.wal.write_small(&mut active), "there is nothing more");
}

#[test]
fn other_groups_are_left_to_the_logs_thread() {
    for (bytes, durability) in
        [(100, Durability::Fsync), (1 << 20, Durability::Sync), (100, Durability::Async)]
    {
        let f = Fixture::of(FakeKind::Local);
        let mut active = f.wal.active.lock();
        f.append(bytes, durability);
        assert!(!f.wal.write_small(&mut active), "{bytes} {durability:?}");
        assert_eq!(f.written(), 0, "{bytes} {durability:?}");
        assert!(f.pending_bytes() > bytes, "{bytes} {durability:?}");
    }
}

#[test]
fn where_a_flush_is_not_cheap_no_caller_writes() {
    let f = Fixture::of(FakeKind::Remote);
    let mut active = f.wal.active.lock();
    f.append(100, Durability::Sync);
    assert!(!f.wal.write_small(&mut active));
    assert_eq!(f.written(), 0);
}

/// The log's thread cannot write before the segment is released. If the caller left the group to it, it would still be pending in at least
/// one of the 1,000 rounds.
#[test]
fn what_was_left_behind_is_written_when_the_segment_is_given_up() {
    let f = Fixture::of(FakeKind::Local);
    for _ in 0..1000 {
        let active = f.wal.active.lock();
        let Need::Written(end) = f.append(100, Durability::Sync) else { panic!("nothing to wait for") };
        f.wal.release_active(active);
        assert_eq!(f.written(), end);
    }
}

/// Begins a roll on a name node that hangs, does something meanwhile, and lets the roll end.
fn during_a_roll(f: &Fixture, meanwhile: impl FnOnce()) {
    thread::scope(|scope| {
        let hangs = f.env.hold(Call::Create);
        let roll = scope.spawn(|| f.wal.roll());
        until(|| f.wal.active.lock().last_name_millis > f.wal.active_since_millis.load(Ordering::SeqCst));
        meanwhile();
        drop(hangs);
        roll.join().unwrap().unwrap();
    });
}

#[test]
fn writes_go_on_while_a_remote_segment_is_created() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    during_a_roll(&f, || f.write());
    assert_eq!(f.wal.size().0, 2, "it has rolled");
    f.write();
}

/// The segment broke, and the log has gone on with a later one than that which the roll creates.
#[test]
fn a_segment_that_comes_after_a_later_one_is_left_out() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    let mut active = f.wal.active.lock();
    let late = f.wal.create_segment(&mut active).unwrap();
    f.wal.rotate(&mut active).unwrap();
    let (path, unused) = (late.path().to_path_buf(), f.wal.go_on_with_newer(&mut active, late).unwrap());
    assert_eq!(unused.unwrap().path(), path);
    assert!(active.writer.as_ref().unwrap().path() > path.as_path());
}

#[test]
fn a_segment_that_comes_after_one_that_could_not_be_created_is_gone_on_with() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    during_a_roll(&f, || f.wal.active.lock().last_name_millis += 1);
    assert_eq!((f.wal.size().0, f.segments()), (2, 2));
    f.write();
}

#[test]
fn a_segment_that_comes_after_the_end_of_the_log_is_left_out() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    during_a_roll(&f, || drop(f.wal.close()));
    assert!(f.segments() <= 1, "the one that was written, until its edits are in files");
}

/// Breaks the active segment; the one behind it has the edit.
fn break_segment(f: &Fixture) {
    f.env.set_faults(Faults { fail_flush_in: Some(0), ..Faults::default() });
    f.write();
    f.env.set_faults(Faults::default());
}

/// As for data nodes that are away for a quarter of an hour: a flush, a close of a region and a roll do not notice.
#[test]
fn nothing_waits_for_a_recovery_of_a_lease() {
    let f = Fixture::of(FakeKind::Remote);
    let away = f.env.hold(Call::Recovery);
    break_segment(&f);
    f.region.set_flushed(1);
    f.wal.clean_up();
    f.wal.roll().unwrap();
    f.wal.clean_up();
    f.wal.settle(&f.region, 1).unwrap();
    until(|| f.segments() == 2); // the one that cannot be recovered and the active one
    f.wal.roll().unwrap();
    until(|| f.segments() == 2);
    drop(away);
    until(|| f.segments() == 1);
}

#[test]
fn a_recovery_that_fails_is_tried_again_after_the_next_flush() {
    let f = Fixture::of(FakeKind::Remote);
    break_segment(&f);
    f.env.set_faults(Faults { fail_recovery_in: Some(0), ..Faults::default() });
    f.region.set_flushed(1); // only now may it be recovered
    f.wal.clean_up();
    until(|| f.wal.counters.failed_archives.load(Ordering::SeqCst) == 1);
    assert_eq!(f.segments(), 2);
    f.wal.clean_up();
    until(|| f.segments() == 1);
}

/// A sync of a remote segment has to have bytes of its own: a group that is flushed and then synced would be on no medium.
#[test]
fn a_remote_group_is_on_media_when_its_sync_is_acknowledged() {
    for seed in 0..20 {
        let f = Fixture::over(FakeEnv::of(FakeKind::Remote, seed), 1 << 30, false);
        f.write(); // SYNC_WAL: the next sync takes it along
        let flushes = f.env.flushes();
        assert!(f.fsync());
        let second_steps = f.env.flushes() - flushes;
        f.write();
        f.env.lose_power();
        let [edits] = f.edits()[..] else { panic!("a segment broke") };
        assert!((2..=3).contains(&edits), "the third was only flushed: {edits}");
        assert_eq!(second_steps, 0);
    }
}

/// No tick of a pool comes in these tests.
#[test]
fn a_large_remote_segment_is_rolled_beside_its_writes() {
    let f = Fixture::with_segments(FakeKind::Remote, 250);
    let hangs = f.env.hold(Call::Create);
    (0..4).for_each(|_| f.write());
    assert_eq!(f.segments(), 1, "longer than its room, which is no reason to wait");
    assert!(
        f.env.len(&f.paths()[0]).unwrap() > 0
            && f.wal.active.lock().writer.as_ref().unwrap().position() > 500
    );
    drop(hangs);
    until(|| f.wal.size().0 == 2);
}

#[test]
fn a_remote_segment_does_not_become_much_longer_than_its_room() {
    let f = Fixture::with_segments(FakeKind::Remote, 1000);
    (0..100).for_each(|_| f.write());
    drop(f.wal.close());
    let sizes: Vec<u64> = f.paths().iter().map(|path| f.env.len(path).unwrap()).collect();
    assert!(
        sizes.len() > 2 && sizes.iter().all(|bytes| *bytes <= 4000 + 100),
        "with their end records: {sizes:?}"
    );
    assert_eq!(f.edits().iter().sum::<usize>(), 100);
}

/// A group that no segment has room for comes into a fresh one; where none can be begun the old one goes on.
#[test]
fn what_no_segment_has_room_for_is_written_all_the_same() {
    let f = Fixture::with_segments(FakeKind::Remote, 1000);
    f.env.set_faults(Faults { failing_creates: u64::MAX, ..Faults::default() });
    (0..41).for_each(|_| f.write());
    assert_eq!(f.segments(), 1);
    f.env.set_faults(Faults::default());
    f.env.advance_millis(600_000); // until the next attempt
    let Need::Written(end) = f.append(5000, Durability::Sync) else { panic!("nothing to wait for") };
    f.wal.commit(Durability::Sync).unwrap();
    until(|| f.written() >= end);
    assert_eq!(f.edits()[..2], [41, 1]);
}

/// What is pending when the segment breaks at its end comes into the one that is there.
#[test]
fn a_segment_that_breaks_at_a_roll_has_one_successor() {
    let f = Fixture::over(FakeEnv::of(FakeKind::Remote, 1), 1 << 30, true);
    assert!(f.fsync());
    during_a_roll(&f, || {
        // Only the end of the old segment is synced by then.
        f.env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    });
    until(|| f.wal.counters.failed_closes.load(Ordering::SeqCst) == 1);
    assert!(f.fsync());
    assert_eq!(f.wal.counters.rolls.load(Ordering::SeqCst), 2);
    assert_eq!(f.edits(), [1, 1]);
}

/// The other files of the server are remote, so that no flush counts as cheap. Its log's disk tells of a failed sync once all the same, and loses
/// what was acknowledged as flushed before it.
#[test]
fn a_failed_sync_of_a_local_log_is_final_beside_remote_files() {
    let f = Fixture::over(FakeEnv::local_beside_remote(1), 1 << 30, false);
    f.write();
    assert!(f.fsync());
    f.write();
    f.env.set_faults(Faults { fail_sync_in: Some(0), ..Faults::default() });
    assert!(!f.fsync());
    assert_eq!(f.segments(), 1, "none goes on");
}

#[test]
fn a_local_log_beside_remote_files_ends_with_a_failed_sync_at_a_roll() {
    let f = Fixture::over(FakeEnv::local_beside_remote(1), 1 << 30, true);
    assert!(f.fsync());
    // The first sync is that of the directory with the fresh segment.
    f.env.set_faults(Faults { fail_sync_in: Some(1), ..Faults::default() });
    f.wal.roll().unwrap_err();
    f.wal.progress().check().unwrap_err();
}
