//! The cells of one row.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::WireCell;
use grampus_cells::cell_codec::read_cell;

/// A walk over the cells of the row at the start of a block. What is malformed is an error.
pub(super) struct RowCells<'a> {
    row: &'a [u8],
    /// The next cell and those behind it, of later rows, too.
    block: &'a [u8],
    left: u32,
}

impl<'a> RowCells<'a> {
    /// The row that has the next `count` cells.
    pub(super) fn new(block: &'a [u8], count: u32) -> Result<RowCells<'a>> {
        if count == 0 {
            return Err(Error::new(ErrorKind::Bug, "a row has no cell"));
        }
        let (first, _) = read_cell(block)?;
        Ok(RowCells { row: first.cell.row, block, left: count })
    }

    /// The row key.
    pub(super) fn row(&self) -> &'a [u8] {
        self.row
    }

    /// The next cell.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<WireCell<'a>>> {
        if self.left == 0 {
            return Ok(None);
        }
        let (cell, used) = read_cell(self.block)?;
        if cell.cell.row != self.row {
            return Err(Error::new(ErrorKind::Bug, "a row has a cell of another one"));
        }
        self.block = self.block.get(used..).unwrap_or_default();
        self.left -= 1;
        Ok(Some(cell))
    }

    /// What follows the row; its cells must all have been taken.
    pub(super) fn rest(self) -> Result<&'a [u8]> {
        if self.left == 0 {
            return Ok(self.block);
        }
        Err(Error::new(ErrorKind::Bug, "cells of a row were left over"))
    }
}
