//! The block cache: decompressed, still encoded pages of all files, within a bound of bytes.
//!
//! Eviction is that of `quick_cache` (S3-FIFO like): a page that is read once leaves before pages that were read again, so a
//! full scan does not push out what gets use.

mod block_cache;
mod cached_pages;

#[cfg(test)]
mod tests;

pub use block_cache::{BlockCache, CacheStats, FileId};
pub use cached_pages::{CacheRules, CachedPages};
