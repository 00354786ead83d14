//! What a walk says that it will read, and what it reads then.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use grampus_cells::{Direction, RowOrder};
use grampus_colfile::{
    Access, CursorOptions, FileCursor, FinishInfo, Page, PageAt, PageSource, Result, WriterOptions,
};

use crate::common::{Cell, Opened, open, rest, sorted, write};

/// Remembers what was asked for and what was announced.
struct Watched {
    opened: Opened,
    read: Mutex<Vec<PageAt>>,
    announced: Mutex<Vec<(PageAt, Range<u64>)>>,
}

impl PageSource for Watched {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.read.lock().unwrap().push(at);
        self.opened.pages.page(at, access)
    }

    fn will_read(&self, first: PageAt, bytes: Range<u64>) {
        self.announced.lock().unwrap().push((first, bytes));
    }

    fn name(&self) -> &str {
        self.opened.pages.name()
    }
}

/// One row group of 3000 rows with three columns of different sizes, in pages of about 1 KiB.
fn watched() -> Arc<Watched> {
    let noise = |seed: usize, len: usize| -> Vec<u8> {
        (0..len).map(|i| ((seed * 7919 + i * 104_729) >> 3) as u8).collect()
    };
    let cells = (0..3000).flat_map(|n| {
        [("a", 20), ("b", 100), ("c", 7)]
            .map(|(qualifier, len)| Cell::put(&format!("{n:05}"), qualifier, n as i64, &noise(n, len)))
    });
    let options = WriterOptions { block_size: 1024, ..WriterOptions::default() };
    let bytes = write(&sorted(cells.collect(), RowOrder::Bytes), &options, FinishInfo::default()).0;
    let opened = open(bytes).unwrap();
    Arc::new(Watched { opened, read: Mutex::default(), announced: Mutex::default() })
}

fn cursor(watched: &Arc<Watched>, options: &CursorOptions<'_>) -> FileCursor {
    let mut cursor = FileCursor::new(watched.opened.file.clone(), watched.clone(), options);
    cursor.seek_first().unwrap();
    for _ in 0..500 {
        while cursor.cell().is_some() {
            cursor.next_cell().unwrap();
        }
        cursor.next_row().unwrap();
    }
    cursor
}

/// What is announced is read next, and nothing of it was read before. All row keys are in one page, which is read by then.
fn check(options: &CursorOptions<'_>, chunks: usize) {
    let watched = watched();
    let mut cursor = cursor(&watched, options);
    let before: Vec<PageAt> = std::mem::take(&mut *watched.read.lock().unwrap());
    cursor.read_ahead(200 * 1024);
    let announced = watched.announced.lock().unwrap().clone();
    assert_eq!(announced.len(), chunks);
    assert!(watched.read.lock().unwrap().is_empty(), "a hint reads nothing");
    rest(&mut cursor).unwrap();
    let after = watched.read.lock().unwrap().clone();
    for (first, bytes) in &announced {
        let inside = |at: &PageAt| bytes.contains(&at.offset);
        assert!(!before.iter().any(inside), "{bytes:?} was read before");
        let ahead: Vec<&PageAt> = after.iter().filter(|at| inside(at)).collect();
        assert_eq!(ahead.first(), Some(&first), "the page that is needed first");
        let total: u64 = ahead.iter().map(|at| u64::from(at.stored_len)).sum();
        assert_eq!(total, bytes.end - bytes.start, "all of {bytes:?} is read");
    }
    let total: u64 = announced.iter().map(|(_, bytes)| bytes.end - bytes.start).sum();
    assert!((150 * 1024..500 * 1024).contains(&total), "{total} bytes ahead");
}

#[test]
fn a_walk_announces_the_pages_that_it_comes_to() {
    check(&CursorOptions::default(), 3);
}

#[test]
fn a_walk_backwards_announces_those_before_it() {
    check(&CursorOptions { direction: Direction::Reverse, ..CursorOptions::default() }, 3);
}

#[test]
fn columns_that_are_not_asked_for_are_not_announced() {
    let wanted: [&[u8]; 1] = [b"b"];
    check(&CursorOptions { projection: Some(&wanted), ..CursorOptions::default() }, 1);
}

#[test]
fn there_is_nothing_ahead_of_the_end() {
    let watched = watched();
    let mut cursor = cursor(&watched, &CursorOptions::default());
    rest(&mut cursor).unwrap();
    cursor.read_ahead(1 << 20);
    assert!(watched.announced.lock().unwrap().is_empty());
}
