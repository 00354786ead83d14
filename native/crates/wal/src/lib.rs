//! The write-ahead log. The byte layout is in `docs/format/wal.md`.
//!
//! Invariants: 1. A region's records are in a log in the order of their sequence ids. 2. Nothing is acknowledged or visible before
//! its group is written, and synced where asked. 3. A segment leaves the directory only when every region in it has flushed past it.
//! 4. A region that closed in order has a settled mark as long as a segment may have edits of it.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod durability;
mod finished;
mod follower;
mod group;
mod left_out;
mod log;
mod output;
mod progress;
mod reader;
pub mod record;
mod region_log;
pub mod segment;
pub mod settled;
pub mod split;
mod table_appends;

pub use durability::Durability;
pub use follower::Follower;
pub use left_out::LeftOut;
pub use log::{OnLoss, Wal, WalSettings};
pub use output::{Attempt, UNFINISHED_SUFFIX};
pub use progress::{LogProgress, Need};
pub use reader::SegmentReader;
pub use record::{Edit, Record, RecordBuilder};
pub use region_log::RegionLog;
