//! MultipleColumnPrefixFilter: columns whose qualifier begins with one of several prefixes.

use std::collections::BTreeSet;
use std::ops::Bound;

use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// Keeps columns with one of the prefixes.
pub(crate) struct MultipleColumnPrefixFilter {
    prefixes: BTreeSet<Vec<u8>>,
    /// The next prefix behind the last cell that had none.
    next: Option<Vec<u8>>,
}

impl MultipleColumnPrefixFilter {
    /// A filter of prefixes, in any order.
    pub(crate) fn new(prefixes: Vec<Vec<u8>>) -> MultipleColumnPrefixFilter {
        MultipleColumnPrefixFilter { prefixes: prefixes.into_iter().collect(), next: None }
    }
}

impl Filter for MultipleColumnPrefixFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.prefixes.is_empty() {
            return ReturnCode::Include;
        }
        let up_to_here = (Bound::Unbounded, Bound::Included(cell.qualifier));
        let before = self.prefixes.range::<[u8], _>(up_to_here).next_back();
        if before.is_some_and(|prefix| cell.qualifier.starts_with(prefix)) {
            return ReturnCode::Include;
        }
        let behind = (Bound::Excluded(cell.qualifier), Bound::Unbounded);
        match self.prefixes.range::<[u8], _>(behind).next() {
            None => ReturnCode::NextRow,
            next => {
                self.next = next.cloned();
                ReturnCode::Hint
            }
        }
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> Option<Hint> {
        self.next.clone().map(Hint::Column)
    }
}
