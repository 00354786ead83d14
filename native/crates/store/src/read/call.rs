//! One call of a scanner: its limits and what it has gathered.

use std::time::Duration;

use crate::read::cell_run::CellRun;

/// Bytes of the info block before the result lengths.
pub const INFO_BYTES: usize = 56;
/// More cells of the row may follow the result.
pub(crate) const MORE_CELLS: u32 = 1 << 31;
/// Rows or cells between two looks at the clock.
const CLOCK_INTERVAL: u32 = 64;

/// The most bytes that a call looks at in rows that the filter dropped, whatever the limit of what is returned:
/// `hbase.server.scanner.max.result.size`, at which HBase ends a call for the blocks that it has looked at.
pub const DROPPED_BYTES_MAX: u64 = 100 << 20;

/// Limits of one scanner call.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Results wanted.
    pub max_results: u32,
    /// Complete rows wanted, 0 = no limit.
    pub limit_of_rows: u32,
    /// Bytes of cells as HBase counts them, see [`heap_size`](super::heap_size()); the cell that crosses it is included.
    pub size_limit: u64,
    /// Time after which the call returns what it has.
    pub time_budget: Duration,
    /// The call may end within a row.
    pub partials_allowed: bool,
    /// The call may end for time without results.
    pub heartbeats_allowed: bool,
    /// Time after which the call pauses between rows, so that its caller can look whether the client is still there.
    pub pause_after: Duration,
    /// The call goes on with the reply of the call before: what that counted towards the size limit still counts.
    pub continues: bool,
}

/// Why a call ended; the discriminants are those of the info block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// No rows are left.
    End = 0,
    /// As many results as were wanted.
    Results = 1,
    /// As many rows.
    Rows = 2,
    /// As many bytes of cells.
    Size = 3,
    /// The time is up.
    Time = 4,
    /// The output is full.
    Output = 5,
    /// The call ended early, for its time or for want of memory: the caller looks whether the client is still there and calls again.
    Paused = 6,
}

/// What a reply has used of its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallProgress {
    /// Bytes of cells that are returned, see [`heap_size`](super::heap_size()).
    pub size: u64,
    /// Bytes that were looked at in rows that the filter dropped.
    pub dropped: u64,
}

/// What one call has gathered.
pub struct Call<'a> {
    /// Its limits.
    pub limits: &'a ScanLimits,
    /// The info block, whose result lengths are written as results come.
    pub info: &'a mut [u8],
    /// Results so far.
    pub results: u32,
    /// Results that are wanted and have room in the info block.
    results_max: u32,
    /// Rows that are complete.
    pub rows: u32,
    /// What the reply has used of its limits.
    pub progress: CallProgress,
    /// Limit of the bytes that are looked at in rows that the filter drops.
    dropped_max: u64,
    /// Time since the call began.
    elapsed: &'a dyn Fn() -> Duration,
    /// Rows and cells since the last look at the clock.
    ticks: u32,
    /// Where the last result ends in the output.
    pub results_end: usize,
    /// Rows on their way from columns to cells.
    pub(crate) run: CellRun,
}

impl<'a> Call<'a> {
    /// A call that has no results yet; `info` has room for the lengths of `results_room`.
    pub fn new(
        limits: &'a ScanLimits,
        info: &'a mut [u8],
        results_room: u32,
        progress: CallProgress,
        dropped_max: u64,
        elapsed: &'a dyn Fn() -> Duration,
    ) -> Call<'a> {
        Call {
            limits,
            info,
            results: 0,
            results_max: limits.max_results.min(results_room),
            rows: 0,
            progress,
            dropped_max,
            elapsed,
            ticks: 0,
            results_end: 0,
            run: CellRun::default(),
        }
    }

    /// A result is complete and ends at `end` in the output; `more` cells of its row may follow.
    pub fn push(&mut self, cells: u32, more: bool, end: usize) {
        let at = INFO_BYTES + 4 * self.results as usize;
        let entry = cells | if more { MORE_CELLS } else { 0 };
        if let Some(field) = self.info.get_mut(at..at + 4) {
            field.copy_from_slice(&entry.to_le_bytes());
        }
        self.results += 1;
        self.results_end = end;
        self.rows += u32::from(!more);
    }

    /// Looks at the clock now and then; `left` rows or cells were left since the last call.
    pub fn expired(&mut self, left: u32) -> Option<Stop> {
        self.ticks = self.ticks.saturating_add(left);
        if self.ticks < CLOCK_INTERVAL {
            return None;
        }
        self.ticks = 0;
        self.stop_by_time()
    }

    /// Whether the time of the call is over.
    pub(crate) fn stop_by_time(&self) -> Option<Stop> {
        let elapsed = (self.elapsed)();
        if self.limits.heartbeats_allowed && elapsed >= self.limits.time_budget {
            Some(Stop::Time)
        } else if elapsed >= self.limits.pause_after {
            Some(Stop::Paused)
        } else {
            None
        }
    }

    /// Whether the call ends among the hidden cells of a row. Only a pause does so where a row `may_end` only as a whole.
    pub fn stop_among_hidden(&self, may_end: bool) -> Option<Stop> {
        match self.stop_by_time() {
            Some(Stop::Time) if !may_end => {
                ((self.elapsed)() >= self.limits.pause_after).then_some(Stop::Paused)
            }
            stop => stop,
        }
    }

    /// The next [`Call::expired`] looks at the clock: a pattern was searched, which may have taken long.
    pub fn check_clock_soon(&mut self) {
        self.ticks = CLOCK_INTERVAL;
    }

    /// Counts work that left neither rows nor cells, for [`Call::expired`].
    pub(crate) fn worked(&mut self, cells: u32) {
        self.ticks = self.ticks.saturating_add(cells);
    }

    /// Rows that do not reach a limit of rows before their end.
    pub(crate) fn rows_left(&self) -> u32 {
        let of_rows = match self.limits.limit_of_rows {
            0 => u32::MAX,
            limit => limit.saturating_sub(self.rows),
        };
        of_rows.min(self.results_max.saturating_sub(self.results))
    }

    /// Bytes of cells, as [`heap_size`](super::heap_size()) counts them, that do not reach the limit.
    pub(crate) fn size_left(&self) -> u64 {
        self.limits.size_limit.saturating_sub(self.progress.size).saturating_sub(1)
    }

    /// The bytes of cells reach their limit.
    pub fn is_full(&self) -> bool {
        self.progress.size >= self.limits.size_limit
    }

    /// A limit that ends the call between rows.
    pub fn limit(&self) -> Option<Stop> {
        if self.is_full() || self.progress.dropped >= self.dropped_max {
            Some(Stop::Size)
        } else if self.limits.limit_of_rows > 0 && self.rows >= self.limits.limit_of_rows {
            Some(Stop::Rows)
        } else if self.results >= self.results_max {
            Some(Stop::Results)
        } else {
            None
        }
    }
}
