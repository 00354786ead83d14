//! FamilyFilter: families by comparison of their name.

use grampus_cells::CellRef;

use super::comparator::Comparator;
use super::{Filter, ReturnCode};
use crate::CompareOp;

/// Keeps families whose name satisfies the comparison.
pub(crate) struct FamilyFilter {
    /// `name OP comparator`.
    pub op: CompareOp,
    /// What names are compared with.
    pub comparator: Comparator,
}

impl Filter for FamilyFilter {
    fn filter_cell(&mut self, family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        if self.comparator.accepts(self.op, family) { ReturnCode::Include } else { ReturnCode::NextRow }
    }
}
