//! Rows of columns by name that come column by column.

use grampus_base::{Error, Result};
use grampus_cells::{CellRef, CellType, RunColumns, RunRoom, RunValues, Strings, WireCell};
use grampus_store::read::ColumnSink;

use crate::reader::errors::of_cell;
use crate::reader::named::NamedRows;
use crate::reader::{BatchLimits, CALL_BYTES_MAX};
use crate::values::Refused;

/// Runs of rows on their way to a batch in the making. Behind an error it takes nothing.
pub(super) struct NamedColumns<'a> {
    rows: &'a mut NamedRows,
    limits: BatchLimits,
    /// Rows of the batch before the run.
    first: usize,
    error: Option<Error>,
}

impl<'a> NamedColumns<'a> {
    pub(super) fn new(rows: &'a mut NamedRows, limits: BatchLimits) -> NamedColumns<'a> {
        NamedColumns { rows, limits, first: 0, error: None }
    }

    /// What has gone wrong.
    pub(super) fn finish(self) -> Result<()> {
        self.error.map_or(Ok(()), Err)
    }
}

/// What a refused value is, and why.
fn refused(family: &[u8], qualifier: &[u8], values: &RunValues<'_>, refused: &Refused) -> Error {
    let at = refused.position;
    let cell = CellRef {
        row: values.keys.get(values.row(at)),
        qualifier,
        timestamp: values.timestamps.get(at).copied().unwrap_or_default(),
        cell_type: CellType::PUT,
        value: values.values.get(at),
        tags: &[],
        sequence: 0,
    };
    of_cell(&WireCell { family, cell }, &refused.why)
}

impl ColumnSink for NamedColumns<'_> {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        if self.error.is_some() {
            return RunRoom { rows: 0, key_bytes: 0, value_bytes: 0 };
        }
        let bytes = self.limits.bytes.saturating_sub(self.rows.bytes());
        // Rows of many columns are large, however little they have: half is for them, and the other half for values and keys.
        let rows = bytes / 2 / self.rows.row_width();
        let rows = rows.min(self.limits.rows.saturating_sub(self.rows.len()));
        let bytes = (bytes / 4).min(CALL_BYTES_MAX);
        RunRoom { rows: u32::try_from(rows).unwrap_or(u32::MAX), key_bytes: bytes, value_bytes: bytes }
    }

    fn rows(&mut self, keys: &Strings) {
        self.first = self.rows.len();
        self.error = self.rows.push_keys(keys).err();
    }

    fn column(&mut self, family: &[u8], qualifier: &[u8], values: &RunValues<'_>) {
        if self.error.is_some() {
            return;
        }
        let Some(column) = self.rows.find(family, qualifier) else { return };
        let pushed = self.rows.push_values(column, self.first, values);
        self.error = pushed.err().map(|why| refused(family, qualifier, values, &why));
    }
}
