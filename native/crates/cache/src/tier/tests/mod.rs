//! What a page that left memory can be, and never is: here, gone, or another one.

mod memory;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use grampus_base::events::{Event, EventQueue};
use grampus_colfile::{Access, Page, PageKind};
use proptest::prelude::*;

use memory::{Handle, Memory};

use super::medium::Medium;
use super::path_log::{DAMAGED_MAX, QUEUE_BYTES};
use super::{Tier, TierStats};
use crate::key::Key;
use crate::{BlockCache, FileId, TierConfig};

const RECORD_HEADER: u64 = 32;

struct Fixture {
    media: Vec<Arc<Memory>>,
    events: Arc<EventQueue>,
    tier: Tier,
    files: Vec<FileId>,
}

fn start(paths: usize, segments: u32, segment_bytes: u64) -> Fixture {
    let media: Vec<Arc<Memory>> = (0..paths).map(|_| Arc::default()).collect();
    let events = Arc::new(EventQueue::default());
    let handles = media.iter().map(|memory| Box::new(Handle(memory.clone())) as Box<dyn Medium>).collect();
    let tier = Tier::start(handles, segments, segment_bytes, Vec::new(), &events).unwrap();
    let ids = BlockCache::new(0);
    let files = (0..8).map(|n| ids.identify(&n.to_string())).collect();
    Fixture { media, events, tier, files }
}

impl Fixture {
    fn key(&self, file: usize, offset: u64) -> Key {
        (self.files[file], offset)
    }

    fn offer(&self, key: Key, len: usize) {
        self.tier.offer(key, page(key, len));
    }

    fn get(&self, key: Key) -> Option<Arc<Page>> {
        self.tier.get(key, PageKind::Column, Access::CACHED)
    }

    fn has(&self, key: Key, len: usize) -> bool {
        let page = self.get(key);
        page.is_some_and(|found| {
            assert_eq!(found.body(), page_body(key, len), "another page");
            true
        })
    }

    fn await_written(&self) {
        self.tier.logs.iter().for_each(|log| log.await_written());
    }

    fn stats(&self) -> TierStats {
        self.tier.stats()
    }

    fn log(&self) -> Vec<Event> {
        self.events.poll(Duration::ZERO).unwrap()
    }
}

fn page_body(key: Key, len: usize) -> Vec<u8> {
    let seed = key.1.wrapping_mul(31).wrapping_add(key.0.number() as u64).to_le_bytes();
    seed.iter().copied().cycle().take(len).collect()
}

fn page(key: Key, len: usize) -> Arc<Page> {
    Arc::new(Page::kept(page_body(key, len), 0, PageKind::Column))
}

#[test]
fn a_page_is_here_from_its_offer_on_and_after_it_is_written() {
    let f = start(1, 4, 1 << 16);
    f.media[0].shut();
    let keys: Vec<Key> = (0..20).map(|n| f.key(n % 3, n as u64)).collect();
    for key in &keys {
        f.offer(*key, 1000);
        assert!(f.has(*key, 1000), "while it waits");
    }
    assert_eq!(f.stats().queued_bytes, 20_000);
    f.media[0].open();
    f.await_written();
    assert!(keys.iter().all(|key| f.has(*key, 1000)));
    assert!(!f.has(f.key(7, 7), 1000));
    let stats = f.stats();
    assert_eq!((stats.hit_count, stats.miss_count, stats.page_count, stats.write_count), (40, 1, 20, 20));
    assert_eq!((stats.queued_bytes, stats.used_bytes), (0, 20 * (1000 + RECORD_HEADER)));
    assert_eq!(stats.capacity_bytes, 4 << 16);
}

#[test]
fn a_page_that_is_here_is_not_written_again() {
    let f = start(1, 4, 1 << 16);
    for _ in 0..5 {
        f.offer(f.key(0, 1), 100);
        f.await_written();
    }
    assert_eq!(f.stats().write_count, 1);
}

