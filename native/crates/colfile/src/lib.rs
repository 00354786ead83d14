//! The column file: one family of one region, rows sorted, immutable, checksummed per page.
//!
//! This crate knows the file format and nothing else: no threads, no engine types, no file system. It reads through
//! [`RandomRead`](grampus_base::RandomRead) and writes through [`std::io::Write`]. The byte layout is in `docs/format/colfile.md`.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod allocation;
#[doc(hidden)]
pub mod bench;
mod bloom;
mod bytes;
mod cell_page;
mod column_file;
mod compression;
mod cursor;
mod encoding;
pub mod error;
#[cfg(test)]
mod every_column;
mod footer;
#[cfg(test)]
mod forged;
pub mod format_version;
pub mod fuzz;
mod hash;
mod hfile_tail;
pub mod info_keys;
pub mod inspect;
mod memory_file;
mod options;
pub mod page;
mod page_kind;
mod page_source;
mod prefetch;
mod presence;
mod qualifiers;
mod row_group;
mod row_keys;
pub mod verify;
mod writer;
pub mod zone_map;

pub use column_file::{ColumnFile, RawBytes, RowGroupInfo};
pub use compression::Compression;
pub use cursor::{CursorOptions, FileCursor, RowsByRank};
pub use error::{Error, Result};
pub use hfile_tail::FileInfo;
pub use options::{BloomKind, WriterOptions};
pub use page::{Page, PageAt, PageKind};
pub use page_source::{Access, DirectPages, PageSource};
pub use presence::Presence;
pub use qualifiers::Qualifiers;
pub use writer::{ColumnFileWriter, FinishInfo, Summary};
