//! Runs of simple rows, column by column.
//!
//! The rows are those of [the fast path](crate::FastPathSink): their cells are puts without tags, at most one of each qualifier. What takes values as
//! columns is spared the way through cells of rows.

use crate::Strings;

/// What a run may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRoom {
    /// Rows.
    pub rows: u32,
    /// Bytes of all row keys. `None`: keys are not decoded, and the run has an empty one for each of its rows, so that their number is that of
    /// the rows.
    pub key_bytes: Option<usize>,
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

/// What a column has in a run: at most one value of each row.
#[derive(Clone, Copy, Debug)]
pub struct RunValues<'a> {
    /// The keys of the run's rows; each is empty where [`RunRoom::key_bytes`] was `None`.
    pub keys: &'a Strings,
    /// The row of each value, as a position in `keys`, ascending; `None` if every row has a value.
    pub rows: Option<&'a [u32]>,
    /// When each was written.
    pub timestamps: &'a [i64],
    /// The values in the order of rows.
    pub values: &'a Strings,
}

impl<'a> RunValues<'a> {
    /// The row of a value.
    #[inline]
    pub fn row(&self, value: usize) -> usize {
        self.rows.map_or(value, |rows| rows.get(value).map_or(usize::MAX, |row| *row as usize))
    }

    /// Row, timestamp and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (usize, i64, &'a [u8])> {
        let RunValues { timestamps, values, .. } = *self;
        let this = *self;
        timestamps.iter().enumerate().map(move |(at, timestamp)| (this.row(at), *timestamp, values.get(at)))
    }

    /// Bytes of the keys of the rows that have a value; 0 where keys are not decoded.
    pub fn key_bytes(&self) -> usize {
        match self.rows {
            None => self.keys.bytes_len(),
            Some(rows) => rows.iter().map(|row| self.keys.get(*row as usize).len()).sum(),
        }
    }
}

/// Takes a run: `rows`, then `column` for each column that one of them has, then `wanted_key`, and `take_key` if there is one.
pub trait ColumnRunSink {
    /// What it takes of a run of these columns.
    fn room(&mut self, columns: RunColumns) -> RunRoom;

    /// Whether rows up to one belong to the read.
    fn reaches(&self, row: &[u8]) -> bool;

    /// Whether a cell that was written at a time belongs to the read, for the first and the last time of many cells.
    fn sees(&self, first: i64, last: i64) -> bool;

    /// The keys of the run's rows that have a cell, and the key of its last row, which may have none.
    fn rows(&mut self, keys: &Strings, last: &[u8]);

    /// The values of a column.
    fn column(&mut self, qualifier: &[u8], values: &RunValues<'_>);

    /// The row, as a position in the run's keys, whose key is wanted after all; it is asked for behind the last column. Default: none.
    fn wanted_key(&self) -> Option<usize> {
        None
    }

    /// The key of that row; called once, behind `wanted_key`.
    fn take_key(&mut self, _key: &[u8]) {}
}

/// What runs are decoded into, one after the other. Its memory grows to that of the largest run.
#[derive(Debug, Default)]
pub struct RunBuffers {
    /// The keys of rows that have a cell; each is empty where keys are not decoded.
    pub keys: Strings,
    /// The keys of all rows, where some have no cell; each is empty where keys are not decoded.
    pub all_keys: Strings,
    /// One key that is decoded by itself, as the only string.
    pub one_key: Strings,
    /// Parts of keys that are kept apart, each for all rows.
    pub key_parts: Vec<Strings>,
    /// The position in `keys` of each row.
    pub numbers: Vec<u32>,
    /// The timestamp of each row, where cells share it with their row, as the file has it.
    pub row_timestamps: Vec<u64>,
    /// The values of a column.
    pub values: Strings,
    /// When each of `values` was written.
    pub timestamps: Vec<i64>,
    /// The row of each of `values`, as a position in `keys`.
    pub rows: Vec<u32>,
    /// Integers that strings are made of.
    pub integers: [Vec<u64>; 2],
}
