//! The engine against the model under random operations, with flushes, compactions, reopenings and crashes in between.
//!
//! Each round draws the attributes of both families anew: VERSIONS, MIN_VERSIONS, TTL, KEEP_DELETED_CELLS, NEW_VERSION_BEHAVIOR, BLOOMFILTER,
//! BLOCKSIZE, COMPRESSION, and those of the block cache; values are of all kinds that have an encoding of their own.
//!
//! `GRAMPUS_MODEL_SECONDS` sets the length (default 10), `GRAMPUS_MODEL_SEED` repeats a run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{NO_LIMITS, REGION, next};
use grampus_engine::env::{Env, FakeEnv};
use grampus_engine::{Engine, Region, ScanLimits, Scanner};
use grampus_testkit::model::{Family, Model, Query};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, column_condition, open_region_json};

/// A family's attributes, as a request that opens the region has them and as the model needs them.
struct Attributes {
    json: String,
    family: Family,
}

/// `deep` keeps all versions that have not expired and takes every kind of marker.
fn deep(random: &mut Random) -> Attributes {
    let ttl_seconds = random.one_in(3).then(|| 60 + random.below(600));
    attributes(random, 100_000, 0, ttl_seconds)
}

/// `flat` keeps a few and only takes markers above all its cells, because what a compaction drops for its versions must not be uncovered.
fn flat(random: &mut Random) -> Attributes {
    let versions = 1 + random.below(4);
    let ttl_seconds = random.one_in(2).then(|| 30 + random.below(300));
    let keeps_some = ttl_seconds.is_some() && random.one_in(2);
    let min_versions = if keeps_some { 1 + random.below(versions) } else { 0 };
    attributes(random, versions, min_versions, ttl_seconds)
}

/// The rest by chance.
fn attributes(random: &mut Random, versions: u64, min_versions: u64, ttl_seconds: Option<u64>) -> Attributes {
    let keep = *random.pick(&["FALSE", "FALSE", "TRUE", "TTL"]);
    let by_sequence = random.one_in(4);
    let ttl = ttl_seconds.map_or("null".to_string(), |seconds| seconds.to_string());
    let bloom = *random.pick(&["NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"]);
    let compression = *random.pick(&["NONE", "SNAPPY", "LZ4", "ZSTD", "GZ"]);
    let block_size = *random.pick(&[256, 1024, 4096, 65536]);
    let cache_compacted_up_to = *random.pick(&[0, 4096, 1 << 30]);
    let mut flags = String::new();
    for name in ["inMemory", "blockCache", "cacheDataOnWrite", "evictBlocksOnClose", "prefetchBlocksOnOpen"] {
        flags += &format!(",\"{name}\":{}", random.one_in(2));
    }
    let json = format!(
        "\"maxVersions\":{versions},\"minVersions\":{min_versions},\"ttlSeconds\":{ttl},\
         \"keepDeletedCells\":\"{keep}\",\"newVersionBehavior\":{by_sequence},\
         \"bloom\":\"{bloom}\",\"bloomPrefixLength\":4,\"compression\":\"{compression}\",\
         \"blockSize\":{block_size},\"cacheCompactedUpTo\":{cache_compacted_up_to}{flags}"
    );
    let family = Family {
        versions: versions as usize,
        min_versions: min_versions as usize,
        ttl_ms: ttl_seconds.map(|seconds| seconds as i64 * 1000),
        keep_deleted: keep != "FALSE",
        by_sequence,
    };
    Attributes { json, family }
}

/// A value of one of the kinds that files encode each in a way of its own.
fn value(random: &mut Random) -> Vec<u8> {
    let bits = random.bits();
    match random.below(8) {
        0 => Vec::new(),
        1 => (bits % 100_000).to_string().into_bytes(),
        2 => format!("-{}.{:02}", bits % 1000, bits % 97).into_bytes(),
        3 => (bits % 1000).to_be_bytes().to_vec(),
        4 => format!("2013-01-{:02}T{:02}:00", 1 + bits % 28, bits % 24).into_bytes(),
        5 => ["yes", "no", "unknown"][(bits % 3) as usize].into(),
        6 => format!("the text of cell number {bits}, which is of middling length").into_bytes(),
        _ => format!("{bits}-{}", "v".repeat((bits % 60) as usize)).into_bytes(),
    }
}

