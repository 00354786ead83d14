//! FuzzyRowFilter: rows whose key matches a pattern with fixed and free bytes.

use grampus_colfile::CellRef;

use super::{Filter, ReturnCode};

/// Keeps rows that match one of the patterns.
pub struct FuzzyRowFilter {
    /// Keys with their masks; a set mask byte is a free position.
    pub patterns: Vec<(Vec<u8>, Vec<bool>)>,
    /// The current row matches.
    pub matched: bool,
}

impl FuzzyRowFilter {
    fn matches(&self, row: &[u8]) -> bool {
        self.patterns.iter().any(|(key, free)| {
            row.len() >= key.len() && key.iter().zip(free).zip(row).all(|((k, free), r)| *free || k == r)
        })
    }
}

impl Filter for FuzzyRowFilter {
    fn reset(&mut self) {
        self.matched = false;
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        self.matched = self.matches(row);
        false
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        if self.matched { ReturnCode::Include } else { ReturnCode::NextRow }
    }
}
