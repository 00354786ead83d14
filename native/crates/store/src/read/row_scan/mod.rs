//! Rows of a region as a read may see them: stores walked in step, cells evaluated, filters obeyed, cells written to a sink.

mod cells;
mod runs;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{SeekTarget, cell_codec};
use grampus_filter::{Filter, RowCell};

use crate::read::family_order::sort_by_family;
use crate::read::scan_bounds::{ScanBounds, ScanCounts};
use crate::read::sink::CellSink;
use crate::read::spec::ReadSpec;
use crate::read::store_cursor::StoreCursor;
use crate::read::store_scan::StoreScan;

/// Where a scan arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowState {
    /// On a row whose key passed the filter.
    Row,
    /// On a row whose key did not pass; call `leave_row`.
    Dropped,
    /// No more rows, or the filter wants none.
    End,
}

/// How far one step within a row came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStep {
    /// To a visible cell, which was written. The value is its stored length in bytes.
    Cell(usize),
    /// Over many cells none of which is visible. The next step goes on there; in between the caller looks at its limits.
    Paused,
    /// To the row's end.
    End,
}

/// Cells of a row and their bytes as they are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellCount {
    /// Cells.
    pub cells: u32,
    /// Their bytes.
    pub bytes: u64,
}

/// State of a row whose non-essential stores are read only if the others let it pass.
#[derive(Default)]
struct Joined {
    /// Where the row's cells begin in the sink.
    from: Option<usize>,
    /// Whether the row is wanted, once the essential stores are done.
    accepted: Option<bool>,
}

/// Walks over the rows of a region.
pub struct RowScan {
    stores: Vec<StoreScan>,
    filter: Option<Box<dyn Filter>>,
    bounds: ScanBounds,
    row: Vec<u8>,
    store: usize,
    with_tags: bool,
    has_filter_row: bool,
    has_filter_row_cells: bool,
    /// Stored size of each collected cell, in bytes, for a filter that takes cells out at the row's end. In the sink a cell may be smaller,
    /// without its value or tags.
    stored_bytes: Vec<u32>,
    scratch: Vec<u8>,
    /// Cells that the filter took out of the row when it saw it whole.
    dropped: CellCount,
    joined: Option<Joined>,
    /// Timestamps of the cells that [`RowScan::fast_rows`] may return; `None` when it may not return any.
    fast_path_times: Option<(i64, i64)>,
    /// Bytes that may be looked at before the read would block.
    bytes_max: u64,
    /// What it has looked at so far.
    pub counts: ScanCounts,
}

impl RowScan {
    /// Positions the stores at the start row.
    pub(crate) fn new(
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
        let tests_single_columns = filter.as_ref().is_none_or(|f| f.single_column(0).is_some());
        let fast_path_times = match stores.as_slice() {
            [only] if tests_single_columns && bounds.store_limit < 0 && bounds.store_offset == 0 => {
                only.visibility.fast_path_times()
            }
            _ => None,
        };
        Ok(RowScan {
            stores,
            filter,
            bounds,
            row: Vec::new(),
            store: 0,
            with_tags: false,
            has_filter_row,
            has_filter_row_cells,
            stored_bytes: Vec::new(),
            scratch: Vec::new(),
            dropped: CellCount::default(),
            joined: None,
            fast_path_times,
            bytes_max: u64::MAX,
            counts: ScanCounts::default(),
        })
    }

    /// Reads the stores that the filter does not need only for rows that pass it. Only for filters that evaluate rows as a whole, since
    /// then no result ends within a row. When the filter needs none of the stores, nothing is read.
    pub fn load_on_demand(&mut self) {
        self.close_unless_needed();
        let Some(filter) = self.filter.as_ref().filter(|_| self.has_filter_row) else { return };
        for store in &mut self.stores {
            store.essential = filter.is_family_essential(&store.family.name);
        }
        let needed = self.stores.iter().filter(|store| store.essential).count();
        if (1..self.stores.len()).contains(&needed) {
            self.joined = Some(Joined::default());
        }
    }

    /// Reads nothing when the filter evaluates rows as a whole and needs none of the stores. As in HBase: only a row of an essential store
    /// brings the others in, and here there is none.
    fn close_unless_needed(&mut self) {
        let Some(filter) = self.filter.as_ref().filter(|_| self.has_filter_row) else { return };
        if !self.stores.iter().any(|store| filter.is_family_essential(&store.family.name)) {
            self.stores.iter_mut().for_each(|store| (store.essential, store.closed) = (false, true));
            self.fast_path_times = None;
        }
    }

