//! ColumnPaginationFilter: a page of the columns of a row.

use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// Keeps `limit` columns after an offset or from a column on.
pub(crate) struct ColumnPaginationFilter {
    /// Columns wanted.
    pub limit: i64,
    /// Columns to skip.
    pub offset: i64,
    /// The first column; replaces the offset.
    pub column: Option<Vec<u8>>,
    /// Columns so far.
    pub count: i64,
}

impl Filter for ColumnPaginationFilter {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if let Some(column) = &self.column {
            if self.count >= self.limit {
                return ReturnCode::NextRow;
            }
            if self.count == 0 && cell.qualifier < column.as_slice() {
                return ReturnCode::Hint;
            }
            self.count += 1;
            return ReturnCode::IncludeNextColumn;
        }
        if self.count >= self.offset + self.limit {
            return ReturnCode::NextRow;
        }
        let code =
            if self.count < self.offset { ReturnCode::NextColumn } else { ReturnCode::IncludeNextColumn };
        self.count += 1;
        code
    }

    fn hint(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> Option<Hint> {
        self.column.clone().map(Hint::Column)
    }
}
