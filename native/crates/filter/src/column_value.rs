//! ColumnValueFilter: the cells of one column that satisfy a comparison, nothing else.

use grampus_cells::CellRef;

use super::comparator::Comparator;
use super::{Filter, ReturnCode};
use crate::CompareOp;

/// Keeps the cells of one column whose value satisfies the comparison.
pub(crate) struct ColumnValueFilter {
    /// The column's family.
    pub family: Vec<u8>,
    /// The column's qualifier.
    pub qualifier: Vec<u8>,
    /// `value OP comparator`.
    pub op: CompareOp,
    /// What values are compared with.
    pub comparator: Comparator,
    /// The column was met.
    pub found: bool,
}

impl Filter for ColumnValueFilter {
    fn reset(&mut self) {
        self.found = false;
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.qualifier != cell.qualifier || self.family != family {
            return if self.found { ReturnCode::NextRow } else { ReturnCode::NextColumn };
        }
        self.found = true;
        if self.comparator.accepts(self.op, cell.value) { ReturnCode::Include } else { ReturnCode::Skip }
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.family == family
    }
}
