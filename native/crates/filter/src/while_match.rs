//! WhileMatchFilter: the scan until another filter drops something.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode, ValueForm};

/// Ends the scan as soon as the inner filter drops something.
pub(crate) struct WhileMatchFilter {
    /// The inner filter.
    pub inner: Box<dyn Filter>,
    /// The scan is over.
    pub done: bool,
}

impl Filter for WhileMatchFilter {
    fn reset(&mut self) {
        self.inner.reset();
    }

    fn filter_all_remaining(&self) -> bool {
        self.done || self.inner.filter_all_remaining()
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.filter_all_remaining() {
            return true;
        }
        let out = self.inner.filter_row_key(row);
        self.done |= out;
        out
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        let code = self.inner.filter_cell(family, cell);
        self.done |= code != ReturnCode::Include;
        code
    }

    fn value_form(&self) -> ValueForm {
        self.inner.value_form()
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        let out = self.inner.filter_row();
        self.done |= out;
        out
    }

    fn remembers_rows(&self) -> bool {
        true
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }
}
