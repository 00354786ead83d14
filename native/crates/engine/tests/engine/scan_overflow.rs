//! Results that do not fit the output: they are the same as with room for all, and little of them is kept outside the output.

use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::{GetOutcome, NextOutcome, ScanLimits, Scanner};
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, ScanInfo, Spec, bytes};

use crate::common::{Fixture, NO_LIMITS, next, noise, start, start_in};
use crate::counted::peak;

/// What the engine collects beyond the output before it asks for room.
const OVERFLOW: usize = 1 << 20;
const EQUAL: u8 = 2;
const OUTPUT: u8 = 5;
const CACHE_BLOCKS: u32 = 8;
const REVERSED: u32 = 32;
const NO_CACHE: &str = "{\"blockCacheBytes\":0}";
const LOAD_ON_DEMAND: u32 = 512;

fn open(f: &Fixture, spec: &Spec) -> Scanner {
    f.region.open_scanner(&spec.encode()).unwrap()
}

const CELLS: usize = 40;
const CELL: usize = 500_000;

/// A row of large cells, each of its own column, in memory or in a file whose pages no cache holds.
fn large_row(flushed: bool, config: &str) -> Fixture {
    let f = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "")], 1);
    for q in 0..CELLS {
        let value: Vec<u8> = (0..CELL as u32 / 1_000).flat_map(|n| noise(1_000 * q as u32 + n)).collect();
        f.put(Cell::put("r", "f", &format!("q{q:02}"), 1, &value[..CELL]));
    }
    if flushed {
        f.region.flush().unwrap();
    }
    f
}

/// The caller reserves room before the engine fills it. A vector may have twice the capacity that it needs. Of a file there is a page as it
/// is stored, the same decompressed, and the page of the cell before.
#[test]
fn a_row_takes_little_memory_beyond_its_output() {
    for (flushed, flags) in [(false, 0), (false, REVERSED), (true, 0), (true, REVERSED)] {
        let f = large_row(flushed, NO_CACHE);
        let pages = if flushed { 3 * CELL } else { 0 };
        let mut scanner = open(&f, &Spec::scan().with(flags));
        let (mut room, mut calls) = (4_096, 0);
        let mut info_block = vec![0; 256 * 1024];
        loop {
            let limits = ScanLimits { partials_allowed: false, continues: calls > 0, ..NO_LIMITS };
            let mut out = vec![0; room];
            let (outcome, held) = peak(|| scanner.next(&limits, &mut out, &mut info_block).unwrap());
            let NextOutcome::Done(written) = outcome else { panic!("info is large") };
            assert!(held <= 2 * (room + OVERFLOW + CELL) + pages + 100_000, "{held} bytes beside {room}");
            let info = ScanInfo::decode(&info_block);
            if info.stop_reason != OUTPUT {
                assert_eq!((info.results, info.end), (vec![(CELLS as u32, false)], true));
                assert_eq!(Cell::decode_all(&out[..written]).len(), CELLS);
                break;
            }
            let needed = info.needed as usize;
            assert!(needed <= room + 2 * OVERFLOW + CELL + 100, "{needed} after {room}");
            assert!(needed >= room + OVERFLOW, "{needed} after {room} is no progress");
            (room, calls) = (needed.max(2 * room), calls + 1);
        }
        assert!(calls >= 4, "{calls} calls");
    }
}

/// Pages that the walk has left are not kept, whatever column they are of, and none where the caller has no memory for them.
#[test]
fn a_walk_over_large_cells_keeps_a_page_or_two() {
    let f = large_row(true, NO_CACHE);
    let spec = Spec { batch: 1, ..Spec::scan() };
    let mut scanner = open(&f, &spec);
    let mut cells = 0;
    loop {
        let (more, info) = next(&mut scanner, &ScanLimits { max_results: 1, ..NO_LIMITS }, 2 * CELL);
        cells += more.len();
        assert!(f.metric("large_reads.bytes") as usize <= 2 * CELL, "what a scanner keeps is counted");
        let kept = scanner.count_memory() as usize;
        assert!(kept <= 2 * CELL, "{kept} bytes behind cell {cells}");
        assert_eq!(f.metric("large_reads.bytes"), 0, "by its caller");
        if info.end {
            break;
        }
        scanner.drop_pages();
        let place = scanner.count_memory();
        assert!(place < 50_000, "{place} bytes of {CELLS} streams and decoded keys");
    }
    assert_eq!(cells, CELLS);
}

