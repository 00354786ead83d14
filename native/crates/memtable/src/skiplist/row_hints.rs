//! Remembered places of rows: a search that begins close to its row meets three cold nodes where one from the top meets twenty.
//!
//! A hint is a node that lay before a row when it was recorded. Nodes are never moved or removed, so it lies before that row for ever.
//! It is no promise that the row exists or that nothing was inserted between them, and rows with equal hashes share it:
//! the reader of a hint compares and walks.

use std::hash::BuildHasher;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use foldhash::fast::FixedState;

use super::Node;

/// Slots of the first table. A memtable with fewer cells has none: its nodes stay in the processor's caches.
const SLOTS_MIN: usize = 1 << 12;
/// Slots among which a row's hint may be: a cache line.
const WAYS: usize = 8;
/// Each table has four times as many slots as the one before it.
const GROWTH_SHIFT: u32 = 2;
const TABLES: usize = 5;
/// Bits of an address in user space; the bits above hold a tag of the row's hash.
const ADDRESS_BITS: u32 = 48;
const ADDRESS: usize = (1 << ADDRESS_BITS) - 1;

const _: () = assert!(usize::BITS == 64, "a tag needs the upper bits of an address");

/// Hints by the hash of a row.
///
/// Memory: 8 bytes per slot, at most as many slots as the memtable has cells, and a third of that for tables that were outgrown:
/// they go with the memtable.
pub(super) struct RowHints {
    tables: [OnceLock<Box<[Bucket]>>; TABLES],
}

#[repr(align(64))]
struct Bucket([AtomicPtr<Node>; WAYS]);

impl RowHints {
    pub(super) fn new() -> RowHints {
        RowHints { tables: [const { OnceLock::new() }; TABLES] }
    }

    /// Makes the table for a memtable whose number of cells has been raised. Returns the bytes that were allocated, for the caller to count.
    /// Of all threads that raise the number the one that passes the size of a table makes it, and the others wait for nothing.
    pub(super) fn grow(&self, cells_before: usize, cells: usize) -> usize {
        let wanted = Self::table_for(cells);
        let Some(table) = wanted.filter(|_| Self::table_for(cells_before) != wanted) else { return 0 };
        let slots = SLOTS_MIN << (GROWTH_SHIFT as usize * table);
        // SAFETY: a bucket of zeros is a bucket of null pointers. Zeroed pages cost nothing before they are used.
        let buckets = unsafe { Box::new_zeroed_slice(slots / WAYS).assume_init() };
        match self.tables[table].set(buckets) {
            Ok(()) => slots * size_of::<AtomicPtr<Node>>(),
            Err(_) => 0,
        }
    }

    /// The place of a row's hint in a memtable of `cells`, `None` while there is no table.
    pub(super) fn place(&self, row: &[u8], cells: usize) -> Option<Place<'_>> {
        // The one that is being made by another thread is not here yet.
        let table = self.tables[..=Self::table_for(cells)?].iter().rev().find_map(OnceLock::get)?;
        let hash = usize::from_ne_bytes(FixedState::default().hash_one(row).to_ne_bytes());
        let bucket = &table[hash & (table.len() - 1)];
        Some(Place { bucket, tag: hash >> ADDRESS_BITS })
    }

    fn table_for(cells: usize) -> Option<usize> {
        let growth = (cells / SLOTS_MIN).checked_ilog2()?;
        Some(((growth / GROWTH_SHIFT) as usize).min(TABLES - 1))
    }
}

/// Where a row's hint is or would be.
#[derive(Clone, Copy)]
pub(super) struct Place<'h> {
    bucket: &'h Bucket,
    tag: usize,
}

impl<'h> Place<'h> {
    /// The node that was recorded for this row, or for one of the same bucket and tag.
    pub(super) fn node(self) -> Option<*const Node> {
        // Acquire: what the recording thread saw of the node is seen here.
        let hints = self.bucket.0.iter().map(|slot| slot.load(Ordering::Acquire));
        let hint = hints.filter(|hint| !hint.is_null()).find(|hint| hint.addr() >> ADDRESS_BITS == self.tag);
        hint.map(|hint| hint.map_addr(|address| address & ADDRESS).cast_const())
    }

