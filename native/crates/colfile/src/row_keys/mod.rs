//! Pages of row keys: their two encodings, the versions that rows share, and the keys decoded around a place.

pub(crate) mod block;
pub(crate) mod fields;
pub(crate) mod heads;
pub(crate) mod page;
pub(crate) mod prefixes;
pub(crate) mod versions;

#[cfg(test)]
mod tests;

pub(crate) use block::{KeyBlock, RESTART_ROWS};
pub(crate) use fields::KeyScratch;
pub(crate) use heads::KeptHeads;
pub(crate) use page::RowKeyPage;
pub(crate) use versions::SharedVersions;
