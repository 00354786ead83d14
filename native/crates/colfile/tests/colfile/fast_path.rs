//! Which rows a file hands out in runs, and which it leaves to the walk cell by cell.

use grampus_cells::{After, Dropped, FastPathSink, PredicateColumn, RowOrder, ValueBounds};
use grampus_colfile::{CursorOptions, FinishInfo, WriterOptions};

use crate::common::{Cell, Opened, open, sorted, write};

const ROWS: usize = 2000;

/// A file in which each column has pages of its own, of about 1 KiB.
fn file(cells: Vec<Cell>) -> Opened {
    let options = WriterOptions { block_size: 1024, column_bytes_min: 1, ..WriterOptions::default() };
    open(write(&sorted(cells, RowOrder::Bytes), &options, FinishInfo::default()).0).unwrap()
}

fn put(row: usize, qualifier: &str, timestamp: i64, len: usize) -> Cell {
    let noise: Vec<u8> = (0..len).map(|i| ((row * 7919 + i * 104_729) >> 3) as u8).collect();
    Cell::put(&format!("row{row:05}"), qualifier, timestamp, &noise)
}

/// Takes every row, or only those whose column `b` has a value of even length.
#[derive(Default)]
struct RecordingSink {
    has_predicate: bool,
    /// The rows after which each run ends; 0: none.
    rows_max: usize,
    rows: usize,
    cells: Vec<Cell>,
    dropped: usize,
}

impl RecordingSink {
    fn after(&mut self, rows: usize) -> After {
        self.rows += rows;
        if self.rows_max > 0 && self.rows >= self.rows_max { After::Enough } else { After::Next }
    }
}

impl FastPathSink for RecordingSink {
    fn predicate_column(&self) -> Option<PredicateColumn<'_>> {
        self.has_predicate.then_some(PredicateColumn { qualifier: Some(b"b"), times: (i64::MIN, i64::MAX) })
    }

    fn accepts(&self, value: Option<&[u8]>) -> bool {
        value.is_some_and(|v| v.len().is_multiple_of(2))
    }

    fn may_accept(&self, _values: &ValueBounds) -> bool {
        true
    }

    fn drop(&mut self, dropped: Dropped<'_>) -> After {
        self.dropped += dropped.rows as usize;
        self.after(dropped.rows as usize)
    }

    fn begin(&mut self, _row: &[u8]) -> bool {
        true
    }

    fn cell(&mut self, row: &[u8], qualifier: &[u8], timestamp: i64, value: &[u8]) {
        let (row, qualifier) = (str::from_utf8(row).unwrap(), str::from_utf8(qualifier).unwrap());
        self.cells.push(Cell::put(row, qualifier, timestamp, value));
    }

    fn end(&mut self, _row: &[u8]) -> After {
        self.after(1)
    }

    fn forget(&mut self) {}
}

#[test]
fn rows_of_one_put_a_column_are_all_handed_out() {
    let columns = |row: usize| [("a", 9), ("b", 20 + row % 3), ("c", 40)];
    let cells = |row| columns(row).map(|(qualifier, len)| put(row, qualifier, row as i64, len));
    let opened = file((0..ROWS).flat_map(cells).collect());
    for has_predicate in [false, true] {
        let mut sink = RecordingSink { has_predicate, ..RecordingSink::default() };
        let mut cursor = opened.cursor(&CursorOptions::default());
        cursor.seek_first().unwrap();
        let mut left = 0;
        while cursor.row().is_some() {
            let run = cursor.fast_rows(None, &mut sink).unwrap();
            assert!(run > 0, "row {left} is left to the walk");
            left += run as usize;
        }
        assert_eq!(left, ROWS);
        let wanted = |cell: &Cell| {
            let row: usize = str::from_utf8(&cell.row[3..]).unwrap().parse().unwrap();
            !has_predicate || (20 + row % 3).is_multiple_of(2)
        };
        let mut expected = opened.scan(&CursorOptions::default()).unwrap();
        expected.retain(wanted);
        assert_eq!(sink.cells, expected);
        assert_eq!(sink.dropped, ROWS - expected.len() / 3);
    }
}

/// Pages are cut between two versions of one cell too: in a page whose other rows have one, its last row then looks as if it had
/// one as well.
#[test]
fn a_row_of_two_versions_is_left_to_the_walk_wherever_pages_end() {
    for apart in 11..80 {
        let versions = |row: usize| if row.is_multiple_of(apart) { 2 } else { 1 };
        let puts = |row: usize| (0..versions(row)).map(move |version| put(row, "b", version, 60));
        let opened = file((0..ROWS).flat_map(puts).collect());
        let mut sink = RecordingSink { rows_max: 1, ..RecordingSink::default() };
        let mut cursor = opened.cursor(&CursorOptions::default());
        cursor.seek_first().unwrap();
        for row in 0..ROWS {
            sink.rows = 0;
            let run = cursor.fast_rows(None, &mut sink).unwrap();
            assert!(run == 0 || versions(row) == 1, "row {row} of two versions, {apart} rows apart");
            if run == 0 {
                cursor.next_row().unwrap();
            }
        }
        assert!(cursor.row().is_none());
    }
}
