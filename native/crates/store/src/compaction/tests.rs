//! Whole compactions: what they keep, and what a failure or crash leaves.

mod failures;
mod others_beside;

use std::sync::Arc;

use grampus_base::{Result, crash_point};
use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, Direction, RowOrder, RowRange, SeekTarget, TimeRange};
use grampus_colfile::FinishInfo;
use grampus_env::{Env, FakeEnv, Faults};

use crate::compaction::{Compaction, pick};
use crate::fileset::{CursorSpec, StoreDir, StoreFile, StoreFileSet};
use crate::policy::{CompactionKind, ExploringPolicy};
use crate::{FamilyConfig, KeepDeleted};

/// `(row, qualifier, timestamp, type, sequence)`
type Short = (&'static str, &'static str, i64, CellType, u64);

const PUT: CellType = CellType::PUT;
const DELETE: CellType = CellType::DELETE;
const COLUMN: CellType = CellType::DELETE_COLUMN;
const FAMILY: CellType = CellType::DELETE_FAMILY;
const NO_READER_BELOW: u64 = 1_000;

struct World {
    env: FakeEnv,
    config: FamilyConfig,
    set: StoreFileSet,
}

impl World {
    fn new(config: FamilyConfig) -> World {
        let env = FakeEnv::new(5);
        let set = open(&env, &config);
        World { env, config, set }
    }

    fn flush(&self, cells: &[Short]) {
        let mut cells = cells.to_vec();
        cells.sort_by(|a, b| short(a).cmp_in(&short(b), RowOrder::Bytes));
        let mut writer = self.set.new_file(&self.config).unwrap();
        cells.iter().for_each(|cell| writer.append(short(cell)).unwrap());
        let mut pending = writer.finish(FinishInfo::default()).unwrap();
        pending.close().unwrap();
        self.set.commit_flush(pending).unwrap();
    }

    fn compact(
        &self,
        inputs: std::ops::Range<usize>,
        kind: CompactionKind,
        smallest_read_point: u64,
    ) -> Result<()> {
        let job = Compaction {
            files: &self.set,
            inputs: self.set.snapshot().files()[inputs].to_vec(),
            kind,
            config: &self.config,
            smallest_read_point,
            now_millis: self.set.env().now_millis(),
            row_bytes_max: u64::MAX,
            after_row: &|_| Ok(()),
        };
        job.run().map(|_| ())
    }

    fn major(&self) -> Vec<Short2> {
        let all = self.set.snapshot().files().len();
        self.compact(0..all, CompactionKind::Major, NO_READER_BELOW).unwrap();
        cells(&self.set)
    }
}

type Short2 = (String, String, i64, CellType, u64);

fn open(env: &FakeEnv, config: &FamilyConfig) -> StoreFileSet {
    let dir = StoreDir::new("/hbase", "default", "t", "0a", "f");
    let cache = Arc::new(BlockCache::new(1 << 20));
    StoreFileSet::open(Arc::new(env.clone()), cache, dir, config, RowOrder::Bytes, Arc::new(|| Ok(())))
        .unwrap()
        .0
}

fn short(cell: &Short) -> CellRef<'static> {
    CellRef {
        row: cell.0.as_bytes(),
        qualifier: cell.1.as_bytes(),
        timestamp: cell.2,
        cell_type: cell.3,
        value: if cell.3 == PUT { b"value" } else { b"" },
        tags: b"",
        sequence: cell.4,
    }
}

/// All cells of all files, file by file.
fn cells(set: &StoreFileSet) -> Vec<Short2> {
    set.snapshot().files().iter().flat_map(|file| cells_of(file)).collect()
}

