//! A writer to a memtable that remembers where it last wrote.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use grampus_cells::CellRef;

use super::{HEIGHT_MAX, Memtable, Node};

/// Inserts cells; ascending cells are cheap because it starts from where it last wrote.
pub struct Inserter {
    table: Arc<Memtable>,
    /// Per level the last node before the previous insert, or that insert itself: never after it, and descending by level.
    before: [*mut Node; HEIGHT_MAX],
    bytes: usize,
    cells: usize,
    min: u64,
    max: u64,
}

// SAFETY: the pointers lead into the arena of `table`, which the inserter keeps alive and which is Sync.
unsafe impl Send for Inserter {}

impl Inserter {
    pub(super) fn new(table: Arc<Memtable>) -> Inserter {
        Inserter { before: [table.head; HEIGHT_MAX], table, bytes: 0, min: u64::MAX, max: 0, cells: 0 }
    }

    /// Inserts a cell.
    pub fn insert(&mut self, cell: &CellRef<'_>) {
        let height = self.table.random_height();
        let (node, size) = self.table.new_node(cell, height);
        let known = self.known_level(cell);
        let top = known.max(height - 1);
        let mut from = self.before[top];
        for level in (0..=top).rev() {
            if level >= known {
                from = self.before[level];
            }
            from = self.walk(from, level, cell).0;
            self.before[level] = from;
        }
        for level in 0..height {
            self.link_at(node, level, cell);
        }
        for level in 0..height {
            self.before[level] = node;
        }
        self.bytes += size;
        self.cells += 1;
        self.min = self.min.min(cell.sequence);
        self.max = self.max.max(cell.sequence);
    }

    /// The lowest level whose remembered node is before the cell and close to it; the top level, reset to the head, otherwise.
    fn known_level(&mut self, cell: &CellRef<'_>) -> usize {
        const CLIMB_MAX: usize = 3;
        for level in 0..CLIMB_MAX {
            let node = self.before[level];
            // SAFETY: remembered nodes are the head or complete nodes that have this level.
            unsafe {
                if ptr::eq(node, self.table.head) || self.table.is_before(node, cell) {
                    let next = Node::link(node, level).load(Ordering::Acquire);
                    if next.is_null() || !self.table.is_before(next, cell) {
                        return level;
                    }
                }
            }
        }
        self.before = [self.table.head; HEIGHT_MAX];
        HEIGHT_MAX - 1
    }

    /// From a node before the cell, the last such node on a level and its successor.
    fn walk(&self, from: *mut Node, level: usize, cell: &CellRef<'_>) -> (*mut Node, *mut Node) {
        let mut node = from;
        loop {
            // SAFETY: `node` has this level: it was remembered for it or for a higher one, or reached through it.
            let next = unsafe { Node::link(node, level) }.load(Ordering::Acquire);
            // SAFETY: a non-null link leads to a complete node.
            if next.is_null() || !unsafe { self.table.is_before(next, cell) } {
                return (node, next);
            }
            node = next;
        }
    }

    fn link_at(&mut self, node: *mut Node, level: usize, cell: &CellRef<'_>) {
        loop {
            let (before, after) = self.walk(self.before[level], level, cell);
            self.before[level] = before;
            // SAFETY: `node` has this level (level < height) and `before` was found on it.
            unsafe {
                Node::link(node, level).store(after, Ordering::Relaxed);
                let link = Node::link(before, level);
                if link.compare_exchange(after, node, Ordering::Release, Ordering::Relaxed).is_ok() {
                    return;
                }
            }
        }
    }

    /// Adds what was inserted since the last call to the table's accounting and returns its bytes.
    pub fn settle(&mut self) -> usize {
        let bytes = std::mem::take(&mut self.bytes);
        self.table.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.table.cells.fetch_add(std::mem::take(&mut self.cells), Ordering::Relaxed);
        self.table.min_sequence.fetch_min(self.min, Ordering::AcqRel);
        self.table.max_sequence.fetch_max(self.max, Ordering::AcqRel);
        (self.min, self.max) = (u64::MAX, 0);
        bytes
    }
}

impl Drop for Inserter {
    fn drop(&mut self) {
        self.settle();
    }
}
