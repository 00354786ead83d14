//! What background work has done since the start.

use grampus_base::Counter;
use grampus_store::policy::CompactionKind;

use super::finished_work::FinishedWorks;

/// Flushes that wrote something.
#[derive(Default)]
pub(crate) struct FlushCounters {
    /// Flushes done.
    pub count: Counter,
    /// Flushes that failed.
    pub failed: Counter,
    /// Milliseconds of those done.
    pub millis: Counter,
    /// Cells of memtables that they wrote or dropped.
    pub cells: Counter,
    /// Bytes of those memtables.
    pub memtable_bytes: Counter,
    /// Bytes of the files that they made.
    pub file_bytes: Counter,
}

/// Compactions of one kind.
#[derive(Default)]
pub(crate) struct CompactionCounters {
    /// Compactions done.
    pub count: Counter,
    /// Milliseconds of those done.
    pub millis: Counter,
    /// Files read.
    pub input_files: Counter,
    /// Bytes of the files read.
    pub input_bytes: Counter,
    /// Bytes of the files written.
    pub output_bytes: Counter,
    /// Cells read.
    pub cells: Counter,
}

/// Bulk loads of a region.
#[derive(Default)]
pub(crate) struct LoadCounters {
    /// Loads done.
    pub count: Counter,
    /// Loads that failed; a file of another region is none.
    pub failed: Counter,
    /// Milliseconds of those done.
    pub millis: Counter,
    /// Files taken over.
    pub files: Counter,
    /// Bytes of them.
    pub bytes: Counter,
    /// Cells in them.
    pub cells: Counter,
}

/// All background work.
#[derive(Default)]
pub(crate) struct WorkCounters {
    /// Flushes.
    pub flushes: FlushCounters,
    /// Bulk loads.
    pub loads: LoadCounters,
    /// Compactions of some of a store's files.
    pub minor: CompactionCounters,
    /// Compactions of all of them.
    pub major: CompactionCounters,
    /// The latest flushes and compactions, one by one.
    pub finished: FinishedWorks,
    /// Compactions that failed, of both kinds.
    pub failed_compactions: Counter,
    /// Files that compactions leave alone because they cannot read them.
    pub damaged_inputs: Counter,
    /// Files that compactions leave alone because a row is too large to be collected.
    pub large_row_inputs: Counter,
    /// Parts of log segments that a split could not read and left out.
    pub log_parts_left_out: Counter,
    /// Bytes of them.
    pub log_bytes_left_out: Counter,
    /// Times that free memory went back to the operating system.
    pub trims: Counter,
    /// Milliseconds that these took.
    pub trim_millis: Counter,
}

impl WorkCounters {
    /// The counters of a kind.
    pub(crate) fn compactions(&self, kind: CompactionKind) -> &CompactionCounters {
        match kind {
            CompactionKind::Minor => &self.minor,
            CompactionKind::Major => &self.major,
        }
    }
}
