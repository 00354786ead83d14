//! Runs of simple rows, handed out column by column.
//!
//! Every row and every cell of a row group that belongs to the read can be had page by page, if the footer says that its columns have single puts: no
//! cell hides another one, and none has to be looked at before it is known to be wanted.

use std::ops::RangeInclusive;
use std::sync::Arc;

use grampus_base::narrow;
use grampus_cells::{ColumnRunSink, Direction, RunBuffers, RunColumns, RunRoom};

use super::FileCursor;
use crate::error::Result;
use crate::footer::RowGroup;

/// Rows of a run at most: enough that what is done once for a run does not count, and few enough for the processor's cache.
const RUN_ROWS_MAX: u32 = 4096;
/// Rows of a run at least, where only the room for bytes bounds it: fewer are walked in less time.
const RUN_ROWS_MIN: u32 = 4;
/// Rows that are walked before a run is looked for again, where there was none.
const ROWS_BETWEEN_TRIES: u32 = 32;

/// Where rows without a cell are left out, more keys are read than handed out: at most this multiple of the room for keys.
const GAPS_MAX: usize = 4;

/// The number of a row that has no cell.
const NO_CELL: u32 = u32::MAX;

/// The rows of a run, for its columns.
pub(super) struct RunRows {
    pub(super) first: u32,
    pub(super) end: u32,
    /// What the footer says of their timestamps.
    pub(super) times: RangeInclusive<i64>,
}

impl RunRows {
    pub(super) fn len(&self) -> usize {
        (self.end - self.first) as usize
    }

    /// The row that has a number, see [`RunRows::to_numbers`]; `None` where none has it.
    fn row_of_number(&self, number: usize, numbers: &[u32]) -> Option<u32> {
        let wanted = narrow::to_u32(number);
        let index = match numbers.is_empty() {
            true => Some(number),
            false => numbers.iter().position(|number| *number == wanted),
        };
        index.map(|index| self.first.saturating_add(narrow::to_u32(index)))
    }

    /// Puts the number of each row among those that have a cell in its place; there are no numbers where all have one. False where one has none, or is
    /// not in the run.
    pub(super) fn to_numbers(&self, numbers: &[u32], rows: &mut [u32]) -> bool {
        rows.iter_mut().all(|row| {
            let index = row.checked_sub(self.first).filter(|_| *row < self.end);
            let number = match index {
                Some(index) if !numbers.is_empty() => numbers.get(index as usize).copied(),
                index => index,
            };
            *row = number.unwrap_or(NO_CELL);
            *row != NO_CELL
        })
    }
}

impl FileCursor {
    /// Hands out a run of simple rows from the current one on, no cell of which was stepped over yet, column by column. Returns how many rows it left,
    /// those without a cell included: none where the walk is reversed, or the row group goes beyond the range, the read, or `until`, or may have other
    /// cells than single puts, or the sink has no room for a row. The run ends within the row group, and within the pages of all columns.
    pub fn column_run(
        &mut self,
        until: Option<&[u8]>,
        buffers: &mut RunBuffers,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<u32> {
        let file = Arc::clone(&self.file);
        let Some(index) = self.group else { return Ok(0) };
        let Some(group) = file.footer.groups.get(index) else { return Ok(0) };
        if !self.has_runs(group, until, sink) {
            return Ok(0);
        }
        let first = self.ordinal();
        if self.next_try.is_some_and(|(group_index, row)| group_index == index && first < row) {
            return Ok(0);
        }
        let room = sink.room(self.run_columns());
        let key_bytes_max = room.key_bytes.unwrap_or(usize::MAX) / RUN_ROWS_MIN as usize;
        if room.rows == 0 || self.rows.key().len() > key_bytes_max {
            return Ok(0);
        }
        let end = self.find_run(group, first, room, buffers)?;
        if end == first {
            self.next_try = Some((index, first.saturating_add(ROWS_BETWEEN_TRIES)));
            return Ok(0);
        }
        let times = group.stats.times.min..=group.stats.times.max;
        self.hand_out_run(&RunRows { first, end, times }, room, buffers, sink)?;
        self.go_behind_run(index, group, end)?;
        Ok(end - first)
    }

    /// The row before which the run ends whose keys have been read: the first one where there is no run, or too small a one.
    fn find_run(
        &mut self,
        group: &RowGroup,
        first: u32,
        room: RunRoom,
        buffers: &mut RunBuffers,
    ) -> Result<u32> {
        let end = self.run_end(group, first, room)?;
        if end == first {
            return Ok(first);
        }
        self.read_keys(first, end, room.key_bytes, buffers)
    }

    fn go_behind_run(&mut self, index: usize, group: &RowGroup, end: u32) -> Result<()> {
        if end < group.rows {
            self.load_row(index, end)?;
            self.enter_row()
        } else {
            self.next_group(index)
        }
    }

    /// Whether rows of a group can be had without evaluating each.
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
            && self.columns.iter().all(single_puts)
            && sink.sees(times.min, times.max)
            && sink.reaches(&group.last_row)
            && self.is_before(group, until)
    }

    fn run_columns(&self) -> RunColumns {
        let streams = &self.columns;
        RunColumns {
            count: streams.len(),
            name_bytes: streams.iter().map(|stream| stream.qualifier(&self.file).len()).sum(),
            row_bytes: streams.iter().map(super::Stream::cell_bytes).sum(),
        }
    }

