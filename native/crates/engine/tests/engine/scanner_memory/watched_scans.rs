//! Scans of a table that is written, flushed and compacted meanwhile, beside what they must return.

use grampus_engine::{ScanLimits, Scanner};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, bytes};

use super::{REVERSED, ROOM, assert_nothing_is_pinned};
use crate::common::{Fixture, NO_LIMITS, next, start, until};

/// A scan of the property test and what it must return.
struct Watched {
    scanner: Scanner,
    expected: Vec<Cell>,
    seen: Vec<Cell>,
    /// It may be within a row.
    within_row: bool,
    room: usize,
    what: String,
}

/// A table that is changed while it is scanned.
struct World {
    random: Random,
    f: Fixture,
    stamp: i64,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        // Reads see no difference between versions that a flush drops and those that it has not dropped yet only if it drops none.
        let family = |random: &mut Random| {
            format!(
                "\"maxVersions\":100000,\"blockSize\":{},\"bloom\":\"{}\",\"keepDeletedCells\":\"{}\",\
                 \"compaction\":{{\"filesMin\":3,\"filesMax\":10,\"filesBlocking\":1000}}",
                random.pick(&[256, 4096]),
                random.pick(&["NONE", "ROW", "ROWCOL"]),
                random.pick(&["FALSE", "TRUE"]),
            )
        };
        let (first, second) = (family(&mut random), family(&mut random));
        World { random, f: start(&[("f", &first), ("g", &second)]), stamp: 1000 }
    }

    fn row(&mut self) -> String {
        format!("r{:02}", self.random.below(24))
    }

    fn write(&mut self) {
        const DELETE_COLUMN: u8 = 12;
        const DELETE_FAMILY: u8 = 14;
        self.stamp += 1;
        let row = self.row();
        let mut cells = Vec::new();
        for _ in 0..1 + self.random.below(6) {
            let family = *self.random.pick(&["f", "f", "g"]);
            let qualifier = format!("q{}", self.random.below(5));
            let value = self.random.below(3).to_string();
            cells.retain(|cell: &Cell| {
                cell.family != family.as_bytes() || cell.qualifier != qualifier.as_bytes()
            });
            cells.push(Cell::put(&row, family, &qualifier, self.stamp, value));
        }
        let op = match self.random.below(8) {
            0 => RowOp::delete(&[Cell::new(&row, "f", "q1", self.stamp, DELETE_COLUMN, "")]),
            1 => RowOp::delete(&[Cell::new(&row, "f", "", self.stamp, DELETE_FAMILY, "")]),
            2 => RowOp::delete(&[Cell::new(&row, "g", "", self.stamp, DELETE_FAMILY, "")]),
            _ => RowOp::put(&cells),
        };
        self.f.mutate(&Batch::new().row_op(op));
    }

    fn compact(&mut self) {
        let major = self.random.one_in(2);
        self.f.region.compact(&format!("{{\"major\":{major}}}")).unwrap();
        if self.random.one_in(2) {
            let queues = ["look", "small", "large"].map(|queue| format!("compaction.{queue}_queue_length"));
            until("the compaction to begin", || queues.iter().all(|queue| self.f.metric(queue) == 0));
        }
    }

    /// Values of f:q0 and f:q1 decide about rows, so that `g` is loaded on demand; hints go over rows; the others end rows or scans early.
    fn filter(&mut self) -> Vec<u8> {
        const EQUAL: u8 = 2;
        const BINARY: u8 = 1;
        match self.random.below(7) {
            0 => {
                let mut filter = vec![6];
                bytes(&mut filter, b"f");
                bytes(&mut filter, format!("q{}", self.random.below(2)).as_bytes());
                filter.extend([EQUAL, BINARY]);
                bytes(&mut filter, b"1");
                filter.extend([u8::from(self.random.one_in(2)), 1]);
                filter
            }
            1 => {
                let mut fuzzy = vec![21];
                fuzzy.extend(1u32.to_le_bytes());
                bytes(&mut fuzzy, format!("r?{}", self.random.below(10)).as_bytes());
                bytes(&mut fuzzy, &[0, 1, 0]);
                fuzzy.push(0);
                fuzzy
            }
            2 => {
                let mut ranges = vec![22];
                ranges.extend(2u32.to_le_bytes());
                for (start, stop) in [("r03", "r09"), ("r15", "r17")] {
                    bytes(&mut ranges, start.as_bytes());
                    ranges.push(1);
                    bytes(&mut ranges, stop.as_bytes());
                    ranges.push(0);
                }
                ranges
            }
            3 => [&[11][..], &(1 + self.random.below(12)).to_le_bytes()].concat(),
            4 => vec![17],
            5 => {
                let mut prefix = vec![14];
                bytes(&mut prefix, b"q3");
                prefix
            }
            // In the middle of a row a scan has enough.
            _ => {
                let mut value = vec![25, 4, EQUAL, BINARY];
                bytes(&mut value, b"1");
                value
            }
        }
    }

    fn spec(&mut self) -> Spec {
        const LOAD_ON_DEMAND: u32 = 512;
        let mut spec = Spec::scan();
        let (mut start, mut stop) = (self.row(), self.row());
        let reversed = self.random.one_in(3);
        if (start > stop) != reversed {
            std::mem::swap(&mut start, &mut stop);
        }
        if reversed {
            spec.flags |= REVERSED;
        }
        if self.random.one_in(2) {
            (spec.start, spec.stop) = (start.into(), stop.into());
            if self.random.one_in(2) {
                spec.flags &= !64; // the start is excluded
            }
            if self.random.one_in(2) {
                spec.flags |= 128;
            }
        }
        spec.max_versions = *self.random.pick(&[1, 2, 100]);
        if self.random.one_in(4) {
            spec = spec.column("f", "q0").column("f", "q1");
        }
        if self.random.one_in(6) {
            spec.families.insert("g".into(), Vec::new());
        }
        if self.random.one_in(5) {
            spec.range = (1000 + self.random.below(200) as i64, i64::MAX);
        }
        if self.random.one_in(2) {
            spec = Spec { filter: self.filter(), ..spec };
            spec.flags |= if self.random.one_in(2) { LOAD_ON_DEMAND } else { 0 };
        }
        // Filters that decide about rows as a whole go with no batch.
        if ![Some(&6), Some(&11), Some(&25)].contains(&spec.filter.first()) && self.random.one_in(3) {
            spec.batch = 1 + self.random.below(3) as i32;
        }
        if self.random.one_in(6) {
            (spec.store_limit, spec.store_offset) = (2, 1);
        }
        spec
    }

    fn limits(&mut self) -> ScanLimits {
        ScanLimits {
            max_results: 1 + self.random.below(3) as u32,
            size_limit: if self.random.one_in(3) { 1 + self.random.below(300) } else { u64::MAX },
            partials_allowed: self.random.one_in(2),
            ..NO_LIMITS
        }
    }

    /// Opens a scan, which is to return what one returns that nothing disturbs.
    fn watch(&mut self) -> Watched {
        let spec = self.spec();
        let open = || self.f.region.open_scanner(&spec.encode()).unwrap();
        let (scanner, mut undisturbed) = (open(), open());
        let mut expected = Vec::new();
        loop {
            let (cells, info) = next(&mut undisturbed, &NO_LIMITS, ROOM);
            expected.extend(cells);
            if info.end {
                break;
            }
        }
        let room = *self.random.pick(&[200, 600, ROOM]);
        let what = format!("{spec:?}, room {room}");
        Watched { scanner, expected, seen: Vec::new(), within_row: false, room, what }
    }

    /// One call of a scan. True at its end.
    fn call(&mut self, scan: &mut Watched) -> bool {
        const OUTPUT: u8 = 5;
        let (cells, info) = next(&mut scan.scanner, &self.limits(), scan.room);
        scan.room = scan.room.max(info.needed as usize);
        scan.seen.extend(cells);
        scan.within_row = info.stop_reason == OUTPUT || info.results.last().is_some_and(|(_, more)| *more);
        info.end
    }
}

