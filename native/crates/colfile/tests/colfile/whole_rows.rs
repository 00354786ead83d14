//! Single rows that are read as a whole: their pages are looked up together.

use std::sync::{Arc, Mutex};

use grampus_cells::{RowOrder, RowRange};
use grampus_colfile::{
    Access, CursorOptions, FileCursor, FinishInfo, Page, PageAt, PageKind, PageSource, Result, WriterOptions,
};

use crate::common::{Cell, Opened, open, rest, sorted, write};

const KIB: u64 = 1024;

/// Has pages of cells in memory unless their offset in KiB is a multiple of `absent`, and remembers which were asked for.
struct Memory {
    opened: Opened,
    absent: u64,
    found: Mutex<Vec<PageAt>>,
    read: Mutex<Vec<PageAt>>,
}

impl PageSource for Memory {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.read.lock().unwrap().push(at);
        self.opened.pages.page(at, access)
    }

    fn page_in_memory(&self, at: PageAt, access: Access) -> Option<Arc<Page>> {
        if (at.offset / KIB).is_multiple_of(self.absent) {
            return None;
        }
        self.found.lock().unwrap().push(at);
        Some(self.opened.pages.page(at, access).unwrap())
    }

    fn name(&self) -> &str {
        self.opened.pages.name()
    }
}

/// Rows of up to 40 columns, some of which a row lacks.
fn opened() -> Opened {
    let mut cells = Vec::new();
    for row in 0..300_usize {
        for column in (0..40_usize).filter(|column| (row + column) % 7 > 0) {
            let value = vec![(row * 31 + column * 7) as u8; 80];
            cells.push(Cell::put(&format!("{row:03}"), &format!("q{column:02}"), row as i64, &value));
        }
    }
    let options = WriterOptions { block_size: 2048, column_bytes_min: 0, ..WriterOptions::default() };
    open(write(&sorted(cells, RowOrder::Bytes), &options, FinishInfo::default()).0).unwrap()
}

fn row_of(source: &Arc<Memory>, row: &str, all_cells: bool) -> Vec<Cell> {
    let options =
        CursorOptions { rows: RowRange::single(row.as_bytes()), all_cells, ..CursorOptions::default() };
    let mut cursor = FileCursor::new(source.opened.file.clone(), source.clone(), &options);
    cursor.seek_first().unwrap();
    rest(&mut cursor).unwrap()
}

fn take(pages: &Mutex<Vec<PageAt>>) -> Vec<PageAt> {
    let mut pages = std::mem::take(&mut *pages.lock().unwrap());
    pages.retain(|page| page.kind == PageKind::Column);
    pages.sort_by_key(|page| page.offset);
    pages
}

#[test]
fn a_row_is_the_same_and_no_page_is_asked_for_twice() {
    for absent in [1, 2, 3, u64::MAX] {
        let source =
            Arc::new(Memory { opened: opened(), absent, found: Mutex::default(), read: Mutex::default() });
        let mut found_in_all = 0;
        for row in (0..300).step_by(23).map(|row| format!("{row:03}")) {
            let walked = row_of(&source, &row, false);
            let pages = take(&source.read);
            assert!(take(&source.found).is_empty(), "a walk looks up no page ahead");
            assert!(walked.len() > 30);
            assert_eq!(row_of(&source, &row, true), walked, "{row}");
            let found = take(&source.found);
            found_in_all += found.len();
            let mut both = [found, take(&source.read)].concat();
            both.sort_by_key(|page| page.offset);
            assert_eq!(both, pages, "{row}");
        }
        assert_eq!(found_in_all > 0, absent > 1);
    }
}

#[test]
fn a_row_that_is_not_there_asks_for_no_page_of_cells() {
    let source = Arc::new(Memory {
        opened: opened(),
        absent: u64::MAX,
        found: Mutex::default(),
        read: Mutex::default(),
    });
    assert!(row_of(&source, "0105", true).is_empty());
    assert!(take(&source.found).is_empty());
    assert!(take(&source.read).is_empty());
}
