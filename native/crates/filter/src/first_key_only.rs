//! FirstKeyOnlyFilter and FirstKeyValueMatchingQualifiersFilter: the first cell of each row.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Keeps the cells of a row up to the first one that counts.
pub(crate) struct FirstKeyOnlyFilter {
    /// Only cells with one of these qualifiers count; `None` = every cell.
    pub qualifiers: Option<Vec<Vec<u8>>>,
    /// It was met.
    pub found: bool,
}

impl Filter for FirstKeyOnlyFilter {
    fn reset(&mut self) {
        self.found = false;
    }

    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.found {
            return ReturnCode::NextRow;
        }
        self.found = self.qualifiers.as_ref().is_none_or(|known| known.iter().any(|q| q == cell.qualifier));
        ReturnCode::Include
    }
}
