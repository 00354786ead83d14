use std::collections::BTreeMap;

use grampus_cells::{RowCursor, SeekTarget};

use super::*;

fn cell<'a>(row: &'a [u8], qualifier: &'a [u8], timestamp: i64, sequence: u64) -> CellRef<'a> {
    CellRef { row, qualifier, timestamp, cell_type: CellType::PUT, value: row, tags: &[], sequence }
}

fn walk(table: &Arc<Memtable>, reversed: bool) -> Vec<(Vec<u8>, Vec<u8>, u64)> {
    let mut cursor = table.cursor(u64::MAX, reversed);
    cursor.seek(SeekTarget::Start).unwrap();
    let mut seen = Vec::new();
    while cursor.row().is_some() {
        while let Some(cell) = cursor.cell() {
            seen.push((cell.row.to_vec(), cell.qualifier.to_vec(), cell.sequence));
            cursor.next_cell().unwrap();
        }
        cursor.next_row().unwrap();
    }
    seen
}

#[test]
fn random_inserts_come_out_sorted_in_both_directions() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut keys = Vec::new();
    let mut inserter = table.inserter();
    for n in 0..3000u64 {
        let row = format!("r{:04}", (n * 7919) % 701).into_bytes();
        let qualifier = format!("q{}", n % 3).into_bytes();
        inserter.insert(&cell(&row, &qualifier, 5, n));
        keys.push((row, qualifier, n));
    }
    inserter.settle();
    keys.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)).then(b.2.cmp(&a.2)));
    assert_eq!(walk(&table, false), keys);
    let mut rows: Vec<Vec<u8>> = walk(&table, true).into_iter().map(|k| k.0).collect();
    rows.dedup();
    let mut expected: Vec<Vec<u8>> = keys.iter().map(|k| k.0.clone()).collect();
    expected.dedup();
    expected.reverse();
    assert_eq!(rows, expected);
    assert_eq!((table.cell_count(), table.min_sequence(), table.max_sequence()), (3000, Some(0), 2999));
}

#[test]
fn of_equal_keys_the_later_insert_is_seen_first() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut inserter = table.inserter();
    for value in [&b"old"[..], b"new"] {
        let mut cell = cell(b"r", b"q", 1, 1);
        cell.value = value;
        inserter.insert(&cell);
    }
    let mut cursor = table.cursor(u64::MAX, false);
    cursor.seek(SeekTarget::Start).unwrap();
    assert_eq!(cursor.cell().unwrap().value, b"new");
}

#[test]
fn concurrent_writers_lose_nothing() {
    let table = Memtable::new(RowOrder::Bytes);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let table = table.clone();
            scope.spawn(move || {
                let mut inserter = table.inserter();
                for n in 0..2000u64 {
                    let row = format!("r{:05}", (n * 31) % 2000).into_bytes();
                    inserter.insert(&cell(&row, b"q", 1, n * 4 + thread));
                }
            });
        }
    });
    let seen = walk(&table, false);
    assert_eq!(seen.len(), 8000);
    assert!(
        seen.windows(2).all(|w| (&w[0].0, std::cmp::Reverse(w[0].2)) < (&w[1].0, std::cmp::Reverse(w[1].2)))
    );
}

#[test]
fn a_read_point_hides_later_cells_and_columns_can_be_skipped() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut inserter = table.inserter();
    for n in 0..100u64 {
        inserter.insert(&cell(b"r", format!("q{n:02}").as_bytes(), 1, n));
    }
    inserter.insert(&cell(b"s", b"q", 1, 200));
    let mut cursor = table.cursor(50, false);
    cursor.seek(SeekTarget::AtOrAfter(b"r")).unwrap();
    cursor.skip_column(b"q40").unwrap();
    assert_eq!(cursor.cell().unwrap().qualifier, b"q41");
    cursor.seek_column(b"q49z").unwrap();
    assert_eq!(cursor.cell().unwrap().qualifier, b"q50");
    cursor.next_cell().unwrap();
    assert!(cursor.cell().is_none());
    cursor.next_row().unwrap();
    assert!(cursor.row().is_none(), "row s is above the read point");
}

