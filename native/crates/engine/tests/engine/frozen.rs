//! A region's files without a server: lists that are out of date, and what is refused.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_env::{FakeEnv, Faults, LocalEnv};
use grampus_store::read::Stop;
use grampus_store::{FamilyColumns, FrozenLimits, FrozenReads, FrozenRows};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, bytes};
use serde_json::Value;

use crate::common::frozen::{frozen_region, scan_frozen};
use crate::common::{self, Fixture, NO_LIMITS, next, row, start, start_at};

/// So many that a row group keeps none of them as a column of its own.
const QUALIFIERS: usize = 5000;

/// A row in each of two files. No more than a test asks for is compacted, whenever the look comes that an opening asks for.
fn two_files() -> Fixture {
    let f = start(&[("f", "\"maxVersions\":1,\"compaction\":{\"filesMin\":99,\"filesMax\":99}")]);
    for row in ["a", "b"] {
        f.put(Cell::put(row, "f", "q", 1, row));
        f.region.flush().unwrap();
    }
    f
}

fn listed(f: &Fixture) -> Value {
    serde_json::from_str(&f.region.snapshot_files(false).unwrap()).unwrap()
}

fn compact(f: &Fixture) {
    let before = listed(f);
    f.region.compact("{\"major\":true}").unwrap();
    common::until("the files to be merged", || listed(f) != before);
}

fn frozen(f: &Fixture, list: &Value) -> Vec<Cell> {
    let region = frozen_region(f.env.clone(), &f.open_json, &list.to_string());
    scan_frozen(&region, &Spec::scan(), f.env.now_millis())
}

#[test]
fn inputs_of_a_compaction_that_the_list_has_beside_its_output_do_not_count() {
    let f = two_files();
    f.mutate(&Batch::new().row_op(RowOp::delete(&[Cell::new("a", "f", "", 9, 14, "")])));
    f.region.flush().unwrap();
    let before = listed(&f);
    compact(&f);
    let mut list = listed(&f);
    // The input with the marker is archived, that with what it hides is not yet.
    let first = before["families"][0]["files"][0].clone();
    list["families"][0]["files"].as_array_mut().unwrap().push(first);
    let rows: Vec<Vec<u8>> = frozen(&f, &list).into_iter().map(|cell| cell.row).collect();
    assert_eq!(rows, vec![b"b".to_vec()]);
}

#[test]
fn files_that_were_archived_since_the_list_was_made_are_found() {
    let f = two_files();
    let (list, cells) = (listed(&f), f.scan(&Spec::scan()));
    compact(&f);
    assert_eq!(frozen(&f, &list), cells);
}

#[test]
fn what_cannot_be_scanned_is_refused() {
    let f = two_files();
    let region = frozen_region(f.env.clone(), &f.open_json, &listed(&f).to_string());
    let refused = |spec: Spec| region.scan(&spec.encode(), 0).err().unwrap().kind;
    assert_eq!(refused(Spec::get("a")), ErrorKind::BadRequest);
    let of_rows = Spec::scan().filter(value_of("a"));
    assert_eq!(refused(Spec { batch: 1, ..of_rows }), ErrorKind::BadRequest);
    assert_eq!(refused(Spec::scan().column("g", "q")), ErrorKind::NoSuchFamily);
}

/// Rows of several versions of up to seven columns in two families, with markers, in several files.
fn wide_rows(random: &mut Random) -> Fixture {
    let f = start(&[("f", "\"maxVersions\":3"), ("g", "\"maxVersions\":2")]);
    f.engine.set_compactions_enabled(false);
    for _ in 0..1 + random.below(3) {
        for _ in 0..60 {
            let (row, family) = (format!("r{:02}", random.below(12)), ["f", "g"][random.below(2) as usize]);
            let qualifier = format!("q{}", random.below(7));
            let timestamp = 1 + random.below(6) as i64;
            if random.one_in(8) {
                let kind = [8, 12, 14][random.below(3) as usize];
                let qualifier = if kind == 14 { "" } else { &qualifier };
                let marker = Cell::new(&row, family, qualifier, timestamp, kind, "");
                f.mutate(&Batch::new().row_op(RowOp::delete(&[marker])));
            } else {
                f.put(Cell::put(&row, family, &qualifier, timestamp, "v".repeat(random.below(9) as usize)));
            }
        }
        f.region.flush().unwrap();
    }
    f
}

