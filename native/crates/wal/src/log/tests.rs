//! Which thread writes the pending group: the caller that has the active segment, or the log's thread. What goes on while a segment is created.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use grampus_base::sync::atomic::Ordering;
use grampus_cells::{CellRef, CellType};
use grampus_env::{FakeEnv, FakeKind};

use super::{Wal, WalSettings};
use crate::{Durability, Follower, Need, RecordBuilder, RegionLog};

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
        let settings = WalSettings {
            dir: "/h/WALs/s".into(),
            old_dir: "/h/oldWALs".into(),
            prefix: "s".to_string(),
            meta: false,
            segment_bytes: 1 << 30,
            always_fsync: false,
        };
        let env = FakeEnv::of(kind, 1);
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

    fn segments(&self) -> usize {
        self.env.files().iter().filter(|path| path.starts_with("/h/WALs")).count()
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
        self.wal.close();
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
        let hangs = f.env.hold_creates();
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
    during_a_roll(&f, || f.wal.active.lock().last_name_millis += 1);
    assert_eq!((f.wal.size().0, f.segments()), (1, 1));
    f.write();
}

#[test]
fn a_segment_that_comes_after_the_end_of_the_log_is_left_out() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    during_a_roll(&f, || f.wal.close());
    assert!(f.segments() <= 1, "the one that was written, until its edits are in files");
}
