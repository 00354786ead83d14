//! The sources of one store merged row by row and cell by cell.

use std::cmp::Ordering;

use grampus_base::Result;
use grampus_cells::{CellRef, ColumnRunSink, FastPathSink, RowCursor, RowOrder, RunBuffers, SeekTarget};

use crate::read::point_files::PointFiles;

/// Memtables and files of a store as one walk over rows.
pub struct StoreCursor {
    sources: Vec<Box<dyn RowCursor>>,
    order: RowOrder,
    reversed: bool,
    /// Sources whose current row is the store's.
    on_row: Vec<usize>,
    /// The one of them with the next cell, if the row has more; `usize::MAX` when none of several has one.
    current: usize,
    /// The row at which a run of rows ends.
    until: Vec<u8>,
    /// Files of a read of one row that are opened when they could matter; `None` once all are.
    point_files: Option<PointFiles>,
}

impl StoreCursor {
    /// A merge that is not positioned yet.
    pub fn new(sources: Vec<Box<dyn RowCursor>>, order: RowOrder, reversed: bool) -> StoreCursor {
        let on_row = Vec::with_capacity(sources.len());
        let until = Vec::new();
        StoreCursor { sources, order, reversed, on_row, current: usize::MAX, until, point_files: None }
    }

    /// A merge for a read of one row's columns by name: of what is in memory, and of files that are opened as they are needed.
    pub fn of_row(sources: Vec<Box<dyn RowCursor>>, order: RowOrder, files: PointFiles) -> StoreCursor {
        let on_row = Vec::with_capacity(sources.len() + 1); // a file that is opened later
        StoreCursor { on_row, point_files: Some(files), ..StoreCursor::new(sources, order, false) }
    }

    /// Positions all sources.
    pub fn seek(&mut self, target: SeekTarget<'_>) -> Result<()> {
        for source in &mut self.sources {
            source.seek(target)?;
        }
        self.find_row();
        self.open_files()
    }

    /// Opens the files that could have a cell before the current one.
    #[inline]
    fn open_files(&mut self) -> Result<()> {
        if self.point_files.is_some() { self.open_needed_files() } else { Ok(()) }
    }

    fn open_needed_files(&mut self) -> Result<()> {
        while let Some(files) = &self.point_files {
            if files.are_open() {
                self.point_files = None;
                break;
            }
            let on_row = self.row() == Some(files.row());
            if files.may_match(self.cell().filter(|_| on_row).as_ref()) {
                break;
            }
            if let Some(source) = self.point_files.as_mut().map(PointFiles::open_next).transpose()?.flatten()
            {
                self.sources.push(source);
                self.find_row();
            }
        }
        Ok(())
    }

    /// Moves forward to a row or the next one after it; sources that are there already stay.
    pub(crate) fn seek_forward(&mut self, row: &[u8]) -> Result<()> {
        const STEPS_MAX: usize = 4;
        let mut steps = 0;
        while self.row().is_some_and(|current| self.compare(current, row).is_lt()) {
            if steps < STEPS_MAX {
                self.next_row()?;
                steps += 1;
                continue;
            }
            for index in 0..self.sources.len() {
                let behind = self.sources[index].row().is_some_and(|at| self.compare(at, row).is_lt());
                if behind {
                    self.sources[index].seek(SeekTarget::AtOrAfter(row))?;
                }
            }
            self.find_row();
        }
        Ok(())
    }

    fn compare(&self, left: &[u8], right: &[u8]) -> Ordering {
        let ordering = self.order.compare(left, right);
        if self.reversed { ordering.reverse() } else { ordering }
    }

    /// The current row.
    #[inline]
    pub fn row(&self) -> Option<&[u8]> {
        self.sources.get(*self.on_row.first()?)?.row()
    }

    /// Whether a source is a memtable that has left its store.
    pub fn reads_left_memtable(&self) -> bool {
        self.sources.iter().any(|source| source.is_of_left_memtable())
    }

    /// Takes the sources out; what is left is at its end.
    pub fn take(&mut self) -> StoreCursor {
        let empty = StoreCursor::new(Vec::new(), self.order, self.reversed);
        std::mem::replace(self, empty)
    }

    /// Begins to fetch what the walk comes to next, about `bytes` of each source.
    pub fn read_ahead(&self, bytes: u64) {
        self.sources.iter().for_each(|source| source.read_ahead(bytes));
    }

    /// Bytes that the sources keep in memory, see [`RowCursor::count_memory`].
    pub fn count_memory(&self) -> u64 {
        self.sources.iter().map(|source| source.count_memory()).sum()
    }

    /// Drops the pages, until [`StoreCursor::reload_pages`], see [`RowCursor::drop_pages`].
    pub fn drop_pages(&mut self) {
        self.sources.iter_mut().for_each(|source| source.drop_pages());
    }

