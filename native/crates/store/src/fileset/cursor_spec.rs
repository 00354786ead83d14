//! What a read wants from one store file.

use grampus_cells::{Direction, RowRange, TimeRange};

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
    /// All rows of a file that is read come, whatever their cells are, and no other: those with a cell at or below `read_point`. Else rows without a
    /// cell that is asked for may be passed over.
    pub all_rows: bool,
    /// Whether pages read from disk enter the block cache.
    pub cache: bool,
    /// The rows are read once, all of them, and no client waits: larger pieces of the file, past the system's caches.
    pub one_pass: bool,
    /// Whether the cursor may read from disk; if not, a page that is not cached is `WouldBlock`.
    pub blocking: bool,
    /// Every cell asked for of a row is read, see [`grampus_colfile::CursorOptions::all_cells`].
    pub all_cells: bool,
}
