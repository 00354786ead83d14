//! The engine through its public calls.

use grampus_engine::ScanLimits;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, bytes, column_condition};

use crate::common::{self, NO_LIMITS, next, start};

fn values(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(|c| String::from_utf8_lossy(&c.value).into_owned()).collect()
}

fn long(n: i64) -> [u8; 8] {
    n.to_be_bytes()
}

const LATEST: i64 = i64::MAX;

#[test]
fn get_sees_its_own_put() {
    let f = start(&[("f", "")]);
    f.put(Cell::put("r", "f", "q", 5, "v"));
    assert_eq!(f.get(&Spec::get("r")), vec![Cell::put("r", "f", "q", 5, "v")]);
    assert_eq!(f.get(&Spec::get("s")), vec![]);
    assert_eq!(f.get(&Spec::get("r").column("f", "other")), vec![]);
}

#[test]
fn families_come_in_byte_order_and_unknown_ones_are_refused_one_by_one() {
    let f = start(&[("b", ""), ("a", "")]);
    let batch = Batch::new()
        .row_op(RowOp::put(&[Cell::put("r", "b", "q", 1, "1"), Cell::put("r", "a", "q", 1, "2")]))
        .row_op(RowOp::put(&[Cell::put("r", "c", "q", 1, "3")]))
        .row_op(RowOp::put(&[Cell::put("s", "a", "q", 1, "4")]));
    let answers = f.mutate(&batch);
    assert_eq!((&answers[0], &answers[2]), (&Answer::Done, &Answer::Done));
    assert!(matches!(&answers[1], Answer::Failed(2, _)));
    assert_eq!(values(&f.scan(&Spec::scan())), ["2", "1", "4"]);
}

#[test]
fn the_server_gives_timestamps_and_a_delete_of_the_latest_reads_first() {
    let f = start(&[("f", "\"maxVersions\":3")]);
    for (ts, value) in [(10, "a"), (20, "b"), (30, "c")] {
        f.put(Cell::put("r", "f", "q", ts, value));
    }
    f.mutate(&Batch::new().row_op(RowOp::delete(&[Cell::new("r", "f", "q", LATEST, 8, "")])));
    assert_eq!(values(&f.get(&Spec::get("r").versions(3))), ["b", "a"]);
    f.put(Cell::put("r", "f", "now", LATEST, "x"));
    let stamp = f.get(&Spec::get("r").column("f", "now"))[0].timestamp;
    assert_eq!(stamp, f.env.now_millis().min(stamp));
    f.mutate(&Batch::new().row_op(RowOp::delete(&[Cell::new("r", "f", "", 25, 14, "")])));
    assert_eq!(values(&f.get(&Spec::get("r").versions(3))), ["x"]);
}

#[test]
fn increments_add_and_appends_concatenate() {
    let f = start(&[("f", "")]);
    let add = |n: i64| Batch::new().row_op(RowOp::increment(0, &[Cell::put("r", "f", "n", LATEST, long(n))]));
    for (delta, sum) in [(5, 5), (-7, -2), (i64::MAX, i64::MAX - 2), (3, i64::MIN)] {
        let Answer::Cells(cells) = &f.mutate(&add(delta))[0] else { panic!("no cells") };
        assert_eq!(cells[0].value, long(sum));
    }
    f.put(Cell::put("r", "f", "n", LATEST, "four"));
    // The put's timestamp may not be above the increments', which step by one per call.
    f.put(Cell::put("w", "f", "n", 1, "four"));
    let wrong = Batch::new().row_op(RowOp::increment(0, &[Cell::put("w", "f", "n", LATEST, long(1))]));
    assert_eq!(f.mutate(&wrong), vec![Answer::Failed(1, "Field is not a long, it's 4 bytes wide".into())]);
    let append = |v: &str| Batch::new().row_op(RowOp::append(0, &[Cell::put("a", "f", "q", LATEST, v)]));
    f.mutate(&append("x"));
    let Answer::Cells(cells) = &f.mutate(&append("y"))[0] else { panic!("no cells") };
    assert_eq!(values(cells), ["xy"]);
}

