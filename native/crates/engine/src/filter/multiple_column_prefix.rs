//! MultipleColumnPrefixFilter: columns whose qualifier begins with one of several prefixes.

use std::collections::BTreeSet;
use std::ops::Bound;

use grampus_colfile::CellRef;

use super::{Filter, Hint, ReturnCode};

/// Keeps columns with one of the prefixes.
pub struct MultipleColumnPrefixFilter {
    /// The prefixes.
    pub prefixes: BTreeSet<Vec<u8>>,
}

impl Filter for MultipleColumnPrefixFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.prefixes.is_empty() {
            return ReturnCode::Include;
        }
        let range = (Bound::Unbounded, Bound::Included(cell.qualifier));
        match self.prefixes.range::<[u8], _>(range).next_back() {
            Some(prefix) if cell.qualifier.starts_with(prefix) => ReturnCode::Include,
            Some(prefix) if self.prefixes.last() == Some(prefix) => ReturnCode::NextRow,
            _ => ReturnCode::Hint,
        }
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, cell: &CellRef<'_>) -> Option<Hint> {
        let range = (Bound::Excluded(cell.qualifier), Bound::Unbounded);
        self.prefixes.range::<[u8], _>(range).next().cloned().map(Hint::Column)
    }
}
