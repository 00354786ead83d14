//! Random cells come back from a file, whatever the layout, direction, projection, range and seek.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_base::RandomRead;
use grampus_cells::{CellType, Direction, RowBound, RowOrder, RowRange};
use grampus_colfile::{
    Access, BloomKind, ColumnFile, Compression, CursorOptions, DirectPages, FileCursor, FinishInfo, Page,
    PageAt, PageSource, Result, WriterOptions, verify,
};
use proptest::prelude::*;

use crate::common::{self, Cell, Memory, cell, open, rest, sorted, write};

fn options() -> impl Strategy<Value = WriterOptions> {
    let order = prop_oneof![3 => Just(RowOrder::Bytes), 1 => Just(RowOrder::Meta)];
    let bloom = prop_oneof![
        Just(BloomKind::None),
        Just(BloomKind::Row),
        Just(BloomKind::RowCol),
        (0u32..4).prop_map(BloomKind::RowPrefix)
    ];
    let codec = (0usize..5).prop_map(|i| Compression::ALL[i]);
    let rows = prop_oneof![Just(1u32), Just(7), Just(16_384)];
    let column_bytes = prop_oneof![Just(0u64), Just(100), Just(1 << 40)];
    (order, bloom, codec, prop_oneof![Just(64u32), Just(512), Just(65_536)], rows, column_bytes).prop_map(
        |(row_order, bloom, compression, block_size, row_group_rows_max, column_bytes_min)| WriterOptions {
            row_order,
            bloom,
            compression,
            block_size,
            row_group_rows_max,
            column_bytes_min,
            ..WriterOptions::default()
        },
    )
}

fn options_and_cells() -> impl Strategy<Value = (WriterOptions, Vec<Cell>)> {
    options().prop_flat_map(|o| {
        let order = o.row_order;
        let cells = prop::collection::vec(cell(order), 0..250);
        let cells = (cells, 0u8..3).prop_map(move |(c, sharing)| sorted(share(c, sharing), order));
        (Just(o), cells)
    })
}

/// Gives the cells of a row one version, as a put does: none of them, all, or all but every seventh.
fn share(mut cells: Vec<Cell>, sharing: u8) -> Vec<Cell> {
    for (index, cell) in cells.iter_mut().enumerate() {
        if sharing == 1 || (sharing == 2 && index % 7 > 0) {
            let of_row = cell.row.iter().map(|byte| u64::from(*byte)).sum::<u64>() % 50;
            (cell.timestamp, cell.sequence) = (of_row as i64 / 9, of_row);
        }
    }
    cells
}

/// Rows in the walk's order, each with its cells in normal order.
fn walked(cells: &[Cell], direction: Direction) -> Vec<Cell> {
    let mut rows: Vec<&[Cell]> = cells.chunk_by(|a, b| a.row == b.row).collect();
    if direction == Direction::Reverse {
        rows.reverse();
    }
    rows.concat()
}

