//! Where filters end scans and stores, where they seek, and what is counted.

use std::time::Duration;

use grampus_engine::{GetOutcome, ScanLimits};
use grampus_testkit::wire::{Cell, Spec, bytes};

use super::{LOAD_ON_DEMAND, PAUSED, REVERSED, open, reply, wide};
use crate::common::{Fixture, NO_LIMITS, next, start};

fn filter(tag: u8, fields: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![tag];
    fields.iter().for_each(|field| out.extend_from_slice(field));
    out
}

fn with_length(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    bytes(&mut out, value);
    out
}

fn row_at_least(row: &str) -> Vec<u8> {
    filter(1, &[&[4, 1], &with_length(row.as_bytes())])
}

fn while_match(inner: &[u8]) -> Vec<u8> {
    filter(25, &[inner])
}

fn list(op: u8, filters: &[&[u8]]) -> Vec<u8> {
    let count = (filters.len() as u32).to_le_bytes();
    filter(26, &[&[&[op], count.as_slice()].concat(), &filters.concat()])
}

fn fuzzy(patterns: &[(&str, &[u8])], mask_v2: bool) -> Vec<u8> {
    let mut out = filter(21, &[&(patterns.len() as u32).to_le_bytes()]);
    for (key, mask) in patterns {
        out.extend(with_length(key.as_bytes()));
        out.extend(with_length(mask));
    }
    out.push(u8::from(mask_v2));
    out
}

/// Rows of one cell each: r000 to r999, from memory and from a file.
fn tall() -> [Fixture; 2] {
    [false, true].map(|flushed| {
        let f = start(&[("f", "")]);
        for row in 0..1000 {
            f.put(Cell::put(&format!("r{row:03}"), "f", "q", 1, "v"));
        }
        if flushed {
            f.region.flush().unwrap();
        }
        f
    })
}

/// The rows, whether the filter ended the scan, rows scanned and rows filtered; the same from memory and from a file.
fn counted(filter: Vec<u8>, flags: u32) -> (Vec<String>, bool, u64, u64) {
    let mut answers = tall().map(|f| {
        let mut scanner = open(&f, &Spec::scan().with(flags).filter(filter.clone()));
        let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 20);
        assert!(info.end);
        let rows = cells.iter().map(|c| String::from_utf8(c.row.clone()).unwrap()).collect();
        (rows, info.filter_all_remaining, info.rows_scanned, info.rows_filtered)
    });
    assert_eq!(answers[0], answers[1]);
    std::mem::take(&mut answers[0])
}

fn rows(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_string()).collect()
}

#[test]
fn a_scan_that_finds_nothing_pauses_and_goes_on() {
    for f in tall() {
        let mut scanner = open(&f, &Spec::scan().filter(row_at_least("r998")));
        let limits = ScanLimits { pause_after: Duration::ZERO, ..NO_LIMITS };
        let mut cells = Vec::new();
        let mut empty_pauses = 0;
        loop {
            let (more, info) = next(&mut scanner, &limits, 1 << 20);
            empty_pauses += u32::from(info.stop_reason == PAUSED && more.is_empty());
            cells.extend(more);
            if info.end {
                break;
            }
            assert_eq!(info.stop_reason, PAUSED);
        }
        assert!(empty_pauses > 1, "{empty_pauses} pauses");
        let found: Vec<_> = cells.iter().map(|c| String::from_utf8(c.row.clone()).unwrap()).collect();
        assert_eq!(found, rows(&["r998", "r999"]));
    }
}

#[test]
fn a_filter_that_wants_nothing_more_of_the_first_row_ends_the_scan() {
    let expected = (rows(&[]), true, 0, 1);
    assert_eq!(counted(while_match(&row_at_least("r500")), 0), expected);
    assert_eq!(counted(list(1, &[&while_match(&row_at_least("r500"))]), 0), expected);
    assert_eq!(counted(list(2, &[&while_match(&row_at_least("r500"))]), 0), expected);
    assert_eq!(counted(while_match(&list(1, &[&row_at_least("r500")])), 0), expected);
    let behind = filter(10, &[&with_length(b"a")]);
    assert_eq!(counted(behind, 0), expected, "InclusiveStopFilter");
    let prefix = filter(9, &[&with_length(b"a")]);
    assert_eq!(counted(prefix, 0), expected, "PrefixFilter");
}

