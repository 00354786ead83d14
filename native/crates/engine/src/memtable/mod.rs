//! The memtable of one store: ordered, arena-backed, read without locks while it is written.

pub mod arena;
pub mod cells;
pub mod cursor;
pub mod skiplist;

pub use cells::MergedCells;
pub use cursor::MemtableCursor;
pub use skiplist::{Inserter, Memtable};
