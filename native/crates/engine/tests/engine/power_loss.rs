//! All machines lose their power at once: what a client wrote with FSYNC_WAL is on media, on HDFS as on a local disk.

use std::path::Path;
use std::sync::Arc;

use grampus_engine::Engine;
use grampus_env::{Env, FakeEnv, Faults};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, on_each_kind, start_in};

const FAMILIES: [(&str, &str); 1] = [("f", "")];
/// Segments that are rolled at a few writes.
const CONFIG: &str = "{\"walSegmentBytes\":1000,\"compactions\":false}";
const ASYNC_WAL: u8 = 2;
const FSYNC_WAL: u8 = 4;

fn row(n: u64) -> String {
    format!("row{n:03}")
}

/// Writes of each durability, beside rolls, flushes of the region and flushes of the log that fail; returns those that must last.
fn write(f: &Fixture, env: &FakeEnv, random: &mut Random) -> Vec<String> {
    let mut synced = Vec::new();
    for n in 0..40 {
        let fail_flush_in = random.one_in(4).then(|| random.below(3));
        env.set_faults(Faults { fail_flush_in, ..Faults::default() });
        let durability = ASYNC_WAL + u8::try_from(random.below(3)).unwrap();
        let put = RowOp::put_as(durability, &[Cell::put(&row(n), "f", "q", 1, "value")]);
        f.mutate(&Batch::new().row_op(put));
        if durability == FSYNC_WAL {
            synced.push(row(n));
        }
        match random.below(12) {
            0 => drop(f.engine.roll_wal()), // may meet the flush that fails
            1 => {
                env.set_faults(Faults::default());
                f.region.flush().unwrap();
            }
            _ => {}
        }
    }
    synced
}

fn split_all(env: &FakeEnv, dir: &str) {
    let splitter = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for segment in env.list(Path::new(dir)).unwrap() {
        splitter.split_wal(&format!("{{\"wal\":\"{dir}/{}\",\"rootDir\":\"/h\"}}", segment.name)).unwrap();
    }
    splitter.close();
}

#[test]
fn what_was_synced_outlives_all_machines() {
    on_each_kind(|kind| {
        for seed in 0..60 {
            let (env, mut random) = (FakeEnv::of(kind, seed), Random::new(seed));
            let f = start_in(Arc::new(env.clone()), CONFIG, &FAMILIES, 1);
            let synced = write(&f, &env, &mut random);
            env.lose_power();
            f.region.close(true).unwrap();
            drop(f);
            split_all(&env, "/h/WALs/s1");
            let g = start_in(Arc::new(env.clone()), CONFIG, &FAMILIES, 2);
            for row in synced {
                assert_eq!(g.get(&Spec::get(&row)).len(), 1, "{kind:?} {seed}: {row}");
            }
        }
    });
}