#[test]
fn results_of_an_increment_are_sorted() {
    let f = start(&[("f", ""), ("a", "")]);
    let cells =
        [("f", "z"), ("f", "b"), ("a", "q")].map(|(family, q)| Cell::put("r", family, q, LATEST, long(1)));
    let Answer::Cells(cells) = &f.mutate(&Batch::new().row_op(RowOp::increment(0, &cells)))[0] else {
        panic!("no cells")
    };
    let order: Vec<(&[u8], &[u8])> = cells.iter().map(|c| (&c.family[..], &c.qualifier[..])).collect();
    assert_eq!(order, [(&b"a"[..], &b"q"[..]), (b"f", b"b"), (b"f", b"z")]);
}

#[test]
fn a_call_that_may_not_block_changes_nothing_when_a_row_is_locked() {
    let f = start(&[("f", "")]);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (f, stop) = (&f, &stop);
        scope.spawn(move || {
            let long_batch = (0..200).fold(Batch::new(), |b, n| {
                b.row_op(RowOp::put(&[Cell::put("r", "f", &format!("q{n}"), LATEST, [7; 500])]))
            });
            while !stop.load(std::sync::atomic::Ordering::Acquire) {
                f.mutate(&long_batch);
            }
        });
        let (mut blocked, mut done) = (0, 0);
        for n in 0..3000 {
            let one = Cell::put("r", "f", "n", LATEST, long(1));
            let mut batch = Batch::new().row_op(RowOp::increment(0, &[one]));
            batch.non_blocking = true;
            let mut out = Vec::new();
            match f.region.mutate(&batch.ops(), &batch.cells, 1_000_000 + n, &mut out).unwrap() {
                grampus_engine::MutateStatus::WouldBlock => {
                    assert!(out.is_empty());
                    blocked += 1;
                }
                _ => done += 1,
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Release);
        let counted = || f.get(&Spec::get("r").with(4).column("f", "n"));
        assert_eq!(
            counted().first().map_or(0, |c| i64::from_be_bytes(c.value[..].try_into().unwrap())),
            done
        );
        assert_eq!(blocked + done, 3000);
    });
}

#[test]
fn a_nonce_is_executed_once() {
    let f = start(&[("f", "")]);
    let add = Batch::new().row_op(RowOp::increment(9, &[Cell::put("r", "f", "n", LATEST, long(1))]));
    let first = f.mutate(&add);
    assert_eq!(f.mutate(&add), first);
    let other = Batch::new().row_op(RowOp::increment(10, &[Cell::put("r", "f", "n", LATEST, long(1))]));
    let Answer::Cells(cells) = &f.mutate(&other)[0] else { panic!("no cells") };
    assert_eq!(cells[0].value, long(2));
    assert_eq!(f.mutate(&add), first, "a duplicate sees the original's state, not today's");
}

#[test]
fn conditions_follow_the_null_rules() {
    const EQUAL: u8 = 2;
    const NOT_EQUAL: u8 = 3;
    const LESS: u8 = 0;
    let f = start(&[("f", "")]);
    let check = |qualifier: &str, op: u8, value: &str| {
        let put = RowOp::put(&[Cell::put("r", "f", "out", LATEST, "x")]);
        let condition = column_condition("f", qualifier, op, value.as_bytes());
        f.mutate(&Batch::new().check("r", &condition, vec![put])).remove(0)
    };
    assert_eq!(check("none", EQUAL, ""), Answer::Done);
    assert_eq!(check("none", NOT_EQUAL, ""), Answer::NotMatched);
    assert_eq!(check("none", NOT_EQUAL, "v"), Answer::NotMatched);
    f.put(Cell::put("r", "f", "q", 1, "m"));
    assert_eq!(check("q", EQUAL, "m"), Answer::Done);
    assert_eq!(check("q", LESS, "a"), Answer::Done, "given < stored");
    assert_eq!(check("q", LESS, "z"), Answer::NotMatched);
    assert_eq!(check("q", EQUAL, ""), Answer::NotMatched);
    assert_eq!(check("q", NOT_EQUAL, ""), Answer::Done);
}

