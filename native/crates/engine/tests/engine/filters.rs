//! Filters through gets and scans, from memory and from files.

use grampus_base::ErrorKind;
use grampus_engine::ScanLimits;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, bytes};

use crate::common::{Fixture, NO_LIMITS, next, start};

const EQUAL: u8 = 2;
const NOT_EQUAL: u8 = 3;
const GREATER: u8 = 5;

fn with_bytes(tag: u8, parts: &[&str]) -> Vec<u8> {
    let mut out = vec![tag];
    parts.iter().for_each(|part| bytes(&mut out, part.as_bytes()));
    out
}

fn comparison(tag: u8, op: u8, comparator: u8, value: &str) -> Vec<u8> {
    let mut out = vec![tag, op, comparator];
    bytes(&mut out, value.as_bytes());
    out
}

fn column_value(tag: u8, family: &str, qualifier: &str, op: u8, value: &str, flags: &[u8]) -> Vec<u8> {
    let mut out = with_bytes(tag, &[family, qualifier]);
    out.extend([op, 1]);
    bytes(&mut out, value.as_bytes());
    out.extend(flags);
    out
}

fn list(op: u8, filters: &[Vec<u8>]) -> Vec<u8> {
    let mut out = vec![26, op];
    out.extend((filters.len() as u32).to_le_bytes());
    filters.iter().for_each(|f| out.extend(f));
    out
}

fn page(n: i64) -> Vec<u8> {
    [&[11][..], &n.to_le_bytes()].concat()
}

/// Rows a0 to a4 and b0 to b4 with columns f:c1, f:c2, f:d1 and g:x; values are row plus qualifier.
fn table(flushed: bool) -> Fixture {
    let f = start(&[("f", "\"maxVersions\":3"), ("g", "")]);
    for prefix in ["a", "b"] {
        for n in 0..5 {
            let row = format!("{prefix}{n}");
            let cells: Vec<Cell> = [("f", "c1"), ("f", "c2"), ("f", "d1"), ("g", "x")]
                .iter()
                .map(|(family, q)| Cell::put(&row, family, q, 10 + n, format!("{row}{q}")))
                .collect();
            f.mutate(&Batch::new().row_op(RowOp::put(&cells)));
            if flushed && n == 2 {
                f.region.flush().unwrap();
            }
        }
    }
    f
}

/// What a filter leaves of the table, as `row/qualifier` words; the same from memory and from files, with a server and without.
fn seen(filter: &[u8]) -> String {
    let words = |f: &Fixture| {
        let spec = Spec::scan().filter(filter.to_vec());
        let cells = f.scan(&spec);
        assert_eq!(f.scan_frozen(&spec), cells, "without a server");
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        cells.iter().map(|c| format!("{}/{}", text(&c.row), text(&c.qualifier))).collect::<Vec<_>>().join(" ")
    };
    let memory = words(&table(false));
    assert_eq!(words(&table(true)), memory);
    memory
}

#[test]
fn rows_by_key() {
    assert_eq!(seen(&comparison(1, EQUAL, 1, "a3")), "a3/c1 a3/c2 a3/d1 a3/x");
    assert_eq!(seen(&list(1, &[with_bytes(9, &["b"]), page(1)])), "b0/c1 b0/c2 b0/d1 b0/x");
    assert_eq!(seen(&list(1, &[with_bytes(10, &["a1"]), vec![17]])), "a0/c1 a1/c1");
    let mut range = vec![22];
    range.extend(2u32.to_le_bytes());
    for (start, stop) in [("b1", "b2"), ("a4", "b0")] {
        bytes(&mut range, start.as_bytes());
        range.push(1);
        bytes(&mut range, stop.as_bytes());
        range.push(0);
    }
    assert_eq!(seen(&list(1, &[range, vec![17]])), "a4/c1 b1/c1");
    let mut fuzzy = vec![21];
    fuzzy.extend(1u32.to_le_bytes());
    bytes(&mut fuzzy, b"?2");
    bytes(&mut fuzzy, &[1, 0]);
    fuzzy.push(0);
    assert_eq!(seen(&list(1, &[fuzzy, vec![17]])), "a2/c1 b2/c1");
}

