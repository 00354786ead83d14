//! Machines that do not answer: what goes on beside them, and the end of the log.

use super::*;

/// As short as the end of a log may wait.
const WAIT: Duration = Duration::from_millis(10);

/// Ends a log while something hangs. That is no failure: its edits are in files.
fn close_beside(f: &Fixture) {
    let wal = Arc::clone(&f.wal);
    let close = thread::spawn(move || wal.close_within(WAIT)); // not in a scope, which would wait for one that hangs
    until(|| close.is_finished());
    close.join().unwrap().unwrap();
}

/// Waits for the threads of a log that has ended.
fn join_errands(f: &Fixture) {
    assert!(f.wal.stop_errands(Duration::MAX));
}

/// The segment that is being closed at the end is; that behind it stays, as do both names.
#[test]
fn the_end_waits_for_no_close_of_a_segment() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    f.region.set_flushed(1);
    let hangs = f.env.hold(Call::Close);
    f.wal.roll().unwrap();
    close_beside(&f);
    let renames = Faults { fail_rename_in: Some(0), ..Faults::default() };
    f.env.set_faults(renames);
    drop(hangs);
    join_errands(&f);
    assert_eq!(f.segments(), 2);
    assert_eq!(f.wal.counters.failed_archives.load(Ordering::SeqCst), 0, "no file was to be renamed");
}

/// Otherwise its thread would open file systems again that were closed behind the log.
#[test]
fn no_lease_is_recovered_behind_the_end() {
    let f = Fixture::of(FakeKind::Remote);
    let away = f.env.hold(Call::Recovery);
    (0..2).for_each(|_| break_segment(&f));
    f.region.set_flushed(1);
    close_beside(&f);
    f.env.set_faults(Faults { fail_recovery_in: Some(1), ..Faults::default() });
    drop(away);
    join_errands(&f);
    assert_eq!(f.segments(), 2, "the active one is moved away");
    assert_eq!(
        f.wal.counters.failed_archives.load(Ordering::SeqCst),
        0,
        "one was under way, the other not begun"
    );
}

#[test]
fn the_end_waits_for_no_roll_of_a_large_segment() {
    let f = Fixture::with_segments(FakeKind::Remote, 250);
    f.region.set_flushed(1);
    let hangs = f.env.hold(Call::Create);
    (0..4).for_each(|_| f.write());
    until(|| f.wal.active.lock().last_name_millis > f.wal.active_since_millis.load(Ordering::SeqCst));
    close_beside(&f);
    drop(hangs);
    join_errands(&f);
    assert_eq!(f.segments(), 0, "the one that came too late is left out");
}

/// Renames and deletes are a name node's as well.
#[test]
fn the_end_waits_for_no_name_node() {
    for call in [Call::Rename, Call::Delete] {
        let f = Fixture::of(FakeKind::Remote);
        f.write();
        f.wal.settle(&f.region, 1).unwrap();
        let hangs = f.env.hold(call);
        close_beside(&f);
        drop(hangs);
        join_errands(&f);
    }
}

/// Data nodes that do not answer for the old segment hold up no write to the fresh one.
#[test]
fn a_roll_waits_for_no_end_of_a_remote_segment() {
    let f = Fixture::over(FakeEnv::of(FakeKind::Remote, 1), 1 << 30, true);
    assert!(f.fsync());
    let hangs = f.env.hold(Call::Sync);
    let wal = Arc::clone(&f.wal);
    let roll = thread::spawn(move || wal.roll());
    until(|| roll.is_finished());
    roll.join().unwrap().unwrap();
    drop(f.wal.active.try_lock().unwrap());
    drop(hangs);
    assert!(f.fsync());
    assert_eq!(f.edits(), [1, 1]);
}

/// No other segment can be created when the active one breaks.
#[test]
fn a_segment_that_a_roll_has_created_saves_the_log() {
    let f = Fixture::of(FakeKind::Remote);
    f.write();
    thread::scope(|scope| {
        let hangs = f.env.hold(Call::Create);
        let roll = scope.spawn(|| f.wal.roll());
        until(|| f.wal.active.lock().last_name_millis > f.wal.active_since_millis.load(Ordering::SeqCst));
        let mut active = f.wal.active.lock();
        drop(hangs);
        until(|| f.wal.has_arrived(&active));
        let faults = Faults { fail_flush_in: Some(0), failing_creates: u64::MAX, ..Faults::default() };
        f.env.set_faults(faults);
        let Need::Written(end) = f.append(100, Durability::Sync) else { panic!("nothing to wait for") };
        f.wal.write_pending(&mut active, true);
        assert_eq!(f.written(), end);
        drop(active);
        roll.join().unwrap().unwrap();
    });
    f.wal.progress().check().unwrap();
    assert_eq!((f.segments(), f.edits()[1]), (2, 1));
}
