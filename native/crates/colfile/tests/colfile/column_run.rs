//! Which rows a file hands out column by column, and that they are those of the walk cell by cell.

use std::collections::BTreeMap;

use grampus_cells::{
    CellRef, ColumnRunSink, Direction, RowBound, RowOrder, RowRange, RunBuffers, RunColumns, RunRoom,
    RunValues, Strings,
};
use grampus_colfile::{
    Access, CursorOptions, FileCursor, FinishInfo, Page, PageAt, PageSource, Result, WriterOptions,
};
use proptest::prelude::*;

use crate::common::{Cell, Opened, cell, open, sorted, write};

const ROWS: usize = 2000;

fn file(cells: Vec<Cell>) -> Opened {
    let options = WriterOptions { block_size: 1024, column_bytes_min: 1, ..WriterOptions::default() };
    open(write(&sorted(cells, RowOrder::Bytes), &options, FinishInfo::default()).0).unwrap()
}

fn put(row: usize, qualifier: &str, len: usize) -> Cell {
    let noise: Vec<u8> = (0..len).map(|i| ((row * 7919 + i * 104_729) >> 3) as u8).collect();
    Cell::put(&format!("row{row:05}"), qualifier, row as i64, &noise)
}

/// Takes everything, in rooms of a size.
struct Taken {
    room: RunRoom,
    /// Rows of this run.
    keys: Vec<Vec<u8>>,
    cells: Vec<Cell>,
    bytes: usize,
}

impl Taken {
    fn new(rows: u32, bytes: usize) -> Taken {
        let room = RunRoom { rows, key_bytes: Some(bytes), value_bytes: bytes };
        Taken { room, keys: Vec::new(), cells: Vec::new(), bytes: 0 }
    }
}

impl ColumnRunSink for Taken {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        self.room
    }

    fn reaches(&self, _row: &[u8]) -> bool {
        true
    }

    fn sees(&self, _first: i64, _last: i64) -> bool {
        true
    }

    fn rows(&mut self, keys: &Strings, last: &[u8]) {
        self.keys = keys.iter().map(<[u8]>::to_vec).collect();
        assert!(self.keys.iter().all(|key| key.as_slice() <= last));
    }

    fn column(&mut self, qualifier: &[u8], values: &RunValues<'_>) {
        assert!(values.keys.iter().eq(&self.keys));
        assert_eq!(values.key_bytes(), values.iter().map(|(row, ..)| self.keys[row].len()).sum());
        for (row, timestamp, value) in values.iter() {
            let cell = Cell::put("", "", timestamp, value);
            self.cells.push(Cell { row: self.keys[row].clone(), qualifier: qualifier.to_vec(), ..cell });
            self.bytes += value.len();
        }
    }
}

/// All cells from a cursor's place on, in runs as far as there are any, and how many rows came in runs.
fn by_runs(cursor: &mut FileCursor, until: Option<&[u8]>, rows: u32, bytes: usize) -> (Vec<Cell>, usize) {
    let (mut cells, mut in_runs) = (Vec::new(), 0);
    while let Some(row) = cursor.row() {
        let first = row.to_vec();
        let mut taken = Taken::new(rows, bytes);
        let left = cursor.column_run(until, &mut RunBuffers::default(), &mut taken).unwrap();
        assert!(left <= rows && taken.bytes <= bytes, "{left} rows and {} bytes", taken.bytes);
        if left == 0 {
            assert_eq!(cursor.row(), Some(first.as_slice()), "it stays where it was");
            while let Some(cell) = cursor.cell() {
                cells.push(Cell::of(cell));
                cursor.next_cell().unwrap();
            }
            cursor.next_row().unwrap();
            continue;
        }
        in_runs += left as usize;
        assert!(taken.keys.first().is_none_or(|key| *key >= first));
        assert!(cursor.row().is_none_or(|next| taken.keys.iter().all(|key| key.as_slice() < next)));
        let mut of_rows: BTreeMap<Vec<u8>, Vec<Cell>> =
            taken.keys.iter().map(|key| (key.clone(), Vec::new())).collect();
        assert_eq!(of_rows.len(), taken.keys.len(), "no row comes twice");
        taken.cells.into_iter().for_each(|cell| of_rows.get_mut(&cell.row).unwrap().push(cell));
        assert!(of_rows.values().all(|cells| !cells.is_empty()), "each row has a cell");
        cells.extend(of_rows.into_values().flatten());
    }
    (cells, in_runs)
}

