//! Rows of columns by name that come column by column.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{RunColumns, RunRoom, RunValues, Strings};
use grampus_store::read::ColumnSink;

use crate::reader::errors::of_value;
use crate::reader::named::NamedRows;
use crate::reader::{BatchLimits, CALL_BYTES_MAX};
use crate::values::Refused;

/// Runs of rows on their way to a batch in the making. Behind an error it takes nothing.
pub(super) struct NamedColumns<'a> {
    rows: &'a mut NamedRows,
    limits: BatchLimits,
    /// Rows of the batch before the run.
    first: usize,
    /// A value that was refused, while the key of its row is not known.
    refusal: Option<Refusal>,
    error: Option<Error>,
}

/// A value that a column cannot take.
struct Refusal {
    /// Its row, as a position in the run's keys.
    row: usize,
    family: Vec<u8>,
    qualifier: Vec<u8>,
    why: String,
}

impl Refusal {
    fn in_row(&self, key: &[u8]) -> Error {
        of_value(key, &self.family, &self.qualifier, &self.why)
    }
}

impl<'a> NamedColumns<'a> {
    pub(super) fn new(rows: &'a mut NamedRows, limits: BatchLimits) -> NamedColumns<'a> {
        NamedColumns { rows, limits, first: 0, refusal: None, error: None }
    }

    /// What has gone wrong.
    pub(super) fn finish(self) -> Result<()> {
        let untold = |refusal: Refusal| {
            let (family, qualifier) = (refusal.family.escape_ascii(), refusal.qualifier.escape_ascii());
            let message =
                format!("a value of {family}:{qualifier} was refused ({}) and no row told", refusal.why);
            Error::new(ErrorKind::Bug, message)
        };
        self.error.or(self.refusal.map(untold)).map_or(Ok(()), Err)
    }
}

impl ColumnSink for NamedColumns<'_> {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        if self.error.is_some() || self.refusal.is_some() {
            return RunRoom { rows: 0, key_bytes: None, value_bytes: 0 };
        }
        let bytes = self.limits.bytes.saturating_sub(self.rows.bytes());
        // Rows of many columns are large, however little they have: half is for them, and a quarter each for values and for keys. That of keys stays
        // free where none is wanted: values alone must not reach the limit.
        let rows = bytes / 2 / self.rows.row_width();
        let rows = rows.min(self.limits.rows.saturating_sub(self.rows.len()));
        let bytes = (bytes / 4).min(CALL_BYTES_MAX);
        let key_bytes = self.rows.has_key().then_some(bytes);
        RunRoom { rows: u32::try_from(rows).unwrap_or(u32::MAX), key_bytes, value_bytes: bytes }
    }

    fn rows(&mut self, keys: &Strings) {
        self.first = self.rows.len();
        self.error = self.rows.push_keys(keys).err();
    }

    fn column(&mut self, family: &[u8], qualifier: &[u8], values: &RunValues<'_>) {
        if self.error.is_some() || self.refusal.is_some() {
            return;
        }
        let Some(column) = self.rows.find(family, qualifier) else { return };
        let pushed = self.rows.push_values(column, self.first, values);
        self.refusal = pushed.err().map(|Refused { position, why }| Refusal {
            row: values.row(position),
            family: family.to_vec(),
            qualifier: qualifier.to_vec(),
            why,
        });
    }

    fn wanted_key(&self) -> Option<usize> {
        self.refusal.as_ref().map(|refusal| refusal.row)
    }

    fn take_key(&mut self, key: &[u8]) {
        self.error = self.refusal.take().map(|refusal| refusal.in_row(key));
    }
}
