//! Merges cursors row by row, cell by cell.

use std::cmp::Ordering;

use grampus_base::Result;
use grampus_cells::{CellRef, RowCursor, RowOrder, SeekTarget};

/// A forward merge of a few cursors. With so few (a compaction has ten at most) looking at each is as cheap as a heap.
pub(super) struct Merge<'a> {
    cursors: Vec<Box<dyn RowCursor + 'a>>,
    order: RowOrder,
    row: Vec<u8>,
    /// Cursors that are at the current row.
    at_row: Vec<usize>,
}

impl<'a> Merge<'a> {
    /// Starts before the first row; cursors come oldest file first.
    pub(super) fn new(mut cursors: Vec<Box<dyn RowCursor + 'a>>, order: RowOrder) -> Result<Merge<'a>> {
        for cursor in &mut cursors {
            cursor.seek(SeekTarget::Start)?;
        }
        Ok(Merge { cursors, order, row: Vec::new(), at_row: Vec::new() })
    }

    /// Goes to the next row and hands its cells out in order, equal ones newer file first. False after the last row.
    pub(super) fn next_row(&mut self, mut each: impl FnMut(CellRef<'_>) -> Result<()>) -> Result<bool> {
        if !self.find_row() {
            return Ok(false);
        }
        while let Some(least) = self.least_cell() {
            if let Some(cursor) = self.cursors.get_mut(least) {
                if let Some(cell) = cursor.cell() {
                    each(cell)?;
                }
                cursor.next_cell()?;
            }
        }
        for index in &self.at_row {
            if let Some(cursor) = self.cursors.get_mut(*index) {
                cursor.next_row()?;
            }
        }
        Ok(true)
    }

    fn find_row(&mut self) -> bool {
        self.at_row.clear();
        let mut least: Option<&[u8]> = None;
        for (index, cursor) in self.cursors.iter().enumerate() {
            let Some(row) = cursor.row() else { continue };
            match least.map_or(Ordering::Less, |least| self.order.compare(row, least)) {
                Ordering::Less => {
                    least = Some(row);
                    self.at_row.clear();
                    self.at_row.push(index);
                }
                Ordering::Equal => self.at_row.push(index),
                Ordering::Greater => {}
            }
        }
        let Some(row) = least else { return false };
        self.row.clear();
        self.row.extend_from_slice(row);
        true
    }

    fn least_cell(&self) -> Option<usize> {
        let mut least: Option<(usize, CellRef<'_>)> = None;
        for index in &self.at_row {
            let Some(cell) = self.cursors.get(*index).and_then(|c| c.cell()) else { continue };
            // At equality the later, newer file wins.
            if least.is_none_or(|(_, other)| cell.cmp_in_row(&other) != Ordering::Greater) {
                least = Some((*index, cell));
            }
        }
        least.map(|(index, _)| index)
    }
}
