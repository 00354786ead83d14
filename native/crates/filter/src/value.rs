//! ValueFilter: cells by comparison of their value.

use grampus_cells::CellRef;

use super::comparator::Comparator;
use super::{Filter, ReturnCode};
use crate::CompareOp;

/// Keeps cells by comparison of their value.
pub(crate) struct ValueFilter {
    /// `value OP comparator`.
    pub op: CompareOp,
    /// What is compared with.
    pub comparator: Comparator,
}

impl Filter for ValueFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.comparator.accepts(self.op, cell.value) { ReturnCode::Include } else { ReturnCode::Skip }
    }
}
