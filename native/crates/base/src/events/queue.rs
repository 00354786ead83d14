//! Events between the threads that report and the thread that logs.
//!
//! Invariants: 1. Reporting never waits: a full queue drops the event and counts it. 2. The next poll after a drop says how many.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use serde::Serialize;

/// The most events that wait. They are rare (flushes, compactions, stalls), so a full queue means that no thread polls.
const EVENTS_MAX: usize = 1024;

/// How loud an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// As it should be.
    Info,
    /// It failed or waits, and is tried again.
    Warn,
    /// The operator has to look.
    Error,
}

/// What an event is about; the last part of its logger's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// Memtables written to files.
    Flush,
    /// Files merged.
    Compaction,
    /// Files that others wrote, taken over by a region.
    Load,
    /// Writes slowed down or refused, flushes held back.
    Stall,
    /// Pages loaded ahead of their first read.
    Prefetch,
    /// The block cache: open files that leave it too little room; its second tier, damaged pages and paths that fail.
    Cache,
    /// The write-ahead log: segments that cannot be written or read.
    Log,
    /// The wall clock.
    Clock,
    /// What an open found besides the store's files.
    Open,
    /// The queue itself.
    Events,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// How loud.
    pub level: Level,
    /// About what.
    pub topic: Topic,
    /// One sentence or more, in one line.
    pub text: String,
}

#[derive(Default)]
struct Inner {
    waiting: VecDeque<Event>,
    dropped: u64,
    closed: bool,
}

/// The queue; any thread may report, one polls.
#[derive(Default)]
pub struct EventQueue {
    inner: Mutex<Inner>,
    wake: Condvar,
}

impl EventQueue {
    /// Reports an event.
    pub fn report(&self, level: Level, topic: Topic, text: String) {
        let mut inner = self.inner.lock();
        if inner.waiting.len() >= EVENTS_MAX {
            inner.dropped += 1;
            return;
        }
        inner.waiting.push_back(Event { level, topic, text });
        self.wake.notify_one();
    }

    /// Waits for events and returns them, oldest first; empty after the timeout, `None` when the queue is closed and empty.
    pub fn poll(&self, timeout: Duration) -> Option<Vec<Event>> {
        let mut inner = self.inner.lock();
        self.wake.wait_while_for(&mut inner, |inner| inner.waiting.is_empty() && !inner.closed, timeout);
        let mut events: Vec<Event> = inner.waiting.drain(..).collect();
        if inner.dropped > 0 {
            let text = format!(
                "{} events are not logged: no thread had polled the last {EVENTS_MAX}",
                inner.dropped
            );
            events.push(Event { level: Level::Warn, topic: Topic::Events, text });
            inner.dropped = 0;
        }
        (!events.is_empty() || !inner.closed).then_some(events)
    }

    /// Ends all waits; what is queued can still be polled.
    pub fn close(&self) {
        self.inner.lock().closed = true;
        self.wake.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_counts_and_says_so() {
        let queue = EventQueue::default();
        for n in 0..EVENTS_MAX + 3 {
            queue.report(Level::Info, Topic::Flush, format!("{n}"));
        }
        let events = queue.poll(Duration::ZERO).unwrap();
        assert_eq!(events.len(), EVENTS_MAX + 1);
        assert_eq!(events[0].text, "0");
        let last = events.last().unwrap();
        assert_eq!((last.level, last.topic), (Level::Warn, Topic::Events));
        assert!(last.text.starts_with("3 events are not logged"), "{}", last.text);
        assert_eq!(queue.poll(Duration::ZERO), Some(Vec::new()), "said once");
    }

    #[test]
    fn what_was_reported_before_the_close_can_still_be_polled() {
        let queue = EventQueue::default();
        queue.report(Level::Error, Topic::Stall, "last words".to_string());
        queue.close();
        assert_eq!(queue.poll(Duration::from_secs(60)).map(|events| events.len()), Some(1));
        assert_eq!(queue.poll(Duration::from_secs(60)), None);
    }
}
