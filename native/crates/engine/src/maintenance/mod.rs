//! Background work: flushes by size, pressure, age and log size, and compactions.
//!
//! Invariants: 1. A failed flush keeps its data and is tried again after a growing pause. 2. A store has at most one compaction.

mod counters;

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::engine::Shared;
use crate::error::{Error, ErrorKind, Result};
use crate::flush::FlushReason;
use crate::region::Region;

pub use counters::{CompactionCounters, Counter, FlushCounters, WorkCounters};

const TICK: Duration = Duration::from_millis(500);
/// Ticks between two looks at stores that nothing happened to, for periodic major compactions.
const TICKS_PER_REVIEW: u64 = 600;

#[derive(Default)]
struct Queue {
    flushes: VecDeque<(String, FlushReason)>,
    compactions: VecDeque<(String, usize)>,
    queued: HashSet<(String, usize)>,
    prefetches: VecDeque<(String, usize)>,
    pressure: bool,
    ticking: bool,
    stop: bool,
}

enum Work {
    Flush(String, FlushReason),
    Relieve,
    Compact(String, usize),
    Prefetch(String, usize),
    Tick,
    Stop,
}

/// Queues of background work.
#[derive(Default)]
pub struct Maintenance {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Compactions chosen by the engine itself are off.
    pub compactions_off: AtomicBool,
    ticks: AtomicU64,
}

impl Maintenance {
    /// Asks for a flush of a region.
    pub fn want_flush(&self, region: &str, reason: FlushReason) {
        let mut queue = self.queue.lock();
        if !queue.flushes.iter().any(|(known, _)| known == region) {
            queue.flushes.push_back((region.to_string(), reason));
            self.wake.notify_one();
        }
    }

    /// Memory is short: the largest region is to be flushed.
    pub fn want_relief(&self) {
        let mut queue = self.queue.lock();
        if !queue.pressure {
            queue.pressure = true;
            self.wake.notify_one();
        }
    }

    /// Asks for a look at a store's files; `asked_for` also when compactions are switched off.
    pub fn want_compaction(&self, region: &str, store: usize, asked_for: bool) {
        if self.compactions_off.load(Ordering::Acquire) && !asked_for {
            return;
        }
        let mut queue = self.queue.lock();
        if queue.queued.insert((region.to_string(), store)) {
            queue.compactions.push_back((region.to_string(), store));
            self.wake.notify_one();
        }
    }

    /// Gives up the looks at stores that wait; those that have begun go on.
    pub fn forget_compactions(&self) {
        let mut queue = self.queue.lock();
        queue.compactions.clear();
        queue.queued.clear();
    }

    /// Asks for the pages of a store's new files in the cache.
    pub fn want_prefetch(&self, region: &str, store: usize) {
        self.queue.lock().prefetches.push_back((region.to_string(), store));
        self.wake.notify_one();
    }

    /// Flushes and compactions that wait.
    pub fn waiting(&self) -> (usize, usize) {
        let queue = self.queue.lock();
        (queue.flushes.len(), queue.compactions.len())
    }

    fn next(&self) -> Work {
        let mut queue = self.queue.lock();
        loop {
            if queue.stop {
                return Work::Stop;
            }
            if let Some((region, reason)) = queue.flushes.pop_front() {
                return Work::Flush(region, reason);
            }
            if std::mem::take(&mut queue.pressure) {
                return Work::Relieve;
            }
            if let Some((region, store)) = queue.compactions.pop_front() {
                queue.queued.remove(&(region.clone(), store));
                return Work::Compact(region, store);
            }
            if let Some((region, store)) = queue.prefetches.pop_front() {
                return Work::Prefetch(region, store);
            }
            if queue.ticking {
                self.wake.wait(&mut queue);
                continue;
            }
            // One idle worker keeps the time.
            queue.ticking = true;
            let timed_out = self.wake.wait_for(&mut queue, TICK).timed_out();
            queue.ticking = false;
            if timed_out {
                return Work::Tick;
            }
            self.wake.notify_one();
        }
    }

    fn stop(&self) {
        self.queue.lock().stop = true;
        self.wake.notify_all();
    }
}

/// The threads that do the work.
pub struct Workers {
    threads: Vec<JoinHandle<()>>,
    shared: Weak<Shared>,
}

