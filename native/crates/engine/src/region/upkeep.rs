//! Flush, compaction and split point of a region.

use super::Region;
use crate::error::{Error, ErrorKind, Result};

impl Region {
    /// Flushes the memtables.
    pub fn flush(&self) -> Result<String> {
        Err(Error::new(ErrorKind::Bug, "column files are not connected yet"))
    }

    /// Queues a compaction.
    pub fn compact(&self, _request_json: &str) -> Result<()> {
        Err(Error::new(ErrorKind::Bug, "column files are not connected yet"))
    }

    /// A row strictly inside the region near the middle of its data.
    pub fn split_point(&self) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }
}
