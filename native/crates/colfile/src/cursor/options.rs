//! What a cursor is asked for.

use grampus_cells::{Direction, RowRange};

use crate::page_source::Access;

/// What a cursor shall yield.
#[derive(Clone, Copy, Debug)]
pub struct CursorOptions<'a> {
    /// Order of the walk over rows.
    pub direction: Direction,
    /// Sorted, distinct qualifiers; `None` is all. Family delete markers come in any case.
    pub projection: Option<&'a [&'a [u8]]>,
    /// Rows asked for.
    pub rows: RowRange<'a>,
    /// How pages are got.
    pub access: Access,
    /// Row groups without a timestamp in `from..=to` are passed over; cells are not filtered.
    pub times: (i64, i64),
}

impl Default for CursorOptions<'_> {
    fn default() -> Self {
        CursorOptions {
            direction: Direction::Forward,
            projection: None,
            rows: RowRange::ALL,
            access: Access::CACHED,
            times: (i64::MIN, i64::MAX),
        }
    }
}
