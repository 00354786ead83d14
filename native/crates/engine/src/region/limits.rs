//! What a region allows: settings of which a table may have values of its own.

use std::time::Duration;

use serde::Deserialize;

use crate::config::Config;

/// `limits` of `openRegion`; what is absent is the engine's.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct LimitsRequest {
    max_cell_bytes: Option<u64>,
    row_lock_wait_millis: Option<u64>,
    flush_interval_millis: Option<i64>,
    timestamp_slop_millis: Option<i64>,
}

/// What a region allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// No cell may be larger; 0 = no limit.
    pub max_cell_bytes: u64,
    /// How long a call waits for row locks.
    pub row_lock_wait: Duration,
    /// Edits older than this are flushed; 0 or less = never.
    pub flush_interval_millis: i64,
    /// Puts may not be further in the future.
    pub timestamp_slop_millis: Option<i64>,
}

impl Limits {
    /// The region's own values before the engine's.
    pub(crate) fn new(own: &LimitsRequest, config: &Config) -> Limits {
        Limits {
            max_cell_bytes: own.max_cell_bytes.unwrap_or(config.max_cell_bytes),
            row_lock_wait: own.row_lock_wait_millis.map_or(config.row_lock_wait(), Duration::from_millis),
            flush_interval_millis: own.flush_interval_millis.unwrap_or(config.flush_interval_millis),
            timestamp_slop_millis: own.timestamp_slop_millis.or(config.timestamp_slop_millis),
        }
    }

    /// The largest page, in bytes, of a file that others wrote: what reads of large pages may take together, or room for two of the largest
    /// cells as long as a compaction can collect them.
    pub(crate) fn loaded_page_bytes(&self, config: &Config) -> u64 {
        let cells = match self.max_cell_bytes {
            0 => u64::MAX,
            bytes => bytes.saturating_mul(2),
        };
        config.large_read_bytes.max(cells.min(config.compaction_row_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_page_may_have_the_largest_cells_as_far_as_memory_allows() {
        let bytes = |large_reads, cell, memtables| {
            let json = format!(
                "{{\"largeReadBytes\":{large_reads},\"maxCellBytes\":{cell},\"memtableBytes\":{memtables}}}"
            );
            let config = Config::parse(&json).unwrap();
            Limits::new(&LimitsRequest::default(), &config).loaded_page_bytes(&config)
        };
        assert_eq!(bytes(64, 10, 1000), 64);
        assert_eq!(bytes(8, 10, 1000), 20);
        assert_eq!(bytes(8, 10, 40), 10, "a quarter of the memtables");
        assert_eq!(bytes(8, 0, 1000), 250, "any cell");
        assert_eq!(bytes(64, 0, 40), 64);
    }
}
