//! Servers that are taken for dead and live.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use grampus_env::{FakeKind, Faults};

use super::*;

/// What such a server had begun, and what it begins, never comes into the directory.
#[test]
fn a_store_that_was_opened_again_takes_no_file_of_the_one_before() {
    for kind in FakeKind::ALL {
        let world = World { env: FakeEnv::of(kind, 9), ..World::new() };
        let is_dead = Arc::new(AtomicBool::new(false));
        let check_ours: CheckOurs = Arc::new({
            let is_dead = is_dead.clone();
            move || if is_dead.load(SeqCst) { Err(Error::new(ErrorKind::Poisoned, "dead")) } else { Ok(()) }
        });
        let late = world.open_as("t", "aa", check_ours).unwrap().0;
        let mut begun = late.new_file(&world.config).unwrap();
        begun.append(put("a", 1)).unwrap();
        let complete = complete(late.new_file(&world.config).unwrap());
        is_dead.store(true, SeqCst);

        let (set, report) = world.open("t", "aa");
        assert_eq!(report.deleted.len(), 2, "{report:?}");
        let error = late.commit_flush(complete).err().unwrap();
        assert!(error.message.contains("does not exist"), "{error}");
        drop(begun);
        for _ in 0..2 {
            assert_eq!(late.new_file(&world.config).err().unwrap().message, "dead");
        }
        assert!(world.env.list(&set.dir().family_dir()).unwrap().is_empty());
    }
}

/// The opening that is there may be that of the server's successor.
#[test]
fn a_server_that_is_taken_for_dead_ends_no_opening() {
    let world = World::new();
    let (set, _) = world.open("t", "aa");
    let dead: CheckOurs = Arc::new(|| Err(Error::new(ErrorKind::NotServing, "dead")));
    assert_eq!(world.open_as("t", "aa", dead).err().unwrap().message, "dead");
    set.new_file(&world.config).unwrap();
}

/// The answer to a rename was lost, so that the server has not taken the file. Its successor has: it opens the store before the server asks whether it
/// is dead, or right behind the answer that it is not.
#[test]
fn a_rename_of_unknown_outcome_is_not_taken_back_from_a_successor() {
    for (kind, is_known) in FakeKind::ALL.into_iter().flat_map(|kind| [(kind, true), (kind, false)]) {
        let world = Arc::new(World { env: FakeEnv::of(kind, 9), ..World::new() });
        let (is_asked, is_dead) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let check_ours: CheckOurs = Arc::new({
            let (world, is_asked, is_dead) = (world.clone(), is_asked.clone(), is_dead.clone());
            move || {
                if is_dead.load(SeqCst) {
                    return Err(Error::new(ErrorKind::Poisoned, "dead"));
                }
                if is_asked.load(SeqCst) && !is_dead.swap(true, SeqCst) {
                    world.open("t", "aa");
                }
                Ok(())
            }
        });
        let late = world.open_as("t", "aa", check_ours).unwrap().0;
        let file = || complete(late.new_file(&world.config).unwrap());
        late.commit_flush(file()).unwrap();
        let (lost, output) = (file(), file());
        world.env.set_faults(Faults { lose_rename_in: Some(0), ..Faults::default() });
        late.commit_flush(lost).err().unwrap();
        assert!(late.has_replaced());
        if is_known {
            is_dead.store(true, SeqCst);
            world.open("t", "aa");
        }
        is_asked.store(true, SeqCst);
        let taken = world.env.list(&late.dir().family_dir()).unwrap();
        assert_eq!(taken.len(), 2);
        late.commit_compaction(late.snapshot().files(), output).err().unwrap();
        late.archive_left().unwrap_err();
        assert_eq!(world.env.list(&late.dir().family_dir()).unwrap(), taken, "{kind:?} {is_known}");
        assert!(!world.env.exists(&late.dir().archive_dir()).unwrap());
    }
}

/// One that is still the server's own is out of the directory before a compaction drops a marker.
#[test]
fn a_rename_of_unknown_outcome_is_taken_back_before_a_compaction() {
    for kind in FakeKind::ALL {
        for was_cleared in [false, true] {
            let world = World { env: FakeEnv::of(kind, 9), ..World::new() };
            let (set, _) = world.open("t", "aa");
            let file = || complete(set.new_file(&world.config).unwrap());
            set.commit_flush(file()).unwrap();
            let lost = file();
            world.env.set_faults(Faults { lose_rename_in: Some(0), ..Faults::default() });
            set.commit_flush(lost).err().unwrap();
            if was_cleared {
                world.env.list(&set.dir().tmp_dir()).unwrap().iter().for_each(|opening| {
                    world.env.delete(&set.dir().tmp_dir().join(&opening.name)).unwrap();
                });
            }
            set.archive_left().unwrap();
            assert!(!set.has_replaced());
            let left = world.env.list(&set.dir().family_dir()).unwrap();
            assert_eq!((left.len(), &*left[0].name), (1, set.snapshot().files()[0].name()));
        }
    }
}
