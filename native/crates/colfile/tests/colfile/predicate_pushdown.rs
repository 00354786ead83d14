//! Rows that a column decides against: the same whichever way they are found, and found without reading what need not be read.

use std::cell::Cell as Count;
use std::sync::{Arc, Mutex};

use grampus_cells::{
    After, CellType, Direction, Dropped, FastPathSink, PredicateColumn, RowBound, RowOrder, RowRange,
    ValueBounds,
};
use grampus_colfile::{
    Access, CursorOptions, FileCursor, FinishInfo, Page, PageAt, PageKind, PageSource, Result, WriterOptions,
};
use proptest::prelude::*;

use crate::common::{Cell, Opened, open, sorted, write};

const ROWS: u64 = 1000;
const COLUMNS: u64 = 7;

/// A repeatable choice.
fn noise(seed: u64, row: u64, what: u64) -> u64 {
    let mut z = seed ^ row.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ what.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What a column holds; each has an encoding of its own, and the values of some rise with the rows.
fn value(seed: u64, row: u64, column: u64) -> Vec<u8> {
    let n = noise(seed, row, column) % 100;
    match column {
        0 => vec![n as u8; 8],
        1 => format!("{}", row * 50 + n).into_bytes(),
        2 => ["yes", "no", "unknown"][(n % 3) as usize].into(),
        3 => (row * 3 + n % 3).to_be_bytes().to_vec(),
        4 => vec![(row / 10) as u8; n as usize % 50],
        5 => b"the same".into(),
        _ => Vec::new(),
    }
}

/// How the columns' cells lie.
#[derive(Clone, Copy, Debug)]
struct Kind {
    dense: bool,
    versions: bool,
    deletes: bool,
    family_deletes: bool,
    tags: bool,
    rare: bool,
}

fn cells(seed: u64, kind: Kind) -> Vec<Cell> {
    let mut cells = Vec::new();
    for row in 0..ROWS {
        let key = format!("row{row:05}");
        let one_in = |n: u64, what: u64| noise(seed, row, what).is_multiple_of(n);
        for column in 0..COLUMNS {
            if !kind.dense && one_in(3, 100 + column) {
                continue;
            }
            for version in 0..1 + i64::from(kind.versions && one_in(50, 200 + column)) {
                let put = Cell::put(&key, &format!("q{column}"), 9 - version, &value(seed, row, column));
                let tagged = kind.tags && one_in(100, 300 + column);
                cells.push(Cell { tags: if tagged { vec![0, 2, 77, 1] } else { Vec::new() }, ..put });
            }
        }
        let marker = |cell_type, qualifier| Cell { cell_type, ..Cell::put(&key, qualifier, 20, b"") };
        if kind.deletes && one_in(70, 400) {
            cells.push(marker(CellType::DELETE_COLUMN, "q3"));
        }
        if kind.family_deletes && one_in(300, 401) {
            cells.push(marker(CellType::DELETE_FAMILY, ""));
        }
        if kind.rare && row == ROWS / 2 {
            cells.push(Cell::put(&key, "rare", 9, b"one"));
        }
    }
    sorted(cells, RowOrder::Bytes)
}

/// Rows in which the column's value is at or above `low` and below `high`.
#[derive(Clone)]
struct RecordingSink {
    qualifier: String,
    low: Vec<u8>,
    high: Vec<u8>,
    missing: bool,
    rows_max: usize,
    taken: usize,
    kept: Vec<Cell>,
    begun: usize,
    dropped: u64,
    looks: Count<u64>,
}

impl RecordingSink {
    /// Rows that were dropped, and cells that were kept.
    fn decided(&self) -> u64 {
        self.dropped + self.kept.len() as u64
    }

    fn after(&mut self) -> After {
        self.taken += 1;
        if self.taken.is_multiple_of(self.rows_max) { After::Enough } else { After::Next }
    }

    /// A row's cells as a walk finds them: the newest of the predicate column decides, unless a marker hides all of them.
    fn walk(&mut self, cells: Vec<Cell>) {
        let family_deleted = cells.iter().any(|cell| cell.cell_type == CellType::DELETE_FAMILY);
        let predicate = cells.iter().find(|cell| cell.qualifier == self.qualifier.as_bytes());
        let predicate = predicate.filter(|newest| newest.cell_type == CellType::PUT && !family_deleted);
        match self.accepts(predicate.map(|cell| cell.value.as_slice())) {
            true => self.kept.extend(cells),
            false => self.dropped += 1,
        }
    }
}

impl FastPathSink for RecordingSink {
    fn predicate_column(&self) -> Option<PredicateColumn<'_>> {
        Some(PredicateColumn { qualifier: Some(self.qualifier.as_bytes()), times: (i64::MIN, i64::MAX) })
    }

    fn accepts(&self, value: Option<&[u8]>) -> bool {
        self.looks.set(self.looks.get() + 1);
        value.map_or(self.missing, |value| self.low.as_slice() <= value && value < self.high.as_slice())
    }

    fn may_accept(&self, values: &ValueBounds) -> bool {
        let low = self.low.as_slice();
        let below_max = values.max.as_slice() >= low || (values.max_cut && low.starts_with(&values.max));
        values.known && below_max && values.min <= self.high
    }

    fn drop(&mut self, dropped: Dropped<'_>) -> After {
        assert!(!dropped.row.is_empty() && dropped.rows > 0);
        self.dropped += u64::from(dropped.rows);
        self.after()
    }

    fn begin(&mut self, _row: &[u8]) -> bool {
        self.begun = self.kept.len();
        true
    }

    fn cell(&mut self, row: &[u8], qualifier: &[u8], timestamp: i64, value: &[u8]) {
        let (row, qualifier) = (str::from_utf8(row).unwrap(), str::from_utf8(qualifier).unwrap());
        self.kept.push(Cell::put(row, qualifier, timestamp, value));
    }

    fn end(&mut self, _row: &[u8]) -> After {
        self.after()
    }

    fn forget(&mut self) {
        self.kept.truncate(self.begun);
    }
}

