//! Where the replies of a scan are cut, where scans end and what they count, by HBase's rules.

mod filter_ends;
mod hidden_cells;
mod while_match_rows;

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::{NextOutcome, ScanLimits, Scanner};
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, NO_LIMITS, next, start, start_in};

const REVERSED: u32 = 32;
const LOAD_ON_DEMAND: u32 = 512;
const END: u8 = 0;
const SIZE: u8 = 3;
const OUTPUT: u8 = 5;
const PAUSED: u8 = 6;

/// Rows r0 to r9 of ten columns whose values have `value_bytes` bytes.
fn wide(value_bytes: usize) -> Fixture {
    let f = start(&[("f", "")]);
    for row in 0..10 {
        let cells: Vec<Cell> = (0..10)
            .map(|q| Cell::put(&format!("r{row}"), "f", &format!("q{q}"), 1, "v".repeat(value_bytes)))
            .collect();
        f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    }
    f
}

/// The results of one reply, whose first buffer is so large, and how it ended. A full buffer is followed by a larger one, as the server does.
fn reply(scanner: &mut Scanner, limits: &ScanLimits, first: usize) -> (Vec<(u32, bool)>, u8, bool) {
    let mut results = Vec::new();
    let mut room = first;
    let mut continues = false;
    loop {
        let limits = ScanLimits { continues, ..*limits };
        let (_, info) = next(scanner, &limits, room);
        results.extend(info.results);
        if info.stop_reason != OUTPUT {
            return (results, info.stop_reason, info.end);
        }
        continues = true;
        room = room.max(info.needed as usize);
    }
}

fn open(f: &Fixture, spec: &Spec) -> Scanner {
    f.region.open_scanner(&spec.encode()).unwrap()
}

#[test]
fn a_row_larger_than_the_output_is_one_result() {
    for flushed in [false, true] {
        let f = wide(3_000);
        if flushed {
            f.region.flush().unwrap();
        }
        for flags in [0, REVERSED] {
            for partials_allowed in [false, true] {
                let mut scanner = open(&f, &Spec::scan().with(flags));
                let limits = ScanLimits { partials_allowed, ..NO_LIMITS };
                let (results, stop, end) = reply(&mut scanner, &limits, 4_096);
                assert_eq!(results, vec![(10, false); 10], "partials allowed: {partials_allowed}");
                assert_eq!((stop, end), (END, true));
            }
        }
    }
}

#[test]
fn only_the_last_result_of_a_reply_is_partial() {
    let f = wide(3_000);
    let mut scanner = open(&f, &Spec::scan());
    // Six cells and a bit.
    let limits = ScanLimits { size_limit: 20_000, ..NO_LIMITS };
    let replies: Vec<_> = (0..3).map(|_| reply(&mut scanner, &limits, 4_096)).collect();
    assert_eq!(replies[0], (vec![(7, true)], SIZE, false));
    assert_eq!(replies[1], (vec![(3, false), (4, true)], SIZE, false));
    assert_eq!(replies[2], (vec![(6, false), (1, true)], SIZE, false));
}

#[test]
fn without_partials_the_row_that_crosses_the_limit_is_whole() {
    let f = wide(3_000);
    let mut scanner = open(&f, &Spec::scan());
    let limits = ScanLimits { size_limit: 40_000, partials_allowed: false, ..NO_LIMITS };
    for _ in 0..4 {
        assert_eq!(reply(&mut scanner, &limits, 4_096), (vec![(10, false); 2], SIZE, false));
    }
    assert_eq!(reply(&mut scanner, &limits, 4_096), (vec![(10, false); 2], SIZE, true));
}

#[test]
fn batches_are_whole_whatever_the_output_holds() {
    let f = wide(3_000);
    let mut scanner = open(&f, &Spec { batch: 4, ..Spec::scan() });
    let (results, ..) = reply(&mut scanner, &NO_LIMITS, 4_096);
    assert_eq!(results, [(4, true), (4, true), (2, false)].repeat(10));
}

#[test]
fn a_row_that_ends_with_its_limit_leaves_open_whether_it_was_the_last() {
    let f = start(&[("f", "")]);
    f.put(Cell::put("a", "f", "q", 1, "v"));
    let mut scanner = open(&f, &Spec::scan());
    assert_eq!(
        reply(&mut scanner, &ScanLimits { size_limit: 1, ..NO_LIMITS }, 100),
        (vec![(1, false)], SIZE, false)
    );
    assert_eq!(reply(&mut scanner, &NO_LIMITS, 100), (vec![], END, true));
}