/// Sequence ids do not belong to a run.
fn unnumbered(cells: Vec<Cell>) -> Vec<Cell> {
    cells.into_iter().map(|cell| Cell { sequence: 0, ..cell }).collect()
}

#[test]
fn rows_of_single_puts_come_in_runs_alone() {
    // Dense columns, one with gaps, one that few rows have, and one that begins late; pages end at different rows.
    let columns = |row: usize| {
        let dense = [put(row, "a", 9), put(row, "b", row % 40)];
        let gaps = (!row.is_multiple_of(3)).then(|| put(row, "c", 25));
        let few = row.is_multiple_of(17).then(|| put(row, "d", 3));
        let late = (row > ROWS / 2).then(|| put(row, "e", 100));
        dense.into_iter().chain(gaps).chain(few).chain(late)
    };
    let opened = file((0..ROWS).flat_map(columns).collect());
    let c = [b"c".as_slice()];
    let few: [&[u8]; 2] = [b"c", b"d"];
    for projection in [None, Some(&c[..]), Some(&few[..])] {
        let options = CursorOptions { projection, ..CursorOptions::default() };
        let expected = opened.scan(&options).unwrap();
        for (rows, bytes) in [(u32::MAX, usize::MAX), (100, usize::MAX), (1, 4096), (4096, 2000)] {
            let mut cursor = opened.cursor(&options);
            cursor.seek_first().unwrap();
            let (cells, in_runs) = by_runs(&mut cursor, None, rows, bytes);
            assert_eq!(cells, expected);
            assert_eq!(in_runs, ROWS, "{projection:?}, rooms of {rows} rows and {bytes} bytes");
        }
    }
}

#[test]
fn what_a_run_cannot_have_is_left_to_the_walk() {
    let plain = || (0..ROWS).map(|row| put(row, "a", 9)).collect::<Vec<_>>();
    let and = |cell: Cell| plain().into_iter().chain([cell]).collect::<Vec<_>>();
    let second = Cell { timestamp: 0, ..put(ROWS - 1, "a", 9) };
    let tagged = Cell { tags: vec![0, 2, 7, 9], ..put(ROWS, "a", 9) };
    let delete = Cell { cell_type: grampus_cells::CellType::DELETE, value: Vec::new(), ..put(ROWS, "a", 9) };
    for (cells, options) in [
        (and(second), CursorOptions::default()),
        (and(tagged), CursorOptions::default()),
        (and(delete), CursorOptions::default()),
        (plain(), CursorOptions { direction: Direction::Reverse, ..CursorOptions::default() }),
        (
            plain(),
            CursorOptions {
                rows: RowRange { end: RowBound::Excluded(b"row01000"), ..RowRange::ALL },
                ..CursorOptions::default()
            },
        ),
    ] {
        let opened = file(cells);
        let mut cursor = opened.cursor(&options);
        cursor.seek_first().unwrap();
        assert_eq!(
            cursor.column_run(None, &mut RunBuffers::default(), &mut Taken::new(10, 1000)).unwrap(),
            0
        );
    }
    let opened = file(plain());
    let mut cursor = opened.cursor(&CursorOptions::default());
    cursor.seek_first().unwrap();
    let run = |cursor: &mut FileCursor, until: Option<&[u8]>, bytes| {
        cursor.column_run(until, &mut RunBuffers::default(), &mut Taken::new(10, bytes)).unwrap()
    };
    assert_eq!(
        run(&mut cursor, Some(b"row01999"), 1000),
        0,
        "another source comes before the row group's end"
    );
    assert_eq!(run(&mut cursor, None, 31), 0, "the keys of four rows have no room");
    assert_eq!(run(&mut cursor, Some(b"row02000"), 1000), 10);
    assert_eq!(run(&mut cursor, None, 35), 0, "the values of four rows have no room");
    for _ in 0..32 {
        assert_eq!(run(&mut cursor, None, 1000), 0, "the next rows are walked without another look");
        cursor.next_row().unwrap();
    }
    assert_eq!(run(&mut cursor, None, 1000), 10);
}

