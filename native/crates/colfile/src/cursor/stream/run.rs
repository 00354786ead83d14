//! What a column has in a run of rows. The column's cells are single puts, as its footer says; a page that has others is malformed.

use std::ops::Range;

use grampus_cells::ColumnRunSink;

use super::super::column_run::place_of;
use super::super::rows::Rows;
use super::Stream;
use crate::cell_page::{CellAt, CellPage};
use crate::column_file::ColumnFile;
use crate::error::{Malformed, Result};
use crate::footer::RowGroup;
use crate::page_source::{Access, PageSource};

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
    /// Goes to the first cell at or above a row. Returns the row before which this page, or the gap before it, ends, `end` at most.
    pub(in crate::cursor) fn run_end(
        &mut self,
        row: u32,
        end: u32,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<u32> {
        let here = self.go_to(row, group, pages, access)?;
        if !here && self.loaded_page() != Some(self.page) {
            return Ok(end.min(self.at.row));
        }
        self.load_page_of_cell(group, pages, access)?;
        let Some(loaded) = &self.loaded else { return Ok(row) };
        if !loaded.cells.is_of_untagged_puts() {
            let malformed = Malformed::new(0, "a page has other cells than the footer's single puts");
            return Err(malformed.in_page(pages.name(), loaded.offset));
        }
        let next = self.kind.chunk(group).and_then(|chunk| chunk.pages.get(self.page + 1));
        Ok(next.map_or(end, |page| page.first_row.clamp(row, end)))
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

    /// The rows before `end` that have a cell.
    pub(in crate::cursor) fn run_rows(&self, end: u32) -> impl Iterator<Item = u32> {
        let cells = self.run_cells(end);
        let walk = self.loaded.as_ref().map(|l| walk(&l.cells, l.page.body(), self.at, cells.end));
        walk.into_iter().flatten().map(|cell| cell.row)
    }

    /// Hands out the values of a run of rows.
    pub(in crate::cursor) fn hand_out_run(
        &mut self,
        run: &Range<u32>,
        places: Option<&[u32]>,
        rows: &Rows,
        file: &ColumnFile,
        pages: &dyn PageSource,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<()> {
        if self.at.row >= run.end || !sink.column(self.qualifier(file)) {
            return Ok(());
        }
        let Some(loaded) = &self.loaded else { return Ok(()) };
        let (body, cells) = (loaded.page.body(), &loaded.cells);
        let place = |malformed: Malformed| malformed.in_page(pages.name(), loaded.offset);
        for cell in walk(cells, body, self.at, self.run_cells(run.end).end) {
            let Some(row) = place_of(cell.row, run.start, places) else { continue };
            let of_row = || rows.timestamp_of(cell.row);
            let timestamp = cells.timestamp(body, cell.index, of_row).map_err(place)?;
            let value = match cells.values() {
                Some(values) => {
                    let located = values.locate(body, cell.index as usize).map_err(place)?;
                    self.value.load(body, located).map_err(place)?;
                    self.value.slice(body, located)
                }
                None => &[],
            };
            sink.value(row, timestamp, value);
        }
        Ok(())
    }
}
