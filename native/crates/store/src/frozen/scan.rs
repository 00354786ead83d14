//! Calls of a scan of frozen files: each returns whole rows until one of its limits.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result};
use grampus_env::Env;

use crate::read::{
    Call, CallProgress, CellSink, INFO_BYTES, RowScan, RowState, RunEnd, ScanCounts, ScanLimits, Stop,
    heap_size,
};

/// Bytes of cells looked at that count like a row when it is time to look at the clock.
const BYTES_PER_TICK: u64 = 256;
/// What a row that is dropped by its key counts beside it towards the bytes that a call looks at.
const ROW_EXTRA_BYTES: u64 = 24;
/// Rows that one call returns at most, whatever its limits.
const ROWS_MAX: u32 = 1 << 16;

/// Limits of one call. It goes beyond them by one row, or by rows of one page that the filter drops at a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrozenLimits {
    /// Rows that are returned, at most 65,536 in any case.
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

/// The rows that a call returned; its buffers serve one call after the other.
#[derive(Default)]
pub struct FrozenRows {
    cells: Vec<u8>,
    /// A block as a scanner's call fills it; only its numbers of cells are used.
    info: Vec<u8>,
    rows: u32,
}

impl FrozenRows {
    /// The cells of all rows as KeyValues, one behind the other.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// How many cells each row has, in their order; none has 0.
    pub fn cell_counts(&self) -> impl Iterator<Item = u32> {
        let counts = self.info.get(INFO_BYTES..).unwrap_or_default().chunks_exact(4);
        counts.take(self.rows as usize).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]))
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.rows = 0;
    }
}

/// A walk over rows of a frozen region; for one thread at a time. Between two calls it may be left alone for any time, or dropped.
pub struct FrozenScan {
    env: Arc<dyn Env>,
    scan: RowScan,
    ended: bool,
    /// A call was begun and has not ended well: the scan is somewhere within a row.
    broken: bool,
}

impl FrozenScan {
    pub(super) fn new(env: Arc<dyn Env>, scan: RowScan) -> FrozenScan {
        FrozenScan { env, scan, ended: false, broken: false }
    }

    /// Reads the next rows that have cells, in place of those that `rows` had, and says which limit ended the call: `End` behind the last row,
    /// `Results`, `Size` or `Time`. After these three there may be more, even if nothing was returned.
    ///
    /// # Errors
    /// A file cannot be read, a row is too large, or a pattern cannot be evaluated. `rows` is then empty, and each further call fails.
    pub fn next(&mut self, limits: &FrozenLimits, rows: &mut FrozenRows) -> Result<Stop> {
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "a scan of frozen files was used after its error"));
        }
        rows.clear();
        self.broken = true;
        let stop = self.fill(limits, rows).inspect_err(|_| rows.clear())?;
        self.broken = false;
        Ok(stop)
    }

    /// What the scan has looked at so far, beside [`FrozenRegion::extent`](super::FrozenRegion::extent).
    pub fn progress(&self) -> ScanCounts {
        self.scan.counts
    }

    fn fill(&mut self, limits: &FrozenLimits, rows: &mut FrozenRows) -> Result<Stop> {
        let limits = limits.of_call();
        let (env, begin) = (Arc::clone(&self.env), self.env.monotonic_nanos());
        rows.info.resize(INFO_BYTES + 4 * limits.max_results.min(ROWS_MAX) as usize, 0);
        let mut call = Call {
            limits: &limits,
            info: &mut rows.info,
            results: 0,
            results_max: limits.max_results.min(ROWS_MAX),
            rows: 0,
            progress: CallProgress::default(),
            dropped_max: limits.size_limit,
            elapsed: &|| Duration::from_nanos(env.monotonic_nanos().saturating_sub(begin)),
            ticks: 0,
            results_end: 0,
        };
        let stop = loop {
            if self.ended {
                break Stop::End;
            }
            if let Some(stop) = call.limit().or_else(|| call.expired(1)) {
                break stop;
            }
            match self.scan.fast_rows(&mut rows.cells, &mut call)? {
                (_, Some(RunEnd::Stop(stop))) => break stop,
                (0, _) => self.walk_row(&mut rows.cells, &mut call)?,
                _ => {}
            }
        };
        self.scan.check_filter()?;
        rows.rows = call.results;
        Ok(stop)
    }

    /// Evaluates one row cell by cell.
    fn walk_row(&mut self, cells: &mut Vec<u8>, call: &mut Call<'_>) -> Result<()> {
        match self.scan.enter_row()? {
            RowState::End => {
                self.ended = true;
                Ok(())
            }
            RowState::Dropped => {
                call.progress.dropped += self.scan.row().len() as u64 + ROW_EXTRA_BYTES;
                self.scan.leave_row()
            }
            RowState::Row => self.read_row(cells, call),
        }
    }

    /// Reads and leaves the current row. Nothing of it is returned when the filter does not want it, or nothing is visible.
    fn read_row(&mut self, cells: &mut Vec<u8>, call: &mut Call<'_>) -> Result<()> {
        let (start, looked) = (cells.len(), self.scan.counts.bytes_scanned);
        let (mut count, mut bytes) = (0, 0);
        while let Some(stored) = self.scan.next_cell(cells)? {
            count += 1;
            bytes += stored as u64;
        }
        let wanted = self.scan.finish_row(cells, start)?;
        let scanned = self.scan.counts.bytes_scanned - looked;
        // Also cells that are hidden take time.
        call.worked(u32::try_from(scanned / BYTES_PER_TICK).unwrap_or(u32::MAX));
        let dropped = self.scan.dropped_cells();
        if wanted {
            let kept = count - dropped.cells;
            call.progress.size += heap_size(kept, bytes - dropped.bytes);
            call.push(kept, false, cells.len());
        } else {
            cells.roll_back(start);
            call.progress.dropped += scanned;
        }
        self.scan.leave_row()?;
        self.ended = wanted && self.scan.filter_done();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
