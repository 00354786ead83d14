//! The clock of a server's timestamps: the wall clock, which here does not go back.
//!
//! A timestamp decides which of two puts is seen. A put that is stamped by a wall clock that was set back would be acknowledged and hidden
//! behind what its row had before. So after a step back this clock goes on from where it was, at half the speed, until the wall clock has
//! caught up. A clock that was wrong by more than [`AHEAD_MILLIS_MAX`] is followed at once: it may have been wrong by years.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use grampus_base::events::{EventQueue, Level, Topic};
use grampus_env::Env;
use parking_lot::Mutex;

/// How far this clock may be ahead of the wall clock, in milliseconds: what a master allows the clocks of its region servers to differ by
/// (`hbase.master.maxclockskew`), and more than a time service steps.
pub(crate) const AHEAD_MILLIS_MAX: i64 = 30_000;

/// Where the wall clock was when it had been set back, and this one.
#[derive(Clone, Copy)]
struct Step {
    wall: i64,
    steady: i64,
}

impl Step {
    fn steady_at(self, wall: i64) -> i64 {
        self.steady.saturating_add(wall.saturating_sub(self.wall) / 2)
    }
}

/// The clock. Any thread; it takes a lock only while the wall clock is behind.
pub(crate) struct SteadyClock {
    /// The latest time that it has shown, in milliseconds since 1970.
    latest: AtomicI64,
    /// The last step back; of no meaning once the wall clock has caught up.
    step: Mutex<Option<Step>>,
    set_back: AtomicU64,
}

impl Default for SteadyClock {
    fn default() -> Self {
        SteadyClock { latest: AtomicI64::new(i64::MIN), step: Mutex::new(None), set_back: AtomicU64::new(0) }
    }
}

impl SteadyClock {
    /// Milliseconds since 1970: not before what it has shown already, unless the wall clock was set back by more than may be.
    pub(crate) fn now(&self, env: &dyn Env, events: &EventQueue) -> i64 {
        // In this order: a wall clock that is read later shows an earlier time only if it was set back.
        let latest = self.latest.load(Ordering::Acquire);
        let wall = env.now_millis();
        if wall == latest {
            return wall;
        }
        if wall > latest {
            self.latest.fetch_max(wall, Ordering::AcqRel);
            return wall;
        }
        self.now_behind(env, events)
    }

    /// The same while the wall clock is behind.
    fn now_behind(&self, env: &dyn Env, events: &EventQueue) -> i64 {
        let mut step = self.step.lock();
        let latest = self.latest.load(Ordering::Acquire);
        let wall = env.now_millis();
        let back = latest.saturating_sub(wall);
        if back <= 0 {
            self.latest.fetch_max(wall, Ordering::AcqRel);
            return wall;
        }
        if back > AHEAD_MILLIS_MAX {
            self.latest.store(wall, Ordering::Release);
            self.tell(
                events,
                Level::Error,
                back,
                "new writes without timestamps are hidden behind those of before until it has caught up",
            );
            return wall;
        }
        // What an earlier step says is before what was shown since the wall clock had caught up.
        let now = step.map_or(i64::MIN, |step| step.steady_at(wall));
        if now >= latest {
            self.latest.fetch_max(now, Ordering::AcqRel);
            return now;
        }
        *step = Some(Step { wall, steady: latest });
        self.tell(
            events,
            Level::Warn,
            back,
            "timestamps go on from where they were, at half the speed, until it has caught up",
        );
        latest
    }

    fn tell(&self, events: &EventQueue, level: Level, back: i64, then: &str) {
        self.set_back.fetch_add(1, Ordering::Relaxed);
        events.report(level, Topic::Clock, format!("the wall clock was set back by {back} ms: {then}"));
    }

    /// How often the wall clock was set back.
    pub(crate) fn times_set_back(&self) -> u64 {
        self.set_back.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use grampus_env::FakeEnv;

    use super::*;

    struct Clocks {
        env: FakeEnv,
        events: EventQueue,
        clock: SteadyClock,
    }

    impl Clocks {
        fn new() -> Clocks {
            Clocks { env: FakeEnv::new(1), events: EventQueue::default(), clock: SteadyClock::default() }
        }

        fn now(&self) -> i64 {
            self.clock.now(&self.env, &self.events)
        }

        /// Levels of what was told since the last look.
        fn told(&self) -> Vec<Level> {
            self.events
                .poll(Duration::ZERO)
                .unwrap_or_default()
                .into_iter()
                .map(|event| event.level)
                .collect()
        }
    }

    #[test]
    fn it_is_the_wall_clock_while_that_goes_on() {
        let c = Clocks::new();
        for millis in [0, 1, 0, 7, 3_600_000] {
            c.env.advance_millis(millis);
            assert_eq!(c.now(), c.env.now_millis());
        }
        assert_eq!((c.told(), c.clock.times_set_back()), (vec![], 0));
    }

    #[test]
    fn it_goes_on_at_half_the_speed_until_the_wall_clock_has_caught_up() {
        let c = Clocks::new();
        let before = c.now();
        c.env.set_back_millis(1_000);
        assert_eq!(c.now(), before);
        for half in 1..=198 {
            c.env.advance_millis(10);
            assert_eq!(c.now(), before + 5 * half);
        }
        c.env.advance_millis(20);
        assert_eq!((c.now(), c.env.now_millis()), (before + 1_000, before + 1_000));
        assert_eq!(c.told(), [Level::Warn], "once");
        c.env.advance_millis(5_000);
        assert_eq!(c.now(), before + 6_000);
    }

    #[test]
    fn each_step_back_begins_where_the_clock_is() {
        let c = Clocks::new();
        let before = c.now();
        c.env.set_back_millis(1_000);
        c.env.advance_millis(500);
        assert_eq!(c.now(), before);
        c.env.advance_millis(100);
        assert_eq!(c.now(), before + 50);
        c.env.set_back_millis(2_000);
        assert_eq!(c.now(), before + 50, "set back while it is behind");
        c.env.advance_millis(10_000);
        assert_eq!(c.now(), c.env.now_millis());
        let before = c.now();
        c.env.set_back_millis(20);
        assert_eq!(c.now(), before, "set back after it had caught up");
        c.env.advance_millis(10);
        assert_eq!(c.now(), before + 5);
        assert_eq!((c.told(), c.clock.times_set_back()), (vec![Level::Warn; 3], 3));
    }

    #[test]
    fn a_clock_that_was_wrong_by_more_than_may_be_is_followed() {
        let c = Clocks::new();
        let before = c.now();
        c.env.set_back_millis(AHEAD_MILLIS_MAX);
        assert_eq!(c.now(), before);
        c.env.set_back_millis(1);
        assert_eq!(c.now(), before - AHEAD_MILLIS_MAX - 1);
        assert_eq!(c.told(), [Level::Warn, Level::Error]);
        c.env.advance_millis(7);
        assert_eq!(c.now(), before - AHEAD_MILLIS_MAX + 6);
        assert_eq!(c.told(), []);
    }
}
