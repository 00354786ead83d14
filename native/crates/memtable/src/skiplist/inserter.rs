//! A writer to a memtable that remembers where it last wrote.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use grampus_cells::{CellRef, CellType};

use super::row_hints::Place;
use super::{HEIGHT_MAX, Memtable, Node};

/// The timestamps of no cell.
const NO_TIMES: (i64, i64) = (i64::MAX, i64::MIN);

/// Inserts cells; ascending cells are cheap because it starts from where it last wrote.
pub struct Inserter {
    table: Arc<Memtable>,
    /// Per level the last node before the previous insert, or that insert itself: never after it, and descending by level.
    before: [*mut Node; HEIGHT_MAX],
    /// How many of the lowest levels `before` knows. An insert that began at a hint knows level 0 alone.
    levels: usize,
    bytes: usize,
    cells: usize,
    min: u64,
    max: u64,
    /// Smallest and largest timestamp since the last [`Inserter::publish`].
    times: (i64, i64),
}

// SAFETY: the pointers lead into the arena of `table`, which the inserter keeps alive and which is Sync.
unsafe impl Send for Inserter {}

impl Inserter {
    pub(super) fn new(table: Arc<Memtable>) -> Inserter {
        let before = [table.head; HEIGHT_MAX];
        Inserter {
            before,
            levels: HEIGHT_MAX,
            table,
            bytes: 0,
            min: u64::MAX,
            max: 0,
            times: NO_TIMES,
            cells: 0,
        }
    }

    /// Inserts a cell.
    pub fn insert(&mut self, cell: &CellRef<'_>) {
        let height = self.table.random_height();
        let (node, size) = self.table.new_node(cell, height);
        self.approach(cell, height);
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
        let all_before = matches!(cell.cell_type, CellType::DELETE_COLUMN | CellType::DELETE_FAMILY);
        let from = if all_before { i64::MIN } else { cell.timestamp };
        self.times = (self.times.0.min(from), self.times.1.max(cell.timestamp));
    }

    /// Finds the last node before the cell on the lowest `height` levels.
    fn approach(&mut self, cell: &CellRef<'_>, height: usize) {
        // Cells behind the first one begin where it was written.
        let is_first = self.cells == 0;
        let close = self.known_level(cell, height);
        if close.is_none() && is_first && height == 1 && self.begin_at_hint(cell) {
            return;
        }
        let known = close.unwrap_or_else(|| self.begin_at_head());
        let top = known.max(height - 1);
        let mut from = self.before[top];
        for level in (0..=top).rev() {
            if level >= known {
                from = self.before[level];
            }
            from = self.walk(from, level, cell).0;
            self.before[level] = from;
        }
        if close.is_none() && is_first {
            self.record_hint(cell.row);
        }
    }

    /// The lowest level whose remembered node is before the cell and close to it. `None` as well where a level of the new node is not known.
    fn known_level(&self, cell: &CellRef<'_>, height: usize) -> Option<usize> {
        const CLIMB_MAX: usize = 3;
        if height > self.levels {
            return None;
        }
        (0..CLIMB_MAX.min(self.levels)).find(|&level| {
            let node = self.before[level];
            // SAFETY: remembered nodes are the head or complete nodes that have this level.
            unsafe {
                (ptr::eq(node, self.table.head) || self.table.is_before(node, cell)) && {
                    let next = Node::link(node, level).load(Ordering::Acquire);
                    next.is_null() || !self.table.is_before(next, cell)
                }
            }
        })
    }

    /// Begins at the row's hint, where that is close to the cell. It says nothing of levels above 0, on which its node may not be linked yet.
    fn begin_at_hint(&mut self, cell: &CellRef<'_>) -> bool {
        /// A new version of a row's first column is this close; a search for another place goes on from the top.
        const STEPS_MAX: usize = 3;
        let Some(hint) = self.table.hint_place(cell.row).and_then(Place::node) else { return false };
        // SAFETY: `walk_near` asks about complete nodes other than the head.
        let is_before = |node| unsafe { self.table.is_before(node, cell) };
        let Some((before, _)) = self.table.walk_near(hint, STEPS_MAX, is_before) else { return false };
        self.before[0] = before.cast_mut();
        self.levels = 1;
        true
    }

    fn begin_at_head(&mut self) -> usize {
        self.before = [self.table.head; HEIGHT_MAX];
        self.levels = HEIGHT_MAX;
        HEIGHT_MAX - 1
    }

    /// Records the node before the insert as the hint of its row, unless it is of this row itself.
    fn record_hint(&self, row: &[u8]) {
        let before = self.before[0];
        // SAFETY: remembered nodes are the head or complete nodes.
        let is_hint = ptr::eq(before, self.table.head) || unsafe { Node::row(before) } != row;
        if is_hint && let Some(place) = self.table.hint_place(row) {
            place.record(before);
        }
    }

    /// From a node before the cell, the last such node on a level and its successor.
    fn walk(&self, from: *mut Node, level: usize, cell: &CellRef<'_>) -> (*mut Node, *mut Node) {
        let mut node = from;
        loop {
            #[cfg(test)]
            self.table.steps.fetch_add(1, Ordering::Relaxed);
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

    /// Adds what was inserted since the last call to the table's accounting and returns its bytes, those of new slots for hints included.
    pub fn publish(&mut self) -> usize {
        let cells = std::mem::take(&mut self.cells);
        let cells_before = self.table.cells.fetch_add(cells, Ordering::Relaxed);
        let hints = self.table.hints.grow(cells_before, cells_before + cells);
        let bytes = std::mem::take(&mut self.bytes) + hints;
        self.table.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.table.min_sequence.fetch_min(self.min, Ordering::AcqRel);
        self.table.max_sequence.fetch_max(self.max, Ordering::AcqRel);
        (self.min, self.max) = (u64::MAX, 0);
        let (from, to) = std::mem::replace(&mut self.times, NO_TIMES);
        self.table.min_timestamp.fetch_min(from, Ordering::AcqRel);
        self.table.max_timestamp.fetch_max(to, Ordering::AcqRel);
        bytes
    }
}

impl Drop for Inserter {
    fn drop(&mut self) {
        self.publish();
    }
}
