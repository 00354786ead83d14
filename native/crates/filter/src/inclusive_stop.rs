//! InclusiveStopFilter: ends the scan after a row.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Ends the scan behind a row.
pub(crate) struct InclusiveStopFilter {
    /// The last row.
    pub stop: Vec<u8>,
    /// Rows descend.
    pub reversed: bool,
    /// The scan is behind the row.
    pub done: bool,
}

impl Filter for InclusiveStopFilter {
    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.done {
            return true;
        }
        let ordering = row.cmp(self.stop.as_slice());
        self.done = if self.reversed { ordering.is_lt() } else { ordering.is_gt() };
        self.done
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        if self.done { ReturnCode::NextRow } else { ReturnCode::Include }
    }
}
