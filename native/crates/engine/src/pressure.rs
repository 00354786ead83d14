//! Memory of all memtables together: when to slow writes down and when to refuse them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use grampus_base::events::{EventQueue, Level, Topic, bytes};
use grampus_base::{Error, ErrorKind, Result};
use grampus_env::Env;
use parking_lot::Mutex;

const DELAY_MAX: Duration = Duration::from_millis(50);

/// Writes are about to be slowed down from this part of `slow_from` on.
const SOON_SLOW: (u64, u64) = (7, 8);

/// Divisor of the limit: from this share on, memtables are worth one more flush beside those that run.
const SECOND_FLUSH_SHARE: u64 = 5;

/// Writes are let in at once.
const FLOWING: u8 = 0;
/// Writes are slowed down.
const SLOW: u8 = 1;
/// Writes are refused.
const REFUSING: u8 = 2;

/// When a stall began, and the counters at that time.
struct Stall {
    /// Of the monotonic clock.
    since_nanos: u64,
    delayed: u64,
    refused: u64,
}

/// Bytes in memtables against their limits.
pub(crate) struct Pressure {
    used: AtomicU64,
    /// Part of `used` that another flush would not free: it is being flushed, or reads keep it.
    flushing: AtomicU64,
    /// Part of `flushing` that is in files and that reads still use.
    pinned: AtomicU64,
    slow_from: u64,
    limit: u64,
    /// Calls that were slowed down, counted by the code that lets them in.
    pub delayed: AtomicU64,
    /// Calls that were refused.
    pub refused: AtomicU64,
    /// Times that writes stopped flowing.
    pub stalls: AtomicU64,
    /// The worst since writes last flowed.
    state: AtomicU8,
    stall: Mutex<Option<Stall>>,
    env: Arc<dyn Env>,
    events: Arc<EventQueue>,
}

impl Pressure {
    /// Writes are slowed down from `slow_from` bytes on and refused at `limit`.
    pub(crate) fn new(slow_from: u64, limit: u64, env: Arc<dyn Env>, events: Arc<EventQueue>) -> Pressure {
        Pressure {
            used: AtomicU64::new(0),
            flushing: AtomicU64::new(0),
            pinned: AtomicU64::new(0),
            slow_from,
            limit,
            delayed: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            stalls: AtomicU64::new(0),
            state: AtomicU8::new(FLOWING),
            stall: Mutex::new(None),
            env,
            events,
        }
    }

    /// Bytes in memtables.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes that memtables may take until writes are refused.
    pub(crate) fn room(&self) -> u64 {
        self.limit.saturating_sub(self.used())
    }

    /// Bytes in memtables that no flush has taken on yet, and that no read keeps.
    pub(crate) fn unflushed(&self) -> u64 {
        self.used().saturating_sub(self.flushing.load(Ordering::Relaxed))
    }

    /// Bytes of memtables that are in files and are kept in memory by reads.
    pub(crate) fn pinned(&self) -> u64 {
        self.pinned.load(Ordering::Relaxed)
    }

    /// Whether reads keep more than half of the limit: those that can begin again have to.
    pub(crate) fn is_pinned_too_much(&self) -> bool {
        self.pinned() > self.limit / 2
    }