struct World {
    seed: u64,
    random: Random,
    env: FakeEnv,
    config: &'static str,
    engine: Arc<Engine>,
    region: Arc<Region>,
    model: Model,
    families: Vec<(&'static str, String)>,
    /// Timestamps are whole seconds from `first_stamp` to `stamp`; the clock, which follows, is half a second past one, so that
    /// no increment meets the timestamp of a marker.
    stamp: i64,
    first_stamp: i64,
    nonce: u64,
    generation: u32,
    /// A scanner opened earlier with the table as it was then.
    pinned: Option<(Scanner, Model)>,
    log: Vec<String>,
}

impl World {
    fn new(seed: u64) -> World {
        let env = FakeEnv::new(seed);
        let mut random = Random::new(seed);
        let config = if random.one_in(2) {
            "{\"walSync\":\"fsync\",\"walSegmentBytes\":20000,\"flushThreads\":1}"
        } else {
            "{\"walSegmentBytes\":20000,\"regionFlushBytes\":60000}"
        };
        env.mkdir(std::path::Path::new(&format!("/h/data/default/t/{REGION}"))).unwrap();
        let (deep, flat) = (deep(&mut random), flat(&mut random));
        let model = Model::new(&[("deep", deep.family), ("flat", flat.family)]);
        let families = vec![("deep", deep.json), ("flat", flat.json)];
        let (engine, region) = open(&env, config, 0, &families);
        let first_stamp = env.now_ms() / 1000 * 1000 + 1000;
        env.advance_ms(first_stamp - env.now_ms() - 500);
        World {
            seed,
            random,
            env,
            config,
            engine,
            region,
            model,
            families,
            stamp: first_stamp,
            first_stamp,
            nonce: 0,
            generation: 0,
            pinned: None,
            log: Vec::new(),
        }
    }

    fn next_stamp(&mut self) -> i64 {
        self.stamp += 1000;
        self.stamp
    }

    fn row(&mut self) -> String {
        let wide = self.random.one_in(4);
        format!("row{:03}", self.random.below(if wide { 200 } else { 12 }))
    }

    fn put_cell(&mut self, row: &str) -> Cell {
        let family = *self.random.pick(&["deep", "flat"]);
        let qualifier = format!("q{}", self.random.below(5));
        // With NEW_VERSION_BEHAVIOR HBase overlooks family markers between the versions of the empty qualifier, and so does the engine.
        let empty = self.random.one_in(12) && !self.model.families[family.as_bytes()].by_sequence;
        let qualifier = if empty { String::new() } else { qualifier };
        let stamps = self.model.timestamps(row.as_bytes(), family.as_bytes(), qualifier.as_bytes());
        // Now and then a version that is visible is written again.
        let again = family == "deep" && !stamps.is_empty() && self.random.one_in(6);
        let stamp = if again { *self.random.pick(&stamps) } else { self.next_stamp() };
        Cell::put(row, family, &qualifier, stamp, value(&mut self.random))
    }

    fn mutate(&mut self, batch: &Batch) -> Vec<Answer> {
        common::mutate(&self.engine, &self.region, batch)
    }

    fn write_all(&mut self, cells: Vec<Cell>) {
        cells.into_iter().for_each(|cell| self.model.write(cell));
    }

    fn put(&mut self) {
        let mut batch = Batch::new();
        let mut written = Vec::new();
        for _ in 0..=self.random.below(6) {
            let row = self.row();
            let cells: Vec<Cell> = (0..=self.random.below(3)).map(|_| self.put_cell(&row)).collect();
            batch = batch.row_op(RowOp::put(&cells));
            written.extend(cells);
        }
        assert!(self.mutate(&batch).iter().all(|a| *a == Answer::Done));
        self.write_all(written);
    }

    fn delete(&mut self) {
        let row = self.row();
        let qualifier = format!("q{}", self.random.below(5));
        let marker = match self.random.below(6) {
            0 => Cell::new(&row, "flat", &qualifier, self.next_stamp(), 12, ""),
            1 => Cell::new(&row, "flat", "", self.next_stamp(), 14, ""),
            2 => Cell::new(&row, "deep", &qualifier, self.next_stamp(), 12, ""),
            3 if self.random.one_in(3) => Cell::new(&row, "deep", "", self.next_stamp(), 14, ""),
            kind => {
                let stamps = self.model.timestamps(row.as_bytes(), b"deep", qualifier.as_bytes());
                let Some(newest) = stamps.first().copied() else { return };
                if kind == 4 {
                    // The server finds the newest version.
                    let latest = Cell::new(&row, "deep", &qualifier, i64::MAX, 8, "");
                    self.mutate(&Batch::new().row_op(RowOp::delete(&[latest])));
                    self.model.write(Cell::new(&row, "deep", &qualifier, newest, 8, ""));
                    return;
                }
                let stamp = *self.random.pick(&stamps);
                if self.random.one_in(2) {
                    Cell::new(&row, "deep", &qualifier, stamp, 8, "")
                } else {
                    Cell::new(&row, "deep", "", stamp, 10, "")
                }
            }
        };
        assert_eq!(
            self.mutate(&Batch::new().row_op(RowOp::delete(std::slice::from_ref(&marker)))),
            [Answer::Done]
        );
        self.model.write(marker);
    }

