//! Flushes that succeed, fail and are cut off at every crash point.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::Duration;

use grampus_base::crash_point;
use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, Direction, RowOrder, RowRange, SeekTarget, TimeRange};
use grampus_env::{Env, FakeEnv, Faults, LocalEnv};
use parking_lot::{Condvar, Mutex};

use crate::FamilyConfig;
use crate::fileset::{CursorSpec, StoreDir, StoreFileSet};
use crate::flush::{FamilyFlush, WRITERS_MAX, flush_families};

fn config() -> FamilyConfig {
    FamilyConfig::new("f")
}

fn open(env: &FakeEnv, family: &str) -> StoreFileSet {
    let dir = StoreDir::new("/hbase", "default", "t", "0a", family);
    let cache = Arc::new(BlockCache::new(1 << 20));
    StoreFileSet::open(Arc::new(env.clone()), cache, dir, &config(), RowOrder::Bytes, Arc::new(|| Ok(())))
        .unwrap()
        .0
}

fn rows(count: u32) -> Vec<Vec<u8>> {
    (0..count).map(|n| format!("row{n:05}").into_bytes()).collect()
}

fn flush(set: &StoreFileSet, rows: &[Vec<u8>], max_sequence: u64) -> grampus_base::Result<()> {
    let cell = |row| cell(row, max_sequence);
    let cells = Box::new(rows.iter().map(move |row| cell(row)));
    flush_families(vec![FamilyFlush { files: set, config: &config(), cells, max_sequence }]).map(|_| ())
}

fn cell(row: &[u8], sequence: u64) -> CellRef<'_> {
    CellRef { row, qualifier: b"q", timestamp: 1, cell_type: CellType::PUT, value: b"v", tags: b"", sequence }
}

fn count(set: &StoreFileSet, read_point: u64) -> usize {
    let spec = CursorSpec {
        direction: Direction::Forward,
        projection: None,
        rows: RowRange::ALL,
        read_point,
        time_range: TimeRange::ALL,
        all_rows: false,
        cache: true,
        one_pass: false,
        blocking: true,
        all_cells: false,
    };
    let mut cells = 0;
    for file in set.snapshot().files() {
        let Some(mut cursor) = file.cursor(&spec).unwrap() else { continue };
        cursor.seek(SeekTarget::Start).unwrap();
        while cursor.row().is_some() {
            cells += usize::from(cursor.cell().is_some());
            cursor.next_row().unwrap();
        }
    }
    cells
}

#[test]
fn families_are_written_side_by_side_and_survive_a_machine_crash() {
    let env = FakeEnv::new(1);
    let (a, b, empty) = (open(&env, "a"), open(&env, "b"), open(&env, "c"));
    let (some, more) = (rows(10), rows(300));
    let settings = config();
    let job = |files, rows: &'static [Vec<u8>]| FamilyFlush {
        files,
        config: &settings,
        cells: Box::new(rows.iter().map(|row| cell(row, 7))),
        max_sequence: 9,
    };
    let (some, more) = (&*Box::leak(some.into_boxed_slice()), &*Box::leak(more.into_boxed_slice()));
    let files = flush_families(vec![job(&a, some), job(&b, more), job(&empty, &[])]).unwrap();
    assert_eq!(files.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
    drop((a, b));
    env.crash_machine();
    let (a, b) = (open(&env, "a"), open(&env, "b"));
    assert_eq!((count(&a, 100), count(&b, 100)), (10, 300));
    assert_eq!(a.snapshot().max_sequence(), 9);
    assert_eq!(count(&b, 6), 0, "cells above the read point are invisible");
}

/// Where the writers of a flush wait for each other at their first cell.
#[derive(Default)]
struct Writers {
    met: Mutex<HashSet<ThreadId>>,
    came: Condvar,
}

impl Writers {
    /// A writer begins with a family: it waits for the others, as many as there may be, and for a while for one more.
    fn meet(&self) {
        let mut met = self.met.lock();
        if met.insert(thread::current().id()) {
            self.came.notify_all();
            let few = |met: &mut HashSet<_>| met.len() < WRITERS_MAX;
            let others = self.came.wait_while_for(&mut met, few, Duration::from_secs(60));
            assert!(!others.timed_out(), "{} writers are at work after a minute", met.len());
            // A writer too many that takes its families from a queue is seen only if it comes while these wait.
            self.came.wait_while_for(&mut met, |met| met.len() <= WRITERS_MAX, Duration::from_millis(300));
        }
    }
}