    /// Makes a walk that has looked at this number of bytes of cells end as [`grampus_base::ErrorKind::WouldBlock`].
    pub fn limit(&mut self, bytes: u64) {
        self.bytes_max = bytes;
    }

    /// Cells keep their tags.
    pub fn with_tags(&mut self, with_tags: bool) {
        self.with_tags = with_tags;
    }

    /// Whether it reads a memtable that has left its store.
    pub fn reads_left_memtable(&self) -> bool {
        self.stores.iter().any(|store| store.cursor.reads_left_memtable())
    }

    /// Between rows: takes out the sources of stores that read a memtable which has left its store, for the caller to drop. The scan goes on
    /// after [`RowScan::seat`].
    pub fn park(&mut self) -> Vec<StoreCursor> {
        let stores = self.stores.iter_mut().filter(|store| store.cursor.reads_left_memtable());
        stores.map(StoreScan::park).collect()
    }

    /// Gives the stores that were parked the sources that `open` makes for the store of an index, at the row that comes next. Returns whether
    /// there were any. After an error the scan cannot go on.
    pub fn seat(&mut self, open: impl Fn(usize) -> Result<StoreCursor>) -> Result<bool> {
        let mut seated = false;
        for (index, store) in self.stores.iter_mut().enumerate().filter(|(_, store)| store.is_parked()) {
            store.seat(open(index)?)?;
            seated = true;
        }
        Ok(seated)
    }

    /// Takes out all sources, for the caller to drop. The scan cannot go on.
    pub fn release(&mut self) -> Vec<StoreCursor> {
        self.stores.iter_mut().map(StoreScan::release).collect()
    }

    /// Begins to fetch what the walk comes to next, about `bytes` of each store's sources.
    pub fn read_ahead(&self, bytes: u64) {
        self.stores.iter().filter(|store| store.essential).for_each(|store| store.cursor.read_ahead(bytes));
    }

    /// Between rows: takes out all sources, for the caller to drop. The scan goes on after [`RowScan::seat`].
    pub fn park_all(&mut self) -> Vec<StoreCursor> {
        self.stores.iter_mut().filter(|store| !store.is_parked()).map(StoreScan::park).collect()
    }

    /// Bytes that the stores' sources keep in memory, see [`RowCursor::count_memory`](grampus_cells::RowCursor::count_memory).
    pub fn count_memory(&self) -> u64 {
        self.stores.iter().map(|store| store.cursor.count_memory()).sum()
    }

    /// Drops the pages, until [`RowScan::reload_pages`]. In between nothing may be read; the sources may be taken out.
    pub fn drop_pages(&mut self) {
        self.stores.iter_mut().for_each(|store| store.cursor.drop_pages());
    }

    /// Loads the pages that were dropped; the scan is where it was.
    pub fn reload_pages(&mut self) -> Result<()> {
        self.stores.iter_mut().try_for_each(|store| store.cursor.reload_pages())
    }

    /// Rows can only be evaluated as a whole.
    pub fn has_filter_row(&self) -> bool {
        self.has_filter_row
    }

    /// Takes over what a scan's spec says beside its plan: tags, stores that are loaded on demand. Returns the cells of a batch, 0 for whole rows.
    ///
    /// # Errors
    /// `BadRequest` for what HBase refuses: batches where the filter decides on whole rows.
    pub fn configure(&mut self, spec: &ReadSpec<'_>) -> Result<u32> {
        self.with_tags = spec.has(ReadSpec::WITH_TAGS);
        if spec.has(ReadSpec::LOAD_ON_DEMAND) {
            self.load_on_demand();
        }
        let batch = u32::try_from(spec.batch).unwrap_or(0);
        if batch > 0 && self.has_filter_row {
            let message =
                "Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow";
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        Ok(batch)
    }

    /// Collected cells must stay readable until the end of their row.
    pub fn has_filter_row_cells(&self) -> bool {
        self.has_filter_row_cells
    }

    /// The filter wants nothing more.
    pub fn filter_done(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.filter_all_remaining())
    }

