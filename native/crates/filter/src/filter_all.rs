//! FilterAllFilter: nothing.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Drops everything.
pub(crate) struct FilterAllFilter;

impl Filter for FilterAllFilter {
    fn filter_all_remaining(&self) -> bool {
        false
    }

    fn filter_row_key(&mut self, _row: &[u8]) -> bool {
        true
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        ReturnCode::NextRow
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        true
    }
}