#[test]
fn columns_by_name() {
    let row = comparison(1, EQUAL, 1, "a0");
    let of = |filter: Vec<u8>| seen(&list(1, &[row.clone(), filter]));
    assert_eq!(of(comparison(2, EQUAL, 1, "g")), "a0/x");
    assert_eq!(of(comparison(3, EQUAL, 2, "c")), "a0/c1 a0/c2");
    assert_eq!(of(with_bytes(14, &["d"])), "a0/d1");
    let mut range = vec![16, 1 | 4 | 8];
    bytes(&mut range, b"c1");
    bytes(&mut range, b"d1");
    assert_eq!(of(range), "a0/c2 a0/d1");
    let mut prefixes = vec![15];
    prefixes.extend(2u32.to_le_bytes());
    bytes(&mut prefixes, b"x");
    bytes(&mut prefixes, b"c2");
    assert_eq!(of(prefixes), "a0/c2 a0/x");
    let mut pagination = vec![13];
    pagination.extend(2i32.to_le_bytes());
    pagination.extend(1i32.to_le_bytes());
    pagination.push(0);
    bytes(&mut pagination, b"");
    assert_eq!(of(pagination), "a0/c2 a0/d1");
    let count = [&[12][..], &2i32.to_le_bytes()].concat();
    assert_eq!(of(count), "a0/c1 a0/c2");
}

#[test]
fn rows_by_value() {
    let first = vec![17];
    let scv =
        |qualifier: &str, op, value: &str, missing| column_value(6, "f", qualifier, op, value, &[missing, 1]);
    let rows = |filter: Vec<u8>| seen(&filter).split(' ').map(|w| w[..2].to_string()).collect::<Vec<_>>();
    assert_eq!(rows(scv("c2", EQUAL, "b1c2", 1)).len(), 4);
    assert_eq!(seen(&scv("none", EQUAL, "b1c2", 1)), "");
    assert_eq!(rows(scv("none", EQUAL, "b1c2", 0)).len(), 40);
    assert_eq!(seen(&column_value(7, "f", "c1", EQUAL, "a1c1", &[1, 1])), "a1/c2 a1/d1 a1/x");
    assert_eq!(seen(&column_value(8, "f", "c2", GREATER, "b2c2", &[])), "b3/c2 b4/c2");
    assert_eq!(seen(&comparison(4, EQUAL, 7, "2D1")), "a2/d1 b2/d1");
    let mut regex = vec![4, EQUAL, 8];
    bytes(&mut regex, b"^b[01]c1$");
    regex.extend(32u32.to_le_bytes());
    bytes(&mut regex, b"US-ASCII");
    regex.push(0);
    assert_eq!(seen(&regex), "b0/c1 b1/c1");
    let skip = [&[24][..], &comparison(4, NOT_EQUAL, 1, "a0c1")].concat();
    assert!(seen(&list(1, &[skip, first])).starts_with("a1/c1"));
    let until = [&[25][..], &comparison(1, NOT_EQUAL, 1, "a2")].concat();
    assert_eq!(rows(until).len(), 8);
}

#[test]
fn families_loaded_on_demand_change_nothing() {
    for flushed in [false, true] {
        let f = table(flushed);
        for (family, qualifier, value) in [("g", "x", "b1x"), ("f", "c2", "a0c2"), ("g", "x", "none")] {
            for tag in [6, 7] {
                let filter = column_value(tag, family, qualifier, EQUAL, value, &[1, 1]);
                let plain = f.scan(&Spec::scan().filter(filter.clone()));
                let spec = Spec::scan().with(512).filter(filter);
                let lazily = f.scan(&spec);
                assert_eq!(lazily, plain, "{family}:{qualifier} {value}");
                assert_eq!(f.scan_frozen(&spec), plain, "without a server, {family}:{qualifier} {value}");
            }
        }
    }
}

#[test]
fn one_of_several_filters_is_enough() {
    let any = list(2, &[comparison(4, EQUAL, 1, "a1c1"), comparison(4, EQUAL, 1, "b4d1")]);
    assert_eq!(seen(&any), "a1/c1 b4/d1");
    let rows = list(2, &[comparison(1, EQUAL, 1, "a1"), comparison(1, EQUAL, 1, "b1")]);
    assert_eq!(seen(&list(1, &[rows, vec![17]])), "a1/c1 b1/c1");
    assert_eq!(seen(&list(2, &[with_bytes(14, &["d"]), with_bytes(14, &["c1"])])).split(' ').count(), 20);
}

#[test]
fn values_become_empty_or_their_length() {
    let f = table(true);
    let cells = f.get(&Spec::get("a0").filter(vec![19, 0]));
    assert!(cells.iter().all(|c| c.value.is_empty()));
    let cells = f.get(&Spec::get("a0").column("f", "c1").filter(vec![19, 1]));
    assert_eq!(cells[0].value, 4u32.to_be_bytes());
}

