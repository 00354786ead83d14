//! Random histories.

use std::time::{Duration, Instant};

use grampus_env::FakeKind;

use crate::master::{Master, TIMED};

const TABLES: [&str; 3] = ["t", "u", "v"];
const STEPS: u32 = 60;
/// Timed cells are written, seen and forgotten within a history.
const MILLIS_PER_STEP: usize = 200;
const DDL: [&str; 11] = [
    "snapshot",
    "restore",
    "clone, create or drop",
    "truncate",
    "truncate region",
    "truncate region",
    "change family",
    "split",
    "merge",
    "collect garbage",
    "move",
];

struct World {
    master: Master,
    log: Vec<String>,
}

impl World {
    fn new(kind: FakeKind, seed: u64) -> World {
        let mut master = Master::new(kind, seed, true);
        master.create("t", &["m"]);
        World { master, log: Vec::new() }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.master.cluster.random.below(bound as u64) as usize
    }

    fn table(&mut self) -> usize {
        let tables = self.master.cluster.tables.len();
        self.below(tables)
    }

    fn part(&mut self, table: usize) -> usize {
        let parts = self.master.cluster.tables[table].parts.len();
        self.below(parts)
    }

    fn row(&mut self) -> String {
        let letter = b'a' + self.below(26) as u8;
        format!("{}{}", char::from(letter), self.below(3))
    }

    fn step(&mut self) {
        let millis = self.below(MILLIS_PER_STEP);
        self.master.cluster.env.advance_millis(millis as i64);
        let table = self.table();
        let dice = self.below(100);
        let name = self.master.cluster.tables[table].name.clone();
        self.log.push(format!("{dice} on {name}"));
        match dice {
            0..22 => self.ddl(table),
            22..27 => self.upkeep(table),
            27..29 => self.master.cluster.kill_all(),
            _ => {
                for _ in 0..1 + self.below(6) {
                    self.write(table);
                }
            }
        }
        self.master.cluster.chance();
        (0..self.master.cluster.tables.len()).for_each(|table| self.master.verify(table));
        if self.below(6) == 0 {
            let table = self.table();
            self.log.push(format!("files of {}", self.master.cluster.tables[table].name));
            self.master.verify_files(table);
        }
    }

    fn write(&mut self, table: usize) {
        let row = self.row();
        let mut all = self.master.cluster.tables[table].families.clone();
        all.retain(|family| *family != TIMED);
        let families = if self.below(3) == 0 { vec![all[self.below(all.len())]] } else { all };
        let (delete, late) = (self.below(5) == 0, self.below(4) == 0);
        match self.below(8) {
            0 => self.master.load(table, &row, &families, delete),
            _ => self.master.write(table, &row, &families, delete, late),
        }
    }

    fn upkeep(&mut self, table: usize) {
        let part = self.part(table);
        let dice = self.below(3);
        self.master.cluster.at(self.master.seat(table, part), |server, region| match dice {
            0 => region.flush().map(drop),
            1 => region.compact("{\"major\":true}").map(drop),
            _ => server.engine.roll_wal(),
        });
    }

    fn ddl(&mut self, table: usize) {
        let part = self.part(table);
        let row = self.row();
        let name = self.master.cluster.tables[table].name.clone();
        let what = self.below(11);
        self.log.push(format!("{} part {part} row {row}", DDL[what]));
        match what {
            0 => self.reenable(table),
            1 => self.restore(&name),
            2 => self.clone_or_drop(table),
            3 => self.master.truncate(table),
            4 | 5 => self.master.truncate_region(table, part),
            6 => self.change_family(table),
            7 => drop(self.master.split(table, part, &row)),
            8 if part > 0 => drop(self.master.merge(table, part - 1)),
            9 => self.master.collect_garbage(table),
            _ => self.master.move_part(table, part),
        }
    }

    fn reenable(&mut self, table: usize) {
        self.master.disable(table);
        self.master.snapshot(table);
        self.master.enable(table);
    }

    fn of_table(&self, name: &str) -> Option<usize> {
        self.master.snapshots.iter().position(|snapshot| snapshot.table == name)
    }

    fn restore(&mut self, name: &str) {
        if let Some(snapshot) = self.of_table(name) {
            self.master.restore(snapshot);
        }
    }

    fn clone_or_drop(&mut self, table: usize) {
        let known = |name: &str| self.master.cluster.tables.iter().any(|table| table.name == name);
        let free = TABLES.into_iter().find(|name| !known(name));
        let snapshots = self.master.snapshots.len();
        match free {
            Some(name) if snapshots > 0 => {
                let snapshot = self.of_table(name).unwrap_or_else(|| self.below(snapshots));
                self.master.clone_snapshot(snapshot, name);
            }
            Some(name) => self.master.create(name, &["h", "p"]),
            None => self.master.drop_table(table),
        }
    }

    fn change_family(&mut self, table: usize) {
        let families = &self.master.cluster.tables[table].families;
        match ["f", "g"].into_iter().find(|family| !families.contains(family)) {
            Some(missing) => self.master.add_family(table, missing),
            None => {
                let family = ["f", "g"][self.below(2)];
                self.master.drop_family(table, family);
            }
        }
    }
}

#[test]
fn tables_hold_what_a_serial_history_leaves() {
    compare(FakeKind::Local);
}

#[test]
fn tables_on_a_remote_file_system_hold_what_a_serial_history_leaves() {
    compare(FakeKind::Remote);
}

fn compare(kind: FakeKind) {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let until = Instant::now() + Duration::from_secs(number("GRAMPUS_MODEL_SECONDS").unwrap_or(8));
    let fixed = number("GRAMPUS_MODEL_SEED");
    let started =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let (mut rounds, mut kills) = (0, 0);
    while rounds == 0 || fixed.is_none() && Instant::now() < until {
        let seed = fixed.unwrap_or(started.wrapping_add(rounds));
        let outcome = std::panic::catch_unwind(|| {
            let mut world = World::new(kind, seed);
            for _ in 0..STEPS {
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.step()));
                if let Err(cause) = outcome {
                    eprintln!("after {:#?}", world.log);
                    std::panic::resume_unwind(cause);
                }
            }
            (0..world.master.cluster.tables.len()).for_each(|table| world.master.verify_files(table));
            world.master.cluster.stop();
            world.master.cluster.kills
        });
        match outcome {
            Ok(died) => kills += died,
            Err(_) => panic!(
                "a table on a {kind:?} file system is not what it should be: run again with GRAMPUS_MODEL_SEED={seed}"
            ),
        }
        rounds += 1;
    }
    eprintln!(
        "{kind:?}: {rounds} rounds of {STEPS} steps, {kills} servers died, seeds from {} on",
        fixed.unwrap_or(started)
    );
}