/// Remembers the last row of a run, whether it has a cell or not.
#[derive(Default)]
struct LastRow {
    row: Vec<u8>,
    has_cell: bool,
}

impl ColumnRunSink for LastRow {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        RunRoom { rows: 10, key_bytes: Some(1 << 20), value_bytes: 1 << 20 }
    }

    fn reaches(&self, _row: &[u8]) -> bool {
        true
    }

    fn sees(&self, _first: i64, _last: i64) -> bool {
        true
    }

    fn rows(&mut self, keys: &Strings, last: &[u8]) {
        *self = LastRow { row: last.to_vec(), has_cell: keys.last() == Some(last) };
    }

    fn column(&mut self, _qualifier: &[u8], _values: &RunValues<'_>) {}
}

#[test]
fn rows_without_a_cell_are_told_of() {
    let few = |row: usize| row.is_multiple_of(7).then(|| put(row, "b", 3));
    let opened = file((0..ROWS).flat_map(|row| std::iter::once(put(row, "a", 9)).chain(few(row))).collect());
    let options = CursorOptions { projection: Some(&[b"b".as_slice()]), ..CursorOptions::default() };
    let mut cursor = opened.cursor(&options);
    cursor.seek_first().unwrap();
    for run in 1..=10 {
        let mut last = LastRow::default();
        assert_eq!(cursor.column_run(None, &mut RunBuffers::default(), &mut last).unwrap(), 10);
        let row = run * 10 - 1;
        assert_eq!(last.row, format!("row{row:05}").into_bytes());
        assert_eq!(last.has_cell, row % 7 == 0);
    }
}

/// What a run hands out, but for its keys: of these the last one, and the one of `wanted`.
#[derive(Default)]
struct Run {
    with_keys: bool,
    /// The row whose key is wanted behind the columns, by its number.
    wanted: usize,
    key: Vec<u8>,
    last: Vec<u8>,
    rows: usize,
    values: Vec<(Vec<u8>, usize, i64, Vec<u8>)>,
}

impl ColumnRunSink for Run {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        RunRoom { rows: 100, key_bytes: self.with_keys.then_some(1 << 20), value_bytes: 1 << 20 }
    }

    fn reaches(&self, _row: &[u8]) -> bool {
        true
    }

    fn sees(&self, _first: i64, _last: i64) -> bool {
        true
    }

    fn rows(&mut self, keys: &Strings, last: &[u8]) {
        assert_eq!(keys.bytes_len() > 0, self.with_keys && !keys.is_empty());
        (self.rows, self.last) = (keys.len(), last.to_vec());
        self.key = keys.get(self.wanted).to_vec();
    }

    fn column(&mut self, qualifier: &[u8], values: &RunValues<'_>) {
        let of = |(row, time, value): (usize, i64, &[u8])| (qualifier.to_vec(), row, time, value.to_vec());
        self.values.extend(values.iter().map(of));
    }

    fn wanted_key(&self) -> Option<usize> {
        (self.wanted < self.rows).then_some(self.wanted)
    }

    fn take_key(&mut self, key: &[u8]) {
        if self.with_keys {
            assert_eq!(self.key, key);
        }
        self.key = key.to_vec();
    }
}

