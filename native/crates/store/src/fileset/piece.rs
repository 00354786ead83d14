//! What a region is cut into.

/// A part of files and memtables: the rows from one on, up to the first one of the next piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First row.
    pub first_row: Vec<u8>,
    /// About its bytes: of files those in the files, of memtables those of the cells.
    pub bytes: u64,
}
