//! Rows of plain puts, many at a time.
//!
//! A row is plain if its cells are puts without tags, at most one of each qualifier, in a row group without family delete
//! markers and rare qualifiers: none of its cells can hide another, so whoever takes it need not judge them one by one.
//!
//! What runs for each row or cell is inlined by order, here and in `stream`: left to itself the compiler makes calls of it that
//! return their results in memory, which is a fifth of a narrow scan (`engine/benches/scan.rs`).

use std::ops::Range;
use std::sync::Arc;

use super::{Current, FileCursor};
use crate::error::Result;
use crate::footer::RowGroup;

/// Rows of more columns are walked cell by cell, so that a reader can stop within them.
const COLUMNS_MAX: usize = 64;

/// A column that decides about rows before any other of their columns is handed out.
#[derive(Clone, Copy, Debug)]
pub struct JudgedColumn<'a> {
    /// Its qualifier; `None`, and one that the projection lacks, is a column that no row has.
    pub qualifier: Option<&'a [u8]>,
    /// First and last timestamp of cells that the reader sees. Row groups with others are not judged.
    pub times: (i64, i64),
}

/// What a taker says of a row by its judged column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Hand it out.
    Keep,
    /// Drop it; the cells up to the judged column count as looked at.
    Drop,
    /// Drop it; all its cells count as looked at.
    DropWhole,
}

/// What a taker says after a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Go on with the next row.
    Next,
    /// Leave the row and end the run.
    Enough,
    /// The row was not taken; stay on it and end the run.
    Refuse,
}

/// Cells that were looked at without being handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Their number.
    pub cells: u64,
    /// Bytes of their qualifiers and values.
    pub bytes: u64,
}

/// Takes the rows of a run: `begin`, then `judge` if there is a judged column, then `drop`, or `cell` for each cell and `end`.
pub trait PlainRows {
    /// The column to judge rows by.
    fn judged_column(&self) -> Option<JudgedColumn<'_>>;

    /// A row begins. False ends the run before it.
    fn begin(&mut self, row: &[u8]) -> bool;

    /// Judges the row by the value of its judged column, `None` where it has none.
    fn judge(&mut self, value: Option<&[u8]>) -> Verdict;

    /// The row was dropped; `looked_at` are its cells as far as the verdict says.
    fn drop(&mut self, row: &[u8], looked_at: Weight) -> After;

    /// A cell of the row.
    fn cell(&mut self, row: &[u8], qualifier: &[u8], timestamp: i64, value: &[u8]);

    /// The row had no more cells.
    fn end(&mut self, row: &[u8]) -> After;

    /// The row turned out not to be plain; what was handed out of it is to be forgotten.
    fn forget(&mut self);
}

impl FileCursor {
    /// Hands out plain rows from the current one on, no cell of which was stepped over yet, and stops on the first row that is
    /// not plain or that the taker does not want, or after `limit` rows. Returns how many rows it left, dropped ones included.
    pub fn plain_rows(&mut self, limit: u32, taker: &mut dyn PlainRows) -> Result<u32> {
        if !self.family_deletes.is_ended() || !self.mixed.is_ended() || self.columns_len > COLUMNS_MAX {
            return Ok(0);
        }
        let file = Arc::clone(&self.file);
        let Some(index) = self.group else { return Ok(0) };
        let Some(group) = file.footer.groups.get(index) else { return Ok(0) };
        let judge = match taker.judged_column() {
            None => None,
            Some(column) if self.all_within(group, column.times) => {
                let streams = self.columns.iter().take(self.columns_len);
                Some(streams.map(|s| s.qualifier(&file)).position(|q| Some(q) == column.qualifier))
            }
            Some(_) => return Ok(0),
        };
        let mut left = 0;
        while left < limit {
            let after = self.plain_row(group, judge, taker)?;
            if after == After::Refuse {
                break;
            }
            left += 1;
            let Some(row) = self.next_ordinal() else {
                self.next_group(index)?;
                return Ok(left);
            };
            self.rows.load(group, row, &*self.pages, self.access)?;
            if self.is_row_past_range() {
                self.group = None;
                self.current = Current::None;
                return Ok(left);
            }
            if after == After::Enough {
                break;
            }
        }
        if left > 0 {
            self.column = 0;
            self.select()?;
        }
        Ok(left)
    }

