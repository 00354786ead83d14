//! Runs of simple rows, handed out column by column.
//!
//! Every row and every cell of a row group that belongs to the read can be had page by page, if the footer says that its columns have single puts: no
//! cell hides another one, and none has to be looked at before it is known to be wanted.

use std::ops::Range;
use std::sync::Arc;

use grampus_cells::{ColumnRunSink, Direction};

use super::FileCursor;
use crate::error::Result;
use crate::footer::RowGroup;

/// Rows of a run at most: enough that what is done once for a run does not count, and few enough for the processor's cache.
const RUN_ROWS_MAX: u32 = 4096;

/// A row of the run that has no cell.
const NO_CELL: u32 = u32::MAX;

impl FileCursor {
    /// Hands out a run of simple rows from the current one on, no cell of which was stepped over yet, column by column. Returns how many rows it left,
    /// those without a cell included: none where the walk is reversed, or the row group goes beyond the range, the read, or `until`, or may have other
    /// cells than single puts, or the sink has no room for a row. The run ends within the row group, and within the pages of all columns.
    pub fn column_run(&mut self, until: Option<&[u8]>, sink: &mut dyn ColumnRunSink) -> Result<u32> {
        let file = Arc::clone(&self.file);
        let Some(index) = self.group else { return Ok(0) };
        let Some(group) = file.footer.groups.get(index) else { return Ok(0) };
        if !self.has_runs(group, until, sink) {
            return Ok(0);
        }
        let first = self.ordinal();
        let mut end = self.run_end(group, first, sink)?;
        if end == first {
            return Ok(0);
        }
        let places = self.places(first, end);
        end = self.hand_out_keys(group, first..end, places.as_deref(), sink)?;
        let (file, pages) = (&*self.file, &*self.pages);
        for stream in self.columns.iter_mut().take(self.columns_len) {
            stream.hand_out_run(&(first..end), places.as_deref(), &self.rows, file, pages, sink)?;
        }
        if end < group.rows {
            self.load_row(index, end)?;
            self.settle()?;
        } else {
            self.next_group(index)?;
        }
        Ok(end - first)
    }

    /// Whether rows of a group can be had without a look at each.
    fn has_runs(&self, group: &RowGroup, until: Option<&[u8]>, sink: &dyn ColumnRunSink) -> bool {
        let times = &group.stats.times;
        let single_puts = |stream: &super::Stream| {
            stream
                .column()
                .and_then(|column| group.columns.get(column))
                .is_some_and(|column| column.single_puts)
        };
        self.direction == Direction::Forward
            && !self.has_rare()
            && self.group_inside
            && self.columns.iter().take(self.columns_len).all(single_puts)
            && sink.sees(times.min, times.max)
            && sink.reaches(&group.last_row)
            && self.is_before(group, until)
    }

    /// The row before which the run ends: that of the page, of row keys or of a column, that ends first, or where the sink has no more room.
    fn run_end(&mut self, group: &RowGroup, first: u32, sink: &dyn ColumnRunSink) -> Result<u32> {
        let (room, pages, access) = (sink.room(), &*self.pages, self.access);
        let mut end = self.rows.page_end().min(first.saturating_add(room.rows.min(RUN_ROWS_MAX)));
        let streams = self.columns.iter_mut().take(self.columns_len);
        for stream in streams {
            end = stream.run_end(first, end, group, pages, access)?;
        }
        while end > first {
            let streams = self.columns.iter_mut().take(self.columns_len);
            let bytes = streams.fold(0usize, |sum, stream| sum.saturating_add(stream.run_bytes_max(end)));
            if bytes <= room.bytes {
                break;
            }
            end = first + (end - first) / 2;
        }
        Ok(end)
    }

    /// The place of each row among those that have a cell; `None` if all have one.
    fn places(&self, first: u32, end: u32) -> Option<Vec<u32>> {
        let streams = || self.columns.iter().take(self.columns_len);
        if streams().any(|stream| stream.has_every_row(first, end)) {
            return None;
        }
        let mut places = vec![NO_CELL; (end - first) as usize];
        for stream in streams() {
            for row in stream.run_rows(end) {
                let index = row.checked_sub(first).map(|index| index as usize);
                if let Some(place) = index.and_then(|index| places.get_mut(index)) {
                    *place = 0;
                }
            }
        }
        let there = places.iter_mut().filter(|place| **place != NO_CELL);
        there.zip(0..).for_each(|(place, number)| *place = number);
        Some(places)
    }

    /// Hands out the keys of rows that have a cell. Returns the row before which the sink's room for keys has ended; one has room always.
    fn hand_out_keys(
        &mut self,
        group: &RowGroup,
        run: Range<u32>,
        places: Option<&[u32]>,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<u32> {
        let mut left = sink.room().bytes;
        for (row, index) in run.clone().zip(0..) {
            self.rows.load(group, row, &*self.pages, self.access)?;
            let key = self.rows.key();
            if places.is_some_and(|places| places.get(index) == Some(&NO_CELL)) {
                continue;
            }
            if key.len() > left && row > run.start {
                return Ok(row);
            }
            left = left.saturating_sub(key.len());
            sink.key(key);
        }
        Ok(run.end)
    }
}

/// The place of a row of the run among those that have a cell; `None` for another row, which a malformed page may lead to.
#[inline]
pub(super) fn place_of(row: u32, first: u32, places: Option<&[u32]>) -> Option<u32> {
    let index = row.checked_sub(first)?;
    match places {
        None => Some(index),
        Some(places) => places.get(index as usize).copied().filter(|place| *place != NO_CELL),
    }
}
