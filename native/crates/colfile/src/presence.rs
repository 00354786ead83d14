//! Whether a file may have a row, and what tells: its range of rows or its bloom filter.

/// What a file says of a row or a range of rows before any of its cells is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It has none of it: its rows are others.
    OutOfRange,
    /// Nothing is known, and no bloom filter could say anything of such a question.
    Unasked,
    /// Nothing is known: a bloom filter could tell, but there is none of that kind, or it is not at hand.
    Unknown,
    /// It may have it: its bloom filter does not deny it.
    Possible,
    /// It has none of it: its bloom filter says so.
    Denied,
}

impl Presence {
    /// False when the file certainly has nothing of it.
    pub fn is_possible(self) -> bool {
        !matches!(self, Presence::OutOfRange | Presence::Denied)
    }
}
