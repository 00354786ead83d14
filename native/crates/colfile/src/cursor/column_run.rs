//! Runs of simple rows, handed out column by column.
//!
//! Every row and every cell of a row group that belongs to the read can be had page by page, if the footer says that its columns have single puts: no
//! cell hides another one, and none has to be looked at before it is known to be wanted.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use grampus_cells::{ColumnRunSink, Direction, RunColumns, RunRoom};

use super::FileCursor;
use super::rows::Rows;
use crate::error::Result;
use crate::footer::RowGroup;

/// Rows of a run at most: enough that what is done once for a run does not count, and few enough for the processor's cache.
const RUN_ROWS_MAX: u32 = 4096;
/// Rows of a run at least, where only the room for bytes bounds it: fewer are walked in less time.
const RUN_ROWS_MIN: u32 = 4;
/// Rows that are walked before a run is looked for again, where there was none.
const ROWS_BETWEEN_LOOKS: u32 = 32;

/// The number of a row that has no cell.
const NO_CELL: u32 = u32::MAX;

/// The rows of a run, for its columns.
pub(super) struct RunRows<'a> {
    pub(super) first: u32,
    pub(super) end: u32,
    /// The number of each row among those that have a cell; `None` if all have one.
    numbers: Option<&'a [u32]>,
    /// The page of row keys that has them all.
    pub(super) rows: &'a Rows,
    /// What the footer says of their timestamps.
    pub(super) times: RangeInclusive<i64>,
}

