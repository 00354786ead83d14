//! The fast path: simple rows, many at a time.
//!
//! A row is simple if its cells are puts without tags, at most one of each qualifier, in a row group without family delete
//! markers and rare qualifiers: none of its cells can hide another, so a reader need not compare them one by one.

use crate::ValueBounds;

/// A column that decides about rows before any other of their columns is looked at.
#[derive(Clone, Copy, Debug)]
pub struct PredicateColumn<'a> {
    /// Its qualifier; `None`, and one that the projection lacks, is a column that no row has.
    pub qualifier: Option<&'a [u8]>,
    /// First and last timestamp of cells that the reader sees. Row groups with others in this column are not evaluated.
    pub times: (i64, i64),
}

/// What a sink says after a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Go on with the next row.
    Next,
    /// Leave the row and end the run.
    Enough,
    /// The row was not taken; stay on it and end the run.
    Refuse,
}

/// Rows that the predicate column decides against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped<'a> {
    /// One of them, the last where that is known.
    pub row: &'a [u8],
    /// Their number, at least 1.
    pub rows: u32,
    /// About the bytes of pages that were looked at for it.
    pub bytes: u64,
}

/// Takes the rows of a run: `drop` for rows that the predicate column decides against, if there is one, else `begin`, then `cell` for each
/// cell and `end`.
pub trait FastPathSink {
    /// The column that decides about rows.
    fn predicate_column(&self) -> Option<PredicateColumn<'_>>;

    /// Whether a row is wanted whose predicate column has this value, or, for `None`, lacks it. The same value has the same answer.
    fn accepts(&self, value: Option<&[u8]>) -> bool;

    /// Whether [`FastPathSink::accepts`] may take long for a value, so that [`FastPathSink::is_time_over`] has to be asked after it.
    fn may_take_long(&self) -> bool {
        false
    }

    /// Whether an answer since the last call has taken long, and the rows that are decided are all that the call has time for.
    fn is_time_over(&self) -> bool {
        false
    }

    /// Whether a value within the bounds may be wanted.
    fn may_accept(&self, values: &ValueBounds) -> bool;

    /// Rows were left that are not wanted.
    fn drop(&mut self, dropped: Dropped<'_>) -> After;

    /// A row begins that is wanted. False ends the run before it.
    fn begin(&mut self, row: &[u8]) -> bool;

    /// A cell of the row.
    fn cell(&mut self, row: &[u8], qualifier: &[u8], timestamp: i64, value: &[u8]);

    /// The row had no more cells.
    fn end(&mut self, row: &[u8]) -> After;

    /// The row turned out not to be simple; what was handed out of it is to be forgotten.
    fn forget(&mut self);
}