/// Each writer takes a thread, a row group and a write buffer, and a region may have any number of families.
#[test]
fn a_flush_of_many_families_has_few_writers() {
    const FAMILIES: usize = 5 * WRITERS_MAX;
    let env = FakeEnv::new(1);
    let sets: Vec<StoreFileSet> = (0..FAMILIES).map(|n| open(&env, &format!("f{n}"))).collect();
    let (settings, writers) = (config(), Writers::default());
    let families = sets.iter().map(|files| {
        let cells = std::iter::once_with(|| {
            writers.meet();
            cell(b"row", 7)
        });
        FamilyFlush { files, config: &settings, cells: Box::new(cells), max_sequence: 7 }
    });
    flush_families(families.collect()).unwrap();
    assert_eq!(writers.met.lock().len(), WRITERS_MAX);
    assert!(sets.iter().all(|set| count(set, 100) == 1));
}

#[test]
fn a_flush_cut_off_anywhere_leaves_nothing_or_the_whole_file() {
    for (point, survives) in [
        ("flush.after_write_before_sync", 0),
        ("flush.after_sync_before_rename", 0),
        ("flush.after_rename", 50),
    ] {
        let env = FakeEnv::new(2);
        let set = open(&env, "a");
        let stop =
            move |name: &str| if name == point { Err(std::io::Error::other("stopped")) } else { Ok(()) };
        crash_point::set_thread_hook(Some(Box::new(stop)));
        let result = flush(&set, &rows(50), 5);
        crash_point::set_thread_hook(None);
        assert!(result.is_err(), "{point}");
        env.crash_machine();
        assert_eq!(count(&open(&env, "a"), 100), survives, "{point}");
    }
}

#[test]
fn a_failed_flush_leaves_no_file_and_can_be_repeated() {
    let faults = [
        Faults { free_bytes: Some(100), ..Faults::default() },
        Faults { fail_append_in: Some(1), ..Faults::default() },
        Faults { fail_sync_in: Some(0), ..Faults::default() },
        Faults { fail_sync_in: Some(1), ..Faults::default() },
        Faults { fail_rename_in: Some(0), ..Faults::default() },
        Faults { fail_read_in: Some(0), ..Faults::default() },
    ];
    for fault in faults {
        let env = FakeEnv::new(3);
        let set = open(&env, "a");
        flush(&set, &rows(5), 1).unwrap();
        env.set_faults(fault.clone());
        assert!(flush(&set, &rows(50), 5).is_err(), "{fault:?}");
        env.set_faults(Faults::default());
        assert_eq!((count(&set, 100), env.files().len()), (5, 1), "{fault:?}");
        flush(&set, &rows(50), 5).unwrap();
        assert_eq!(count(&set, 100), 55);
    }
}

#[test]
fn a_store_on_a_local_disk_is_there_after_a_reopen() {
    let root = tempfile::tempdir().unwrap();
    let reopen = || {
        let dir = StoreDir::new(root.path(), "default", "t", "0a", "f");
        let cache = Arc::new(BlockCache::new(1 << 20));
        StoreFileSet::open(
            Arc::new(LocalEnv::new()),
            cache,
            dir,
            &config(),
            RowOrder::Bytes,
            Arc::new(|| Ok(())),
        )
        .unwrap()
        .0
    };
    let set = reopen();
    flush(&set, &rows(1000), 5).unwrap();
    flush(&set, &rows(10), 6).unwrap();
    assert_eq!(count(&set, 100), 1010);
    let again = reopen();
    assert_eq!(count(&again, 100), 1010);
    assert_eq!(again.snapshot().max_sequence(), 6);
    assert_eq!(count(&again, 5), 1000);
}

#[test]
fn unfinished_files_are_deleted_at_the_next_open() {
    let env = FakeEnv::new(4);
    let set = open(&env, "a");
    env.create(&set.dir().tmp_dir().join("00ff")).unwrap();
    open(&env, "a");
    assert_eq!(env.files().len(), 0);
}
