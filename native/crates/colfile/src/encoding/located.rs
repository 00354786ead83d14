//! Strings of a sequence before they are read.

/// Bytes of the longest string that is made up of a number.
pub(crate) const SCRATCH_BYTES: usize = 32;

/// Where one string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Located {
    /// In the body: start and length.
    At(u32, u32),
    /// A big-endian integer, and its length in bytes.
    Number(u64, u8),
    /// A decimal number.
    Decimal(u64),
    /// A decimal number, its sign bit inverted, and its digits after the point.
    Scaled(u64, u8),
    /// A template at a place in the body, and the digits that go into it.
    Template(u32, u64),
    /// Codes in the body, and where the table of their symbols is.
    Symbols { table: u32, start: u32, length: u32 },
}

impl Located {
    pub(crate) const EMPTY: Located = Located::At(0, 0);
}
