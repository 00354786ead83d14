//! Rolls of a log on a thread of its own panic.

use std::sync::Arc;
use std::time::Duration;

use grampus_env::{Call, FakeEnv, FakeKind};

use super::jobs::{FAMILIES, ROWS, at_each_step, next_server, opened, split_log, works};
use super::panicking::{PanickingEnv, Step};
use super::{put, start};
use crate::common::{start_in, until};

/// In the text of each panic.
const PLANNED: &str = "planned at";
/// In the text of a roll that has failed.
const FAILED: &str = "a rotation of the log failed";
/// Of a few writes.
const CONFIG: &str = "{\"walSync\":\"fsync\",\"walSegmentBytes\":2000}";

/// Behind the end record of a segment nothing is read, so nothing may be acknowledged there.
#[test]
fn a_roll_beside_the_log_that_panics_loses_nothing() {
    for fresh in [|| FakeEnv::of(FakeKind::Remote, 1), || FakeEnv::local_beside_remote(1)] {
        at_each_step(|steps| {
            let env = PanickingEnv::over(fresh(), "wal-roll", Step::AnyOrLog);
            let f = start_in(Arc::new(env.clone()), CONFIG, &FAMILIES, 1);
            env.arm_after(steps);
            let hangs = env.env.hold(Call::Create);
            (1..ROWS).for_each(|n| put(&f, n));
            drop(hangs);
            until("the roll", || env.is_spent() || f.metric("wal.segments") > 1);
            let panicked = env.is_spent();
            env.disarm();
            let is_told =
                || f.engine.poll_events(Duration::ZERO).unwrap().iter().any(|e| e.text.contains(PLANNED));
            until("what is said of a panic", || !panicked || is_told());
            let goes_on = f.engine.log_failure().is_none();
            if goes_on {
                put(&f, 0);
            }
            f.region.close(true).unwrap();
            drop(f);
            env.env.crash_machine();
            let next = next_server(&env);
            split_log(&next, &env.env).unwrap();
            works(&env, opened(&env, next), ROWS - u32::from(!goes_on));
            panicked
        });
    }
}

/// Each group that is written would ask for it again.
#[test]
fn a_roll_that_panics_is_a_failed_attempt() {
    let env = PanickingEnv::over(FakeEnv::of(FakeKind::Remote, 1), "wal-roll", Step::Create);
    let f = start(&env, "{\"walSegmentBytes\":2000}"); // at 8,000 the log's own thread would roll it
    env.arm(u64::MAX);
    (0..2).for_each(|n| put(&f, n));
    // It is counted when it begins, and said once the pause behind it has begun.
    let is_said = || f.engine.poll_events(Duration::ZERO).unwrap().iter().any(|e| e.text.contains(FAILED));
    until("the end of the first attempt", is_said);
    (2..4).for_each(|n| put(&f, n));
    assert_eq!(f.metric("wal.size_rolls"), 1);
    env.env.advance_millis(3_000);
    put(&f, 1);
    until("the second attempt", || f.metric("wal.size_rolls") > 1);
    env.disarm();
    f.region.close(false).unwrap();
    f.engine.close().unwrap();
}
