//! A `RowCursor` over the `FileCursor` of a column file.

use grampus_base::Result;
use grampus_cells::{CellRef, ColumnRunSink, FastPathSink, RowCursor, RunBuffers, SeekTarget};
use grampus_colfile::FileCursor;

/// A file cursor that hides cells above a read point.
pub(super) struct ColumnCursor {
    cursor: FileCursor,
    /// `None` when the file has no cell above it.
    read_point: Option<u64>,
    /// The sequence id of all cells of a file that was loaded.
    loaded: Option<u64>,
    /// All cells of a row come, so that one without any is above the read point, and is passed over.
    all_rows: bool,
}

impl ColumnCursor {
    pub(super) fn new(
        cursor: FileCursor,
        read_point: Option<u64>,
        loaded: Option<u64>,
        all_rows: bool,
    ) -> ColumnCursor {
        ColumnCursor { cursor, read_point, loaded, all_rows }
    }

    /// Goes on to a cell of the row at or below the read point.
    #[inline]
    fn skip_invisible(&mut self) -> Result<()> {
        if let Some(read_point) = self.read_point {
            while self.cursor.cell().is_some_and(|cell| cell.sequence > read_point) {
                self.cursor.next_cell()?;
            }
        }
        Ok(())
    }

    /// The same for a row that was just entered.
    fn skip_invisible_rows(&mut self) -> Result<()> {
        self.skip_invisible()?;
        if self.all_rows && self.read_point.is_some() {
            while self.cursor.row().is_some() && self.cursor.cell().is_none() {
                self.cursor.next_row()?;
                self.skip_invisible()?;
            }
        }
        Ok(())
    }
}

impl RowCursor for ColumnCursor {
    fn seek(&mut self, target: SeekTarget<'_>) -> Result<()> {
        match target {
            SeekTarget::Start => self.cursor.seek_first()?,
            SeekTarget::AtOrAfter(row) => self.cursor.seek(row, false)?,
            SeekTarget::After(row) => self.cursor.seek(row, true)?,
        }
        self.skip_invisible_rows()
    }

    #[inline]
    fn row(&self) -> Option<&[u8]> {
        self.cursor.row()
    }

    #[inline]
    fn next_row(&mut self) -> Result<()> {
        self.cursor.next_row()?;
        self.skip_invisible_rows()
    }

    #[inline]
    fn cell(&self) -> Option<CellRef<'_>> {
        // Changed in place: a copy loads wider than the stores just before, which defeats store forwarding.
        let mut cell = self.cursor.cell();
        if let (Some(cell), Some(sequence)) = (&mut cell, self.loaded) {
            cell.sequence = sequence;
        }
        cell
    }

    #[inline]
    fn next_cell(&mut self) -> Result<()> {
        self.cursor.next_cell()?;
        self.skip_invisible()
    }

    fn fast_rows(&mut self, until: Option<&[u8]>, sink: &mut dyn FastPathSink) -> Result<u32> {
        match self.read_point {
            None => Ok(self.cursor.fast_rows(until, sink)?),
            Some(_) => Ok(0),
        }
    }

    fn column_run(
        &mut self,
        until: Option<&[u8]>,
        buffers: &mut RunBuffers,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<u32> {
        match self.read_point {
            None => Ok(self.cursor.column_run(until, buffers, sink)?),
            Some(_) => Ok(0),
        }
    }

    fn read_ahead(&self, bytes: u64) {
        self.cursor.read_ahead(bytes);
    }

    fn count_memory(&self) -> u64 {
        self.cursor.count_memory()
    }

    fn drop_pages(&mut self) {
        self.cursor.drop_pages();
    }

    fn reload_pages(&mut self) -> Result<()> {
        Ok(self.cursor.reload_pages()?)
    }

    fn skip_column(&mut self, qualifier: &[u8]) -> Result<()> {
        self.cursor.skip_column(qualifier)?;
        self.skip_invisible()
    }
}
