//! What a column has in a run of rows. Its cells are single puts, as the footer says; a page that has others, or rows in another order, is malformed.

use std::ops::Range;

use grampus_cells::ColumnRunSink;

use super::super::column_run::RunRows;
use super::Stream;
use crate::cell_page::{CellAt, CellPage};
use crate::column_file::ColumnFile;
use crate::error::{Malformed, Result};
use crate::footer::RowGroup;
use crate::page::LARGE_PAGE_BYTES;
use crate::page_source::{Access, PageSource};

/// What the footer does not say of a page.
const OTHER_CELLS: Malformed =
    Malformed { at: 0, what: "a page has other cells than the footer's single puts" };

/// Strings that share bytes have more of them than their ends say.
const OVERLAP: Malformed = Malformed { at: 0, what: "the values of a page overlap" };

/// The cells from one on, those before a position.
fn walk<'a>(
    cells: &'a CellPage,
    body: &'a [u8],
    from: CellAt,
    end: u32,
) -> impl Iterator<Item = CellAt> + 'a {
    let first = Some(from).filter(|cell| cell.index < end);
    std::iter::successors(first, move |cell| cells.next(body, *cell).filter(|next| next.index < end))
}

impl Stream {
    /// Goes to the first cell at or above a row. Returns the row before which its page, or the gap before it, ends, `end` at most. A large page is left
    /// to the walk, which keeps it no longer than its cell.
    pub(in crate::cursor) fn run_end(
        &mut self,
        row: u32,
        end: u32,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<u32> {
        let Some(chunk) = self.kind.chunk(group) else { return Ok(end) };
        let is_large = |index: usize| {
            chunk.pages.get(index).is_some_and(|page| page.at.raw_len as usize >= LARGE_PAGE_BYTES)
        };
        if chunk.find(row).is_some_and(is_large) {
            return Ok(row);
        }
        let here = self.go_to(row, group, pages, access)?;
        if !here && self.loaded_page() != Some(self.page) {
            return Ok(end.min(self.at.row));
        }
        if is_large(self.page) {
            return Ok(row);
        }
        self.load_page_of_cell(group, pages, access)?;
        let Some(loaded) = &self.loaded else { return Ok(row) };
        if !loaded.cells.is_of_untagged_puts() {
            return Err(OTHER_CELLS.in_page(pages.name(), loaded.offset));
        }
        Ok(chunk.pages.get(self.page + 1).map_or(end, |next| next.first_row.clamp(row, end)))
    }

    /// Positions in the page of the cells of the rows from the current cell's on.
    fn run_cells(&self, end: u32) -> Range<u32> {
        let from = self.at.index;
        let Some(loaded) = self.loaded.as_ref().filter(|_| self.at.row < end) else { return from..from };
        let after = loaded.cells.at_or_above(loaded.page.body(), end, self.at);
        from..after.map_or(loaded.cells.cells, |at| at.index)
    }

    /// Bytes that the values of the rows before `end` have at most.
    pub(in crate::cursor) fn run_bytes_max(&mut self, end: u32) -> usize {
        let cells = self.run_cells(end);
        let Some(loaded) = self.loaded.as_mut().filter(|_| !cells.is_empty()) else { return 0 };
        let Some(values) = loaded.cells.values() else { return 0 };
        values.bytes_max(loaded.page.body(), cells.start as usize..cells.end as usize, &mut loaded.longest)
    }

    /// Whether each row from `first` on, before `end`, has a cell.
    pub(in crate::cursor) fn has_every_row(&self, first: u32, end: u32) -> bool {
        self.at.row == first && self.run_cells(end).len() == (end - first) as usize
    }

    /// The rows from `first` on, before `end`, that have a cell.
    pub(in crate::cursor) fn run_rows(&self, first: u32, end: u32) -> impl Iterator<Item = u32> {
        let cells = self.run_cells(end);
        let walk = self.loaded.as_ref().map(|l| walk(&l.cells, l.page.body(), self.at, cells.end));
        walk.into_iter().flatten().map(|cell| cell.row).take((end - first) as usize)
    }

    /// Hands out the values of a run of rows. `bytes_left` is the room that the run's values still have, in bytes.
    pub(in crate::cursor) fn hand_out_run(
        &mut self,
        run: &RunRows<'_>,
        bytes_left: &mut usize,
        file: &ColumnFile,
        pages: &dyn PageSource,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<()> {
        if self.at.row >= run.end {
            return Ok(());
        }
        sink.column(self.qualifier(file));
        let Some(loaded) = &self.loaded else { return Ok(()) };
        let (body, cells) = (loaded.page.body(), &loaded.cells);
        let place = |malformed: Malformed| malformed.in_page(pages.name(), loaded.offset);
        let mut next_row = run.first;
        for cell in walk(cells, body, self.at, self.run_cells(run.end).end) {
            let number = Some(cell.row).filter(|row| *row >= next_row).and_then(|row| run.number_of(row));
            let number = number.ok_or(OTHER_CELLS).map_err(place)?;
            next_row = cell.row + 1;
            let timestamp = cells.timestamp(body, cell.index, || run.rows.timestamp_of(cell.row));
            let timestamp = timestamp.map_err(place)?;
            let value = match cells.values() {
                Some(values) => {
                    let located = values.locate(body, cell.index as usize).map_err(place)?;
                    self.value.load(body, located).map_err(place)?;
                    self.value.slice(body, located)
                }
                None => &[],
            };
            *bytes_left = bytes_left.checked_sub(value.len()).ok_or(OVERLAP).map_err(place)?;
            if !run.times.contains(&timestamp) {
                return Err(place(OTHER_CELLS));
            }
            sink.value(number, timestamp, value);
        }
        Ok(())
    }
}
