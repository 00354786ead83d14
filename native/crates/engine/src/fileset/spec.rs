//! What a read wants from one store file.

pub use grampus_colfile::{Direction, RowBound, RowRange};

/// Timestamps from (inclusive) to (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// Lowest timestamp asked for.
    pub from: i64,
    /// First timestamp not asked for; `i64::MAX` also includes `i64::MAX` itself, as in HBase.
    pub to: i64,
}

impl TimeRange {
    /// All timestamps.
    pub const ALL: TimeRange = TimeRange { from: i64::MIN, to: i64::MAX };

    /// The range with both ends included.
    pub fn inclusive(&self) -> (i64, i64) {
        let last = if self.to == i64::MAX { i64::MAX } else { self.to.saturating_sub(1) };
        (self.from, last)
    }

    /// True when some timestamp of `min..=max` is asked for.
    pub fn overlaps(&self, min: i64, max: i64) -> bool {
        max >= self.from && (min < self.to || self.to == i64::MAX)
    }
}

/// What a cursor over one store file shall yield.
#[derive(Clone, Debug)]
pub struct CursorSpec<'a> {
    /// Row order of the walk.
    pub direction: Direction,
    /// Sorted, distinct qualifiers asked for; `None` is the whole family.
    pub projection: Option<&'a [&'a [u8]]>,
    /// Rows asked for.
    pub rows: RowRange<'a>,
    /// Cells with a higher sequence id are invisible.
    pub read_point: u64,
    /// Files without a timestamp in this range are skipped; the cells themselves are not filtered.
    pub time_range: TimeRange,
    /// Whether pages read from disk enter the block cache.
    pub cache: bool,
    /// The rows are read once, all of them, by nobody who waits: larger pieces of the file, past the system's caches.
    pub one_pass: bool,
    /// Whether the cursor may read from disk; if not, a page that is not cached is `WouldBlock`.
    pub blocking: bool,
}
