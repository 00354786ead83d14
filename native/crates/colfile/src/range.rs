//! Row ranges and directions of a walk.

use std::cmp::Ordering;

use crate::RowOrder;

/// Direction of a walk over rows; cells within a row keep their order in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Rows ascend.
    #[default]
    Forward,
    /// Rows descend.
    Reverse,
}

/// One end of a row range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowBound<'a> {
    /// No limit.
    #[default]
    Unbounded,
    /// The row belongs to the range.
    Included(&'a [u8]),
    /// The row does not belong to the range.
    Excluded(&'a [u8]),
}

/// Rows between two bounds in row order, whatever the direction of the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowRange<'a> {
    /// Lower end.
    pub start: RowBound<'a>,
    /// Upper end.
    pub end: RowBound<'a>,
}

impl<'a> RowRange<'a> {
    /// All rows.
    pub const ALL: RowRange<'static> = RowRange { start: RowBound::Unbounded, end: RowBound::Unbounded };

    /// Exactly one row.
    pub fn single(row: &'a [u8]) -> RowRange<'a> {
        RowRange { start: RowBound::Included(row), end: RowBound::Included(row) }
    }

    /// The row of a range of one row.
    pub fn as_single(&self) -> Option<&'a [u8]> {
        match (self.start, self.end) {
            (RowBound::Included(start), RowBound::Included(end)) if start == end => Some(start),
            _ => None,
        }
    }

    /// True when the row is below the range.
    pub fn is_before(&self, row: &[u8], order: RowOrder) -> bool {
        match self.start {
            RowBound::Unbounded => false,
            RowBound::Included(start) => order.compare(row, start) == Ordering::Less,
            RowBound::Excluded(start) => order.compare(row, start) != Ordering::Greater,
        }
    }

    /// True when the row is above the range.
    pub fn is_after(&self, row: &[u8], order: RowOrder) -> bool {
        match self.end {
            RowBound::Unbounded => false,
            RowBound::Included(end) => order.compare(row, end) == Ordering::Greater,
            RowBound::Excluded(end) => order.compare(row, end) != Ordering::Less,
        }
    }

    /// True when the row belongs to the range.
    pub fn contains(&self, row: &[u8], order: RowOrder) -> bool {
        !self.is_before(row, order) && !self.is_after(row, order)
    }
}
