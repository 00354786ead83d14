//! A scan's rows column by column, as far as they can be had so.

use grampus_cells::{ColumnRunSink, RunRoom};

use crate::read::scan_bounds::{CELL_EXTRA_BYTES, ScanBounds};

/// Takes rows of one family column by column: `key` for each row, then `column` for each column that one of them has, with a `value` for each of its
/// cells. What goes wrong it keeps to itself until its owner asks.
pub trait ColumnSink {
    /// What it takes before it must be asked again; less than a row has is nothing.
    fn room(&self) -> RunRoom;

    /// The next row. The first one has the number 0.
    fn key(&mut self, row: &[u8]);

    /// The values up to the next call are of this column. False if they are not wanted.
    fn column(&mut self, family: &[u8], qualifier: &[u8]) -> bool;

    /// A value of a row, by its number.
    fn value(&mut self, row: u32, timestamp: i64, value: &[u8]);
}

/// One run: what the scan sees of it, and what it has looked at.
pub(super) struct ColumnRun<'a, S> {
    sink: &'a mut S,
    family: &'a [u8],
    bounds: &'a ScanBounds,
    /// First and last timestamp of cells that the scan sees.
    times: (i64, i64),
    /// The last row that was taken.
    row: &'a mut Vec<u8>,
    /// Lengths of the keys in bytes, which each cell counts.
    key_lengths: Vec<usize>,
    qualifier_bytes: usize,
    bytes: u64,
}

impl<'a, S: ColumnSink> ColumnRun<'a, S> {
    pub(super) fn new(
        sink: &'a mut S,
        family: &'a [u8],
        bounds: &'a ScanBounds,
        times: (i64, i64),
        row: &'a mut Vec<u8>,
    ) -> ColumnRun<'a, S> {
        ColumnRun { sink, family, bounds, times, row, key_lengths: Vec::new(), qualifier_bytes: 0, bytes: 0 }
    }

    /// Rows that have a cell.
    pub(super) fn rows(&self) -> u64 {
        self.key_lengths.len() as u64
    }

    /// Bytes of cells that were looked at.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<S: ColumnSink> ColumnRunSink for ColumnRun<'_, S> {
    fn room(&self) -> RunRoom {
        let room = self.sink.room();
        // A row that may be too large is for the walk, which refuses it.
        let bytes = usize::try_from(self.bounds.row_bytes_max / 2).unwrap_or(usize::MAX);
        RunRoom { bytes: room.bytes.min(bytes), ..room }
    }

    fn reaches(&self, row: &[u8]) -> bool {
        !self.bounds.is_past_stop(row)
    }

    fn sees(&self, first: i64, last: i64) -> bool {
        self.times.0 <= first && last <= self.times.1
    }

    fn key(&mut self, row: &[u8]) {
        self.row.clear();
        self.row.extend_from_slice(row);
        self.key_lengths.push(row.len());
        self.sink.key(row);
    }

    fn column(&mut self, qualifier: &[u8]) -> bool {
        self.qualifier_bytes = qualifier.len();
        self.sink.column(self.family, qualifier)
    }

    #[inline]
    fn value(&mut self, row: u32, timestamp: i64, value: &[u8]) {
        let key = self.key_lengths.get(row as usize).copied().unwrap_or(0);
        self.bytes += (key + self.qualifier_bytes + value.len()) as u64 + CELL_EXTRA_BYTES;
        self.sink.value(row, timestamp, value);
    }
}