#[test]
fn the_oldest_segment_makes_room() {
    let f = start(1, 4, 4096);
    for n in 0..100 {
        f.offer(f.key(0, n), 1000);
        f.await_written();
        assert!(f.has(f.key(0, n), 1000));
        assert!(f.stats().used_bytes <= 4 * 4096);
    }
    // Three records fit a segment, and three whole segments are behind the newest one.
    let here: Vec<u64> = (0..100).filter(|n| f.has(f.key(0, *n), 1000)).collect();
    assert_eq!(here, (90..100).collect::<Vec<_>>());
    assert_eq!(f.stats().eviction_count, 90);
    assert!(f.media[0].bytes.lock().len() <= 4 * 4096);
}

#[test]
fn a_page_larger_than_a_segment_is_not_kept() {
    let f = start(1, 4, 4096);
    f.offer(f.key(0, 0), 4096);
    f.offer(f.key(0, 1), 4096 - RECORD_HEADER as usize);
    f.await_written();
    assert!(!f.has(f.key(0, 0), 4096));
    assert!(f.has(f.key(0, 1), 4096 - RECORD_HEADER as usize));
    assert_eq!(f.stats().drop_count, 1);
}

#[test]
fn a_full_queue_drops_and_no_caller_waits() {
    let f = start(1, 4, 32 << 20);
    f.media[0].shut();
    let fit = QUEUE_BYTES >> 20;
    for n in 0..fit + 5 {
        f.offer(f.key(0, n), 1 << 20);
    }
    assert_eq!(f.stats().drop_count, 5);
    assert_eq!(f.stats().queued_bytes, QUEUE_BYTES);
    f.media[0].open();
    f.await_written();
    assert!((0..fit).all(|n| f.has(f.key(0, n), 1 << 20)));
    assert!((fit..fit + 5).all(|n| !f.has(f.key(0, n), 1 << 20)));
}

#[test]
fn an_evicted_file_is_gone_also_while_it_is_written() {
    let f = start(2, 4, 1 << 16);
    f.media.iter().for_each(|medium| medium.shut());
    (0..10).for_each(|n| f.offer(f.key(n as usize % 2, n), 1000));
    assert_eq!(f.tier.evict_file(f.files[0]), 5);
    f.media.iter().for_each(|medium| medium.open());
    f.await_written();
    for n in 0..10 {
        assert_eq!(f.has(f.key(n as usize % 2, n), 1000), n % 2 == 1);
    }
    assert_eq!(f.tier.evict_file(f.files[1]), 5);
    let stats = f.stats();
    assert_eq!((stats.page_count, stats.used_bytes), (0, 0));
}

#[test]
fn a_damaged_page_is_a_miss_with_one_line() {
    let f = start(1, 4, 1 << 16);
    f.offer(f.key(0, 0), 1000);
    f.offer(f.key(0, 1), 1000);
    f.await_written();
    f.media[0].bytes.lock()[500] ^= 1;
    for _ in 0..3 {
        assert!(!f.has(f.key(0, 0), 1000));
        assert!(f.has(f.key(0, 1), 1000));
    }
    let log = f.log();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].text.contains("at 0 of the block cache's file /memory is damaged"), "{log:?}");
    f.media[0].bytes.lock().truncate(1100);
    assert!(!f.has(f.key(0, 1), 1000), "the file ends within the page");
    assert_eq!(f.log().len(), 1);
    assert_eq!(f.stats().damaged_count, 2);
    assert_eq!(f.stats().failed_path_count, 0);
}

#[test]
fn a_path_with_many_damaged_pages_is_switched_off() {
    let f = start(1, 4, 1 << 20);
    (0..DAMAGED_MAX + 10).for_each(|n| f.offer(f.key(0, n), 100));
    f.await_written();
    f.media[0].bytes.lock().fill(0);
    (0..DAMAGED_MAX + 10).for_each(|n| assert!(!f.has(f.key(0, n), 100)));
    let log = f.log();
    assert_eq!(log.len() as u64, DAMAGED_MAX + 1);
    assert!(log.last().unwrap().text.contains("is not used again"), "{log:?}");
    assert_eq!((f.stats().failed_path_count, f.stats().capacity_bytes), (1, 0));
}

