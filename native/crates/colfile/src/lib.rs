//! The column file: one family of one region, rows sorted, immutable, checksummed per page.
//!
//! This crate knows the file format and nothing else: no threads, no engine types, no file system. It reads through
//! [`RandomRead`] and writes through [`std::io::Write`]. The byte layout is in `docs/format/colfile.md`.

pub mod cell;
pub mod compression;
pub mod options;
pub mod range;
pub mod row_order;
pub mod source;

pub use cell::{CellRef, CellType};
pub use compression::Compression;
pub use options::{BloomKind, WriterOptions};
pub use range::{Direction, RowBound, RowRange};
pub use row_order::RowOrder;
pub use source::RandomRead;