/// A scan in batches, with filters that HBase allows with them.
fn batch_spec(random: &mut Random) -> Spec {
    const RAW: u32 = 2;
    const REVERSED: u32 = 32;
    let mut pagination = vec![13];
    pagination.extend(3i32.to_le_bytes());
    pagination.extend(1i32.to_le_bytes());
    pagination.extend([0; 5]); // no column
    let filters = [vec![], vec![17], vec![19, 0], pagination];
    let flags = [0, RAW, REVERSED, RAW | REVERSED][random.below(4) as usize];
    let mut spec = Spec::scan().with(flags).versions(1 + random.below(3) as u32);
    if flags & RAW == 0 && random.one_in(3) {
        spec = spec.column("f", "q2").column("g", "q5");
    }
    if random.one_in(4) {
        (spec.store_limit, spec.store_offset) = (random.below(4) as i32, random.below(2) as i32);
    }
    spec.batch = 1 + random.below(5) as i32;
    spec.filter = random.pick(&filters).clone();
    spec
}

#[test]
fn batches_end_and_say_that_more_may_follow_as_with_a_server() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let f = wide_rows(&mut random);
        let region = f.frozen();
        for _ in 0..8 {
            let spec = batch_spec(&mut random);
            let mut scanner = f.region.open_scanner(&spec.encode()).unwrap();
            let (cells, info) = next(&mut scanner, &NO_LIMITS, 1 << 20);
            assert!(info.end);
            let mut scan = region.scan(&spec.encode(), f.env.now_millis()).unwrap();
            let (mut rows, mut results, mut found, mut complete) =
                (FrozenRows::default(), Vec::new(), Vec::new(), 0);
            loop {
                let limits = FrozenLimits { rows: 1 + random.below(9) as u32, ..FrozenLimits::USUAL };
                let stop = scan.next(&limits, &mut rows).unwrap();
                results.extend(rows.results());
                found.extend(Cell::decode_all(rows.cells()));
                complete += rows.complete_rows();
                if stop == Stop::End {
                    break;
                }
            }
            assert_eq!((&found, &results), (&cells, &info.results), "seed {seed}, {spec:?}");
            let (counts, expected) = (scan.progress(), (info.rows_scanned, info.rows_filtered));
            assert_eq!((counts.rows_scanned, counts.rows_filtered), expected, "seed {seed}, {spec:?}");
            assert_eq!(complete, info.complete_rows, "seed {seed}, {spec:?}");
        }
    }
}

#[test]
fn a_scan_whose_file_cannot_be_read_fails_and_stays_failed() {
    let env = FakeEnv::new(1);
    let f = common::start_in(Arc::new(env.clone()), "{}", &[("f", "")], 1);
    f.fill(300);
    f.region.flush().unwrap();
    let region = frozen_region(f.env.clone(), &f.open_json, &listed(&f).to_string());
    let mut scan = region.scan(&Spec::scan().encode(), 0).unwrap();
    env.set_faults(Faults { fail_read_in: Some(1), ..Faults::default() });
    let (limits, mut rows) = (FrozenLimits { rows: 1, ..FrozenLimits::USUAL }, FrozenRows::default());
    loop {
        match scan.next(&limits, &mut rows) {
            Ok(stop) => assert_ne!(stop, Stop::End, "a read has failed"),
            Err(_) => {
                break assert_eq!((rows.rows(), rows.cells().len()), (0, 0), "nothing of the row is left");
            }
        }
    }
    assert!(scan.next(&limits, &mut rows).is_err());
}

