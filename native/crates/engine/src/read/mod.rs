//! Reads: cursors over sources, their merge, and what of it a client may see.

pub mod cursor;

pub use cursor::{RowCursor, SeekTarget};
