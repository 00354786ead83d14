//! Pieces of random files with and without clips: that they ascend, lie inside, cover everything once and are as large as was asked for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, RowOrder};
use grampus_colfile::FinishInfo;
use grampus_env::{Env, FakeEnv};
use grampus_filter::pattern::NoPatternCompiler;
use proptest::prelude::*;

use super::*;
use crate::fileset::{FrozenFile, PIECES_MAX, StoreDir, StoreFileSet, encode_reference};
use crate::frozen::{FrozenBounds, FrozenStore};
use crate::{BloomKind, FamilyConfig};

const PARENT: &str = "aa";

/// Rows of one file: `count` rows from `first` on, `step` apart, of which a reference leaves those below or from a row on.
#[derive(Clone, Debug)]
struct TestFile {
    family: bool,
    first: u32,
    count: u32,
    step: u32,
    value_bytes: usize,
    clip: Option<(u32, bool)>,
}

impl TestFile {
    fn rows(&self) -> impl Iterator<Item = u32> {
        let (first, step) = (self.first, self.step);
        (0..self.count).map(move |n| first + n * step)
    }

    fn family(&self) -> &'static str {
        if self.family { "g" } else { "f" }
    }
}

fn row(n: u32) -> Vec<u8> {
    format!("r{n:06}").into_bytes()
}

/// Bytes that no encoding makes smaller.
fn noise(seed: u32, bytes: usize) -> Vec<u8> {
    let mut random = grampus_testkit::random::Random::new(u64::from(seed));
    (0..bytes).map(|_| random.bits() as u8).collect()
}

struct World {
    env: Arc<dyn Env>,
    cache: Arc<BlockCache>,
}

impl World {
    fn new() -> World {
        World { env: Arc::new(FakeEnv::new(3)), cache: Arc::new(BlockCache::new(16 << 20)) }
    }

    fn config(family: &str) -> FamilyConfig {
        FamilyConfig { bloom: BloomKind::None, block_size: 4096, ..FamilyConfig::new(family) }
    }

    fn dir(region: &str, family: &str) -> StoreDir {
        StoreDir::new(Path::new("/h"), "default", "t", region, family)
    }

    /// Writes a file into the parent's directory, and says how a list names it.
    fn write(&self, file: &TestFile, sequence: u64) -> FrozenFile {
        let (config, dir) = (World::config(file.family()), World::dir(PARENT, file.family()));
        let (env, order) = (&self.env, RowOrder::Bytes);
        let (set, _) =
            StoreFileSet::open(env.clone(), self.cache.clone(), dir, &config, order, Arc::new(|| Ok(())))
                .unwrap();
        let mut writer = set.new_file(&config).unwrap();
        for n in file.rows() {
            let (row, value) = (row(n), noise(n, file.value_bytes));
            let (timestamp, cell_type) = (5, CellType::PUT);
            let cell = CellRef {
                row: &row,
                qualifier: b"q",
                timestamp,
                cell_type,
                value: &value,
                tags: b"",
                sequence,
            };
            writer.append(cell).unwrap();
        }
        let mut pending =
            writer.finish(FinishInfo { max_sequence: sequence, ..FinishInfo::default() }).unwrap();
        pending.close().unwrap();
        let name = set.commit_flush(pending).unwrap().name().to_string();
        match file.clip {
            None => FrozenFile { name: format!("t={PARENT}-{name}"), reference: None },
            Some((at, bottom)) => {
                let reference = Some(encode_reference(&row(at), bottom));
                FrozenFile { name: format!("{name}.{PARENT}"), reference }
            }
        }
    }

