//! Rows of columns by name that come column by column.

use grampus_base::{Error, Result};
use grampus_cells::{CellRef, CellType, RunColumns, RunRoom, WireCell};
use grampus_store::read::ColumnSink;

use crate::reader::errors::{of_cell, of_key};
use crate::reader::named::NamedRows;
use crate::reader::{BatchLimits, CALL_BYTES_MAX};

/// Runs of rows on their way to a batch in the making. Behind an error it takes nothing.
pub(super) struct NamedColumns<'a> {
    rows: &'a mut NamedRows,
    limits: BatchLimits,
    /// Rows of the batch before the run.
    first: usize,
    /// Where the values that come belong; `None` if the mapping does not have their column.
    place: Option<Place>,
    error: Option<Error>,
}

/// A column of the mapping.
struct Place {
    column: usize,
    family: Vec<u8>,
    qualifier: Vec<u8>,
}

impl<'a> NamedColumns<'a> {
    pub(super) fn new(rows: &'a mut NamedRows, limits: BatchLimits) -> NamedColumns<'a> {
        NamedColumns { rows, limits, first: 0, place: None, error: None }
    }

    /// What has gone wrong.
    pub(super) fn finish(self) -> Result<()> {
        self.error.map_or(Ok(()), Err)
    }
}

impl Place {
    fn refused(&self, row: &[u8], timestamp: i64, value: &[u8], why: &str) -> Error {
        let Place { family, qualifier, .. } = self;
        let cell_type = CellType::PUT;
        let cell = CellRef { row, qualifier, timestamp, cell_type, value, tags: &[], sequence: 0 };
        of_cell(&WireCell { family, cell }, why)
    }
}

impl ColumnSink for NamedColumns<'_> {
    fn room(&self, _columns: RunColumns) -> RunRoom {
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

    fn begin(&mut self) {
        self.first = self.rows.len();
    }

    fn key(&mut self, row: &[u8]) {
        if self.error.is_some() {
            return;
        }
        if let Err(why) = self.rows.push_key(row) {
            self.error = Some(of_key(row, &why));
        }
    }

    fn column(&mut self, family: &[u8], qualifier: &[u8]) {
        let column = self.rows.find(family, qualifier);
        self.place =
            column.map(|column| Place { column, family: family.to_vec(), qualifier: qualifier.to_vec() });
    }

    #[inline]
    fn value(&mut self, row: u32, key: &[u8], timestamp: i64, value: &[u8]) {
        let Some(place) = self.place.as_ref().filter(|_| self.error.is_none()) else { return };
        if let Err(why) = self.rows.push_value(place.column, self.first + row as usize, timestamp, value) {
            self.error = Some(place.refused(key, timestamp, value, &why));
        }
    }
}
