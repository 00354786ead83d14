//! The engine against the model under random operations, with flushes, compactions, reopenings and crashes in between.
//!
//! Each round draws the attributes of both families anew: VERSIONS, MIN_VERSIONS, TTL, KEEP_DELETED_CELLS, NEW_VERSION_BEHAVIOR, BLOOMFILTER,
//! BLOCKSIZE, COMPRESSION, and those of the block cache; values are of all kinds that have an encoding of their own.
//!
//! Both run on a local and on a remote file system. `GRAMPUS_MODEL_SECONDS` sets the length of each (default 10), `GRAMPUS_MODEL_SEED` repeats a run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod attributes;
#[path = "../common/mod.rs"]
mod common;
mod life;
mod loads;
mod reads;
mod world;
mod writes;

use std::time::{Duration, Instant};

use grampus_env::FakeKind;
use world::World;

#[test]
fn random_operations_agree_with_the_model() {
    compare(FakeKind::Local);
}

#[test]
fn random_operations_on_a_remote_file_system_agree_with_the_model() {
    compare(FakeKind::Remote);
}

fn compare(kind: FakeKind) {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let until = Instant::now() + Duration::from_secs(number("GRAMPUS_MODEL_SECONDS").unwrap_or(10));
    let fixed = number("GRAMPUS_MODEL_SEED");
    let started =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut round = 0;
    loop {
        let seed = fixed.unwrap_or(started.wrapping_add(round));
        let outcome = std::panic::catch_unwind(|| {
            let mut world = World::new(kind, seed);
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
            panic!(
                "the engine disagrees with the model on a {kind:?} file system: run again with GRAMPUS_MODEL_SEED={seed}"
            );
        }
        round += 1;
        if fixed.is_some() || Instant::now() >= until {
            eprintln!(
                "{kind:?}: {round} rounds of 600 operations, seeds from {} on",
                fixed.unwrap_or(started)
            );
            return;
        }
    }
}
