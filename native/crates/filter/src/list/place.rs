//! Places in the order of cells, to compare hints with each other and with cells.

use std::cmp::{Ordering, Reverse};

use grampus_cells::CellRef;

use crate::Hint;

/// A place in the order of cells: where a hint leads, or where a cell is.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place<'a> {
    row: &'a [u8],
    /// Family, qualifier and timestamp; a row itself has none and lies before its cells.
    cell: Option<(&'a [u8], &'a [u8], Reverse<i64>)>,
}

impl<'a> Place<'a> {
    /// Where the hint leads that a filter gave at a cell.
    pub(super) fn of_hint(hint: &'a Hint, family: &'a [u8], at: &CellRef<'a>) -> Place<'a> {
        let cell = match hint {
            Hint::Version(timestamp) => Some((family, at.qualifier, Reverse(*timestamp))),
            Hint::Column(qualifier) => Some((family, qualifier.as_slice(), Reverse(i64::MAX))),
            Hint::Row(row) => return Place { row, cell: None },
        };
        Place { row: at.row, cell }
    }

    /// The order of two places in HBase's lists, which is turned round where rows descend, within a row as well
    /// (`FilterListBase#compareCell`).
    pub(super) fn compare(&self, other: &Place<'_>, reversed: bool) -> Ordering {
        let ordering = self.cmp(other);
        if reversed { ordering.reverse() } else { ordering }
    }

    /// Whether a cell comes before the place, in the order of [`Place::compare`].
    pub(super) fn is_ahead_of(&self, family: &[u8], cell: &CellRef<'_>, reversed: bool) -> bool {
        let cell = Place { row: cell.row, cell: Some((family, cell.qualifier, Reverse(cell.timestamp))) };
        // HBase makes a hint the first key of its coordinates, which sorts before a cell that has the same; turned round, that cell comes
        // first.
        match cell.compare(self, reversed) {
            Ordering::Less => true,
            Ordering::Equal => reversed,
            Ordering::Greater => false,
        }
    }
}

/// The order of two hints that were given at one cell, see [`Place::compare`].
pub(super) fn compare_hints(
    left: &Hint,
    right: &Hint,
    family: &[u8],
    at: &CellRef<'_>,
    reversed: bool,
) -> Ordering {
    Place::of_hint(left, family, at).compare(&Place::of_hint(right, family, at), reversed)
}
