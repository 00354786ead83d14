//! Sources of a scan.

use grampus_store::read::{FamilyRead, ReadPlan, RowLimits};

/// What the sources of a scan are made of, so that they can be made again.
pub(crate) struct ScanSources {
    /// That of the region's memtables before the first sources were made.
    pub(crate) generation: u64,
    pub(crate) limits: RowLimits,
    pub(crate) read_point: u64,
    /// Whether pages that are read stay in the cache.
    pub(crate) cache: bool,
    /// Whether pages may be read from disk.
    pub(crate) blocking: bool,
    /// When the scan was opened, by the monotonic clock.
    pub(crate) opened_nanos: u64,
    /// Whether the filter is asked about rows of which it sees no cell.
    pub(crate) all_rows: bool,
    pub(crate) reads: Vec<FamilyRead>,
}

impl ScanSources {
    /// A read of these sources, of all cells.
    pub(crate) fn plan(&self) -> ReadPlan<'_> {
        ReadPlan::of_rows(self.limits.rows(), self.limits.reversed, self.read_point)
            .caching(self.cache)
            .blocking(self.blocking)
            .showing_all_rows(self.all_rows)
    }
}
