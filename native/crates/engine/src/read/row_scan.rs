//! Rows of a region as a read may see them: stores walked in step, cells judged, filters obeyed, cells written to a sink.

use std::sync::Arc;

use super::call::Call;
use super::cursor::SeekTarget;
use super::family_order::sort_by_family;
use super::plain_run::{PlainRun, RunEnd, RunSource};
use super::row_test::RowTest;
use super::scan_bounds::{CELL_EXTRA_BYTES, ROW_BYTES_MAX, ScanBounds, ScanCounts};
use super::sink::{CellSink, ScanSink, put_cell};
use super::store_cursor::StoreCursor;
use super::visibility::{Match, Visibility};
use crate::error::{Error, ErrorKind, Result};
use crate::filter::{Filter, Hint, RowCell, ValueForm};
use crate::request::cell_codec;
use crate::store::FamilyConfig;

/// One store's part of a scan.
pub struct StoreScan {
    /// The family.
    pub family: Arc<FamilyConfig>,
    /// Its sources.
    pub cursor: StoreCursor,
    /// Its rules.
    pub visibility: Visibility,
    /// Whether rows can be judged only with it.
    pub essential: bool,
    on_row: bool,
    cells: i64,
    bytes: usize,
}

impl StoreScan {
    /// A store's part of a scan.
    pub fn new(family: Arc<FamilyConfig>, cursor: StoreCursor, visibility: Visibility) -> StoreScan {
        StoreScan { family, cursor, visibility, essential: true, on_row: false, cells: 0, bytes: 0 }
    }

    fn begin_row(&mut self) {
        self.visibility.reset();
        self.cells = 0;
        self.bytes = 0;
    }
}

/// Where a scan arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowState {
    /// On a row whose key passed the filter.
    Row,
    /// On a row whose key did not pass; call `leave_row`.
    Dropped,
    /// No more rows.
    End,
}

#[derive(Clone, Copy)]
struct Span {
    start: usize,
    len: usize,
    store: usize,
}

/// State of a row whose non-essential stores are read only if the others let it pass.
#[derive(Default)]
struct Joined {
    /// Where the row's cells begin in the sink.
    from: Option<usize>,
    /// The verdict on the row, once the essential stores are done.
    verdict: Option<bool>,
}

/// Walks over the rows of a region.
pub struct RowScan {
    stores: Vec<StoreScan>,
    filter: Option<Box<dyn Filter>>,
    bounds: ScanBounds,
    row: Vec<u8>,
    store: usize,
    has_filter_row: bool,
    has_filter_row_cells: bool,
    spans: Vec<Span>,
    scratch: Vec<u8>,
    row_hint: Option<Vec<u8>>,
    cell_done: bool,
    joined: Option<Joined>,
    /// Timestamps of the cells that [`RowScan::plain_rows`] may return; `None` when it may not return any.
    plain_times: Option<(i64, i64)>,
    /// What it has looked at so far.
    pub counts: ScanCounts,
}

impl RowScan {
    /// Positions the stores at the start row.
    pub fn new(
        mut stores: Vec<StoreScan>,
        filter: Option<Box<dyn Filter>>,
        bounds: ScanBounds,
        start: SeekTarget<'_>,
    ) -> Result<RowScan> {
        for store in &mut stores {
            store.cursor.seek(start)?;
        }
        let has_filter_row = filter.as_ref().is_some_and(|f| f.has_filter_row());
        let has_filter_row_cells = filter.as_ref().is_some_and(|f| f.has_filter_row_cells());
        let judges_rows_alone = filter.as_ref().is_none_or(|f| f.single_column(0).is_some());
        let plain_times = match stores.as_slice() {
            [only] if judges_rows_alone && bounds.store_limit < 0 && bounds.store_offset == 0 => {
                only.visibility.plain_times()
            }
            _ => None,
        };
        Ok(RowScan {
            stores,
            filter,
            bounds,
            row: Vec::new(),
            store: 0,
            has_filter_row,
            has_filter_row_cells,
            spans: Vec::new(),
            scratch: Vec::new(),
            row_hint: None,
            cell_done: false,
            joined: None,
            plain_times,
            counts: ScanCounts::default(),
        })
    }

