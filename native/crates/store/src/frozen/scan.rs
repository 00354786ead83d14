//! Calls of a scan of frozen files: each returns whole rows, or batches of their cells, until one of its limits.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::RunBuffers;
use grampus_env::Env;

use crate::frozen::result_cells::ResultCells;
use crate::read::{
    Call, CallProgress, CellSink, ColumnSink, INFO_BYTES, MORE_CELLS, ResultSink, RowScan, RowState, RowStep,
    RunEnd, ScanCounts, ScanLimits, Stop, heap_size,
};

/// Bytes of cells looked at that count like a row when it is time to look at the clock.
const BYTES_PER_TICK: u64 = 256;
/// What a row that is dropped by its key counts beside it towards the bytes that a call looks at.
const ROW_EXTRA_BYTES: u64 = 24;
/// Results that one call returns at most, whatever its limits.
const RESULTS_MAX: u32 = 1 << 16;
/// Memory for cells that stays from call to call; a large row's goes.
const KEPT_BYTES: usize = 16 << 20;

/// Limits of one call. It goes beyond them by one result, or by rows of one page that the filter drops at a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrozenLimits {
    /// Rows that are returned, or batches of their cells, at most 65,536 in any case.
    pub rows: u32,
    /// Bytes of cells that are returned, see [`heap_size`], and bytes of cells that are looked at in rows of which nothing is returned.
    pub bytes: u64,
    /// Time by the monotonic clock of the environment; looked at every 64 rows.
    pub time: Duration,
}

impl FrozenLimits {
    /// What a caller wants that only has to keep its memory small.
    pub const USUAL: FrozenLimits =
        FrozenLimits { rows: 10_000, bytes: 4 << 20, time: Duration::from_secs(1) };

    fn of_call(&self) -> ScanLimits {
        ScanLimits {
            max_results: self.rows.max(1),
            limit_of_rows: 0,
            size_limit: self.bytes.max(1),
            time_budget: self.time,
            partials_allowed: false,
            heartbeats_allowed: true,
            pause_after: Duration::MAX,
            continues: false,
        }
    }
}

/// What a call returned, each a row or a batch of its cells; the buffers serve one call after the other.
pub struct FrozenRows {
    cells: ResultCells,
    /// A block as a scanner's call fills it; only what it says of results is used.
    info: Vec<u8>,
    results: u32,
    complete: u32,
}

impl Default for FrozenRows {
    /// Rows, or batches, of at most 2 GiB.
    fn default() -> FrozenRows {
        FrozenRows::of_at_most(i32::MAX as usize)
    }
}

impl FrozenRows {
    /// Takes rows, or batches, of at most `result_bytes` of cells. A larger one is an error of the scan.
    pub fn of_at_most(result_bytes: usize) -> FrozenRows {
        FrozenRows { cells: ResultCells::new(result_bytes), info: Vec::new(), results: 0, complete: 0 }
    }

    /// The cells of all of them as KeyValues, one behind the other.
    pub fn cells(&self) -> &[u8] {
        self.cells.bytes()
    }

    /// The number of rows, or of batches.
    pub fn rows(&self) -> u32 {
        self.results
    }

    /// Rows that were returned to their ends. One whose last batch said that more cells may follow counts when the next row begins.
    pub fn complete_rows(&self) -> u32 {
        self.complete
    }

    /// How many cells each has, in their order; none has 0.
    pub fn cell_counts(&self) -> impl Iterator<Item = u32> {
        self.results().map(|(cells, _)| cells)
    }

    /// How many cells each has, and whether more cells of its row may follow: of batches alone.
    pub fn results(&self) -> impl Iterator<Item = (u32, bool)> {
        let entries = self.encoded_results().chunks_exact(4);
        entries.map(|n| split_result(u32::from_le_bytes([n[0], n[1], n[2], n[3]])))
    }

    /// The same as a scanner's info block has it (`docs/jni.md`).
    pub fn encoded_results(&self) -> &[u8] {
        self.info.get(INFO_BYTES..INFO_BYTES + 4 * self.results as usize).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.cells.clear(KEPT_BYTES);
        self.results = 0;
        self.complete = 0;
    }
}

/// A walk over rows of a frozen region; for one thread at a time. Between two calls it may be left alone for any time, or dropped.
pub struct FrozenScan {
    env: Arc<dyn Env>,
    scan: RowScan,
    /// Cells of a result, 0 = the whole row.
    batch: u32,
    /// The last result was a batch, and there are cells of its row that were not looked at.
    in_row: bool,
    /// Such a row has ended without a further result, and counts as complete with the next one.
    ended_unseen: bool,
    /// A result that the last call left among hidden cells of its row, and its cells so far.
    aside: Option<(ReadResult, Vec<u8>)>,
    ended: bool,
    /// A call was begun and has not ended well: the scan is somewhere within a row.
    broken: bool,
}

impl FrozenScan {
    pub(super) fn new(env: Arc<dyn Env>, scan: RowScan, batch: u32) -> FrozenScan {
        let (in_row, ended_unseen, aside, ended, broken) = (false, false, None, false, false);
        FrozenScan { env, scan, batch, in_row, ended_unseen, aside, ended, broken }
    }

