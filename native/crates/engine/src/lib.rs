//! The engine: regions of stores over memtables, a write-ahead log and column files.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

pub mod completion;
mod config;
mod engine;
mod maintenance;
mod metrics;
pub mod mvcc;
mod place;
mod pressure;
mod region;
pub mod reply;
pub mod request;
mod workers;

pub use engine::Engine;
pub use grampus_store::read::ScanLimits;
pub use region::nonces::check_nonce_file;
pub use region::open_request::OpenRequest;
pub use region::scanner::{NextOutcome, Scanner};
pub use region::{GetOutcome, GetStatus, MutateStatus, Region, RegionStats, StoreStats};