#[test]
fn a_path_that_fails_is_switched_off_with_one_line_and_the_others_take_its_pages() {
    for when_reading in [false, true] {
        let f = start(2, 4, 1 << 20);
        let keys: Vec<Key> = (0..100).map(|n| f.key(0, n)).collect();
        if when_reading {
            keys.iter().for_each(|key| f.offer(*key, 100));
            f.await_written();
        }
        f.media[0].failing.store(true, Ordering::Relaxed);
        keys.iter().for_each(|key| drop(f.get(*key)));
        keys.iter().for_each(|key| f.offer(*key, 100));
        f.await_written();
        keys.iter().for_each(|key| f.offer(*key, 100)); // now it is known that the path fails
        f.await_written();
        assert!(keys.iter().all(|key| f.has(*key, 100)), "one path has them all");
        let log = f.log();
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].text.contains("/memory cannot be"), "{log:?}");
        assert!(log[0].text.contains("the disk is gone"), "{log:?}");
        assert_eq!((f.stats().failed_path_count, f.stats().capacity_bytes), (1, 4 << 20));
    }
}

#[test]
fn a_panic_of_a_writer_switches_its_path_off_and_leaves_a_thread_that_ends() {
    let f = start(2, 4, 1 << 20);
    let keys: Vec<Key> = (0..100).map(|n| f.key(0, n)).collect();
    f.media[0].panicking.store(true, Ordering::Relaxed);
    keys.iter().for_each(|key| f.offer(*key, 100));
    f.await_written();
    keys.iter().for_each(|key| f.offer(*key, 100)); // now it is known that the path is given up
    f.await_written();
    assert!(!f.media[0].panicking.load(Ordering::Relaxed), "the writer of the path wrote nothing");
    assert!(keys.iter().all(|key| f.has(*key, 100)), "one path has them all");
    let log = f.log();
    assert!(log.iter().any(|line| line.text.contains("/memory") && line.text.contains("planned")), "{log:?}");
    assert_eq!((f.stats().failed_path_count, f.stats().capacity_bytes), (1, 4 << 20));
    assert!(f.tier.close(), "a writer has ended by a panic");
}

/// The first turn of the log fits, the disk is full when a segment is written again, or in the middle of the first.
#[test]
fn a_full_path_costs_hits_and_says_so_in_one_line() {
    for room in [0, 5_000, 20_000] {
        let f = start(2, 4, 4096);
        let keys: Vec<Key> = (0..100).map(|n| f.key(0, n)).collect();
        *f.media[0].room.lock() = Some(room);
        for key in &keys {
            f.offer(*key, 1000);
            f.await_written();
            f.has(*key, 1000); // never another page
        }
        // The log has ended a moment before it says so.
        let log = f.events.poll(Duration::from_secs(10)).unwrap();
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].text.contains("/memory cannot be written: no storage space"), "{log:?}");
        assert_eq!((f.stats().failed_path_count, f.stats().damaged_count), (1, 0));
        assert!(!keys.iter().all(|key| f.has(*key, 1000)));
        f.offer(keys[0], 1000);
        f.await_written();
        assert!(f.has(keys[0], 1000), "the other path takes all pages");
    }
}

#[test]
fn paths_are_used_evenly() {
    let f = start(2, 16, 1 << 16);
    (0..1000).for_each(|n| f.offer(f.key(n as usize % 8, n * 4096), 500));
    f.await_written();
    let mut sum = 0;
    for log in &f.tier.logs {
        let mut stats = TierStats::default();
        log.add_to(&mut stats);
        assert!(
            (400..=600).contains(&stats.page_count),
            "{} of 1,000 pages on one of two paths",
            stats.page_count
        );
        sum += stats.page_count;
    }
    assert_eq!(sum, 1000);
}

#[test]
fn readers_never_see_a_segment_that_is_written_again() {
    let f = start(2, 4, 1 << 14);
    std::thread::scope(|threads| {
        for thread in 0..4_u64 {
            let f = &f;
            threads.spawn(move || {
                for n in 0..5_000_u64 {
                    let key = f.key(0, (n * 7 + thread * 13) % 200);
                    if !f.has(key, 1000) {
                        f.offer(key, 1000);
                    }
                    if n % 500 == 0 {
                        f.tier.evict_file(f.files[0]);
                    }
                }
            });
        }
    });
    assert!(f.stats().eviction_count > 0 && f.stats().hit_count > 0, "{:?}", f.stats());
    assert_eq!(f.stats().damaged_count, 0, "{:?}", f.log());
}