/// A condition of MutateRows: a column and what follows it, at all times.
fn multi_row_condition(kind: u8, qualifier: &str, rest: &[u8]) -> Vec<u8> {
    let mut out = vec![kind];
    bytes(&mut out, b"f");
    bytes(&mut out, qualifier.as_bytes());
    out.extend(rest);
    out.extend(0i64.to_le_bytes());
    out.extend(i64::MAX.to_le_bytes());
    out
}

#[test]
fn conditions_of_several_rows_compare_by_comparator_or_want_nothing_there() {
    const LESS: u8 = 0;
    const NOT_EQUAL: u8 = 3;
    const SUBSTRING: u8 = 7;
    let f = start(&[("f", "")]);
    f.put(Cell::put("r", "f", "q", 1, "text"));
    f.put(Cell::put("r", "f", "empty", 1, ""));
    let check = |condition: Vec<u8>| {
        let put = RowOp::put(&[Cell::put("r", "f", "out", LATEST, "x")]);
        f.mutate(&Batch::new().check("r", &condition, vec![put])).remove(0)
    };
    let empty = |qualifier| check(multi_row_condition(3, qualifier, &[]));
    assert_eq!(empty("none"), Answer::Done);
    assert_eq!(empty("empty"), Answer::Done);
    assert_eq!(empty("q"), Answer::NotMatched);
    let compared = |qualifier, op: u8, tag: u8, text: &str| {
        let mut comparator = vec![tag];
        bytes(&mut comparator, text.as_bytes());
        let mut rest = vec![op];
        bytes(&mut rest, &comparator);
        check(multi_row_condition(4, qualifier, &rest))
    };
    assert_eq!(compared("q", 2, SUBSTRING, "ex"), Answer::Done);
    assert_eq!(compared("q", NOT_EQUAL, SUBSTRING, "ex"), Answer::NotMatched);
    assert_eq!(compared("none", NOT_EQUAL, SUBSTRING, "ex"), Answer::NotMatched);
    assert_eq!(compared("q", LESS, 1, "a"), Answer::Done, "given < stored");
    assert_eq!(compared("q", LESS, 1, "z"), Answer::NotMatched);
}

#[test]
fn an_atomic_group_reads_the_state_before_it_and_fails_as_a_whole() {
    let f = start(&[("f", "")]);
    let group = vec![
        RowOp::put(&[Cell::put("r", "f", "n", 1, long(100))]),
        RowOp::increment(0, &[Cell::put("r", "f", "m", LATEST, long(1))]),
        RowOp::append(0, &[Cell::put("r", "f", "s", LATEST, "s")]),
    ];
    let Answer::Cells(cells) = &f.mutate(&Batch::new().atomic("r", group))[0] else { panic!("no cells") };
    assert_eq!(cells.len(), 2);
    let bad = vec![
        RowOp::put(&[Cell::put("r", "f", "lost", 1, "x")]),
        RowOp::increment(0, &[Cell::put("r", "f", "s", LATEST, long(1))]),
    ];
    assert!(matches!(f.mutate(&Batch::new().atomic("r", bad))[0], Answer::Failed(1, _)));
    assert_eq!(f.get(&Spec::get("r").column("f", "lost")), vec![]);
}

