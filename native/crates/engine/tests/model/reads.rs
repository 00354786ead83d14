//! Operations that read the table and compare.

use std::sync::Arc;
use std::time::Duration;

use grampus_engine::{ScanLimits, Scanner};
use grampus_env::Env;
use grampus_store::FrozenLimits;
use grampus_testkit::model::Query;
use grampus_testkit::wire::{Cell, Spec};

use crate::common::frozen::{frozen_region, scan_frozen, scan_frozen_by};
use crate::common::{self, NO_LIMITS, next};
use crate::life::open_json;
use crate::world::{Pinned, World};

impl World {
    pub(crate) fn query(&mut self) -> (Query, Spec) {
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

    pub(crate) fn get(&mut self) {
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

    pub(crate) fn scan(&mut self) {
        let (mut spec, expected, what) = self.bounded_scan();
        if self.random.one_in(3) {
            spec.batch = 1 + self.random.below(4) as i32;
        }
        let mut scanner = self.region.open_scanner(&spec.encode()).unwrap();
        let what = format!("{what} batch {}", spec.batch);
        same(&self.drain(&mut scanner), &expected, &what);
    }

    /// A scan of the region's files alone, as a list names them; a compaction may have replaced and archived them since.
    pub(crate) fn frozen_scan(&mut self) {
        let listed = self.region.snapshot_files(true).unwrap();
        let (mut spec, expected, what) = self.bounded_scan();
        if self.random.one_in(3) {
            spec.batch = 1 + self.random.below(4) as i32;
        }
        if self.random.one_in(2) {
            self.compact();
        }
        let env = Arc::new(self.env.clone());
        let frozen = frozen_region(env, &open_json(&self.families), &listed);
        let now = self.env.now_millis();
        same(&scan_frozen(&frozen, &spec, now), &expected, &format!("{what}, frozen"));
        let in_calls = scan_frozen_by(&frozen, &spec, now, || self.frozen_limits());
        same(&in_calls, &expected, &format!("{what}, frozen in calls"));
    }

    fn frozen_limits(&mut self) -> FrozenLimits {
        FrozenLimits {
            rows: 1 + self.random.below(20) as u32,
            bytes: 1 + self.random.below(3000),
            time: Duration::MAX,
        }
    }

    /// A scan of some rows, what it is to return, and its words.
    fn bounded_scan(&mut self) -> (Spec, Vec<Cell>, String) {
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
        let what = format!("scan {start}..{stop} reversed {reversed} of {:?}", query.columns);
        (spec, expected, what)
    }

    /// Reads a scanner to its end through small buffers and limits.
    pub(crate) fn drain(&mut self, scanner: &mut Scanner) -> Vec<Cell> {
        let mut cells = Vec::new();
        let mut room = 300 + self.random.below(5000) as usize;
        while !self.call(scanner, &mut room, &mut cells) {}
        cells
    }

    /// One call of a scanner. True at its end.
    fn call(&mut self, scanner: &mut Scanner, room: &mut usize, cells: &mut Vec<Cell>) -> bool {
        let limits = ScanLimits {
            max_results: 1 + self.random.below(20) as u32,
            size_limit: 1 + self.random.below(3000),
            partials_allowed: self.random.one_in(2),
            ..NO_LIMITS
        };
        let (more, info) = next(scanner, &limits, *room);
        if more.is_empty() && info.stop_reason == 5 {
            *room = (*room).max(info.needed as usize);
        }
        cells.extend(more);
        if self.random.one_in(3) {
            scanner.drop_pages();
        }
        info.end
    }

    /// Opens a scanner, or reads on in the one that is open: through flushes and compactions it returns what there was when it was opened.
    pub(crate) fn pin(&mut self) {
        let Some(mut pinned) = self.pinned.take() else {
            let reversed = self.random.one_in(3);
            let spec = Spec::scan().versions(3).with(if reversed { 32 } else { 0 });
            let scanner = self.region.open_scanner(&spec.encode()).unwrap();
            let query = Query { versions: 3, ..Query::newest() };
            let expected = self.model.scan(b"", b"", reversed, &query);
            let room = 300 + self.random.below(5000) as usize;
            self.pinned = Some(Pinned { scanner, expected, seen: Vec::new(), room });
            return;
        };
        if self.call(&mut pinned.scanner, &mut pinned.room, &mut pinned.seen) {
            same(&pinned.seen, &pinned.expected, "a scanner opened earlier");
        } else {
            self.pinned = Some(pinned);
        }
    }
}

/// Compares cell by cell and shows where they part.
pub(crate) fn same(actual: &[Cell], expected: &[Cell], what: &str) {
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
