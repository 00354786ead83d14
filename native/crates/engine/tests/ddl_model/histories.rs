//! Histories that are known to be dangerous, each followed by the death of all servers.

use grampus_env::FakeKind;

use crate::cluster::Cluster;
use crate::common::{on_each_kind, until};
use crate::master::Master;
use crate::verification::FileKind;

/// A table with a row in each of two regions, in memory and in the log.
fn world(kind: FakeKind) -> Master {
    let mut master = Master::new(kind, 1, false);
    master.create("t", &["m"]);
    master.write(0, "a", &["f", "g"], false, false);
    master.write(0, "z", &["f", "g"], false, false);
    master
}

fn die_and_verify(master: &mut Master) {
    for _ in 0..2 {
        master.verify(0);
        master.cluster.kill_all();
    }
    master.verify(0);
}

#[test]
fn a_restored_snapshot_stays_restored() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        master.disable(0);
        assert!(master.snapshot(0));
        master.enable(0);
        master.write(0, "a", &["f", "g"], true, false);
        master.write(0, "b", &["f"], false, false);
        master.restore(0);
        die_and_verify(&mut master);
    });
}

#[test]
fn a_truncated_region_stays_empty() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        master.truncate_region(0, 0);
        die_and_verify(&mut master);
    });
}

#[test]
fn what_a_truncated_region_takes_afterwards_is_kept() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        (0..50).for_each(|n| master.write(0, &format!("b{n}"), &["f"], false, false));
        // Often enough that it opens again on a server whose log has its old edits.
        for n in 0..8 {
            master.truncate_region(0, 0);
            master.write(0, &format!("c{n}"), &["f", "g"], false, false);
        }
        die_and_verify(&mut master);
    });
}

/// A segment that only the truncated region needed leaves the log with the close; the rename must not be what the machine's death takes.
#[test]
fn a_truncated_region_stays_empty_when_its_segment_had_just_left_the_log() {
    on_each_kind(|kind| {
        let mut master = Master::of(Cluster::on_the_medium(kind, 1));
        master.create("t", &[]);
        master.write(0, "a", &["f", "g"], false, false);
        let before = master.cluster.segments();
        let seat = master.seat(0, 0);
        master.cluster.at(seat, |server, _| server.engine.roll_wal());
        assert_eq!(master.cluster.segments(), before + 1);
        master.truncate_region(0, 0);
        until("the closed region's segment is archived", || master.cluster.segments() == before);
        master.cluster.kill_machine();
        master.verify(0);
        master.write(0, "b", &["f"], false, false);
        master.cluster.kill_machine();
        master.verify(0);
    });
}

#[test]
fn a_family_that_was_dropped_and_added_again_stays_empty() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        master.drop_family(0, "g");
        master.add_family(0, "g");
        master.write(0, "b", &["g"], false, false);
        die_and_verify(&mut master);
    });
}

#[test]
fn a_clone_under_the_name_of_a_dropped_table_has_what_the_snapshot_has() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        master.disable(0);
        assert!(master.snapshot(0));
        master.enable(0);
        master.write(0, "b", &["f"], false, false);
        master.drop_table(0);
        master.clone_snapshot(0, "t");
        die_and_verify(&mut master);
    });
}

#[test]
fn a_split_that_a_restore_took_back_leaves_nothing() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        master.disable(0);
        assert!(master.snapshot(0));
        master.enable(0);
        master.write(0, "a", &["f"], true, false);
        assert!(master.split(0, 0, "c"));
        master.write(0, "d", &["f"], false, false);
        master.restore(0);
        master.write(0, "e", &["f"], false, false);
        die_and_verify(&mut master);
    });
}

#[test]
fn files_of_clones_and_splits_hold_without_a_server_what_the_regions_hold() {
    on_each_kind(|kind| {
        let mut master = Master::of(Cluster::without_compactions(kind, 1));
        master.create("t", &["m"]);
        for row in ["a", "d", "z"] {
            master.write(0, row, &["f", "g"], false, false);
        }
        master.disable(0);
        assert!(master.snapshot(0));
        master.enable(0);
        master.verify_frozen(0, &[FileKind::Plain]);
        master.clone_snapshot(0, "u");
        master.verify_frozen(1, &[FileKind::Link]);
        // The files that the clone links to go to the archive, and the first half of each goes with a region of its own.
        master.truncate(0);
        assert!(master.split(1, 0, "c"));
        master.verify_frozen(1, &[FileKind::Link, FileKind::LinkReference]);
        master.write(0, "a", &["f"], false, false);
        master.write(0, "b", &["f"], false, false);
        assert!(master.split(0, 0, "b"));
        master.verify_frozen(0, &[FileKind::Reference]);
    });
}

/// The marks go with the segments they concern, so that they do not pile up.
#[test]
fn marks_do_not_outlive_the_log() {
    on_each_kind(|kind| {
        let mut master = world(kind);
        (0..20).for_each(|_| master.move_part(0, 0));
        let marks = |master: &Master| master.cluster.settled_marks();
        let most = marks(&master).iter().map(|(_, marks)| marks.len()).max();
        assert_eq!(most, Some(1), "one of the only region that moved: {:?}", marks(&master));
        master.cluster.kill_all();
        master.cluster.kill_all();
        master.verify(0);
        assert!(marks(&master).len() <= 4, "servers whose logs are gone leave nothing: {:?}", marks(&master));
        master.cluster.stop();
        let left: Vec<_> = marks(&master).into_iter().filter(|(_, marks)| !marks.is_empty()).collect();
        assert_eq!(left, [], "a server that stops in order leaves none");
    });
}
