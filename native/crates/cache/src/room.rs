//! How the cache's bytes are shared out: the files that are open come first, the pages get what they leave, but never less than one
//! part in [`FLOOR_SHARE`].
//!
//! What the files have moves in whole steps, up at once and down only when two are free: a store that flushes and compacts opens and
//! closes files all the time, and each change of a part's capacity looks at every shard of it.

use grampus_base::events::{self, EventQueue, Level, Topic};

/// Divisor of the capacity: room moves in steps of this share.
const STEPS: u64 = 64;

/// Divisor of the capacity: this share stays for pages, whatever open files take.
const FLOOR_SHARE: u64 = 4;

/// The shares. Not synchronised.
pub(super) struct Room {
    capacity: u64,
    /// Bytes that open files take.
    open_bytes: u64,
    /// What they have of the capacity, in whole steps.
    files: u64,
    /// They take more than pages can leave them, and that was said.
    scarce: bool,
}

impl Room {
    pub(super) fn new(capacity: u64) -> Room {
        Room { capacity, open_bytes: 0, files: 0, scarce: false }
    }

    /// Bytes of a step.
    pub(super) fn step(&self) -> u64 {
        (self.capacity / STEPS).max(1)
    }

    /// `bytes` rounded up to whole steps.
    pub(super) fn in_steps(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.step()) * self.step()
    }

    /// Bytes that open files take.
    pub(super) fn open_bytes(&self) -> u64 {
        self.open_bytes
    }

    /// Bytes for pages.
    pub(super) fn for_pages(&self) -> u64 {
        self.capacity.saturating_sub(self.files).max(self.floor())
    }

    fn floor(&self) -> u64 {
        self.capacity / FLOOR_SHARE
    }

    /// A file was opened.
    pub(super) fn take(&mut self, bytes: u64, events: &EventQueue) {
        self.open_bytes += bytes;
        if self.open_bytes > self.files {
            self.files = self.in_steps(self.open_bytes);
        }
        // A cache that is switched off never had anything to give.
        if self.files > self.capacity - self.floor() && self.capacity > 0 && !self.scarce {
            self.scarce = true;
            events.report(Level::Warn, Topic::Cache, self.warning());
        }
    }

    /// A file was closed.
    pub(super) fn give_back(&mut self, bytes: u64) {
        self.open_bytes -= bytes;
        if self.open_bytes + 2 * self.step() <= self.files {
            self.files = self.in_steps(self.open_bytes);
        }
        self.scarce &= self.files > self.capacity - self.floor();
    }

    fn warning(&self) -> String {
        let bytes = events::bytes;
        format!(
            "open files take {} of memory: pages keep {} of the block cache's {}, and what files take from here on is beyond \
             grampus.memory.bytes; raise it or hfile.block.cache.size, have larger pages (BLOCKSIZE) or move regions to other servers",
            bytes(self.open_bytes),
            bytes(self.floor()),
            bytes(self.capacity)
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// In steps of 10.
    const CAPACITY: u64 = 640;

    #[test]
    fn files_take_whole_steps_and_give_them_back_when_two_are_free() {
        let events = EventQueue::default();
        let mut room = Room::new(CAPACITY);
        assert_eq!(room.for_pages(), 640);
        room.take(1, &events);
        assert_eq!(room.for_pages(), 630);
        room.take(9, &events);
        assert_eq!(room.for_pages(), 630);
        room.take(11, &events);
        assert_eq!((room.open_bytes(), room.for_pages()), (21, 610));
        room.give_back(11);
        assert_eq!(room.for_pages(), 630, "10 bytes in one step");
        room.take(1, &events);
        room.give_back(1);
        assert_eq!(room.for_pages(), 620, "one free step stays where it is");
        room.give_back(10);
        assert_eq!((room.open_bytes(), room.for_pages()), (0, 640));
    }

    #[test]
    fn pages_keep_a_quarter_and_that_is_said_each_time_it_comes_to_it() {
        let events = EventQueue::default();
        let mut room = Room::new(CAPACITY);
        room.take(480, &events);
        assert_eq!(room.for_pages(), 160);
        assert_eq!(events.poll(Duration::ZERO).unwrap(), Vec::new());
        for _ in 0..2 {
            (0..50).for_each(|_| room.take(20, &events));
            assert_eq!((room.open_bytes(), room.for_pages()), (1480, 160));
            let said = events.poll(Duration::ZERO).unwrap();
            let [said] = said.as_slice() else { panic!("{said:?}") };
            assert_eq!((said.level, said.topic), (Level::Warn, Topic::Cache));
            assert!(
                said.text.starts_with("open files take 500 B of memory: pages keep 160 B"),
                "{}",
                said.text
            );
            room.give_back(1000);
        }
        room.give_back(480);
        assert_eq!(room.for_pages(), 640);
    }

    #[test]
    fn a_cache_that_is_switched_off_has_nothing_to_give_and_says_nothing() {
        let events = EventQueue::default();
        let mut room = Room::new(0);
        room.take(1 << 20, &events);
        assert_eq!(room.for_pages(), 0);
        room.give_back(1 << 20);
        assert_eq!((room.open_bytes(), room.for_pages()), (0, 0));
        assert_eq!(events.poll(Duration::ZERO).unwrap(), Vec::new());
    }
}
