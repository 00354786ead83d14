//! One family of a region: its memtables and files.

use std::sync::Arc;

use grampus_base::{Result, Retry};
use grampus_cache::BlockCache;
use grampus_cells::{Direction, RowCursor, RowOrder, TimeRange};
use grampus_env::Env;
use grampus_memtable::Memtable;
use grampus_store::FamilyConfig;
use grampus_store::fileset::{CheckOurs, CursorSpec, OpenReport, StoreDir, StoreFileSet};
use grampus_store::read::{PointFiles, PointRead, ReadStore, StoreCursor};
use parking_lot::RwLock;

use super::compactions::Compactions;

/// The memtables of a store, newest first.
#[derive(Clone)]
pub(crate) struct Memtables {
    /// The one being written.
    pub active: Arc<Memtable>,
    /// Those being flushed.
    pub immutable: Vec<Arc<Memtable>>,
}

impl Memtables {
    /// All of them.
    pub(crate) fn all(&self) -> Vec<Arc<Memtable>> {
        std::iter::once(&self.active).chain(&self.immutable).cloned().collect()
    }
}

/// A store.
pub(crate) struct Store {
    /// The family's settings.
    pub config: Arc<FamilyConfig>,
    /// Its files.
    pub files: StoreFileSet,
    /// Its compactions.
    pub compactions: Compactions,
    /// When to try again to archive what they have replaced.
    pub archiving: Retry,
    memtables: RwLock<Arc<Memtables>>,
}

impl Store {
    /// Opens a store's files and says what it found besides them.
    pub(crate) fn open(
        env: &Arc<dyn Env>,
        cache: &Arc<BlockCache>,
        dir: StoreDir,
        config: FamilyConfig,
        order: RowOrder,
        check_ours: CheckOurs,
    ) -> Result<(Store, OpenReport)> {
        let (files, report) =
            StoreFileSet::open(env.clone(), cache.clone(), dir, &config, order, check_ours)?;
        let memtables = Memtables { active: Memtable::new(order), immutable: Vec::new() };
        let store = Store {
            config: Arc::new(config),
            files,
            compactions: Compactions::default(),
            archiving: Retry::default(),
            memtables: RwLock::new(Arc::new(memtables)),
        };
        Ok((store, report))
    }

    /// The memtables of this moment.
    pub(crate) fn memtables(&self) -> Arc<Memtables> {
        self.memtables.read().clone()
    }

    /// Makes the active memtable immutable. The caller holds the updates lock alone.
    pub(crate) fn freeze(&self) {
        let mut memtables = self.memtables.write();
        if memtables.active.is_empty() {
            return;
        }
        let mut immutable = memtables.immutable.clone();
        immutable.insert(0, memtables.active.clone());
        *memtables = Arc::new(Memtables { active: Memtable::new(self.files.order()), immutable });
    }

    /// Forgets memtables that are in files now.
    pub(crate) fn drop_flushed(&self, flushed: &[Arc<Memtable>]) {
        let mut memtables = self.memtables.write();
        let immutable = memtables
            .immutable
            .iter()
            .filter(|t| !flushed.iter().any(|f| Arc::ptr_eq(f, t)))
            .cloned()
            .collect();
        *memtables = Arc::new(Memtables { active: memtables.active.clone(), immutable });
    }

    /// Forgets all memtables and returns them. The region is closed: readers look at that afterwards.
    pub(crate) fn take_memtables(&self) -> Arc<Memtables> {
        let none = Memtables { active: Memtable::new(self.files.order()), immutable: Vec::new() };
        std::mem::replace(&mut *self.memtables.write(), Arc::new(none))
    }

    /// The memtables that may matter to a read of a range of timestamps: as in HBase one that has none of them is left out like a file.
    fn memtable_cursors(&self, read_point: u64, range: TimeRange, reversed: bool) -> Vec<Box<dyn RowCursor>> {
        let tables = self.memtables();
        let tables = std::iter::once(&tables.active).chain(&tables.immutable).filter(|table| {
            let (min, max) = table.times();
            table.may_matter(read_point) && range.overlaps(min, max)
        });
        tables.map(|table| Box::new(table.cursor(read_point, reversed)) as Box<dyn RowCursor>).collect()
    }

    /// Whether a flush has not finished, because it is under way or has failed.
    pub(crate) fn has_immutable(&self) -> bool {
        !self.memtables().immutable.is_empty()
    }

    /// Lowest sequence id in memtables.
    pub(crate) fn lowest_unflushed(&self) -> Option<u64> {
        let tables = self.memtables();
        std::iter::once(&tables.active).chain(&tables.immutable).filter_map(|t| t.min_sequence()).min()
    }

    /// Highest sequence id in its files.
    pub(crate) fn flushed_sequence(&self) -> u64 {
        self.files.snapshot().max_sequence()
    }

    /// Whether there are files.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.snapshot().files().is_empty()
    }

    /// Number and bytes of its files.
    pub(crate) fn file_size(&self) -> (usize, u64) {
        let files = self.files.snapshot();
        (files.files().len(), files.bytes())
    }

    /// Number of its files without those that no compaction can take away: they must not slow writes down for ever.
    pub(crate) fn mergeable_files(&self) -> usize {
        self.files.snapshot().files().iter().filter(|file| !file.is_unreadable()).count()
    }
}

impl ReadStore for Store {
    fn config(&self) -> &Arc<FamilyConfig> {
        &self.config
    }

    /// Memtables come before files: a flush in between is seen twice, never not at all.
    fn cursor(&self, spec: &CursorSpec<'_>) -> Result<StoreCursor> {
        let reversed = spec.direction == Direction::Reverse;
        let mut sources = self.memtable_cursors(spec.read_point, spec.time_range, reversed);
        for file in self.files.snapshot().files() {
            if let Some(cursor) = file.cursor(spec)? {
                sources.push(cursor);
            }
        }
        Ok(StoreCursor::new(sources, self.files.order(), reversed))
    }

    fn point_cursor(&self, read: PointRead) -> StoreCursor {
        let sources = self.memtable_cursors(read.read_point, read.range, false);
        StoreCursor::of_row(sources, self.files.order(), PointFiles::new(read, self.files.snapshot()))
    }
}
