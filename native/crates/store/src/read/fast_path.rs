//! The fast path of a scan: simple rows go from a file into a reply without evaluating cell by cell, with one look at a column where a filter wants one.
//!
//! Replies, counts and limits are those of the walk cell by cell; where that would take more than a look, the row is refused.

use std::cell::Cell;

use grampus_cells::{
    After, CellRef, CellType, Dropped, FastPathSink, PredicateColumn, ValueBounds, cell_codec,
};
use grampus_filter::ValueForm;

use crate::read::call::{Call, Stop};
use crate::read::heap_size::heap_size;
use crate::read::row_test::RowTest;
use crate::read::scan_bounds::{CELL_EXTRA_BYTES, ScanBounds, ScanCounts};
use crate::read::sink::{ResultSink, put_cell};

/// Why a run ended, unless it came to a row that it could not take or to a limit between rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The call ends.
    Stop(Stop),
    /// The last row did not fit the output and belongs to the next call.
    Carried {
        /// Its cells.
        cells: u32,
        /// What they count towards the size limit.
        size: u64,
    },
}

/// The row that is being taken.
#[derive(Default)]
struct OpenRow {
    /// Where its cells begin in the sink.
    start: usize,
    cells: u32,
    bytes: usize,
    last_bytes: usize,
    /// Bytes of the cell that the filter takes out.
    excluded: usize,
    scanned: u64,
    hidden: bool,
}

/// The run.
pub(super) struct FastPath<'a, 'info, S> {
    sink: &'a mut S,
    call: &'a mut Call<'info>,
    family: &'a [u8],
    bounds: &'a ScanBounds,
    times: (i64, i64),
    test: Option<RowTest<'a>>,
    counts: &'a mut ScanCounts,
    /// The last row that was taken, or one that was dropped behind it.
    row: &'a mut Vec<u8>,
    open: OpenRow,
    /// A value was searched outside of the engine, and the clock is to be looked at.
    searched: Cell<bool>,
    end: Option<RunEnd>,
}

/// What a run reads and how.
pub(super) struct RunSource<'a> {
    /// Name of the only family.
    pub family: &'a [u8],
    /// Bounds of the scan.
    pub bounds: &'a ScanBounds,
    /// First and last timestamp of cells that the scan sees.
    pub times: (i64, i64),
    /// What the scan's filter asks of one column.
    pub test: Option<RowTest<'a>>,
    /// What the scan has looked at.
    pub counts: &'a mut ScanCounts,
    /// The scan's current row.
    pub row: &'a mut Vec<u8>,
}

impl<'a, 'info, S: ResultSink> FastPath<'a, 'info, S> {
    /// A run that has taken nothing.
    pub(super) fn new(
        source: RunSource<'a>,
        sink: &'a mut S,
        call: &'a mut Call<'info>,
    ) -> FastPath<'a, 'info, S> {
        let RunSource { family, bounds, times, test, counts, row } = source;
        let (open, searched) = (OpenRow::default(), Cell::new(false));
        FastPath { sink, call, family, bounds, times, test, counts, row, open, searched, end: None }
    }

    /// Why it ended.
    pub(super) fn end(&self) -> Option<RunEnd> {
        self.end
    }

    fn cell_bytes(&self, row: &[u8], qualifier: &[u8], value: usize) -> usize {
        cell_codec::cell_bytes(row, self.family, qualifier, value, &[])
    }

    fn leave(&mut self, row: &[u8], rows: u64, scanned: u64) {
        self.row.clear();
        self.row.extend_from_slice(row);
        self.counts.rows_scanned += rows;
        self.counts.bytes_scanned += scanned;
    }

    /// Looks at the limits between rows, after `rows` rows were left.
    fn after_rows(&mut self, rows: u32) -> After {
        if self.call.limit().is_some() {
            return After::Enough;
        }
        self.note_search();
        if self.searched.take() {
            self.call.check_clock_soon();
        }
        if let Some(stop) = self.call.expired(rows) {
            self.end = Some(RunEnd::Stop(stop));
            return After::Enough;
        }
        After::Next
    }

    /// Whether a value was searched outside of the engine since the last call. The next check of the clock between rows knows of it.
    fn note_search(&self) -> bool {
        let searched = self.test.as_ref().is_some_and(RowTest::take_search);
        self.searched.set(searched || self.searched.get());
        searched
    }

