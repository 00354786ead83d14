//! What a log has of one table.

use grampus_base::Counter;

/// Records of one table.
#[derive(Default)]
pub(crate) struct TableAppends {
    /// How many.
    pub(crate) records: Counter,
    /// Their bytes.
    pub(crate) bytes: Counter,
}
