//! Which timestamps a read asks for.

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
