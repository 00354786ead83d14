//! What a read takes from the files: bytes of a scan of one column, pages of a get of one column.
//!
//! Both are counted twice, by the engine (`files.page_reads`, `files.page_read_bytes`) and by the environment below it, so that a
//! read past the engine's counter would show.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_colfile::inspect::{self, Area};
use grampus_colfile::{ColumnFile, PageKind};
use grampus_env::{Env, FakeEnv};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};
use serde_json::Value;

use crate::common::{Fixture, REGION, start_in};

const CONFIG: &str = "{\"blockCacheBytes\":268435456,\"memtableBytes\":4294967296}";
const CACHE_BLOCKS: u32 = 8;
/// A timestamp that the server replaces by its own.
const LATEST: i64 = i64::MAX;

/// A table over an environment that counts reads.
struct Table {
    env: FakeEnv,
    fixture: Fixture,
}

/// Reads and bytes, as the engine and the environment count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    pages: u64,
    page_bytes: u64,
    reads: u64,
    read_bytes: u64,
    /// Pages that no read waited for.
    loaded: u64,
}

impl Table {
    fn new(family: &str) -> Table {
        let env = FakeEnv::new(1);
        let fixture = start_in(Arc::new(env.clone()), CONFIG, &[("f", family)], 1);
        fixture.engine.set_compactions_enabled(false);
        Table { env, fixture }
    }

    /// Writes rows as an import does: in requests, each of which has a time of its own.
    fn write(&self, rows: impl Iterator<Item = Vec<Cell>>) {
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            let batch = rows.by_ref().take(700).fold(Batch::new(), |b, cells| b.row_op(RowOp::put(&cells)));
            self.fixture.mutate(&batch);
            self.env.advance_millis(23);
        }
    }

    fn metric(&self, name: &str) -> u64 {
        let metrics: Value = serde_json::from_str(&self.fixture.engine.metrics_json()).unwrap();
        metrics[format!("engine.{name}")].as_u64().unwrap_or_else(|| panic!("no {name} in {metrics}"))
    }

    /// Brings everything into one file.
    fn compact(&self) {
        self.fixture.region.flush().unwrap();
        self.fixture.engine.set_compactions_enabled(true);
        self.fixture.region.compact("{\"major\":true}").unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.metric("compaction.major.count") == 0 {
            assert!(Instant::now() < deadline, "no compaction came: {}", self.fixture.engine.metrics_json());
            std::thread::sleep(Duration::from_millis(5));
        }
        self.fixture.engine.set_compactions_enabled(false);
    }

    fn counts(&self) -> Counts {
        let (reads, read_bytes) = self.env.reads();
        let (pages, page_bytes) = (self.metric("files.page_reads"), self.metric("files.page_read_bytes"));
        Counts {
            pages,
            page_bytes,
            reads,
            read_bytes,
            loaded: self.fixture.metric("block_cache.loaded_count"),
        }
    }

    /// What a piece of work reads.
    fn counted<T>(&mut self, work: impl FnOnce(&mut Table) -> T) -> (T, Counts) {
        let before = self.counts();
        let result = work(self);
        let after = self.counts();
        let counts = Counts {
            pages: after.pages - before.pages,
            page_bytes: after.page_bytes - before.page_bytes,
            reads: after.reads - before.reads,
            read_bytes: after.read_bytes - before.read_bytes,
            loaded: after.loaded - before.loaded,
        };
        (result, counts)
    }

    /// Opens the region again with nothing of it in the cache.
    fn reopen_cold(&mut self) {
        self.fixture.region.clear_cache().unwrap();
        self.fixture.region.close(false).unwrap();
        self.fixture.region = self.fixture.engine.open_region(&self.fixture.open_json).unwrap();
    }

    /// The one file of the family.
    fn file(&self) -> StoredFile {
        let dir = PathBuf::from(format!("/h/data/default/t/{REGION}/f"));
        let entries = self.env.list(&dir).unwrap();
        let files: Vec<_> = entries.iter().filter(|e| !e.is_dir).collect();
        let [only] = files.as_slice() else { panic!("not one file: {files:?}") };
        StoredFile::open(&self.env, &dir.join(&only.name))
    }

    /// Bytes read by opening the region and by a scan of one column from a cold cache.
    fn cold_scan(&mut self, qualifier: &str) -> ColdScan {
        let ((), opening) = self.counted(Table::reopen_cold);
        let spec = Spec::scan().column("f", qualifier);
        let (cells, scan) = self.counted(|t| t.fixture.scan(&spec).len());
        assert_eq!(
            (scan.pages, scan.page_bytes),
            (scan.reads, scan.read_bytes),
            "the engine's counters are not what was read"
        );
        ColdScan { cells, opening: opening.read_bytes, scan: scan.page_bytes }
    }
}

