//! DependentColumnFilter: cells whose timestamp occurs in one column of the row.

use std::collections::HashSet;

use grampus_cells::CellRef;

use super::comparator::Comparator;
use super::{Filter, ReturnCode, RowCell};
use crate::CompareOp;

/// Keeps cells that share a timestamp with a cell of one column.
pub(crate) struct DependentColumnFilter {
    /// The column's family.
    pub family: Vec<u8>,
    /// The column's qualifier.
    pub qualifier: Vec<u8>,
    /// The column itself is not returned.
    pub drop_column: bool,
    /// `value OP comparator` for the column's cells.
    pub op: CompareOp,
    /// What values are compared with.
    pub comparator: Comparator,
    /// Timestamps of the column in this row.
    pub stamps: HashSet<i64>,
}

impl Filter for DependentColumnFilter {
    fn reset(&mut self) {
        self.stamps.clear();
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.qualifier != cell.qualifier || self.family != family {
            return ReturnCode::Include;
        }
        if !self.comparator.is_none() && !self.comparator.accepts(self.op, cell.value) {
            return ReturnCode::Skip;
        }
        self.stamps.insert(cell.timestamp);
        if self.drop_column { ReturnCode::Skip } else { ReturnCode::Include }
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn has_filter_row_cells(&self) -> bool {
        true
    }

    fn drops_cell(&self, cell: &RowCell<'_>) -> bool {
        !self.stamps.contains(&cell.cell.timestamp)
    }
}
