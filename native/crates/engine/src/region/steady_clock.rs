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

/// What [`SteadyClock::step`] is while the wall clock is not behind.
const NO_STEP: i64 = i64::MIN;

/// What a reading has found when the wall clock was set back since the reading before.
struct SetBack {
    /// The latest time that was shown.
    latest: i64,
    wall: i64,
}

/// The clock. Any thread; it takes a lock only when the wall clock has been set back.
pub(crate) struct SteadyClock {
    /// The latest time that it has shown, in milliseconds since 1970.
    latest: AtomicI64,
    /// The last step back until the wall clock has caught up: twice this clock's time less the wall clock's, which a clock of half the speed
    /// does not change.
    step: AtomicI64,
    /// Held while a step back is noted.
    stepping: Mutex<()>,
    set_back: AtomicU64,
}

impl Default for SteadyClock {
    fn default() -> Self {
        SteadyClock {
            latest: AtomicI64::new(i64::MIN),
            step: AtomicI64::new(NO_STEP),
            stepping: Mutex::new(()),
            set_back: AtomicU64::new(0),
        }
    }
}

impl SteadyClock {
    /// Milliseconds since 1970: not before what it has shown already, unless the wall clock was set back by more than may be.
    pub(crate) fn now(&self, env: &dyn Env, events: &EventQueue) -> i64 {
        self.read(env).unwrap_or_else(|_| self.step_back(env, events))
    }

    /// The time, unless a step back has to be noted first.
    fn read(&self, env: &dyn Env) -> Result<i64, SetBack> {
        // In this order: a wall clock that is read later shows an earlier time only if it was set back, and then an earlier step does not
        // reach what was shown.
        let step = self.step.load(Ordering::Acquire);
        let latest = self.latest.load(Ordering::Acquire);
        let wall = env.now_millis();
        if wall >= latest {
            if step != NO_STEP {
                // The step is over. Another one that was noted meanwhile stays.
                let _ = self.step.compare_exchange(step, NO_STEP, Ordering::AcqRel, Ordering::Relaxed);
            }
            return Ok(self.show(wall, latest));
        }
        let slowed = step.saturating_add(wall).div_euclid(2);
        // A step of before a wall clock that was followed would lead far ahead.
        let is_near = slowed.saturating_sub(wall) <= AHEAD_MILLIS_MAX;
        if slowed >= latest && is_near {
            return Ok(self.show(slowed, latest));
        }
        Err(SetBack { latest, wall })
    }

    fn show(&self, now: i64, latest: i64) -> i64 {
        if now > latest {
            self.latest.fetch_max(now, Ordering::AcqRel);
        }
        now
    }

    /// Notes a step back, unless another thread has done so, and returns the time.
    fn step_back(&self, env: &dyn Env, events: &EventQueue) -> i64 {
        let _stepping = self.stepping.lock();
        let SetBack { latest, wall } = match self.read(env) {
            Ok(now) => return now,
            Err(set_back) => set_back,
        };
        let back = latest.saturating_sub(wall);
        if back > AHEAD_MILLIS_MAX {
            self.step.store(NO_STEP, Ordering::Release);
            self.latest.store(wall, Ordering::Release);
            let then =
                "new writes without timestamps are hidden behind those of before until it has caught up";
            self.tell(events, Level::Error, back, then);
            return wall;
        }
        self.step.store(latest.saturating_add(back), Ordering::Release);
        let then = "timestamps go on from where they were, at half the speed, until it has caught up";
        self.tell(events, Level::Warn, back, then);
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
    use grampus_testkit::random::Random;

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

        /// Levels of the events since the last call.
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

    #[test]
    fn a_step_of_before_a_clock_that_was_followed_is_forgotten() {
        let c = Clocks::new();
        let _ = c.now();
        c.env.set_back_millis(1_000);
        let _ = c.now();
        c.env.advance_millis(10_000);
        c.env.set_back_millis(3_600_000);
        assert_eq!(c.now(), c.env.now_millis());
        c.env.advance_millis(5_000);
        let before = c.now();
        c.env.set_back_millis(100);
        assert_eq!(c.now(), before);
        assert_eq!(c.told(), [Level::Warn, Level::Error, Level::Warn]);
    }

    #[test]
    fn a_step_that_the_wall_clock_has_caught_up_with_is_forgotten() {
        let c = Clocks::new();
        let _ = c.now();
        c.env.set_back_millis(10_000);
        let _ = c.now();
        c.env.advance_millis(11_000);
        let before = c.now();
        c.env.set_back_millis(100);
        assert_eq!(c.now(), before);
        assert_eq!(c.told(), [Level::Warn; 2]);
    }

    #[test]
    fn whatever_the_steps_it_goes_back_only_to_follow_and_is_never_far_ahead() {
        let seed = u64::from(std::process::id());
        let mut random = Random::new(seed);
        let c = Clocks::new();
        let mut last = c.now();
        for n in 0..100_000 {
            let millis = *random.pick(&[3, 200, 5_000, AHEAD_MILLIS_MAX + 100, 3_600_000]);
            let millis = i64::try_from(random.below(millis.unsigned_abs())).unwrap();
            if random.one_in(3) {
                c.env.set_back_millis(millis)
            } else {
                c.env.advance_millis(millis)
            }
            let (now, wall) = (c.now(), c.env.now_millis());
            let expected = match last - wall {
                ..=0 => wall..=wall,
                1..=AHEAD_MILLIS_MAX => last..=wall + AHEAD_MILLIS_MAX,
                _ => wall..=wall,
            };
            assert!(
                expected.contains(&now),
                "seed {seed}, step {n}: {now} after {last}, the wall clock at {wall}"
            );
            last = now;
        }
        let told = c.told();
        assert!(told.contains(&Level::Warn) && told.contains(&Level::Error));
    }
}
