//! Sequence ids of one region and what of them readers may see.
//!
//! Invariants: 1. The read point moves only over a contiguous prefix of ids that are applied and as durable as they asked.
//! 2. An id is given and its record appended to the log under one lock, so the log has a region's ids in order.
//! 3. A token is handed out once, when the read point has reached its id, or as poisoned.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use grampus_base::Result;
use grampus_base::sync::atomic::{AtomicU64, Ordering};
use grampus_base::sync::{Condvar, Mutex};
use grampus_wal::{Follower, LogProgress, Need, Wal};

use crate::completion::{CompletionQueue, DURABLE, POISONED};

struct Entry {
    applied: bool,
    need: Need,
}

struct Queue {
    /// The next id to give.
    next: u64,
    /// Ids above the read point; the first is `next - entries.len()`.
    entries: VecDeque<Entry>,
    tokens: BinaryHeap<Reverse<(u64, u64)>>,
    waiting: usize,
}

/// Sequence ids and read point of a region.
pub struct Mvcc {
    queue: Mutex<Queue>,
    moved: Condvar,
    read_point: AtomicU64,
    progress: Arc<LogProgress>,
    completions: Arc<CompletionQueue>,
}

impl Mvcc {
    /// All ids up to `last` are visible.
    pub fn new(last: u64, progress: Arc<LogProgress>, completions: Arc<CompletionQueue>) -> Mvcc {
        let queue = Queue { next: last + 1, entries: VecDeque::new(), tokens: BinaryHeap::new(), waiting: 0 };
        Mvcc {
            queue: Mutex::new(queue),
            moved: Condvar::new(),
            read_point: AtomicU64::new(last),
            progress,
            completions,
        }
    }

    /// Ids above `last` of a region whose edits are in a log.
    pub fn of_log(log: &Wal, last: u64, completions: Arc<CompletionQueue>) -> Arc<Mvcc> {
        let mvcc = Arc::new(Mvcc::new(last, log.progress().clone(), completions));
        let follower: Arc<dyn Follower> = mvcc.clone();
        log.register(Arc::downgrade(&follower));
        mvcc
    }

    /// The highest id that readers may see.
    #[inline]
    pub fn read_point(&self) -> u64 {
        self.read_point.load(Ordering::Acquire)
    }

    /// The highest id given.
    pub(crate) fn last_given(&self) -> u64 {
        self.queue.lock().next - 1
    }

    /// Gives the next id and runs `append` with it under the lock that keeps the log in order.
    pub fn begin(&self, append: impl FnOnce(u64) -> Result<Need>) -> Result<u64> {
        let mut queue = self.queue.lock();
        let sequence = queue.next;
        let need = append(sequence)?;
        queue.next += 1;
        queue.entries.push_back(Entry { applied: false, need });
        Ok(sequence)
    }

    /// The id's cells are in the memtables. True when readers see them already; otherwise the token, if one is given, will be
    /// handed out when they do.
    pub fn applied(&self, sequence: u64, token: Option<u64>) -> Result<bool> {
        let mut queue = self.queue.lock();
        let first = queue.next - queue.entries.len() as u64;
        if let Some(entry) =
            sequence.checked_sub(first).and_then(|i| queue.entries.get_mut(usize::try_from(i).ok()?))
        {
            entry.applied = true;
        }
        self.advance_locked(&mut queue);
        self.settle_locked(&mut queue, sequence, token)
    }

    /// Whether readers see an id; if not, its token will be handed out when they do.
    pub fn settle(&self, sequence: u64, token: u64) -> Result<bool> {
        if self.read_point() >= sequence {
            return Ok(true);
        }
        let mut queue = self.queue.lock();
        self.advance_locked(&mut queue);
        self.settle_locked(&mut queue, sequence, Some(token))
    }

    fn settle_locked(&self, queue: &mut Queue, sequence: u64, token: Option<u64>) -> Result<bool> {
        if self.read_point() >= sequence {
            return Ok(true);
        }
        self.progress.check()?;
        if let Some(token) = token {
            queue.tokens.push(Reverse((sequence, token)));
        }
        Ok(false)
    }

