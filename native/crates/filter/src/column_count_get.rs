//! ColumnCountGetFilter: the first columns of a row, up to a limit.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Ends the read after a number of columns.
pub(crate) struct ColumnCountGetFilter {
    /// Columns wanted.
    pub limit: i64,
    /// Columns so far.
    pub count: i64,
}

impl Filter for ColumnCountGetFilter {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn filter_all_remaining(&self) -> bool {
        self.count > self.limit
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        self.count += 1;
        if self.filter_all_remaining() { ReturnCode::NextColumn } else { ReturnCode::IncludeNextColumn }
    }
}
