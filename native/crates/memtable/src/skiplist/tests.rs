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
    inserter.publish();
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

/// The newest cell of each row, in the table's order.
struct Rows {
    order: RowOrder,
    newest: Vec<(Vec<u8>, u64)>,
}

impl Rows {
    fn new(order: RowOrder) -> Rows {
        Rows { order, newest: Vec::new() }
    }

    fn place(&self, row: &[u8]) -> Result<usize, usize> {
        self.newest.binary_search_by(|(other, _)| self.order.compare(other, row))
    }

    fn put(&mut self, row: &[u8], sequence: u64) {
        match self.place(row) {
            Ok(at) => self.newest[at].1 = sequence,
            Err(at) => self.newest.insert(at, (row.to_vec(), sequence)),
        }
    }

    /// A forward and a reversed seek to a row find what is here.
    fn assert_seeks(&self, table: &Arc<Memtable>, row: &[u8]) {
        let found = |reversed| {
            let mut cursor = table.cursor(u64::MAX, reversed);
            cursor.seek(SeekTarget::AtOrAfter(row)).unwrap();
            cursor.cell().map(|cell| (cell.row.to_vec(), cell.sequence))
        };
        let (after, last) = match self.place(row) {
            Ok(at) => (Some(at), Some(at)),
            Err(at) => (Some(at), at.checked_sub(1)),
        };
        let here = |at: Option<usize>| at.and_then(|at| self.newest.get(at)).cloned();
        assert_eq!(found(false), here(after), "at or after {row:?}");
        assert_eq!(found(true), here(last), "at or before {row:?}");
    }
}

fn hints_used(table: &Memtable) -> usize {
    table.hints_used.load(Ordering::Relaxed)
}

fn scattered(n: u64, salt: u64) -> u64 {
    n.wrapping_mul(salt) >> 7
}

#[test]
fn searches_by_hints_find_what_a_sorted_list_has() {
    for order in [RowOrder::Bytes, RowOrder::Meta] {
        let table = Memtable::new(order);
        let mut rows = Rows::new(order);
        // More and more rows, each several times, so that hints are used, drift away from their rows and are outgrown.
        let row =
            |n: u64, salt: u64| format!("t{},{}", n % 3, scattered(n, salt) % (n / 4 + 1) * 7919 % 100_003);
        for n in 0..20_000u64 {
            let wanted = row(n, 0x9E37_79B9_7F4A_7C15);
            table.inserter().insert(&cell(wanted.as_bytes(), b"q", 1, n));
            rows.put(wanted.as_bytes(), n);
            if n % 3 == 0 {
                rows.assert_seeks(&table, wanted.as_bytes());
                rows.assert_seeks(&table, row(n, 0xBF58_476D_1CE4_E5B9).as_bytes());
            }
        }
        assert_eq!(walk(&table, false).len(), 20_000);
        rows.newest.iter().for_each(|(row, _)| rows.assert_seeks(&table, row));
        assert!(hints_used(&table) > 10_000, "{} searches of {order:?} began at hints", hints_used(&table));
    }
}

#[test]
fn edits_of_several_cells_begin_at_hints_and_walk_no_level_from_its_head() {
    const EDITS: u64 = 2000;
    let table = Memtable::new(RowOrder::Bytes);
    let row = |n: u64| (scattered(n, 0x9E37_79B9_7F4A_7C15) % 50_000).to_be_bytes();
    for n in 0..50_000u64 {
        table.inserter().insert(&cell(&row(n), b"q0", 1, n));
    }
    let mut keys: Vec<_> = walk(&table, false);
    let (used, steps) = (hints_used(&table), table.steps.load(Ordering::Relaxed));
    for n in 0..EDITS {
        let (row, sequence) = (row(n * 17), 100_000 + n);
        let mut cursor = table.cursor(u64::MAX, false);
        cursor.seek(SeekTarget::AtOrAfter(&row)).unwrap();
        let mut inserter = table.inserter();
        // A marker, which sorts before the row's cells, old and new columns, and a column out of order.
        for qualifier in ["", "q0", "q1", "q2", "q3", "q4", "q5", "a"] {
            inserter.insert(&cell(&row, qualifier.as_bytes(), 1, sequence));
            keys.push((row.to_vec(), qualifier.as_bytes().to_vec(), sequence));
        }
    }
    keys.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)).then(b.2.cmp(&a.2)));
    assert!(walk(&table, false) == keys, "each cell is in its place");
    // A new node of more than one level, one in four, has no use for a hint.
    let used = hints_used(&table) - used;
    assert!(used > EDITS as usize * 7 / 10, "{used} of {EDITS} edits began at hints");
    let steps = (table.steps.load(Ordering::Relaxed) - steps) / EDITS as usize;
    assert!(steps < 200, "an edit looked at {steps} nodes");
}

#[test]
fn a_wrong_hint_costs_a_search_and_nothing_else() {
    let table = Memtable::new(RowOrder::Bytes);
    let mut rows = Rows::new(RowOrder::Bytes);
    let row = |n: u64| format!("r{n:05}").into_bytes();
    for n in 0..5000u64 {
        table.inserter().insert(&cell(&row(n), b"q", 1, n));
        rows.put(&row(n), n);
    }
    let (first, last) = (table.first(), table.last().unwrap());
    let mut sequences = 10_000..;
    for (n, hint) in [(0, last), (4999, first), (2500, last), (2500, first), (2500, table.head)] {
        for sequence in sequences.by_ref().take(20) {
            table.hint_place(&row(n)).unwrap().record(hint);
            rows.assert_seeks(&table, &row(n));
            table.hint_place(&row(n)).unwrap().record(hint);
            table.inserter().insert(&cell(&row(n), b"q", 1, sequence));
            rows.put(&row(n), sequence);
        }
        rows.assert_seeks(&table, &row(n));
    }
    let seen = walk(&table, false);
    assert_eq!(seen.len(), 5100);
    assert!(seen.windows(2).all(|w| w[0].0 <= w[1].0));
}

#[test]
fn what_is_published_is_what_the_table_takes_whatever_threads_raise_it() {
    for _ in 0..200 {
        let table = Memtable::new(RowOrder::Bytes);
        let write = |thread: u64| {
            let insert_one = |n: u64| {
                let mut inserter = table.inserter();
                inserter.insert(&cell(&(n * 4 + thread).to_be_bytes(), b"q", 1, n));
                inserter.publish()
            };
            (0..1100).map(insert_one).sum::<usize>()
        };
        let counted: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || write(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(table.hint_place(b"r").is_some(), "4,400 cells have hints");
        assert_eq!(table.bytes(), counted);
    }
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
    assert!(hints_used(&table) > 0);
    let seen = walk(&table, false);
    assert_eq!(seen.len(), 40_000);
    assert!(
        seen.windows(2).all(|w| (&w[0].0, std::cmp::Reverse(w[0].2)) < (&w[1].0, std::cmp::Reverse(w[1].2)))
    );
}
