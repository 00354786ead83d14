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
}
