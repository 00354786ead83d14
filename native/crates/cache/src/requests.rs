//! Pages asked for, by how the reader wants them.

use grampus_base::Counter;
use grampus_colfile::Access;

/// A count in two parts.
#[derive(Default)]
pub(super) struct Requests {
    /// Reads that let pages in.
    caching: Counter,
    /// Reads that do not: `setCacheBlocks(false)`, compactions.
    passing: Counter,
}

impl Requests {
    #[inline]
    pub(super) fn count(&self, access: Access) {
        if access.cache { self.caching.add(1) } else { self.passing.add(1) }
    }

    /// Of reads that let pages in.
    pub(super) fn caching(&self) -> u64 {
        self.caching.get()
    }

    /// Of all reads.
    pub(super) fn sum(&self) -> u64 {
        self.caching.get() + self.passing.get()
    }
}
