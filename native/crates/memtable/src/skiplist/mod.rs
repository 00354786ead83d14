//! A skip list of cells in arena memory.
//!
//! Invariants: 1. A node is complete before a release store makes it reachable, and is never changed but for its links.
//! 2. Links of level 0 hold every node in the order of [`CellRef::cmp_in`]; of two equal keys the later insert comes first.
//! 3. A node is linked from level 0 up. So one that was reached on a level is linked on all levels below; above, it may not be linked yet.
//! 4. Nodes are never removed; the memory goes when the memtable is dropped.

mod inserter;
mod row_hints;
#[cfg(test)]
mod tests;

use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use grampus_base::narrow;
use grampus_cells::{CellRef, CellType, RowOrder};

pub use self::inserter::Inserter;
use self::row_hints::{Place, RowHints};
use super::arena::Arena;

const HEIGHT_MAX: usize = 12;

/// Header of a node; its links and then row, qualifier, value and tags follow in memory.
#[repr(C)]
pub(super) struct Node {
    timestamp: i64,
    sequence: u64,
    value_len: u32,
    qualifier_len: u32,
    tags_len: u32,
    row_len: u16,
    cell_type: u8,
    height: u8,
}

const HEADER_BYTES: usize = size_of::<Node>();
const LINK_BYTES: usize = size_of::<AtomicPtr<Node>>();
const _: () = assert!(HEADER_BYTES.is_multiple_of(8), "the links start 8-byte aligned");

impl Node {
    /// # Safety
    /// `node` points at a complete node of `height` above `level`, alive for `'a`.
    unsafe fn link<'a>(node: *const Node, level: usize) -> &'a AtomicPtr<Node> {
        // SAFETY: the caller's promise; the links follow the header.
        unsafe { &*node.cast::<u8>().add(HEADER_BYTES + level * LINK_BYTES).cast::<AtomicPtr<Node>>() }
    }

    /// # Safety
    /// `node` points at a complete node that is not the head, alive for `'a`.
    #[inline]
    pub(super) unsafe fn cell<'a>(node: *const Node) -> CellRef<'a> {
        // SAFETY: the caller's promise; lengths and layout were written by `Memtable::new_node`.
        unsafe {
            let header = &*node;
            let row = node.cast::<u8>().add(HEADER_BYTES + header.height as usize * LINK_BYTES);
            let qualifier = row.add(header.row_len as usize);
            let value = qualifier.add(header.qualifier_len as usize);
            let tags = value.add(header.value_len as usize);
            CellRef {
                row: std::slice::from_raw_parts(row, header.row_len as usize),
                qualifier: std::slice::from_raw_parts(qualifier, header.qualifier_len as usize),
                timestamp: header.timestamp,
                cell_type: CellType(header.cell_type),
                value: std::slice::from_raw_parts(value, header.value_len as usize),
                tags: std::slice::from_raw_parts(tags, header.tags_len as usize),
                sequence: header.sequence,
            }
        }
    }

    /// # Safety
    /// As for [`Node::cell`].
    #[inline]
    pub(super) unsafe fn row<'a>(node: *const Node) -> &'a [u8] {
        // SAFETY: the caller's promise.
        unsafe {
            let header = &*node;
            let row = node.cast::<u8>().add(HEADER_BYTES + header.height as usize * LINK_BYTES);
            std::slice::from_raw_parts(row, header.row_len as usize)
        }
    }

    /// # Safety
    /// `node` points at a complete node.
    #[inline]
    pub(super) unsafe fn sequence(node: *const Node) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { (*node).sequence }
    }

    /// # Safety
    /// `node` points at a complete node or the head.
    #[inline]
    pub(super) unsafe fn next(node: *const Node) -> *const Node {
        // SAFETY: every node has level 0.
        unsafe { Node::link(node, 0).load(Ordering::Acquire) }
    }
}