    /// Whether the filter has searched outside of the engine since the last call, which may have taken long.
    pub fn take_search(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.take_search())
    }

    /// An error when the filter could not evaluate what was read since the last call.
    pub fn check_filter(&self) -> Result<()> {
        self.filter.as_ref().map_or(Ok(()), |filter| filter.check())
    }

    /// True when no row is left; a later row may still be dropped by the filter.
    pub fn is_exhausted(&self) -> bool {
        let Some(first) = self.first_store() else { return true };
        self.bounds.is_past_stop(self.stores[first].row().unwrap_or_default())
    }

    /// The current row.
    pub fn row(&self) -> &[u8] {
        &self.row
    }

    /// Goes to the next row of any store.
    pub fn enter_row(&mut self) -> Result<RowState> {
        let Some(first) = self.first_store() else { return Ok(RowState::End) };
        let row = self.stores[first].row().unwrap_or_default();
        if self.bounds.is_past_stop(row) {
            return Ok(RowState::End);
        }
        self.row.clear();
        self.row.extend_from_slice(row);
        let alone = self.stores.len() == 1;
        for store in &mut self.stores {
            store.on_row = alone || store.essential && store.row() == Some(self.row.as_slice());
            if store.on_row {
                store.begin_row();
            }
        }
        self.store = 0;
        self.stored_bytes.clear();
        if let Some(joined) = &mut self.joined {
            *joined = Joined::default();
        }
        self.dropped = CellCount::default();
        if let Some(filter) = &mut self.filter
            && filter.filter_row_key(&self.row)
        {
            self.counts.rows_filtered += 1;
            return Ok(if filter.filter_all_remaining() { RowState::End } else { RowState::Dropped });
        }
        Ok(RowState::Row)
    }

    /// The cells from now on belong to another result of the row.
    pub fn begin_result(&mut self) {
        self.stores.iter_mut().for_each(|store| store.bytes = 0);
        // The result before ended with the store's last cell, so HBase does not look behind it.
        if self.stores.get(self.store).is_some_and(|store| store.row_done) {
            self.store += 1;
        }
    }

    /// Whether the row has cells that were not looked at, visible or not.
    pub fn has_more_in_row(&self) -> bool {
        let rest = self.stores.get(self.store..).unwrap_or_default();
        rest.iter().any(|store| {
            let done = store.closed || store.row_done || store.hint.is_some();
            store.on_row && !done && store.cursor.cell().is_some()
        })
    }

    fn first_store(&self) -> Option<usize> {
        if self.stores.len() == 1 {
            return self.stores[0].row().map(|_| 0);
        }
        let mut best: Option<(usize, &[u8])> = None;
        for (index, store) in self.stores.iter().enumerate().filter(|(_, store)| store.essential) {
            let Some(row) = store.row() else { continue };
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

    /// The cells of the current result, which began at a position of the sink, begin at another one now.
    pub fn move_result(&mut self, from: usize, to: usize) {
        let moved = |position: usize| (position + to).saturating_sub(from);
        if let Some(joined) = &mut self.joined {
            joined.from = joined.from.map(moved);
        }
    }

    /// Evaluates the row after its last cell. False when it is not wanted; `from` is where its cells begin in the sink.
    pub fn finish_row(&mut self, sink: &mut impl CellSink, from: usize) -> Result<bool> {
        let wanted = match self.joined.as_ref().and_then(|joined| joined.accepted) {
            Some(accepted) => {
                // Of a row that is not whole the cells are read again.
                if sink.is_whole() {
                    sort_by_family(sink.written(from))?;
                }
                accepted && sink.position() > from
            }
            None => self.filter_row(sink, from)?,
        };
        if !wanted {
            self.counts.rows_filtered += 1;
        }
        Ok(wanted)
    }

    fn filter_row(&mut self, sink: &mut impl CellSink, from: usize) -> Result<bool> {
        if sink.position() == from {
            return Ok(false);
        }
        // Of a row that is not whole no cell is returned, so that none need be dropped: it is read again with room for all of them.
        if self.has_filter_row_cells && sink.is_whole() {
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
        let (mut kept, mut at) = (0, 0);
        for stored in &self.stored_bytes {
            let (cell, len) = cell_codec::read_cell(bytes.get(at..).unwrap_or_default())?;
            if !filter.drops_cell(&RowCell { family: cell.family, cell: cell.cell }) {
                bytes.copy_within(at..at + len, kept);
                kept += len;
            } else {
                self.dropped.cells += 1;
                self.dropped.bytes += u64::from(*stored);
            }
            at += len;
        }
        sink.roll_back(from + kept);
        Ok(())
    }

    /// Cells that [`RowScan::finish_row`] took out of the row.
    pub fn dropped_cells(&self) -> CellCount {
        self.dropped
    }

    /// Leaves the row.
    pub fn leave_row(&mut self) -> Result<()> {
        let joined = self.joined.is_some();
        self.counts.rows_scanned += 1;
        for store in self.stores.iter_mut().filter(|store| !store.closed) {
            if let Some(hint) = store.hint.take() {
                store.cursor.seek_forward(&hint)?;
            } else if store.on_row || joined && store.cursor.row() == Some(self.row.as_slice()) {
                store.cursor.next_row()?;
            }
        }
        if let Some(filter) = &mut self.filter {
            filter.reset();
        }
        Ok(())
    }
}