#[test]
fn the_row_at_which_a_filter_ends_is_filtered_and_not_scanned() {
    let (found, done, scanned, filtered) = counted(filter(9, &[&with_length(b"r00")]), 0);
    assert_eq!((found.len(), done, scanned, filtered), (10, true, 10, 1));
    let (found, done, scanned, filtered) = counted(filter(10, &[&with_length(b"r004")]), 0);
    assert_eq!((found.len(), done, scanned, filtered), (5, true, 5, 1));
    let (found, done, scanned, filtered) = counted(while_match(&row_at_least("r990")), REVERSED);
    assert_eq!((found.len(), done, scanned, filtered), (10, true, 10, 1));
    let both = list(1, &[&row_at_least("r005"), &filter(9, &[&with_length(b"r00")])]);
    let (found, done, scanned, filtered) = counted(both, 0);
    assert_eq!((found.len(), done, scanned, filtered), (5, true, 10, 6));
    let page = filter(11, &[&7i64.to_le_bytes()]);
    let (found, done, scanned, filtered) = counted(page, 0);
    assert_eq!((found.len(), done, scanned, filtered), (7, true, 7, 0));
}

#[test]
fn a_filter_in_a_wrapper_is_not_told_that_the_scan_is_reversed() {
    let stop = filter(10, &[&with_length(b"r004")]);
    let (found, done, ..) = counted(list(1, &[&stop]), REVERSED);
    assert_eq!((found.len(), done), (996, true), "r999 to r004");
    let none = (rows(&[]), true, 0, 1);
    assert_eq!(counted(while_match(&stop), REVERSED), none);
    assert_eq!(counted(list(1, &[&while_match(&list(1, &[&stop]))]), REVERSED), none);
    let (found, done, ..) = counted(list(1, &[&while_match(&row_at_least("r000")), &stop]), REVERSED);
    assert_eq!((found.len(), done), (996, true), "the member behind the wrapper is told");
}

