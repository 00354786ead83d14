//! Rows by their number in the file, for splitting by rows.

use super::rows::Rows;
use crate::column_file::ColumnFile;
use crate::error::Result;
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

    /// The row that has so many rows below it, `None` past the last.
    pub fn row_at(&self, rank: u64, pages: &dyn PageSource, access: Access) -> Result<Option<Vec<u8>>> {
        let mut left = rank;
        for group in &self.footer.groups {
            match u32::try_from(left) {
                Ok(ordinal) if ordinal < group.rows => {
                    let mut rows = Rows::default();
                    rows.enter(group.rows);
                    rows.load(group, ordinal, pages, access)?;
                    return Ok(Some(rows.key().to_vec()));
                }
                _ => left -= u64::from(group.rows),
            }
        }
        Ok(None)
    }
}