    /// Records a node before the row. An address that leaves no room for a tag is not recorded.
    pub(super) fn record(self, node: *const Node) {
        if node.addr() > ADDRESS {
            return;
        }
        let tag = self.tag << ADDRESS_BITS;
        let tagged = node.cast_mut().map_addr(|address| address | tag);
        self.slot_to_take().store(tagged, Ordering::Release);
    }

    /// The row's own slot, else a free one, else one that its tag chooses.
    fn slot_to_take(self) -> &'h AtomicPtr<Node> {
        let slots = &self.bucket.0;
        let of = |hint: *mut Node| (!hint.is_null()).then(|| hint.addr() >> ADDRESS_BITS);
        let find = |wanted| slots.iter().find(|slot| of(slot.load(Ordering::Relaxed)) == wanted);
        find(Some(self.tag)).or_else(|| find(None)).unwrap_or(&slots[self.tag % WAYS])
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn there_is_no_table_before_the_first_slots_are_worth_it_and_four_times_as_many_each_time() {
        let hints = RowHints::new();
        assert_eq!(hints.grow(0, SLOTS_MIN - 1), 0);
        assert!(hints.place(b"r", SLOTS_MIN - 1).is_none());
        let grown = |from, to| hints.grow(from, to) / size_of::<AtomicPtr<Node>>();
        assert_eq!([grown(SLOTS_MIN - 1, SLOTS_MIN), grown(SLOTS_MIN, 4 * SLOTS_MIN - 1)], [SLOTS_MIN, 0]);
        assert_eq!([grown(5, 4 * SLOTS_MIN), grown(4 * SLOTS_MIN, 5 * SLOTS_MIN)], [4 * SLOTS_MIN, 0]);
        let largest = SLOTS_MIN << (2 * (TABLES - 1));
        assert_eq!([grown(largest - 1, largest), grown(largest, usize::MAX)], [largest, 0]);
    }

    #[test]
    fn a_table_that_is_still_being_made_leaves_the_smaller_one_in_use() {
        let hints = RowHints::new();
        hints.grow(0, SLOTS_MIN);
        let node = ptr::without_provenance::<Node>(8);
        hints.place(b"r", SLOTS_MIN).unwrap().record(node);
        assert_eq!(hints.place(b"r", 5 * SLOTS_MIN).unwrap().node(), Some(node));
    }

    #[test]
    fn a_hint_is_found_by_its_row_alone() {
        let hints = RowHints::new();
        hints.grow(0, SLOTS_MIN);
        let node = ptr::without_provenance::<Node>(0x7fff_1234_5678);
        let place = |row: &[u8]| hints.place(row, SLOTS_MIN).unwrap();
        assert_eq!(place(b"r").node(), None);
        place(b"r").record(node);
        assert_eq!(place(b"r").node(), Some(node));
        let others = (0..100_000u32).filter(|n| place(&n.to_be_bytes()).node().is_some()).count();
        assert!(others <= 1, "{others} rows of 100,000 have bucket and tag of r: 1 in 2^25 is expected");
    }

    #[test]
    fn a_row_keeps_one_slot_and_takes_another_rows_when_none_is_free() {
        let hints = RowHints::new();
        hints.grow(0, SLOTS_MIN);
        let node = |n: u32| ptr::without_provenance::<Node>(8 * (n as usize + 1));
        let buckets = SLOTS_MIN / WAYS;
        let place = |n: u32| hints.place(&n.to_be_bytes(), SLOTS_MIN).unwrap();
        let same: Vec<u32> =
            (0..100 * buckets as u32).filter(|n| ptr::eq(place(*n).bucket, place(0).bucket)).collect();
        for _ in 0..3 {
            same[..WAYS].iter().for_each(|n| place(*n).record(node(*n)));
        }
        assert!(
            same[..WAYS].iter().all(|n| place(*n).node() == Some(node(*n))),
            "each has a slot of its own"
        );
        place(same[WAYS]).record(node(same[WAYS]));
        assert_eq!(place(same[WAYS]).node(), Some(node(same[WAYS])));
        assert_eq!(same.iter().filter(|n| place(**n).node().is_some()).count(), WAYS);
    }

    #[test]
    fn an_address_without_room_for_a_tag_is_not_recorded() {
        let hints = RowHints::new();
        hints.grow(0, SLOTS_MIN);
        let place = hints.place(b"r", SLOTS_MIN).unwrap();
        place.record(ptr::without_provenance(1 << ADDRESS_BITS));
        assert_eq!(place.node(), None);
    }
}
