//! Errors that name row and column.

use grampus_base::{Error, ErrorKind};
use grampus_cells::WireCell;

use crate::shown::{shown, shown_column};

/// A cell that a column cannot take.
#[cold]
pub(super) fn of_cell(cell: &WireCell<'_>, why: &str) -> Error {
    of_value(cell.cell.row, cell.family, cell.cell.qualifier, why)
}

/// The value of a row that a column cannot take.
#[cold]
pub(super) fn of_value(row: &[u8], family: &[u8], qualifier: &[u8], why: &str) -> Error {
    let (row, column) = (shown(row), shown_column(family, qualifier));
    Error::new(ErrorKind::BadRequest, format!("row {row}, column {column}: {why}"))
}

/// A row key that its column cannot take.
#[cold]
pub(super) fn of_key(row: &[u8], why: &str) -> Error {
    Error::new(ErrorKind::BadRequest, format!("row {}, the row key: {why}", shown(row)))
}
