//! Places in a row and behind it, to compare hints and cells by.

use std::cmp::{Ordering, Reverse};

use grampus_colfile::CellRef;

use crate::filter::Hint;

/// Where a filter wants to go on, in the order of cells.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<'a> {
    row: &'a [u8],
    /// Family, qualifier and timestamp; a row itself has none and lies before its cells.
    cell: Option<(&'a [u8], &'a [u8], Reverse<i64>)>,
}

impl<'a> Place<'a> {
    /// Where the hint leads that a filter gave at a cell.
    pub fn of_hint(hint: &'a Hint, family: &'a [u8], at: &CellRef<'a>) -> Place<'a> {
        let cell = match hint {
            Hint::Version(timestamp) => Some((family, at.qualifier, Reverse(*timestamp))),
            Hint::Column(qualifier) => Some((family, qualifier.as_slice(), Reverse(i64::MAX))),
            Hint::Row(row) => return Place { row, cell: None },
        };
        Place { row: at.row, cell }
    }

    /// The order of two places in HBase's lists, which is turned round where rows descend, within a row as well
    /// (`FilterListBase#compareCell`).
    pub fn compare(&self, other: &Place<'_>, reversed: bool) -> Ordering {
        let ordering = self.cmp(other);
        if reversed { ordering.reverse() } else { ordering }
    }

    /// Whether a cell comes before the place, in the order of [`Place::compare`].
    pub fn is_ahead_of(&self, family: &[u8], cell: &CellRef<'_>, reversed: bool) -> bool {
        let cell = Place { row: cell.row, cell: Some((family, cell.qualifier, Reverse(cell.timestamp))) };
        // A place lies before the cell that has the same coordinates.
        match cell.compare(self, reversed) {
            Ordering::Less => true,
            Ordering::Equal => reversed,
            Ordering::Greater => false,
        }
    }
}