    /// Reads the next rows that have cells, or batches of them, in place of what `rows` had, and says which limit ended the call: `End` behind the
    /// last row, `Results`, `Size` or `Time`. After these three there may be more, even if nothing was returned.
    ///
    /// # Errors
    /// A file cannot be read, a row is too large, or a pattern cannot be evaluated. `rows` is then empty, and each further call fails.
    pub fn next(&mut self, limits: &FrozenLimits, rows: &mut FrozenRows) -> Result<Stop> {
        self.check()?;
        rows.clear();
        self.broken = true;
        let stop = self.fill(limits, rows).inspect_err(|_| rows.clear())?;
        self.broken = false;
        Ok(stop)
    }

    /// Hands out the next rows column by column instead, as long as they are simple, the sink has room, and there is time. Returns how many rows it
    /// left, those without a cell included: 0 is no end, but says that [`FrozenScan::next`] must go on.
    ///
    /// # Errors
    /// A file cannot be read, or a row is too large. Each further call fails.
    pub fn next_columns(&mut self, time: Duration, sink: &mut impl ColumnSink) -> Result<u64> {
        self.check()?;
        if self.in_row || self.aside.is_some() || self.batch > 0 || self.ended {
            return Ok(0);
        }
        self.broken = true;
        let begin = self.env.monotonic_nanos();
        let (mut left, mut buffers) = (0, RunBuffers::default());
        loop {
            let run = self.scan.column_run(&mut buffers, sink)?;
            left += u64::from(run);
            let elapsed = Duration::from_nanos(self.env.monotonic_nanos().saturating_sub(begin));
            if run == 0 || elapsed >= time {
                break;
            }
        }
        self.broken = false;
        Ok(left)
    }

