//! RowFilter: rows by comparison of their key.

use grampus_cells::CellRef;

use super::comparator::Comparator;
use super::{Filter, ReturnCode};
use crate::CompareOp;

/// Keeps rows whose key satisfies the comparison.
pub(crate) struct RowFilter {
    /// `key OP comparator`.
    pub op: CompareOp,
    /// What keys are compared with.
    pub comparator: Comparator,
    /// The current row is out.
    pub out: bool,
}

impl Filter for RowFilter {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        self.out = self.out || !self.comparator.accepts(self.op, row);
        self.out
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        if self.out { ReturnCode::NextRow } else { ReturnCode::Include }
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}
