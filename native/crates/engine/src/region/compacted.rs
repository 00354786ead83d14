//! What a region's compactions have done since it was opened.

use grampus_base::Counter;

/// Counts and sums over its compactions.
#[derive(Default)]
pub(super) struct Compacted {
    /// Compactions done.
    pub(super) count: Counter,
    /// Those that failed.
    pub(super) failed: Counter,
    /// Files that those done have read.
    pub(super) files: Counter,
    /// Bytes of them.
    pub(super) bytes: Counter,
}