/// Cells of the cursor's row.
fn row_cells(cursor: &mut FileCursor) -> Vec<Cell> {
    let mut cells = Vec::new();
    while let Some(cell) = cursor.cell() {
        cells.push(Cell::of(cell));
        cursor.next_cell().unwrap();
    }
    cells
}

fn small_pages(rows_per_group: u32) -> WriterOptions {
    WriterOptions {
        block_size: 512,
        column_bytes_min: 100,
        row_group_rows_max: rows_per_group,
        ..WriterOptions::default()
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    let rarely = || prop::bool::weighted(0.35);
    (any::<bool>(), rarely(), rarely(), rarely(), rarely(), rarely()).prop_map(
        |(dense, versions, deletes, family_deletes, tags, rare)| Kind {
            dense,
            versions,
            deletes,
            family_deletes,
            tags,
            rare,
        },
    )
}

/// Besides the columns that have pages of their own: one that has none, and one that no row has.
fn predicate_column(seed: u64, column: u64) -> String {
    match column {
        COLUMNS if seed & 1 == 0 => "rare".into(),
        COLUMNS => "q9".into(),
        _ => format!("q{column}"),
    }
}

/// Columns of a projection, in order: the predicate's, or it is missing.
fn wanted_columns(seed: u64, column: u64, predicate: &str) -> Vec<String> {
    let other = if column.is_multiple_of(2) { "q0" } else { "q6" };
    let mut wanted = [other, if seed & 2 == 0 { predicate } else { "q1" }].map(str::to_string).to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// Rows that the walk of a cursor decides on, all of them.
fn walk(mut cursor: FileCursor, sink: &mut RecordingSink) -> Vec<Vec<u8>> {
    cursor.seek_first().unwrap();
    let mut rows = Vec::new();
    while let Some(row) = cursor.row() {
        rows.push(row.to_vec());
        walk_row(&mut cursor, sink);
    }
    rows
}

fn walk_row(cursor: &mut FileCursor, sink: &mut RecordingSink) {
    sink.walk(row_cells(cursor));
    cursor.next_row().unwrap();
}

/// Decides on the same `rows` by runs. None may pass `pause`, as if another source came next there.
fn run(
    mut cursor: FileCursor,
    sink: &mut RecordingSink,
    rows: &[Vec<u8>],
    pause: Option<Vec<u8>>,
    reverse: bool,
) {
    let is_before = |row: &[u8], other: &[u8]| if reverse { row > other } else { row < other };
    let mut until = pause.as_deref();
    let stop = rows.iter().find(|row| until.is_some_and(|until| !is_before(row, until)));
    cursor.seek_first().unwrap();
    while let Some(row) = cursor.row() {
        until = until.filter(|until| is_before(row, until));
        let before = sink.decided();
        if cursor.fast_rows(until, sink).unwrap() == 0 {
            assert_eq!(sink.decided(), before);
            walk_row(&mut cursor, sink);
        }
        if let (Some(_), Some(stop)) = (until, stop) {
            let here = cursor.row();
            assert!(here.is_some_and(|here| !is_before(stop, here)), "a run went to {here:?}, past {stop:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_decided_as_by_a_walk(
        seed in any::<u64>(),
        kind in kind(),
        rows_per_group in 40u32..500,
        column in prop_oneof![4 => 0..COLUMNS, 1 => Just(COLUMNS)],
        bounds in (0..ROWS, 0..ROWS),
        range in prop_oneof![Just((0, ROWS)), (0..ROWS, 0..ROWS)],
        (reverse, missing, narrow) in any::<(bool, bool, bool)>(),
        rows_max in prop_oneof![Just(usize::MAX), 1usize..60],
        pause in prop::option::of(0..ROWS),
    ) {
        let opened = open(write(&cells(seed, kind), &small_pages(rows_per_group), FinishInfo::default()).0).unwrap();
        let predicate = predicate_column(seed, column);
        let bound = |row| if column < COLUMNS { value(seed, row, column) } else { vec![row as u8] };
        let (low, high) = (bound(bounds.0).min(bound(bounds.1)), bound(bounds.0).max(bound(bounds.1)));
        let key = |row: u64| format!("row{row:05}").into_bytes();
        let (from, to) = (key(range.0.min(range.1)), key(range.0.max(range.1)));
        let wanted = wanted_columns(seed, column, &predicate);
        let projection: Vec<&[u8]> = wanted.iter().map(String::as_bytes).collect();
        let options = CursorOptions {
            direction: if reverse { Direction::Reverse } else { Direction::Forward },
            rows: RowRange { start: RowBound::Included(&from), end: RowBound::Excluded(&to) },
            projection: narrow.then_some(projection.as_slice()),
            ..CursorOptions::default()
        };
        let mut walked = RecordingSink { missing, rows_max, ..sink(&predicate, &low, &high) };
        let mut decided = walked.clone();
        let rows = walk(opened.cursor(&options), &mut walked);
        run(opened.cursor(&options), &mut decided, &rows, pause.map(key), reverse);
        // A row of nothing but cells that the projection lacks is visited or not, and dropped or kept without a cell.
        if options.projection.is_none() {
            prop_assert_eq!(decided.dropped, walked.dropped);
        }
        prop_assert_eq!(decided.kept, walked.kept);
    }
}

/// Remembers which pages were asked for.
struct WatchedPages {
    pages: Arc<dyn PageSource>,
    asked: Mutex<Vec<PageAt>>,
}

impl PageSource for WatchedPages {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.asked.lock().unwrap().push(at);
        self.pages.page(at, access)
    }

    fn name(&self) -> &str {
        self.pages.name()
    }
}

/// Evaluates all rows of a file that has only single puts, and returns the pages that were asked for.
fn evaluate_all(opened: &Opened, sink: &mut RecordingSink) -> Vec<PageAt> {
    let pages = Arc::new(WatchedPages { pages: opened.pages.clone(), asked: Mutex::default() });
    let mut cursor =
        FileCursor::new(Arc::clone(&opened.file), Arc::clone(&pages) as _, &CursorOptions::default());
    cursor.seek_first().unwrap();
    while cursor.row().is_some() {
        assert!(cursor.fast_rows(None, sink).unwrap() > 0, "a row is left to the walk");
    }
    pages.asked.lock().unwrap().clone()
}

fn dense_file() -> Opened {
    let plain = Kind {
        dense: true,
        versions: false,
        deletes: false,
        family_deletes: false,
        tags: false,
        rare: false,
    };
    open(write(&cells(1, plain), &small_pages(100), FinishInfo::default()).0).unwrap()
}

fn sink(qualifier: &str, low: &[u8], high: &[u8]) -> RecordingSink {
    RecordingSink {
        qualifier: qualifier.to_string(),
        low: low.to_vec(),
        high: high.to_vec(),
        missing: true,
        rows_max: usize::MAX,
        taken: 0,
        kept: Vec::new(),
        begun: 0,
        dropped: 0,
        looks: Count::new(0),
    }
}

#[test]
fn a_row_group_whose_values_are_out_of_bounds_is_passed_over_unread() {
    let opened = dense_file();
    // Values of q3 rise with the rows: row 555 of ten groups of a hundred rows.
    let (low, high) = ((555u64 * 3).to_be_bytes(), (556u64 * 3).to_be_bytes());
    let mut one = sink("q3", &low, &high);
    let asked = evaluate_all(&opened, &mut one);
    assert_eq!((one.kept.len() as u64, one.dropped), (COLUMNS, ROWS - 1));
    let mut all = sink("q5", b"the same", b"the same!");
    let of_all = evaluate_all(&opened, &mut all);
    assert_eq!(all.kept.len() as u64, ROWS * COLUMNS);
    // The first group is entered before its predicate is evaluated; the sixth has the row.
    assert!(asked.len() * 4 < of_all.len(), "{} pages of {}", asked.len(), of_all.len());
}

#[test]
fn rows_that_are_dropped_cost_pages_of_the_predicate_column_alone() {
    let opened = dense_file();
    // Within the bounds of every group, but the value of no row.
    let mut none = sink("q2", b"no!", b"no\"");
    let asked = evaluate_all(&opened, &mut none);
    assert_eq!((none.kept.len(), none.dropped), (0, ROWS));
    let columns = asked.iter().filter(|at| at.kind == PageKind::Column).count();
    // One page of q2 in each group of a hundred rows, and the first column's, where each group is entered.
    assert_eq!(columns, 2 * (ROWS / 100) as usize);
    // Three strings in each dictionary, and two rows looked at by themselves.
    assert!(none.looks.get() <= (3 + 2) * (ROWS / 100), "{} looks", none.looks.get());
}

/// As many cells as rows do not make a column one that every row has.
#[test]
fn a_row_without_the_column_is_kept_where_another_has_two_versions() {
    let put = |row: u64, qualifier: &str, version| {
        Cell::put(&format!("row{row:05}"), qualifier, version, &value(1, row, 0))
    };
    let versions = |row: u64| match row {
        77 => 0..0,
        78 => 0..2,
        _ => 0..1,
    };
    let row = |row: u64| versions(row).map(move |v| put(row, "predicate", v)).chain([put(row, "other", 0)]);
    let cells = sorted((0..100).flat_map(row).collect(), RowOrder::Bytes);
    let opened = open(write(&cells, &small_pages(100), FinishInfo::default()).0).unwrap();
    let mut none = sink("predicate", &[200], &[201]);
    let mut cursor = opened.cursor(&CursorOptions::default());
    cursor.seek_first().unwrap();
    while cursor.row().is_some() {
        if cursor.fast_rows(None, &mut none).unwrap() == 0 {
            walk_row(&mut cursor, &mut none);
        }
    }
    assert_eq!((none.kept, none.dropped), (vec![put(77, "other", 0)], 99));
}
