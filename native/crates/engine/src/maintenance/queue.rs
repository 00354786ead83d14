//! Work that waits, and which thread takes which kind.
//!
//! Each kind of thread takes the first thing that it may: a long compaction never keeps a flush waiting, and a large one no small one.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use grampus_base::Result;
use grampus_store::compaction::Picked;
use grampus_store::flush::FlushReason;
use parking_lot::{Condvar, Mutex};

use super::now;

const TICK: Duration = Duration::from_millis(500);

/// What a thread is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Keeps the time; flushes and relief of memory pressure.
    Flusher,
    /// Compactions of inputs up to the throttle point; chooses compactions; loads pages ahead.
    Small,
    /// Compactions of larger inputs, and what a [`Role::Small`] does when there are none.
    Large,
    /// Upkeep of the cache: it may wait for files on other machines, and nothing else waits for it.
    Upkeep,
}

/// A region, as far as compactions that wait know it.
pub(crate) trait Compactable: Send + Sync {
    /// Its encoded name.
    fn encoded_name(&self) -> &str;

    /// Compacts files of a store, by its index. What fails is reported, and tried again when it is due.
    fn compact_store(&self, store: usize, picked: &Picked) -> Result<()>;

    /// Files that were chosen for a compaction are free for another one.
    fn give_up_compaction(&self, store: usize, picked: &Picked);
}

/// A compaction that was chosen; its inputs are marked busy.
pub(crate) struct Job {
    /// The region.
    pub region: Arc<dyn Compactable>,
    /// Index of the store.
    pub store: usize,
    /// What was chosen.
    pub picked: Picked,
    /// The highest goes first.
    pub priority: i64,
}

/// Something to do.
pub(crate) enum Work {
    /// Flush a region.
    Flush(String, FlushReason),
    /// Flush the largest region.
    Relieve,
    /// Look whether a store needs a compaction.
    Look(String, usize),
    /// Compact.
    Compact(Job),
    /// Load the pages of a store's new files.
    Prefetch(String, usize),
    /// Look at ages and limits.
    Tick,
    /// Load bloom filters that reads went without, and look which files of closed stores are gone.
    Upkeep,
    /// End.
    Stop,
}

impl Work {
    /// What it is, for messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Work::Flush(..) => "a flush",
            Work::Relieve => "relief of memory",
            Work::Look(..) => "a look at a store",
            Work::Compact(_) => "a compaction",
            Work::Prefetch(..) => "a prefetch",
            Work::Tick => "a look at all regions",
            Work::Upkeep => "upkeep of the cache",
            Work::Stop => "the end",
        }
    }
}

#[derive(Default)]
struct Waiting {
    flushes: VecDeque<(String, FlushReason)>,
    relief: bool,
    looks: VecDeque<(String, usize)>,
    known_looks: HashSet<(String, usize)>,
    small: Vec<Job>,
    large: Vec<Job>,
    prefetches: VecDeque<(String, usize)>,
    upkeep: bool,
    /// When the next tick is due; `None` before the first question.
    tick: Option<Instant>,
    /// One is under way; the next is due a whole interval after it.
    ticking: bool,
    stop: bool,
}

/// Numbers of what waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lengths {
    /// Flushes.
    pub flushes: usize,
    /// Stores to be looked at.
    pub looks: usize,
    /// Small compactions.
    pub small: usize,
    /// Large compactions.
    pub large: usize,
}

/// The queues of all kinds of work.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    wake: Condvar,
}

impl Queue {
    fn add(&self, change: impl FnOnce(&mut Waiting)) {
        change(&mut self.waiting.lock());
        self.wake.notify_all();
    }

    /// A flush, unless one of the region waits already.
    pub(crate) fn flush(&self, region: &str, reason: FlushReason) {
        self.add(|waiting| {
            if !waiting.flushes.iter().any(|(known, _)| known == region) {
                waiting.flushes.push_back((region.to_string(), reason));
            }
        });
    }

    /// A flush of the largest region.
    pub(crate) fn relieve(&self) {
        let mut waiting = self.waiting.lock();
        if !waiting.relief {
            waiting.relief = true;
            drop(waiting);
            self.wake.notify_all();
        }
    }

    /// A look at a store, unless one waits already.
    pub(crate) fn look(&self, region: &str, store: usize) {
        self.add(|waiting| {
            if waiting.known_looks.insert((region.to_string(), store)) {
                waiting.looks.push_back((region.to_string(), store));
            }
        });
    }

    /// Stores that wait to be looked at need not be.
    pub(crate) fn forget_looks(&self) {
        let mut waiting = self.waiting.lock();
        waiting.looks.clear();
        waiting.known_looks.clear();
    }

    /// A compaction.
    pub(crate) fn compact(&self, job: Job, large: bool) {
        self.add(|waiting| if large { &mut waiting.large } else { &mut waiting.small }.push(job));
    }