    /// Loads the pages that were dropped; the walk is where it was.
    pub fn reload_pages(&mut self) -> Result<()> {
        self.sources.iter_mut().try_for_each(|source| source.reload_pages())
    }

    /// Moves to the next row.
    pub fn next_row(&mut self) -> Result<()> {
        self.point_files = None; // they are about one row
        if let [source] = self.sources.as_mut_slice() {
            source.next_row()?;
            self.on_row.clear();
            if source.row().is_some() {
                self.on_row.push(0);
            }
            self.find_cell();
            return Ok(());
        }
        for &index in &self.on_row {
            self.sources[index].next_row()?;
        }
        self.find_row();
        Ok(())
    }

    fn find_row(&mut self) {
        self.on_row.clear();
        let mut best: Option<&[u8]> = None;
        for (index, source) in self.sources.iter().enumerate() {
            let Some(row) = source.row() else { continue };
            let ordering = match best {
                None => Ordering::Less,
                Some(best) => self.compare(row, best),
            };
            if ordering.is_lt() {
                self.on_row.clear();
                best = Some(row);
            }
            if ordering.is_le() {
                self.on_row.push(index);
            }
        }
        self.find_cell();
    }

    /// Finds the source with the smallest cell of the row.
    fn find_cell(&mut self) {
        if let [only] = self.on_row.as_slice() {
            self.current = *only; // which says itself whether it has a cell
            return;
        }
        self.current = usize::MAX;
        let mut best: Option<CellRef<'_>> = None;
        for &index in &self.on_row {
            let Some(cell) = self.sources[index].cell() else { continue };
            if best.is_none_or(|best| cell.cmp_in_row(&best).is_lt()) {
                best = Some(cell);
                self.current = index;
            }
        }
    }

    /// The current cell of the current row.
    #[inline]
    pub fn cell(&self) -> Option<CellRef<'_>> {
        self.sources.get(self.current)?.cell()
    }

    /// Hands out rows of single puts from the current one on, see [`RowCursor::fast_rows`]: those that come before the next row of any
    /// other source.
    pub fn fast_rows(&mut self, sink: &mut dyn FastPathSink) -> Result<u32> {
        self.run_of_one(|source, until| source.fast_rows(until, sink))
    }

    /// Hands out a run of such rows column by column, see [`RowCursor::column_run`].
    pub(crate) fn column_run(
        &mut self,
        buffers: &mut RunBuffers,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<u32> {
        self.run_of_one(|source, until| source.column_run(until, buffers, sink))
    }

    /// Whether one source alone has the current row, and no file that is not open may have it: runs of its rows may come.
    pub(crate) fn has_one_source(&self) -> bool {
        self.on_row.len() == 1 && self.point_files.is_none()
    }

    /// Lets the only source of the current row hand out rows before the next one of any other.
    fn run_of_one(
        &mut self,
        mut run: impl FnMut(&mut dyn RowCursor, Option<&[u8]>) -> Result<u32>,
    ) -> Result<u32> {
        let [only] = *self.on_row.as_slice() else { return Ok(0) };
        if self.point_files.is_some() {
            return Ok(0);
        }
        let left = match self.next_of_others(only) {
            None => run(&mut *self.sources[only], None)?,
            Some(other) => {
                self.until.clear();
                self.until.extend_from_slice(self.sources[other].row().unwrap_or_default());
                run(&mut *self.sources[only], Some(&self.until))?
            }
        };
        if left > 0 {
            self.find_row();
        }
        Ok(left)
    }

    /// The source other than one whose row comes first, `None` where the others have ended.
    fn next_of_others(&self, one: usize) -> Option<usize> {
        let others = self.sources.iter().enumerate().filter(|(index, _)| *index != one);
        let rows = others.filter_map(|(index, source)| source.row().map(|row| (index, row)));
        rows.min_by(|(_, left), (_, right)| self.compare(left, right)).map(|(index, _)| index)
    }

    /// Moves to the next cell of the row.
    #[inline]
    pub fn next_cell(&mut self) -> Result<()> {
        if let Some(source) = self.sources.get_mut(self.current) {
            source.next_cell()?;
        }
        self.find_cell();
        self.open_files()
    }

    /// Moves past all cells of the row with a qualifier at or below the given one.
    pub fn skip_column(&mut self, qualifier: &[u8]) -> Result<()> {
        for &index in &self.on_row {
            self.sources[index].skip_column(qualifier)?;
        }
        self.find_cell();
        if let Some(files) = &mut self.point_files {
            files.leave_through(qualifier);
        }
        self.open_files()
    }

    /// Moves to the first cell of the row with a qualifier at or above the given one.
    pub fn seek_column(&mut self, qualifier: &[u8]) -> Result<()> {
        for &index in &self.on_row {
            self.sources[index].seek_column(qualifier)?;
        }
        self.find_cell();
        if let Some(files) = &mut self.point_files {
            files.leave_below(qualifier);
        }
        self.open_files()
    }
}
