//! Reads: cursors over sources, their merge, and what of it a client may see.

pub mod call;
pub mod columns;
pub mod cursor;
pub mod deletes;
pub mod family_order;
pub mod large_reads;
pub mod new_version;
pub mod plain_run;
pub mod point_files;
pub mod row_scan;
pub mod row_test;
pub mod scan_bounds;
pub mod scan_calls;
pub mod scanner;
pub mod sink;
pub mod store_cursor;
pub mod store_scan;
pub mod tags;
pub mod visibility;

pub use cursor::{RowCursor, SeekTarget};
pub use row_scan::{RowScan, RowState};
pub use scan_bounds::ScanBounds;
pub use scan_calls::{NextOutcome, ScanCalls, ScanLimits};
pub use scanner::Scanner;
pub use store_scan::StoreScan;
