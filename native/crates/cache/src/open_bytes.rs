//! What one open file takes of the cache's bytes.

use std::sync::Arc;

use super::BlockCache;

/// Taken from the cache's bytes until this is dropped.
pub(super) struct OpenBytes {
    cache: Arc<BlockCache>,
    bytes: u64,
}

impl OpenBytes {
    pub(super) fn take(cache: &Arc<BlockCache>, bytes: u64) -> OpenBytes {
        cache.take(bytes);
        OpenBytes { cache: Arc::clone(cache), bytes }
    }
}

impl Drop for OpenBytes {
    fn drop(&mut self) {
        self.cache.give_back(self.bytes);
    }
}
