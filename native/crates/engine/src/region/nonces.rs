//! Nonces of increments and appends: the same operation sent twice is executed once.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::{EventQueue, Level, Topic, bytes};
use grampus_base::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::pressure::Pressure;

/// Client and nonce.
type Key = (u64, u64);

/// Bytes of a nonce where the tables are largest for what they hold: a map that others leave doubles when it is half full.
const BYTES_MAX: usize = 4 * STATE_BYTES + 2 * DONE_BYTES;
/// With a control byte, where the map is as full as it gets.
const STATE_BYTES: usize = (size_of::<(Key, State)>() + 1) * 8 / 7;
const DONE_BYTES: usize = size_of::<(Key, i64)>();

/// However small the memory, those of operations that clients may be about to repeat.
const COUNT_MIN: usize = 1024;

#[derive(Clone, Copy)]
enum State {
    Running,
    Done { sequence: u64, at_millis: i64 },
}

/// What to do with an operation that carries a nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonceOutcome {
    /// Execute it, then call `end`.
    Execute,
    /// It was executed as this sequence id: answer by reading.
    Duplicate(u64),
}

#[derive(Default)]
struct Known {
    states: HashMap<Key, State>,
    /// Done operations, oldest first, so that forgetting the old ones looks at nothing else.
    done: VecDeque<(Key, i64)>,
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

    fn forget_oldest(&mut self) {
        let Some((key, at)) = self.done.pop_front() else { return };
        if let Some(State::Done { at_millis, .. }) = self.states.get(&key)
            && *at_millis == at
        {
            self.states.remove(&key);
        }
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
            pressure,
            events,
        }
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
            Some(State::Done { sequence, at_millis }) if now_millis - at_millis < self.ttl_millis => {
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

    /// An operation that [`Nonces::begin`] let through: dropped without an end, as by a panic, it may be executed again.
    pub(crate) fn running(&self, key: Key) -> Running<'_> {
        Running { nonces: self, key, ended: false }
    }

    /// Ends an operation that [`Nonces::begin`] let through; `None` = it failed and may be executed again.
    pub(crate) fn end(&self, key: Key, sequence: Option<u64>, now_millis: i64) {
        match sequence {
            Some(sequence) => self.note(key, sequence, now_millis),
            None => drop(self.known.lock().states.remove(&key)),
        }
        self.ended.notify_all();
    }

    /// Notes an operation that was executed, here or, as replay found, by an earlier server.
    pub(crate) fn note(&self, key: Key, sequence: u64, at_millis: i64) {
        let mut known = self.known.lock();
        known.states.insert(key, State::Done { sequence, at_millis });
        known.done.push_back((key, at_millis));
        if known.done.len() > self.count_max {
            self.forget_early(&mut known, at_millis);
        }
        self.count(known);
    }

    fn forget_early(&self, known: &mut Known, now_millis: i64) {
        let age_millis = known.done.front().map_or(0, |(_, at)| now_millis - at);
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
        while known.done.front().is_some_and(|(_, at)| now_millis - at >= self.ttl_millis) {
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
    ended: bool,
}

impl Running<'_> {
    /// See [`Nonces::end`].
    pub(crate) fn end(mut self, sequence: Option<u64>, now_millis: i64) {
        self.ended = true;
        self.nonces.end(self.key, sequence, now_millis);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.nonces.end(self.key, None, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use grampus_env::FakeEnv;

    use super::*;

    const LIMIT: u64 = 1 << 30;

    fn nonces(bytes_max: u64) -> (Nonces, Arc<Pressure>, Arc<EventQueue>) {
        let events = Arc::new(EventQueue::default());
        let pressure = Arc::new(Pressure::new(LIMIT, LIMIT, Arc::new(FakeEnv::new(1)), Arc::clone(&events)));
        (Nonces::new(1000, bytes_max, Arc::clone(&pressure), Arc::clone(&events)), pressure, events)
    }

    #[test]
    fn a_duplicate_is_answered_a_failure_is_executed_again() {
        let (nonces, ..) = nonces(LIMIT);
        assert_eq!(nonces.begin((1, 2), 0, None).unwrap(), NonceOutcome::Execute);
        assert_eq!(nonces.begin((1, 2), 0, None).unwrap_err().kind, ErrorKind::WouldBlock);
        nonces.end((1, 2), None, 0);
        assert_eq!(nonces.begin((1, 2), 0, None).unwrap(), NonceOutcome::Execute);
        nonces.end((1, 2), Some(7), 0);
        assert_eq!(nonces.begin((1, 2), 999, None).unwrap(), NonceOutcome::Duplicate(7));
        nonces.expire(1000);
        assert!(nonces.known.lock().states.is_empty());
        assert_eq!(nonces.begin((1, 2), 1000, None).unwrap(), NonceOutcome::Execute);
        nonces.expire(9000);
        assert_eq!(
            nonces.begin((1, 2), 9000, None).unwrap_err().kind,
            ErrorKind::WouldBlock,
            "it still runs"
        );
    }

    #[test]
    fn their_memory_is_counted_and_given_back() {
        let (nonces, pressure, _) = nonces(LIMIT);
        (0..100_000).for_each(|nonce| nonces.note((1, nonce), 1, 0));
        let used = pressure.used();
        assert_eq!(used, nonces.stats().bytes);
        assert!(used >= 100_000 * 40, "{used}");
        assert_eq!(pressure.unflushed(), 0, "no flush can free it");
        nonces.expire(1000);
        assert!(pressure.used() < used / 100, "{}", pressure.used());
    }

    #[test]
    fn above_their_part_the_oldest_are_forgotten_and_it_is_said_once() {
        let bytes_max = 10_000 * BYTES_MAX as u64;
        let (nonces, pressure, events) = nonces(bytes_max);
        for nonce in 0..100_000 {
            nonces.note((1, nonce), nonce, 5);
            assert!(pressure.used() <= bytes_max, "{}", pressure.used());
        }
        assert_eq!(nonces.stats().count, 10_000);
        assert_eq!(nonces.stats().forgotten_early, 90_000);
        assert_eq!(nonces.begin((1, 99_999), 5, None).unwrap(), NonceOutcome::Duplicate(99_999));
        assert_eq!(nonces.begin((1, 90_000), 5, None).unwrap(), NonceOutcome::Duplicate(90_000));
        assert_eq!(nonces.begin((1, 89_999), 5, None).unwrap(), NonceOutcome::Execute);
        assert_eq!(events.poll(Duration::ZERO).map(|events| events.len()), Some(1));
        nonces.expire(1005);
        nonces.note((1, 1), 1, 1005);
        assert_eq!(nonces.stats().forgotten_early, 90_000, "what is due is not early");
    }

    #[test]
    fn however_little_memory_there_is_some_are_remembered() {
        let (nonces, ..) = nonces(0);
        (0..2 * COUNT_MIN as u64).for_each(|nonce| nonces.note((1, nonce), nonce, 5));
        assert_eq!(nonces.stats().count, COUNT_MIN as u64);
    }
}
