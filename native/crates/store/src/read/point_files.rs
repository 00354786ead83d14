//! The files of a read of one row's columns by name, each opened only when the walk comes to where it could have a cell.
//!
//! Why this changes no answer is in `docs/design/0015-files-by-time.md`.

use std::sync::Arc;

use grampus_base::Result;
use grampus_cells::{CellRef, Direction, RowCursor, RowRange, SeekTarget, TimeRange};

use crate::fileset::{CursorSpec, StoreFiles};

/// What a read of one row's columns by name asks of files.
pub struct PointRead {
    /// The row.
    pub row: Vec<u8>,
    /// Sorted qualifiers.
    pub columns: Arc<[Vec<u8>]>,
    /// Timestamps asked for.
    pub range: TimeRange,
    /// Cells with a higher sequence id are invisible.
    pub read_point: u64,
    /// Whether pages read from disk enter the block cache.
    pub cache: bool,
    /// Whether a file may be read from disk.
    pub blocking: bool,
    /// All the columns are read.
    pub all_cells: bool,
}

/// The files that are not opened yet.
pub struct PointFiles {
    read: PointRead,
    files: Arc<StoreFiles>,
    /// Files opened so far, in descending order of their largest timestamp.
    opened: usize,
    /// Columns of which the walk wants nothing more; they are the first ones.
    left: usize,
}

impl PointFiles {
    /// No file is opened yet.
    pub fn new(read: PointRead, files: Arc<StoreFiles>) -> PointFiles {
        PointFiles { read, files, opened: 0, left: 0 }
    }

    /// The row.
    pub fn row(&self) -> &[u8] {
        &self.read.row
    }

    /// The walk has left the row's columns at or below a qualifier.
    pub(crate) fn leave_through(&mut self, qualifier: &[u8]) {
        self.left = self.left.max(self.read.columns.partition_point(|c| c.as_slice() <= qualifier));
    }

    /// The walk has left the row's columns below a qualifier.
    pub(crate) fn leave_below(&mut self, qualifier: &[u8]) {
        self.left = self.left.max(self.read.columns.partition_point(|c| c.as_slice() < qualifier));
    }

    /// Whether no file is left to open.
    pub(crate) fn are_open(&self) -> bool {
        self.opened >= self.files.newest_first().len()
    }

    /// Whether the next cell that the opened sources have may be evaluated before another file is opened: all cells that a file could
    /// have of the next column are older.
    pub(crate) fn may_match(&self, next: Option<&CellRef<'_>>) -> bool {
        let Some(file) = self.files.newest_first().get(self.opened) else { return true };
        let Some(column) = self.read.columns.get(self.left) else { return true };
        next.is_some_and(|cell| match cell.qualifier.cmp(column) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => cell.timestamp > file.max_timestamp(),
            std::cmp::Ordering::Greater => false,
        })
    }

    /// Opens the next file for the columns that the walk has not left; `None` when the row is not in it.
    pub(crate) fn open_next(&mut self) -> Result<Option<Box<dyn RowCursor>>> {
        let Some(file) = self.files.newest_first().get(self.opened) else { return Ok(None) };
        self.opened += 1;
        let columns = self.read.columns.get(self.left..).unwrap_or_default();
        let projection: Vec<&[u8]> = columns.iter().map(Vec::as_slice).collect();
        let cursor = file.cursor(&CursorSpec {
            direction: Direction::Forward,
            projection: Some(&projection),
            rows: RowRange::single(&self.read.row),
            read_point: self.read.read_point,
            time_range: self.read.range,
            all_rows: false,
            cache: self.read.cache,
            one_pass: false,
            blocking: self.read.blocking,
            all_cells: self.read.all_cells,
        })?;
        let Some(mut cursor) = cursor else { return Ok(None) };
        cursor.seek(SeekTarget::AtOrAfter(&self.read.row))?;
        Ok(cursor.row().is_some().then_some(cursor))
    }
}