/// Where a search stops.
#[derive(Clone, Copy)]
pub(super) enum Bound<'k> {
    /// Before the first cell of this row.
    Row(&'k [u8]),
    /// Before the first cell after this row.
    AfterRow(&'k [u8]),
    /// Before the first cell of this row whose qualifier is at or above the given one.
    Column(&'k [u8], &'k [u8]),
    /// Before the first cell of this row whose qualifier is above the given one.
    AfterColumn(&'k [u8], &'k [u8]),
}

/// Cells of one store in memory.
pub struct Memtable {
    arena: Arena,
    head: *mut Node,
    hints: RowHints,
    #[cfg(test)]
    hints_used: AtomicUsize,
    /// Nodes that inserts have looked at.
    #[cfg(test)]
    steps: AtomicUsize,
    order: RowOrder,
    bytes: AtomicUsize,
    cells: AtomicUsize,
    inserts: AtomicU64,
    min_sequence: AtomicU64,
    max_sequence: AtomicU64,
    /// Timestamps that its cells have or, as delete markers, reach down to.
    min_timestamp: AtomicI64,
    max_timestamp: AtomicI64,
    /// Set when the memtable leaves its store. The last field: its bytes count until the arena is free.
    left: OnceLock<Box<dyn Send + Sync>>,
}

// SAFETY: nodes are immutable once reachable except for their atomic links; the raw head pointer is into the owned arena.
unsafe impl Send for Memtable {}
// SAFETY: as above; concurrent inserts go through compare-and-swap.
unsafe impl Sync for Memtable {}

impl Memtable {
    /// An empty memtable.
    pub fn new(order: RowOrder) -> Arc<Memtable> {
        let arena = Arena::new();
        let head = arena.alloc(HEADER_BYTES + HEIGHT_MAX * LINK_BYTES).cast::<Node>();
        // SAFETY: the allocation has room for the header and HEIGHT_MAX links and is not shared yet.
        unsafe {
            let header = Node {
                timestamp: 0,
                sequence: 0,
                value_len: 0,
                qualifier_len: 0,
                tags_len: 0,
                row_len: 0,
                cell_type: 0,
                height: narrow::to_u8(HEIGHT_MAX),
            };
            head.write(header);
            let links = head.cast::<u8>().add(HEADER_BYTES).cast::<AtomicPtr<Node>>();
            for level in 0..HEIGHT_MAX {
                links.add(level).write(AtomicPtr::new(ptr::null_mut()));
            }
        }
        Arc::new(Memtable {
            arena,
            head,
            hints: RowHints::new(),
            #[cfg(test)]
            hints_used: AtomicUsize::new(0),
            #[cfg(test)]
            steps: AtomicUsize::new(0),
            order,
            bytes: AtomicUsize::new(0),
            cells: AtomicUsize::new(0),
            inserts: AtomicU64::new(0),
            min_sequence: AtomicU64::new(u64::MAX),
            max_sequence: AtomicU64::new(0),
            min_timestamp: AtomicI64::new(i64::MAX),
            max_timestamp: AtomicI64::new(i64::MIN),
            left: OnceLock::new(),
        })
    }

    /// The order of its rows.
    pub fn order(&self) -> RowOrder {
        self.order
    }

    /// Bytes of all nodes and hints.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.cells.load(Ordering::Relaxed)
    }

    /// True before the first insert.
    pub fn is_empty(&self) -> bool {
        // SAFETY: the head is complete.
        unsafe { Node::next(self.head) }.is_null()
    }

    /// Lowest sequence id inserted, `None` when empty.
    pub fn min_sequence(&self) -> Option<u64> {
        Some(self.min_sequence.load(Ordering::Acquire)).filter(|s| *s != u64::MAX)
    }

    /// Highest sequence id inserted, 0 when empty.
    pub fn max_sequence(&self) -> u64 {
        self.max_sequence.load(Ordering::Acquire)
    }

    /// False when a reader certainly sees nothing of it: it is empty, or all its cells are above the read point. That of a reader is one
    /// whose ids are all applied, so that what is inserted later is above it, too.
    pub fn may_matter(&self, read_point: u64) -> bool {
        !self.is_empty() && self.min_sequence().is_none_or(|lowest| lowest <= read_point)
    }

    /// Smallest and largest timestamp as a file of its cells would have them: markers of columns and families reach down to the smallest of all.
    /// As for [`Memtable::may_matter`] those of all cells that a reader sees count.
    pub fn times(&self) -> (i64, i64) {
        (self.min_timestamp.load(Ordering::Acquire), self.max_timestamp.load(Ordering::Acquire))
    }

    /// The memtable leaves its store. Its bytes, which `pin` is told, count until the last read that uses it has let go: what `pin` returns
    /// is dropped after the memory is free. Returns the bytes, and 0 when it had left before. Nothing may be written to it any more.
    pub fn leave_store(&self, pin: impl FnOnce(u64) -> Box<dyn Send + Sync>) -> u64 {
        let mut bytes = 0;
        self.left.get_or_init(|| {
            bytes = self.bytes() as u64;
            pin(bytes)
        });
        bytes
    }

    /// Whether it has left its store: its cells are in files, or its region is closed.
    pub(crate) fn has_left_store(&self) -> bool {
        self.left.get().is_some()
    }

    /// A writer that remembers where it last wrote; several may work at once.
    pub fn inserter(self: &Arc<Self>) -> Inserter {
        Inserter::new(self.clone())
    }

    fn random_height(&self) -> usize {
        let mut z =
            self.inserts.fetch_add(1, Ordering::Relaxed).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        1 + (z.trailing_zeros() as usize / 2).min(HEIGHT_MAX - 1) // one in four nodes is higher
    }

    /// A complete, unlinked node and its size.
    fn new_node(&self, cell: &CellRef<'_>, height: usize) -> (*mut Node, usize) {
        let links = height * LINK_BYTES;
        let data = cell.row.len() + cell.qualifier.len() + cell.value.len() + cell.tags.len();
        let size = HEADER_BYTES + links + data;
        let node = self.arena.alloc(size).cast::<Node>();
        // SAFETY: the allocation holds header, links and data, is 8-byte aligned and not yet shared.
        unsafe {
            node.write(Node {
                timestamp: cell.timestamp,
                sequence: cell.sequence,
                value_len: narrow::to_u32(cell.value.len()),
                qualifier_len: narrow::to_u32(cell.qualifier.len()),
                tags_len: narrow::to_u32(cell.tags.len()),
                row_len: narrow::to_u16(cell.row.len()),
                cell_type: cell.cell_type.0,
                height: narrow::to_u8(height),
            });
            let tower = node.cast::<u8>().add(HEADER_BYTES);
            for level in 0..height {
                tower
                    .add(level * LINK_BYTES)
                    .cast::<AtomicPtr<Node>>()
                    .write(AtomicPtr::new(ptr::null_mut()));
            }
            let mut at = tower.add(links);
            for part in [cell.row, cell.qualifier, cell.value, cell.tags] {
                ptr::copy_nonoverlapping(part.as_ptr(), at, part.len());
                at = at.add(part.len());
            }
        }
        (node, size)
    }

    /// True when `node` sorts before `cell`.
    ///
    /// # Safety
    /// `node` is a complete node of this table and not the head.
    unsafe fn is_before(&self, node: *const Node, cell: &CellRef<'_>) -> bool {
        // SAFETY: the caller's promise.
        unsafe { Node::cell(node) }.cmp_in(cell, self.order).is_lt()
    }

    /// True when `node` lies before the bound.
    ///
    /// # Safety
    /// As for [`Memtable::is_before`].
    unsafe fn is_before_bound(&self, node: *const Node, bound: Bound<'_>) -> bool {
        // SAFETY: the caller's promise.
        let row = unsafe { Node::row(node) };
        // SAFETY: the caller's promise.
        let qualifier = || unsafe { Node::cell(node) }.qualifier;
        match bound {
            Bound::Row(wanted) => self.order.compare(row, wanted).is_lt(),
            Bound::AfterRow(wanted) => self.order.compare(row, wanted).is_le(),
            Bound::Column(wanted, column) => {
                self.order.compare(row, wanted).then_with(|| qualifier().cmp(column)).is_lt()
            }
            Bound::AfterColumn(wanted, column) => {
                self.order.compare(row, wanted).then_with(|| qualifier().cmp(column)).is_le()
            }
        }
    }

    /// The place of a row's hint, `None` while the memtable is small.
    fn hint_place(&self, row: &[u8]) -> Option<Place<'_>> {
        self.hints.place(row, self.cell_count())
    }

    /// The last node before a bound (`None` = the head) and the first node at or after it.
    pub(super) fn search(&self, bound: Bound<'_>) -> (Option<*const Node>, *const Node) {
        let (before, after) = match bound {
            Bound::Row(row) => self.search_row(row),
            _ => self.search_from_top(bound),
        };
        ((!ptr::eq(before, self.head)).then_some(before), after)
    }

    /// [`Memtable::search_from_top`] for the first cell of a row, from its hint where there is one. A row that is not here gets none.
    fn search_row(&self, row: &[u8]) -> (*const Node, *const Node) {
        const STEPS_MAX: usize = 8;
        let place = self.hint_place(row);
        let hint = place.and_then(Place::node);
        // SAFETY: `walk_near` asks about complete nodes other than the head.
        let is_before = |node| unsafe { self.is_before_bound(node, Bound::Row(row)) };
        let near = hint.and_then(|hint| self.walk_near(hint, STEPS_MAX, is_before));
        let (before, after) = near.unwrap_or_else(|| self.search_from_top(Bound::Row(row)));
        // SAFETY: a node that is not null is complete, and `after` is never the head.
        let is_here = !after.is_null() && unsafe { Node::row(after) } == row;
        if let Some(place) = place
            && is_here
            && hint != Some(before)
        {
            place.record(before);
        }
        (before, after)
    }

    /// From a hint, the last node that is before a place and its successor. `None` when the hint lies behind the place or far before it.
    /// `is_before` is asked about complete nodes other than the head.
    fn walk_near(
        &self,
        hint: *const Node,
        steps: usize,
        is_before: impl Fn(*const Node) -> bool,
    ) -> Option<(*const Node, *const Node)> {
        if !ptr::eq(hint, self.head) && !is_before(hint) {
            return None;
        }
        let mut node = hint;
        for _ in 0..=steps {
            // SAFETY: hints are the head or complete nodes of this table, and links lead to such.
            let next = unsafe { Node::next(node) };
            if next.is_null() || !is_before(next) {
                #[cfg(test)]
                self.hints_used.fetch_add(1, Ordering::Relaxed);
                return Some((node, next));
            }
            node = next;
        }
        None
    }

    /// The last node before a bound, which may be the head, and the first node at or after it.
    fn search_from_top(&self, bound: Bound<'_>) -> (*const Node, *const Node) {
        let mut node: *const Node = self.head;
        let mut level = HEIGHT_MAX - 1;
        loop {
            // SAFETY: `node` is the head or was reached through a link of `level`, so it has that level.
            let next: *const Node = unsafe { Node::link(node, level) }.load(Ordering::Acquire);
            // SAFETY: a non-null link leads to a complete node.
            if !next.is_null() && unsafe { self.is_before_bound(next, bound) } {
                node = next;
            } else if level == 0 {
                return (node, next);
            } else {
                level -= 1;
            }
        }
    }

    /// The first node, null when empty.
    pub(super) fn first(&self) -> *const Node {
        // SAFETY: the head is complete.
        unsafe { Node::next(self.head) }
    }

    /// The last node, `None` when empty.
    pub(super) fn last(&self) -> Option<*const Node> {
        let mut node: *const Node = self.head;
        for level in (0..HEIGHT_MAX).rev() {
            loop {
                // SAFETY: as in `search`.
                let next: *const Node = unsafe { Node::link(node, level) }.load(Ordering::Acquire);
                if next.is_null() {
                    break;
                }
                node = next;
            }
        }
        (!ptr::eq(node, self.head)).then_some(node)
    }
}
