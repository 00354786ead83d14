//! The engine: regions of stores over memtables, a write-ahead log and column files.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::cast_sign_loss))]

pub mod cache;
pub mod compaction;
pub mod completion;
pub mod config;
mod contain;
pub mod engine;
pub mod env;
pub mod error;
pub mod events;
pub mod fileset;
pub mod filter;
pub mod flush;
pub mod fuzz;
pub mod inspect;
pub mod maintenance;
pub mod memtable;
mod metrics;
pub mod mvcc;
pub mod pressure;
pub mod read;
pub mod region;
pub mod request;
pub mod store;
mod sync;
pub mod wal;

pub use engine::Engine;
pub use error::{Error, ErrorKind, Result};
pub use grampus_colfile::narrow;
pub use read::{NextOutcome, ScanLimits, Scanner};
pub use region::{GetOutcome, GetStatus, MutateStatus, Region};
