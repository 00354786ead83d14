//! What the crate says of its memory against what the allocator hands out.
#![allow(clippy::unwrap_used)] // a failed step fails the test

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use std::collections::BTreeMap;
use std::sync::Arc;

use common::{Cell, Memory};
use grampus_base::RandomRead;
use grampus_cells::RowOrder;
use grampus_colfile::page::read_page;
use grampus_colfile::{
    Access, ColumnFile, FinishInfo, Page, PageAt, PageKind, PageSource, Result, WriterOptions, fuzz,
};

thread_local! {
    /// Bytes that this thread holds, those that malloc adds included.
    static HELD: Counter<isize> = const { Counter::new(0) };
    /// The largest allocation that this thread has asked for since it was set to 0.
    static LARGEST: Counter<usize> = const { Counter::new(0) };
}

/// Malloc, counted.
struct Counted;

/// Bytes of an allocation with the eight in which malloc keeps its size.
fn chunk(at: *mut u8) -> isize {
    // SAFETY: `at` came from malloc, as all that `System` hands out for the alignments used here, and is not freed yet.
    8 + unsafe { libc::malloc_usable_size(at.cast()) } as isize
}

// SAFETY: everything is System's own work; the counter neither allocates nor panics.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.set(LARGEST.get().max(layout.size()));
        // SAFETY: the caller's promises are those that System asks for.
        let at = unsafe { System.alloc(layout) };
        if !at.is_null() {
            HELD.set(HELD.get() + chunk(at));
        }
        at
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - chunk(at));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// The largest allocation that a step asks for.
fn largest(step: impl FnOnce()) -> usize {
    LARGEST.set(0);
    step();
    LARGEST.get()
}

/// What `make` returns, and the bytes that were taken for it and not given back.
fn held<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    let made = make();
    (made, usize::try_from(HELD.get() - before).unwrap())
}

fn written(cells: &[Cell], options: WriterOptions) -> Arc<dyn RandomRead> {
    Arc::new(Memory(common::write(cells, &options, FinishInfo::default()).0))
}

fn narrow(rows: usize) -> Vec<Cell> {
    (0..rows).map(|n| Cell::put(&format!("row{n:08}"), "q", 5, format!("value {n}").as_bytes())).collect()
}

fn wide(rows: usize) -> Vec<Cell> {
    let cell = |n: usize| Cell::put(&format!("row{:08}", n / 500), &format!("q{:04}", n % 500), 5, b"short");
    (0..rows * 500).map(cell).collect()
}

#[test]
fn an_open_file_says_within_fifteen_percent_what_it_takes() {
    let small_pages = WriterOptions { block_size: 1024, ..WriterOptions::default() };
    let columns = WriterOptions { column_bytes_min: 0, row_group_rows_max: 20, ..WriterOptions::default() };
    let files = [
        ("one row", written(&narrow(1), WriterOptions::default())),
        ("few pages", written(&narrow(40_000), WriterOptions::default())),
        ("many pages", written(&narrow(40_000), small_pages)),
        ("mixed pages", written(&wide(100), WriterOptions::default())),
        ("many columns", written(&wide(100), columns)),
    ];
    for (name, source) in files {
        let (file, taken) = held(|| Box::new(ColumnFile::open(&source).unwrap()));
        let said = file.memory_bytes();
        assert!(said.abs_diff(taken) * 100 <= taken * 15, "{name}: says {said}, takes {taken}");
    }
}

/// All pages of a file, held.
struct Held(BTreeMap<u64, Arc<Page>>);

impl PageSource for Held {
    fn page(&self, at: PageAt, _access: Access) -> Result<Arc<Page>> {
        Ok(Arc::clone(&self.0[&at.offset]))
    }

    fn name(&self) -> &str {
        "held"
    }
}

/// Keys without a pattern, so that they are encoded by their prefixes.
fn scattered(rows: usize) -> Vec<Cell> {
    let row = |n: usize| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes().to_vec();
    let cells = (0..rows).map(|n| Cell { row: row(n), ..Cell::put("", "q", 5, b"v") }).collect();
    common::sorted(cells, RowOrder::Bytes)
}