    /// An increment or append of a column of its own, so that no marker of a single version meets the timestamps it makes.
    fn modify(&mut self) {
        let row = self.row();
        let family = *self.random.pick(&["deep", "flat"]);
        let add = self.random.one_in(2);
        let qualifier = if add { "n" } else { "s" };
        let stamp = self.next_stamp();
        self.nonce += 1;
        let delta = if add { self.random.below(100).to_be_bytes().to_vec() } else { b"x".to_vec() };
        let cell = Cell::put(&row, family, qualifier, stamp, &delta);
        let op = if add { RowOp::increment(self.nonce, &[cell]) } else { RowOp::append(self.nonce, &[cell]) };
        let batch = Batch::new().row_op(op);
        let answers = self.mutate(&batch);
        let [Answer::Cells(cells)] = answers.as_slice() else { panic!("{answers:?}") };
        let columns = [(family.as_bytes().to_vec(), vec![qualifier.as_bytes().to_vec()])].into();
        let before = self.model.get(row.as_bytes(), &Query { columns, ..Query::newest() });
        let long = |b: &[u8]| u64::from_be_bytes(b.try_into().unwrap());
        let after = |old: &Cell| self.env.now_ms().max(old.timestamp + 1);
        let (value, at) = match before.first() {
            Some(old) if add => ((long(&old.value) + long(&delta)).to_be_bytes().to_vec(), after(old)),
            Some(old) => ([&old.value[..], b"x"].concat(), after(old)),
            None => (delta, stamp),
        };
        assert_eq!((&cells[0].value, cells[0].timestamp), (&value, at));
        self.write_all(cells.clone());
        if self.random.one_in(3) {
            assert_eq!(self.mutate(&batch), answers, "the same nonce again");
        }
    }

    fn check(&mut self) {
        let row = self.row();
        let qualifier = format!("q{}", self.random.below(5));
        let columns = [(b"deep".to_vec(), vec![qualifier.as_bytes().to_vec()])].into();
        let current = self.model.get(row.as_bytes(), &Query { columns, ..Query::newest() });
        let expected = match current.first() {
            Some(cell) if self.random.one_in(2) => cell.value.clone(),
            Some(_) => b"something else".to_vec(),
            None => Vec::new(),
        };
        let holds = current.first().map_or(expected.is_empty(), |cell| cell.value == expected);
        let cells = vec![self.put_cell(&row), self.put_cell(&row)];
        let condition = column_condition("deep", &qualifier, 2, &expected);
        let answers = self.mutate(&Batch::new().check(&row, &condition, vec![RowOp::put(&cells)]));
        assert_eq!(answers, [if holds { Answer::Done } else { Answer::NotMatched }]);
        if holds {
            self.write_all(cells);
        }
    }

    fn atomic(&mut self) {
        let rows: Vec<String> = (0..3).map(|_| self.row()).collect();
        let cells: Vec<Cell> = rows.iter().map(|row| self.put_cell(row)).collect();
        let ops = cells.iter().map(|cell| RowOp::put(std::slice::from_ref(cell))).collect();
        assert_eq!(self.mutate(&Batch::new().multi_row(ops)), [Answer::Done]);
        self.write_all(cells);
    }

    fn query(&mut self) -> (Query, Spec) {
        let mut query = Query::newest();
        if self.random.one_in(2) {
            query.versions = 1 + self.random.below(5) as usize;
        }
        if self.random.one_in(4) {
            let span = (self.stamp - self.first_stamp).max(1) as u64;
            query.range = (self.first_stamp + self.random.below(span) as i64, i64::MAX);
        }
        if self.random.one_in(2) {
            let family = *self.random.pick(&["deep", "flat"]);
            let mut qualifiers: Vec<Vec<u8>> = (0..=self.random.below(3))
                .map(|_| format!("q{}", self.random.below(6)).into_bytes())
                .collect();
            qualifiers.sort();
            qualifiers.dedup();
            query.columns.insert(family.into(), qualifiers);
            if family == "deep" && self.random.one_in(3) {
                // Of `flat` the end stays open: an end would show what a compaction may have dropped for its versions.
                let from = if query.range.1 == i64::MAX { query.range.0 } else { 0 };
                let span = (self.stamp - from.max(self.first_stamp)).max(1) as u64;
                query.range = (from, from.max(self.first_stamp) + 1 + self.random.below(span) as i64);
            }
            if family == "flat" && self.model.families[&b"flat"[..]].min_versions > 0 {
                // Of a column that is named, HBase shows one expired version too many until a compaction drops it.
                query.versions = 1;
            }
        }
        let spec = Spec { range: query.range, families: query.columns.clone(), ..Spec::scan() };
        (query.clone(), spec.versions(query.versions as u32))
    }