    /// The row before which the run ends: that of the page, of row keys or of a column, that ends first, or where the sink has no more room.
    fn run_end(&mut self, group: &RowGroup, first: u32, room: RunRoom) -> Result<u32> {
        let (pages, access) = (&*self.pages, self.access);
        let mut end = self.rows.page_end().min(first.saturating_add(room.rows.min(RUN_ROWS_MAX)));
        for stream in &mut self.columns {
            end = stream.run_end(first, end, group, pages, access)?;
            if end == first {
                break; // the pages of other columns are not needed for that
            }
        }
        while end > first {
            let streams = self.columns.iter_mut();
            let bytes = streams.fold(0usize, |sum, stream| sum.saturating_add(stream.run_bytes_max(end)));
            if bytes <= room.value_bytes {
                break;
            }
            let rows = (end - first) / 2;
            end = if rows < RUN_ROWS_MIN { first } else { first + rows };
        }
        Ok(end)
    }

    /// Returns the row before which a run ends when its keys have been read: the first one where fewer rows are left than a run is worth. Keeps the keys
    /// of rows that have a cell, as far as these have `bytes_max` bytes at most. Without `bytes_max` no key is decoded, and each row has an empty one.
    fn read_keys(
        &self,
        first: u32,
        end: u32,
        bytes_max: Option<usize>,
        buffers: &mut RunBuffers,
    ) -> Result<u32> {
        let has_gaps = !self.has_every_row(first, end);
        let read_max = bytes_max.map(|max| if has_gaps { max.saturating_mul(GAPS_MAX) } else { max });
        // Keys are about as long as the one before.
        let rows = read_max.map_or(usize::MAX, |max| (max / self.rows.key().len().max(1)).saturating_mul(2));
        let until = end.min(first.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX)).max(first + 1));
        self.rows.read_run(first..until, read_max, &*self.pages, buffers)?;
        let rows = match has_gaps {
            true => self.leave_out_gaps(first, bytes_max.unwrap_or(usize::MAX), buffers)?,
            false => {
                std::mem::swap(&mut buffers.keys, &mut buffers.all_keys);
                buffers.numbers.clear();
                buffers.keys.len()
            }
        };
        let rows = narrow::to_u32(rows);
        Ok(if rows < RUN_ROWS_MIN.min(end - first) { first } else { first + rows })
    }

    /// Hands out a run. Its keys are in `buffers`, unless the sink wants none; then the last one is decoded here.
    fn hand_out_run(
        &mut self,
        run: &RunRows,
        room: RunRoom,
        buffers: &mut RunBuffers,
        sink: &mut dyn ColumnRunSink,
    ) -> Result<()> {
        let (file, pages) = (&*self.file, &*self.pages);
        if room.key_bytes.is_none() {
            self.rows.read_key(run.end - 1, pages, buffers)?;
        }
        let last = match room.key_bytes {
            None => buffers.one_key.last(),
            Some(_) if buffers.numbers.is_empty() => buffers.keys.last(),
            Some(_) => buffers.all_keys.last(),
        };
        sink.rows(&buffers.keys, last.unwrap_or_default());
        let mut bytes_left = room.value_bytes;
        for stream in &mut self.columns {
            stream.hand_out_run(run, &mut bytes_left, file, pages, buffers, sink)?;
        }
        if let Some(row) = sink.wanted_key().and_then(|number| run.row_of_number(number, &buffers.numbers)) {
            self.rows.read_key(row, pages, buffers)?;
            sink.take_key(buffers.one_key.last().unwrap_or_default());
        }
        Ok(())
    }

    /// Numbers the rows that have a cell, and keeps their keys, which have `bytes_max` bytes at most. Returns how many rows it has come to.
    fn leave_out_gaps(&self, first: u32, bytes_max: usize, buffers: &mut RunBuffers) -> Result<usize> {
        let RunBuffers { keys, all_keys, numbers, rows, row_timestamps, integers: [integers, _], .. } =
            buffers;
        numbers.clear();
        numbers.resize(all_keys.len(), NO_CELL);
        let end = first + narrow::to_u32(all_keys.len());
        for stream in &self.columns {
            stream.read_run_rows(end, &*self.pages, integers, rows)?;
            for row in rows.iter() {
                let index = row.checked_sub(first).map(|index| index as usize);
                if let Some(number) = index.and_then(|index| numbers.get_mut(index)) {
                    *number = 0;
                }
            }
        }
        keys.clear();
        let mut come_to = 0;
        for (number, key) in numbers.iter_mut().zip(all_keys.iter()) {
            if *number != NO_CELL {
                if keys.bytes_len() + key.len() > bytes_max {
                    break;
                }
                *number = narrow::to_u32(keys.len());
                keys.push(key);
            }
            come_to += 1;
        }
        all_keys.truncate(come_to);
        numbers.truncate(come_to);
        row_timestamps.truncate(come_to);
        Ok(come_to)
    }

    /// Whether one column has a cell in each row from one on, before another.
    fn has_every_row(&self, first: u32, end: u32) -> bool {
        self.columns.iter().any(|stream| stream.has_every_row(first, end))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use grampus_base::RandomRead;
    use grampus_cells::{CellRef, CellType, RunBuffers};

    use crate::every_column::EveryColumn;
    use crate::memory_file::MemoryFile;
    use crate::{
        ColumnFile, ColumnFileWriter, CursorOptions, DirectPages, FileCursor, FinishInfo, WriterOptions,
    };

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
        let source: Arc<dyn RandomRead> =
            Arc::new(MemoryFile(writer.finish(FinishInfo::default()).unwrap().0));
        let mut file = ColumnFile::open(&source).unwrap();
        for group in &mut file.footer.groups {
            group.columns.iter_mut().for_each(|column| column.single_puts = true);
            (group.stats.times.min, group.stats.times.max) = times;
        }
        let pages = Arc::new(DirectPages::new(source));
        let mut cursor = FileCursor::new(Arc::new(file), pages, &CursorOptions::default());
        cursor.seek_first()?;
        cursor.column_run(None, &mut RunBuffers::default(), &mut EveryColumn)
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
