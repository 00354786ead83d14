//! Frozen regions of given cells, for tests and benches.
#![allow(dead_code, reason = "each test crate uses a part")]

pub(crate) mod full;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use grampus_cache::BlockCache;
use grampus_cells::{CellRef, CellType, RowOrder};
use grampus_colfile::{ColumnFileWriter, FinishInfo, WriterOptions};
use grampus_columns::{BatchReader, RowSource, TableWriter, Written};
use grampus_env::{Env, FakeEnv};
use grampus_filter::pattern::NoPatternCompiler;
use grampus_store::fileset::{FrozenFile, StoreDir};
use grampus_store::{FamilyConfig, FrozenBounds, FrozenRegion, FrozenScan, FrozenStore};
use grampus_testkit::wire::{Cell, Spec};

/// Versions that the families keep.
pub(crate) const VERSIONS: u32 = 3;

/// A region of one file per family, which has these cells in any order.
pub(crate) fn region(cells: &[Cell]) -> FrozenRegion {
    let mut families: BTreeMap<Vec<u8>, Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        families.entry(cell.family.clone()).or_default().push(cell);
    }
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let cache = Arc::new(BlockCache::new(1 << 30));
    let stores = families.into_iter().map(|(family, cells)| {
        let config = FamilyConfig { max_versions: VERSIONS, ..FamilyConfig::new(family) };
        store(&env, &cache, config, &[cells])
    });
    region_of(&env, stores.collect(), u64::MAX)
}

/// A region of one family and several files, each of which has some of the cells.
pub(crate) fn region_of_files(files: &[Vec<Cell>], config: FamilyConfig, row_bytes_max: u64) -> FrozenRegion {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let cache = Arc::new(BlockCache::new(1 << 30));
    let files: Vec<Vec<&Cell>> = files.iter().map(|cells| cells.iter().collect()).collect();
    let store = store(&env, &cache, config, &files);
    region_of(&env, vec![store], row_bytes_max)
}

fn region_of(env: &Arc<dyn Env>, stores: Vec<FrozenStore>, row_bytes_max: u64) -> FrozenRegion {
    let bounds = FrozenBounds { start_key: b"", end_key: b"", order: RowOrder::Bytes, row_bytes_max };
    FrozenRegion::new(Arc::clone(env), stores, &bounds, Arc::new(NoPatternCompiler)).unwrap()
}

fn store(
    env: &Arc<dyn Env>,
    cache: &Arc<BlockCache>,
    config: FamilyConfig,
    files: &[Vec<&Cell>],
) -> FrozenStore {
    let family = std::str::from_utf8(&config.name).unwrap();
    let dir = StoreDir::new(Path::new("/h"), "default", "t", "aa", family);
    env.mkdir(&dir.family_dir()).unwrap();
    let names = (0..files.len()).map(|number| format!("{number:02}aa"));
    let named = names.zip(files).map(|(name, cells)| {
        let mut file = env.create(&dir.family_dir().join(&name)).unwrap();
        file.append(&encoded(&config, cells.clone())).unwrap();
        file.close().unwrap();
        FrozenFile { name, reference: None }
    });
    let files: Vec<FrozenFile> = named.collect();
    FrozenStore::open(env, cache, &dir, &files, config, RowOrder::Bytes).unwrap()
}

/// A column file of cells.
fn encoded(config: &FamilyConfig, mut cells: Vec<&Cell>) -> Vec<u8> {
    cells.sort_by(|a, b| cell_ref(a).cmp_in(&cell_ref(b), RowOrder::Bytes));
    let (family, block_size) = (config.name.clone(), config.block_size);
    let options = WriterOptions { family, block_size, ..WriterOptions::default() };
    let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
    cells.iter().for_each(|cell| writer.append(cell_ref(cell)).unwrap());
    writer.finish(FinishInfo { max_sequence: 1, ..FinishInfo::default() }).unwrap().0
}

fn cell_ref(cell: &Cell) -> CellRef<'_> {
    CellRef {
        row: &cell.row,
        qualifier: &cell.qualifier,
        timestamp: cell.timestamp,
        cell_type: CellType(cell.code),
        value: &cell.value,
        tags: &cell.tags,
        sequence: 1,
    }
}

/// All batches of a reader.
pub(crate) fn read_all<S: RowSource>(reader: &mut BatchReader<S>) -> impl Iterator<Item = RecordBatch> {
    std::iter::from_fn(move || reader.next_batch().unwrap())
}

/// Writes all batches of a reader and completes the file.
pub(crate) fn write_all<W: TableWriter>(reader: &mut BatchReader, mut writer: W) -> (W::Sink, Written) {
    read_all(reader).for_each(|batch| writer.write(&batch).unwrap());
    writer.finish().unwrap()
}

/// A scan of all rows.
pub(crate) fn scan_all(region: &FrozenRegion) -> FrozenScan {
    region.scan(&Spec::scan().encode(), 0).unwrap()
}