#[test]
fn a_page_of_row_keys_weighs_what_it_takes_once_it_is_searched() {
    let cells = scattered(40_000);
    let source = written(&cells, WriterOptions::default());
    let file = ColumnFile::open(&source).unwrap();
    let places: Vec<PageAt> = file.pages().into_iter().filter(|at| at.kind == PageKind::Rows).collect();
    assert!(places.len() >= 3);
    let read = |at: &PageAt| (at.offset, Arc::new(read_page(source.as_ref(), *at).unwrap()));
    let (pages, taken) = held(|| Held(places.iter().map(read).collect()));
    let weigh = || pages.0.values().map(|page| page.memory_bytes()).sum::<usize>();
    let said = weigh();
    let search = |cell: &Cell| file.rank(&cell.row, &pages, Access::CACHED).unwrap();
    let ((), heads) = held(|| cells.iter().step_by(100).for_each(|cell| assert!(search(cell) < 40_000)));
    assert!(heads >= 40_000 / 2, "{heads} bytes of heads for 40,000 rows");
    assert_eq!(said, weigh(), "a cache that has let the page in does not hear of them");
    let taken = taken + heads;
    assert!(said.abs_diff(taken) * 100 <= taken * 5, "weigh {said}, take {taken}");
}

/// LEB128 of a number below 2^21.
fn varint(number: u32) -> [u8; 3] {
    [number as u8 | 0x80, (number >> 7) as u8 | 0x80, (number >> 14) as u8]
}

#[test]
fn what_a_footer_says_of_itself_takes_no_more_memory_than_its_file() {
    // Version, row order, bloom filter, rows, stats, sequence ids, family deletes, bytes of keys and values: all 0. Then a million qualifiers.
    let mut body = vec![2, 0, 1, 0];
    body.resize(body.len() + 2 + 1 + 18 + 5, 0);
    body.extend(varint(1 << 20));
    body.resize(body.len() + (1 << 20), 0);
    let asked = largest(|| fuzz::footer(&body)); // of a file of 1 MiB
    assert!(asked <= 1 << 20, "{asked} bytes for qualifiers");
    // No qualifiers, and a row group of a million pages.
    body.truncate(4 + 26);
    body.extend([0, 1, 1, 0, 0]); // a group of one row
    body.resize(body.len() + 18, 0);
    body.extend(varint(1 << 20));
    body.resize(body.len() + (4 << 20), 0);
    let asked = largest(|| fuzz::footer(&body));
    assert!(asked <= 1 << 20, "{asked} bytes for pages");
}

#[test]
fn a_length_that_compressed_bytes_cannot_have_asks_for_no_memory() {
    const CLAIMED: u32 = (1 << 20) - 1;
    for codec in [1, 2, 4] {
        let stored = [0xFF; 600];
        let mut page = CLAIMED.to_le_bytes().to_vec(); // of the directory
        page.extend(600u32.to_le_bytes());
        page.extend(CLAIMED.to_le_bytes());
        page.extend([3, codec, 0, 0]);
        let crc = crc32c::crc32c_append(crc32c::crc32c(&page[4..]), &stored);
        page.extend(crc.to_le_bytes());
        page.extend(stored);
        let asked = largest(|| fuzz::page(&page));
        assert!(asked < 100_000, "{asked} bytes by codec {codec}");
    }
}

/// The body of a page of values with a dictionary of billions of empty strings, of which the last one is asked for.
fn codes_without_end() -> Vec<u8> {
    let same = |number: u64, count: u32| {
        let mut ints = vec![1];
        ints.extend(number.to_le_bytes());
        ints.push(0);
        ints.extend(count.to_le_bytes());
        ints
    };
    let mut body = vec![4]; // the tag; the count of strings comes before it
    body.extend(same(u64::from(u32::MAX) - 1, 8));
    body.extend(u32::MAX.to_le_bytes());
    body.extend(same(0, u32::MAX));
    body.extend([0; 4]);
    body.insert(0, 8);
    body
}

#[test]
fn a_code_takes_no_memory_for_those_below_it() {
    let asked = largest(|| fuzz::blobs(&codes_without_end()));
    assert!(asked <= 1 << 20, "{asked} bytes");
}
