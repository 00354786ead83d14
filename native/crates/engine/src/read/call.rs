//! One call of a scanner: its limits and what it has gathered.

use std::time::{Duration, Instant};

use super::scan_bounds::ScanCounts;

/// Bytes of the info block before the result lengths.
pub const INFO_BYTES: usize = 56;
/// More cells of the row may follow the result.
const MORE_CELLS: u32 = 1 << 31;
/// Rows or cells between two looks at the clock.
const CLOCK_INTERVAL: u32 = 64;

/// A call ends after so many bytes looked at in rows that the filter dropped, whatever the limit of what is returned:
/// `hbase.server.scanner.max.result.size`, at which HBase ends a call for the blocks that it has looked at.
const DROPPED_BYTES_MAX: u64 = 100 << 20;

/// Limits of one scanner call.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Results wanted.
    pub max_results: u32,
    /// Complete rows wanted, 0 = no limit.
    pub limit_of_rows: u32,
    /// Bytes of cells; the cell that crosses it is included.
    pub size_limit: u64,
    /// Time after which the call returns what it has.
    pub time_budget: Duration,
    /// The call may end within a row.
    pub partials_allowed: bool,
    /// The call may end for time without results.
    pub heartbeats_allowed: bool,
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
    pub results_max: u32,
    /// Rows that are complete.
    pub rows: u32,
    /// Bytes of cells that are returned.
    pub size: u64,
    /// Bytes that were looked at in rows that the filter dropped.
    pub dropped: u64,
    /// When the time is up.
    pub deadline: Instant,
    /// Rows and cells since the last look at the clock.
    pub ticks: u32,
    /// What the scan had looked at before the call.
    pub before: ScanCounts,
}

impl Call<'_> {
    /// A result is complete; `more` cells of its row may follow.
    pub fn push(&mut self, cells: u32, more: bool) {
        let at = INFO_BYTES + 4 * self.results as usize;
        let entry = cells | if more { MORE_CELLS } else { 0 };
        if let Some(field) = self.info.get_mut(at..at + 4) {
            field.copy_from_slice(&entry.to_le_bytes());
        }
        self.results += 1;
        self.rows += u32::from(!more);
    }

    /// Looks at the clock now and then; so many rows or cells were left since it was asked last.
    pub fn out_of_time(&mut self, left: u32) -> bool {
        self.ticks = self.ticks.saturating_add(left);
        if self.ticks < CLOCK_INTERVAL {
            return false;
        }
        self.ticks = 0;
        self.limits.heartbeats_allowed && Instant::now() >= self.deadline
    }

    /// The cells since the size was `size` are those of a row that the filter drops.
    pub fn drop_since(&mut self, size: u64) {
        self.dropped += self.size - size;
        self.size = size;
    }

    /// The bytes of cells reach their limit.
    pub fn is_full(&self) -> bool {
        self.size >= self.limits.size_limit
    }

    /// A limit that ends the call between rows.
    pub fn limit(&self) -> Option<Stop> {
        if self.limits.limit_of_rows > 0 && self.rows >= self.limits.limit_of_rows {
            Some(Stop::Rows)
        } else if self.results >= self.results_max {
            Some(Stop::Results)
        } else if self.is_full() || self.dropped >= DROPPED_BYTES_MAX {
            Some(Stop::Size)
        } else {
            None
        }
    }
}