#[test]
fn scans_answer_as_if_nothing_were_flushed_and_keep_nothing_between_rows() {
    let fixed = std::env::var("GRAMPUS_SCANS_SEED").ok().and_then(|seed| seed.parse().ok());
    let first_seed = fixed.unwrap_or_else(|| u64::from(std::process::id()));
    let (mut returned, mut clean) = (0, 0);
    for seed in first_seed..first_seed + 12 {
        eprintln!("seed {seed}");
        let mut world = World::new(seed);
        let mut open: Vec<Watched> = Vec::new();
        (0..60).for_each(|_| world.write());
        for _ in 0..900 {
            match world.random.below(12) {
                0..4 => world.write(),
                4 => {
                    world.f.region.flush().unwrap();
                    if !open.iter().any(|scan| scan.within_row) {
                        assert_nothing_is_pinned(&world.f, &format!("seed {seed}"));
                        clean += usize::from(!open.is_empty());
                    }
                }
                5 if world.random.one_in(4) => world.compact(),
                6 if open.len() < 6 => open.push(world.watch()),
                _ if !open.is_empty() => {
                    let at = world.random.below(open.len() as u64) as usize;
                    if world.call(&mut open[at]) {
                        let Watched { expected, seen, what, .. } = open.swap_remove(at);
                        assert_eq!(seen, expected, "seed {seed}: {what}");
                        returned += seen.len();
                    }
                }
                _ => {}
            }
        }
        drop(open);
        assert_nothing_is_pinned(&world.f, &format!("seed {seed}, all closed"));
    }
    assert!(returned > 500 && clean > 0, "{returned} cells returned, {clean} flushes beside scanners");
}
