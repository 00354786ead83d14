//! What a scan is bounded by, and what it has looked at.

use grampus_cells::RowOrder;

/// What a cell counts beside its row, qualifier and value.
pub(super) const CELL_EXTRA_BYTES: u64 = 24;
/// What a scan is bounded by.
pub(crate) struct ScanBounds {
    /// Row order of the region.
    pub order: RowOrder,
    /// Rows descend.
    pub reversed: bool,
    /// Last row in the direction of the scan and whether it belongs to it.
    pub stop: Option<(Vec<u8>, bool)>,
    /// Cells per store and row, -1 = all.
    pub store_limit: i64,
    /// Cells per store and row to skip first.
    pub store_offset: i64,
    /// Bytes of cells that one result may have of one store (`hbase.table.max.rowsize`).
    pub row_bytes_max: u64,
}

impl ScanBounds {
    /// Whether a row lies behind another in the direction of the scan.
    pub(crate) fn is_behind(&self, row: &[u8], other: &[u8]) -> bool {
        let ordering = self.order.compare(row, other);
        if self.reversed { ordering.is_lt() } else { ordering.is_gt() }
    }

    /// Whether a row lies past the last one.
    #[inline]
    pub(crate) fn is_past_stop(&self, row: &[u8]) -> bool {
        let Some((stop, included)) = &self.stop else { return false };
        let ordering = self.order.compare(row, stop);
        let ordering = if self.reversed { ordering.reverse() } else { ordering };
        ordering.is_gt() || ordering.is_eq() && !included
    }
}

/// What a scan has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanCounts {
    /// Rows that were left, and once more those of which families were read on demand, as `ServerSideScanMetrics.countOfRowsScanned`.
    pub rows_scanned: u64,
    /// Times that a row, or what was left of it, had nothing to return, as `ServerSideScanMetrics.countOfRowsFiltered`.
    pub rows_filtered: u64,
    /// Bytes of cells looked at.
    pub bytes_scanned: u64,
}