    fn refuse(&mut self) -> After {
        self.forget();
        After::Refuse
    }

    /// The size limit lies within the row, whose cells would then be parts of two results.
    fn ends_within(&self) -> bool {
        let OpenRow { cells, bytes, last_bytes, .. } = self.open;
        let left = self.call.limits.size_limit.saturating_sub(self.call.progress.size);
        self.may_end_within() && cells > 1 && heap_size(cells - 1, (bytes - last_bytes) as u64) >= left
    }

    /// Rows that are evaluated as a whole end a call only between rows.
    fn may_end_within(&self) -> bool {
        self.test.is_none() && self.call.limits.partials_allowed
    }
}

impl<S: ResultSink> FastPathSink for FastPath<'_, '_, S> {
    fn predicate_column(&self) -> Option<PredicateColumn<'_>> {
        // A column of another family is one that no row has.
        self.test
            .as_ref()
            .map(|test| PredicateColumn { qualifier: test.qualifier_in(self.family), times: self.times })
    }

    #[inline]
    fn begin(&mut self, row: &[u8]) -> bool {
        if self.bounds.is_past_stop(row) || self.test.as_ref().is_some_and(|test| !test.decides()) {
            return false;
        }
        self.sink.begin_result();
        self.open = OpenRow { start: self.sink.position(), ..OpenRow::default() };
        true
    }

    #[inline]
    fn accepts(&self, value: Option<&[u8]>) -> bool {
        self.test.as_ref().is_none_or(|test| test.keeps(value))
    }

    fn may_take_long(&self) -> bool {
        self.test.as_ref().is_some_and(RowTest::may_search)
    }

    fn is_time_over(&self) -> bool {
        self.note_search() && self.call.stop_by_time().is_some()
    }

    fn may_accept(&self, values: &ValueBounds) -> bool {
        self.test.as_ref().is_none_or(|test| test.may_keep(values))
    }

    fn drop(&mut self, dropped: Dropped<'_>) -> After {
        self.leave(dropped.row, u64::from(dropped.rows), dropped.bytes);
        self.counts.rows_filtered += u64::from(dropped.rows);
        self.call.progress.dropped += dropped.bytes;
        self.after_rows(dropped.rows)
    }

    #[inline]
    fn cell(&mut self, row: &[u8], qualifier: &[u8], timestamp: i64, value: &[u8]) {
        self.open.hidden |= timestamp < self.times.0 || timestamp > self.times.1;
        self.open.scanned += (row.len() + qualifier.len() + value.len()) as u64 + CELL_EXTRA_BYTES;
        if self.test.as_ref().is_some_and(|test| test.excludes(self.family, qualifier)) {
            self.open.excluded = self.cell_bytes(row, qualifier, value.len());
            return;
        }
        if self.sink.is_overfull() {
            return; // the row is left to the walk, which can stop within it
        }
        let cell_type = CellType::PUT;
        let cell = CellRef { row, qualifier, timestamp, cell_type, value, tags: &[], sequence: 0 };
        self.open.last_bytes = put_cell(self.sink, self.family, &cell, ValueForm::Whole, false);
        self.open.bytes += self.open.last_bytes;
        self.open.cells += 1;
    }

    fn end(&mut self, row: &[u8]) -> After {
        let OpenRow { cells, bytes, excluded, scanned, hidden, .. } = self.open;
        // What is taken out needs its place too.
        let full = excluded > 0 && (self.sink.is_carrying() || excluded > self.sink.room());
        if hidden
            || self.sink.is_overfull()
            || cells == 0
            || full
            || (bytes + excluded) as u64 > self.bounds.row_bytes_max
            || self.ends_within()
        {
            return self.refuse();
        }
        self.leave(row, 1, scanned);
        let size = heap_size(cells, bytes as u64);
        self.call.progress.size += size;
        if self.sink.is_carrying() {
            self.end = Some(RunEnd::Carried { cells, size });
            return After::Enough;
        }
        self.call.push(cells, false, self.sink.position());
        self.after_rows(1)
    }

    fn forget(&mut self) {
        self.sink.roll_back(self.open.start);
    }
}
