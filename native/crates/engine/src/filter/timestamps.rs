//! TimestampsFilter: cells with one of several timestamps.

use std::collections::BTreeSet;

use grampus_colfile::CellRef;

use super::{Filter, ReturnCode};

/// Keeps cells with one of the timestamps.
pub struct TimestampsFilter {
    /// The timestamps.
    pub timestamps: BTreeSet<i64>,
}

impl Filter for TimestampsFilter {
    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.timestamps.contains(&cell.timestamp) {
            ReturnCode::Include
        } else if self.timestamps.first().is_none_or(|first| cell.timestamp < *first) {
            ReturnCode::NextColumn
        } else {
            ReturnCode::Skip
        }
    }
}