/// Qualifiers of the first row that a scan of [`wide`] returns, from memory and from a file.
fn qualifiers(filter: &[u8], flags: u32) -> Vec<String> {
    let mut answers = [false, true].map(|flushed| {
        let f = wide(1);
        if flushed {
            f.region.flush().unwrap();
        }
        let mut scanner = open(&f, &Spec::scan().with(flags).filter(filter.to_vec()));
        let (cells, _) = next(&mut scanner, &NO_LIMITS, 1 << 20);
        let first = cells.first().map(|cell| cell.row.clone());
        let row = cells.iter().filter(|cell| Some(&cell.row) == first.as_ref());
        row.map(|cell| String::from_utf8(cell.qualifier.clone()).unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(answers[0], answers[1]);
    std::mem::take(&mut answers[0])
}

#[test]
fn a_member_of_a_list_is_not_asked_before_its_hint_in_the_direction_of_the_scan() {
    let equals = |name: &[u8]| filter(3, &[&[2, 1], &with_length(name)]);
    let two_from =
        |name: &[u8]| filter(13, &[&2_i32.to_le_bytes(), &(-1_i32).to_le_bytes(), &[1], &with_length(name)]);
    let either = list(2, &[&two_from(b"q5"), &equals(b"q8")]);
    assert_eq!(qualifiers(&either, 0), rows(&["q5", "q6", "q8"]));
    // Within a row of a reversed scan columns ascend, and what lies behind the hint comes before it.
    assert_eq!(qualifiers(&either, REVERSED), rows(&["q8"]));

    let prefixes = filter(15, &[&2_u32.to_le_bytes(), &with_length(b"q3"), &with_length(b"q6")]);
    let either = list(2, &[&prefixes, &equals(b"q8")]);
    assert_eq!(qualifiers(&either, 0), rows(&["q3", "q6", "q8"]));
    assert_eq!(qualifiers(&either, REVERSED), rows(&["q8"]));
}

#[test]
fn a_filter_that_is_done_behind_the_last_cell_of_a_row_ends_the_store() {
    let column_count = |limit: i32| filter(12, &[&limit.to_le_bytes()]);
    for flushed in [false, true] {
        let f = wide(10);
        if flushed {
            f.region.flush().unwrap();
        }
        for (limit, rows) in [(8, 1), (9, 1), (10, 10)] {
            let mut scanner = open(&f, &Spec::scan().filter(column_count(limit)));
            let (results, _, end) = reply(&mut scanner, &NO_LIMITS, 1 << 20);
            assert_eq!((results.len(), end), (rows, true), "{limit} columns");
            assert!(results.iter().all(|result| *result == (limit as u32, false)));
        }
    }
}

#[test]
fn the_last_row_that_a_store_has_for_a_filter_is_filtered_once() {
    // q0 of every row but r3's is "v".
    let f = wide(1);
    f.put(Cell::put("r3", "f", "q0", 2, "w"));
    let equals_v = [&[2, 1], with_length(b"v").as_slice(), &[1, 1]].concat();
    let is_v = filter(6, &[&with_length(b"f"), &with_length(b"q0"), &equals_v]);
    let mut scanner = open(&f, &Spec::scan().filter(while_match(&is_v)));
    let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 20);
    assert_eq!((cells.len(), info.end, info.rows_scanned, info.rows_filtered), (30, true, 4, 1));
}

#[test]
fn no_row_is_read_for_a_filter_whose_family_is_not_read() {
    let equals_v = [&[2, 1], with_length(b"v").as_slice(), &[1, 1]].concat();
    let of_another_family = filter(6, &[&with_length(b"other"), &with_length(b"q0"), &equals_v]);
    for families in [&[("f", "")][..], &[("f", ""), ("g", "")]] {
        let f = start(families);
        f.put(Cell::put("a", "f", "q0", 1, "v"));
        for (flags, scanned) in [(0, 1), (LOAD_ON_DEMAND, 0), (LOAD_ON_DEMAND | REVERSED, 0)] {
            let mut scanner = open(&f, &Spec::scan().with(flags).filter(of_another_family.clone()));
            let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 20);
            assert_eq!(
                (cells.len(), info.end, info.rows_scanned, info.rows_filtered),
                (0, true, scanned, scanned)
            );
        }
    }
}

#[test]
fn a_get_reads_nothing_for_a_filter_whose_family_is_not_read() {
    let equals_v = [&[2, 1], with_length(b"v").as_slice(), &[1, 1]].concat();
    let is_v = filter(6, &[&with_length(b"f"), &with_length(b"q"), &equals_v]);
    let skip = filter(24, &[&is_v]);
    let f = start(&[("f", ""), ("g", "")]);
    f.put(Cell::put("r", "g", "x", 1, "v"));
    let found = |flags: u32, family: Option<&str>| {
        let mut spec = Spec::get("r").with(flags).filter(skip.clone());
        spec.families.extend(family.map(|family| (family.into(), Vec::new())));
        f.get(&spec).len()
    };
    assert_eq!(found(LOAD_ON_DEMAND, Some("g")), 0);
    assert_eq!(found(0, Some("g")), 1, "the filter lets cells of other columns pass");
    // HBase asks for g only behind a row of f (RegionScannerImpl's joinedHeap), and f has none.
    assert_eq!(found(LOAD_ON_DEMAND, None), 0, "no row of the filter's family");
    assert_eq!(found(0, None), 1);
}

#[test]
fn a_get_reads_the_families_that_its_filter_does_not_need_only_for_a_row_that_passes() {
    const VALUE_BYTES: u64 = 100_000;
    let equals_v = [&[2, 1], with_length(b"v").as_slice(), &[1, 1]].concat();
    let is_v = filter(6, &[&with_length(b"g"), &with_length(b"q"), &equals_v]);
    let f = start(&[("f", ""), ("g", "")]);
    for (row, value) in [("in", "v"), ("out", "w")] {
        f.put(Cell::put(row, "f", "large", 1, vec![0; VALUE_BYTES as usize]));
        f.put(Cell::put(row, "g", "q", 1, value));
    }
    for flushed in [false, true] {
        if flushed {
            f.region.flush().unwrap();
        }
        let spec = |row: &str| Spec::get(row).with(LOAD_ON_DEMAND).filter(is_v.clone());
        let families: Vec<_> = f.get(&spec("in")).into_iter().map(|cell| cell.family).collect();
        assert_eq!(families, [b"f", b"g"], "in the order of the families, not of the reads");
        assert!(f.get(&spec("out")).is_empty());
        let looked =
            |row: &str, room: usize| f.region.get_counted(&spec(row).encode(), &mut vec![0; room]).unwrap();
        assert!(looked("in", 1 << 20).1 > VALUE_BYTES);
        assert!(looked("out", 1 << 20).1 < VALUE_BYTES, "the large value was looked at");
        let (outcome, _) = looked("in", 1_000);
        assert!(matches!(outcome, GetOutcome::NeedBytes(bytes) if bytes as u64 > VALUE_BYTES), "{outcome:?}");
    }
}

#[test]
fn fuzzy_rows_are_sought() {
    const LAST_FREE: &[u8] = &[0, 1, 0, 0];
    let pattern = fuzzy(&[("r?42", LAST_FREE)], true);
    let (found, done, scanned, filtered) = counted(pattern.clone(), 0);
    let expected: Vec<String> = (0..10).map(|n| format!("r{n}42")).collect();
    assert_eq!(found, expected);
    // The last match but one seeks to rows that do not exist; what is behind the last one is asked once.
    assert!(scanned <= 22 && filtered <= 12, "{scanned} rows scanned, {filtered} filtered");
    assert!(!done);
    let (found, _, scanned, _) = counted(pattern, REVERSED);
    assert_eq!(found, expected.iter().rev().cloned().collect::<Vec<_>>());
    assert!(scanned <= 22, "{scanned} rows scanned");
}

#[test]
fn fuzzy_masks_of_every_age_are_understood() {
    let found = |mask: &[u8], v2: bool| counted(fuzzy(&[("r042", mask)], v2), 0).0;
    assert_eq!(found(&[0, 0, 0, 0], true), rows(&["r042"]));
    assert_eq!(found(&[255, 255, 255, 255], true), rows(&["r042"]));
    assert_eq!(found(&[255, 255, 255, 255], false), rows(&["r042"]));
    assert_eq!(found(&[0, 0, 0, 1], true).len(), 10);
    assert_eq!(found(&[255, 255, 255, 2], true).len(), 10);
    assert_eq!(found(&[255, 255, 255, 0], false).len(), 10);
    assert_eq!(found(&[0, 0, 0, 1], false).len(), 10);
    // Nothing but bytes that a client before the second version writes for free positions.
    assert_eq!(found(&[0, 0, 0, 0], false).len(), 1000);
}

#[test]
fn a_row_that_no_fuzzy_pattern_knows_is_dropped_by_a_list_of_which_one_must_pass() {
    let fixed = fuzzy(&[("r042", &[0, 0, 0, 0])], true);
    let prefix = filter(9, &[&with_length(b"r999")]);
    let (found, ..) = counted(list(2, &[&fixed, &prefix]), 0);
    assert_eq!(found, rows(&["r042", "r999"]));
}

#[test]
fn a_row_shorter_than_its_fuzzy_pattern_matches_as_far_as_it_goes() {
    let f = start(&[("f", "")]);
    for row in ["ab", "abc", "abcd", "b"] {
        f.put(Cell::put(row, "f", "q", 1, "v"));
    }
    let spec = Spec::scan().filter(fuzzy(&[("abcd", &[0, 0, 0, 0])], true));
    let found: Vec<Vec<u8>> = f.scan(&spec).into_iter().map(|c| c.row).collect();
    assert_eq!(found, [b"ab".to_vec(), b"abc".to_vec(), b"abcd".to_vec()]);
}
