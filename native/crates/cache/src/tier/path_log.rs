//! One path of the tier: a log of segments, its index, its queue and its writer.
//!
//! Pages are appended to the newest segment; when the last one is full the oldest is cleared and becomes the newest: first in,
//! first out, in large sequential writes, as flash likes it.
//!
//! Invariants: 1. A reader holds its segment's lock from the look-up on, and a segment is overwritten only after its places are
//! forgotten and its lock was free: what a reader reads is what its place says. 2. A page is in the queue or in the index, not in
//! both. 3. Only the writer thread writes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grampus_base::events::{EventQueue, Level, Topic};
use grampus_base::{Counter, narrow};
use grampus_colfile::{Page, PageKind};
use parking_lot::{Condvar, Mutex, RwLock};

use super::index::{Index, Place};
use super::medium::Medium;
use super::position::Position;
use super::queue::Queue;
use super::record;
use super::saved::Saved;
use super::stats::TierStats;
use crate::FileId;
use crate::key::Key;

/// The most bytes that wait to be written. What comes while the queue is full is dropped.
pub(super) const QUEUE_BYTES: u64 = 16 << 20;

/// Approximate bytes of one write.
const BATCH_BYTES: usize = 1 << 20;

/// Number of damaged pages from which on a path is not used any more.
pub(super) const DAMAGED_MAX: u64 = 100;

#[derive(Default)]
pub(super) struct PathLogCounters {
    pub(super) evicted: Counter,
    pub(super) written: Counter,
    pub(super) written_bytes: Counter,
    pub(super) dropped: Counter,
    pub(super) damaged: Counter,
}

struct State {
    index: Index,
    queue: Queue,
    /// Closed or switched off: nothing comes in any more.
    ended: bool,
}

impl State {
    fn has(&self, key: Key) -> bool {
        self.index.get(key).is_some() || self.queue.get(key).is_some()
    }
}

/// One path.
pub(super) struct PathLog {
    medium: Box<dyn Medium>,
    segment_bytes: u64,
    /// Where the writer begins.
    start: Position,
    /// Held shared by the readers of a segment.
    segments: Vec<RwLock<()>>,
    state: Mutex<State>,
    /// Something is in the queue, was written, or the log has ended.
    changed: Condvar,
    failed: AtomicBool,
    counters: PathLogCounters,
    events: Arc<EventQueue>,
}

impl PathLog {
    /// A log over a medium with room for this number of segments, and with the pages that it holds already.
    pub(super) fn new(
        medium: Box<dyn Medium>,
        segments: u32,
        segment_bytes: u64,
        saved: &Saved,
        events: Arc<EventQueue>,
    ) -> PathLog {
        let index = saved.index(segments);
        PathLog {
            medium,
            segment_bytes,
            start: saved.position,
            segments: (0..segments).map(|_| RwLock::new(())).collect(),
            state: Mutex::new(State { index, queue: Queue::default(), ended: false }),
            changed: Condvar::new(),
            failed: AtomicBool::new(false),
            counters: PathLogCounters::default(),
            events,
        }
    }

    /// True until the medium fails.
    pub(super) fn works(&self) -> bool {
        !self.failed.load(Ordering::Relaxed)
    }

    /// Lets a page wait for its write, unless it is here already, does not fit a segment or too many wait. Never waits itself.
    pub(super) fn offer(&self, key: Key, page: Arc<Page>) {
        let mut state = self.state.lock();
        if state.ended || state.has(key) {
            return;
        }
        let fits = record::len(page.body()).is_some_and(|len| u64::from(len) <= self.segment_bytes);
        if !fits || state.queue.bytes() + page.body().len() as u64 > QUEUE_BYTES {
            self.counters.dropped.add(1);
            return;
        }
        state.queue.push(key, page);
        self.changed.notify_all();
    }

    /// Whether the page is in the index or the queue.
    pub(super) fn has(&self, key: Key) -> bool {
        self.state.lock().has(key)
    }

    /// The page, if it is here; may wait for the disk. What goes wrong is reported here and a miss.
    pub(super) fn get(&self, key: Key, kind: PageKind) -> Option<Arc<Page>> {
        let state = self.state.lock();
        if let Some(page) = state.queue.get(key) {
            return Some(Arc::clone(page));
        }
        let place = state.index.get(key)?;
        let reading = self.segments.get(place.segment as usize)?.read();
        drop(state);
        let outcome = self.read(key, kind, place);
        drop(reading);
        match outcome {
            Ok(Some(page)) => return Some(Arc::new(page)),
            Ok(None) => self.note_damage(key, place),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => self.note_damage(key, place),
            Err(e) => self.switch_off(&format!("cannot be read: {e}")),
        }
        None
    }

    fn read(&self, key: Key, kind: PageKind, place: Place) -> io::Result<Option<Page>> {
        let mut record = vec![0; place.len as usize];
        self.medium.read_exact_at(&mut record, place.at)?;
        Ok(record::open(record, key, kind))
    }

