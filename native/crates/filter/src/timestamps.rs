//! TimestampsFilter: cells with one of several timestamps.

use std::collections::BTreeSet;

use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// Keeps cells with one of the timestamps.
pub(crate) struct TimestampsFilter {
    /// The timestamps.
    pub timestamps: BTreeSet<i64>,
    /// Versions between two of the timestamps are jumped over, and with them what other filters would say of them.
    pub can_hint: bool,
}

impl Filter for TimestampsFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.timestamps.contains(&cell.timestamp) {
            ReturnCode::Include
        } else if self.timestamps.first().is_none_or(|first| cell.timestamp < *first) {
            ReturnCode::NextColumn
        } else if self.can_hint {
            ReturnCode::Hint
        } else {
            ReturnCode::Skip
        }
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, _family: &[u8], cell: &CellRef<'_>) -> Option<Hint> {
        let older = self.timestamps.range(..cell.timestamp).next_back();
        // Without an older one nothing of the column is left.
        self.can_hint.then(|| Hint::Version(older.copied().unwrap_or(i64::MIN)))
    }
}
