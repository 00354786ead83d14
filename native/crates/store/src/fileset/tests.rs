//! Directories as HBase's master leaves them.

mod late;

use std::path::Path;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, Direction, RowBound, RowOrder, RowRange, SeekTarget, TimeRange};
use grampus_colfile::FinishInfo;
use grampus_env::{Env, FakeEnv};

use crate::fileset::pending::{FileWriter, PendingFile};
use crate::fileset::reference::encode;
use crate::fileset::{CheckOurs, CursorSpec, FrozenFile, OpenReport, StoreDir, StoreFileSet, StoreFiles};
use crate::{BloomKind, FamilyConfig};

struct World {
    env: FakeEnv,
    cache: Arc<BlockCache>,
    config: FamilyConfig,
}

impl World {
    fn new() -> World {
        World {
            env: FakeEnv::new(9),
            cache: Arc::new(BlockCache::new(1 << 20)),
            config: FamilyConfig::new("f"),
        }
    }

    fn dir(&self, table: &str, region: &str) -> StoreDir {
        StoreDir::new("/hbase", "default", table, region, "f")
    }

    fn open(&self, table: &str, region: &str) -> (StoreFileSet, OpenReport) {
        self.open_as(table, region, Arc::new(|| Ok(()))).unwrap()
    }

    fn open_as(
        &self,
        table: &str,
        region: &str,
        check_ours: CheckOurs,
    ) -> Result<(StoreFileSet, OpenReport)> {
        let env: Arc<dyn Env> = Arc::new(self.env.clone());
        let dir = self.dir(table, region);
        StoreFileSet::open(env, self.cache.clone(), dir, &self.config, RowOrder::Bytes, check_ours)
    }

    /// Writes a file of the given rows into a region and returns its name.
    fn add(&self, table: &str, region: &str, rows: &[&str], max_sequence: u64) -> String {
        let (set, _) = self.open(table, region);
        let mut writer = set.new_file(&self.config).unwrap();
        for row in rows {
            writer.append(put(row, max_sequence)).unwrap();
        }
        let mut pending = writer.finish(FinishInfo { max_sequence, ..FinishInfo::default() }).unwrap();
        pending.close().unwrap();
        set.commit_flush(pending).unwrap().name().to_string()
    }

    /// Opens a list of files.
    fn frozen(&self, table: &str, region: &str, files: &[FrozenFile]) -> Result<StoreFiles> {
        let dir = self.dir(table, region);
        let env: Arc<dyn Env> = Arc::new(self.env.clone());
        StoreFiles::frozen(&env, &self.cache, &dir, files, &self.config, RowOrder::Bytes)
    }

    fn rename(&self, from: &Path, to: &Path) {
        self.env.mkdir(to.parent().unwrap()).unwrap();
        self.env.rename(from, to).unwrap();
    }

    fn write(&self, path: &Path, bytes: &[u8]) {
        self.env.mkdir(path.parent().unwrap()).unwrap();
        self.env.create(path).unwrap().append(bytes).unwrap();
    }
}

fn put(row: &str, sequence: u64) -> CellRef<'_> {
    CellRef {
        row: row.as_bytes(),
        qualifier: b"q",
        timestamp: 5,
        cell_type: CellType::PUT,
        value: b"v",
        tags: b"",
        sequence,
    }
}