/// What a forward and a reversed seek find, as in `rows`.
fn assert_seeks_like(table: &Arc<Memtable>, rows: &BTreeMap<Vec<u8>, u64>, wanted: &[u8]) {
    let seen = |reversed| {
        let mut cursor = table.cursor(u64::MAX, reversed);
        cursor.seek(SeekTarget::AtOrAfter(wanted)).unwrap();
        cursor.cell().map(|cell| (cell.row.to_vec(), cell.sequence))
    };
    let owned = |found: Option<(&Vec<u8>, &u64)>| found.map(|(row, sequence)| (row.clone(), *sequence));
    assert_eq!(seen(false), owned(rows.range(wanted.to_vec()..).next()), "at or after {wanted:?}");
    assert_eq!(seen(true), owned(rows.range(..=wanted.to_vec()).next_back()), "at or before {wanted:?}");
}

#[test]
fn searches_by_hints_find_what_a_map_has() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut rows = BTreeMap::new();
    for n in 0..30_000u64 {
        // More and more rows, each several times, so that hints are used, drift away from their rows and are outgrown.
        let pick = |salt: u64| (n.wrapping_mul(salt) >> 7) % (n / 4 + 1);
        let row = format!("r{:06}", pick(0x9E37_79B9_7F4A_7C15) * 7919 % 100_003).into_bytes();
        table.inserter().insert(&cell(&row, b"q", 1, n));
        rows.insert(row.clone(), n);
        if n % 3 == 0 {
            assert_seeks_like(&table, &rows, &row);
            let other = format!("r{:06}", pick(0xBF58_476D_1CE4_E5B9) * 31 % 100_003).into_bytes();
            assert_seeks_like(&table, &rows, &other);
        }
    }
    assert!(table.hint_place(b"r").is_some(), "hints were in use");
    assert_eq!(walk(&table, false).len(), 30_000);
    for row in rows.keys() {
        assert_seeks_like(&table, &rows, row);
    }
}

#[test]
fn a_wrong_hint_costs_a_search_and_nothing_else() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut rows = BTreeMap::new();
    for n in 0..5000u64 {
        let row = format!("r{n:05}").into_bytes();
        table.inserter().insert(&cell(&row, b"q", 1, n));
        rows.insert(row, n);
    }
    let (first, last) = (table.first(), table.last().unwrap());
    for (n, hint) in [(0u64, last), (4999, first), (2500, last), (2500, first), (2500, table.head)] {
        let row = format!("r{n:05}").into_bytes();
        table.hint_place(&row).unwrap().record(hint);
        assert_seeks_like(&table, &rows, &row);
        table.hint_place(&row).unwrap().record(hint);
        table.inserter().insert(&cell(&row, b"q", 1, 10_000 + n));
        rows.insert(row.clone(), 10_000 + n);
        assert_seeks_like(&table, &rows, &row);
    }
    assert!(walk(&table, false).windows(2).all(|w| (&w[0].0, w[1].2) <= (&w[1].0, w[0].2)));
}

#[test]
fn hints_are_counted_with_the_bytes() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut counted = 0;
    for n in 0..20_000u64 {
        let mut inserter = table.inserter();
        inserter.insert(&cell(&n.to_be_bytes(), b"q", 1, n));
        counted += inserter.settle();
    }
    assert_eq!(table.bytes(), counted);
    let hints = (4096 + 16_384) * size_of::<usize>();
    assert!(counted >= 20_000 * (HEADER_BYTES + LINK_BYTES + 17) + hints, "{counted} hold {hints} of hints");
}

#[test]
fn writers_and_readers_of_the_same_rows_share_hints() {
    let table = Memtable::new(RowOrder::Bytes);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let table = &table;
            scope.spawn(move || {
                for n in 0..10_000u64 {
                    let row = (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55).to_be_bytes();
                    let sequence = n * 4 + thread;
                    table.inserter().insert(&cell(&row, b"q", 1, sequence));
                    let mut cursor = table.cursor(u64::MAX, false);
                    cursor.seek(SeekTarget::AtOrAfter(&row)).unwrap();
                    let found = cursor.cell().unwrap();
                    assert!(
                        found.row == row && found.sequence >= sequence,
                        "row {row:?} has lost {sequence}"
                    );
                }
            });
        }
    });
    let seen = walk(&table, false);
    assert_eq!(seen.len(), 40_000);
    assert!(
        seen.windows(2).all(|w| (&w[0].0, std::cmp::Reverse(w[0].2)) < (&w[1].0, std::cmp::Reverse(w[1].2)))
    );
}