struct ColdScan {
    cells: usize,
    opening: u64,
    scan: u64,
}

/// Where a file's bytes are.
struct StoredFile {
    bytes: u64,
    areas: BTreeMap<(u8, Vec<u8>), Area>,
}

impl StoredFile {
    fn open(env: &FakeEnv, path: &Path) -> StoredFile {
        let source = env.open(path).unwrap();
        let file = ColumnFile::open(&source).unwrap();
        StoredFile { bytes: file.file_bytes(), areas: inspect::areas(&file, &source).unwrap() }
    }

    fn stored(&self, kind: PageKind, qualifier: &str) -> u64 {
        self.areas.get(&(kind as u8, qualifier.into())).map_or(0, |area| area.stored_bytes)
    }

    /// Everything but the pages of the data.
    fn footer_and_tail(&self) -> u64 {
        self.bytes - self.areas.values().map(|area| area.stored_bytes).sum::<u64>()
    }
}

/// The demo's table: rows of its key columns, the fields that are not empty.
fn flights(rows: usize) -> (Vec<String>, Vec<Vec<Cell>>) {
    const KEY: [&str; 7] = ["year", "month", "day", "carrier", "flight", "origin", "sched_dep_time"];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../perf-eval/data/flights.csv.gz");
    let mut csv = String::new();
    flate2::read::MultiGzDecoder::new(File::open(path).unwrap()).read_to_string(&mut csv).unwrap();
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let key = KEY.map(|name| header.iter().position(|h| *h == name).unwrap());
    let rows = lines.take(rows).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let row = key.map(|column| fields[column]).join("|");
        let present = header.iter().zip(&fields).filter(|(_, value)| !value.is_empty());
        present.map(|(name, value)| Cell::put(&row, "f", name, LATEST, value)).collect()
    });
    let rows = rows.collect();
    (header.iter().map(|name| name.to_string()).collect(), rows)
}

#[test]
fn a_cold_scan_of_one_of_19_columns_reads_its_pages_the_row_keys_and_the_footer_and_5_percent_more_at_most() {
    for compression in ["NONE", "ZSTD"] {
        let mut table = Table::new(&format!("\"maxVersions\":1,\"compression\":\"{compression}\""));
        let (columns, rows) = flights(35_000);
        assert_eq!(columns.len(), 19);
        table.write(rows.into_iter());
        table.compact();
        let file = table.file();
        for column in columns {
            let pages = file.stored(PageKind::Column, &column) + file.stored(PageKind::Rows, "");
            let read = table.cold_scan(&column);
            assert!(read.cells > 30_000, "{column} has {} cells", read.cells);
            assert!(
                read.scan * 100 <= pages * 105,
                "{compression} {column}: {} of {} bytes were read, its pages and the row keys have {pages}",
                read.scan,
                file.bytes
            );
            let needed = pages + file.footer_and_tail();
            let all = read.opening + read.scan;
            assert!(
                all * 100 <= needed * 105,
                "{compression} {column}: {all} bytes with those of opening the file ({}), needed are {needed}",
                read.opening
            );
        }
    }
}

#[test]
fn a_cold_scan_of_one_of_100_columns_with_keys_of_8_bytes_reads_a_thirtieth_of_the_file_at_most() {
    const ROWS: u64 = 40_000;
    let mut table = Table::new("\"maxVersions\":1");
    let mut random = Random::new(3);
    let rows = (0..ROWS).map(|row| {
        let cell = |column| {
            Cell::put(
                &format!("{row:08}"),
                "f",
                &format!("c{column:02}"),
                LATEST,
                random.bits().to_be_bytes(),
            )
        };
        (0..100).map(cell).collect()
    });
    table.write(rows.collect::<Vec<_>>().into_iter());
    table.compact();
    let file = table.file();
    for column in ["c00", "c42", "c99"] {
        let read = table.cold_scan(column);
        assert_eq!(read.cells as u64, ROWS);
        let all = read.opening + read.scan;
        assert!(all * 30 <= file.bytes, "{column}: {all} of {} bytes were read", file.bytes);
    }
}

const GET_ROWS: u32 = 4_000;
const FILES: u32 = 3;

fn get_row(n: u32) -> String {
    format!("row{n:06}")
}