    /// Pages to load.
    pub(crate) fn prefetch(&self, region: &str, store: usize) {
        self.add(|waiting| waiting.prefetches.push_back((region.to_string(), store)));
    }

    /// A look after the cache, unless one waits already.
    pub(crate) fn keep_up(&self) {
        self.add(|waiting| waiting.upkeep = true);
    }

    /// Takes out the compactions that wait, those of one region or all.
    pub(crate) fn withdraw(&self, region: Option<&str>) -> Vec<Job> {
        let mut waiting = self.waiting.lock();
        let mut taken = Vec::new();
        let Waiting { small, large, .. } = &mut *waiting;
        for list in [small, large] {
            let of_region = |job: &Job| region.is_none_or(|name| job.region.encoded_name() == name);
            let (gone, stays) = std::mem::take(list).into_iter().partition(of_region);
            *list = stays;
            taken.extend::<Vec<Job>>(gone);
        }
        taken
    }

    /// How much waits.
    pub(crate) fn lengths(&self) -> Lengths {
        let waiting = self.waiting.lock();
        Lengths {
            flushes: waiting.flushes.len(),
            looks: waiting.looks.len(),
            small: waiting.small.len(),
            large: waiting.large.len(),
        }
    }

    /// Waits for something that a thread of this role does.
    pub(crate) fn next(&self, role: Role) -> Work {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.stop {
                return Work::Stop;
            }
            if role == Role::Flusher && waiting.take_tick(now()) {
                return Work::Tick;
            }
            if let Some(work) = waiting.take(role) {
                return work;
            }
            match waiting.tick.filter(|_| role == Role::Flusher && !waiting.ticking) {
                Some(due) => drop(self.wake.wait_until(&mut waiting, due)),
                None => self.wake.wait(&mut waiting),
            }
        }
    }

    /// The tick that [`Queue::next`] handed out is over.
    pub(crate) fn ticked(&self) {
        self.add(|waiting| waiting.end_tick(now()));
    }

    /// Whether the threads are to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.waiting.lock().stop
    }

    /// Lets every thread end after what it does now.
    pub(crate) fn stop(&self) {
        self.add(|waiting| waiting.stop = true);
    }
}

impl Waiting {
    /// Whether a tick is due, which is then taken. It goes before flushes: what it adjusts matters most when there is always one to do.
    /// Between two of them there is time for flushes, however long a tick takes.
    fn take_tick(&mut self, now: Instant) -> bool {
        let due = *self.tick.get_or_insert(now + TICK);
        let taken = !self.ticking && now >= due;
        self.ticking |= taken;
        taken
    }

    fn end_tick(&mut self, now: Instant) {
        self.ticking = false;
        self.tick = Some(now + TICK);
    }

    fn take(&mut self, role: Role) -> Option<Work> {
        match role {
            Role::Flusher => {
                if let Some((region, reason)) = self.flushes.pop_front() {
                    return Some(Work::Flush(region, reason));
                }
                std::mem::take(&mut self.relief).then_some(Work::Relieve)
            }
            Role::Small => self.take_compaction(false),
            Role::Large => self.take_compaction(true),
            Role::Upkeep => std::mem::take(&mut self.upkeep).then_some(Work::Upkeep),
        }
    }

    fn take_compaction(&mut self, large: bool) -> Option<Work> {
        let job = if large { most_urgent(&mut self.large) } else { None };
        if let Some(job) = job.or_else(|| most_urgent(&mut self.small)) {
            return Some(Work::Compact(job));
        }
        if let Some((region, store)) = self.looks.pop_front() {
            self.known_looks.remove(&(region.clone(), store));
            return Some(Work::Look(region, store));
        }
        self.prefetches.pop_front().map(|(region, store)| Work::Prefetch(region, store))
    }
}

/// Takes out the job of the highest priority, the oldest among equals.
fn most_urgent(jobs: &mut Vec<Job>) -> Option<Job> {
    let best = jobs.iter().enumerate().max_by_key(|(at, job)| (job.priority, std::cmp::Reverse(*at)))?.0;
    Some(jobs.remove(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_come_while_there_is_always_something_to_flush() {
        let queue = Queue::default();
        let mut flushes = 0u64;
        loop {
            queue.relieve();
            match queue.next(Role::Flusher) {
                Work::Relieve => flushes += 1,
                Work::Tick => break,
                _ => panic!("no other work was asked for"),
            }
        }
        assert!(flushes > 0);
    }

    #[test]
    fn a_tick_comes_to_one_thread_and_a_whole_interval_after_the_last() {
        let mut waiting = Waiting::default();
        let start = now();
        assert!(!waiting.take_tick(start), "the first is due after a whole interval");
        assert!(waiting.take_tick(start + TICK));
        assert!(!waiting.take_tick(start + 3 * TICK), "the first is under way");
        waiting.end_tick(start + 4 * TICK);
        assert!(!waiting.take_tick(start + 4 * TICK));
        assert!(waiting.take_tick(start + 5 * TICK));
    }
}
