//! What the end of a log says of the edits in it.

use grampus_base::ErrorKind;

use super::*;

#[test]
fn the_end_fails_as_long_as_edits_are_in_no_file() {
    for kind in FakeKind::ALL {
        let f = Fixture::of(kind);
        f.write();
        f.wal.roll().unwrap(); // its segment is not the last one
        let failure = f.wal.close().unwrap_err();
        assert!(
            failure.message.starts_with("edits of 1 region, r for one, are in the log in /h/WALs/s alone")
        );
        f.region.set_flushed(1);
        f.wal.close().unwrap();
    }
}

/// What is pending is of a region that has not closed.
#[test]
fn the_end_writes_what_is_pending_and_fails() {
    for kind in FakeKind::ALL {
        let f = Fixture::of(kind);
        f.append(100, Durability::Async);
        f.wal.close().unwrap_err();
        assert_eq!(f.edits(), [1], "on a {kind:?} file system");
    }
}

#[test]
fn an_end_that_cannot_be_written_is_no_failure_where_all_edits_are_in_files() {
    for kind in FakeKind::ALL {
        let f = Fixture::of(kind);
        f.write();
        f.wal.settle(&f.region, 1).unwrap();
        f.env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() });
        f.wal.close().unwrap();
        let events = f.wal.events.poll(Duration::ZERO).unwrap();
        assert!(
            events
                .iter()
                .any(|event| event.text.starts_with("cannot ") && event.text.contains(" log segment ")),
            "on a {kind:?} file system: {events:?}"
        );
    }
}

#[test]
fn the_end_of_a_lost_log_fails() {
    let f = Fixture::of(FakeKind::Local);
    f.region.set_flushed(u64::MAX);
    f.wal.poison("a test says so");
    assert_eq!(f.wal.close().unwrap_err().kind, ErrorKind::Poisoned);
}