    fn check(&self) -> Result<()> {
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "a scan of frozen files was used after its error"));
        }
        Ok(())
    }

    /// What the scan has looked at so far, beside [`FrozenRegion::extent`](super::FrozenRegion::extent).
    pub fn progress(&self) -> ScanCounts {
        self.scan.counts
    }

    /// Whether it returns batches of a row's cells instead of whole rows.
    pub fn has_batches(&self) -> bool {
        self.batch > 0
    }

    /// Whether the filter wants nothing more, in this region or in those behind it.
    pub fn filter_done(&self) -> bool {
        self.scan.filter_done()
    }

    /// The row that was looked at last; empty before the first one.
    pub fn last_row(&self) -> &[u8] {
        self.scan.row()
    }

    fn fill(&mut self, limits: &FrozenLimits, rows: &mut FrozenRows) -> Result<Stop> {
        let limits = limits.of_call();
        let (env, begin) = (Arc::clone(&self.env), self.env.monotonic_nanos());
        rows.info.resize(INFO_BYTES + 4 * limits.max_results.min(RESULTS_MAX) as usize, 0);
        let elapsed = || Duration::from_nanos(env.monotonic_nanos().saturating_sub(begin));
        let (progress, dropped_max) = (CallProgress::default(), limits.size_limit);
        let mut call = Call::new(&limits, &mut rows.info, RESULTS_MAX, progress, dropped_max, &elapsed);
        let stop = loop {
            if self.ended {
                break Stop::End;
            }
            if let Some(stop) = call.limit().or_else(|| call.expired(1)) {
                break stop;
            }
            if let Some(stop) = self.next_rows(&mut rows.cells, &mut call)? {
                break stop;
            }
        };
        self.scan.check_filter()?;
        (rows.results, rows.complete) = (call.results, call.rows);
        Ok(stop)
    }

    /// Goes on within the row, past as many rows as can be had without evaluating their cells, or through one row.
    fn next_rows(&mut self, cells: &mut ResultCells, call: &mut Call<'_>) -> Result<Option<Stop>> {
        if let Some((result, kept)) = self.aside.take() {
            return self.read_on(result, &kept, cells, call);
        }
        if self.in_row {
            return self.read_row(cells, call);
        }
        if self.batch == 0 {
            match self.scan.fast_rows(cells, call)? {
                (_, Some(RunEnd::Stop(stop))) => return Ok(Some(stop)),
                (0, _) => {}
                _ => return Ok(None),
            }
        }
        self.walk_row(cells, call)
    }

    /// Evaluates one row cell by cell.
    fn walk_row(&mut self, cells: &mut ResultCells, call: &mut Call<'_>) -> Result<Option<Stop>> {
        match self.scan.enter_row()? {
            RowState::End => self.ended = true,
            RowState::Dropped => {
                call.progress.dropped += self.scan.row().len() as u64 + ROW_EXTRA_BYTES;
                self.scan.leave_row()?;
            }
            RowState::Row => return self.read_row(cells, call),
        }
        Ok(None)
    }

    /// Reads the current row, or what is left of it.
    fn read_row(&mut self, cells: &mut ResultCells, call: &mut Call<'_>) -> Result<Option<Stop>> {
        self.scan.begin_result();
        cells.begin_result();
        self.read_result(ReadResult::begin(cells, &self.scan), cells, call)
    }

    /// Reads on a result that was put aside.
    fn read_on(
        &mut self,
        result: ReadResult,
        kept: &[u8],
        cells: &mut ResultCells,
        call: &mut Call<'_>,
    ) -> Result<Option<Stop>> {
        cells.begin_result();
        let ReadResult { start, scanned_before, .. } = ReadResult::begin(cells, &self.scan);
        cells.put(kept.len(), |out| out.copy_from_slice(kept));
        self.scan.move_result(result.start, start);
        self.read_result(ReadResult { start, scanned_before, ..result }, cells, call)
    }

    /// Reads a result up to the row's end or that of a batch. Nothing of it is returned when the filter does not want it, or nothing is visible.
    fn read_result(
        &mut self,
        mut result: ReadResult,
        cells: &mut ResultCells,
        call: &mut Call<'_>,
    ) -> Result<Option<Stop>> {
        loop {
            match self.scan.step(cells)? {
                RowStep::Cell(stored) => {
                    result.count += 1;
                    result.bytes += stored as u64;
                }
                RowStep::Paused => match self.stop_among_hidden(&result, call) {
                    None => continue,
                    stop => {
                        self.aside = Some((result, cells.take_result()));
                        return Ok(stop);
                    }
                },
                RowStep::End => break,
            }
            if cells.is_overfull() {
                return Err(self.too_big(cells));
            }
            if self.batch > 0 && result.count >= self.batch {
                return self.end_batch(&result, cells, call).map(|()| None);
            }
        }
        self.end_row(&result, cells, call).map(|()| None)
    }

    /// Whether the call ends among hidden cells of a row: for its time, or for the bytes that it has looked at, of a row that has nothing so far.
    fn stop_among_hidden(&self, result: &ReadResult, call: &Call<'_>) -> Option<Stop> {
        let scanned = call.progress.dropped + (self.scan.counts.bytes_scanned - result.scanned_before);
        if result.count == 0 && scanned >= call.limits.size_limit {
            return Some(Stop::Size);
        }
        call.stop_by_time()
    }

    fn too_big(&self, cells: &ResultCells) -> Error {
        let (row, max) = (grampus_base::printable(self.scan.row()), cells.result_bytes_max());
        let message = format!(
            "the cells of row {row} take more than {max} bytes, or more than there is memory for: scan it in batches"
        );
        Error::new(ErrorKind::RowTooBig, message)
    }

    /// A batch ends the result. As in HBase it says that more may follow when there are cells that were not looked at.
    fn end_batch(&mut self, result: &ReadResult, cells: &ResultCells, call: &mut Call<'_>) -> Result<()> {
        self.count_scanned(result, call);
        call.progress.size += heap_size(result.count, result.bytes);
        self.in_row = self.scan.has_more_in_row();
        self.push(result.count, self.in_row, cells, call);
        if !self.in_row {
            self.scan.leave_row()?;
        }
        self.ended = self.scan.filter_done();
        Ok(())
    }

    /// The row has no more cells.
    fn end_row(&mut self, result: &ReadResult, cells: &mut ResultCells, call: &mut Call<'_>) -> Result<()> {
        let wanted = self.scan.finish_row(cells, result.start)?;
        let scanned = self.count_scanned(result, call);
        let dropped = self.scan.dropped_cells();
        if wanted {
            let kept = result.count - dropped.cells;
            call.progress.size += heap_size(kept, result.bytes - dropped.bytes);
            self.push(kept, false, cells, call);
        } else {
            cells.roll_back(result.start);
            call.progress.dropped += scanned;
            self.ended_unseen |= self.in_row;
        }
        self.in_row = false;
        self.scan.leave_row()?;
        self.ended = wanted && self.scan.filter_done();
        Ok(())
    }

    /// Counts the time that cells take, also hidden ones. Returns the bytes that were looked at.
    fn count_scanned(&self, result: &ReadResult, call: &mut Call<'_>) -> u64 {
        let scanned = self.scan.counts.bytes_scanned - result.scanned_before;
        call.worked(u32::try_from(scanned / BYTES_PER_TICK).unwrap_or(u32::MAX));
        scanned
    }

    fn push(&mut self, count: u32, more: bool, cells: &ResultCells, call: &mut Call<'_>) {
        call.rows += u32::from(std::mem::take(&mut self.ended_unseen));
        call.push(count, more, cells.position());
    }
}

/// A result that is being read.
struct ReadResult {
    /// Where its cells begin.
    start: usize,
    /// Bytes that the scan had looked at before it.
    scanned_before: u64,
    count: u32,
    /// Bytes of its cells as they are stored.
    bytes: u64,
}

impl ReadResult {
    fn begin(cells: &ResultCells, scan: &RowScan) -> ReadResult {
        ReadResult { start: cells.position(), scanned_before: scan.counts.bytes_scanned, count: 0, bytes: 0 }
    }
}

/// The number of cells of a result, and whether more may follow.
fn split_result(entry: u32) -> (u32, bool) {
    (entry & !MORE_CELLS, entry & MORE_CELLS != 0)
}

#[cfg(test)]
mod tests;
