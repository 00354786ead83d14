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
    Access, ColumnFile, FinishInfo, Page, PageAt, PageKind, PageSource, Result, WriterOptions,
};

thread_local! {
    /// Bytes that this thread holds, those that malloc adds included.
    static HELD: Counter<isize> = const { Counter::new(0) };
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
