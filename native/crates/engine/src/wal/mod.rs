//! The write-ahead log. The byte layout is in `docs/format/wal.md`.
//!
//! Invariants: 1. A region's records are in a log in the order of their sequence ids. 2. Nothing is acknowledged or visible before
//! its group is written, and synced where asked. 3. A segment leaves the directory only when every region in it has flushed past it.
//! 4. A region that closed in order has a settled mark as long as a segment may have edits of it.

mod finished;
pub mod group;
pub mod left_out;
pub mod log;
pub mod reader;
pub mod record;
mod region_log;
pub mod segment;
pub mod settled;
pub mod split;

pub use log::{Wal, WalSettings};
pub use reader::SegmentReader;
pub use record::{Edit, RecordBuilder};
pub use region_log::RegionLog;