impl RunRows<'_> {
    /// The number of a row among those that have a cell; `None` for a row that is not in the run.
    #[inline]
    pub(super) fn number_of(&self, row: u32) -> Option<u32> {
        let index = row.checked_sub(self.first).filter(|_| row < self.end)?;
        match self.numbers {
            None => Some(index),
            Some(numbers) => numbers.get(index as usize).copied().filter(|number| *number != NO_CELL),
        }
    }
}

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
        if self.next_look.is_some_and(|(looked, row)| looked == index && first < row) {
            return Ok(0);
        }
        let room = sink.room(self.run_columns());
        if room.rows == 0 || self.rows.key().len() > room.key_bytes / RUN_ROWS_MIN as usize {
            return Ok(0);
        }
        let mut bytes_left = room.value_bytes;
        let mut end = self.run_end(group, first, room)?;
        if end == first {
            self.next_look = Some((index, first.saturating_add(ROWS_BETWEEN_LOOKS)));
            return Ok(0);
        }
        let numbers = self.numbers(first, end);
        end = self.hand_out_keys(group, first..end, numbers.as_deref(), room.key_bytes, sink)?;
        if end == first {
            return Ok(0);
        }
        let times = group.stats.times.min..=group.stats.times.max;
        let run = RunRows { first, end, numbers: numbers.as_deref(), rows: &self.rows, times };
        let (file, pages) = (&*self.file, &*self.pages);
        for stream in self.columns.iter_mut().take(self.columns_len) {
            stream.hand_out_run(&run, &mut bytes_left, file, pages, sink)?;
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

    fn run_columns(&self) -> RunColumns {
        let streams = || self.columns.iter().take(self.columns_len);
        RunColumns {
            count: self.columns_len,
            name_bytes: streams().map(|stream| stream.qualifier(&self.file).len()).sum(),
            row_bytes: streams().map(super::Stream::cell_bytes).sum(),
        }
    }

    /// The row before which the run ends: that of the page, of row keys or of a column, that ends first, or where the sink has no more room.
    fn run_end(&mut self, group: &RowGroup, first: u32, room: RunRoom) -> Result<u32> {
        let (pages, access) = (&*self.pages, self.access);
        let mut end = self.rows.page_end().min(first.saturating_add(room.rows.min(RUN_ROWS_MAX)));
        let streams = self.columns.iter_mut().take(self.columns_len);
        for stream in streams {
            end = stream.run_end(first, end, group, pages, access)?;
            if end == first {
                break; // the pages of other columns are not needed for that
            }
        }
        while end > first {
            let streams = self.columns.iter_mut().take(self.columns_len);
            let bytes = streams.fold(0usize, |sum, stream| sum.saturating_add(stream.run_bytes_max(end)));
            if bytes <= room.value_bytes {
                break;
            }
            let rows = (end - first) / 2;
            end = if rows < RUN_ROWS_MIN { first } else { first + rows };
        }
        Ok(end)
    }

    /// The number of each row among those that have a cell; `None` if all have one.
    fn numbers(&self, first: u32, end: u32) -> Option<Vec<u32>> {
        let streams = || self.columns.iter().take(self.columns_len);
        if streams().any(|stream| stream.has_every_row(first, end)) {
            return None;
        }
        let mut numbers = vec![NO_CELL; (end - first) as usize];
        for stream in streams() {
            for row in stream.run_rows(first, end) {
                let index = row.checked_sub(first).map(|index| index as usize);
                if let Some(number) = index.and_then(|index| numbers.get_mut(index)) {
                    *number = 0;
                }
            }
        }
        let there = numbers.iter_mut().filter(|number| **number != NO_CELL);
        there.zip(0..).for_each(|(number, next)| *number = next);
        Some(numbers)
    }

    /// Hands out the keys of rows that have a cell. Returns the row before which the room for keys, in bytes, has ended.
    fn hand_out_keys(
        &mut self,
        group: &RowGroup,
        run: Range<u32>,
        numbers: Option<&[u32]>,
        mut bytes_left: usize,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<u32> {
        for (row, index) in run.clone().zip(0..) {
            self.rows.load(group, row, &*self.pages, self.access)?;
            let key = self.rows.key();
            if numbers.is_some_and(|numbers| numbers.get(index) == Some(&NO_CELL)) {
                sink.pass(key);
                continue;
            }
            let Some(left) = bytes_left.checked_sub(key.len()) else { return Ok(row) };
            bytes_left = left;
            sink.key(key);
        }
        Ok(run.end)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grampus_base::RandomRead;
    use grampus_cells::{CellRef, CellType, ColumnRunSink, RunColumns, RunRoom};

    use crate::fuzz::Bytes;
    use crate::{
        ColumnFile, ColumnFileWriter, CursorOptions, DirectPages, FileCursor, FinishInfo, WriterOptions,
    };

    struct Everything;

    impl ColumnRunSink for Everything {
        fn room(&self, _columns: RunColumns) -> RunRoom {
            RunRoom { rows: 1000, key_bytes: 1 << 20, value_bytes: 1 << 20 }
        }

        fn reaches(&self, _row: &[u8]) -> bool {
            true
        }

        fn sees(&self, _first: i64, _last: i64) -> bool {
            true
        }

        fn key(&mut self, _row: &[u8]) {}

        fn column(&mut self, _qualifier: &[u8]) {}

        fn value(&mut self, _row: u32, _timestamp: i64, _value: &[u8]) {}
    }

    const PUT: CellRef<'_> = CellRef {
        row: b"row1",
        qualifier: b"a",
        timestamp: 5,
        cell_type: CellType::PUT,
        value: b"v",
        tags: &[],
        sequence: 0,
    };

    /// Runs over a file of these cells, whose footer says that all of them are single puts of some times.
    fn run(cells: &[CellRef<'_>], times: (i64, i64)) -> crate::Result<u32> {
        let options = WriterOptions { column_bytes_min: 0, ..WriterOptions::default() };
        let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
        cells.iter().for_each(|cell| writer.append(*cell).unwrap());
        let source: Arc<dyn RandomRead> = Arc::new(Bytes(writer.finish(FinishInfo::default()).unwrap().0));
        let mut file = ColumnFile::open(&source).unwrap();
        for group in &mut file.footer.groups {
            group.columns.iter_mut().for_each(|column| column.single_puts = true);
            (group.stats.times.min, group.stats.times.max) = times;
        }
        let pages = Arc::new(DirectPages::new(source));
        let mut cursor = FileCursor::new(Arc::new(file), pages, &CursorOptions::default());
        cursor.seek_first()?;
        cursor.column_run(None, &mut Everything)
    }

    #[test]
    fn a_page_of_which_the_footer_is_not_true_is_malformed() {
        let second = CellRef { row: b"row2", ..PUT };
        assert_eq!(run(&[PUT, second], (5, 5)).unwrap(), 2);
        let older = CellRef { timestamp: 4, ..PUT };
        let last = CellRef { row: b"row3", ..PUT };
        let delete = CellRef { cell_type: CellType::DELETE, value: &[], ..second };
        let tagged = CellRef { tags: &[0, 2, 7, 9], ..second };
        for (cells, times) in [
            // As many cells as rows: none seems to be missing.
            (&[PUT, older, last][..], (4, 5)),
            (&[PUT, older, second, last], (4, 5)),
            (&[PUT, delete], (5, 5)),
            (&[PUT, tagged], (5, 5)),
            (&[PUT, second], (6, 9)),
        ] {
            let error = run(cells, times).unwrap_err().to_string();
            assert!(error.contains("the footer's single puts"), "{error}");
        }
    }
}