/// Three files with a third of the rows each, as they come in writing order: row n is in file n modulo 3. Several pages of row keys,
/// of each column, and of the bloom filter.
fn three_files(bloom: &str) -> Table {
    let table = Table::new(&format!("\"maxVersions\":1,\"blockSize\":2048,\"bloom\":\"{bloom}\""));
    let mut random = Random::new(5);
    for file in 0..FILES {
        let rows = (0..GET_ROWS).filter(|n| n % FILES == file).map(|n| {
            let value =
                |random: &mut Random| (0..16).flat_map(|_| random.bits().to_be_bytes()).collect::<Vec<u8>>();
            ["a", "b", "c"].map(|q| Cell::put(&get_row(n), "f", q, LATEST, value(&mut random))).to_vec()
        });
        table.write(rows.collect::<Vec<_>>().into_iter());
        table.fixture.region.flush().unwrap();
    }
    table
}

/// A get of one column that lets no page of cells in.
fn get(table: &Table, n: u32) {
    let mut spec = Spec::get(&get_row(n)).column("f", "b");
    spec.flags &= !CACHE_BLOCKS;
    let mut out = Vec::new();
    table.fixture.region.get(&spec.encode(), &mut out).unwrap();
    assert!(out.len() > 128, "row {n} is missing");
}

/// Pages that it reads; `None` where a bloom filter was loaded meanwhile. No loading may have begun before.
fn pages_of_get(table: &mut Table, n: u32) -> Option<u64> {
    let ((), counts) = table.counted(|t| get(t, n));
    if counts.loaded > 0 {
        return None;
    }
    assert_eq!(counts.pages, counts.reads, "the engine's counter is not what was read");
    Some(counts.pages)
}

/// The same by a get that finds nothing at all in memory.
fn pages_of_cold_get(table: &mut Table, n: u32) -> u64 {
    loop {
        table.fixture.await_filters();
        table.fixture.region.clear_cache().unwrap();
        if let Some(pages) = pages_of_get(table, n) {
            return pages;
        }
    }
}

/// A file whose bloom filter does not rule the row out is read like the one that has it. Divisor of the gets: at most this share.
const FALSE_POSITIVES_ONE_IN: u64 = 10;

#[test]
fn a_get_of_one_column_reads_one_page_of_row_keys_and_one_of_values_once_bloom_filters_are_in_memory() {
    for bloom in ["ROW", "ROWCOL"] {
        let mut table = three_files(bloom);
        for n in 0..GET_ROWS {
            get(&table, n); // lets the bloom filters in
        }
        table.fixture.await_filters();
        let mut total = 0;
        for n in 0..GET_ROWS {
            let pages = pages_of_get(&mut table, n).expect("all bloom filters are in memory");
            assert!(pages >= 2 && pages <= 2 * u64::from(FILES), "{bloom}, row {n}: {pages} pages");
            total += pages;
        }
        let gets = u64::from(GET_ROWS);
        assert!(
            total <= 2 * (gets + gets / FALSE_POSITIVES_ONE_IN),
            "{bloom}: {total} pages were read for {gets} gets"
        );
    }
}

#[test]
fn a_cold_get_of_one_column_reads_two_pages_of_the_file_with_the_row_and_one_of_each_whose_rows_surround_it()
{
    for bloom in ["ROW", "ROWCOL", "NONE"] {
        let mut table = three_files(bloom);
        for n in (FILES..GET_ROWS - FILES).step_by(997) {
            let newer = FILES - 1 - n % FILES; // a get by name reads no older file
            assert_eq!(pages_of_cold_get(&mut table, n), u64::from(newer) + 2, "{bloom}, row {n}");
        }
    }
}

#[test]
fn a_cold_get_of_columns_by_name_reads_no_file_that_has_only_older_versions() {
    let mut table = Table::new("\"maxVersions\":2,\"bloom\":\"NONE\"");
    for _ in 0..4 {
        table.write(
            (0..100).map(|n| ["a", "b"].map(|q| Cell::put(&get_row(n), "f", q, LATEST, [7])).to_vec()),
        );
        table.fixture.region.flush().unwrap();
    }
    table.write((0..100).map(|n| vec![Cell::put(&get_row(n), "f", "a", LATEST, [8])]));
    let get = |columns: &[&str]| columns.iter().fold(Spec::get(&get_row(50)), |spec, q| spec.column("f", q));
    for (spec, pages) in [
        (get(&["a"]), 0),             // the memtable has it
        (get(&["b"]), 2),             // row keys and values of the newest file
        (get(&["a"]).versions(2), 2), // one version in the memtable, one in the newest file
        (get(&["b"]).versions(2), 4),
        (get(&["a", "b"]), 2),
    ] {
        table.fixture.region.clear_cache().unwrap();
        let (_, counts) = table.counted(|t| t.fixture.region.get(&spec.encode(), &mut Vec::new()).unwrap());
        assert_eq!((counts.pages, counts.reads), (pages, pages), "{spec:?}");
    }
}