    /// Whether flushes have to make room: what they can free reaches the share `flush_from / limit` of what reads leave of the limit.
    /// Were it a share of the whole limit, writes would be refused for what reads keep, and nothing would flush the rest. When the flushes
    /// that run do not keep up and writes are about to be slowed down, less ([`SECOND_FLUSH_SHARE`]) is enough for one more beside them.
    pub(crate) fn wants_relief(&self, flush_from: u64) -> bool {
        let left = self.limit.saturating_sub(self.pinned());
        let part_of_left = |bytes: u64| {
            let part = u128::from(bytes) * u128::from(left) / u128::from(self.limit.max(1));
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        let unflushed = self.unflushed();
        let soon_slow = self.used().saturating_sub(self.pinned())
            >= part_of_left(self.slow_from / SOON_SLOW.1 * SOON_SLOW.0);
        unflushed > 0
            && (unflushed >= part_of_left(flush_from)
                || (soon_slow && unflushed >= left / SECOND_FLUSH_SHARE))
    }

    /// Memtables grew.
    pub(crate) fn grow(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A memtable grew that no other thread can flush: it counts against the limit, but others need not make up for it.
    pub(crate) fn hold(&self, bytes: u64) {
        self.flushing.fetch_add(bytes, Ordering::Relaxed);
        self.grow(bytes);
    }

    /// Bytes of [`Pressure::hold`] were dropped.
    pub(crate) fn release(&self, bytes: u64) {
        self.shrink(bytes);
        self.flushing.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// A memtable of `bytes` has left its store. They count against the limit, as those of [`Pressure::hold`], until the memory is free.
    pub(crate) fn pin(self: &Arc<Self>, bytes: u64) -> Pinned {
        self.flushing.fetch_add(bytes, Ordering::Relaxed);
        self.pinned.fetch_add(bytes, Ordering::Relaxed);
        Pinned { pressure: Arc::clone(self), bytes }
    }

    /// Counts `bytes` as being flushed until the guard is dropped.
    pub(crate) fn flushing(&self, bytes: u64) -> Flushing<'_> {
        self.flushing.fetch_add(bytes, Ordering::Relaxed);
        Flushing { counter: &self.flushing, bytes }
    }

    /// Memtables were dropped.
    pub(crate) fn shrink(&self, bytes: u64) {
        let left = self.used.fetch_sub(bytes, Ordering::Relaxed) - bytes;
        if left < self.slow_from && self.state.load(Ordering::Relaxed) != FLOWING {
            self.end_stall(left);
        }
    }

    /// Lets a write in: at once, after the returned delay, which grows with the pressure, or not at all. Nothing waits here: a thread that
    /// slept would be missed by reads and by other tables' writes.
    pub(crate) fn admit(&self) -> Result<Duration> {
        let used = self.used();
        if used < self.slow_from {
            return Ok(Duration::ZERO);
        }
        if used >= self.limit {
            self.meet_stall(REFUSING, used);
            self.refused.fetch_add(1, Ordering::Relaxed);
            return Err(Error::new(
                ErrorKind::Busy,
                format!(
                    "Over memstore limit: {used} of {} bytes are in use, flushes are running{}",
                    self.limit,
                    self.kept_by_scans()
                ),
            ));
        }
        self.meet_stall(SLOW, used);
        let share = (used - self.slow_from) as f64 / (self.limit - self.slow_from).max(1) as f64;
        Ok(DELAY_MAX.mul_f64(share * share))
    }

    /// A write met a stall; the first one, and the first one that it got worse for, are reported.
    fn meet_stall(&self, state: u8, used: u64) {
        if self.state.load(Ordering::Relaxed) >= state {
            return;
        }
        let before = self.state.fetch_max(state, Ordering::AcqRel);
        if before >= state {
            return;
        }
        self.stalls.fetch_add(u64::from(before == FLOWING), Ordering::Relaxed);
        self.stall.lock().get_or_insert_with(|| Stall {
            since_nanos: self.env.monotonic_nanos(),
            delayed: self.delayed.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
        });
        self.report_stall(state, used);
    }

    fn report_stall(&self, state: u8, used: u64) {
        let what = if state == SLOW {
            "writes are slowed down until flushes have freed memory"
        } else {
            "writes are refused (RegionTooBusyException) until flushes have freed memory"
        };
        let text = format!(
            "{what}: memtables hold {} of {}{}",
            bytes(used),
            bytes(self.limit),
            self.kept_by_scans()
        );
        self.events.report(Level::Warn, Topic::Stall, text);
    }

    fn kept_by_scans(&self) -> String {
        match self.pinned() {
            0 => String::new(),
            pinned => format!(", {} of them flushed and kept by scans", bytes(pinned)),
        }
    }

    fn end_stall(&self, used: u64) {
        if self.state.swap(FLOWING, Ordering::AcqRel) == FLOWING {
            return;
        }
        let Some(stall) = self.stall.lock().take() else { return };
        let text = format!(
            "writes flow again after {} ms, in which {} were delayed and {} refused: memtables hold {} of {}",
            self.env.monotonic_nanos().saturating_sub(stall.since_nanos) / 1_000_000,
            self.delayed.load(Ordering::Relaxed) - stall.delayed,
            self.refused.load(Ordering::Relaxed) - stall.refused,
            bytes(used),
            bytes(self.limit)
        );
        self.events.report(Level::Info, Topic::Stall, text);
    }
}

/// Bytes of a memtable that has left its store, for as long as its memory is taken.
pub(crate) struct Pinned {
    pressure: Arc<Pressure>,
    bytes: u64,
}

impl Drop for Pinned {
    fn drop(&mut self) {
        self.pressure.pinned.fetch_sub(self.bytes, Ordering::Relaxed);
        self.pressure.release(self.bytes);
    }
}

/// Bytes that a flush writes, for as long as it runs, however it ends.
pub(crate) struct Flushing<'a> {
    counter: &'a AtomicU64,
    bytes: u64,
}

impl Drop for Flushing<'_> {
    fn drop(&mut self) {
        self.counter.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use grampus_env::FakeEnv;

    use super::*;

    fn pressure(slow_from: u64, limit: u64, events: &Arc<EventQueue>) -> Pressure {
        Pressure::new(slow_from, limit, Arc::new(FakeEnv::new(1)), events.clone())
    }

    #[test]
    fn writes_pass_then_wait_then_are_refused() {
        let events = Arc::new(EventQueue::default());
        let pressure = pressure(80, 100, &events);
        assert_eq!(pressure.admit().unwrap(), Duration::ZERO);
        pressure.grow(90);
        assert_eq!(pressure.admit().unwrap(), DELAY_MAX / 4);
        pressure.delayed.fetch_add(1, Ordering::Relaxed);
        pressure.grow(10);
        assert_eq!(pressure.admit().unwrap_err().kind, ErrorKind::Busy);
        pressure.shrink(100);
        assert_eq!(pressure.admit().unwrap(), Duration::ZERO);
        let said = events.poll(Duration::ZERO).unwrap();
        let lines: Vec<(Level, &str)> = said.iter().map(|e| (e.level, e.text.as_str())).collect();
        let [slow, refused, over] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!(slow.0, Level::Warn);
        assert!(slow.1.starts_with("writes are slowed down"), "{}", slow.1);
        assert!(refused.1.starts_with("writes are refused"), "{}", refused.1);
        assert_eq!(over.0, Level::Info);
        assert!(over.1.contains("1 were delayed and 1 refused: memtables hold 0 B of 100 B"), "{}", over.1);
    }

    #[test]
    fn what_no_other_thread_can_flush_counts_against_the_limit_only() {
        let pressure = pressure(80, 100, &Arc::default());
        pressure.grow(10);
        pressure.hold(90);
        assert_eq!((pressure.used(), pressure.unflushed()), (100, 10));
        assert_eq!(pressure.admit().unwrap_err().kind, ErrorKind::Busy);
        pressure.release(90);
        assert_eq!((pressure.used(), pressure.unflushed()), (10, 10));
    }

    #[test]
    fn what_reads_keep_counts_until_they_let_go_and_does_not_hold_back_flushes_of_the_rest() {
        let pressure = Arc::new(pressure(80, 100, &Arc::default()));
        pressure.grow(90);
        let pinned = pressure.pin(60);
        assert_eq!((pressure.used(), pressure.unflushed(), pressure.pinned()), (90, 30, 60));
        assert!(pressure.wants_relief(60), "60 % of the 40 that are left");
        pressure.shrink(10);
        assert!(!pressure.wants_relief(60));
        drop(pinned);
        assert_eq!((pressure.used(), pressure.unflushed(), pressure.pinned()), (20, 20, 0));
        assert!(!pressure.wants_relief(60));
    }

    #[test]
    fn a_flush_counts_until_its_memory_is_kept_by_reads_or_free() {
        let pressure = Arc::new(pressure(80, 100, &Arc::default()));
        pressure.grow(65);
        assert!(pressure.wants_relief(60));
        let flushing = pressure.flushing(40);
        assert_eq!(pressure.unflushed(), 25);
        assert!(!pressure.wants_relief(60), "one flush is enough");
        pressure.grow(5);
        assert!(pressure.wants_relief(60), "writes are about to be slowed down");
        let pinned = pressure.pin(40);
        drop(flushing);
        assert_eq!(pressure.unflushed(), 30);
        assert!(!pressure.wants_relief(60), "30 of the 60 that are left");
        drop(pinned);
        assert_eq!((pressure.used(), pressure.unflushed()), (30, 30));
    }

    #[test]
    fn a_stall_is_said_once_however_many_writes_meet_it() {
        let events = Arc::new(EventQueue::default());
        let pressure = pressure(1, 2, &events);
        pressure.grow(2);
        (0..10).for_each(|_| assert!(pressure.admit().is_err()));
        assert_eq!(events.poll(Duration::ZERO).unwrap().len(), 1);
    }
}