#[test]
fn a_row_that_ends_with_its_batch_leaves_open_whether_it_was_the_last() {
    let f = wide(10);
    for flags in [0, REVERSED] {
        // Rows of ten cells: two full batches, or two full ones and half of one.
        for (batch, max_results, end_is_known) in [(5, 20, false), (4, 30, true)] {
            let mut scanner = open(&f, &Spec { batch, ..Spec::scan().with(flags) });
            let (results, _, end) = reply(&mut scanner, &ScanLimits { max_results, ..NO_LIMITS }, 1 << 20);
            assert_eq!((results.len() as u32, end), (max_results, end_is_known), "batches of {batch}");
            assert_eq!(reply(&mut scanner, &NO_LIMITS, 1 << 20), (vec![], END, true));
        }
    }
}

#[test]
fn a_partial_result_whose_row_had_no_more_counts_as_a_row_once_the_next_comes() {
    let f = start(&[("f", "\"maxVersions\":1")]);
    for row in ["a", "b", "c"] {
        f.put(Cell::put(row, "f", "q", 1, "old"));
        f.put(Cell::put(row, "f", "q", 2, "new"));
    }
    let mut scanner = open(&f, &Spec::scan());
    let limits = ScanLimits { size_limit: 1, limit_of_rows: 2, ..NO_LIMITS };
    let (_, info) = next(&mut scanner, &limits, 100);
    assert_eq!((info.results, info.complete_rows), (vec![(1, true)], 0), "an older version is in the way");
    let (_, info) = next(&mut scanner, &limits, 100);
    assert_eq!((info.results, info.complete_rows), (vec![(1, true)], 1));
    let (_, info) = next(&mut scanner, &ScanLimits { limit_of_rows: 1, ..limits }, 100);
    assert_eq!((info.results, info.complete_rows, info.stop_reason), (vec![], 1, 2));
}

#[test]
fn the_largest_row_is_a_setting() {
    let f = start_in(Arc::new(FakeEnv::new(1)), "{\"maxRowBytes\":20000}", &[("f", ""), ("g", "")], 1);
    let cells: Vec<Cell> =
        (0..10).map(|q| Cell::put("r", "f", &format!("q{q}"), 1, "v".repeat(3_000))).collect();
    f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
    let mut out = vec![0; 100_000];
    let mut info = vec![0; 256 * 1024];
    let mut next = |scanner: &mut Scanner, limits: &ScanLimits| scanner.next(limits, &mut out, &mut info);
    let error = next(&mut open(&f, &Spec::scan()), &NO_LIMITS).unwrap_err();
    assert_eq!(error.kind, ErrorKind::RowTooBig, "{error}");
    assert!(f.region.get(&Spec::get("r").encode(), &mut Vec::new()).is_err());
    // In parts each of which is below the limit the row can be read.
    let mut batched = open(&f, &Spec { batch: 5, ..Spec::scan() });
    assert!(matches!(next(&mut batched, &NO_LIMITS), Ok(NextOutcome::Done(_))));
    let mut partial = open(&f, &Spec::scan());
    let limits = ScanLimits { size_limit: 9_000, ..NO_LIMITS };
    for _ in 0..4 {
        assert!(matches!(next(&mut partial, &limits), Ok(NextOutcome::Done(_))));
    }
}

#[test]
fn tags_are_returned_where_they_are_asked_for() {
    const WITH_TAGS: u32 = 2048;
    let f = start(&[("f", "")]);
    let bare = Cell::put("r", "f", "q", 1, "v");
    let tagged = Cell { tags: vec![0, 3, 9, 1, 2], ..bare.clone() };
    f.put(tagged.clone());
    for flushed in [false, true] {
        if flushed {
            f.region.flush().unwrap();
        }
        assert_eq!(f.scan(&Spec::scan()), std::slice::from_ref(&bare));
        assert_eq!(f.get(&Spec::get("r")), std::slice::from_ref(&bare));
        assert_eq!(f.scan(&Spec::scan().with(WITH_TAGS)), std::slice::from_ref(&tagged));
        assert_eq!(f.get(&Spec::get("r").with(WITH_TAGS)), std::slice::from_ref(&tagged));
    }
}