    /// Whether the timestamps of all columns that are walked lie between two.
    fn all_within(&self, group: &RowGroup, (first, last): (i64, i64)) -> bool {
        let mut columns =
            self.columns.iter().take(self.columns_len).map(|s| s.column().and_then(|c| group.columns.get(c)));
        columns.all(|column| column.is_some_and(|c| first <= c.stats.times.min && c.stats.times.max <= last))
    }

    /// Hands out the current row; `judge` is the place of the judged column among the streams, if there is one at all.
    #[inline(always)]
    fn plain_row(
        &mut self,
        group: &RowGroup,
        judge: Option<Option<usize>>,
        taker: &mut dyn PlainRows,
    ) -> Result<After> {
        if !taker.begin(self.rows.key()) {
            return Ok(After::Refuse);
        }
        if let Some(judge) = judge {
            let verdict = match judge {
                None => taker.judge(None),
                Some(column) => match self.columns.get_mut(column) {
                    None => return Ok(After::Refuse),
                    Some(stream) => match stream.find_plain(&self.rows, group, &*self.pages, self.access)? {
                        Found::Nothing => taker.judge(None),
                        Found::Cell => taker.judge(Some(stream.plain_value())),
                        Found::Unclear => return Ok(After::Refuse),
                    },
                },
            };
            let looked_at = match (verdict, judge) {
                (Verdict::Keep, _) => return self.hand_out(group, taker),
                (Verdict::Drop, Some(column)) => 0..column + 1,
                (Verdict::Drop, None) | (Verdict::DropWhole, _) => 0..self.columns_len,
            };
            return Ok(match self.weigh(group, looked_at)? {
                Some(weight) => taker.drop(self.rows.key(), weight),
                None => After::Refuse,
            });
        }
        self.hand_out(group, taker)
    }

    #[inline(always)]
    fn hand_out(&mut self, group: &RowGroup, taker: &mut dyn PlainRows) -> Result<After> {
        let (rows, key) = (&self.rows, self.rows.key());
        let (file, pages, access) = (&*self.file, &*self.pages, self.access);
        for stream in self.columns.iter_mut().take(self.columns_len) {
            match stream.find_plain(rows, group, pages, access)? {
                Found::Nothing => {}
                Found::Cell => {
                    let timestamp = stream.plain_timestamp(rows, pages)?;
                    taker.cell(key, stream.qualifier(file), timestamp, stream.plain_value());
                }
                Found::Unclear => {
                    taker.forget();
                    return Ok(After::Refuse);
                }
            }
        }
        Ok(taker.end(key))
    }

    /// Adds up the row's cells in some of the columns; `None` when one of them is not plain.
    fn weigh(&mut self, group: &RowGroup, columns: Range<usize>) -> Result<Option<Weight>> {
        let (rows, file, pages) = (&self.rows, &*self.file, &*self.pages);
        if let Some(alike) = &self.alike
            && alike.columns == columns
            && alike.rows.contains(&rows.ordinal())
        {
            return Ok(Some(alike.weight));
        }
        let mut alike = Alike { columns: columns.clone(), rows: 0..u32::MAX, weight: Weight::default() };
        let weight = &mut alike.weight;
        for stream in self.columns.get_mut(columns).unwrap_or_default() {
            match stream.find_plain(rows, group, pages, self.access)? {
                Found::Nothing => alike.rows = 0..0,
                Found::Cell => {
                    let rows = stream.rows_alike();
                    alike.rows = alike.rows.start.max(rows.start)..alike.rows.end.min(rows.end);
                    weight.cells += 1;
                    weight.bytes += (stream.qualifier(file).len() + stream.plain_value().len()) as u64;
                }
                Found::Unclear => return Ok(None),
            }
        }
        let weight = alike.weight;
        self.alike = Some(alike);
        Ok(Some(weight))
    }
}

/// Rows that weigh the same, as rows of values of one length do.
pub(super) struct Alike {
    columns: Range<usize>,
    rows: Range<u32>,
    weight: Weight,
}

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