#[test]
fn a_closed_tier_takes_nothing_and_has_nothing() {
    let f = start(2, 4, 1 << 16);
    f.offer(f.key(0, 0), 100);
    assert!(f.tier.close());
    f.offer(f.key(0, 1), 100);
    assert!(!f.has(f.key(0, 0), 100) && !f.has(f.key(0, 1), 100));
    assert_eq!(f.log(), [], "an orderly end is no failure");
}

#[test]
fn files_on_two_paths_hold_the_pages_and_the_next_start_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let paths = vec![dir.path().join("a"), dir.path().join("b")];
    let config = TierConfig { paths, bytes: 4 << 20, reserve: false, index: None };
    let events = Arc::new(EventQueue::default());
    let ids = BlockCache::new(0);
    let keys: Vec<Key> = (0..40).map(|n| (ids.identify("x"), n)).collect();
    for _ in 0..2 {
        let tier = Tier::open(&config, &events).unwrap();
        assert!(
            keys.iter().all(|key| tier.get(*key, PageKind::Column, Access::CACHED).is_none()),
            "the tier starts empty"
        );
        keys.iter().for_each(|key| tier.offer(*key, page(*key, 1000)));
        tier.logs.iter().for_each(|log| log.await_written());
        for key in &keys {
            assert_eq!(
                tier.get(*key, PageKind::Column, Access::CACHED).unwrap().body(),
                page_body(*key, 1000)
            );
        }
        assert_eq!(tier.stats().path_count, 2);
        assert_eq!(tier.stats().capacity_bytes, 4 << 20);
    }
}

#[derive(Clone, Debug)]
enum Step {
    Offer { file: usize, offset: u64 },
    Get { file: usize, offset: u64 },
    Evict { file: usize },
    AwaitWritten,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..4_usize, 0..40_u64).prop_map(|(file, offset)| Step::Offer { file, offset }),
        6 => (0..4_usize, 0..40_u64).prop_map(|(file, offset)| Step::Get { file, offset }),
        1 => (0..4_usize).prop_map(|file| Step::Evict { file }),
        1 => Just(Step::AwaitWritten),
    ]
}

/// Length of a page, by its key: as it is the same page, it is always the same.
fn len_of(file: usize, offset: u64) -> usize {
    (offset as usize * 97 + file * 31) % 900 + 1
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// A page may be here if it was offered after its file was last evicted, and must be as long as the newest segments hold
    /// everything that was offered since.
    #[test]
    fn only_what_was_offered_is_here_and_what_was_offered_last_is(steps in prop::collection::vec(step(), 1..400)) {
        const SEGMENTS: u32 = 6;
        const SEGMENT_BYTES: u64 = 4096;
        // A segment may end with less room than the largest record; the oldest may have been cleared.
        const KEPT: u64 = (SEGMENTS as u64 - 2) * (SEGMENT_BYTES - 900 - RECORD_HEADER);
        let f = start(1, SEGMENTS, SEGMENT_BYTES);
        let mut offered: HashMap<(usize, u64), u64> = HashMap::new();
        let mut written = 0;
        for step in steps {
            match step {
                Step::Offer { file, offset } => {
                    let (key, len) = (f.key(file, offset), len_of(file, offset));
                    if !f.has(key, len) {
                        written += len as u64 + RECORD_HEADER;
                        offered.insert((file, offset), written);
                    }
                    f.offer(key, len);
                }
                Step::Get { file, offset } => {
                    let here = f.has(f.key(file, offset), len_of(file, offset));
                    match offered.get(&(file, offset)) {
                        None => prop_assert!(!here, "it was never offered, or evicted"),
                        Some(at) if written - at < KEPT => prop_assert!(here, "it was offered of late"),
                        Some(_) => {}
                    }
                }
                Step::Evict { file } => {
                    f.tier.evict_file(f.files[file]);
                    offered.retain(|(of, _), _| *of != file);
                }
                Step::AwaitWritten => {
                    f.await_written();
                    prop_assert!(f.stats().used_bytes <= f.stats().capacity_bytes);
                }
            }
        }
        prop_assert_eq!((f.stats().damaged_count, f.stats().drop_count), (0, 0));
    }
}
