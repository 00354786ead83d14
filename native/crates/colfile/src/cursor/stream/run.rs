//! What a column has in a run of rows. Its cells are single puts, as the footer says; a page that has others, or rows in another order, is malformed.

use std::ops::Range;

use grampus_cells::{ColumnRunSink, RunBuffers, RunValues};

use super::super::column_run::RunRows;
use super::{Loaded, Stream};
use crate::column_file::ColumnFile;
use crate::encoding::ints;
use crate::error::{Decoded, Malformed, Result};
use crate::footer::RowGroup;
use crate::page::LARGE_PAGE_BYTES;
use crate::page_source::{Access, PageSource};

/// What the footer does not say of a page.
const OTHER_CELLS: Malformed =
    Malformed { at: 0, what: "a page has other cells than the footer's single puts" };

/// A page's cells share what the page of row keys does not have.
const NO_TIMESTAMP: Malformed = Malformed { at: 0, what: "a cell shares what its row does not have" };

/// Strings that share bytes have more of them than their ends say.
const OVERLAP: Malformed = Malformed { at: 0, what: "the values of a page overlap" };

/// Single puts are no more than their rows: few bytes may say that a row has billions.
fn check_count(cells: &Range<u32>, rows: Range<u32>) -> Decoded<()> {
    if cells.len() <= rows.len() { Ok(()) } else { Err(OTHER_CELLS) }
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

    /// Reads the rows before `end`, from the current cell's on, that have a cell, in the place of those before.
    pub(in crate::cursor) fn read_run_rows(
        &self,
        end: u32,
        pages: &dyn PageSource,
        integers: &mut Vec<u64>,
        rows: &mut Vec<u32>,
    ) -> Result<()> {
        rows.clear();
        let cells = self.run_cells(end);
        if let Some(loaded) = self.loaded.as_ref().filter(|_| !cells.is_empty()) {
            check_count(&cells, self.at.row..end).map_err(|m| m.in_page(pages.name(), loaded.offset))?;
            loaded.cells.read_rows(loaded.page.body(), self.at, cells.end, integers, rows);
        }
        Ok(())
    }

    /// Hands out the values of a run of rows. `bytes_left` is the room that the run's values still have, in bytes.
    pub(in crate::cursor) fn hand_out_run(
        &self,
        run: &RunRows,
        bytes_left: &mut usize,
        file: &ColumnFile,
        pages: &dyn PageSource,
        buffers: &mut RunBuffers,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<()> {
        let cells = self.run_cells(run.end);
        let Some(loaded) = self.loaded.as_ref().filter(|_| !cells.is_empty()) else { return Ok(()) };
        let place = |malformed: Malformed| malformed.in_page(pages.name(), loaded.offset);
        let every = self.read_run(loaded, cells, run, buffers).map_err(place)?;
        *bytes_left = bytes_left.checked_sub(buffers.values.bytes_len()).ok_or(OVERLAP).map_err(place)?;
        let RunBuffers { keys, rows, timestamps, values, .. } = buffers;
        let rows = (!every).then_some(rows.as_slice());
        sink.column(self.qualifier(file), &RunValues { keys, rows, timestamps, values });
        Ok(())
    }

    /// Reads the values at some positions of the loaded page, with their rows and timestamps. True if every row of the run has one; their rows are not
    /// read then.
    fn read_run(
        &self,
        loaded: &Loaded,
        cells: Range<u32>,
        run: &RunRows,
        buffers: &mut RunBuffers,
    ) -> Decoded<bool> {
        check_count(&cells, self.at.row..run.end)?;
        let RunBuffers { numbers, row_timestamps, rows, timestamps, values, integers, .. } = buffers;
        let (page, body) = (&loaded.cells, loaded.page.body());
        let every = page.is_dense() && self.at.row == run.first && cells.len() == run.len();
        if !every {
            page.read_rows(body, self.at, cells.end, &mut integers[0], rows);
            if !rows.is_sorted_by(|a, b| a < b) {
                return Err(OTHER_CELLS);
            }
        }
        let positions = cells.start as usize..cells.end as usize;
        timestamps.clear();
        if page.read_timestamps(body, positions.clone(), &mut integers[0]) {
            timestamps.extend(integers[0].iter().map(|time| ints::to_i64(*time)));
        } else if every {
            timestamps.extend(row_timestamps.iter().map(|time| ints::to_i64(*time)));
        } else {
            let of_row =
                |row: &u32| row.checked_sub(run.first).and_then(|at| row_timestamps.get(at as usize));
            timestamps.extend(rows.iter().filter_map(of_row).map(|time| ints::to_i64(*time)));
        }
        if row_timestamps.is_empty() && timestamps.is_empty() {
            return Err(NO_TIMESTAMP);
        }
        let (min, max) = (*run.times.start(), *run.times.end());
        let inside = timestamps.iter().fold(true, |inside, time| inside & (min <= *time) & (*time <= max));
        if !inside || timestamps.len() != positions.len() || !(every || run.to_numbers(numbers, rows)) {
            return Err(OTHER_CELLS);
        }
        values.clear();
        match page.values() {
            Some(blobs) => blobs.append(body, positions, integers, values)?,
            None => values.extend_run(&[], positions.map(|_| 0)),
        }
        Ok(every)
    }
}