fn bound(kind: u8, row: &[u8]) -> RowBound<'_> {
    match kind {
        0 => RowBound::Unbounded,
        1 => RowBound::Included(row),
        _ => RowBound::Excluded(row),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_written_file_verifies((options, cells) in options_and_cells()) {
        let (bytes, _) = write(&cells, &options, FinishInfo { max_sequence: 60, ..FinishInfo::default() });
        let source: Arc<dyn RandomRead> = Arc::new(Memory(bytes));
        let file = Arc::new(ColumnFile::open(&source).unwrap());
        let verified = verify::verify(&file, &source).map(|_| ()).map_err(|e| e.to_string());
        prop_assert_eq!(verified, Ok(()));
    }

    #[test]
    fn a_scan_returns_every_cell_in_either_direction((options, cells) in options_and_cells()) {
        let (bytes, summary) = write(&cells, &options, FinishInfo { max_sequence: 60, ..FinishInfo::default() });
        let opened = open(bytes).unwrap();
        for direction in [Direction::Forward, Direction::Reverse] {
            let found = opened.scan(&CursorOptions { direction, ..CursorOptions::default() }).unwrap();
            prop_assert_eq!(found, walked(&cells, direction));
        }
        prop_assert_eq!(summary.stats.cells, cells.len() as u64);
        prop_assert_eq!(opened.file.max_sequence(), 60);
        prop_assert_eq!(opened.file.first_row(), cells.first().map(|c| c.row.as_slice()));
        prop_assert_eq!(opened.file.last_row(), cells.last().map(|c| c.row.as_slice()));
    }

    #[test]
    fn a_projected_scan_of_a_range_returns_what_was_asked_for(
        (options, cells) in options_and_cells(),
        wanted in prop::collection::btree_set(prop_oneof![Just(b"a".to_vec()), Just(b"bb".to_vec()), Just(vec![]), prop::collection::vec(any::<u8>(), 1..3)], 0..4),
        bounds in (0u8..3, 0u8..3, any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        reverse in any::<bool>(),
    ) {
        let order = options.row_order;
        let (bytes, _) = write(&cells, &options, FinishInfo::default());
        let opened = open(bytes).unwrap();
        let rows: Vec<&[u8]> = cells.iter().map(|c| c.row.as_slice()).chain([&b"t1,b,2"[..]]).collect();
        let range = RowRange { start: bound(bounds.0, rows[bounds.2.index(rows.len())]), end: bound(bounds.1, rows[bounds.3.index(rows.len())]) };
        let wanted: Vec<&[u8]> = wanted.iter().map(Vec::as_slice).collect();
        let direction = if reverse { Direction::Reverse } else { Direction::Forward };
        let found = opened.scan(&CursorOptions { direction, projection: Some(&wanted), rows: range, ..CursorOptions::default() }).unwrap();
        let expected: Vec<Cell> = cells.iter()
            .filter(|c| range.contains(&c.row, order))
            .filter(|c| c.cell_type.is_family_delete() || wanted.contains(&c.qualifier.as_slice()))
            .cloned().collect();
        prop_assert_eq!(found, walked(&expected, direction));
    }

    #[test]
    fn seeks_land_where_the_order_says(
        (options, cells) in options_and_cells(),
        targets in prop::collection::vec((cell(RowOrder::Bytes), any::<prop::sample::Index>(), any::<bool>(), any::<bool>()), 1..8),
        reverse in any::<bool>(),
    ) {
        let order = options.row_order;
        let (bytes, _) = write(&cells, &options, FinishInfo::default());
        let opened = open(bytes).unwrap();
        let direction = if reverse { Direction::Reverse } else { Direction::Forward };
        let mut cursor = opened.cursor(&CursorOptions { direction, ..CursorOptions::default() });
        for (other, index, existing, after) in targets {
            let target = if existing && !cells.is_empty() { index.get(&cells).row.clone() } else { other.row };
            cursor.seek(&target, after).unwrap();
            let wanted: Vec<Cell> = cells.iter().filter(|c| {
                let place = order.compare(&c.row, &target);
                let place = if reverse { place.reverse() } else { place };
                place.is_gt() || (!after && place.is_eq())
            }).cloned().collect();
            let expected = walked(&wanted, direction);
            prop_assert_eq!(cursor.row(), expected.first().map(|c| c.row.as_slice()));
            prop_assert_eq!(rest(&mut cursor).unwrap(), expected);
        }
    }

    #[test]
    fn skipping_a_column_passes_exactly_its_cells((options, cells) in options_and_cells(), upto in prop_oneof![Just(b"".to_vec()), Just(b"a".to_vec()), Just(b"b".to_vec())]) {
        let (bytes, _) = write(&cells, &options, FinishInfo::default());
        let mut cursor = open(bytes).unwrap().cursor(&CursorOptions::default());
        cursor.seek_first().unwrap();
        let mut found = Vec::new();
        while cursor.row().is_some() {
            cursor.skip_column(&upto).unwrap();
            while let Some(cell) = cursor.cell() {
                found.push(Cell::of(cell));
                cursor.next_cell().unwrap();
            }
            cursor.next_row().unwrap();
        }
        let expected: Vec<Cell> = cells.iter().filter(|c| c.qualifier > upto).cloned().collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn rows_have_their_rank((options, cells) in options_and_cells()) {
        let (bytes, _) = write(&cells, &options, FinishInfo::default());
        let opened = open(bytes).unwrap();
        let rows: Vec<&[u8]> = cells.chunk_by(|a, b| a.row == b.row).map(|c| c[0].row.as_slice()).collect();
        for (rank, row) in rows.iter().enumerate() {
            prop_assert_eq!(opened.file.rank(row, &*opened.pages, Access::CACHED).unwrap(), rank as u64);
            let found = opened.file.row_at(rank as u64, &*opened.pages, Access::CACHED).unwrap();
            prop_assert_eq!(found.as_deref(), Some(*row));
        }
        prop_assert_eq!(opened.file.row_at(rows.len() as u64, &*opened.pages, Access::CACHED).unwrap(), None);
        let mut by_rank = opened.file.rows_by_rank(&*opened.pages, Access::READ_THROUGH);
        for (rank, row) in rows.iter().enumerate().step_by(3).chain(rows.iter().enumerate().rev()) {
            prop_assert_eq!(by_rank.row(rank as u64).unwrap(), Some(*row));
        }
        prop_assert_eq!(by_rank.row(rows.len() as u64).unwrap(), None);
        prop_assert_eq!(by_rank.row(0).unwrap(), rows.first().copied());
    }

    #[test]
    fn bloom_filters_never_deny_what_is_there((options, cells) in options_and_cells()) {
        let (bytes, _) = write(&cells, &options, FinishInfo::default());
        let opened = open(bytes).unwrap();
        for cell in &cells {
            prop_assert!(opened.file.may_contain_row(&cell.row, &*opened.pages, Access::CACHED).unwrap().is_possible());
            let qualifier: &[u8] = if cell.cell_type.is_family_delete() { b"any" } else { &cell.qualifier };
            prop_assert!(opened.file.may_contain_row_col(&cell.row, qualifier, &*opened.pages, Access::CACHED).unwrap().is_possible());
            let onwards = [cell.row.as_slice(), &[0]].concat();
            for end in [RowBound::Unbounded, RowBound::Included(&cell.row), RowBound::Excluded(&onwards)] {
                let range = RowRange { start: RowBound::Included(&cell.row), end };
                prop_assert!(opened.file.may_contain_range(range, &*opened.pages, Access::CACHED).unwrap().is_possible());
            }
        }
    }
}

#[test]
fn a_bloom_filter_denies_most_rows_that_are_not_there() {
    let cells: Vec<Cell> = (0..2000).map(|n| Cell::put(&format!("{:05}", n * 2), "q", 1, b"v")).collect();
    let (bytes, _) = write(&cells, &WriterOptions::default(), FinishInfo::default());
    let opened = open(bytes).unwrap();
    let asked =
        |n: u32| opened.file.may_contain_row(format!("{n:05}").as_bytes(), &*opened.pages, Access::CACHED);
    let wrong = (0..2000).filter(|n| asked(n * 2 + 1).unwrap().is_possible()).count();
    assert!(wrong < 60, "{wrong} of 2000");
}

#[test]
fn a_prefix_filter_denies_scans_within_a_prefix_that_is_not_there() {
    let options = WriterOptions { bloom: BloomKind::RowPrefix(4), ..WriterOptions::default() };
    let cells: Vec<Cell> = (0..2000).map(|n| Cell::put(&format!("{:04}-{n}", n * 2), "q", 1, b"v")).collect();
    let (bytes, _) = write(&cells, &options, FinishInfo::default());
    let opened = open(bytes).unwrap();
    let asked = |n: u32| {
        let (from, to) = (format!("{n:04}-"), format!("{n:04}."));
        let rows =
            RowRange { start: RowBound::Included(from.as_bytes()), end: RowBound::Excluded(to.as_bytes()) };
        opened.file.may_contain_range(rows, &*opened.pages, Access::CACHED).unwrap().is_possible()
    };
    assert!((0..2000).all(|n| asked(n * 2)));
    let wrong = (0..2000).filter(|n| asked(n * 2 + 1)).count();
    assert!(wrong < 60, "{wrong} of 2000");
}

#[test]
fn cells_out_of_order_are_refused() {
    let mut writer = grampus_colfile::ColumnFileWriter::new(Vec::new(), WriterOptions::default()).unwrap();
    writer.append(Cell::put("b", "q", 5, b"").borrow()).unwrap();
    assert!(writer.append(Cell::put("b", "q", 6, b"").borrow()).is_err());
    assert!(writer.append(Cell::put("a", "q", 5, b"").borrow()).is_err());
    assert!(writer.append(Cell::put("", "q", 5, b"").borrow()).is_err());
}

#[test]
fn an_empty_file_keeps_what_it_covers() {
    let finish =
        FinishInfo { max_sequence: 77, major: true, compaction_inputs: vec!["aa".into(), "bb".into()] };
    let (bytes, summary) = write(&[], &WriterOptions::default(), finish);
    let opened = open(bytes).unwrap();
    assert_eq!((summary.rows, opened.file.rows()), (0, 0));
    assert_eq!(opened.file.max_sequence(), 77);
    assert!(opened.file.is_major());
    assert_eq!(opened.file.compaction_inputs(), ["aa", "bb"]);
    assert_eq!(opened.scan(&CursorOptions::default()).unwrap(), []);
}

/// Counts the pages that are asked for.
struct Counting(Arc<DirectPages>, AtomicU64);

impl Counting {
    fn over(opened: &common::Opened) -> Arc<Counting> {
        Arc::new(Counting(opened.pages.clone(), AtomicU64::new(0)))
    }

    fn count(&self) -> u64 {
        self.1.load(Ordering::Relaxed)
    }
}

impl PageSource for Counting {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.page(at, access)
    }

    fn name(&self) -> &str {
        "counting"
    }
}

#[test]
fn a_scan_reads_only_the_pages_of_its_columns() {
    let value = [7u8; 200];
    let cells: Vec<Cell> = (0..1000)
        .flat_map(|n| ["a", "b", "c"].map(|q| Cell::put(&format!("{n:05}"), q, n, &value)))
        .enumerate()
        .map(|(n, mut cell)| {
            cell.value[n % 200] = n as u8;
            cell
        })
        .collect();
    let (bytes, _) =
        write(&cells, &WriterOptions { block_size: 8192, ..WriterOptions::default() }, FinishInfo::default());
    let opened = open(bytes).unwrap();
    let counting = Counting::over(&opened);
    let one: [&[u8]; 1] = [b"b"];
    let point = CursorOptions {
        projection: Some(&one),
        rows: RowRange::single(b"00500"),
        ..CursorOptions::default()
    };
    let mut cursor = FileCursor::new(opened.file.clone(), counting.clone(), &point);
    cursor.seek_first().unwrap();
    assert_eq!(cursor.cell().map(|c| c.timestamp), Some(500));
    cursor.next_row().unwrap();
    assert_eq!(cursor.row(), None);
    assert_eq!(counting.count(), 2, "one row-key page and one column page");
}

#[test]
fn a_column_of_a_very_wide_row_is_found_without_walking_the_row() {
    let qualifier = |n: usize| format!("q{n:06}");
    let mut cells: Vec<Cell> =
        (0..20_000).map(|n| Cell::put("wide", &qualifier(n * 2), 1, b"0123456789abcdef")).collect();
    cells.extend((0..5_000).map(|version| Cell::put("wide", &qualifier(7_000), version + 2, b"version")));
    cells.push(Cell::put("x", "a", 1, b"v"));
    let cells = sorted(cells, RowOrder::Bytes);
    let (bytes, _) =
        write(&cells, &WriterOptions { block_size: 4096, ..WriterOptions::default() }, FinishInfo::default());
    let opened = open(bytes).unwrap();
    for wanted in
        [vec![7_000], vec![0], vec![39_998], vec![3, 6_998, 7_000, 7_002, 20_001, 39_998], vec![99_999]]
    {
        let names: Vec<String> = wanted.iter().map(|n| qualifier(*n)).collect();
        let names: Vec<&[u8]> = names.iter().map(|n| n.as_bytes()).collect();
        let options = CursorOptions { projection: Some(&names), ..CursorOptions::default() };
        let expected: Vec<Cell> =
            cells.iter().filter(|c| names.contains(&c.qualifier.as_slice())).cloned().collect();
        assert_eq!(opened.scan(&options).unwrap(), expected, "{wanted:?}");
    }
    let deep = qualifier(30_000);
    let deep: [&[u8]; 1] = [deep.as_bytes()];
    let point = CursorOptions {
        projection: Some(&deep),
        rows: RowRange::single(b"wide"),
        ..CursorOptions::default()
    };
    let counting = Counting::over(&opened);
    let mut cursor = FileCursor::new(opened.file.clone(), counting.clone(), &point);
    cursor.seek_first().unwrap();
    assert_eq!(cursor.cell().map(|c| c.qualifier), Some(deep[0]));
    assert!(
        counting.count() <= 3,
        "row keys, the row's first page and the cell's page: {}",
        counting.count()
    );
}

#[test]
fn row_groups_without_a_wanted_timestamp_are_passed_over() {
    let mut cells: Vec<Cell> = (0..30).map(|n| Cell::put(&format!("{n:02}"), "q", n, b"v")).collect();
    cells[25].cell_type = CellType::DELETE_COLUMN;
    let options = WriterOptions { row_group_rows_max: 10, ..WriterOptions::default() };
    let (bytes, _) = write(&cells, &options, FinishInfo::default());
    let found =
        open(bytes).unwrap().scan(&CursorOptions { times: (0, 9), ..CursorOptions::default() }).unwrap();
    assert_eq!(found, [&cells[..10], &cells[20..]].concat(), "the covering marker keeps its row group");
}