/// Large pages of row keys are counted by the reader that keeps them, as those of cells.
#[test]
fn large_pages_of_row_keys_are_counted_once() {
    let f =
        start_in(Arc::new(FakeEnv::new(1)), NO_CACHE, &[("f", "\"maxVersions\":1,\"blockSize\":1048576")], 1);
    for batch in 0..20u32 {
        let put = |batch: Batch, n: u32| {
            let bytes = &noise(n)[8..40 + n as usize % 16];
            let key: String = bytes.iter().map(|byte| char::from(byte % 94 + 33)).collect();
            batch.row_op(RowOp::put(&[Cell::put(&key, "f", "q", 1, b"v")]))
        };
        f.mutate(&(batch * 1_000..(batch + 1) * 1_000).fold(Batch::new(), put));
    }
    f.region.flush().unwrap();
    let mut spec = Spec::scan();
    spec.flags &= !CACHE_BLOCKS;
    let mut scanner = open(&f, &spec);
    next(&mut scanner, &ScanLimits { max_results: 1, ..NO_LIMITS }, 4_096);
    let large = f.metric("large_reads.bytes");
    assert!(large > 256 << 10, "the page of row keys has {large} bytes");
    assert!(scanner.count_memory() > 256 << 10);
    assert_eq!(f.metric("large_reads.bytes"), 0);
}

/// The pages of small cells that come before a large one in their columns do not bring it along.
#[test]
fn a_small_row_before_a_large_one_takes_no_large_page() {
    let f = start_in(Arc::new(FakeEnv::new(1)), NO_CACHE, &[("f", "")], 1);
    for q in 0..CELLS {
        f.put(Cell::put("a", "f", &format!("q{q:02}"), 1, b"small"));
        f.put(Cell::put("b", "f", &format!("q{q:02}"), 1, vec![q as u8; CELL]));
    }
    f.region.flush().unwrap();
    let mut out = vec![0; 10_000];
    let (outcome, held) = peak(|| f.region.get_into(&Spec::get("a").encode(), &mut out).unwrap());
    assert!(matches!(outcome, GetOutcome::Done(_)));
    assert!(held < CELL, "{held} bytes");
}

/// What an append finds in its columns is collected up to a limit.
#[test]
fn an_append_to_many_large_cells_is_refused() {
    let f = large_row(true, NO_CACHE);
    let cells: Vec<Cell> =
        (0..CELLS).map(|q| Cell::put("r", "f", &format!("q{q:02}"), i64::MAX, b"x")).collect();
    let append = |cells: &[Cell]| Batch::new().row_op(RowOp::append(0, cells));
    let answers = f.mutate(&append(&cells));
    let [Answer::Failed(kind, text)] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(*kind, ErrorKind::RowTooBig as u8, "{text}");
    assert!(matches!(f.mutate(&append(&cells[..20])).as_slice(), [Answer::Cells(_)]));
}

/// What one column holds is not limited, but by the largest cell.
#[test]
fn an_append_to_one_cell_is_not_refused_for_its_size() {
    let f =
        start_in(Arc::new(FakeEnv::new(1)), "{\"maxCellBytes\":67108864}", &[("f", "\"maxVersions\":1")], 1);
    f.put(Cell::put("r", "f", "q", 1, vec![b'v'; 20 << 20]));
    let append = RowOp::append(0, &[Cell::put("r", "f", "q", i64::MAX, b"x")]);
    let answers = f.mutate(&Batch::new().row_op(append));
    let [Answer::Cells(cells)] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(cells[0].value.len(), (20 << 20) + 1);
}

/// Rows of which every second one has megabytes in each family. Timestamps are 1 and 2 in turn.
fn table(families: &[&str], flushed: bool) -> Fixture {
    let described: Vec<(&str, &str)> = families.iter().map(|family| (*family, "")).collect();
    let f = start(&described);
    for row in 0..6u32 {
        for (at, family) in families.iter().enumerate() {
            let columns = if row % 2 == 1 { 25 } else { 2 };
            for q in 0..columns {
                let long = if q == 0 {
                    format!("v{}", row / 3).into_bytes()
                } else {
                    vec![(row + q) as u8; 100_000]
                };
                let timestamp = 1 + i64::from(q % 2);
                let cell = Cell::put(&format!("r{row}"), family, &format!("q{q:02}{at}"), timestamp, long);
                f.mutate(&Batch::new().row_op(RowOp::put(&[cell])));
            }
        }
    }
    if flushed {
        f.region.flush().unwrap();
    }
    f
}

/// SingleColumnValueFilter, or the one that takes the column out.
fn column_value(tag: u8, family: &str, qualifier: &str, value: &str) -> Vec<u8> {
    let mut out = vec![tag];
    bytes(&mut out, family.as_bytes());
    bytes(&mut out, qualifier.as_bytes());
    out.extend([EQUAL, 1]);
    bytes(&mut out, value.as_bytes());
    out.extend([1, 1]);
    out
}

/// DependentColumnFilter without a comparison, which decides by the cells of a whole row.
fn dependent(family: &str, qualifier: &str, drop: bool) -> Vec<u8> {
    let mut out = vec![5];
    bytes(&mut out, family.as_bytes());
    bytes(&mut out, qualifier.as_bytes());
    out.extend([u8::from(drop), 6, 0]);
    out
}