#[test]
fn scans_page_by_rows_results_and_batches() {
    let f = start(&[("f", "")]);
    for row in 0..10 {
        for qualifier in 0..5 {
            f.put(Cell::put(
                &format!("r{row}"),
                "f",
                &format!("q{qualifier}"),
                1,
                format!("{row}{qualifier}"),
            ));
        }
    }
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let (cells, info) = next(&mut scanner, &ScanLimits { max_results: 3, ..NO_LIMITS }, 1 << 16);
    assert_eq!((cells.len(), info.stop_reason, info.complete_rows, info.end), (15, 1, 3, false));
    let (_, info) = next(&mut scanner, &ScanLimits { limit_of_rows: 7, ..NO_LIMITS }, 1 << 16);
    assert_eq!((info.complete_rows, info.end), (7, true));

    let batched = Spec { batch: 2, ..Spec::scan() };
    let mut scanner = f.region.open_scanner(&batched.encode()).unwrap();
    let (_, info) = next(&mut scanner, &ScanLimits { max_results: 4, ..NO_LIMITS }, 1 << 16);
    assert_eq!(info.results, vec![(2, true), (2, true), (1, false), (2, true)]);
    let (_, info) = next(&mut scanner, &ScanLimits { max_results: 2, ..NO_LIMITS }, 1 << 16);
    assert_eq!(info.results, vec![(2, true), (1, false)]);

    let cell_size = (4 + 8 + 2 + 2 + 1 + 1 + 2 + 9 + 2) + 34; // its bytes, and what HBase counts for it on the heap
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let (cells, info) = next(&mut scanner, &ScanLimits { size_limit: 3 * cell_size, ..NO_LIMITS }, 1 << 16);
    assert_eq!((cells.len(), info.results.clone(), info.stop_reason), (3, vec![(3, true)], 3));
    let (cells, info) = next(&mut scanner, &ScanLimits { size_limit: 2 * cell_size, ..NO_LIMITS }, 1 << 16);
    assert_eq!((cells.len(), info.results), (2, vec![(2, false)]), "a result that ends its row says so");
}

#[test]
fn reversed_scans_descend_by_rows_only() {
    let f = start(&[("f", "")]);
    for row in ["a", "b", "c"] {
        f.put(Cell::put(row, "f", "1", 1, format!("{row}1")));
        f.put(Cell::put(row, "f", "2", 1, format!("{row}2")));
    }
    let spec = Spec { start: "b".into(), ..Spec::scan().with(32) };
    assert_eq!(values(&f.scan(&spec)), ["b1", "b2", "a1", "a2"]);
    let spec = Spec { stop: "b".into(), ..Spec::scan().with(32) };
    assert_eq!(values(&f.scan(&spec)), ["c1", "c2"]);
}

#[test]
fn an_open_scanner_does_not_see_later_writes() {
    let f = start(&[("f", "")]);
    f.put(Cell::put("a", "f", "q", 1, "1"));
    f.put(Cell::put("b", "f", "q", 1, "1"));
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let (_, info) = next(&mut scanner, &ScanLimits { max_results: 1, ..NO_LIMITS }, 1 << 16);
    assert!(!info.end);
    f.put(Cell::put("b", "f", "q", 2, "2"));
    f.put(Cell::put("c", "f", "q", 1, "1"));
    let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 16);
    assert_eq!((values(&cells), info.end), (vec!["1".to_string()], true));
}

#[test]
fn edits_of_a_dead_server_come_back_through_split_and_replay() {
    let f = start(&[("f", "\"maxVersions\":3")]);
    for n in 0..50 {
        f.put(Cell::put(&format!("r{n:02}"), "f", "q", n, format!("{n}")));
    }
    let add = Batch::new().row_op(RowOp::increment(9, &[Cell::put("n", "f", "n", LATEST, long(1))]));
    let first = f.mutate(&add);
    let expected = f.scan(&Spec::scan());
    let env = f.env.clone();
    f.region.close(true).unwrap();
    drop(f);
    let segments = env.list(std::path::Path::new("/h/WALs/s1")).unwrap();
    let g = {
        let engine = grampus_engine::Engine::open_in(env.clone(), "{}").unwrap();
        for segment in segments {
            let json = format!("{{\"wal\":\"/h/WALs/s1/{}\",\"rootDir\":\"/h\"}}", segment.name);
            engine.split_wal(&json).unwrap();
            engine.split_wal(&json).unwrap();
        }
        common::start_in(env, "{}", &[("f", "\"maxVersions\":3")], 2)
    };
    assert_eq!(g.scan(&Spec::scan()), expected);
    assert_eq!(g.mutate(&add), first, "replay re-registers nonces");
    assert!(g.region.open_report_json().contains("\"replayedEdits\":51"), "{}", g.region.open_report_json());
}

