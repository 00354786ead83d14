//! PrefixFilter: rows whose key begins with some bytes.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Keeps rows with a prefix; ends the scan behind it.
pub(crate) struct PrefixFilter {
    /// The prefix.
    pub prefix: Vec<u8>,
    /// Rows descend.
    pub reversed: bool,
    /// The scan is behind the prefix.
    pub passed: bool,
    /// The current row is out.
    pub out: bool,
}

impl Filter for PrefixFilter {
    fn reset(&mut self) {
        self.out = true;
    }

    fn filter_all_remaining(&self) -> bool {
        self.passed
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.passed {
            return true;
        }
        let Some(head) = row.get(..self.prefix.len()) else { return true };
        let ordering = head.cmp(self.prefix.as_slice());
        self.passed = if self.reversed { ordering.is_lt() } else { ordering.is_gt() };
        self.out = ordering.is_ne();
        self.out
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        if self.out { ReturnCode::NextRow } else { ReturnCode::Include }
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}
