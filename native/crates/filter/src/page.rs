//! PageFilter: the first rows of each region, up to a limit.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Ends the scan after a number of rows.
pub(crate) struct PageFilter {
    /// Rows wanted.
    pub size: i64,
    /// Rows so far.
    pub accepted: i64,
}

impl Filter for PageFilter {
    fn filter_all_remaining(&self) -> bool {
        self.accepted >= self.size
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        ReturnCode::Include
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.accepted += 1;
        self.accepted > self.size
    }
}
