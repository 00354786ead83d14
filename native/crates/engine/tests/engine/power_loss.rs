//! All machines lose their power at once: what a client wrote with FSYNC_WAL is on media, on HDFS as on a local disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_engine::{Engine, MutateStatus};
use grampus_env::{Env, FakeEnv, FakeKind, Faults};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::mortal::{Life, Mortal};
use crate::common::{Fixture, on_each_kind, run, start_in};

const FAMILIES: [(&str, &str); 1] = [("f", "")];
/// Segments that are rolled at a few writes; without and with `hbase.wal.hsync`.
const CONFIGS: [&str; 2] = [
    "{\"walSegmentBytes\":1000,\"compactions\":false}",
    "{\"walSegmentBytes\":1000,\"compactions\":false,\"walSync\":\"fsync\"}",
];
const ASYNC_WAL: u8 = 2;
const SYNC_WAL: u8 = 3;
const FSYNC_WAL: u8 = 4;
/// Clients that do not wait for each other, so that groups have writes of several durabilities.
const CLIENTS_MAX: u64 = 5;

fn row(n: u64) -> String {
    format!("row{n:03}")
}

/// What goes wrong while some clients write. A log survives it, on a local disk without a failed sync.
fn faults(kind: FakeKind, random: &mut Random) -> Faults {
    let mut at = |n: u64| random.one_in(4).then(|| random.below(n));
    Faults {
        fail_flush_in: at(3),
        fail_append_in: at(3),
        fail_close_in: at(2),
        fail_sync_in: if kind == FakeKind::Remote { at(3) } else { None },
        failing_creates: at(3).unwrap_or(0),
        leaves_created: random.one_in(2),
        full_blocks: random.one_in(2),
        ..Faults::default()
    }
}

/// Clients write beside each other, and have their answers.
fn write_together(f: &Fixture, writes: &BTreeMap<u64, u8>) {
    let (mut pending, mut done) = (0, Vec::new());
    for (n, durability) in writes {
        let put = RowOp::put_as(*durability, &[Cell::put(&row(*n), "f", "q", 1, "value")]);
        match run(&f.region, &Batch::new().row_op(put), *n, &mut Vec::new()).unwrap() {
            MutateStatus::Done => {}
            MutateStatus::Pending => pending += 1,
            other => panic!("a blocking call that has waited is answered {other:?}"),
        }
    }
    while done.len() < pending {
        assert!(f.engine.poll_completions(&mut done, Duration::from_secs(10)));
        assert!(done.iter().all(|(_, kind)| *kind == 0), "{:?}", f.engine.log_failure());
    }
}

/// Writes of each durability, beside rolls, flushes of the region and faults; returns those that must last.
fn write(f: &Fixture, env: &FakeEnv, kind: FakeKind, lasting: u8, random: &mut Random) -> Vec<String> {
    let (mut synced, mut next) = (Vec::new(), 0);
    for _ in 0..20 {
        env.set_faults(faults(kind, random));
        let clients = next..next + 1 + random.below(CLIENTS_MAX);
        next = clients.end;
        let mut durability = || ASYNC_WAL + u8::try_from(random.below(3)).unwrap();
        let writes: BTreeMap<u64, u8> = clients.map(|n| (n, durability())).collect();
        write_together(f, &writes);
        synced.extend(writes.iter().filter(|(_, as_)| **as_ >= lasting).map(|(n, _)| row(*n)));
        match random.below(8) {
            0 => drop(f.engine.roll_wal()), // may meet the fault
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
    splitter.close().unwrap();
}

/// How many syncs have broken a segment.
fn check(kind: FakeKind, seed: u64) -> u64 {
    let (env, mut random) = (FakeEnv::of(kind, seed), Random::new(seed));
    let always = seed % 2 == 1;
    let config = CONFIGS[usize::from(always)];
    let life = Life::of_steps(u64::MAX);
    let f = start_in(Arc::new(Mortal::new(&env, &life)), config, &FAMILIES, 1);
    let synced = write(&f, &env, kind, if always { SYNC_WAL } else { FSYNC_WAL }, &mut random);
    let broken = f.metric("wal.failed_syncs");
    life.end();
    f.region.close(true).unwrap();
    drop(f); // its threads end, whose last calls come before the loss of power
    env.lose_power();
    split_all(&env, "/h/WALs/s1");
    let g = start_in(Arc::new(env.clone()), config, &FAMILIES, 2);
    for row in synced {
        assert_eq!(g.get(&Spec::get(&row)).len(), 1, "{kind:?} {seed}: {row}");
    }
    broken
}

#[test]
fn what_was_synced_outlives_all_machines() {
    on_each_kind(|kind| {
        let broken: u64 = (0..60).map(|seed| check(kind, seed)).sum();
        assert_eq!(broken > 20, kind == FakeKind::Remote, "{broken} segments were broken by their syncs");
    });
}
