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
