//! Reads: cursors over sources, their merge, and what of it a client may see.

mod call;
mod cell_run;
mod column_run;
mod columns;
pub(crate) mod deletes;
mod family_order;
mod fast_path;
mod heap_size;
mod match_code;
pub(crate) mod new_version;
mod plan;
mod point_files;
mod row_scan;
mod row_test;
mod scan_bounds;
mod sink;
mod spec;
mod store_cursor;
mod store_scan;
mod visibility;

pub(crate) use call::MORE_CELLS;
pub use call::{Call, CallProgress, DROPPED_BYTES_MAX, INFO_BYTES, ScanLimits, Stop};
pub use column_run::ColumnSink;
pub use fast_path::RunEnd;
pub use heap_size::heap_size;
pub use plan::{FamilyRead, ReadPlan, ReadStore, RowLimits};
pub use point_files::{PointFiles, PointRead};
pub use row_scan::{RowScan, RowState, RowStep};
pub use scan_bounds::ScanCounts;
pub use sink::{BoundedSink, CellSink, FixedSink, OVERFLOW_BYTES, ResultSink, ScanSink};
pub use spec::{FamilySpec, ReadSpec, read_range};
pub use store_cursor::StoreCursor;
