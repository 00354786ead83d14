//! ColumnRangeFilter: columns between two qualifiers.

use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// Keeps columns of a range.
pub(crate) struct ColumnRangeFilter {
    /// Lowest qualifier and whether it belongs to the range.
    pub min: Option<(Vec<u8>, bool)>,
    /// Highest qualifier and whether it belongs to the range.
    pub max: Option<(Vec<u8>, bool)>,
}

impl Filter for ColumnRangeFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if let Some((min, included)) = &self.min {
            if cell.qualifier < min.as_slice() {
                return ReturnCode::Hint;
            }
            if !included && cell.qualifier == min.as_slice() {
                return ReturnCode::NextColumn;
            }
        }
        match &self.max {
            Some((max, true)) if cell.qualifier > max.as_slice() => ReturnCode::NextRow,
            Some((max, false)) if cell.qualifier >= max.as_slice() => ReturnCode::NextRow,
            _ => ReturnCode::Include,
        }
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> Option<Hint> {
        self.min.as_ref().map(|(min, _)| Hint::Column(min.clone()))
    }
}
