//! The engine and the model side by side, and the choice of what is done to both.

use std::sync::Arc;

use grampus_engine::{Engine, Region, Scanner};
use grampus_env::{Env, FakeEnv, FakeKind};
use grampus_testkit::model::{Model, Query};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Answer, Batch, Cell, Spec};

use crate::attributes::{deep, flat, value};
use crate::common::{self, REGION};
use crate::life::open;
use crate::reads::same;

/// A scanner opened earlier.
pub(crate) struct Pinned {
    pub scanner: Scanner,
    /// All that it is to return.
    pub expected: Vec<Cell>,
    pub seen: Vec<Cell>,
    pub room: usize,
}

/// The engine, the model, and what the next operation is drawn from.
pub(crate) struct World {
    pub seed: u64,
    pub random: Random,
    pub env: FakeEnv,
    pub config: &'static str,
    pub engine: Arc<Engine>,
    pub region: Arc<Region>,
    pub model: Model,
    pub families: Vec<(&'static str, String)>,
    /// Timestamps are whole seconds from `first_stamp` to `stamp`; the clock, which follows, is half a second past one, so that
    /// no increment meets the timestamp of a marker.
    pub stamp: i64,
    pub first_stamp: i64,
    pub nonce: u64,
    pub generation: u32,
    pub pinned: Option<Pinned>,
    pub log: Vec<String>,
}

impl World {
    pub(crate) fn new(kind: FakeKind, seed: u64) -> World {
        let env = FakeEnv::of(kind, seed);
        let mut random = Random::new(seed);
        let config = if random.one_in(2) {
            "{\"walSync\":\"fsync\",\"walSegmentBytes\":20000,\"flushThreads\":1}"
        } else {
            "{\"walSegmentBytes\":20000,\"regionFlushBytes\":60000,\"memtableBytes\":200000}"
        };
        env.mkdir_durably(std::path::Path::new(&format!("/h/data/default/t/{REGION}"))).unwrap();
        let (deep, flat) = (deep(&mut random), flat(&mut random));
        let model = Model::new(&[("deep", deep.family), ("flat", flat.family)]);
        let families = vec![("deep", deep.json), ("flat", flat.json)];
        let (engine, region) = open(&env, config, 0, &families);
        let first_stamp = env.now_millis() / 1000 * 1000 + 1000;
        env.advance_millis(first_stamp - env.now_millis() - 500);
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

    pub(crate) fn next_stamp(&mut self) -> i64 {
        self.stamp += 1000;
        self.stamp
    }

    pub(crate) fn row(&mut self) -> String {
        let wide = self.random.one_in(4);
        format!("row{:03}", self.random.below(if wide { 200 } else { 12 }))
    }

    pub(crate) fn put_cell(&mut self, row: &str) -> Cell {
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

    pub(crate) fn mutate(&mut self, batch: &Batch) -> Vec<Answer> {
        common::mutate(&self.engine, &self.region, batch)
    }

    pub(crate) fn write_all(&mut self, cells: Vec<Cell>) {
        cells.into_iter().for_each(|cell| self.model.write(cell));
    }

    pub(crate) fn step(&mut self) {
        let dice = self.random.below(1000);
        let (name, operation): (&str, fn(&mut World)) = match dice {
            0..300 => ("put", World::put),
            300..315 => ("load", World::load),
            315..325 => ("write over a break", World::write_over_a_break),
            325..350 => ("tick", World::tick),
            350..430 => ("delete", World::delete),
            430..520 => ("modify", World::modify),
            520..560 => ("check", World::check),
            560..590 => ("atomic", World::atomic),
            590..800 => ("get", World::get),
            800..915 => ("scan", World::scan),
            915..930 => ("frozen scan", World::frozen_scan),
            930..945 => ("pin", World::pin),
            945..970 => ("flush", |w| {
                let _flushed = w.region.flush().unwrap();
            }),
            970..982 => ("compact", World::compact),
            982..988 => ("roll", |w| w.engine.roll_wal().unwrap()),
            988..995 => ("reopen", World::reopen),
            _ => ("crash", World::crash),
        };
        self.log.push(name.to_string());
        self.model.now_millis = self.env.now_millis();
        operation(self);
    }

    pub(crate) fn finish(&mut self) {
        self.model.now_millis = self.env.now_millis();
        let expected = self.model.scan(b"", b"", false, &Query { versions: 9, ..Query::newest() });
        same(&common::scan_all(&self.region, &Spec::scan().versions(9)), &expected, "at the end");
        self.region.close(false).unwrap();
        self.engine.close().unwrap();
    }
}