#[test]
fn a_flush_changes_nothing_for_readers_and_a_reopen_neither() {
    let families = [("f", "\"maxVersions\":3"), ("g", "")];
    let f = start(&families);
    for n in 0..200 {
        let row = format!("r{:03}", n % 60);
        f.put(Cell::put(&row, "f", &format!("q{}", n % 4), n, format!("{n}")));
        f.put(Cell::put(&row, "g", "x", n, format!("{n}")));
        if n % 50 == 49 {
            let before = f.scan(&Spec::scan().versions(3));
            assert!(f.region.flush().unwrap());
            assert_eq!(f.scan(&Spec::scan().versions(3)), before);
            assert_eq!(f.scan(&Spec::scan().versions(3).with(32)).len(), before.len());
        }
    }
    f.put(Cell::put("r000", "f", "q0", 1000, "memory"));
    let expected = f.scan(&Spec::scan().versions(3));
    let first = f.region.open_report_json();
    f.region.close(false).unwrap();
    assert_eq!(
        f.region.get(&Spec::get("r000").encode(), &mut Vec::new()).unwrap_err().kind,
        grampus_base::ErrorKind::NotServing
    );
    let again = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(common::scan_all(&again, &Spec::scan().versions(3)), expected);
    assert_ne!(again.open_report_json(), first);
    again.compact("{\"major\":true}").unwrap();
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        if again.stats().to_string().contains("\"storeFileCount\":2") {
            break;
        }
    }
    assert!(
        again.stats().to_string().contains("\"storeFileCount\":2"),
        "{} {}",
        again.stats(),
        f.engine.metrics_json()
    );
    assert_eq!(common::scan_all(&again, &Spec::scan().versions(3)), expected);
    let middle = again.split_point().unwrap().unwrap();
    assert!(middle.as_slice() > b"r000" && middle.as_slice() < b"r059", "{middle:?}");
}

#[test]
fn every_open_has_a_higher_sequence_id() {
    let f = start(&[("f", "")]);
    let sequence = |region: &grampus_engine::Region| {
        let report = region.open_report_json();
        let digits: String =
            report.split("openSeqNum\":").nth(1).unwrap().chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    };
    let mut last = sequence(&f.region);
    f.region.close(false).unwrap();
    for _ in 0..3 {
        let region = f.engine.open_region(&f.open_json).unwrap();
        assert!(sequence(&region) > last);
        last = sequence(&region);
        region.close(false).unwrap();
    }
}

#[test]
fn segments_leave_once_every_region_has_flushed_past_them() {
    let f = start(&[("f", "")]);
    let live = || f.env.list(std::path::Path::new("/h/WALs/s1")).unwrap().len();
    f.put(Cell::put("a", "f", "q", 1, "1"));
    f.engine.roll_wal().unwrap();
    assert_eq!(live(), 2, "the edit is only in the log");
    f.region.flush().unwrap();
    assert_eq!(live(), 1);
    assert_eq!(f.env.list(std::path::Path::new("/h/oldWALs")).unwrap().len(), 1);
}

#[test]
fn an_operation_on_several_rows_may_put_delete_increment_and_append() {
    let f = start(&[("f", "")]);
    let at = |row: &str, value: &[u8]| Cell::put(row, "f", "q", i64::MAX, value);
    f.put(at("gone", b"x"));
    let ops = || {
        vec![
            RowOp::put(&[at("put", b"v")]),
            RowOp::delete(&[Cell::new("gone", "f", "", i64::MAX, 14, "")]),
            RowOp::increment(0, &[at("count", &2i64.to_be_bytes())]),
            RowOp::append(0, &[at("text", b"ab")]),
        ]
    };
    for _ in 0..2 {
        let answers = f.mutate(&Batch::new().multi_row(ops()));
        assert!(matches!(answers.as_slice(), [Answer::Cells(cells)] if cells.len() == 2), "{answers:?}");
    }
    let value = |row: &str| f.get(&Spec::get(row)).first().map(|cell| cell.value.clone());
    assert_eq!(value("put").as_deref(), Some(b"v".as_slice()));
    assert_eq!(value("gone"), None);
    assert_eq!(value("count"), Some(4i64.to_be_bytes().to_vec()));
    assert_eq!(value("text").as_deref(), Some(b"abab".as_slice()));
}
