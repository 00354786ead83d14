//! Cells: what they are, how they are ordered and encoded, which ranges of them a read asks for, and how a walk over them looks.
//!
//! Column files, memtables, the log and filters speak to each other in these types and know nothing else of each other.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod byte_reader;
mod cell;
pub mod cell_codec;
mod column_run;
mod fast_path;
mod range;
mod row_cursor;
mod row_order;
mod strings;
pub mod tags;
mod time_range;
mod value_bounds;

pub use byte_reader::ByteReader;
pub use cell::{CellRef, CellType};
pub use cell_codec::WireCell;
pub use column_run::{ColumnRunSink, RunBuffers, RunColumns, RunRoom, RunValues};
pub use fast_path::{After, Dropped, FastPathSink, PredicateColumn};
pub use range::{Direction, RowBound, RowRange};
pub use row_cursor::{RowCursor, SeekTarget};
pub use row_order::RowOrder;
pub use strings::Strings;
pub use time_range::TimeRange;
pub use value_bounds::ValueBounds;
