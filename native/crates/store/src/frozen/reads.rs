//! What was read of a frozen region's files.

use std::sync::Arc;

use super::FrozenRegion;

/// Pages that the readers of a frozen region have asked for since its files were opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrozenReads {
    /// Pages that were in the cache.
    pub cache_hits: u64,
    /// Pages that were not.
    pub cache_misses: u64,
    /// Bytes of pages that were read of files, as they are stored. What is read of a file when it is opened is not among them.
    pub read_bytes: u64,
}

impl FrozenRegion {
    /// What all scans, cuts and looks for columns have read so far, those that run included. Where its stores share a cache with another region's
    /// they count as one.
    pub fn reads(&self) -> FrozenReads {
        let mut reads = FrozenReads::default();
        for (at, store) in self.stores.iter().enumerate() {
            let counted = self.stores.iter().take(at).any(|before| Arc::ptr_eq(&before.cache, &store.cache));
            if !counted {
                let stats = store.cache.stats();
                reads.cache_hits += stats.hit_count;
                reads.cache_misses += stats.miss_count;
                reads.read_bytes += stats.read_bytes;
            }
        }
        reads
    }
}
