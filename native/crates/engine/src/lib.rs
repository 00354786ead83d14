//! The engine: regions of stores over memtables, a write-ahead log and column files.

pub mod engine;
pub mod error;
pub mod read;
pub mod region;

pub use engine::Engine;
pub use error::{Error, ErrorKind, Result};
pub use region::{GetOutcome, GetStatus, MutateStatus, NextOutcome, Region, ScanLimits, Scanner};