fn cells_of(file: &StoreFile) -> Vec<Short2> {
    let spec = CursorSpec {
        direction: Direction::Forward,
        projection: None,
        rows: RowRange::ALL,
        read_point: u64::MAX,
        time_range: TimeRange::ALL,
        all_rows: false,
        cache: true,
        one_pass: false,
        blocking: true,
        all_cells: false,
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut found = Vec::new();
    let Some(mut cursor) = file.cursor(&spec).unwrap() else { return found };
    cursor.seek(SeekTarget::Start).unwrap();
    while cursor.row().is_some() {
        while let Some(cell) = cursor.cell() {
            found.push((text(cell.row), text(cell.qualifier), cell.timestamp, cell.cell_type, cell.sequence));
            cursor.next_cell().unwrap();
        }
        cursor.next_row().unwrap();
    }
    found
}

fn expect(cells: &[Short]) -> Vec<Short2> {
    cells.iter().map(|c| (c.0.to_string(), c.1.to_string(), c.2, c.3, c.4)).collect()
}

fn versions(max: u32) -> FamilyConfig {
    FamilyConfig { max_versions: max, ..FamilyConfig::new("f") }
}

#[test]
fn a_major_compaction_drops_markers_hidden_cells_and_excess_versions() {
    let world = World::new(versions(2));
    world.flush(&[
        ("a", "q", 1, PUT, 1),
        ("a", "q", 2, PUT, 2),
        ("b", "q", 5, PUT, 3),
        ("b", "r", 5, PUT, 3),
    ]);
    world.flush(&[
        ("a", "q", 3, PUT, 4),
        ("b", "", 5, FAMILY, 5),
        ("c", "q", 7, PUT, 6),
        ("c", "q", 7, DELETE, 7),
    ]);
    world.flush(&[
        ("b", "q", 6, PUT, 8),
        ("c", "q", 6, PUT, 9),
        ("d", "q", 9, COLUMN, 10),
        ("d", "q", 8, PUT, 11),
    ]);
    let kept = [("a", "q", 3, PUT, 0), ("a", "q", 2, PUT, 0), ("b", "q", 6, PUT, 0), ("c", "q", 6, PUT, 0)];
    assert_eq!(world.major(), expect(&kept));
    let file = world.set.snapshot().files()[0].clone();
    assert!(file.facts().major);
    assert_eq!((file.max_sequence(), file.facts().compaction_inputs.len()), (11, 3));
}

#[test]
fn a_minor_compaction_keeps_markers_and_sequence_ids() {
    let world = World::new(versions(1));
    world.flush(&[("a", "q", 9, PUT, 1)]);
    world.flush(&[("a", "q", 5, PUT, 2), ("b", "q", 5, PUT, 3)]);
    world.flush(&[("a", "q", 9, COLUMN, 4), ("b", "", 5, FAMILY, 5), ("b", "q", 6, PUT, 6)]);
    world.compact(1..3, CompactionKind::Minor, NO_READER_BELOW).unwrap();
    let kept =
        [("a", "q", 9, PUT, 1), ("a", "q", 9, COLUMN, 4), ("b", "", 5, FAMILY, 5), ("b", "q", 6, PUT, 6)];
    assert_eq!(cells(&world.set), expect(&kept));
    assert!(!world.set.snapshot().files()[1].facts().major);
}

#[test]
fn sequence_ids_go_only_when_no_other_file_is_older_or_overlaps() {
    let world = World::new(versions(1));
    world.flush(&[("a", "q", 1, PUT, 1)]);
    world.flush(&[("b", "q", 1, PUT, 5), ("c", "q", 1, PUT, 30)]);
    world.flush(&[("d", "q", 1, PUT, 40)]);
    world.compact(0..2, CompactionKind::Minor, 20).unwrap();
    let kept = [("a", "q", 1, PUT, 0), ("b", "q", 1, PUT, 0), ("c", "q", 1, PUT, 30), ("d", "q", 1, PUT, 40)];
    assert_eq!(cells(&world.set), expect(&kept), "above the smallest read point they stay");
}

#[test]
fn new_version_behaviour_keeps_sequence_ids_and_goes_by_them() {
    let cells_written =
        [("a", "q", 1, PUT, 1), ("a", "q", 2, PUT, 2), ("a", "q", 2, DELETE, 3), ("a", "q", 2, PUT, 4)];
    let config = FamilyConfig { new_version_behavior: true, ..versions(1) };
    let world = World::new(config.clone());
    world.flush(&cells_written);
    world.flush(&[("b", "q", 1, PUT, 5)]);
    world.flush(&[("c", "q", 1, PUT, 6)]);
    world.compact(0..2, CompactionKind::Minor, NO_READER_BELOW).unwrap();
    assert_eq!(cells(&world.set).len(), 6, "a part of the files proves nothing");
    let kept = [("a", "q", 2, PUT, 4), ("b", "q", 1, PUT, 5), ("c", "q", 1, PUT, 6)];
    assert_eq!(world.major(), expect(&kept));
    let world = World::new(config);
    world.flush(&cells_written);
    world.compact(0..1, CompactionKind::Major, 2).unwrap();
    let kept = [("a", "q", 2, PUT, 4), ("a", "q", 2, DELETE, 3), ("a", "q", 2, PUT, 2)];
    assert_eq!(cells(&world.set).len(), kept.len(), "what an open scanner may see stays");
}

#[test]
fn what_an_open_scanner_may_see_stays() {
    let world = World::new(versions(1));
    world.flush(&[
        ("a", "q", 1, PUT, 10),
        ("a", "q", 2, PUT, 20),
        ("b", "q", 1, PUT, 10),
        ("b", "q", 1, DELETE, 20),
    ]);
    world.compact(0..1, CompactionKind::Major, 15).unwrap();
    let kept =
        [("a", "q", 2, PUT, 20), ("a", "q", 1, PUT, 0), ("b", "q", 1, DELETE, 20), ("b", "q", 1, PUT, 0)];
    assert_eq!(cells(&world.set), expect(&kept));
}

#[test]
fn time_to_live_and_minimum_versions() {
    let now = FakeEnv::new(5).now_millis();
    let (old, young) = (now - 10_000, now - 10);
    let cells = [
        ("a", "q", young, PUT, 1),
        ("a", "q", old, PUT, 2),
        ("b", "q", old, PUT, 3),
        ("b", "q", old - 1, PUT, 4),
    ];
    let world = World::new(FamilyConfig { ttl_millis: Some(1000), ..versions(5) });
    world.flush(&cells);
    assert_eq!(world.major(), expect(&[("a", "q", young, PUT, 0)]));
    let world = World::new(FamilyConfig { ttl_millis: Some(1000), min_versions: 1, ..versions(5) });
    world.flush(&cells);
    assert_eq!(world.major(), expect(&[("a", "q", young, PUT, 0), ("b", "q", old, PUT, 0)]));
}

#[test]
fn deleted_cells_are_kept_where_the_family_says_so() {
    let cells =
        [("a", "q", 5, PUT, 1), ("a", "q", 5, COLUMN, 2), ("a", "q", 4, PUT, 3), ("b", "q", 1, COLUMN, 4)];
    let world = World::new(FamilyConfig { keep_deleted: KeepDeleted::True, ..versions(5) });
    world.flush(&cells);
    let kept = [("a", "q", 5, COLUMN, 0), ("a", "q", 5, PUT, 0), ("a", "q", 4, PUT, 0)];
    assert_eq!(world.major(), expect(&kept), "a marker older than every put goes");
    let now = world.env.now_millis();
    let world =
        World::new(FamilyConfig { keep_deleted: KeepDeleted::Ttl, ttl_millis: Some(1000), ..versions(5) });
    world.flush(&[
        ("a", "q", now - 5, COLUMN, 2),
        ("a", "q", now - 6, PUT, 1),
        ("b", "q", now - 5000, COLUMN, 3),
    ]);
    let kept = [("a", "q", now - 5, COLUMN, 0), ("a", "q", now - 6, PUT, 0)];
    assert_eq!(world.major(), expect(&kept));
}

#[test]
fn young_markers_stay_for_puts_that_come_late() {
    const PURGE_AFTER: i64 = 1000;
    let now = FakeEnv::new(5).now_millis();
    let (young, old) = (now - PURGE_AFTER, now - PURGE_AFTER - 1);
    let cells = [
        ("a", "", young, FAMILY, 3),
        ("a", "q", young - 1, PUT, 1),
        ("b", "", old, FAMILY, 4),
        ("b", "q", old, PUT, 2),
        ("c", "q", young, COLUMN, 5),
        ("d", "q", now + 5, DELETE, 6),
    ];
    let kept = [("a", "", young, FAMILY, 0), ("c", "q", young, COLUMN, 0), ("d", "q", now + 5, DELETE, 0)];
    for keep_deleted in [KeepDeleted::False, KeepDeleted::Ttl] {
        let config = FamilyConfig { purge_deletes_after_millis: PURGE_AFTER, keep_deleted, ..versions(5) };
        let world = World::new(FamilyConfig { ttl_millis: None, ..config });
        world.flush(&cells);
        if keep_deleted == KeepDeleted::False {
            assert_eq!(world.major(), expect(&kept));
            world.flush(&[("a", "q", young, PUT, 9), ("c", "q", young - 5, PUT, 10)]);
            assert_eq!(world.major(), expect(&kept), "they hide what comes late");
        } else {
            let found = world.major();
            assert!(kept.iter().all(|cell| found.contains(&expect(&[*cell])[0])), "{found:?}");
        }
    }
    let by_sequence = FamilyConfig { new_version_behavior: true, ..versions(5) };
    let world = World::new(FamilyConfig { purge_deletes_after_millis: PURGE_AFTER, ..by_sequence });
    world.flush(&cells);
    let kept = [("a", "", young, FAMILY, 3), ("c", "q", young, COLUMN, 5), ("d", "q", now + 5, DELETE, 6)];
    assert_eq!(world.major(), expect(&kept));
}

#[test]
fn a_marker_that_has_outlived_the_family_goes_however_young() {
    let now = FakeEnv::new(5).now_millis();
    let config = FamilyConfig { purge_deletes_after_millis: 5000, ttl_millis: Some(1000), ..versions(5) };
    let world = World::new(config);
    world.flush(&[("a", "q", now - 2000, COLUMN, 2), ("b", "q", now - 500, COLUMN, 3)]);
    assert_eq!(world.major(), expect(&[("b", "q", now - 500, COLUMN, 0)]));
}

#[test]
fn an_empty_output_still_covers_its_inputs() {
    let world = World::new(versions(1));
    world.flush(&[("a", "q", 1, PUT, 1), ("a", "q", 2, COLUMN, 8)]);
    assert_eq!(world.major(), []);
    assert_eq!(open(&world.env, &world.config).snapshot().max_sequence(), 8);
}
