//! Reads for whose large cells there is no memory now, because other reads have it.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind};
use grampus_cache::large_reads::reserve_large_page;
use grampus_engine::{Engine, GetOutcome, ScanLimits, Scanner};
use grampus_env::FakeEnv;
use grampus_filter::pattern::{CompiledPattern, PatternCompiler, PatternSource};
use grampus_testkit::wire::{Cell, ScanInfo, Spec, bytes};

use crate::common::{Fixture, NO_LIMITS, next, start_in};

const CONFIG: &str = "{\"blockCacheBytes\":0,\"largeReadBytes\":1000}";
const LARGE: usize = 500_000;
const PAUSED: u8 = 6;
const REVERSED: u32 = 32;

/// Small rows, and one in their middle whose last cell is large. The cells of each column fill a block, so that it has pages of its own.
fn table() -> Fixture {
    let f = start_in(Arc::new(FakeEnv::new(1)), CONFIG, &[("f", "\"maxVersions\":1,\"blockSize\":1024")], 1);
    for row in ["a", "b", "d", "e"] {
        f.put(Cell::put(row, "f", "p", 1, vec![b's'; 2_000]));
    }
    for row in ["d", "e"] {
        f.put(Cell::put(row, "f", "r", 1, vec![b's'; 2_000]));
    }
    for (qualifier, value) in [("p", vec![b's'; 2_000]), ("q", last()), ("r", vec![b'v'; LARGE])] {
        f.put(Cell::put("c", "f", qualifier, 1, value));
    }
    f.region.flush().unwrap();
    f
}

fn last() -> Vec<u8> {
    vec![b'q'; 2_000]
}

/// Runs a read while another one has the memory of large cells.
fn beside_a_large_read<T: Send>(f: &Fixture, read: impl FnOnce() -> T + Send) -> T {
    let another = f.region.begin_read();
    let page = reserve_large_page(LARGE as u64).unwrap();
    let outcome = std::thread::scope(|scope| scope.spawn(read).join().unwrap());
    drop((page, another));
    outcome
}

fn open(f: &Fixture, spec: &Spec) -> Scanner {
    f.region.open_scanner(&spec.encode()).unwrap()
}

fn next_error(scanner: &mut Scanner) -> Error {
    scanner.next(&NO_LIMITS, &mut vec![0; 4 * LARGE], &mut vec![0; 256 * 1024]).unwrap_err()
}

/// The rows of a call and how it ended.
fn rows(scanner: &mut Scanner, limits: &ScanLimits) -> (Vec<String>, ScanInfo) {
    let (cells, info) = next(scanner, limits, 4 * LARGE);
    let mut rows: Vec<String> = cells.into_iter().map(|cell| String::from_utf8(cell.row).unwrap()).collect();
    rows.dedup();
    (rows, info)
}

#[test]
fn a_get_that_waits_in_vain_is_busy() {
    let f = table();
    let get = || f.region.get_into(&Spec::get("c").encode(), &mut vec![0; 2 * LARGE]);
    let refused = beside_a_large_read(&f, get).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Busy, "{}", refused.message);
    assert_eq!(f.metric("large_reads.refused_count"), 1);
    assert!(matches!(get().unwrap(), GetOutcome::Done(_)));
    assert_eq!(f.metric("large_reads.bytes"), 0);
}

/// What a call has found before its memory ends is returned, but no row that has begun; the next call says why there is no more.
#[test]
fn a_scan_that_waits_in_vain_returns_the_results_before() {
    let mut while_not_last = vec![25, 4, 3, 1]; // WhileMatchFilter(ValueFilter(NOT_EQUAL, last)): done within the row
    bytes(&mut while_not_last, &last());
    let one_column = vec![12, 1, 0, 0, 0]; // ColumnCountGetFilter(1): done at the second cell
    for (spec, before) in [
        (Spec::scan(), ["a", "b"]),
        (Spec { batch: 9, ..Spec::scan() }, ["a", "b"]),
        (Spec::scan().with(REVERSED), ["e", "d"]),
        (Spec::scan().filter(while_not_last), ["a", "b"]),
        (Spec::scan().filter(one_column), ["a", "b"]),
    ] {
        let f = table();
        let lost = beside_a_large_read(&f, || {
            let mut scanner = open(&f, &spec);
            let (rows, info) = rows(&mut scanner, &NO_LIMITS);
            assert_eq!(
                (rows, info.stop_reason, info.end),
                (before.map(String::from).to_vec(), PAUSED, false)
            );
            assert!(info.results.len() == 2 && info.results.iter().all(|(_, more)| !more));
            assert!(!info.filter_all_remaining, "the client would take it for the end");
            assert_eq!(scanner.count_memory(), 0);
            next_error(&mut scanner)
        });
        assert_eq!(lost.kind, ErrorKind::Busy, "{}", lost.message);
        assert!(lost.message.contains("try again"), "{}", lost.message);
    }
}

/// A part of a row that was returned, and rows that were asked for, stay what they are.
#[test]
fn limits_hold_where_memory_ends_a_call() {
    let f = table();
    beside_a_large_read(&f, || {
        let mut scanner = open(&f, &Spec { batch: 1, ..Spec::scan() });
        let (rows, info) = rows(&mut scanner, &NO_LIMITS);
        assert_eq!(rows, ["a", "b", "c"]);
        assert_eq!(info.results, [(1, false), (1, false), (1, true)]);
        assert_eq!((info.complete_rows, info.end), (2, false));
        next_error(&mut scanner)
    });
    beside_a_large_read(&f, || {
        let two = ScanLimits { limit_of_rows: 2, ..NO_LIMITS };
        let (rows, info) = rows(&mut open(&f, &Spec::scan()), &two);
        assert_eq!((rows, info.stop_reason), (vec!["a".to_string(), "b".to_string()], 2));
    });
}

/// Gives no answer to one value.
struct Fails;

impl PatternCompiler for Fails {
    fn compile(&self, _: &PatternSource) -> grampus_base::Result<Box<dyn CompiledPattern>> {
        Ok(Box::new(Fails))
    }
}

impl CompiledPattern for Fails {
    fn find(&self, value: &[u8]) -> grampus_base::Result<bool> {
        if value == last() { Err(Error::new(ErrorKind::BadRequest, "too slow")) } else { Ok(true) }
    }
}

/// A filter that has failed keeps no row any more: without its error the client would believe that there is none.
#[test]
fn the_error_of_a_filter_comes_before_that_of_memory() {
    let mut f = table();
    f.region.close(false).unwrap();
    f.engine = Engine::open_with(f.env.clone(), Arc::new(Fails), CONFIG).unwrap();
    f.engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
    let mut like = vec![4, 2, 8]; // ValueFilter(EQUAL, RegexStringComparator)
    bytes(&mut like, b"(v)\\1");
    like.extend(0u32.to_le_bytes());
    bytes(&mut like, b"UTF-8");
    like.push(0);
    let failed = beside_a_large_read(&f, || next_error(&mut open(&f, &Spec::scan().filter(like))));
    assert_eq!((failed.kind, failed.message.as_str()), (ErrorKind::BadRequest, "too slow"));
}
