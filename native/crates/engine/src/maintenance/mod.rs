//! Background work that waits: flushes by size, pressure, age and log size, and compactions. The threads that do it are `workers`.
//!
//! Invariants: 1. A failed flush or compaction changes nothing and is tried again after a growing pause. 2. A file is the input of one
//! compaction at most. 3. Flushes and compactions have threads of their own.

mod budget;
mod counters;
mod finished_work;
mod meter;
mod queue;
mod trim_rule;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(crate) use budget::Budget;
pub(crate) use counters::{CompactionCounters, FlushCounters, LoadCounters, WorkCounters};
pub(crate) use finished_work::{FinishedWork, WorkKind};
use grampus_base::events::{EventQueue, Level, Topic};
use grampus_base::{Counter, Error};
use grampus_store::flush::FlushReason;
pub(crate) use meter::Meter;
use parking_lot::Mutex;
pub(crate) use queue::{Compactable, Job, Lengths, Queue, Role, Work};
use trim_rule::TrimRule;

/// Panics of one kind of work are said so often at most.
const PANIC_SAID_EVERY: Duration = Duration::from_secs(60);

/// The machine's clock, by which threads sleep until the next tick, also in tests. What is due is decided by the environment's.
#[expect(clippy::disallowed_methods, reason = "a thread sleeps by it")]
fn now() -> Instant {
    Instant::now()
}

/// Background work, as its callers see it.
pub(crate) struct Maintenance {
    pub(crate) queue: Queue,
    /// How fast compactions may write.
    pub budget: Budget,
    compactions_off: AtomicBool,
    ticks: AtomicU64,
    trim_rule: Mutex<TrimRule>,
    /// Pieces of background work that panicked.
    pub panics: Counter,
    /// When which of them was last said.
    panics_said: Mutex<HashMap<&'static str, Instant>>,
}

impl Maintenance {
    /// Nothing waits. Compactions write within `budget`, once they are on.
    pub(crate) fn new(budget: Budget, compactions_on: bool) -> Maintenance {
        Maintenance {
            queue: Queue::default(),
            budget,
            compactions_off: AtomicBool::new(!compactions_on),
            ticks: AtomicU64::new(0),
            trim_rule: Mutex::default(),
            panics: Counter::default(),
            panics_said: Mutex::default(),
        }
    }

    /// Asks for a flush of a region.
    pub(crate) fn want_flush(&self, region: &str, reason: FlushReason) {
        self.queue.flush(region, reason);
    }

    /// Memory is short: the largest region is to be flushed.
    pub(crate) fn want_relief(&self) {
        self.queue.relieve();
    }

    /// Asks for a look at a store's files, unless compactions are off.
    pub(crate) fn want_compaction(&self, region: &str, store: usize) {
        if self.compactions_are_on() {
            self.queue.look(region, store);
        }
    }

    /// Gives up the looks at stores and the compactions that wait; those that have begun go on.
    pub(crate) fn forget_compactions(&self) {
        self.queue.forget_looks();
        self.drop_compactions(None);
    }

    /// Asks for the pages of a store's new files in the cache.
    pub(crate) fn want_prefetch(&self, region: &str, store: usize) {
        self.queue.prefetch(region, store);
    }

    /// Whether compactions are on.
    pub(crate) fn compactions_are_on(&self) -> bool {
        !self.compactions_off.load(Ordering::Acquire)
    }

    /// Switches compactions; those that run notice it at their next row, or at once where they wait. Returns whether they were on.
    pub(crate) fn switch_compactions(&self, on: bool) -> bool {
        let were_on = !self.compactions_off.swap(!on, Ordering::AcqRel);
        if !on {
            self.budget.wake();
            self.drop_compactions(None);
        }
        were_on
    }

    /// Compactions that wait, of one region or all, are not wanted any more.
    pub(crate) fn drop_compactions(&self, region: Option<&str>) {
        for job in self.queue.withdraw(region) {
            job.region.give_up_compaction(job.store, &job.picked);
        }
    }

    /// How much waits.
    pub(crate) fn waiting(&self) -> Lengths {
        self.queue.lengths()
    }

    /// A piece of work has panicked. Said once a minute for each kind: some of them come twice a second.
    pub(crate) fn report_panic(&self, events: &EventQueue, what: &'static str, panic: &Error) {
        self.panics.add(1);
        let mut said = self.panics_said.lock();
        let now = now(); // and not the environment's, which may be what panics
        if said.get(what).is_some_and(|at| now - *at < PANIC_SAID_EVERY) {
            return;
        }
        said.insert(what, now);
        let text = format!(
            "{panic}; this piece of background work is given up, it is tried again when it is due, and the rest goes on"
        );
        events.report(Level::Error, Topic::Events, text);
    }

    /// Whether free memory is to go back to the operating system. `used_bytes` are those in use now.
    pub(crate) fn wants_trim(&self, now_millis: i64, used_bytes: u64) -> bool {
        self.trim_rule.lock().note(now_millis, used_bytes)
    }

    /// How often the ages of edits and the limits of memory were looked at.
    pub(crate) fn tick_count(&self) -> u64 {
        self.ticks.load(Ordering::Relaxed)
    }

    pub(crate) fn count_tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn stop(&self) {
        self.queue.stop();
        self.switch_compactions(false);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Maintenance};

    #[test]
    fn compactions_that_wait_can_be_given_up_and_asked_for_again() {
        let maintenance = Maintenance::new(Budget::new(None), true);
        for _ in 0..2 {
            maintenance.want_compaction("a", 0);
            maintenance.want_compaction("a", 1);
            assert_eq!(maintenance.waiting().looks, 2);
            maintenance.forget_compactions();
            assert_eq!(maintenance.waiting().looks, 0);
        }
    }
}
