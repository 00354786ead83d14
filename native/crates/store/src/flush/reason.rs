//! Why a region is flushed.

use std::fmt;

/// Why; its text completes "flushed region … because".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlushReason {
    /// A client, a snapshot or a procedure wants it.
    AskedFor,
    /// The region's memtables passed their own limit.
    RegionFull,
    /// All memtables together passed theirs, and this region's are the largest.
    MemoryShort,
    /// The oldest edit waits longer than the flush interval.
    Old,
    /// Its edits keep log segments alive that hold too much.
    HoldsLog,
    /// The last flush failed.
    Retry,
    /// It waited for compactions of stores with too many files.
    HeldBack,
    /// The region closes.
    Closing,
    /// Edits of a server that died were replayed into memory.
    Recovered,
    /// A split needs a row, and nothing is in files.
    Splitting,
    /// Files are loaded that are newer than all edits so far.
    Loading,
}

impl fmt::Display for FlushReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FlushReason::AskedFor => "it was asked for",
            FlushReason::RegionFull => "its memtables passed the region's limit",
            FlushReason::MemoryShort => "all memtables passed the server's limit and its are the largest",
            FlushReason::Old => "its oldest edit waited longer than the flush interval",
            FlushReason::HoldsLog => "its edits kept too much of the log",
            FlushReason::HeldBack => "it was held back for the many files of a store",
            FlushReason::Retry => "the last flush failed",
            FlushReason::Closing => "it closes",
            FlushReason::Recovered => "edits were recovered from a log",
            FlushReason::Splitting => "a split needs a row of its files",
            FlushReason::Loading => "files are loaded, which are newer than its edits",
        })
    }
}
