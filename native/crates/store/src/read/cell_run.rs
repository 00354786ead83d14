//! Rows that come column by column, on their way to cells row by row.
//!
//! A page is decoded from its first value to its last, and a row is written from its first cell to its last. Each is done at one go, and what lies
//! between them is small enough for the processor's cache.

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::{RunBuffers, RunColumns, RunRoom, RunValues, Strings, cell_codec};

use crate::read::column_run::ColumnSink;
use crate::read::heap_size::heap_size;
use crate::read::sink::ResultSink;

/// Rows of a run at least. Fewer are written before a run's buffers are made.
const RUN_ROWS_MIN: u32 = 8;
/// Cells of a run at most, if it has more than a few rows.
const CELLS_MAX: usize = 4096;
/// Rows that a run may have in any case, if their columns are many.
const ROWS_MIN: usize = 16;
/// Bytes of a run's values, and of the keys of its cells.
const PART_BYTES_MAX: usize = 128 << 10;
/// Room of fewer bytes is left to the fast path.
const PART_BYTES_MIN: usize = 4 << 10;
/// What it costs to copy a value on its way is more than what a run saves, if the value is larger.
const VALUE_BYTES_MAX: usize = 256;

/// One run. Its buffers serve one after the other.
#[derive(Default)]
pub(crate) struct CellRun {
    /// Rows that the next run may have, and the bytes of their cells, see [`heap_size`].
    rows_max: u32,
    bytes_max: usize,
    keys: Strings,
    rows: Vec<RunRow>,
    /// Of each column, as a KeyValue has them: length of the family's name, the name, the qualifier.
    names: Vec<u8>,
    columns: Vec<RunColumn>,
    values: Vec<u8>,
    /// Those of the first column in the order of rows, then those of the second.
    cells: Vec<RunCell>,
    /// What columns are decoded into.
    pub(super) buffers: RunBuffers,
}

/// The cells of a row, and their bytes as they are written.
#[derive(Clone, Copy)]
struct RunRow {
    cells: u32,
    bytes: usize,
}

struct RunColumn {
    /// Where its name is in `names`.
    name: Range<usize>,
    /// Its cells that were not written.
    cells: Range<usize>,
}

struct RunCell {
    row: u32,
    timestamp: i64,
    /// Where its value is in the values of all.
    value: (u32, u32),
}

/// A row as it was written.
pub(super) struct WrittenRow {
    pub(super) cells: u32,
    /// Bytes of its cells.
    pub(super) bytes: usize,
}

impl CellRun {
    /// Forgets its rows, and bounds the next run: its rows, and the bytes of their cells, see [`heap_size`].
    pub(super) fn bound(&mut self, rows: u32, bytes: u64) {
        self.keys.clear();
        self.rows.clear();
        self.names.clear();
        self.columns.clear();
        self.values.clear();
        self.cells.clear();
        self.rows_max = rows;
        self.bytes_max = usize::try_from(bytes).unwrap_or(usize::MAX);
    }

    /// Its rows.
    pub(super) fn rows(&self) -> u32 {
        narrow::to_u32(self.rows.len())
    }

    /// Writes a row as a result. Rows are written in their order.
    pub(super) fn write_row(&mut self, row: u32, sink: &mut impl ResultSink) -> WrittenRow {
        let CellRun { keys, rows, names, columns, values, cells, .. } = self;
        let Some(RunRow { cells: count, bytes }) = rows.get(row as usize) else {
            return WrittenRow { cells: 0, bytes: 0 };
        };
        let key = keys.get(row as usize);
        sink.begin_result();
        sink.put(*bytes, |mut out| {
            for column in columns {
                let next = cells.get(column.cells.clone()).and_then(|left| left.first());
                let Some(cell) = next.filter(|cell| cell.row == row) else { continue };
                column.cells.start += 1;
                let name = names.get(column.name.clone()).unwrap_or_default();
                let value = values.get(cell.value.0 as usize..cell.value.1 as usize).unwrap_or_default();
                out = cell_codec::write_put(out, key, name, cell.timestamp, value);
            }
            debug_assert!(out.is_empty(), "a row has fewer bytes than were counted");
        });
        WrittenRow { cells: *count, bytes: *bytes }
    }
}

impl ColumnSink for CellRun {
    fn room(&mut self, columns: RunColumns) -> RunRoom {
        let (count, part) = (columns.count, (self.bytes_max / 4).min(PART_BYTES_MAX));
        // A row of one cell is as soon written as its cell is read.
        if count < 2
            || self.rows_max < RUN_ROWS_MIN
            || part < PART_BYTES_MIN
            || columns.row_bytes > (count * VALUE_BYTES_MAX) as u64
        {
            return RunRoom { rows: 0, key_bytes: Some(0), value_bytes: 0 };
        }
        let heads = count * cell_codec::cell_bytes(&[], &[], &[], 0, &[]) + columns.name_bytes;
        let fitting = (self.bytes_max / 2) as u64 / heap_size(narrow::to_u32(count), heads as u64);
        let rows = (CELLS_MAX / count).max(ROWS_MIN).min(usize::try_from(fitting).unwrap_or(usize::MAX));
        RunRoom {
            rows: self.rows_max.min(narrow::to_u32(rows)),
            key_bytes: Some(part / count),
            value_bytes: part,
        }
    }

    fn rows(&mut self, keys: &Strings) {
        self.keys.clone_from(keys);
        self.rows.clear();
        self.rows.resize(keys.len(), RunRow { cells: 0, bytes: 0 });
    }

    fn column(&mut self, family: &[u8], qualifier: &[u8], values: &RunValues<'_>) {
        let (name, first) = (self.names.len(), self.cells.len());
        self.names.push(narrow::to_u8(family.len()));
        self.names.extend_from_slice(family);
        self.names.extend_from_slice(qualifier);
        let cell_bytes = cell_codec::cell_bytes(&[], family, qualifier, 0, &[]);
        let begin = self.values.len();
        let strings = values.values;
        self.values.extend_from_slice(strings.bytes_of(0..strings.len()));
        let mut from = narrow::to_u32(begin);
        for (at, (timestamp, end)) in
            values.timestamps.iter().zip(strings.ends_of(0..strings.len())).enumerate()
        {
            let (row, until) = (values.row(at), narrow::to_u32(begin) + end);
            let Some(of_row) = self.rows.get_mut(row) else { continue };
            of_row.cells += 1;
            of_row.bytes += cell_bytes + self.keys.get(row).len() + (until - from) as usize;
            self.cells.push(RunCell {
                row: narrow::to_u32(row),
                timestamp: *timestamp,
                value: (from, until),
            });
            from = until;
        }
        self.columns.push(RunColumn { name: name..self.names.len(), cells: first..self.cells.len() });
    }
}