/// What a reply has, and where the scan is after it.
#[derive(Debug, PartialEq)]
struct Reply {
    cells: Vec<Cell>,
    results: Vec<(u32, bool)>,
    stop: u8,
    end: bool,
    complete_rows: u32,
    rows: (u64, u64),
}

/// One reply whose first output is so large and follows what the engine asks for.
fn reply(scanner: &mut Scanner, limits: &ScanLimits, first: usize) -> Reply {
    let (mut cells, mut results) = (Vec::new(), Vec::new());
    let (mut room, mut complete_rows, mut continues) = (first, 0, false);
    loop {
        let limits = ScanLimits { continues, ..*limits };
        let (more, info) = next(scanner, &limits, room);
        if first < OVERFLOW {
            scanner.drop_pages();
        }
        cells.extend(more);
        results.extend(info.results);
        complete_rows += info.complete_rows;
        if info.stop_reason != OUTPUT {
            let rows = (info.rows_scanned, info.rows_filtered);
            return Reply { cells, results, stop: info.stop_reason, end: info.end, complete_rows, rows };
        }
        let needed = info.needed as usize;
        (room, continues) = (needed, true);
    }
}

/// The replies of a scan with little room at first, and without its pages between the calls, are those with room for everything; some of its
/// rows must have been in the way.
fn compare(f: &Fixture, spec: &Spec, limits: &ScanLimits, what: &str) {
    let (mut small, mut large) = (open(f, spec), open(f, spec));
    let mut bytes = 0;
    for call in 0.. {
        let expected = reply(&mut large, limits, 20 << 20);
        let found = reply(&mut small, limits, 4_096);
        let brief =
            |reply: &Reply| (reply.results.clone(), reply.stop, reply.end, reply.complete_rows, reply.rows);
        assert_eq!(brief(&found), brief(&expected), "{what}, call {call}");
        assert!(found.cells == expected.cells, "{what}, call {call}: other cells");
        bytes += found.cells.iter().map(|cell| cell.value.len()).sum::<usize>();
        if expected.end {
            break;
        }
    }
    assert!(bytes > 2 * OVERFLOW, "{what} returned {bytes} bytes");
}

/// Every way to read a row that can stop within it.
fn specs(families: &[&str]) -> Vec<(&'static str, Spec)> {
    let of_first = column_value(6, "f", "q000", "v1");
    let mut specs = vec![
        ("rows", Spec::scan()),
        ("reversed", Spec::scan().with(REVERSED)),
        ("batches", Spec { batch: 15, ..Spec::scan() }),
        ("rows that a column keeps", Spec::scan().filter(of_first.clone())),
        ("the same without the column", Spec::scan().filter(column_value(7, "f", "q000", "v1"))),
        ("cells that a row keeps", Spec::scan().filter(dependent("f", "q000", false))),
        ("the same without their column", Spec::scan().filter(dependent("f", "q000", true))),
    ];
    if families.len() > 1 {
        let of_last = column_value(6, "g", "q001", "v1");
        specs.push(("families read late", Spec::scan().with(LOAD_ON_DEMAND).filter(of_first)));
        specs.push(("earlier families read late", Spec::scan().with(LOAD_ON_DEMAND).filter(of_last)));
    }
    specs
}

#[test]
fn results_are_the_same_whatever_the_output_holds() {
    for families in [&["f"][..], &["f", "g"]] {
        for flushed in [false, true] {
            let f = table(families, flushed);
            for (name, spec) in specs(families) {
                for (partials_allowed, size_limit) in [(false, u64::MAX), (false, 1 << 20), (true, 3 << 20)] {
                    let limits = ScanLimits { partials_allowed, size_limit, ..NO_LIMITS };
                    let what = format!("{name} of {families:?}, flushed {flushed}, {limits:?}");
                    compare(&f, &spec, &limits, &what);
                }
            }
        }
    }
}

/// A caller without memory sends what it has; the result goes on in the next reply.
#[test]
fn a_result_goes_on_in_another_reply() {
    for families in [&["f"][..], &["f", "g"]] {
        let f = table(families, true);
        for (name, spec) in specs(families) {
            let expected = reply(&mut open(&f, &spec), &NO_LIMITS, 20 << 20);
            let mut scanner = open(&f, &spec);
            let (mut cells, mut results, mut room) = (Vec::new(), Vec::new(), 150_000);
            loop {
                let (more, info) = next(&mut scanner, &NO_LIMITS, room);
                cells.extend(more);
                room = if info.results.is_empty() { info.needed as usize } else { 150_000 };
                results.extend(info.results);
                if info.end {
                    break;
                }
                assert_eq!(info.stop_reason, OUTPUT, "{name}");
            }
            assert_eq!(results, expected.results, "{name}");
            assert!(cells == expected.cells, "{name}: other cells");
        }
    }
}
