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
    /// Every cell asked for of a row is read. For a single row its pages that are in memory are then looked up together, so that the processor waits for
    /// memory once and not for each of them.
    pub all_cells: bool,
}

impl Default for CursorOptions<'_> {
    fn default() -> Self {
        CursorOptions {
            direction: Direction::Forward,
            projection: None,
            rows: RowRange::ALL,
            access: Access::CACHED,
            times: (i64::MIN, i64::MAX),
            all_cells: false,
        }
    }
}
