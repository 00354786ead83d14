//! Flushes, readers and other compactions beside a compaction.

use super::*;

#[test]
fn a_flush_during_a_major_compaction_keeps_its_file() {
    let world = World::new(versions(1));
    world.flush(&[("a", "q", 1, PUT, 1)]);
    world.flush(&[("a", "q", 1, COLUMN, 2)]);
    let inputs = world.set.snapshot().files().to_vec();
    let newer = ("b", "q", 1, PUT, 3);
    world.flush(&[newer]);
    let job = Compaction {
        files: &world.set,
        inputs: inputs.clone(),
        kind: CompactionKind::Major,
        config: &world.config,
        smallest_read_point: NO_READER_BELOW,
        now_millis: world.set.env().now_millis(),
        row_bytes_max: u64::MAX,
        after_row: &|_| Ok(()),
    };
    job.run().unwrap();
    assert_eq!(cells(&world.set), expect(&[newer]));
    let partial = Compaction { inputs: world.set.snapshot().files()[1..].to_vec(), ..job };
    assert!(partial.run().is_err(), "an older file may hold what its markers hide");
}

#[test]
fn a_compaction_of_newer_files_may_overtake_one_of_older_files() {
    let newer = [("a", "q", 3, PUT, 7), ("b", "q", 9, COLUMN, 8)];
    for kind in [CompactionKind::Minor, CompactionKind::Major] {
        let world = World::new(versions(1));
        world.flush(&[("a", "q", 1, PUT, 1), ("b", "q", 1, PUT, 2)]);
        world.flush(&[("a", "q", 2, PUT, 3), ("c", "q", 9, COLUMN, 4), ("c", "q", 1, PUT, 5)]);
        let older = world.set.snapshot().files().to_vec();
        if kind == CompactionKind::Minor {
            world.flush(&[("d", "q", 1, PUT, 6)]); // begun while there was another file
        }
        let overtaken = std::cell::Cell::new(false);
        let overtake = |_| {
            if !overtaken.replace(true) {
                world.flush(&newer[..1]);
                world.flush(&newer[1..]);
                let all = world.set.snapshot().files().len();
                world.compact(all - 2..all, CompactionKind::Minor, NO_READER_BELOW)?;
            }
            Ok(())
        };
        let job = Compaction {
            files: &world.set,
            inputs: older,
            kind,
            config: &world.config,
            smallest_read_point: NO_READER_BELOW,
            now_millis: world.set.env().now_millis(),
            row_bytes_max: u64::MAX,
            after_row: &overtake,
        };
        job.run().unwrap();
        assert!(overtaken.get());
        let visible: Vec<Short2> = world.major();
        let left = if kind == CompactionKind::Minor {
            vec![newer[0], ("d", "q", 1, PUT, 6)]
        } else {
            vec![newer[0]]
        };
        let zeroed: Vec<Short> = left.into_iter().map(|(r, q, t, k, _)| (r, q, t, k, 0)).collect();
        assert_eq!(visible, expect(&zeroed));
    }
}

#[test]
fn readers_keep_their_files_over_a_compaction() {
    let world = World::new(versions(1));
    world.flush(&[("a", "q", 1, PUT, 1)]);
    let pinned = world.set.snapshot();
    world.flush(&[("a", "q", 1, COLUMN, 2)]);
    assert_eq!(world.major(), []);
    assert_eq!(pinned.files().len(), 1);
    let file = &pinned.files()[0];
    assert_eq!(cells_of(file), expect(&[("a", "q", 1, PUT, 1)]));
    let archived = world.set.dir().archive_dir().join(file.name());
    assert!(world.env.exists(&archived).unwrap());
}

#[test]
fn the_picker_hands_out_what_the_policy_chose() {
    let world = World::new(versions(1));
    for n in 0..3 {
        world.flush(&[("a", "q", n, PUT, n as u64 + 1)]);
    }
    let files = world.set.snapshot();
    let picked = pick(&ExploringPolicy::default(), &files, &[], false, world.env.now_millis()).ok().unwrap();
    assert_eq!((picked.inputs.len(), picked.selection.kind), (3, CompactionKind::Major));
    let busy = [files.files()[1].clone()];
    assert!(pick(&ExploringPolicy::default(), &files, &busy, false, world.env.now_millis()).is_err());
    assert!(pick(&ExploringPolicy::default(), &files, &busy, true, world.env.now_millis()).is_err());
}