    fn note_damage(&self, key: Key, place: Place) {
        let mut state = self.state.lock();
        if state.index.get(key) != Some(place) {
            return; // another thread has noted it
        }
        state.index.remove(key);
        self.counters.damaged.add(1);
        let damaged = self.counters.damaged.get();
        drop(state);
        let name = self.medium.name();
        let text = format!(
            "a page of {} bytes at {} of the block cache's file {name} is damaged; it is read from its column file instead",
            place.len, place.at
        );
        self.events.report(Level::Warn, Topic::Cache, text);
        if damaged >= DAMAGED_MAX {
            self.switch_off(&format!("has had {damaged} damaged pages"));
        }
    }

    /// Forgets a file's pages; returns how many there were.
    pub(super) fn evict_file(&self, file: FileId) -> u64 {
        let mut state = self.state.lock();
        state.queue.remove_file(file) + state.index.remove_file(file)
    }

    /// Ends the log for good because its medium fails. That it has failed is known and said before it has ended: what meets an ended
    /// log that still seems to work is lost on it.
    pub(super) fn switch_off(&self, why: &str) {
        let mut state = self.state.lock();
        if state.ended {
            return;
        }
        self.failed.store(true, Ordering::Relaxed);
        let text = format!(
            "the block cache's file {} {why}; it is not used again before the next start",
            self.medium.name()
        );
        self.events.report(Level::Error, Topic::Cache, text);
        self.end_with(&mut state);
    }

    /// Nothing comes in any more and what was here is forgotten. Returns where it was, if the log had not ended before: from now on
    /// none of these places is overwritten.
    pub(super) fn end(&self) -> Option<Index> {
        let mut state = self.state.lock();
        let before = !state.ended;
        let index = self.end_with(&mut state);
        before.then_some(index)
    }

    fn end_with(&self, state: &mut State) -> Index {
        state.queue = Queue::default();
        state.ended = true;
        self.changed.notify_all();
        std::mem::replace(&mut state.index, Index::new(0))
    }

    /// How many segments it has.
    pub(super) fn segment_count(&self) -> u32 {
        narrow::to_u32(self.segments.len())
    }

    /// Bytes of each of them.
    pub(super) fn segment_bytes(&self) -> u64 {
        self.segment_bytes
    }

    /// Where its writer begins. What is before it in the newest segment, and in the older ones, is not overwritten yet.
    pub(super) fn start(&self) -> Position {
        self.start
    }

    /// Waits for pages; `None` at the end.
    pub(super) fn next_batch(&self) -> Option<Vec<(Key, Arc<Page>)>> {
        let mut state = self.state.lock();
        while !state.ended {
            let batch = state.queue.batch(BATCH_BYTES);
            if !batch.is_empty() {
                return Some(batch);
            }
            self.changed.wait(&mut state);
        }
        None
    }

    /// Forgets what is in a segment and waits for its readers. False when the log has ended: the segment stays as it is.
    pub(super) fn clear_segment(&self, segment: u32) -> bool {
        let mut state = self.state.lock();
        if state.ended {
            return false;
        }
        let evicted = state.index.clear_segment(segment);
        drop(state);
        self.counters.evicted.add(evicted);
        if let Some(readers) = self.segments.get(segment as usize) {
            drop(readers.write());
        }
        true
    }

    /// Writes records and shows them to readers.
    pub(super) fn write(&self, records: &[u8], at: u64, places: &[(Key, Place)]) -> io::Result<()> {
        self.medium.write_all_at(records, at)?;
        self.counters.written.add(places.len() as u64);
        self.counters.written_bytes.add(records.len() as u64);
        let mut state = self.state.lock();
        for (key, place) in places {
            if state.queue.remove(*key) {
                state.index.insert(*key, *place);
            } // else it was evicted while it was written
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Waits until nothing waits to be written.
    #[cfg(test)]
    pub(super) fn await_written(&self) {
        let mut state = self.state.lock();
        while !state.ended && !state.queue.is_empty() {
            self.changed.wait(&mut state);
        }
    }

    /// Adds this log's numbers.
    pub(super) fn add_to(&self, stats: &mut TierStats) {
        let state = self.state.lock();
        let counters = &self.counters;
        stats.page_count += state.index.pages();
        stats.used_bytes += state.index.bytes();
        stats.queued_bytes += state.queue.bytes();
        drop(state);
        stats.eviction_count += counters.evicted.get();
        stats.write_count += counters.written.get();
        stats.write_bytes += counters.written_bytes.get();
        stats.drop_count += counters.dropped.get();
        stats.damaged_count += counters.damaged.get();
        if self.works() {
            stats.capacity_bytes += self.segments.len() as u64 * self.segment_bytes;
        } else {
            stats.failed_path_count += 1;
        }
    }
}
