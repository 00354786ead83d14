//! ColumnPrefixFilter: columns whose qualifier begins with some bytes.

use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// Keeps columns with a prefix.
pub(crate) struct ColumnPrefixFilter {
    /// The prefix.
    pub prefix: Vec<u8>,
}

impl Filter for ColumnPrefixFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if cell.qualifier.starts_with(&self.prefix) {
            ReturnCode::Include
        } else if cell.qualifier < self.prefix.as_slice() {
            ReturnCode::Hint
        } else {
            ReturnCode::NextRow
        }
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> Option<Hint> {
        Some(Hint::Column(self.prefix.clone()))
    }
}