/// On disk, where a scan that does not feed the cache reads past the system's.
#[test]
fn local_files_read_as_with_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let f = start_at(Arc::new(LocalEnv::new()), dir.path(), "{}", &[("f", "\"maxVersions\":2")], 1);
    f.fill(3000);
    f.region.flush().unwrap();
    let list = listed(&f).to_string();
    let region = frozen_region(f.env.clone(), &f.open_json, &list);
    for (caching, reversed) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut spec = Spec::scan().with(if reversed { 32 } else { 0 });
        spec.flags = if caching { spec.flags | 8 } else { spec.flags & !8 };
        let cells = scan_frozen(&region, &spec, 0);
        assert_eq!(cells.len(), 3000);
        assert_eq!(cells, f.scan(&spec), "caching {caching}, reversed {reversed}");
    }
}

/// Rows whose value says whether `value_of` keeps them: one in 100.
fn few_wanted(rows: u32) -> Fixture {
    let f = start(&[("f", "")]);
    f.engine.set_compactions_enabled(false);
    for first in (0..rows).step_by(100) {
        let puts = (first..first + 100).fold(Batch::new(), |batch, n| {
            let wanted = if n % 100 == 99 { "yes" } else { "no" };
            let cells = [Cell::put(&row(n), "f", "q", 1, wanted), Cell::put(&row(n), "f", "r", 1, [7; 80])];
            batch.row_op(RowOp::put(&cells))
        });
        f.mutate(&puts);
    }
    f.region.flush().unwrap();
    f
}

/// SingleColumnValueFilter: the rows whose newest value in `f:q` is this one.
fn value_of(value: &str) -> Vec<u8> {
    let mut filter = vec![6];
    bytes(&mut filter, b"f");
    bytes(&mut filter, b"q");
    filter.extend([2, 1]);
    bytes(&mut filter, value.as_bytes());
    filter.extend([1, 1]);
    filter
}

/// A RowFilter that keeps one row; it looks at keys alone.
fn row_is(row: &str) -> Vec<u8> {
    let mut filter = vec![1, 2, 1];
    bytes(&mut filter, row.as_bytes());
    filter
}

/// A list that the walk alone evaluates.
fn walked(filter: Vec<u8>) -> Vec<u8> {
    [&[26, 1, 2, 0, 0, 0][..], &filter, &[26, 1, 0, 0, 0, 0]].concat()
}

#[test]
fn a_call_is_bounded_by_what_it_looks_at_in_rows_that_the_filter_drops() {
    let f = few_wanted(20_000);
    let region = f.frozen();
    let limits = FrozenLimits { rows: 1000, bytes: 10_000, time: Duration::MAX };
    // A predicate that is pushed down looks at encoded values: those of all rows are fewer bytes than one call may look at.
    for (filter, calls_min) in [(value_of("none"), 0), (walked(value_of("none")), 8), (row_is("none"), 8)] {
        let mut scan = region.scan(&Spec::scan().filter(filter).encode(), 0).unwrap();
        let (mut rows, mut calls, mut before) = (FrozenRows::default(), 0, 0);
        while scan.next(&limits, &mut rows).unwrap() != Stop::End {
            let progress = scan.progress();
            assert_eq!((rows.rows(), progress.rows_filtered), (0, progress.rows_scanned));
            assert!((1..4000).contains(&(progress.rows_scanned - before)), "{progress:?}");
            before = progress.rows_scanned;
            calls += 1;
        }
        assert!(calls >= calls_min, "{calls} calls looked at 20,000 rows");
        assert_eq!(scan.progress().rows_scanned, 20_000);
    }
}

#[test]
fn a_call_ends_when_its_time_is_over_and_the_next_one_goes_on() {
    let f = few_wanted(5000);
    let region = f.frozen();
    for filter in [vec![], value_of("yes"), walked(value_of("yes"))] {
        let spec = Spec::scan().filter(filter);
        let mut scan = region.scan(&spec.encode(), 0).unwrap();
        let limits = FrozenLimits { rows: u32::MAX, bytes: u64::MAX, time: Duration::from_nanos(1) };
        let (mut rows, mut cells, mut calls) = (FrozenRows::default(), Vec::new(), 0);
        loop {
            let stop = scan.next(&limits, &mut rows).unwrap();
            cells.extend(Cell::decode_all(rows.cells()));
            if stop == Stop::End {
                break;
            }
            assert_eq!(stop, Stop::Time);
            calls += 1;
            assert!(scan.progress().rows_scanned > 0);
        }
        assert!(calls > 3, "{calls} calls");
        assert_eq!(cells, f.scan(&spec));
    }
}