fn spec(rows: RowRange<'_>) -> CursorSpec<'_> {
    CursorSpec {
        direction: Direction::Forward,
        projection: None,
        rows,
        read_point: u64::MAX,
        time_range: TimeRange::ALL,
        all_rows: false,
        cache: true,
        one_pass: false,
        blocking: true,
        all_cells: false,
    }
}

fn rows_of(set: &StoreFileSet, spec: &CursorSpec<'_>) -> Vec<String> {
    rows_of_files(&set.snapshot(), spec)
}

fn rows_of_files(files: &StoreFiles, spec: &CursorSpec<'_>) -> Vec<String> {
    let mut rows = Vec::new();
    for file in files.files() {
        let Some(mut cursor) = file.cursor(spec).unwrap() else { continue };
        cursor.seek(SeekTarget::Start).unwrap();
        while let Some(row) = cursor.row() {
            rows.push(String::from_utf8(row.to_vec()).unwrap());
            cursor.next_row().unwrap();
        }
    }
    rows
}

#[test]
fn a_closed_store_names_its_files_though_none_was_read() {
    let world = World::new();
    assert!(world.open("t", "aa").0.close().is_none());
    world.add("t", "aa", &["a"], 1);
    assert!(world.open("t", "aa").0.close().is_some());
}

#[test]
fn daughters_see_their_half_of_the_parents_file() {
    let world = World::new();
    let name = world.add("t", "aa", &["a", "c", "m", "x"], 3);
    for (daughter, bottom) in [("bb", true), ("cc", false)] {
        let path = world.dir("t", daughter).family_dir().join(format!("{name}.aa"));
        world.write(&path, &encode(b"m", bottom));
    }
    let ((low, _), (high, _)) = (world.open("t", "bb"), world.open("t", "cc"));
    assert_eq!(rows_of(&low, &spec(RowRange::ALL)), ["a", "c"]);
    assert_eq!(rows_of(&high, &spec(RowRange::ALL)), ["m", "x"]);
    let reverse = CursorSpec { direction: Direction::Reverse, ..spec(RowRange::ALL) };
    assert_eq!(rows_of(&low, &reverse), ["c", "a"]);
    assert_eq!(rows_of(&high, &reverse), ["x", "m"]);
    let inside = RowRange { start: RowBound::Excluded(b"a"), end: RowBound::Included(b"x") };
    assert_eq!(rows_of(&low, &spec(inside)), ["c"]);
    assert_eq!(rows_of(&high, &spec(RowRange::single(b"c"))), Vec::<String>::new());
    assert!(low.snapshot().files().iter().any(|file| file.is_reference()));
    let middle = |set: &StoreFileSet| set.snapshot().files()[0].middle_row().unwrap();
    assert_eq!(middle(&low).as_deref(), Some(&b"c"[..]));
    assert_eq!(middle(&high).as_deref(), Some(&b"x"[..]));
    assert_eq!(middle(&world.open("t", "aa").0).as_deref(), Some(&b"m"[..]));
    let access = grampus_colfile::Access::CACHED;
    let file = &low.snapshot().files()[0].clone();
    assert!(file.may_contain_row(b"c", access).unwrap());
    assert!(!file.may_contain_row(b"m", access).unwrap(), "the other daughter's row");
}

#[test]
fn links_follow_their_file_into_the_archive() {
    let world = World::new();
    let name = world.add("source", "aa", &["a", "b"], 3);
    world.write(&world.dir("clone", "bb").family_dir().join(format!("source=aa-{name}")), b"");
    assert_eq!(rows_of(&world.open("clone", "bb").0, &spec(RowRange::ALL)), ["a", "b"]);
    let source = world.dir("source", "aa");
    world.env.mkdir(&source.archive_dir()).unwrap();
    world.env.rename(&source.family_dir().join(&name), &source.archive_dir().join(&name)).unwrap();
    assert_eq!(rows_of(&world.open("clone", "bb").0, &spec(RowRange::ALL)), ["a", "b"]);
    let half = world.dir("clone", "cc").family_dir().join(format!("source=aa-{name}.bb"));
    world.write(&half, &encode(b"b", true));
    assert_eq!(rows_of(&world.open("clone", "cc").0, &spec(RowRange::ALL)), ["a"]);
}

/// The parent's file, then the reference file move from `data` over the master's `.tmp` to `archive`.
#[test]
fn a_listed_reference_and_its_file_are_found_wherever_they_went() {
    let world = World::new();
    let name = world.add("t", "aa", &["a", "c", "m", "x"], 3);
    let (parent, daughter) = (world.dir("t", "aa"), world.dir("t", "bb"));
    let listed = [FrozenFile { name: format!("{name}.aa"), reference: None }];
    let text = &listed[0].name;
    let places = |dir: &StoreDir| [dir.family_dir(), dir.master_tmp_dir(), dir.archive_dir()];
    world.write(&daughter.family_dir().join(text), &encode(b"m", false));
    let found = || rows_of_files(&world.frozen("t", "bb", &listed).unwrap(), &spec(RowRange::ALL));
    assert_eq!(found(), ["m", "x"]);
    for (dir, name) in [(&parent, &name), (&daughter, text)] {
        for step in places(dir).windows(2) {
            world.rename(&step[0].join(name), &step[1].join(name));
            assert_eq!(found(), ["m", "x"], "{name} in {}", step[1].display());
        }
    }
    // With its content in the list the reference file may be gone.
    world.env.delete(&daughter.archive_dir().join(text)).unwrap();
    let with_content = [FrozenFile { reference: Some(encode(b"m", true)), ..listed[0].clone() }];
    let files = world.frozen("t", "bb", &with_content).unwrap();
    assert_eq!(rows_of_files(&files, &spec(RowRange::ALL)), ["a", "c"]);
}

#[test]
fn what_a_list_names_and_is_gone_is_an_error_that_says_what_to_do() {
    let world = World::new();
    let error = |file: FrozenFile| world.frozen("t", "bb", &[file]).err().unwrap().message;
    let bare = error(FrozenFile { name: "00ff.aa".into(), reference: None });
    for part in [
        "the reference 00ff.aa, whose content the list does not have, is missing",
        "/hbase/data/default/t/bb/f/00ff.aa",
        "/hbase/.tmp/data/default/t/bb/f/00ff.aa",
        "/hbase/archive/data/default/t/bb/f/00ff.aa",
        "Make the list anew",
    ] {
        assert!(bare.contains(part), "{bare}");
    }
    let target = error(FrozenFile { name: "00ff.aa".into(), reference: Some(encode(b"m", true)) });
    for part in [
        "the file behind 00ff.aa is missing",
        "/hbase/archive/data/default/t/aa/f/00ff",
        "Make the list anew",
    ] {
        assert!(target.contains(part), "{target}");
    }
}

#[test]
fn a_file_that_a_list_has_twice_is_refused() {
    let world = World::new();
    let file = FrozenFile { name: world.add("t", "aa", &["a"], 3), reference: None };
    world.frozen("t", "aa", std::slice::from_ref(&file)).unwrap();
    let error = world.frozen("t", "aa", &[file.clone(), file]).err().unwrap();
    assert_eq!(error.kind, ErrorKind::BadRequest, "{error}");
}

#[test]
fn a_missing_linked_file_is_an_error_that_says_where_it_was_looked_for() {
    let world = World::new();
    world.write(&world.dir("clone", "bb").family_dir().join("source=aa-00ff"), b"");
    let error = world.open_as("clone", "bb", Arc::new(|| Ok(()))).err().unwrap();
    assert!(error.message.contains("/hbase/archive/data/default/source/aa/f/00ff"), "{error}");
}

#[test]
fn names_that_are_no_store_file_are_left_alone() {
    let world = World::new();
    world.add("t", "aa", &["a"], 1);
    for name in [".hidden", "not-a-file", "00ee"] {
        world.write(&world.dir("t", "aa").family_dir().join(name), b"");
    }
    let (set, report) = world.open("t", "aa");
    assert_eq!(set.snapshot().files().len(), 1);
    assert_eq!(report.ignored, [".hidden", "00ee", "not-a-file"]);
}

#[test]
fn a_corrupt_file_stops_the_open_with_its_name() {
    let world = World::new();
    let name = world.add("t", "aa", &["a"], 1);
    let path = world.dir("t", "aa").family_dir().join(&name);
    let len = world.env.len(&path).unwrap() as usize;
    world.env.flip(&path, len - 4090).unwrap();
    let error = world.open_as("t", "aa", Arc::new(|| Ok(()))).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Corrupt);
    assert!(error.message.contains(&name), "{error}");
}

