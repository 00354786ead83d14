//! One family of a region: its memtables and files.

use std::sync::Arc;

use grampus_colfile::RowOrder;
use parking_lot::RwLock;

use crate::error::Result;
use crate::fileset::CursorSpec;
use crate::memtable::Memtable;
use crate::read::RowCursor;
use crate::store::FamilyConfig;

/// The memtables of a store, newest first.
#[derive(Clone)]
pub struct Memtables {
    /// The one being written.
    pub active: Arc<Memtable>,
    /// Those being flushed.
    pub immutable: Vec<Arc<Memtable>>,
}

/// A store.
pub struct Store {
    /// The family's settings.
    pub config: Arc<FamilyConfig>,
    order: RowOrder,
    memtables: RwLock<Arc<Memtables>>,
}

impl Store {
    /// A store without edits.
    pub fn new(config: FamilyConfig, order: RowOrder) -> Store {
        let memtables = Memtables { active: Memtable::new(order), immutable: Vec::new() };
        Store { config: Arc::new(config), order, memtables: RwLock::new(Arc::new(memtables)) }
    }

    /// The memtables of this moment.
    pub fn memtables(&self) -> Arc<Memtables> {
        self.memtables.read().clone()
    }

    /// Bytes of all memtables.
    pub fn memstore_bytes(&self) -> u64 {
        let tables = self.memtables();
        let immutable: usize = tables.immutable.iter().map(|t| t.bytes()).sum();
        (tables.active.bytes() + immutable) as u64
    }

    /// Adds a cursor per source that may matter to a read. Memtables come before files: a flush in between is seen twice, never not at all.
    pub fn add_sources(
        &self,
        spec: &CursorSpec<'_>,
        reversed: bool,
        sources: &mut Vec<Box<dyn RowCursor>>,
    ) -> Result<()> {
        let tables = self.memtables();
        for table in std::iter::once(&tables.active).chain(&tables.immutable) {
            if !table.is_empty() {
                sources.push(Box::new(table.cursor(spec.read_point, reversed)));
            }
        }
        Ok(())
    }

    /// Lowest sequence id in memtables.
    pub fn lowest_unflushed(&self) -> Option<u64> {
        let tables = self.memtables();
        std::iter::once(&tables.active).chain(&tables.immutable).filter_map(|t| t.min_sequence()).min()
    }

    /// Highest sequence id in its files.
    pub fn flushed_sequence(&self) -> u64 {
        0
    }

    /// Whether there are files.
    pub fn has_files(&self) -> bool {
        false
    }

    /// Number and bytes of its files.
    pub fn file_size(&self) -> (usize, u64) {
        (0, 0)
    }

    /// Whether a file is a reference or a link into another region.
    pub fn has_references(&self) -> bool {
        false
    }

    /// Whether a compaction runs.
    pub fn is_compacting(&self) -> bool {
        false
    }

    /// The order of its rows.
    pub fn order(&self) -> RowOrder {
        self.order
    }
}