impl Workers {
    /// Starts threads.
    pub fn start(shared: &Arc<Shared>, count: usize) -> Result<Workers> {
        let mut workers = Workers { threads: Vec::new(), shared: Arc::downgrade(shared) };
        for number in 0..count {
            let shared = shared.clone();
            let thread = std::thread::Builder::new()
                .name(format!("maintenance-{number}"))
                .spawn(move || run(&shared))
                .map_err(|e| Error::io("start a thread for", "maintenance", e))?;
            workers.threads.push(thread);
        }
        Ok(workers)
    }

    /// Stops them after what they are doing.
    pub fn stop(mut self) -> Result<()> {
        if let Some(shared) = self.shared.upgrade() {
            shared.maintenance.stop();
        }
        let panicked = self.threads.drain(..).filter_map(|thread| thread.join().err()).count();
        if panicked > 0 {
            return Err(Error::new(ErrorKind::Bug, format!("{panicked} maintenance threads panicked")));
        }
        Ok(())
    }
}

fn run(shared: &Shared) {
    loop {
        match shared.maintenance.next() {
            Work::Stop => return,
            Work::Flush(name, reason) => {
                if let Some(region) = shared.open_region(&name) {
                    flush(shared, &region, reason);
                }
            }
            Work::Relieve => relieve(shared),
            Work::Compact(name, store) => {
                if let Some(region) = shared.open_region(&name) {
                    compact(shared, &region, store);
                }
            }
            Work::Prefetch(name, store) => {
                if let Some(region) = shared.open_region(&name) {
                    region.prefetch_store(store);
                }
            }
            Work::Tick => tick(shared),
        }
    }
}

/// A failure is reported by the region and tried again by a tick.
fn flush(shared: &Shared, region: &Region, reason: FlushReason) {
    if region.flush_memtables(reason).is_ok() {
        for store in 0..region.store_count() {
            shared.maintenance.want_compaction(region.encoded_name(), store, false);
        }
    }
}

/// A failure is reported by the region and tried again by a tick.
fn compact(shared: &Shared, region: &Region, store: usize) {
    if let Ok(true) = region.compact_store(store) {
        shared.maintenance.want_compaction(region.encoded_name(), store, false);
    }
}

/// Flushes the largest region that may be flushed now.
fn relieve(shared: &Shared) {
    let now = shared.env.now_ms();
    let candidates = shared.open_regions();
    let largest = candidates.iter().filter(|r| r.may_flush(now)).max_by_key(|r| r.memstore_bytes());
    if let Some(region) = largest
        && region.memstore_bytes() > 0
    {
        flush(shared, region, FlushReason::MemoryShort);
    }
    if shared.pressure.unflushed() >= shared.config.flush_pressure_bytes()
        && candidates.iter().any(|r| r.may_flush(now))
    {
        shared.maintenance.want_relief();
    }
}

fn tick(shared: &Shared) {
    let now = shared.env.now_ms();
    let pressing = shared.held_by_log();
    for region in shared.open_regions() {
        region.expire_nonces(now);
        region.retry_compactions(now);
        let reason = if region.flush_failed() {
            Some(FlushReason::Retry)
        } else if region.is_due(now, shared.config.flush_interval_millis) {
            Some(FlushReason::Old)
        } else {
            pressing.iter().any(|name| name == region.encoded_name()).then_some(FlushReason::HoldsLog)
        };
        if let Some(reason) = reason.filter(|_| region.may_flush(now)) {
            shared.maintenance.want_flush(region.encoded_name(), reason);
        }
    }
    if (shared.maintenance.ticks.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(TICKS_PER_REVIEW) {
        for region in shared.open_regions() {
            for store in 0..region.store_count() {
                shared.maintenance.want_compaction(region.encoded_name(), store, false);
            }
        }
    }
    if shared.pressure.unflushed() >= shared.config.flush_pressure_bytes() {
        shared.maintenance.want_relief();
    }
}

#[cfg(test)]
mod tests {
    use super::Maintenance;

    #[test]
    fn compactions_that_wait_can_be_given_up_and_asked_for_again() {
        let maintenance = Maintenance::default();
        for _ in 0..2 {
            maintenance.want_compaction("a", 0, true);
            maintenance.want_compaction("a", 1, true);
            assert_eq!(maintenance.waiting(), (0, 2));
            maintenance.forget_compactions();
            assert_eq!(maintenance.waiting(), (0, 0));
        }
    }
}
