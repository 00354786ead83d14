//! A scan's rows column by column, as far as they can be had so.

use grampus_cells::{ColumnRunSink, RunColumns, RunRoom, RunValues, Strings, cell_codec};

use crate::read::scan_bounds::{CELL_EXTRA_BYTES, ScanBounds};

/// Takes rows of one family column by column, run by run: `rows`, then `column` for each column that one of them has, then `wanted_key`, and `take_key`
/// if there is one. What goes wrong it keeps to itself until its owner asks, and has no more room.
pub trait ColumnSink {
    /// What it takes in the next run, which has these columns; less than a row has is nothing. Keys that it does not want may come all the same: where
    /// the bytes of rows have to be counted.
    fn room(&mut self, columns: RunColumns) -> RunRoom;

    /// A run begins, whose rows have these keys.
    fn rows(&mut self, keys: &Strings);

    /// The values of a column.
    fn column(&mut self, family: &[u8], qualifier: &[u8], values: &RunValues<'_>);

    /// The row, as a position in the run's keys, whose key is wanted after all, see [`ColumnRunSink::wanted_key`]. Default: none.
    fn wanted_key(&self) -> Option<usize> {
        None
    }

    /// The key of that row; called once, behind `wanted_key`.
    fn take_key(&mut self, _key: &[u8]) {}
}

/// One run: what the scan sees of it, and what it has looked at.
pub(super) struct ColumnRun<'a, S> {
    sink: &'a mut S,
    family: &'a [u8],
    bounds: &'a ScanBounds,
    /// First and last timestamp of cells that the scan sees.
    times: (i64, i64),
    columns: RunColumns,
    room: RunRoom,
    /// Rows that have a cell.
    rows: u64,
    /// The key of the last row, whether it has a cell or not; empty while there was no run.
    last: Vec<u8>,
    /// Bytes of cells that were looked at.
    bytes: u64,
    /// The bytes of each row's cells as they would be encoded. Empty where no row of the run can have too many.
    row_bytes: Vec<u64>,
    /// The first row that has more bytes than a row may have, and its key.
    too_big: Option<(usize, Vec<u8>)>,
}

impl<'a, S: ColumnSink> ColumnRun<'a, S> {
    pub(super) fn new(
        sink: &'a mut S,
        family: &'a [u8],
        bounds: &'a ScanBounds,
        times: (i64, i64),
    ) -> ColumnRun<'a, S> {
        ColumnRun {
            sink,
            family,
            bounds,
            times,
            columns: RunColumns::default(),
            room: RunRoom { rows: 0, key_bytes: None, value_bytes: 0 },
            rows: 0,
            last: Vec::new(),
            bytes: 0,
            row_bytes: Vec::new(),
            too_big: None,
        }
    }

    /// Rows that have a cell.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of cells that were looked at.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The key of the last row, whether it has a cell or not.
    pub(super) fn last_key(&self) -> Option<&[u8]> {
        (!self.last.is_empty()).then_some(&self.last)
    }

    /// The key of a row that has more bytes than a row may have.
    pub(super) fn too_big(&self) -> Option<&[u8]> {
        self.too_big.as_ref().map(|(_, key)| key.as_slice())
    }

    /// Whether a row of a run can exceed `row_bytes_max`, where the run has `rows` rows and `key_bytes` bytes of row keys. The bound is the size of all
    /// cells of the run, which one row cannot exceed.
    fn may_be_too_big(&self, rows: usize, key_bytes: usize) -> bool {
        let RunColumns { count, name_bytes, .. } = self.columns;
        let heads = rows * (count * cell_codec::cell_bytes(&[], &[], &[], 0, &[]) + name_bytes);
        let keys = count.saturating_mul(key_bytes);
        heads.saturating_add(keys).saturating_add(self.room.value_bytes) as u64 > self.bounds.row_bytes_max
    }

    /// Adds the cells of a column to the bytes of their rows; `cell_bytes` is what a cell has beside key and value.
    fn add_to_rows(&mut self, values: &RunValues<'_>, cell_bytes: u64) {
        for (row, _, value) in values.iter() {
            let key = values.keys.get(row);
            let Some(bytes) = self.row_bytes.get_mut(row) else { continue };
            *bytes += (key.len() + value.len()) as u64 + cell_bytes;
            let is_first = self.too_big.as_ref().is_none_or(|(first, _)| row < *first);
            if *bytes > self.bounds.row_bytes_max && is_first {
                self.too_big = Some((row, key.to_vec()));
            }
        }
    }
}

impl<S: ColumnSink> ColumnRunSink for ColumnRun<'_, S> {
    fn room(&mut self, columns: RunColumns) -> RunRoom {
        let name_bytes = columns.name_bytes + columns.count * self.family.len();
        self.columns = RunColumns { name_bytes, ..columns };
        self.room = self.sink.room(self.columns);
        // Without keys no row can be measured: they are decoded where a row with the longest key could be too large.
        if self.room.key_bytes.is_none() && self.may_be_too_big(1, cell_codec::ROW_KEY_BYTES_MAX) {
            // As much as for values: the sink has named no room for keys.
            self.room.key_bytes = Some(self.room.value_bytes);
        }
        self.room
    }

    fn reaches(&self, row: &[u8]) -> bool {
        !self.bounds.is_past_stop(row)
    }

    fn sees(&self, first: i64, last: i64) -> bool {
        self.times.0 <= first && last <= self.times.1
    }

    fn rows(&mut self, keys: &Strings, last: &[u8]) {
        self.rows = keys.len() as u64;
        self.last.extend_from_slice(last);
        if self.room.key_bytes.is_some() && self.may_be_too_big(keys.len(), keys.bytes_len()) {
            self.row_bytes.resize(keys.len(), 0);
        }
        self.sink.rows(keys);
    }

    fn column(&mut self, qualifier: &[u8], values: &RunValues<'_>) {
        let counted = qualifier.len() as u64 + CELL_EXTRA_BYTES;
        let own = values.key_bytes() + values.values.bytes_len();
        self.bytes += own as u64 + counted * values.values.len() as u64;
        if !self.row_bytes.is_empty() {
            self.add_to_rows(values, cell_codec::cell_bytes(&[], self.family, qualifier, 0, &[]) as u64);
        }
        self.sink.column(self.family, qualifier, values);
    }

    fn wanted_key(&self) -> Option<usize> {
        self.sink.wanted_key()
    }

    fn take_key(&mut self, key: &[u8]) {
        self.sink.take_key(key);
    }
}
