//! Nonces of increments and appends: the same operation sent twice is executed once.
//!
//! An operation is noted while its region's updates lock is held, so a close that has had the lock alone knows all of them. What a region
//! leaves of them when it closes is in [`left`].

mod file;
pub(super) mod left;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use grampus_base::events::{EventQueue, Level, Topic, bytes};
use grampus_base::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex, MutexGuard};

pub use self::file::check as check_nonce_file;
use self::file::{COUNT_MAX, LeftNonce};
use crate::pressure::Pressure;

/// Nonce group, which is the client's, and nonce.
type Key = (u64, u64);

/// Bytes of a nonce where the tables are largest for what they hold: a map that others leave doubles when it is half full.
const BYTES_MAX: usize = 4 * STATE_BYTES + 2 * DONE_BYTES;
/// With a control byte, where the map is as full as it gets.
const STATE_BYTES: usize = (size_of::<(Key, State)>() + 1) * 8 / 7;
const DONE_BYTES: usize = size_of::<Done>();

/// However small the memory, those of operations that clients may be about to repeat.
const COUNT_MIN: usize = 1024;

/// An opening of a region, whose operations these are. Both daughters of a split have those of their parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner(u32);

#[derive(Clone, Copy)]
enum State {
    Running,
    /// `entries`: how many of the done operations with this time are this one.
    Done {
        sequence: u64,
        at_millis: i64,
        entries: u32,
    },
}

#[derive(Clone, Copy)]
struct Done {
    key: Key,
    at_millis: i64,
    owner: Owner,
}

/// What to do with an operation that carries a nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonceOutcome {
    /// Execute it and note it.
    Execute,
    /// It was executed as this sequence id: answer by reading.
    Duplicate(u64),
}

#[derive(Default)]
struct Known {
    states: HashMap<Key, State>,
    /// Done operations, oldest first, so that forgetting the old ones looks at nothing else.
    done: VecDeque<Done>,
    /// What they take, as it was last counted.
    held_bytes: u64,
    forgotten_early: u64,
    /// Whether it was reported that there are too many.
    is_crowded: bool,
}

impl Known {
    fn bytes(&self) -> u64 {
        (self.states.capacity() * STATE_BYTES + self.done.capacity() * DONE_BYTES) as u64
    }

    /// One that is known already keeps its time: another owner has it, too.
    fn add(&mut self, owner: Owner, key: Key, sequence: u64, at_millis: i64) {
        let (at_millis, before) = match self.states.get(&key) {
            Some(State::Done { sequence: known, at_millis, entries }) if *known == sequence => {
                (*at_millis, *entries)
            }
            _ => (at_millis, 0),
        };
        self.states.insert(key, State::Done { sequence, at_millis, entries: before.saturating_add(1) });
        self.done.push_back(Done { key, at_millis, owner });
    }

    fn forget_oldest(&mut self) {
        if let Some(done) = self.done.pop_front() {
            release(&mut self.states, &done);
        }
    }

    /// `None` when it was executed once more since.
    fn left(&self, done: &Done, now_millis: i64) -> Option<LeftNonce> {
        let State::Done { sequence, at_millis, .. } = self.states.get(&done.key)? else { return None };
        let age_millis = u32::try_from(now_millis - done.at_millis).unwrap_or(u32::MAX);
        (*at_millis == done.at_millis).then_some(LeftNonce { key: done.key, sequence: *sequence, age_millis })
    }

    /// Gives memory back when most of it is unused.
    fn shrink(&mut self) {
        if self.done.capacity() > COUNT_MIN && self.done.len() < self.done.capacity() / 4 {
            self.done.shrink_to(self.done.len() * 2);
            self.states.shrink_to(self.states.len() * 2);
        }
    }
}

/// Nonces of a server, as HBase's `ServerNonceManager`. Times are of the monotonic clock, in milliseconds.
///
/// They are remembered for a time, and count as memory of memtables that no flush frees. Where they would take more than their part of it
/// the oldest ones are forgotten before their time: an operation that is repeated later than that is executed twice.
pub(crate) struct Nonces {
    known: Mutex<Known>,
    ended: Condvar,
    ttl_millis: i64,
    count_max: usize,
    owners: AtomicU32,
    pressure: Arc<Pressure>,
    events: Arc<EventQueue>,
}

/// How much is remembered.
pub(crate) struct NonceStats {
    pub count: u64,
    pub bytes: u64,
    pub forgotten_early: u64,
}

impl Nonces {
    /// Nonces that are remembered for `ttl_millis` and take at most `bytes_max` bytes.
    pub(crate) fn new(
        ttl_millis: i64,
        bytes_max: u64,
        pressure: Arc<Pressure>,
        events: Arc<EventQueue>,
    ) -> Nonces {
        let count_max = usize::try_from(bytes_max).unwrap_or(usize::MAX) / BYTES_MAX;
        Nonces {
            known: Mutex::default(),
            ended: Condvar::new(),
            ttl_millis,
            count_max: count_max.max(COUNT_MIN),
            owners: AtomicU32::new(0),
            pressure,
            events,
        }
    }

    /// One that has no operations yet.
    pub(super) fn new_owner(&self) -> Owner {
        Owner(self.owners.fetch_add(1, Ordering::Relaxed))
    }

