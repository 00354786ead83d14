//! What lives in a family directory, which is the only truth about a store's files.
//!
//! Invariants: 1. A file leaves the directory only after the set forgot it; readers keep its descriptor. 2. A replaced file
//! goes to the archive, never away. 3. An output that is in the directory makes its inputs void: an open archives those
//! that a crash left behind before anything is read.

mod archive;
mod bloom_counters;
mod closed_stores;
mod column_content;
mod cursor_spec;
mod file_set;
mod foreign_content;
mod frozen;
mod hfile_name;
mod left_work;
mod link;
mod moving_file;
mod name;
mod opening;
mod page_holders;
mod parts;
mod paths;
mod pending;
mod piece;
mod piece_size;
mod pieces;
mod reference;
mod resolve;
mod row_cursor;
mod store_file;
mod store_files;
mod timed_file;

#[cfg(test)]
mod tests;

pub use bloom_counters::BloomCounters;
pub use closed_stores::{ClosedStore, ClosedStores};
pub use cursor_spec::CursorSpec;
pub use file_set::{OpenReport, StoreFileSet};
pub use frozen::FrozenFile;
pub use name::FileName;
pub use opening::CheckOurs;
pub use parts::Parts;
pub use paths::StoreDir;
pub(crate) use pending::PendingFile;
pub use piece::Piece;
#[cfg(test)]
pub(crate) use piece_size::PIECES_MAX;
pub use piece_size::PieceSize;
pub use pieces::{GroupAmong, RowGroups};
pub use reference::Clip;
#[cfg(test)]
pub(crate) use reference::encode as encode_reference;
pub use store_file::{FileFacts, RowGroupSpan, StoreFile, Warmed};
pub use store_files::StoreFiles;
