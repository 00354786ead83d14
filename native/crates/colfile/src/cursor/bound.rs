//! One end of a cursor's range.

use grampus_cells::RowBound;

/// One end of the cursor's range, owned.
#[derive(Debug)]
pub(super) enum Bound {
    Unbounded,
    Included(Box<[u8]>),
    Excluded(Box<[u8]>),
}

impl Bound {
    pub(super) fn of(bound: RowBound<'_>) -> Bound {
        match bound {
            RowBound::Unbounded => Bound::Unbounded,
            RowBound::Included(row) => Bound::Included(row.into()),
            RowBound::Excluded(row) => Bound::Excluded(row.into()),
        }
    }

    pub(super) fn borrow(&self) -> RowBound<'_> {
        match self {
            Bound::Unbounded => RowBound::Unbounded,
            Bound::Included(row) => RowBound::Included(row),
            Bound::Excluded(row) => RowBound::Excluded(row),
        }
    }
}
