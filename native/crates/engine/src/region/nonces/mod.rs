//! Nonces of increments and appends: the same operation sent twice is executed once.
//!
//! An operation is noted while its region's updates lock is held, so a close that has had the lock alone knows all of them. What a region
//! saves of them when it closes is in [`super::nonce_handover`].

pub(super) mod file;
mod known;
mod queues;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use grampus_base::events::{EventQueue, Level, Topic, bytes};
use grampus_base::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex, MutexGuard};

use self::file::COUNT_MAX;
pub use self::file::check as check_nonce_file;
use self::known::{Known, State};
pub(crate) use self::queues::{Done, Owner};
use crate::pressure::Pressure;

/// Nonce group, which is the client's, and nonce.
type Key = (u64, u64);

/// Operations that are taken in, or forgotten with their region, before others may come in between.
const TURN: usize = 1024;

/// What to do with an operation that carries a nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonceOutcome {
    /// Execute it and note it.
    Execute,
    /// It was executed as this sequence id: answer by reading.
    Duplicate(u64),
}

/// Nonces of a server, as HBase's `ServerNonceManager`. Times are of the monotonic clock, in milliseconds.
///
/// They are remembered for a time, and count as memory of memtables that no flush frees. Where they would take more than their part of it
/// the oldest ones are forgotten before their time: an operation that is repeated later than that is executed twice.
pub(crate) struct Nonces {
    known: Mutex<Known>,
    ended: Condvar,
    pub(super) ttl_millis: i64,
    bytes_max: u64,
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
        Nonces {
            known: Mutex::default(),
            ended: Condvar::new(),
            ttl_millis,
            bytes_max,
            owners: AtomicU32::new(0),
            pressure,
            events,
        }
    }

    /// A region is being opened, and has no operations yet.
    pub(super) fn opening(&self) -> Opening<'_> {
        Opening { nonces: self, owner: Owner(self.owners.fetch_add(1, Ordering::Relaxed)) }
    }

    /// Begins an operation. A duplicate of a running one waits for it, or is `WouldBlock` without a wait limit.
    pub(crate) fn begin(&self, key: Key, now_millis: i64, wait: Option<Duration>) -> Result<NonceOutcome> {
        let runs = |known: &mut Known| matches!(known.state(key), Some(State::Running));
        let mut known = self.known.lock();
        if runs(&mut known) {
            let wait = wait.ok_or_else(Error::would_block)?;
            self.ended.wait_while_for(&mut known, runs, wait);
        }
        match known.state(key) {
            Some(State::Done { sequence, at_millis, .. }) if now_millis - at_millis < self.ttl_millis => {
                Ok(NonceOutcome::Duplicate(sequence))
            }
            Some(State::Running) => Err(Error::new(
                ErrorKind::Timeout,
                "Timed out waiting for the first of two operations with the same nonce",
            )),
            Some(State::Done { .. }) | None => {
                known.set(key, State::Running);
                Ok(NonceOutcome::Execute)
            }
        }
    }

    /// An operation that [`Nonces::begin`] let through, until this is dropped. If it was not noted by then it may be executed again.
    pub(crate) fn running(&self, key: Key) -> Running<'_> {
        Running { nonces: self, key }
    }

    /// Notes an operation that was executed, here or by an earlier server.
    pub(crate) fn note(&self, owner: Owner, done: Done, now_millis: i64) {
        self.note_all(owner, &[done], now_millis);
    }

    /// Notes operations, the oldest first. Of more than there is memory for, of all owners, the youngest stay.
    pub(super) fn note_all(&self, owner: Owner, done: &[Done], now_millis: i64) {
        for turn in done.chunks(TURN) {
            let mut known = self.known.lock();
            for done in turn.iter().filter(|done| now_millis - done.at_millis < self.ttl_millis) {
                known.add(owner, *done);
                while known.bytes_max() > self.bytes_max {
                    self.forget_early(&mut known, now_millis);
                }
            }
            self.count(known);
        }
    }

    /// What is remembered of a region, each nonce once, oldest first; of more than a file may have, the youngest.
    pub(super) fn of(&self, owner: Owner, now_millis: i64) -> Vec<Done> {
        let known = self.known.lock();
        let own = known.queues.younger(owner, now_millis - self.ttl_millis, COUNT_MAX);
        let mut own: Vec<Done> = own.map(|own| own.copied().collect()).unwrap_or_default();
        drop(known);
        keep_latest(&mut own);
        own
    }

    /// Forgets what a region had: it is in a file, or the region is not open.
    pub(super) fn forget(&self, owner: Owner) {
        let mut are_more = true;
        while are_more {
            let mut known = self.known.lock();
            are_more = known.forget_of(owner, TURN);
            known.shrink();
            self.count(known);
        }
    }

    fn forget_early(&self, known: &mut Known, now_millis: i64) {
        let age_millis = known.queues.oldest_millis().map_or(0, |at_millis| now_millis - at_millis);
        known.forget_oldest();
        if age_millis >= self.ttl_millis {
            return; // it was due
        }
        known.forgotten_early += 1;
        if !std::mem::replace(&mut known.is_crowded, true) {
            let text = format!(
                "increments and appends come faster than their nonces can be remembered: {} of them take {}, which is as much as they may, and \
                 the oldest one is {} s old; what a client repeats later than that is executed twice",
                known.queues.count(),
                bytes(known.bytes()),
                age_millis / 1000
            );
            self.events.report(Level::Warn, Topic::Stall, text);
        }
    }

    /// Forgets what is too old.
    pub(crate) fn expire(&self, now_millis: i64) {
        let mut known = self.known.lock();
        while known.queues.oldest_millis().is_some_and(|oldest| now_millis - oldest >= self.ttl_millis) {
            known.forget_oldest();
        }
        known.is_crowded &= known.bytes_max() > self.bytes_max / 2;
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
            count: known.count() as u64,
            bytes: known.held_bytes,
            forgotten_early: known.forgotten_early,
        }
    }
}

/// Of operations with the same nonce, the one that was executed last stays; of two entries for that, the older one. Oldest first.
pub(super) fn keep_latest(done: &mut Vec<Done>) {
    done.sort_unstable_by_key(|done| (done.key, Reverse(done.sequence), done.at_millis));
    done.dedup_by_key(|done| done.key);
    done.sort_unstable_by_key(|done| (done.at_millis, done.sequence));
}

/// A region that is being opened. One whose opening fails, or panics, leaves no nonces in memory.
pub(super) struct Opening<'a> {
    nonces: &'a Nonces,
    pub owner: Owner,
}

impl Opening<'_> {
    /// The region is open, and its close will forget them.
    pub(super) fn succeed(self) {
        std::mem::forget(self);
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.nonces.forget(self.owner);
    }
}

/// An operation with a nonce that is being executed.
pub(crate) struct Running<'a> {
    nonces: &'a Nonces,
    key: Key,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.nonces.known.lock().end(self.key);
        self.nonces.ended.notify_all();
    }
}
