//! SingleColumnValueFilter and SingleColumnValueExcludeFilter: rows by the value of one column.

use grampus_cells::{CellRef, ValueBounds};

use super::comparator::Comparator;
use super::{Filter, ReturnCode, RowCell};
use crate::CompareOp;

/// Keeps rows one of whose columns satisfies the comparison.
pub struct SingleColumnValueFilter {
    /// The column's family.
    pub family: Vec<u8>,
    /// The column's qualifier.
    pub qualifier: Vec<u8>,
    /// `value OP comparator`.
    pub(crate) op: CompareOp,
    /// What values are compared with.
    pub(crate) comparator: Comparator,
    /// Rows without the column are out.
    pub(crate) filter_if_missing: bool,
    /// Only the newest version counts.
    pub(crate) latest_only: bool,
    /// The column itself is not returned.
    pub exclude: bool,
    /// The column was met.
    pub(crate) found: bool,
    /// It satisfied the comparison.
    pub(crate) matched: bool,
}

impl SingleColumnValueFilter {
    fn is_column(&self, family: &[u8], cell: &CellRef<'_>) -> bool {
        self.qualifier == cell.qualifier && self.family == family
    }

    /// The answer for a row whose column has this value and no other, `None` when it does not have the column.
    #[inline]
    pub fn keeps(&self, value: Option<&[u8]>) -> bool {
        match value {
            Some(value) => self.comparator.accepts(self.op, value),
            None => !self.filter_if_missing,
        }
    }

    /// Whether [`SingleColumnValueFilter::keeps`] may hold for a value within bounds.
    pub fn may_keep(&self, values: &ValueBounds) -> bool {
        self.comparator.may_accept(self.op, values)
    }
}

impl Filter for SingleColumnValueFilter {
    fn reset(&mut self) {
        self.found = false;
        self.matched = false;
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.matched {
            return ReturnCode::Include;
        }
        if self.latest_only && self.found {
            return ReturnCode::NextRow;
        }
        if !self.is_column(family, cell) {
            return ReturnCode::Include;
        }
        self.found = true;
        if !self.comparator.accepts(self.op, cell.value) {
            return if self.latest_only { ReturnCode::NextRow } else { ReturnCode::Include };
        }
        self.matched = true;
        ReturnCode::Include
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn has_filter_row_cells(&self) -> bool {
        self.exclude
    }

    fn drops_cell(&self, cell: &RowCell<'_>) -> bool {
        self.exclude && self.is_column(cell.family, &cell.cell)
    }

    fn filter_row(&mut self) -> bool {
        if self.found { !self.matched } else { self.filter_if_missing }
    }

    fn single_column(&self, index: usize) -> Option<&SingleColumnValueFilter> {
        (index == 0).then_some(self)
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        !self.filter_if_missing || self.family == family
    }
}