#[test]
fn versions_are_counted_before_and_after_the_filter() {
    let f = start(&[("f", "\"maxVersions\":3")]);
    for stamp in 1..=4 {
        f.put(Cell::put("r", "f", "q", stamp, format!("v{stamp}")));
    }
    let stamps = |n: u32, filter: &[u8]| {
        let cells = f.get(&Spec::get("r").versions(n).filter(filter.to_vec()));
        cells.iter().map(|c| c.timestamp).collect::<Vec<_>>()
    };
    assert_eq!(
        stamps(1, &comparison(4, EQUAL, 1, "v3")),
        [3],
        "one version is wanted, but the filter decides which"
    );
    assert_eq!(stamps(1, &comparison(4, EQUAL, 1, "v1")), [0i64; 0], "beyond the family's three versions");
    let mut timestamps = vec![20];
    timestamps.extend(2u32.to_le_bytes());
    timestamps.extend(2i64.to_le_bytes());
    timestamps.extend(3i64.to_le_bytes());
    timestamps.push(0);
    assert_eq!(stamps(9, &timestamps), [3, 2]);
}

#[test]
fn a_page_ends_the_region_and_says_so() {
    let f = table(false);
    let mut scanner = f.region.open_scanner(&Spec::scan().filter(page(3)).encode()).unwrap();
    let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 16);
    assert_eq!((cells.len(), info.end, info.filter_all_remaining, info.complete_rows), (12, true, true, 3));
}

#[test]
fn rows_that_the_filter_drops_use_up_no_size() {
    let alone = column_value(6, "f", "d1", EQUAL, "b4d1", &[0, 1]);
    for filter in [alone.clone(), list(1, &[alone])] {
        for flushed in [false, true] {
            let f = table(flushed);
            f.region.flush().unwrap();
            f.region.compact("{\"major\":true}").unwrap();
            for spec in [Spec::scan(), Spec::scan().column("f", "c1").column("f", "d1")] {
                let mut scanner = f.region.open_scanner(&spec.filter(filter.clone()).encode()).unwrap();
                let limits = ScanLimits { size_limit: 150, ..NO_LIMITS };
                let (cells, info) = next(&mut scanner, &limits, 1 << 16);
                assert_eq!((cells[0].row.as_slice(), info.complete_rows), (&b"b4"[..], 1));
            }
        }
    }
}

#[test]
fn a_last_row_that_did_not_fit_comes_before_the_end() {
    let f = table(false);
    let mut scanner = f.region.open_scanner(&Spec::scan().filter(page(2)).encode()).unwrap();
    let (cells, info) = next(&mut scanner, &NO_LIMITS, 200);
    assert_eq!((cells.len(), info.end, info.filter_all_remaining, info.stop_reason), (4, false, false, 5));
    let (cells, info) = next(&mut scanner, &NO_LIMITS, 200);
    assert_eq!((cells.len(), info.end, info.filter_all_remaining), (4, true, true));
}

#[test]
fn what_cannot_be_done_is_refused_with_its_name() {
    let f = table(false);
    let refused = |filter: Vec<u8>| {
        let error = f.region.get(&Spec::get("a0").filter(filter).encode(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest);
        error.message
    };
    let mut decimal = vec![4, EQUAL, 4];
    decimal.extend(0i32.to_le_bytes());
    bytes(&mut decimal, b"1");
    assert!(refused(decimal).contains("BigDecimalComparator"));
    assert!(refused(vec![99]).contains("99"));
    assert!(refused([24; 40].to_vec()).contains("nested"));
    let whole_row = Spec { batch: 2, ..Spec::scan().filter(page(1)) };
    assert_eq!(f.region.open_scanner(&whole_row.encode()).err().unwrap().kind, ErrorKind::BadRequest);
}

#[test]
fn a_long_comparator_refuses_values_of_another_length() {
    let long_less = |n: i64| [&[4u8, 0, 3][..], &n.to_le_bytes()].concat();
    let f = start(&[("f", "")]);
    f.put(Cell::put("a", "f", "q", 1, 4i64.to_be_bytes()));
    let spec = Spec::scan().filter(long_less(5));
    assert_eq!(f.scan(&spec).len(), 1);
    f.put(Cell::put("b", "f", "q", 1, "seven b"));
    let (mut out, mut info) = (vec![0; 4096], vec![0; 256 * 1024]);
    let error =
        f.region.open_scanner(&spec.encode()).unwrap().next(&NO_LIMITS, &mut out, &mut info).unwrap_err();
    assert!(error.message.contains("Wrong length: 7, expected 8"), "{error}");
    let get = Spec::get("b").filter(long_less(5));
    assert!(f.region.get(&get.encode(), &mut Vec::new()).is_err());
}