#[test]
fn reads_skip_files_by_time_and_bloom_filter() {
    let mut world = World::new();
    world.config.bloom = BloomKind::RowCol;
    world.add("t", "aa", &["a", "c"], 1);
    let (set, _) = world.open("t", "aa");
    let file = set.snapshot().files()[0].clone();
    let later = CursorSpec { time_range: TimeRange { from: 6, to: 10 }, ..spec(RowRange::ALL) };
    assert!(file.cursor(&later).unwrap().is_none());
    let upto = CursorSpec { time_range: TimeRange { from: 0, to: 6 }, ..spec(RowRange::ALL) };
    assert!(file.cursor(&upto).unwrap().is_some());
    let q: [&[u8]; 1] = [b"q"];
    let other: [&[u8]; 1] = [b"other"];
    let one = |projection| CursorSpec { projection: Some(projection), ..spec(RowRange::single(b"a")) };
    assert!(file.cursor(&one(&other)).unwrap().is_some(), "the filter is not in memory");
    assert_eq!(world.cache.stats().read_count, 0);
    world.cache.load_filters(1);
    assert!(file.cursor(&one(&q)).unwrap().is_some());
    assert!(file.cursor(&one(&other)).unwrap().is_none());
}

#[test]
fn a_scan_within_a_prefix_skips_files_by_their_prefix_filter() {
    let mut world = World::new();
    world.config.bloom = BloomKind::RowPrefix(2);
    world.add("t", "aa", &["aa1", "cc1"], 1);
    let (set, _) = world.open("t", "aa");
    let file = set.snapshot().files()[0].clone();
    let rows = |start, end| spec(RowRange { start: RowBound::Included(start), end: RowBound::Excluded(end) });
    assert!(file.cursor(&rows(b"aa", b"ab")).unwrap().is_some());
    assert!(file.cursor(&rows(b"bb", b"bc")).unwrap().is_none());
    assert!(file.cursor(&rows(b"bb", b"cd")).unwrap().is_some());
    assert!(file.cursor(&spec(RowRange::single(b"bb7"))).unwrap().is_none());
}

