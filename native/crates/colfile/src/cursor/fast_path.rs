//! The fast path: simple rows, many at a time.
//!
//! A row is simple if its cells are puts without tags, at most one of each qualifier, in a row group without family delete
//! markers and rare qualifiers: none of its cells can hide another, so a reader need not compare them one by one. Rows that
//! one column decides against are passed over without a look at anything else, see [`super::predicate`].
//!
//! Functions that run for each row or cell are marked `#[inline]` or `#[inline(always)]`, here and in `stream`. Without the marks the
//! compiler calls them and passes their results through memory, which takes a fifth of a narrow scan (`engine/benches/scan.rs`).

use std::cmp::Ordering;
use std::sync::Arc;

use grampus_cells::{After, Direction, Dropped, FastPathSink};

use super::FileCursor;
use super::found::Found;
use super::predicate::Rejected;
use crate::error::Result;
use crate::footer::RowGroup;

/// Rows of more columns are walked cell by cell, so that a reader can stop within them.
const COLUMNS_MAX: usize = 64;

impl FileCursor {
    /// Hands out simple rows from the current one on, no cell of which was stepped over yet, and stops on the first row that is
    /// not simple, that the sink refuses, or that is not before `until`. Returns how many it left, dropped ones included.
    pub fn fast_rows(&mut self, until: Option<&[u8]>, sink: &mut dyn FastPathSink) -> Result<u32> {
        if self.family_deletes.is_some() {
            return Ok(0);
        }
        let file = Arc::clone(&self.file);
        let Some(index) = self.group else { return Ok(0) };
        let Some(group) = file.footer.groups.get(index) else { return Ok(0) };
        let takes_cells = self.mixed.is_none() && self.columns.len() <= COLUMNS_MAX;
        let test = match sink.predicate_column() {
            None if !takes_cells => return Ok(0),
            None => None,
            Some(column) => match self.row_test(group, column, sink) {
                None => return Ok(0),
                test => test,
            },
        };
        let to_the_end = self.group_inside && self.is_before(group, until);
        let mut left = 0u32;
        loop {
            let mut rows = 1;
            let after = match self.reject(group, test, to_the_end, sink)? {
                Some(Rejected { rows: all, bytes }) => {
                    rows = all;
                    let row = if rows == self.rows_left() { self.end_of(group) } else { self.rows.key() };
                    sink.drop(Dropped { row, rows, bytes })
                }
                None if takes_cells => self.hand_out(group, sink)?,
                None => After::Refuse,
            };
            if after == After::Refuse {
                break;
            }
            left = left.saturating_add(rows);
            let Some(row) = self.ordinal_after(rows) else {
                self.leave_group(index, after, until, sink)?;
                return Ok(left);
            };
            self.rows.load(group, row, &*self.pages, self.access)?;
            if self.is_row_past_range() {
                self.end();
                return Ok(left);
            }
            if after == After::Enough || until.is_some_and(|until| !self.comes_before(self.rows.key(), until))
            {
                break;
            }
        }
        if left > 0 {
            self.column = 0;
            self.select()?;
        }
        Ok(left)
    }

    /// Goes on behind a row group. Row groups that the predicate column decides against as a whole are passed over.
    fn leave_group(
        &mut self,
        index: usize,
        mut after: After,
        until: Option<&[u8]>,
        sink: &mut dyn FastPathSink,
    ) -> Result<()> {
        let file = Arc::clone(&self.file);
        let mut next = self.group_after(index);
        while after == After::Next
            && let Some(group) = next.and_then(|next| file.footer.groups.get(next))
            && self.rejects_group(group, until, sink)
        {
            after = sink.drop(Dropped { row: self.end_of(group), rows: group.rows, bytes: 0 });
            next = next.and_then(|next| self.group_after(next));
        }
        self.enter_group(next)
    }

    /// Whether a row comes before another in the direction of the walk.
    #[inline]
    fn comes_before(&self, row: &[u8], other: &[u8]) -> bool {
        match self.order().compare(row, other) {
            Ordering::Less => self.direction == Direction::Forward,
            Ordering::Equal => false,
            Ordering::Greater => self.direction == Direction::Reverse,
        }
    }

    /// Whether all rows of a group come before one.
    pub(super) fn is_before(&self, group: &RowGroup, until: Option<&[u8]>) -> bool {
        until.is_none_or(|until| self.comes_before(self.end_of(group), until))
    }

    /// Hands out the current row.
    #[inline(always)]
    fn hand_out(&mut self, group: &RowGroup, sink: &mut dyn FastPathSink) -> Result<After> {
        let (rows, key) = (&self.rows, self.rows.key());
        if !sink.begin(key) {
            return Ok(After::Refuse);
        }
        let (file, pages, access) = (&*self.file, &*self.pages, self.access);
        for stream in &mut self.columns {
            match stream.find_single_put(rows, group, pages, access)? {
                Found::Nothing => {}
                Found::Cell => {
                    let timestamp = stream.found_timestamp(rows, pages)?;
                    sink.cell(key, stream.qualifier(file), timestamp, stream.found_value());
                }
                Found::Unclear => {
                    sink.forget();
                    return Ok(After::Refuse);
                }
            }
        }
        Ok(sink.end(key))
    }
}
