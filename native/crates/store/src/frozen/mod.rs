//! Files of a region that do not change, read without a server: no log, no memtable, no thread, and of the environment
//! nothing but `open`, `read` and the monotonic clock.
//!
//! Cells come out as of read point ∞, through the cursors, filters and rules of visibility of a server's scan.

mod columns;
mod pieces;
mod reads;
mod request;
mod result_cells;
mod scan;

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::BlockCache;
use grampus_cells::{Direction, RowOrder};
use grampus_env::Env;
use grampus_filter::pattern::{PatternCompiler, PatternContext};

use crate::FamilyConfig;
use crate::fileset::{CursorSpec, FrozenFile, StoreDir, StoreFiles};
use crate::read::{FamilyRead, PointFiles, PointRead, ReadPlan, ReadSpec, ReadStore, RowLimits, StoreCursor};
pub use columns::FamilyColumns;
pub use reads::FrozenReads;
pub use request::{FrozenFiles, FrozenPlace, FrozenRequest};
pub use scan::{FrozenLimits, FrozenRows, FrozenScan};

/// One family of a frozen region.
pub struct FrozenStore {
    config: Arc<FamilyConfig>,
    order: RowOrder,
    files: Arc<StoreFiles>,
    cache: Arc<BlockCache>,
}

impl FrozenStore {
    /// Opens the files that a list names, wherever HBase has moved them since: to the archive, or for a moment to the master's `.tmp`. The cache
    /// is its own, or that of other frozen stores: pages leave it with the store.
    ///
    /// # Errors
    /// A file is missing, cannot be read, or is in another row order.
    pub fn open(
        env: &Arc<dyn Env>,
        cache: &Arc<BlockCache>,
        dir: &StoreDir,
        files: &[FrozenFile],
        config: FamilyConfig,
        order: RowOrder,
    ) -> Result<FrozenStore> {
        let files = StoreFiles::frozen(env, cache, dir, files, &config, order)?;
        let (config, files, cache) = (Arc::new(config), Arc::new(files), Arc::clone(cache));
        Ok(FrozenStore { config, order, files, cache })
    }
}

impl ReadStore for FrozenStore {
    fn config(&self) -> &Arc<FamilyConfig> {
        &self.config
    }

    fn cursor(&self, spec: &CursorSpec<'_>) -> Result<StoreCursor> {
        let mut sources = Vec::new();
        for file in self.files.files() {
            sources.extend(file.cursor(spec)?);
        }
        Ok(StoreCursor::new(sources, self.order, spec.direction == Direction::Reverse))
    }

    fn point_cursor(&self, read: PointRead) -> StoreCursor {
        StoreCursor::of_row(Vec::new(), self.order, PointFiles::new(read, self.files.clone()))
    }
}

/// A region whose files do not change. Any thread may begin scans.
pub struct FrozenRegion {
    env: Arc<dyn Env>,
    stores: Vec<FrozenStore>,
    start_key: Vec<u8>,
    end_key: Vec<u8>,
    order: RowOrder,
    row_bytes_max: u64,
    patterns: Arc<dyn PatternCompiler>,
}

/// How large a frozen region is, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrozenExtent {
    /// Rows of its files; one that several files have counts for each.
    pub rows: u64,
    /// Bytes of its files.
    pub bytes: u64,
}

/// What a frozen region is beside its files.
pub struct FrozenBounds<'a> {
    /// First row; empty = open.
    pub start_key: &'a [u8],
    /// First row behind the last one; empty = open.
    pub end_key: &'a [u8],
    /// Order of the rows.
    pub order: RowOrder,
    /// Bytes of cells that a row may have of one store, as `hbase.table.max.rowsize`; a larger one is an error of the scan.
    pub row_bytes_max: u64,
}

impl FrozenRegion {
    /// A region of stores. Of `env` scans take the monotonic clock; `patterns` compiles regular expressions that only Java evaluates exactly.
    ///
    /// # Errors
    /// A family occurs twice, or a store is in another row order.
    pub fn new(
        env: Arc<dyn Env>,
        mut stores: Vec<FrozenStore>,
        bounds: &FrozenBounds<'_>,
        patterns: Arc<dyn PatternCompiler>,
    ) -> Result<FrozenRegion> {
        stores.sort_by(|a, b| a.config.name.cmp(&b.config.name));
        let twice = stores.windows(2).any(|pair| pair[0].config.name == pair[1].config.name);
        if twice || stores.iter().any(|store| store.order != bounds.order) {
            let message = "a frozen region has each family once, and all in its row order";
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        Ok(FrozenRegion {
            env,
            stores,
            start_key: bounds.start_key.to_vec(),
            end_key: bounds.end_key.to_vec(),
            order: bounds.order,
            row_bytes_max: bounds.row_bytes_max,
            patterns,
        })
    }

    /// A scan by the read spec of `docs/jni.md`, of whole rows or of batches of their cells. Its read point, and what it says about waiting, has
    /// no effect; `now_millis` is the time of the wall clock by which times to live are over.
    ///
    /// # Errors
    /// The spec cannot be decoded, names a family that is not there, or asks for one row by name: a scan has bounds for that. Or it wants batches
    /// of what a filter takes or leaves by the row.
    pub fn scan(&self, spec: &[u8], now_millis: i64) -> Result<FrozenScan> {
        let spec = ReadSpec::decode(spec)?;
        spec.check_scan()?;
        if spec.has(ReadSpec::GET) {
            let message = "the rows of a scan of frozen files are given by their bounds";
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        let limits = RowLimits::of(&spec, &self.start_key, &self.end_key);
        let filter =
            grampus_filter::decode(spec.filter, limits.reversed, &PatternContext::new(&self.patterns, true))?;
        // Pieces that are read once, front to back: a walk against them, or one that a filter makes jump, would read more.
        let one_pass = !spec.has(ReadSpec::CACHE_BLOCKS) && !limits.reversed && spec.filter.is_empty();
        let plan = ReadPlan::of_rows(limits.rows(), limits.reversed, u64::MAX)
            .wanting(&spec)
            .bounded(&limits, &self.start_key, &self.end_key)
            .at_time(now_millis)
            .filtered(filter)
            .one_pass(one_pass)
            .row_bytes_max(self.row_bytes_max);
        let reads = FamilyRead::of(&spec, self.stores.len(), |family| self.index_of(family))?;
        let mut scan = plan.row_scan(&self.stores, &reads, self.order)?;
        let batch = scan.configure(&spec)?;
        Ok(FrozenScan::new(Arc::clone(&self.env), scan, batch))
    }

    /// About how much there is to read, all files together; of a part of another region's file half.
    pub fn extent(&self) -> FrozenExtent {
        let files = || self.stores.iter().flat_map(|store| store.files.files());
        FrozenExtent {
            rows: files().map(|file| file.effective_rows()).sum(),
            bytes: files().map(|file| file.effective_bytes()).sum(),
        }
    }

    fn index_of(&self, family: &[u8]) -> Result<usize> {
        self.stores.iter().position(|store| store.config.name == family).ok_or_else(|| {
            let name = grampus_base::printable(family);
            Error::new(ErrorKind::NoSuchFamily, format!("the frozen region has no family {name}"))
        })
    }
}
