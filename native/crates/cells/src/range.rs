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

    /// The `len` bytes that all rows of the range begin with, for ranges in byte order; `None` when they differ, or when a row may be
    /// shorter.
    pub fn common_prefix(&self, len: usize) -> Option<&'a [u8]> {
        let (RowBound::Included(start) | RowBound::Excluded(start)) = self.start else { return None };
        let prefix = start.get(..len)?;
        let same = |row: &[u8]| row.get(..len) == Some(prefix);
        // Rows from the prefix on, up to but without the next prefix of that length.
        let ends_at_next = |row: &[u8]| next_prefix(prefix).is_some_and(|next| row <= next.as_slice());
        let shared = match self.end {
            RowBound::Unbounded => next_prefix(prefix).is_none(),
            RowBound::Included(end) => same(end),
            RowBound::Excluded(end) => same(end) || end >= prefix && ends_at_next(end),
        };
        shared.then_some(prefix)
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

/// The smallest row above all that begin with a prefix; `None` when there is none.
fn next_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte < u8::MAX)?;
    let mut next = prefix.get(..=last)?.to_vec();
    *next.last_mut()? += 1;
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common<'a>(start: &'a [u8], end: RowBound<'a>, len: usize) -> Option<&'a [u8]> {
        RowRange { start: RowBound::Included(start), end }.common_prefix(len)
    }

    #[test]
    fn a_prefix_is_common_when_no_row_of_the_range_lacks_it() {
        use RowBound::{Excluded, Included, Unbounded};
        assert_eq!(common(b"abc", Included(b"abz"), 2), Some(&b"ab"[..]));
        assert_eq!(common(b"abc", Excluded(b"abz"), 2), Some(&b"ab"[..]));
        assert_eq!(common(b"ab", Excluded(b"ac"), 2), Some(&b"ab"[..]));
        assert_eq!(common(b"ab", Included(b"ac"), 2), None);
        assert_eq!(common(b"ab", Excluded(b"ac\0"), 2), None);
        assert_eq!(common(b"a\xff", Excluded(b"b"), 2), Some(&b"a\xff"[..]));
        assert_eq!(common(b"a\xff", Excluded(b"b\0"), 2), None);
        assert_eq!(common(b"\xff\xff1", Unbounded, 2), Some(&b"\xff\xff"[..]));
        assert_eq!(common(b"\xfe\xff1", Unbounded, 2), None);
        assert_eq!(common(b"a", Excluded(b"ab"), 2), None);
        assert_eq!(RowRange::ALL.common_prefix(1), None);
    }

    /// Against the definition, over all short rows of three letters.
    #[test]
    fn a_common_prefix_is_that_of_every_row_inside() {
        let letters = [0u8, 1, 255];
        let mut rows: Vec<Vec<u8>> = vec![vec![]];
        for len in 0..3 {
            for row in rows.clone().into_iter().filter(|r| r.len() == len) {
                rows.extend(letters.iter().map(|l| [row.as_slice(), &[*l]].concat()));
            }
        }
        let mut found = 0;
        for start in &rows {
            for end in &rows {
                for end in [RowBound::Included(end.as_slice()), RowBound::Excluded(end)] {
                    let range = RowRange { start: RowBound::Included(start), end };
                    for len in 1..3 {
                        let Some(prefix) = range.common_prefix(len) else { continue };
                        let inside = rows.iter().filter(|r| range.contains(r, RowOrder::Bytes));
                        assert!(inside.clone().all(|r| r.starts_with(prefix)), "{range:?} {prefix:?}");
                        found += usize::from(inside.count() > 1);
                    }
                }
            }
        }
        assert!(found > 20, "{found}");
    }
}
