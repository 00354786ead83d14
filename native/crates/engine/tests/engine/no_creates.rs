//! Files cannot be created for a while: a name node is away, or a disk is broken.

use std::sync::Arc;

use grampus_env::{Env, FakeEnv, FakeKind, Faults};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec};

use crate::common::{Fixture, on_each_kind, start_in};

const FAMILIES: [(&str, &str); 1] = [("f", "")];
const SMALL: &str = "{\"regionFlushBytes\":100,\"compactions\":false}";

fn fixture(env: &FakeEnv, config: &str, generation: u32) -> Fixture {
    start_in(Arc::new(env.clone()), config, &FAMILIES, generation)
}

fn put(n: u32) -> Batch {
    Batch::new().row_op(RowOp::put(&[Cell::put(&format!("row{n:04}"), "f", "q", 1, [7u8; 1000])]))
}

/// Each write finds the region above its limit.
#[test]
fn writes_do_not_hurry_the_next_attempt_of_a_flush() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env, SMALL, 1);
        env.set_faults(Faults { failing_creates: u64::MAX, ..Faults::default() });
        for n in 0..1000 {
            f.mutate(&put(n));
        }
        // The clock stands still: the first may have been under way when the second was asked for.
        assert!(f.metric("flush.failed_count") <= 2, "{} attempts", f.metric("flush.failed_count"));
        env.set_faults(Faults::default());
        assert_eq!(f.scan(&Spec::scan()).len(), 1000);
    });
}

/// A close that fails ends the server. On a disk of the machine there is nothing to wait for.
#[test]
fn a_region_closes_when_remote_files_can_be_created_again() {
    on_each_kind(|kind| {
        for (failures, closes) in [(29, kind == FakeKind::Remote), (30, false)] {
            let env = FakeEnv::of(kind, 1);
            let f = fixture(&env, "{}", 1);
            f.mutate(&put(1));
            env.set_faults(Faults { failing_creates: failures, ..Faults::default() });
            let begun_millis = env.now_millis();
            assert_eq!(f.region.close(false).is_ok(), closes, "{failures} failures");
            let waited_millis = env.now_millis() - begun_millis;
            assert_eq!(waited_millis >= 29_000, kind == FakeKind::Remote, "{waited_millis}");
            env.set_faults(Faults::default());
            f.region.close(false).unwrap();
        }
    });
}

/// Each attempt waits for a data node that hangs. A server that stops has other regions to close.
#[test]
fn a_region_is_not_closed_again_and_again_where_each_attempt_takes_long() {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    let f = fixture(&env, "{}", 1);
    f.mutate(&put(1));
    env.set_faults(Faults { failing_creates: u64::MAX, slow_millis: 20_000, ..Faults::default() });
    let begun_millis = env.now_millis();
    f.region.close(false).unwrap_err();
    let taken_millis = env.now_millis() - begun_millis;
    assert!((60_000..100_000).contains(&taken_millis), "{taken_millis}");
    env.set_faults(Faults::default());
    f.region.close(false).unwrap();
}
