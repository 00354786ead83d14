//! What a call of a scanner says beside its cells.

/// The decoded info block of a scanner call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanInfo {
    /// Cells of each result and whether more of its row may follow.
    pub results: Vec<(u32, bool)>,
    /// Bytes of cells.
    pub cell_bytes: u32,
    /// Nothing is left.
    pub end: bool,
    /// The filter wants nothing more.
    pub filter_all_remaining: bool,
    /// Why the call ended.
    pub stop_reason: u8,
    /// Size that the next result needs.
    pub needed: u32,
    /// Rows scanned since the open.
    pub rows_scanned: u64,
    /// Rows filtered since the open.
    pub rows_filtered: u64,
    /// Read point.
    pub read_point: u64,
    /// Complete rows.
    pub complete_rows: u32,
    /// The row looked at last.
    pub last_row: Vec<u8>,
}

impl ScanInfo {
    /// Decodes an info block.
    pub fn decode(info: &[u8]) -> ScanInfo {
        let u32_at = |at: usize| u32::from_le_bytes(info[at..at + 4].try_into().unwrap_or_default());
        let u64_at = |at: usize| u64::from_le_bytes(info[at..at + 8].try_into().unwrap_or_default());
        let count = u32_at(0) as usize;
        let results =
            (0..count).map(|i| u32_at(56 + 4 * i)).map(|n| (n & !(1 << 31), n >> 31 == 1)).collect();
        let row_at = 56 + 4 * count;
        ScanInfo {
            results,
            cell_bytes: u32_at(4),
            end: info[8] == 1,
            filter_all_remaining: info[9] == 1,
            stop_reason: info[10],
            needed: u32_at(12),
            rows_scanned: u64_at(16),
            rows_filtered: u64_at(24),
            read_point: u64_at(40),
            complete_rows: u32_at(48),
            last_row: info[row_at..row_at + u32_at(52) as usize].to_vec(),
        }
    }
}
