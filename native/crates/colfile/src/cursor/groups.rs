//! The walk from row group to row group, and the search for a row.

use std::cmp::Ordering;

use grampus_cells::Direction;

use super::FileCursor;
use crate::error::{Error, Result};
use crate::footer::RowGroup;

impl FileCursor {
    /// The file's first or last row.
    pub(super) fn seek_edge(&mut self) -> Result<()> {
        let groups = self.file.footer.groups.len();
        match self.direction {
            Direction::Forward => self.enter_group(Some(0).filter(|_| groups > 0)),
            Direction::Reverse => self.enter_group(groups.checked_sub(1)),
        }
    }

    pub(super) fn seek_row(&mut self, row: &[u8], after: bool) -> Result<()> {
        // Both directions look for the lowest row that is not below the target; reverse then steps back.
        let above = match self.direction {
            Direction::Forward => after,
            Direction::Reverse => !after,
        };
        let mut group = self.file.first_group_ending_at_or_after(row);
        let order = self.order();
        let ends_at_target = |g: &RowGroup| above && order.compare(&g.last_row, row).is_eq();
        if self.file.footer.groups.get(group).is_some_and(ends_at_target) {
            group += 1;
        }
        if self.direction == Direction::Reverse {
            return self.seek_below(group, row, above);
        }
        let Some(info) = self.file.footer.groups.get(group) else { return self.enter_group(None) };
        if order.compare(&info.first_row, row).is_gt() {
            return self.enter_group(Some(group));
        }
        if !self.prepare_group(group)? {
            return self.next_group(group);
        }
        let found = self.find(group, row, above)?;
        self.load_row(group, found)?;
        if self.whole_row && !self.is_row_past_range() {
            self.find_pages(group);
        }
        self.enter_row()
    }

    /// The highest row below the lowest row of `group` that is not below the target.
    fn seek_below(&mut self, group: usize, row: &[u8], above: bool) -> Result<()> {
        let order = self.order();
        let inside =
            self.file.footer.groups.get(group).is_some_and(|g| match order.compare(&g.first_row, row) {
                Ordering::Less => true,
                Ordering::Equal => above,
                Ordering::Greater => false,
            });
        if !inside {
            return self.enter_group(group.checked_sub(1));
        }
        if !self.prepare_group(group)? {
            return self.next_group(group);
        }
        let found = self.find(group, row, above)?;
        match found.checked_sub(1) {
            Some(below) => {
                self.load_row(group, below)?;
                self.enter_row()
            }
            None => self.next_group(group),
        }
    }

    fn find(&mut self, group: usize, row: &[u8], above: bool) -> Result<u32> {
        let order = self.order();
        let (file, pages, access) = (&*self.file, &*self.pages, self.access);
        match file.footer.groups.get(group) {
            Some(info) => self.rows.find(info, row, above, order, pages, access),
            None => Err(Error::Misuse("no such row group".to_string())),
        }
    }

    pub(super) fn load_row(&mut self, group: usize, row: u32) -> Result<()> {
        let (file, pages, access) = (&*self.file, &*self.pages, self.access);
        match file.footer.groups.get(group) {
            Some(info) => self.rows.load(info, row, pages, access),
            None => Err(Error::Misuse("no such row group".to_string())),
        }
    }

    pub(super) fn next_group(&mut self, group: usize) -> Result<()> {
        self.enter_group(self.group_after(group))
    }

    /// The row group after one in the cursor's direction.
    pub(super) fn group_after(&self, group: usize) -> Option<usize> {
        match self.direction {
            Direction::Forward => Some(group + 1).filter(|g| *g < self.file.footer.groups.len()),
            Direction::Reverse => group.checked_sub(1),
        }
    }

    /// The row at which the cursor leaves a group.
    pub(super) fn end_of<'g>(&self, group: &'g RowGroup) -> &'g [u8] {
        match self.direction {
            Direction::Forward => &group.last_row,
            Direction::Reverse => &group.first_row,
        }
    }

    /// Whether a group that the walk comes to does not go beyond the range.
    pub(super) fn is_inside(&self, group: &RowGroup) -> bool {
        match self.direction {
            Direction::Forward => !self.range().is_after(&group.last_row, self.order()),
            Direction::Reverse => !self.range().is_before(&group.first_row, self.order()),
        }
    }

    /// Enters a group at its first row in the cursor's direction, passing groups without anything asked for.
    pub(super) fn enter_group(&mut self, mut group: Option<usize>) -> Result<()> {
        while let Some(index) = group {
            if self.is_past_range(index) {
                break;
            }
            if self.prepare_group(index)? {
                let row = match self.direction {
                    Direction::Forward => 0,
                    Direction::Reverse => self.rows.group_rows().saturating_sub(1),
                };
                self.load_row(index, row)?;
                return self.enter_row();
            }
            group = self.group_after(index);
        }
        self.end();
        Ok(())
    }

    fn is_past_range(&self, group: usize) -> bool {
        let Some(info) = self.file.footer.groups.get(group) else { return true };
        match self.direction {
            Direction::Forward => self.range().is_after(&info.first_row, self.order()),
            Direction::Reverse => self.range().is_before(&info.last_row, self.order()),
        }
    }
}
