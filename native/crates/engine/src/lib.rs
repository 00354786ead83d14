//! The engine: regions of stores over memtables, a write-ahead log and column files.

pub mod cache;
pub mod compaction;
pub mod env;
pub mod error;
pub mod fileset;
pub mod flush;
pub mod read;
pub mod store;

pub use error::{Error, ErrorKind, Result};
