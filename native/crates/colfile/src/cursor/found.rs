//! The short look at a row of a stream.

/// What a stream has of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No cell.
    Nothing,
    /// One cell, an untagged put.
    Cell,
    /// Something else, or what only a longer look would tell.
    Unclear,
}
