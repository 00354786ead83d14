//! The engine: regions of stores over memtables, a write-ahead log and column files.

pub mod error;
pub mod read;

pub use error::{Error, ErrorKind, Result};