    /// A region of another name that has all files as links or references.
    fn region(&self, files: &[TestFile], start: &[u8], end: &[u8]) -> FrozenRegion {
        let names: Vec<(&str, FrozenFile)> = (files.iter().zip(1..))
            .map(|(file, sequence)| (file.family(), self.write(file, sequence)))
            .collect();
        let stores = ["f", "g"].map(|family| {
            let list: Vec<FrozenFile> =
                names.iter().filter(|(of, _)| *of == family).map(|(_, file)| file.clone()).collect();
            let (dir, config) = (World::dir("bb", family), World::config(family));
            FrozenStore::open(&self.env, &self.cache, &dir, &list, config, RowOrder::Bytes).unwrap()
        });
        let bounds =
            FrozenBounds { start_key: start, end_key: end, order: RowOrder::Bytes, row_bytes_max: u64::MAX };
        FrozenRegion::new(self.env.clone(), stores.into(), &bounds, Arc::new(NoPatternCompiler)).unwrap()
    }
}

/// Each row of each file that is inside, with its share of its row group's bytes.
fn weights(region: &FrozenRegion) -> Vec<(Vec<u8>, f64)> {
    let bounds = Clip::between(&region.start_key, &region.end_key);
    let mut weights = Vec::new();
    for file in region.stores.iter().flat_map(|store| store.files.files()) {
        let mut rows = file.rows_by_rank().unwrap();
        for group in file.row_groups(&bounds, RowOrder::Bytes).unwrap() {
            for rank in group.rows_before..group.rows_before + group.rows {
                let row = rows.row(rank).unwrap().unwrap();
                weights.push((row.to_vec(), group.bytes as f64 / group.rows as f64));
            }
        }
    }
    weights.sort_by(|a, b| a.0.cmp(&b.0));
    weights
}

/// Rows of a file that are inside a region and the part that a reference leaves.
fn inside(file: &TestFile, start: &[u8], end: &[u8]) -> BTreeSet<Vec<u8>> {
    let kept = |n: &u32| match file.clip {
        None => true,
        Some((at, bottom)) => (*n < at) == bottom,
    };
    let rows = file.rows().filter(kept).map(row);
    rows.filter(|row| row.as_slice() >= start && (end.is_empty() || row.as_slice() < end)).collect()
}

fn file() -> impl Strategy<Value = TestFile> {
    let clip = prop::option::weighted(0.4, (0u32..30_000, any::<bool>()));
    let count = prop_oneof![4 => 0u32..3_000, 1 => 15_000u32..36_000];
    (any::<bool>(), 0u32..20_000, count, 1u32..4, 0usize..60, clip).prop_map(
        |(family, first, count, step, value_bytes, clip)| TestFile {
            family,
            first,
            count,
            step,
            value_bytes,
            clip,
        },
    )
}