    fn get(&mut self) {
        let row = self.row();
        let (query, spec) = self.query();
        let spec = Spec {
            families: spec.families,
            range: spec.range,
            ..Spec::get(&row).versions(spec.max_versions)
        };
        same(
            &common::get(&self.region, &spec),
            &self.model.get(row.as_bytes(), &query),
            &format!("get {row}"),
        );
    }

    fn scan(&mut self) {
        let (query, mut spec) = self.query();
        let (mut a, mut b) = (self.row(), self.row());
        if b < a {
            std::mem::swap(&mut a, &mut b);
        }
        let open_end = self.random.one_in(3);
        let (start, stop) = if open_end { (String::new(), String::new()) } else { (a, b) };
        let reversed = self.random.one_in(3);
        if reversed {
            // Bounds are given as [start, stop) upwards; downwards the high end is excluded and the low end included.
            spec = Spec { start: stop.clone().into(), stop: start.clone().into(), ..spec.with(32 | 128) };
            spec.flags &= !64;
            if stop.is_empty() {
                spec.flags |= 64;
            }
        } else {
            spec = Spec { start: start.clone().into(), stop: stop.clone().into(), ..spec };
        }
        let expected = self.model.scan(start.as_bytes(), stop.as_bytes(), reversed, &query);
        if self.random.one_in(3) {
            spec.batch = 1 + self.random.below(4) as i32;
        }
        let mut scanner = self.region.open_scanner(&spec.encode()).unwrap();
        let what =
            format!("scan {start}..{stop} reversed {reversed} batch {} of {:?}", spec.batch, query.columns);
        same(&self.drain(&mut scanner), &expected, &what);
    }

    /// Reads a scanner to its end through small buffers and limits.
    fn drain(&mut self, scanner: &mut Scanner) -> Vec<Cell> {
        let mut cells = Vec::new();
        let mut room = 300 + self.random.below(5000) as usize;
        loop {
            let limits = ScanLimits {
                max_results: 1 + self.random.below(20) as u32,
                size_limit: 1 + self.random.below(3000),
                partials_allowed: self.random.one_in(2),
                ..NO_LIMITS
            };
            let (more, info) = next(scanner, &limits, room);
            if more.is_empty() && info.stop_reason == 5 {
                room = room.max(info.needed as usize);
            }
            cells.extend(more);
            if info.end {
                return cells;
            }
        }
    }

    fn pin(&mut self) {
        match self.pinned.take() {
            Some((mut scanner, model)) => {
                let expected = model.scan(b"", b"", false, &Query { versions: 3, ..Query::newest() });
                same(&self.drain(&mut scanner), &expected, "a scanner opened earlier");
            }
            None => {
                let scanner = self.region.open_scanner(&Spec::scan().versions(3).encode()).unwrap();
                self.pinned = Some((scanner, self.model.clone()));
            }
        }
    }

