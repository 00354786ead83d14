//! The memtable of one store: ordered, arena-backed, read without locks while it is written.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::cast_sign_loss))]

mod arena;
mod cells;
mod cursor;
mod skiplist;

pub use cells::MergedCells;
pub use cursor::MemtableCursor;
pub use skiplist::{Inserter, Memtable};
