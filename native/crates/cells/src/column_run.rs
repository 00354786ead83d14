//! Runs of simple rows, column by column.
//!
//! The rows are those of [the fast path](crate::FastPathSink): their cells are puts without tags, at most one of each qualifier. What takes values as
//! columns is spared the way through cells of rows.

/// What a run may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRoom {
    /// Rows.
    pub rows: u32,
    /// Bytes of all row keys.
    pub key_bytes: usize,
    /// Bytes of all values.
    pub value_bytes: usize,
}

/// The columns of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunColumns {
    /// Their number, which is that of a row's cells at most.
    pub count: usize,
    /// Bytes of their qualifiers together, and of their families where these are known.
    pub name_bytes: usize,
    /// About the bytes that a cell of each takes together, in the pages that are loaded.
    pub row_bytes: u64,
}

/// Takes a run: `key` for each row that has a cell and `pass` for each other one, in order, then `column` for each column that has one, each with a `value` for each of its cells in
/// the order of rows.
pub trait ColumnRunSink {
    /// What it takes of a run of these columns.
    fn room(&self, columns: RunColumns) -> RunRoom;

    /// Whether rows up to one belong to the read.
    fn reaches(&self, row: &[u8]) -> bool;

    /// Whether a cell that was written at a time belongs to the read, for the first and the last time of many cells.
    fn sees(&self, first: i64, last: i64) -> bool;

    /// The next row.
    fn key(&mut self, row: &[u8]);

    /// A row that has no cell. Default: nothing.
    fn pass(&mut self, _row: &[u8]) {}

    /// The values up to the next call are of this column.
    fn column(&mut self, qualifier: &[u8]);

    /// A value of a row, which is the number of calls of `key` in this run before its own.
    fn value(&mut self, row: u32, timestamp: i64, value: &[u8]);
}
