//! Nonces of increments and appends: the same operation sent twice is executed once.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex};

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
    states: HashMap<(u64, u64), State>,
    /// Done operations, oldest first, so that forgetting the old ones looks at nothing else.
    done: VecDeque<((u64, u64), i64)>,
}

/// Nonces of a server, as HBase's `ServerNonceManager`.
pub(crate) struct Nonces {
    known: Mutex<Known>,
    ended: Condvar,
    ttl_millis: i64,
}

impl Nonces {
    /// Nonces that are remembered for so long.
    pub(crate) fn new(ttl_millis: i64) -> Nonces {
        Nonces { known: Mutex::default(), ended: Condvar::new(), ttl_millis }
    }

    /// Begins an operation. A duplicate of a running one waits for it, or is `WouldBlock` without a wait limit.
    pub(crate) fn begin(
        &self,
        key: (u64, u64),
        now_millis: i64,
        wait: Option<Duration>,
    ) -> Result<NonceOutcome> {
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
    pub(crate) fn running(&self, key: (u64, u64)) -> Running<'_> {
        Running { nonces: self, key, ended: false }
    }

    /// Ends an operation that [`Nonces::begin`] let through; `None` = it failed and may be executed again.
    pub(crate) fn end(&self, key: (u64, u64), sequence: Option<u64>, now_millis: i64) {
        match sequence {
            Some(sequence) => self.replay(key, sequence, now_millis),
            None => drop(self.known.lock().states.remove(&key)),
        }
        self.ended.notify_all();
    }

    /// Notes an operation that was executed, here or, as replay found, by an earlier server.
    pub(crate) fn replay(&self, key: (u64, u64), sequence: u64, at_millis: i64) {
        let mut known = self.known.lock();
        known.states.insert(key, State::Done { sequence, at_millis });
        known.done.push_back((key, at_millis));
    }

    /// Forgets what is too old.
    pub(crate) fn expire(&self, now_millis: i64) {
        let mut known = self.known.lock();
        while let Some((key, at)) = known.done.front().copied()
            && now_millis - at >= self.ttl_millis
        {
            known.done.pop_front();
            if let Some(State::Done { at_millis, .. }) = known.states.get(&key)
                && *at_millis == at
            {
                known.states.remove(&key);
            }
        }
    }
}

/// An operation with a nonce that is being executed.
pub(crate) struct Running<'a> {
    nonces: &'a Nonces,
    key: (u64, u64),
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
    use super::*;

    #[test]
    fn a_duplicate_is_answered_a_failure_is_executed_again() {
        let nonces = Nonces::new(1000);
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
}
