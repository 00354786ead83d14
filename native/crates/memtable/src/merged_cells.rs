//! All cells of memtables in order, for a flush.

use std::iter::Peekable;
use std::marker::PhantomData;

use grampus_cells::{CellRef, RowOrder};

use super::skiplist::{Memtable, Node};

/// The cells of one memtable.
pub(crate) struct Cells<'a> {
    node: *const Node,
    of_table: PhantomData<&'a Memtable>,
}

// SAFETY: the pointer leads into the arena of the borrowed table, whose nodes are immutable and which is Sync.
unsafe impl Send for Cells<'_> {}

impl<'a> Cells<'a> {
    /// From the first cell on.
    pub(crate) fn new(table: &'a Memtable) -> Cells<'a> {
        Cells { node: table.first(), of_table: PhantomData }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = CellRef<'a>;

    fn next(&mut self) -> Option<CellRef<'a>> {
        if self.node.is_null() {
            return None;
        }
        // SAFETY: non-null nodes of the table are complete and live as long as it, which `'a` borrows.
        let cell = unsafe { Node::cell(self.node) };
        // SAFETY: as above.
        self.node = unsafe { Node::next(self.node) };
        Some(cell)
    }
}

/// The cells of several memtables, newest table first, as one sorted walk. Of equal keys only the one inserted last is kept.
pub struct MergedCells<'a> {
    sources: Vec<Peekable<Cells<'a>>>,
    order: RowOrder,
    last: Option<CellRef<'a>>,
}

impl<'a> MergedCells<'a> {
    /// Merges tables.
    pub fn new(tables: impl IntoIterator<Item = &'a Memtable>, order: RowOrder) -> MergedCells<'a> {
        let sources = tables.into_iter().map(|table| Cells::new(table).peekable()).collect();
        MergedCells { sources, order, last: None }
    }

    fn next_of_any(&mut self) -> Option<CellRef<'a>> {
        if let [only] = self.sources.as_mut_slice() {
            return only.next();
        }
        let mut best: Option<(usize, CellRef<'a>)> = None;
        for (index, source) in self.sources.iter_mut().enumerate() {
            let Some(cell) = source.peek() else { continue };
            if best.as_ref().is_none_or(|(_, best)| cell.cmp_in(best, self.order).is_lt()) {
                best = Some((index, *cell));
            }
        }
        let (index, _) = best?;
        self.sources.get_mut(index)?.next()
    }
}

impl<'a> Iterator for MergedCells<'a> {
    type Item = CellRef<'a>;

    fn next(&mut self) -> Option<CellRef<'a>> {
        loop {
            let cell = self.next_of_any()?;
            let repeated = self.last.is_some_and(|last| {
                last.sequence == cell.sequence
                    && last.timestamp == cell.timestamp
                    && last.cmp_in(&cell, self.order).is_eq()
            });
            if !repeated {
                self.last = Some(cell);
                return Some(cell);
            }
        }
    }
}
