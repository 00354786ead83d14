//! The first error of a filter tree's comparators, and the filter that ends a read for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grampus_base::{Error, Result};
use grampus_cells::CellRef;
use parking_lot::Mutex;

use crate::{Filter, Hint, ReturnCode, RowCell, SingleColumnValueFilter, ValueForm};

/// The first error of a filter tree's comparators.
#[derive(Default)]
pub struct Failure {
    expected: AtomicBool,
    failed: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl Failure {
    /// A comparator of the tree may fail.
    pub(super) fn expect(&self) {
        self.expected.store(true, Ordering::Relaxed);
    }

    /// Keeps the error unless there is one.
    pub(crate) fn set(&self, error: Error) {
        self.error.lock().get_or_insert(error);
        self.failed.store(true, Ordering::Release);
    }

    /// Whether a comparator has failed.
    pub(crate) fn is_set(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// The error, once.
    fn take(&self) -> Option<Error> {
        self.error.lock().take()
    }
}

/// A filter tree with comparators that may fail. After a failure it wants nothing more, so that the read comes to its end, and the
/// error, at once.
pub struct Guard {
    inner: Box<dyn Filter>,
    failure: Arc<Failure>,
}

impl Guard {
    /// The tree, guarded if one of its comparators may fail.
    pub fn over(inner: Box<dyn Filter>, failure: Arc<Failure>) -> Box<dyn Filter> {
        if failure.expected.load(Ordering::Relaxed) { Box::new(Guard { inner, failure }) } else { inner }
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

    fn check(&self) -> Result<()> {
        match self.failure.is_set() {
            true => Err(self
                .failure
                .take()
                .unwrap_or_else(|| super::bad("a pattern of the filter has failed before"))),
            false => Ok(()),
        }
    }
}
