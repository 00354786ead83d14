//! What a server remembers of its increments and appends.

use std::collections::HashMap;

use super::Key;
use super::queues::{DONE_BYTES_MAX, Done, Owner, QUEUE_BYTES_MAX, Queues};

/// However small the memory, those of operations that clients may be about to repeat.
pub(super) const COUNT_MIN: usize = 1024;

/// Bytes of a nonce where the tables are largest for what they hold: a map that others leave doubles when it is half full, and gives memory
/// back when less than a quarter of it is used.
pub(super) const BYTES_MAX: usize = 4 * STATE_BYTES + DONE_BYTES_MAX;
/// With a control byte, where the map is as full as it gets.
const STATE_BYTES: usize = (size_of::<(Key, State)>() + 1) * 8 / 7;

#[derive(Clone, Copy)]
pub(super) enum State {
    Running,
    /// `entries`: how many of the queued operations are this one.
    Done {
        sequence: u64,
        at_millis: i64,
        entries: u32,
    },
}

#[derive(Default)]
pub(super) struct Known {
    states: HashMap<Key, State>,
    /// Entries that the map has memory for. Its `capacity` is less while it has marks of removed ones.
    state_places: usize,
    pub queues: Queues,
    /// What they take, as it was last counted.
    pub held_bytes: u64,
    pub forgotten_early: u64,
    /// Whether it was reported that there are too many.
    pub is_crowded: bool,
}

impl Known {
    pub(super) fn bytes(&self) -> u64 {
        (self.state_places * STATE_BYTES + self.queues.bytes()) as u64
    }

    /// Bytes that as many operations may take; 0 for those that are remembered anyway.
    pub(super) fn bytes_max(&self) -> u64 {
        let count = self.queues.count();
        if count <= COUNT_MIN {
            return 0;
        }
        (count * BYTES_MAX + self.queues.owners() * QUEUE_BYTES_MAX) as u64
    }

    /// Nonces of operations that run or were executed.
    pub(super) fn count(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, key: Key) -> Option<State> {
        self.states.get(&key).copied()
    }

    pub(super) fn set(&mut self, key: Key, state: State) {
        self.states.insert(key, state);
        self.state_places = self.state_places.max(self.states.capacity());
    }

    /// An operation that was not noted runs no more.
    pub(super) fn end(&mut self, key: Key) {
        if matches!(self.state(key), Some(State::Running)) {
            self.states.remove(&key);
        }
    }

    /// Adds an operation. One that was executed once more since is not needed; one that another owner has, too, is known until the last of
    /// them is forgotten.
    pub(super) fn add(&mut self, owner: Owner, done: Done) {
        let (known_millis, entries) = match self.state(done.key) {
            Some(State::Done { sequence, .. }) if sequence > done.sequence => return,
            Some(State::Done { sequence, at_millis, entries }) if sequence == done.sequence => {
                (at_millis, entries)
            }
            _ => (i64::MIN, 0),
        };
        let at_millis = self.queues.push(owner, done).max(known_millis);
        let entries = entries.saturating_add(1);
        self.set(done.key, State::Done { sequence: done.sequence, at_millis, entries });
    }

    pub(super) fn forget_oldest(&mut self) {
        if let Some(done) = self.queues.pop_oldest() {
            self.release(&done);
        }
    }

    /// Forgets the oldest operations of an owner, at most `count`; false when there are no more.
    pub(super) fn forget_of(&mut self, owner: Owner, count: usize) -> bool {
        for _ in 0..count {
            let Some(done) = self.queues.pop_of(owner) else { return false };
            self.release(&done);
        }
        true
    }

    /// A done operation has left its queue.
    fn release(&mut self, done: &Done) {
        if let Some(State::Done { sequence, entries, .. }) = self.states.get_mut(&done.key)
            && *sequence == done.sequence
        {
            *entries -= 1;
            if *entries == 0 {
                self.states.remove(&done.key);
            }
        }
    }

    /// Gives memory back when most of it is unused.
    pub(super) fn shrink(&mut self) {
        let is_large = self.state_places > COUNT_MIN && self.states.len() < self.state_places / 4;
        if is_large || self.states.is_empty() {
            self.states.shrink_to(self.states.len() * 2);
            self.state_places = self.states.capacity();
        }
    }
}