    /// Reads the stores that the filter does not need only for rows that pass it. Only for filters that judge rows as a whole, since
    /// then no result ends within a row.
    pub fn load_on_demand(&mut self) {
        let Some(filter) = &self.filter else { return };
        if !self.has_filter_row {
            return;
        }
        for store in &mut self.stores {
            store.essential = filter.is_family_essential(&store.family.name);
        }
        if self.stores.iter().any(|s| s.essential) && self.stores.iter().any(|s| !s.essential) {
            self.joined = Some(Joined::default());
        } else {
            self.stores.iter_mut().for_each(|s| s.essential = true);
        }
    }

    /// Begins to fetch what the walk comes to next, about so many bytes of each store's sources.
    pub fn read_ahead(&self, bytes: u64) {
        self.stores.iter().filter(|store| store.essential).for_each(|store| store.cursor.read_ahead(bytes));
    }

    /// Rows can only be judged as a whole.
    pub fn has_filter_row(&self) -> bool {
        self.has_filter_row
    }

    /// Collected cells must stay readable until the end of their row.
    pub fn has_filter_row_cells(&self) -> bool {
        self.has_filter_row_cells
    }

    /// The filter wants nothing more.
    pub fn filter_done(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.filter_all_remaining())
    }

    /// An error when the filter could not judge what was read since the last call.
    pub fn check_filter(&self) -> Result<()> {
        self.filter.as_ref().map_or(Ok(()), |filter| filter.check())
    }

    /// True when no row is left; a later row may still be dropped by the filter.
    pub fn is_exhausted(&self) -> bool {
        let Some(first) = self.first_store() else { return true };
        self.bounds.is_past_stop(self.stores[first].cursor.row().unwrap_or_default())
    }

    /// The current row.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Goes to the next row of any store.
    pub fn enter_row(&mut self) -> Result<RowState> {
        let Some(first) = self.first_store() else { return Ok(RowState::End) };
        let row = self.stores[first].cursor.row().unwrap_or_default();
        if self.bounds.is_past_stop(row) {
            return Ok(RowState::End);
        }
        self.row.clear();
        self.row.extend_from_slice(row);
        let alone = self.stores.len() == 1;
        for store in &mut self.stores {
            store.on_row = alone || store.essential && store.cursor.row() == Some(self.row.as_slice());
            if store.on_row {
                store.begin_row();
            }
        }
        self.store = 0;
        self.spans.clear();
        if let Some(joined) = &mut self.joined {
            *joined = Joined::default();
        }
        self.counts.rows_scanned += 1;
        if let Some(filter) = &mut self.filter
            && filter.filter_row_key(&self.row)
        {
            return Ok(if filter.filter_all_remaining() { RowState::End } else { RowState::Dropped });
        }
        Ok(RowState::Row)
    }

    /// Writes whole rows and leaves them, as long as they can be returned without judging their cells one by one: one store, one
    /// source on the row, puts that hide nothing, no filter or one of single columns. Returns how many rows it left, dropped ones
    /// included, and why it ended; it may leave none.
    pub fn plain_rows(
        &mut self,
        sink: &mut ScanSink<'_>,
        call: &mut Call<'_>,
    ) -> Result<(u32, Option<RunEnd>)> {
        let (Some(times), [StoreScan { family, cursor, .. }]) =
            (self.plain_times, self.stores.as_mut_slice())
        else {
            return Ok((0, None));
        };
        let source = RunSource {
            family: &family.name,
            bounds: &self.bounds,
            times,
            test: self.filter.as_ref().and_then(|filter| RowTest::of(filter.as_ref())),
            counts: &mut self.counts,
            row: &mut self.row,
        };
        let mut run = PlainRun::new(source, sink, call);
        let rows = cursor.plain_rows(&mut run)?;
        Ok((rows, run.end()))
    }

    fn first_store(&self) -> Option<usize> {
        if self.stores.len() == 1 {
            return self.stores[0].cursor.row().map(|_| 0);
        }
        let mut best: Option<(usize, &[u8])> = None;
        for (index, store) in self.stores.iter().enumerate().filter(|(_, store)| store.essential) {
            let Some(row) = store.cursor.row() else { continue };
            let closer = best.is_none_or(|(_, best)| {
                let ordering = self.bounds.order.compare(row, best);
                if self.bounds.reversed { ordering.is_gt() } else { ordering.is_lt() }
            });
            if closer {
                best = Some((index, row));
            }
        }
        best.map(|(index, _)| index)
    }

    /// Writes the next visible cell of the row. `None` at the row's end.
    pub fn next_cell(&mut self, sink: &mut impl CellSink) -> Result<Option<usize>> {
        if self.joined.is_some() {
            return self.next_cell_joined(sink);
        }
        self.next_cell_of_row(sink)
    }

    /// Essential stores, the verdict, then the others.
    fn next_cell_joined(&mut self, sink: &mut impl CellSink) -> Result<Option<usize>> {
        let from = match &mut self.joined {
            Some(joined) => *joined.from.get_or_insert(sink.position()),
            None => sink.position(),
        };
        if let Some(bytes) = self.next_cell_of_row(sink)? {
            return Ok(Some(bytes));
        }
        if self.joined.as_ref().is_some_and(|joined| joined.verdict.is_some()) {
            return Ok(None);
        }
        let verdict = self.judge_row(sink, from)?;
        if let Some(joined) = &mut self.joined {
            joined.verdict = Some(verdict);
        }
        if !verdict {
            return Ok(None);
        }
        for store in &mut self.stores {
            store.on_row = false;
            if !store.essential {
                store.cursor.seek_forward(&self.row)?;
                store.on_row = store.cursor.row() == Some(self.row.as_slice());
                store.begin_row();
            }
        }
        self.store = 0;
        self.next_cell_of_row(sink)
    }

    fn next_cell_of_row(&mut self, sink: &mut impl CellSink) -> Result<Option<usize>> {
        while self.store < self.stores.len() {
            if self.stores[self.store].on_row
                && let Some(bytes) = self.next_cell_of_store(sink)?
            {
                return Ok(Some(bytes));
            }
            self.store += 1;
        }
        Ok(None)
    }

    fn next_cell_of_store(&mut self, sink: &mut impl CellSink) -> Result<Option<usize>> {
        let StoreScan { family, cursor, visibility, cells, bytes: row_bytes, .. } =
            &mut self.stores[self.store];
        loop {
            let Some(cell) = cursor.cell() else { return Ok(None) };
            let matched = visibility.judge(&family.name, &cell, &mut self.filter);
            self.counts.bytes_scanned +=
                (cell.row.len() + cell.qualifier.len() + cell.value.len()) as u64 + CELL_EXTRA_BYTES;
            match matched {
                Match::Include | Match::IncludeNextColumn | Match::IncludeNextRow => {
                    *cells += 1;
                    let ScanBounds { store_limit, store_offset, .. } = self.bounds;
                    if store_limit > -1 && *cells > store_limit + store_offset {
                        return Ok(None);
                    }
                    let mut written = None;
                    if *cells > store_offset {
                        let form = self.filter.as_ref().map_or(ValueForm::Whole, |f| f.value_form());
                        let start = sink.position();
                        let bytes = put_cell(sink, &family.name, &cell, form);
                        *row_bytes += bytes;
                        if *row_bytes > ROW_BYTES_MAX {
                            return Err(Error::new(
                                ErrorKind::RowTooBig,
                                "the row is larger than 1 GiB in one family",
                            ));
                        }
                        if self.has_filter_row_cells {
                            self.spans.push(Span { start, len: bytes, store: self.store });
                        }
                        written = Some(bytes);
                    }
                    match matched {
                        Match::IncludeNextColumn => {
                            to_next_column(cursor, visibility, &mut self.scratch)?;
                        }
                        Match::IncludeNextRow if written.is_some() => self.store += 1,
                        Match::IncludeNextRow => return Ok(None),
                        _ => cursor.next_cell()?,
                    }
                    if written.is_some() {
                        return Ok(written);
                    }
                }
                Match::Skip => cursor.next_cell()?,
                Match::NextColumn => to_next_column(cursor, visibility, &mut self.scratch)?,
                Match::NextRow => return Ok(None),
                Match::Done => {
                    self.cell_done = true;
                    self.store = self.stores.len();
                    return Ok(None);
                }
                Match::Hint => match self.filter.as_mut().and_then(|f| f.hint(&cell)) {
                    // From the empty qualifier on step by step: the family's markers are there.
                    Some(Hint::Column(qualifier))
                        if qualifier.as_slice() > cell.qualifier && !cell.qualifier.is_empty() =>
                    {
                        cursor.seek_column(&qualifier)?;
                    }
                    Some(Hint::Row(row)) => {
                        self.row_hint = Some(row);
                        return Ok(None);
                    }
                    _ => cursor.next_cell()?,
                },
            }
        }
    }

    /// Judges the row after its last cell. False when it is not wanted; `from` is where its cells begin in the sink.
    pub fn finish_row(&mut self, sink: &mut impl CellSink, from: usize) -> Result<bool> {
        let wanted = match self.joined.as_ref().and_then(|joined| joined.verdict) {
            Some(verdict) => {
                sort_by_family(sink.written(from))?;
                verdict && sink.position() > from
            }
            None => self.judge_row(sink, from)?,
        };
        if !wanted {
            self.counts.rows_filtered += 1;
        }
        Ok(wanted)
    }

    fn judge_row(&mut self, sink: &mut impl CellSink, from: usize) -> Result<bool> {
        if sink.position() == from {
            return Ok(false);
        }
        if self.has_filter_row_cells {
            self.drop_cells(sink, from)?;
            if sink.position() == from {
                // HBase asks `filterRow` only of what is left; the stores still to be read may have something.
                return Ok(self.joined.is_some());
            }
        }
        Ok(!self.filter.as_mut().is_some_and(|filter| filter.filter_row()))
    }

    /// Removes the collected cells that the filter drops, closing the gaps.
    fn drop_cells(&mut self, sink: &mut impl CellSink, from: usize) -> Result<()> {
        let Some(filter) = &self.filter else { return Ok(()) };
        let bytes = sink.written(from);
        let mut kept = 0;
        for span in &self.spans {
            let at = span.start - from;
            let (cell, _) = cell_codec::read_cell(bytes.get(at..at + span.len).unwrap_or_default())?;
            let family = &self.stores[span.store].family.name;
            if !filter.drops_cell(&RowCell { family, cell: cell.cell }) {
                bytes.copy_within(at..at + span.len, kept);
                kept += span.len;
            }
        }
        sink.roll_back(from + kept);
        Ok(())
    }

    /// Number of cells that [`RowScan::finish_row`] left, when the filter may have dropped some.
    pub fn count_cells(&self, bytes: &[u8]) -> u32 {
        let mut count = 0;
        let mut rest = bytes;
        while let Some((head, tail)) = rest.split_first_chunk::<4>() {
            count += 1;
            rest = tail.get(u32::from_be_bytes(*head) as usize..).unwrap_or_default();
        }
        count
    }

    /// Leaves the row. False when the filter wants nothing more.
    pub fn leave_row(&mut self) -> Result<bool> {
        let joined = self.joined.is_some();
        for store in &mut self.stores {
            if store.on_row || joined && store.cursor.row() == Some(self.row.as_slice()) {
                store.cursor.next_row()?;
            }
        }
        if let Some(filter) = &mut self.filter {
            filter.reset();
        }
        if let Some(hint) = self.row_hint.take() {
            for store in &mut self.stores {
                store.cursor.seek_forward(&hint)?;
            }
        }
        Ok(!self.cell_done && !self.filter_done())
    }
}

/// Leaves the current column for the next one that is wanted.
fn to_next_column(cursor: &mut StoreCursor, visibility: &Visibility, scratch: &mut Vec<u8>) -> Result<()> {
    let Some(cell) = cursor.cell() else { return Ok(()) };
    if cell.qualifier.is_empty() {
        // Markers of the family and cells of the empty qualifier interleave; none may be jumped over.
        return cursor.next_cell();
    }
    if let Some(wanted) = visibility.wanted_column()
        && cell.qualifier < wanted
    {
        return cursor.seek_column(wanted);
    }
    scratch.clear();
    scratch.extend_from_slice(cell.qualifier);
    cursor.skip_column(scratch)
}
