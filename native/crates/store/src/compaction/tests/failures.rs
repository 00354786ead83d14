//! What a compaction leaves that fails, or that a crash ends.

use super::*;

#[test]
fn a_failure_leaves_the_inputs_and_no_output() {
    for fault in [
        Faults { free_bytes: Some(50), ..Faults::default() },
        Faults { fail_sync_in: Some(0), ..Faults::default() },
        Faults { fail_sync_in: Some(1), ..Faults::default() },
        Faults { fail_rename_in: Some(0), ..Faults::default() },
        Faults { fail_append_in: Some(1), ..Faults::default() },
        Faults { fail_read_in: Some(0), ..Faults::default() },
    ] {
        let world = World::new(versions(1));
        world.flush(&[("a", "q", 1, PUT, 1)]);
        world.flush(&[("b", "q", 1, PUT, 2)]);
        let (before, paths) = (cells(&world.set), world.env.files());
        // Without pages in the cache the reads of the inputs meet the fault as well.
        let set = World {
            set: open(&world.env, &world.config),
            env: world.env.clone(),
            config: world.config.clone(),
        };
        world.env.set_faults(fault.clone());
        assert!(set.compact(0..2, CompactionKind::Major, 100).is_err(), "{fault:?}");
        world.env.set_faults(Faults::default());
        assert_eq!((cells(&set.set), world.env.files()), (before, paths), "{fault:?}");
        set.compact(0..2, CompactionKind::Major, 100).unwrap();
    }
}

/// The directory can neither be synced nor can the output be taken out of it again, or its rename was done and the answer lost: the next open must not
/// take it for a file.
#[test]
fn an_output_that_stays_after_a_failure_brings_nothing_back() {
    for fault in [
        Faults { fail_sync_in: Some(1), fail_delete_in: Some(0), ..Faults::default() },
        Faults { lose_rename_in: Some(0), ..Faults::default() },
    ] {
        an_output_that_stays_brings_nothing_back(fault);
    }
}

fn an_output_that_stays_brings_nothing_back(fault: Faults) {
    let world = World::new(versions(1));
    world.flush(&[("a", "q", 1, PUT, 1)]);
    world.flush(&[("b", "q", 1, PUT, 2)]);
    world.env.set_faults(fault);
    assert!(world.compact(0..2, CompactionKind::Minor, 100).is_err());
    let in_family = |path: &&std::path::PathBuf| path.parent() == Some(&*world.set.dir().family_dir());
    assert_eq!(world.env.files().iter().filter(in_family).count(), 3, "the output is there");
    assert_eq!(cells(&world.set), expect(&[("a", "q", 1, PUT, 1), ("b", "q", 1, PUT, 2)]), "but is not read");
    world.flush(&[("a", "q", 1, COLUMN, 3)]);
    assert_eq!(world.major(), expect(&[("b", "q", 1, PUT, 0)]));
    for machine in [false, true] {
        if machine {
            world.env.crash_machine();
        }
        assert_eq!(cells(&open(&world.env, &world.config)), expect(&[("b", "q", 1, PUT, 0)]), "{machine}");
    }
}

#[test]
fn a_crash_at_any_point_loses_nothing_and_brings_nothing_back() {
    for (point, nth) in [
        ("compaction.after_write_before_sync", 1),
        ("compaction.after_sync_before_rename", 1),
        ("compaction.after_rename_before_archive", 1),
        ("compaction.after_archive_one", 1),
        ("compaction.after_archive_one", 2),
    ] {
        for machine in [false, true] {
            let world = World::new(versions(1));
            world.flush(&[("a", "q", 1, PUT, 1), ("b", "q", 1, PUT, 2)]);
            world.flush(&[("a", "q", 1, COLUMN, 3)]);
            let mut left = nth;
            crash_point::set_thread_hook(Some(Box::new(move |name| {
                left -= i32::from(name == point);
                if left == 0 { Err(std::io::Error::other("stopped")) } else { Ok(()) }
            })));
            let result = world.compact(0..2, CompactionKind::Major, 100);
            crash_point::set_thread_hook(None);
            assert!(result.is_err(), "{point}");
            if machine {
                world.env.crash_machine();
            }
            let reopened =
                World { set: open(&world.env, &world.config), env: world.env, config: world.config };
            let after = cells(&reopened.set);
            let compacted = after == expect(&[("b", "q", 1, PUT, 0)]);
            let untouched =
                after == expect(&[("a", "q", 1, PUT, 1), ("b", "q", 1, PUT, 2), ("a", "q", 1, COLUMN, 3)]);
            assert!(compacted || untouched, "{point} machine {machine}: {after:?}");
            assert_eq!(reopened.major(), expect(&[("b", "q", 1, PUT, 0)]), "{point}");
        }
    }
}
