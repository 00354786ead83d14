//! The verdict on a cell, HBase's `MatchCode`.

/// What to do with a cell and where to go from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// Return it.
    Include,
    /// Return it and go to the next column.
    IncludeNextColumn,
    /// Return it and leave the row of this store.
    IncludeNextRow,
    /// Go to the next cell.
    Skip,
    /// Go to the next column.
    NextColumn,
    /// Leave the row of this store.
    NextRow,
    /// Go where the filter says.
    Hint,
    /// The filter wants nothing more of the scan.
    Done,
}
