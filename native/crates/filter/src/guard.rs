//! Where a read with patterns ends when one of them fails.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::CellRef;

use crate::pattern::Failure;
use crate::{Filter, Hint, ReturnCode, RowCell, SingleColumnValueFilter, ValueForm};

/// A filter tree with comparators that may fail. After a failure it wants nothing more, so that the read comes to its end, and the
/// error, at once.
pub(crate) struct Guard {
    inner: Box<dyn Filter>,
    failure: Arc<Failure>,
}

impl Guard {
    /// The tree, guarded if one of its comparators may fail.
    pub(crate) fn over(inner: Box<dyn Filter>, failure: Arc<Failure>) -> Box<dyn Filter> {
        if failure.is_expected() { Box::new(Guard { inner, failure }) } else { inner }
    }
}

impl Filter for Guard {
    fn reset(&mut self) {
        self.inner.reset();
    }

    fn filter_all_remaining(&self) -> bool {
        self.failure.is_set() || self.inner.filter_all_remaining()
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let dropped = self.failure.is_set() || self.inner.filter_row_key(row);
        dropped || self.failure.is_set()
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        let code = self.inner.filter_cell(family, cell);
        if self.failure.is_set() { ReturnCode::NextRow } else { code }
    }

    fn value_form(&self) -> ValueForm {
        self.inner.value_form()
    }

    fn has_filter_row(&self) -> bool {
        self.inner.has_filter_row()
    }

    fn drops_cell(&self, cell: &RowCell<'_>) -> bool {
        self.inner.drops_cell(cell)
    }

    fn has_filter_row_cells(&self) -> bool {
        self.inner.has_filter_row_cells()
    }

    fn filter_row(&mut self) -> bool {
        self.inner.filter_row() || self.failure.is_set()
    }

    fn hint(&mut self, family: &[u8], cell: &CellRef<'_>) -> Option<Hint> {
        self.inner.hint(family, cell)
    }

    fn single_column(&self, index: usize) -> Option<&SingleColumnValueFilter> {
        self.inner.single_column(index)
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }

    fn remembers_rows(&self) -> bool {
        self.inner.remembers_rows()
    }

    fn may_search(&self) -> bool {
        true
    }

    fn take_search(&self) -> bool {
        self.failure.take_search()
    }

    fn check(&self) -> Result<()> {
        match self.failure.is_set() {
            true => Err(self.failure.take().unwrap_or_else(|| {
                Error::new(ErrorKind::BadRequest, "a pattern of the filter has failed before")
            })),
            false => Ok(()),
        }
    }
}
