//! The block cache: decompressed, still encoded pages of all files, within a bound of bytes.
//!
//! Eviction is that of `quick_cache` (S3-FIFO like): a page that is read once leaves before pages that were read again, so a
//! full scan does not push out what gets use.
//!
//! What has to leave may go to a second tier, in files ([`Tier`]); a page that is not in memory is looked for there before it is
//! read from its own file.
//!
//! The files that are open share the cache's bytes with the pages: see `room`.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod block_cache;
mod cached_pages;
mod io_times;
mod key;
pub mod large_reads;
mod open_bytes;
mod requests;
mod room;
mod tier;
mod wanted;

#[cfg(test)]
mod tests;

pub use block_cache::{BlockCache, CacheStats};
pub use cached_pages::{CacheRules, CachedPages};
pub use io_times::IoTimes;
pub use key::FileId;
#[doc(hidden)]
pub use tier::{Tier, TierConfig, TierStats, decode_index, decode_record};
