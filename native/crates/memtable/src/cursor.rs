//! A walk over a memtable.

use std::ptr;
use std::sync::Arc;

use grampus_base::Result;
use grampus_cells::{CellRef, RowCursor, SeekTarget};

use super::skiplist::{Bound, Memtable, Node};

/// Steps that are tried before a search from the top.
const STEPS_MAX: usize = 8;

/// A [`RowCursor`] over one memtable. It ignores projections: visibility asks for columns by skipping.
pub struct MemtableCursor {
    table: Arc<Memtable>,
    read_point: u64,
    reversed: bool,
    /// First visible node of the current row, null at the end.
    row: *const Node,
    /// Current cell, null when the row has no more.
    cell: *const Node,
    /// With `cell` null: the first visible node after the row, if the walk met it (forward only).
    after: Option<*const Node>,
}

// SAFETY: the pointers lead into the arena of `table`, which the cursor keeps alive; nodes are immutable.
unsafe impl Send for MemtableCursor {}

impl Memtable {
    /// A walk over the rows as of a read point.
    pub fn cursor(self: &Arc<Self>, read_point: u64, reversed: bool) -> MemtableCursor {
        let table = Arc::clone(self);
        MemtableCursor { table, read_point, reversed, row: ptr::null(), cell: ptr::null(), after: None }
    }
}

impl MemtableCursor {
    /// The first visible node at or after `node`.
    #[inline]
    fn visible(&self, mut node: *const Node) -> *const Node {
        // SAFETY: non-null nodes of the table are complete and live as long as it.
        while !node.is_null() && unsafe { Node::sequence(node) } > self.read_point {
            // SAFETY: as above.
            node = unsafe { Node::next(node) };
        }
        node
    }

    fn enter(&mut self, node: *const Node) {
        self.row = node;
        self.cell = node;
        self.after = None;
    }

    /// Makes the row of `last`, or the nearest row before it that has a visible cell, the current one.
    fn enter_backwards(&mut self, mut last: Option<*const Node>) {
        while let Some(node) = last {
            // SAFETY: as in `visible`.
            let row = unsafe { Node::row(node) };
            let (before, first) = self.table.search(Bound::Row(row));
            let visible = self.visible(first);
            // SAFETY: as in `visible`.
            if !visible.is_null() && unsafe { Node::row(visible) } == row {
                return self.enter(visible);
            }
            last = before;
        }
        self.enter(ptr::null());
    }

    /// Makes `node` the current cell if it is of the current row, else ends the row there.
    #[inline]
    fn step_to(&mut self, node: *const Node) {
        let node = self.visible(node);
        // SAFETY: as in `visible`; `row` is not null when this is called.
        if !node.is_null() && unsafe { Node::row(node) == Node::row(self.row) } {
            self.cell = node;
        } else {
            self.cell = ptr::null();
            self.after = Some(node);
        }
    }

    /// Steps while `passed` holds for the current cell's qualifier, then searches for the bound.
    fn skip(&mut self, passed: impl Fn(&[u8]) -> bool, column: &[u8], inclusive: bool) {
        for _ in 0..STEPS_MAX {
            // SAFETY: as in `visible`.
            if self.cell.is_null() || !passed(unsafe { Node::cell(self.cell) }.qualifier) {
                return;
            }
            // SAFETY: the current cell is a complete node.
            self.step_to(unsafe { Node::next(self.cell) });
        }
        // SAFETY: as in `visible`.
        if self.cell.is_null() || !passed(unsafe { Node::cell(self.cell) }.qualifier) {
            return;
        }
        // SAFETY: a row is current.
        let row = unsafe { Node::row(self.row) };
        let bound = if inclusive { Bound::AfterColumn(row, column) } else { Bound::Column(row, column) };
        self.step_to(self.table.search(bound).1);
    }
}

impl RowCursor for MemtableCursor {
    fn seek(&mut self, target: SeekTarget<'_>) -> Result<()> {
        if self.reversed {
            let last = match target {
                SeekTarget::Start => self.table.last(),
                SeekTarget::AtOrAfter(row) => self.table.search(Bound::AfterRow(row)).0,
                SeekTarget::After(row) => self.table.search(Bound::Row(row)).0,
            };
            self.enter_backwards(last);
        } else {
            let first = match target {
                SeekTarget::Start => self.table.first(),
                SeekTarget::AtOrAfter(row) => self.table.search(Bound::Row(row)).1,
                SeekTarget::After(row) => self.table.search(Bound::AfterRow(row)).1,
            };
            self.enter(self.visible(first));
        }
        Ok(())
    }

    #[inline]
    fn row(&self) -> Option<&[u8]> {
        // SAFETY: as in `visible`; the table outlives the borrow of self.
        (!self.row.is_null()).then(|| unsafe { Node::row(self.row) })
    }

    fn next_row(&mut self) -> Result<()> {
        if self.row.is_null() {
            return Ok(());
        }
        if self.reversed {
            // SAFETY: a row is current.
            let row = unsafe { Node::row(self.row) };
            self.enter_backwards(self.table.search(Bound::Row(row)).0);
            return Ok(());
        }
        for _ in 0..STEPS_MAX {
            if let Some(after) = self.after {
                self.enter(after);
                return Ok(());
            }
            // SAFETY: without `after` the current cell is not null.
            self.step_to(unsafe { Node::next(self.cell) });
        }
        // SAFETY: a row is current.
        let row = unsafe { Node::row(self.row) };
        let next = self.after.unwrap_or_else(|| self.table.search(Bound::AfterRow(row)).1);
        self.enter(self.visible(next));
        Ok(())
    }

    fn is_of_left_memtable(&self) -> bool {
        self.table.has_left_store()
    }

    #[inline]
    fn cell(&self) -> Option<CellRef<'_>> {
        // SAFETY: as in `row`.
        (!self.cell.is_null()).then(|| unsafe { Node::cell(self.cell) })
    }

    #[inline]
    fn next_cell(&mut self) -> Result<()> {
        if !self.cell.is_null() {
            // SAFETY: the current cell is a complete node.
            self.step_to(unsafe { Node::next(self.cell) });
        }
        Ok(())
    }

    fn skip_column(&mut self, qualifier: &[u8]) -> Result<()> {
        self.skip(|current| current <= qualifier, qualifier, true);
        Ok(())
    }

    fn seek_column(&mut self, qualifier: &[u8]) -> Result<()> {
        self.skip(|current| current < qualifier, qualifier, false);
        Ok(())
    }
}