    /// Begins an operation. A duplicate of a running one waits for it, or is `WouldBlock` without a wait limit.
    pub(crate) fn begin(&self, key: Key, now_millis: i64, wait: Option<Duration>) -> Result<NonceOutcome> {
        let runs = |known: &mut Known| matches!(known.states.get(&key), Some(State::Running));
        let mut known = self.known.lock();
        if runs(&mut known) {
            let wait = wait.ok_or_else(Error::would_block)?;
            self.ended.wait_while_for(&mut known, runs, wait);
        }
        match known.states.get(&key).copied() {
            Some(State::Done { sequence, at_millis, .. }) if now_millis - at_millis < self.ttl_millis => {
                Ok(NonceOutcome::Duplicate(sequence))
            }
            Some(State::Running) => Err(Error::new(
                ErrorKind::Timeout,
                "Timed out waiting for the first of two operations with the same nonce",
            )),
            Some(State::Done { .. }) | None => {
                known.states.insert(key, State::Running);
                Ok(NonceOutcome::Execute)
            }
        }
    }

    /// An operation that [`Nonces::begin`] let through, until this is dropped. If it was not noted by then it may be executed again.
    pub(crate) fn running(&self, key: Key) -> Running<'_> {
        Running { nonces: self, key }
    }

    /// Notes an operation that was executed, here or by an earlier server.
    pub(crate) fn note(&self, owner: Owner, key: Key, sequence: u64, at_millis: i64) {
        let mut known = self.known.lock();
        known.add(owner, key, sequence, at_millis);
        if known.done.len() > self.count_max {
            self.forget_early(&mut known, at_millis);
        }
        self.count(known);
    }

    /// What is remembered of a region, oldest first; of more than a file may have, the newest.
    fn of(&self, owner: Owner, now_millis: i64) -> Vec<LeftNonce> {
        let known = self.known.lock();
        let own = known.done.iter().filter(|done| done.owner == owner);
        let live = own.filter(|done| now_millis - done.at_millis < self.ttl_millis);
        let mut left: Vec<LeftNonce> = live.filter_map(|done| known.left(done, now_millis)).collect();
        drop(known);
        left.drain(..left.len().saturating_sub(COUNT_MAX));
        left
    }

    /// Forgets what a region had: it is in a file, or its opening has failed.
    pub(super) fn forget(&self, owner: Owner) {
        let mut known = self.known.lock();
        let Known { states, done, .. } = &mut *known;
        done.retain(|done| {
            let is_others = done.owner != owner;
            if !is_others {
                release(states, done);
            }
            is_others
        });
        known.shrink();
        self.count(known);
    }

    fn forget_early(&self, known: &mut Known, now_millis: i64) {
        let age_millis = known.done.front().map_or(0, |oldest| now_millis - oldest.at_millis);
        known.forget_oldest();
        if age_millis >= self.ttl_millis {
            return; // it was due
        }
        known.forgotten_early += 1;
        if !std::mem::replace(&mut known.is_crowded, true) {
            let text = format!(
                "increments and appends come faster than their nonces can be remembered: {} of them take {}, which is as much as they may, and \
                 the oldest one is {} s old; what a client repeats later than that is executed twice",
                known.done.len(),
                bytes(known.bytes()),
                age_millis / 1000
            );
            self.events.report(Level::Warn, Topic::Stall, text);
        }
    }

    /// Forgets what is too old.
    pub(crate) fn expire(&self, now_millis: i64) {
        let mut known = self.known.lock();
        while known.done.front().is_some_and(|oldest| now_millis - oldest.at_millis >= self.ttl_millis) {
            known.forget_oldest();
        }
        known.is_crowded &= known.done.len() > self.count_max / 2;
        known.shrink();
        self.count(known);
    }

    /// Tells the account of memtables what they take now.
    fn count(&self, mut known: MutexGuard<'_, Known>) {
        let (before, now) = (known.held_bytes, known.bytes());
        known.held_bytes = now;
        drop(known);
        match now.checked_sub(before) {
            Some(0) => {}
            Some(more) => self.pressure.hold(more),
            None => self.pressure.release(before - now),
        }
    }

    /// How much is remembered now.
    pub(crate) fn stats(&self) -> NonceStats {
        let known = self.known.lock();
        NonceStats {
            count: known.states.len() as u64,
            bytes: known.held_bytes,
            forgotten_early: known.forgotten_early,
        }
    }
}

/// An operation with a nonce that is being executed.
pub(crate) struct Running<'a> {
    nonces: &'a Nonces,
    key: Key,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut known = self.nonces.known.lock();
        if matches!(known.states.get(&self.key), Some(State::Running)) {
            known.states.remove(&self.key);
        }
        drop(known);
        self.nonces.ended.notify_all();
    }
}

/// A done operation leaves its queue.
fn release(states: &mut HashMap<Key, State>, done: &Done) {
    if let Some(State::Done { at_millis, entries, .. }) = states.get_mut(&done.key)
        && *at_millis == done.at_millis
    {
        *entries -= 1;
        if *entries == 0 {
            states.remove(&done.key);
        }
    }
}