    fn advance_locked(&self, queue: &mut Queue) {
        let poisoned = self.progress.poisoned.load(Ordering::Acquire);
        let written = self.progress.written.load(Ordering::Acquire);
        let synced = self.progress.synced.load(Ordering::Acquire);
        let mut passed = false;
        while let Some(entry) = queue.entries.front() {
            let durable = match entry.need {
                Need::Nothing => !poisoned,
                Need::Written(lsn) => lsn <= written,
                Need::Synced(lsn) => lsn <= synced,
            };
            if !(entry.applied && durable) {
                break;
            }
            queue.entries.pop_front();
            passed = true;
        }
        if !passed {
            return;
        }
        let read_point = queue.next - 1 - queue.entries.len() as u64;
        self.read_point.store(read_point, Ordering::Release);
        let ready = std::iter::from_fn(|| {
            let Reverse((sequence, token)) = *queue.tokens.peek()?;
            if sequence > read_point {
                return None;
            }
            queue.tokens.pop();
            Some(token)
        });
        let mut ready = ready.peekable();
        if ready.peek().is_some() {
            self.completions.push(ready, DURABLE);
        }
        if queue.waiting > 0 {
            self.moved.notify_all();
        }
    }

    /// Waits until readers see an id. False when that took longer than the timeout.
    pub fn wait_for(&self, sequence: u64, timeout: Duration) -> Result<bool> {
        if self.read_point() >= sequence {
            return Ok(true);
        }
        let mut queue = self.queue.lock();
        queue.waiting += 1;
        let behind = |_: &mut Queue| self.read_point() < sequence && self.progress.check().is_ok();
        self.moved.wait_while_for(&mut queue, behind, timeout);
        queue.waiting -= 1;
        self.progress.check().map(|()| self.read_point() >= sequence)
    }
}

impl Follower for Mvcc {
    fn log_moved(&self) {
        self.advance_locked(&mut self.queue.lock());
    }

    /// Every token that waits is handed out as poisoned.
    fn log_lost(&self) {
        let mut queue = self.queue.lock();
        let tokens: Vec<u64> = queue.tokens.drain().map(|Reverse((_, token))| token).collect();
        self.completions.push(tokens, POISONED);
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> (Arc<LogProgress>, Arc<CompletionQueue>, Mvcc) {
        let (progress, queue) = (Arc::new(LogProgress::default()), Arc::new(CompletionQueue::default()));
        (progress.clone(), queue.clone(), Mvcc::new(10, progress, queue))
    }

    fn polled(queue: &CompletionQueue) -> Vec<(u64, u8)> {
        let mut out = Vec::new();
        queue.poll(&mut out, Duration::ZERO);
        out
    }

    #[test]
    fn the_read_point_waits_for_earlier_ids_even_when_the_later_needs_no_log() {
        let (progress, queue, mvcc) = setup();
        let first = mvcc.begin(|_| Ok(Need::Written(100))).unwrap();
        let second = mvcc.begin(|_| Ok(Need::Nothing)).unwrap();
        assert!(!mvcc.applied(second, Some(2)).unwrap());
        assert!(!mvcc.applied(first, Some(1)).unwrap());
        assert_eq!(mvcc.read_point(), 10);
        progress.written.store(100, Ordering::Release);
        mvcc.log_moved();
        assert_eq!((mvcc.read_point(), polled(&queue)), (12, vec![(1, DURABLE), (2, DURABLE)]));
    }

    #[test]
    fn poison_hands_out_every_token_and_refuses_later_ones() {
        let (progress, queue, mvcc) = setup();
        let sequence = mvcc.begin(|_| Ok(Need::Synced(5))).unwrap();
        assert!(!mvcc.applied(sequence, Some(7)).unwrap());
        progress.poisoned.store(true, Ordering::Release);
        mvcc.log_lost();
        assert_eq!(polled(&queue), vec![(7, POISONED)]);
        assert_eq!(mvcc.settle(sequence, 8).unwrap_err().kind, grampus_base::ErrorKind::Poisoned);
        assert_eq!(mvcc.read_point(), 10);
    }
}
