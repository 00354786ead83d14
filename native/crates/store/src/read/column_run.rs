//! A scan's rows column by column, as far as they can be had so.

use grampus_cells::{ColumnRunSink, RunColumns, RunRoom, cell_codec};

use crate::read::scan_bounds::{CELL_EXTRA_BYTES, ScanBounds};

/// Takes rows of one family column by column, run by run: `begin`, then `key` for each row, then `column` for each column that one of them has, with a
/// `value` for each of its cells. What goes wrong it keeps to itself until its owner asks, and has no more room.
pub trait ColumnSink {
    /// What it takes in the next run, which has these columns; less than a row has is nothing.
    fn room(&self, columns: RunColumns) -> RunRoom;

    /// A run begins; its first row has the number 0.
    fn begin(&mut self);

    /// The next row.
    fn key(&mut self, row: &[u8]);

    /// The values up to the next call are of this column.
    fn column(&mut self, family: &[u8], qualifier: &[u8]);

    /// A value of a row, by its number in the run and by its key.
    fn value(&mut self, row: u32, key: &[u8], timestamp: i64, value: &[u8]);
}

/// One run: what the scan sees of it, and what it has looked at.
pub(super) struct ColumnRun<'a, S> {
    sink: &'a mut S,
    family: &'a [u8],
    bounds: &'a ScanBounds,
    /// First and last timestamp of cells that the scan sees.
    times: (i64, i64),
    /// The keys of the rows one behind the other.
    keys: Vec<u8>,
    rows: Vec<RunRow>,
    /// The key of the last row, if it has no cell.
    passed: Vec<u8>,
    /// What a cell of the column has beside key and value, as it is encoded and as it is counted.
    cell_bytes: u64,
    counted_bytes: u64,
    bytes: u64,
    /// The first row found that has more bytes than a row may have.
    too_big: Option<u32>,
}

/// Where the key of a row ends, and the bytes of its cells as they would be encoded.
#[derive(Clone, Copy, Default)]
struct RunRow {
    key_end: usize,
    bytes: u64,
}

impl<'a, S: ColumnSink> ColumnRun<'a, S> {
    pub(super) fn new(
        sink: &'a mut S,
        family: &'a [u8],
        bounds: &'a ScanBounds,
        times: (i64, i64),
    ) -> ColumnRun<'a, S> {
        sink.begin();
        ColumnRun {
            sink,
            family,
            bounds,
            times,
            keys: Vec::new(),
            rows: Vec::new(),
            passed: Vec::new(),
            cell_bytes: 0,
            counted_bytes: 0,
            bytes: 0,
            too_big: None,
        }
    }

    /// Rows that have a cell.
    pub(super) fn rows(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Bytes of cells that were looked at.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The key of the last row, whether it has a cell or not.
    pub(super) fn last_key(&self) -> Option<&[u8]> {
        if !self.passed.is_empty() {
            return Some(&self.passed);
        }
        let last = self.rows.len().checked_sub(1)?;
        Some(key_of(&self.keys, &self.rows, last))
    }

    /// The key of a row that has more bytes than a row may have.
    pub(super) fn too_big(&self) -> Option<&[u8]> {
        self.too_big.map(|row| key_of(&self.keys, &self.rows, row as usize))
    }
}

fn key_of<'k>(keys: &'k [u8], rows: &[RunRow], row: usize) -> &'k [u8] {
    let end = |row: usize| rows.get(row).map_or(0, |row| row.key_end);
    keys.get(row.checked_sub(1).map_or(0, end)..end(row)).unwrap_or_default()
}

impl<S: ColumnSink> ColumnRunSink for ColumnRun<'_, S> {
    fn room(&self, columns: RunColumns) -> RunRoom {
        let name_bytes = columns.name_bytes + columns.count * self.family.len();
        self.sink.room(RunColumns { name_bytes, ..columns })
    }

    fn reaches(&self, row: &[u8]) -> bool {
        !self.bounds.is_past_stop(row)
    }

    fn sees(&self, first: i64, last: i64) -> bool {
        self.times.0 <= first && last <= self.times.1
    }

    fn key(&mut self, row: &[u8]) {
        self.keys.extend_from_slice(row);
        self.rows.push(RunRow { key_end: self.keys.len(), bytes: 0 });
        self.passed.clear();
        self.sink.key(row);
    }

    fn pass(&mut self, row: &[u8]) {
        self.passed.clear();
        self.passed.extend_from_slice(row);
    }

    fn column(&mut self, qualifier: &[u8]) {
        self.cell_bytes = cell_codec::cell_bytes(&[], self.family, qualifier, 0, &[]) as u64;
        self.counted_bytes = qualifier.len() as u64 + CELL_EXTRA_BYTES;
        self.sink.column(self.family, qualifier);
    }

    #[inline]
    fn value(&mut self, row: u32, timestamp: i64, value: &[u8]) {
        let key = key_of(&self.keys, &self.rows, row as usize);
        let own = (key.len() + value.len()) as u64;
        self.bytes += own + self.counted_bytes;
        if let Some(of_row) = self.rows.get_mut(row as usize) {
            of_row.bytes += own + self.cell_bytes;
            if of_row.bytes > self.bounds.row_bytes_max {
                self.too_big = self.too_big.or(Some(row));
            }
        }
        self.sink.value(row, key, timestamp, value);
    }
}
