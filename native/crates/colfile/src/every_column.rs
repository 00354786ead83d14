//! A sink of column runs for tests.

use grampus_cells::{ColumnRunSink, RunColumns, RunRoom, RunValues, Strings};

/// Has room for a thousand rows, takes all columns and keeps nothing.
pub(crate) struct EveryColumn;

impl ColumnRunSink for EveryColumn {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        RunRoom { rows: 1000, key_bytes: Some(1 << 20), value_bytes: 1 << 20 }
    }

    fn reaches(&self, _row: &[u8]) -> bool {
        true
    }

    fn sees(&self, _first: i64, _last: i64) -> bool {
        true
    }

    fn rows(&mut self, _keys: &Strings, _last: &[u8]) {}

    fn column(&mut self, _qualifier: &[u8], _values: &RunValues<'_>) {}
}
