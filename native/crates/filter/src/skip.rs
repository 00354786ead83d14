//! SkipFilter: rows all of whose cells pass another filter.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode, ValueForm};

/// Drops a row as soon as the inner filter drops one of its cells.
pub(crate) struct SkipFilter {
    /// The inner filter.
    pub inner: Box<dyn Filter>,
    /// The current row is out.
    pub out: bool,
}

impl Filter for SkipFilter {
    fn reset(&mut self) {
        self.inner.reset();
        self.out = false;
    }

    fn filter_row_key(&mut self, _row: &[u8]) -> bool {
        false
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        let code = self.inner.filter_cell(family, cell);
        self.out |= code != ReturnCode::Include;
        code
    }

    fn value_form(&self) -> ValueForm {
        self.inner.value_form()
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }

    fn remembers_rows(&self) -> bool {
        self.inner.remembers_rows()
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }
}
