//! The memtable of one store: ordered, arena-backed, read without locks while it is written.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod arena;
mod cursor;
mod merged_cells;
mod skiplist;

pub use cursor::MemtableCursor;
pub use merged_cells::MergedCells;
pub use skiplist::{Inserter, Memtable};