    fn compact(&mut self) {
        let major = self.random.one_in(2);
        self.region.compact(&format!("{{\"major\":{major}}}")).unwrap();
        if self.random.one_in(2) {
            let deadline = Instant::now() + Duration::from_secs(10);
            while self.region.stats_json().contains("\"compacting\":true") && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    fn reopen(&mut self) {
        self.pinned = None;
        self.region.close(false).unwrap();
        self.region = self.engine.open_region(&open_json(&self.families)).unwrap();
    }

    /// Time passes, but not beyond the timestamps.
    fn tick(&mut self) {
        let seconds = (self.stamp - self.env.now_ms()).max(0) as u64 / 1000;
        self.env.advance_ms(1000 * self.random.below(seconds + 1) as i64);
    }

    /// The process, or with an fsync at each write also the machine, dies; another server recovers the region.
    fn crash(&mut self) {
        self.pinned = None;
        let fsync = self.config.contains("fsync");
        // What the dead process still does must not reach the new one's files.
        self.region.close(true).unwrap();
        let old = format!("/h/WALs/s{}", self.generation);
        if fsync && self.random.one_in(2) {
            self.env.crash_machine();
        } else {
            self.env.crash_process();
        }
        self.engine.close();
        self.generation += 1;
        let splitter = Engine::open_in(Arc::new(self.env.clone()), "{}").unwrap();
        for segment in self.env.list(std::path::Path::new(&old)).unwrap_or_default() {
            splitter
                .split_wal(&format!("{{\"wal\":\"{old}/{}\",\"rootDir\":\"/h\"}}", segment.name))
                .unwrap();
        }
        splitter.close();
        (self.engine, self.region) = open(&self.env, self.config, self.generation, &self.families);
    }

    fn step(&mut self) {
        let dice = self.random.below(1000);
        let (name, operation): (&str, fn(&mut World)) = match dice {
            0..325 => ("put", World::put),
            325..350 => ("tick", World::tick),
            350..430 => ("delete", World::delete),
            430..520 => ("modify", World::modify),
            520..560 => ("check", World::check),
            560..590 => ("atomic", World::atomic),
            590..800 => ("get", World::get),
            800..930 => ("scan", World::scan),
            930..945 => ("pin", World::pin),
            945..970 => ("flush", |w| drop(w.region.flush().unwrap())),
            970..982 => ("compact", World::compact),
            982..988 => ("roll", |w| w.engine.roll_wal().unwrap()),
            988..995 => ("reopen", World::reopen),
            _ => ("crash", World::crash),
        };
        self.log.push(name.to_string());
        self.model.now_ms = self.env.now_ms();
        operation(self);
    }

    fn finish(&mut self) {
        self.model.now_ms = self.env.now_ms();
        let expected = self.model.scan(b"", b"", false, &Query { versions: 9, ..Query::newest() });
        same(&common::scan_all(&self.region, &Spec::scan().versions(9)), &expected, "at the end");
        self.region.close(false).unwrap();
        self.engine.close();
    }
}

/// Compares cell by cell and shows where they part.
fn same(actual: &[Cell], expected: &[Cell], what: &str) {
    let parted = actual.iter().zip(expected).position(|(a, e)| a != e);
    let at = parted.unwrap_or(actual.len().min(expected.len()));
    if actual.len() == expected.len() && parted.is_none() {
        return;
    }
    let show = |cells: &[Cell]| {
        let near = cells.iter().skip(at.saturating_sub(1)).take(4);
        near.map(|c| {
            let text = |b: &[u8]| String::from_utf8_lossy(&b[..b.len().min(20)]).into_owned();
            format!(
                "{}/{}:{}/{}={}",
                text(&c.row),
                text(&c.family),
                text(&c.qualifier),
                c.timestamp,
                text(&c.value)
            )
        })
        .collect::<Vec<_>>()
    };
    panic!(
        "{what}: {} cells, expected {}; from {at} on\n  got      {:#?}\n  expected {:#?}",
        actual.len(),
        expected.len(),
        show(actual),
        show(expected)
    );
}

fn open_json(families: &[(&str, String)]) -> String {
    let families: Vec<(&str, &str)> = families.iter().map(|(name, json)| (*name, json.as_str())).collect();
    open_region_json("/h", REGION, &families)
}

fn open(
    env: &FakeEnv,
    config: &str,
    generation: u32,
    families: &[(&str, String)],
) -> (Arc<Engine>, Arc<Region>) {
    let engine = Engine::open_in(Arc::new(env.clone()), config).unwrap();
    engine.start_wal(&format!("/h/WALs/s{generation}"), "/h/oldWALs", "s").unwrap();
    let region = engine.open_region(&open_json(families)).unwrap();
    (engine, region)
}

#[test]
fn random_operations_agree_with_the_model() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let until = Instant::now() + Duration::from_secs(number("GRAMPUS_MODEL_SECONDS").unwrap_or(10));
    let fixed = number("GRAMPUS_MODEL_SEED");
    let started =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut round = 0;
    loop {
        let seed = fixed.unwrap_or(started.wrapping_add(round));
        let outcome = std::panic::catch_unwind(|| {
            let mut world = World::new(seed);
            for _ in 0..600 {
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.step()));
                if let Err(cause) = outcome {
                    let tail = world.log.len().saturating_sub(25);
                    eprintln!("step {} after {:?}", world.log.len(), &world.log[tail..]);
                    eprintln!("families {:#?}", world.families);
                    std::panic::resume_unwind(cause);
                }
            }
            world.finish();
            world.seed
        });
        if outcome.is_err() {
            panic!("the engine disagrees with the model: run again with GRAMPUS_MODEL_SEED={seed}");
        }
        round += 1;
        if fixed.is_some() || Instant::now() >= until {
            eprintln!("{round} rounds of 600 operations, seeds from {} on", fixed.unwrap_or(started));
            return;
        }
    }
}