#[test]
fn progress_counts_the_rows_and_bytes_that_were_looked_at() {
    let f = few_wanted(1000);
    let region = f.frozen();
    let extent = region.extent();
    assert_eq!(extent.rows, 1000);
    let listed = listed(&f);
    assert_eq!(extent.bytes, listed["families"][0]["files"][0]["bytes"].as_u64().unwrap());
    let mut scan = region.scan(&Spec::scan().encode(), 0).unwrap();
    let mut rows = FrozenRows::default();
    let limits = FrozenLimits { rows: 250, ..FrozenLimits::USUAL };
    for call in 1..=4 {
        assert_eq!(scan.next(&limits, &mut rows).unwrap(), Stop::Results);
        assert_eq!(rows.cell_counts().collect::<Vec<_>>(), [2; 250]);
        let progress = scan.progress();
        assert_eq!((progress.rows_scanned, progress.rows_filtered), (250 * call, 0));
        assert!(progress.bytes_scanned > 250 * 80 * call);
    }
    assert_eq!(scan.next(&limits, &mut rows).unwrap(), Stop::End);
    assert_eq!((rows.rows(), rows.cells().len()), (0, 0));
}

#[test]
fn reads_count_pages_of_the_cache_and_of_files() {
    let f = few_wanted(5000);
    let region = f.frozen();
    assert_eq!(region.reads(), FrozenReads::default(), "nothing but the ends of files was read");
    scan_frozen(&region, &Spec::scan().column("f", "q"), 0);
    let narrow = region.reads();
    scan_frozen(&region, &Spec::scan(), 0);
    let both = region.reads();
    scan_frozen(&region, &Spec::scan(), 0);
    let thrice = region.reads();
    assert!(narrow.cache_misses > 0 && narrow.read_bytes > 0, "{narrow:?}");
    assert!(both.read_bytes > narrow.read_bytes && both.read_bytes <= region.extent().bytes, "{both:?}");
    assert!(both.cache_hits > narrow.cache_hits, "the narrow scan's pages are there: {both:?}");
    assert!(thrice.cache_hits > both.cache_hits, "{thrice:?}");
    assert_eq!(
        (thrice.cache_misses, thrice.read_bytes),
        (both.cache_misses, both.read_bytes),
        "all pages are there"
    );
}

#[test]
fn columns_are_those_that_some_file_lists() {
    let f = start(&[("f", ""), ("g", "")]);
    for (family, qualifier) in [("f", "b"), ("f", ""), ("f", "a"), ("f", "b"), ("g", "z")] {
        f.put(Cell::put("r", family, qualifier, 1, "v"));
        f.region.flush().unwrap();
    }
    let region = frozen_region(f.env.clone(), &f.open_json, &listed(&f).to_string());
    let columns = |family: &str, qualifiers: &[&str], complete| FamilyColumns {
        family: family.into(),
        qualifiers: qualifiers.iter().map(|name| name.as_bytes().to_vec()).collect(),
        complete,
    };
    let all = [columns("f", &["", "a", "b"], true), columns("g", &["z"], true)];
    assert_eq!(region.columns(QUALIFIERS).unwrap(), all);

    for n in 0..QUALIFIERS {
        f.put(Cell::put(&format!("r{n}"), "g", &format!("q{n}"), 1, "v"));
    }
    f.region.flush().unwrap();
    let region = frozen_region(f.env.clone(), &f.open_json, &listed(&f).to_string());
    let of_g = |most: usize| region.columns(most).unwrap().pop().unwrap();
    let mut names: Vec<Vec<u8>> = (0..QUALIFIERS).map(|n| format!("q{n}").into_bytes()).collect();
    names.push(b"z".to_vec());
    names.sort();
    let all = of_g(QUALIFIERS + 1);
    assert!(all.complete);
    assert_eq!(all.qualifiers, names);
    let some = of_g(QUALIFIERS);
    assert!(!some.complete);
    assert!(some.qualifiers.iter().all(|name| names.contains(name)));
}
