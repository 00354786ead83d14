//! QualifierFilter: columns by comparison of their qualifier.

use grampus_cells::CellRef;

use super::comparator::Comparator;
use super::{Filter, ReturnCode};
use crate::CompareOp;

/// Keeps columns by comparison of their qualifier.
pub(crate) struct QualifierFilter {
    /// `qualifier OP comparator`.
    pub op: CompareOp,
    /// What is compared with.
    pub comparator: Comparator,
}

impl Filter for QualifierFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.comparator.accepts(self.op, cell.qualifier) { ReturnCode::Include } else { ReturnCode::Skip }
    }
}