#[test]
fn a_read_that_may_not_block_stops_at_a_page_that_is_not_cached() {
    let world = World::new();
    world.add("t", "aa", &["a", "c"], 1);
    let (set, _) = world.open("t", "aa");
    let file = set.snapshot().files()[0].clone();
    let quick = CursorSpec { blocking: false, ..spec(RowRange::ALL) };
    let mut cursor = file.cursor(&quick).unwrap().unwrap();
    assert_eq!(cursor.seek(SeekTarget::Start).unwrap_err().kind, ErrorKind::WouldBlock);
    let through = CursorSpec { cache: false, ..spec(RowRange::ALL) };
    assert_eq!(rows_of(&set, &through).len(), 2);
    let mut cursor = file.cursor(&quick).unwrap().unwrap();
    assert!(cursor.seek(SeekTarget::Start).is_err(), "reading through admits nothing");
    rows_of(&set, &spec(RowRange::ALL));
    assert_eq!(rows_of(&set, &quick).len(), 2);
    assert!(world.cache.stats().hit_count > 0);
}

#[test]
fn a_flushed_file_is_cached_when_the_family_says_so() {
    let mut world = World::new();
    world.config.cache_on_write = true;
    let (set, _) = world.open("t", "aa");
    let mut writer = set.new_file(&world.config).unwrap();
    writer.append(put("a", 1)).unwrap();
    let mut pending = writer.finish(FinishInfo::default()).unwrap();
    pending.close().unwrap();
    set.commit_flush(pending).unwrap();
    assert_eq!(rows_of(&set, &CursorSpec { blocking: false, ..spec(RowRange::ALL) }), ["a"]);
}

/// An operator who clears `.tmp` away must not stop the flushes of a region that is open.
#[test]
fn a_store_whose_opening_was_deleted_makes_it_again() {
    let world = World::new();
    let (set, _) = world.open("t", "aa");
    let tmp = set.dir().tmp_dir();
    for opening in world.env.list(&tmp).unwrap() {
        world.env.delete(&tmp.join(opening.name)).unwrap();
    }
    world.env.delete(&tmp).unwrap();
    set.commit_flush(complete(set.new_file(&world.config).unwrap())).unwrap();
    assert_eq!(world.open("t", "aa").0.snapshot().files().len(), 1);
}

fn complete(mut writer: FileWriter) -> PendingFile {
    writer.append(put("b", 2)).unwrap();
    let mut pending = writer.finish(FinishInfo::default()).unwrap();
    pending.close().unwrap();
    pending
}

#[test]
fn a_store_that_closes_leaves_no_opening() {
    let world = World::new();
    let (set, _) = world.open("t", "aa");
    set.close();
    assert!(world.env.list(&set.dir().tmp_dir()).unwrap().is_empty());
}
