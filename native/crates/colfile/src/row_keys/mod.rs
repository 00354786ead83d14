//! Pages of row keys: their two encodings, the versions that rows share, and the keys decoded around a place.

pub(crate) mod block;
pub(crate) mod fields;
pub(crate) mod heads;
pub(crate) mod page;
pub(crate) mod prefixes;
pub(crate) mod versions;

#[cfg(test)]
mod tests;

/// The most rows of a page for each byte of its body. Keys differ, so that at least one bit of a field, or the end of a run, tells 128 rows, which a block
/// of integers may have for nothing, from the next 128.
pub(crate) const ROWS_PER_BYTE_MAX: u64 = 1024;

pub(crate) use block::{KeyBlock, RESTART_ROWS};
pub(crate) use fields::KeyScratch;
pub(crate) use heads::KeptHeads;
pub(crate) use page::RowKeyPage;
pub(crate) use versions::SharedVersions;