fn check(files: &[TestFile], start: &[u8], end: &[u8], wanted: u64) {
    let world = World::new();
    let region = world.region(files, start, end);
    let (weights, expected) = (weights(&region), files.iter().map(|file| inside(file, start, end)));
    let expected: Vec<BTreeSet<Vec<u8>>> = expected.collect();
    assert_eq!(weights.len(), expected.iter().map(BTreeSet::len).sum::<usize>());
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let heaviest = weights.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    // With fewer rows than that in each piece there is nothing to cut.
    let least = 50.0 * heaviest * files.len() as f64;
    let piece_bytes = (total / wanted as f64).max(least).max(1.0) as u64;
    let pieces = region.pieces(piece_bytes).unwrap();

    let sum: u64 = pieces.iter().map(|piece| piece.bytes).sum();
    assert!((sum as f64 - total).abs() <= 1.0 + total / 1e6, "{sum} of {total}");
    assert_eq!(pieces.first().map(|piece| &piece.first_row), weights.first().map(|(row, _)| row));
    assert!(pieces.windows(2).all(|pair| pair[0].first_row < pair[1].first_row), "they ascend");
    for piece in &pieces {
        assert!(expected.iter().any(|rows| rows.contains(&piece.first_row)), "a row that is inside");
    }
    assert!(pieces.len() as f64 <= 1.0 + 2.0 * total / piece_bytes as f64, "{} pieces", pieces.len());
    let most = 1.2 * piece_bytes as f64 + 2.0 * heaviest * files.len() as f64;
    for (at, piece) in pieces.iter().enumerate() {
        let next = pieces.get(at + 1).map(|next| &next.first_row);
        let rows = weights.iter().filter(|(row, _)| *row >= piece.first_row && next.is_none_or(|n| row < n));
        let real: f64 = rows.map(|(_, weight)| weight).sum();
        assert!(piece.bytes as f64 <= most, "piece {at} of {piece_bytes} has {}", piece.bytes);
        assert!(real <= most, "piece {at} of {piece_bytes} has {real}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_cover_all_files_in_equal_parts(
        files in prop::collection::vec(file(), 0..7),
        start in prop::option::of(0u32..25_000),
        end in prop::option::of(10_000u32..45_000),
        wanted in 1u64..20,
    ) {
        let key = |n: Option<u32>| n.map(row).unwrap_or_default();
        check(&files, &key(start), &key(end), wanted);
    }
}

/// As many flushes of the whole key range leave behind.
#[test]
fn files_that_overlap_are_cut_together() {
    let file = |n: u32| TestFile {
        family: n.is_multiple_of(2),
        first: n % 7,
        count: 2_000 + 10 * n,
        step: 7,
        value_bytes: 40,
        clip: None,
    };
    let files: Vec<TestFile> = (0..24).map(file).collect();
    for wanted in [2, 5, 9] {
        check(&files, b"", b"", wanted);
    }
}

#[test]
fn pages_of_row_keys_alone_are_read() {
    let world = World::new();
    let file = TestFile { family: false, first: 0, count: 16_000, step: 1, value_bytes: 200, clip: None };
    let region = world.region(&[file], b"", b"");
    let before = world.cache.stats().read_count;
    let whole = region.pieces(u64::MAX).unwrap();
    assert_eq!(world.cache.stats().read_count, before, "one row group is one piece");
    assert_eq!(whole.len(), 1);
    let pieces = region.pieces(whole[0].bytes / 8).unwrap();
    assert!((8..=10).contains(&pieces.len()), "{} pieces", pieces.len());
    assert!(world.cache.stats().read_count - before < pieces.len() as u64, "{:?}", world.cache.stats());
}

#[test]
fn each_page_of_row_keys_is_read_once_and_none_is_cached() {
    let world = World::new();
    let file = TestFile { family: false, first: 0, count: 16_000, step: 1, value_bytes: 200, clip: None };
    let clipped = TestFile { clip: Some((3_000, false)), ..file.clone() };
    let region = world.region(&[file, clipped], b"r000700", b"r015000");
    let before = world.cache.stats();
    region.pieces(1).unwrap();
    let after = world.cache.stats();
    let pages = 2 * (16_000 * 7 / 4096 + 1);
    let ends = 2 * 3 + 2 * 2; // ranks of the ends, and the rows there
    assert!(after.read_count - before.read_count <= pages + ends, "{after:?}");
    assert!(after.read_count > before.read_count);
    assert_eq!(after.page_count, before.page_count);
}

#[test]
fn there_are_no_more_pieces_than_anybody_wants() {
    let world = World::new();
    let file = TestFile { family: false, first: 0, count: 20_000, step: 1, value_bytes: 10, clip: None };
    let pieces = world.region(&[file], b"", b"").pieces(1).unwrap().len() as u64;
    assert!((PIECES_MAX / 2..=2 * PIECES_MAX).contains(&pieces), "{pieces} pieces");
}

#[test]
fn a_region_without_rows_has_no_pieces() {
    let world = World::new();
    assert_eq!(world.region(&[], b"", b"").pieces(1).unwrap(), []);
    let file = TestFile { family: true, first: 100, count: 100, step: 1, value_bytes: 1, clip: None };
    assert_eq!(world.region(std::slice::from_ref(&file), b"x", b"").pieces(1).unwrap(), []);
    // Less than a row is asked for: a piece per row.
    assert_eq!(world.region(&[file], b"r000150", b"").pieces(0).unwrap().len(), 50);
}
