//! The end of an engine while a part of it waits for other machines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use grampus_env::{Call, FakeEnv, FakeKind};

use crate::common::watched_clock::{ClockWatcher, WatchedClock};
use crate::common::{start_in, until};

const ROLL: &str = "roll";

/// Whether the roll has looked at the clock: for the name of its segment, whose file it asks for next.
#[derive(Default)]
struct HasBegun(AtomicBool);

impl ClockWatcher for HasBegun {
    fn after_wall(&self) {
        if thread::current().name() == Some(ROLL) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}

#[test]
fn a_roll_that_waits_for_the_name_node_does_not_hold_up_the_close() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let watched = Arc::new(WatchedClock { env: env.clone(), watcher: HasBegun::default() });
    let f = start_in(watched.clone(), "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    thread::scope(|scope| {
        let hangs = env.hold(Call::Create);
        let roll = thread::Builder::new().name(ROLL.to_string());
        let roll = roll.spawn_scoped(scope, || f.engine.roll_wal()).unwrap();
        until("the roll", || watched.watcher.0.load(Ordering::SeqCst));
        let close = scope.spawn(|| f.engine.close());
        until("the close", || close.is_finished());
        assert!(!roll.is_finished());
        drop(hangs);
        roll.join().unwrap().unwrap();
    });
}
