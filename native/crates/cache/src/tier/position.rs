//! A place in a path's log.

/// Where the next record goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The newest segment.
    pub segment: u32,
    /// Bytes that are written in it.
    pub used: u64,
}
