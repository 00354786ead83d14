//! Rows of columns by name that come column by column.

use grampus_base::{Error, Result};
use grampus_cells::{CellRef, CellType, RunRoom, WireCell};
use grampus_store::read::ColumnSink;

use crate::reader::BatchLimits;
use crate::reader::errors::{of_cell, of_key};
use crate::reader::named::NamedRows;

/// A run of rows on its way to a batch in the making. Behind an error it takes nothing.
pub(super) struct NamedColumns<'a> {
    rows: &'a mut NamedRows,
    limits: BatchLimits,
    /// Rows of the batch before the run.
    first: usize,
    /// The keys of the run, for errors, one behind the other, and where each ends.
    keys: Vec<u8>,
    ends: Vec<usize>,
    /// Where the values that come belong.
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
        let first = rows.len();
        NamedColumns { rows, limits, first, keys: Vec::new(), ends: Vec::new(), place: None, error: None }
    }

    /// What has gone wrong.
    pub(super) fn finish(self) -> Result<()> {
        self.error.map_or(Ok(()), Err)
    }

    fn key_of(&self, row: u32) -> &[u8] {
        let index = row as usize;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.keys.get(start..end).unwrap_or_default()
    }

    fn refused(&self, place: &Place, row: u32, timestamp: i64, value: &[u8], why: &str) -> Error {
        let Place { family, qualifier, .. } = place;
        let (row, cell_type) = (self.key_of(row), CellType::PUT);
        let cell = CellRef { row, qualifier, timestamp, cell_type, value, tags: &[], sequence: 0 };
        of_cell(&WireCell { family, cell }, why)
    }
}

impl ColumnSink for NamedColumns<'_> {
    fn room(&self) -> RunRoom {
        let bytes = self.limits.bytes.saturating_sub(self.rows.bytes());
        // Rows of many columns are large, however little they have: half is for them, and the other half for values and keys.
        let rows = bytes / 2 / self.rows.row_width();
        let rows = rows.min(self.limits.rows.saturating_sub(self.rows.len()));
        RunRoom { rows: u32::try_from(rows).unwrap_or(u32::MAX), bytes: bytes / 4 }
    }

    fn key(&mut self, row: &[u8]) {
        if self.error.is_some() {
            return;
        }
        if let Err(why) = self.rows.push_key(row) {
            self.error = Some(of_key(row, &why));
        }
        self.keys.extend_from_slice(row);
        self.ends.push(self.keys.len());
    }

    fn column(&mut self, family: &[u8], qualifier: &[u8]) -> bool {
        let column = self.rows.find(family, qualifier).filter(|_| self.error.is_none());
        self.place =
            column.map(|column| Place { column, family: family.to_vec(), qualifier: qualifier.to_vec() });
        self.place.is_some()
    }

    #[inline]
    fn value(&mut self, row: u32, timestamp: i64, value: &[u8]) {
        let Some(place) = self.place.as_ref().filter(|_| self.error.is_none()) else { return };
        if let Err(why) = self.rows.push_value(place.column, self.first + row as usize, timestamp, value) {
            self.error = Some(self.refused(place, row, timestamp, value, &why));
        }
    }
}
