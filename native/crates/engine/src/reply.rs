//! Layouts of what crosses back (`docs/jni.md`): offsets of fields in bytes, little-endian. Java's half is in `org.grampus.engine`; both sides
//! are compared with `native/testdata/boundary/layouts.txt`.

/// What a get writes before its cells.
pub mod get {
    /// Number of cells, u32.
    pub const CELL_COUNT: usize = 0;
    /// Bytes of the cells, u32.
    pub const CELL_BYTES: usize = CELL_COUNT + 4;
    /// Where the cells begin.
    pub const HEADER_BYTES: usize = CELL_BYTES + 4;
}

/// What a mutation batch writes for each operation, before its payload.
pub mod mutation {
    /// One of those below, u8.
    pub const STATUS: usize = 0;
    /// Code of the error's kind, u8; 0 without an error.
    pub const ERROR_KIND: usize = STATUS + 1;
    /// Bytes of the payload, u32 behind two zeros.
    pub const PAYLOAD_LENGTH: usize = ERROR_KIND + 1 + 2;
    /// Where the payload begins.
    pub const HEADER_BYTES: usize = PAYLOAD_LENGTH + 4;

    /// Done, without cells.
    pub const DONE: u8 = 0;
    /// Done; the payload is the number of cells, u32, and the cells.
    pub const DONE_WITH_CELLS: u8 = 1;
    /// The condition did not hold.
    pub const NOT_MATCHED: u8 = 2;
    /// Failed; the payload is the reason.
    pub const FAILED: u8 = 3;
}

/// What a call of a scanner writes to its info buffer.
pub mod scan_info {
    use grampus_store::read::ScanCounts;
    pub use grampus_store::read::{INFO_BYTES as RESULTS, Stop};

    /// Results, u32.
    pub const RESULT_COUNT: usize = 0;
    /// Bytes of their cells, u32.
    pub const CELL_BYTES: usize = RESULT_COUNT + 4;
    /// The region has no more for the scan, u8.
    pub const END_OF_REGION: usize = CELL_BYTES + 4;
    /// The filter wants nothing more, u8.
    pub const FILTER_ALL_REMAINING: usize = END_OF_REGION + 1;
    /// Why the call ended, u8, and a zero.
    pub const STOP_REASON: usize = FILTER_ALL_REMAINING + 1;
    /// Room that the next call needs, u32.
    pub const NEEDED_BYTES: usize = STOP_REASON + 2;
    /// Rows looked at, u64; this and the next two since the scanner was opened.
    pub const ROWS_SCANNED: usize = NEEDED_BYTES + 4;
    /// Rows that a filter dropped, u64.
    pub const ROWS_FILTERED: usize = ROWS_SCANNED + 8;
    /// Bytes of cells looked at, u64.
    pub const BYTES_SCANNED: usize = ROWS_FILTERED + 8;
    /// The scanner's read point, u64.
    pub const READ_POINT: usize = BYTES_SCANNED + 8;
    /// Rows that were returned to their ends, u32.
    pub const COMPLETE_ROWS: usize = READ_POINT + 8;
    /// Bytes of the row looked at last, u32; the row ends the block.
    pub const LAST_ROW_LENGTH: usize = COMPLETE_ROWS + 4;

    /// What is said of a call beside its results.
    pub struct Head {
        /// Results.
        pub results: u32,
        /// Bytes of their cells.
        pub cell_bytes: usize,
        /// The region has no more for the scan.
        pub end_of_region: bool,
        /// The filter wants nothing more.
        pub filter_all_remaining: bool,
        /// Why the call ended.
        pub stop: Stop,
        /// Room that the next call needs.
        pub needed_bytes: usize,
        /// What was looked at since the scanner was opened.
        pub counts: ScanCounts,
        /// The scanner's read point.
        pub read_point: u64,
        /// Rows that were returned to their ends.
        pub complete_rows: u32,
    }

    impl Head {
        /// Writes the fields before the results, and behind them the row looked at last. What does not fit is left out.
        pub fn write(&self, last_row: &[u8], info: &mut [u8]) {
            let bytes = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes();
            let mut head = [0u8; RESULTS];
            let mut put = |at: usize, field: &[u8]| head[at..at + field.len()].copy_from_slice(field);
            put(RESULT_COUNT, &self.results.to_le_bytes());
            put(CELL_BYTES, &bytes(self.cell_bytes));
            put(END_OF_REGION, &[u8::from(self.end_of_region)]);
            put(FILTER_ALL_REMAINING, &[u8::from(self.filter_all_remaining)]);
            put(STOP_REASON, &[self.stop as u8]);
            put(NEEDED_BYTES, &bytes(self.needed_bytes));
            put(ROWS_SCANNED, &self.counts.rows_scanned.to_le_bytes());
            put(ROWS_FILTERED, &self.counts.rows_filtered.to_le_bytes());
            put(BYTES_SCANNED, &self.counts.bytes_scanned.to_le_bytes());
            put(READ_POINT, &self.read_point.to_le_bytes());
            put(COMPLETE_ROWS, &self.complete_rows.to_le_bytes());
            put(LAST_ROW_LENGTH, &bytes(last_row.len()));
            if let Some(field) = info.get_mut(..RESULTS) {
                field.copy_from_slice(&head);
            }
            let at = RESULTS + 4 * self.results as usize;
            if let Some(field) = info.get_mut(at..at + last_row.len()) {
                field.copy_from_slice(last_row);
            }
        }
    }
}