#[test]
fn runs_without_keys_have_the_same_rows() {
    let columns = |row: usize| {
        let gaps = (!row.is_multiple_of(3)).then(|| put(row, "b", row % 40));
        let few = row.is_multiple_of(7).then(|| put(row, "c", 3));
        std::iter::once(put(row, "a", 9)).chain(gaps).chain(few)
    };
    let opened = file((0..ROWS).flat_map(columns).collect());
    for projection in [&[b"a".as_slice(), b"b"][..], &[b"b"], &[b"c"], &[b"b", b"c"]] {
        let options = CursorOptions { projection: Some(projection), ..CursorOptions::default() };
        let (mut keyed, mut keyless) = (opened.cursor(&options), opened.cursor(&options));
        keyed.seek_first().unwrap();
        keyless.seek_first().unwrap();
        let mut buffers = RunBuffers::default();
        for wanted in 0.. {
            let mut expected = Run { with_keys: true, wanted: wanted % 40, ..Run::default() };
            let mut found = Run { wanted: wanted % 40, ..Run::default() };
            let left = keyed.column_run(None, &mut buffers, &mut expected).unwrap();
            assert_eq!(keyless.column_run(None, &mut buffers, &mut found).unwrap(), left);
            assert_eq!((found.rows, &found.values), (expected.rows, &expected.values));
            assert_eq!((&found.last, &found.key), (&expected.last, &expected.key));
            assert_eq!(keyless.row(), keyed.row());
            if keyed.row().is_none() {
                break;
            }
            assert!(left > 0, "all rows come in runs");
        }
    }
}

/// Passes pages on, and refuses to load large ones.
struct NoLargePages(std::sync::Arc<grampus_colfile::DirectPages>);

impl PageSource for NoLargePages {
    fn page(&self, at: PageAt, access: Access) -> Result<std::sync::Arc<Page>> {
        assert!(at.raw_len < 256 << 10, "a page of {} bytes is loaded", at.raw_len);
        self.0.page(at, access)
    }

    fn name(&self) -> &str {
        self.0.name()
    }
}

#[test]
fn large_pages_are_left_to_the_walk_unseen() {
    let small = (0..ROWS).map(|row| put(row, "a", 9));
    let large = ["b", "c", "d"].map(|column| put(ROWS / 2, column, 300 << 10));
    let opened = file(small.chain(large).collect());
    let pages = std::sync::Arc::new(NoLargePages(opened.pages.clone()));
    let mut cursor = FileCursor::new(opened.file.clone(), pages, &CursorOptions::default());
    cursor.seek(format!("row{:05}", ROWS / 2).as_bytes(), false).unwrap();
    assert_eq!(
        cursor.column_run(None, &mut RunBuffers::default(), &mut Taken::new(u32::MAX, usize::MAX)).unwrap(),
        0
    );
}

proptest! {
    #[test]
    fn runs_and_walk_together_are_the_walk(
        cells in prop::collection::vec(cell(RowOrder::Bytes), 1..300),
        puts in prop::collection::btree_set((0usize..400, 0usize..4), 0..600),
        kinds in any::<bool>(),
        rows in 1u32..200,
        bytes in 0usize..3000,
        projected in prop::option::of(prop::sample::subsequence(vec!["a", "bb", "q0", "q1", "q2"], 1..4)),
    ) {
        let mut all: Vec<Cell> = if kinds { cells } else { Vec::new() };
        all.extend(puts.iter().map(|(row, column)| put(*row, &format!("q{column}"), (row * 31 + column) % 50)));
        prop_assume!(!all.is_empty());
        let opened = file(all);
        let projected: Option<Vec<&[u8]>> =
            projected.as_ref().map(|names| names.iter().map(|name| name.as_bytes()).collect());
        let options = CursorOptions { projection: projected.as_deref(), ..CursorOptions::default() };
        let mut cursor = opened.cursor(&options);
        cursor.seek_first().unwrap();
        let (found, _) = by_runs(&mut cursor, None, rows, bytes);
        let by_key = |a: &Cell, b: &Cell| CellRef::cmp_in(&a.borrow(), &b.borrow(), RowOrder::Bytes);
        prop_assert!(found.is_sorted_by(|a, b| by_key(a, b).is_lt()));
        prop_assert_eq!(unnumbered(found), unnumbered(opened.scan(&options).unwrap()));
    }
}
