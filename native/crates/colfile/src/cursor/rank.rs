//! Rows by their number in the file, for splitting by rows.

use std::ops::Range;

use super::rows::Rows;
use crate::column_file::ColumnFile;
use crate::error::Result;
use crate::footer::RowGroup;
use crate::page_source::{Access, PageSource};

impl ColumnFile {
    /// Number of rows below a row.
    pub fn rank(&self, row: &[u8], pages: &dyn PageSource, access: Access) -> Result<u64> {
        let index = self.first_group_ending_at_or_after(row);
        let below: u64 = self.footer.groups.iter().take(index).map(|g| u64::from(g.rows)).sum();
        let Some(group) = self.footer.groups.get(index) else { return Ok(below) };
        let order = self.footer.row_order;
        if order.compare(&group.first_row, row).is_ge() {
            return Ok(below);
        }
        let mut rows = Rows::default();
        rows.enter(group.rows);
        Ok(below + u64::from(rows.find(group, row, false, order, pages, access)?))
    }

    /// The row that has `rank` rows below it, `None` past the last.
    pub fn row_at(&self, rank: u64, pages: &dyn PageSource, access: Access) -> Result<Option<Vec<u8>>> {
        Ok(self.rows_by_rank(pages, access).row(rank)?.map(<[u8]>::to_vec))
    }

    /// Rows by their numbers, for several of them.
    pub fn rows_by_rank<'f>(&'f self, pages: &'f dyn PageSource, access: Access) -> RowsByRank<'f> {
        RowsByRank { file: self, pages, access, group: None, ranks: 0..0, rows: Rows::default() }
    }
}

/// Rows of a file by their numbers. A page of row keys is read once for all rows of it that are asked for one after the other. One thread;
/// after an error nothing more may be asked.
pub struct RowsByRank<'f> {
    file: &'f ColumnFile,
    pages: &'f dyn PageSource,
    access: Access,
    /// The row group that `rows` is in.
    group: Option<&'f RowGroup>,
    /// The numbers of its rows.
    ranks: Range<u64>,
    rows: Rows,
}

impl RowsByRank<'_> {
    /// The row that has `rank` rows below it, `None` past the last.
    pub fn row(&mut self, rank: u64) -> Result<Option<&[u8]>> {
        if !self.ranks.contains(&rank) {
            self.enter(rank);
        }
        let (Some(group), Ok(ordinal)) = (self.group, u32::try_from(rank.wrapping_sub(self.ranks.start)))
        else {
            return Ok(None);
        };
        self.rows.load(group, ordinal, self.pages, self.access)?;
        Ok(Some(self.rows.key()))
    }

    /// Goes to the row group that has a row.
    fn enter(&mut self, rank: u64) {
        (self.group, self.ranks) = (None, 0..0);
        let mut before = 0;
        for group in &self.file.footer.groups {
            let ranks = before..before + u64::from(group.rows);
            before = ranks.end;
            if ranks.contains(&rank) {
                self.rows.enter(group.rows);
                (self.group, self.ranks) = (Some(group), ranks);
                return;
            }
        }
    }
}
