//! What the cache keeps, and what it does not.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grampus_base::RandomRead;
use grampus_base::events::EventQueue;
use grampus_colfile::page::PAGE_HEADER_BYTES;
use grampus_colfile::{Access, ColumnFile, Error, Page, PageAt, PageKind, PageSource};
use grampus_testkit::column_file::column_file;
use parking_lot::Mutex;

use super::wanted::LoadFilter as _;
use super::{BlockCache, CacheRules, CachedPages, Tier};
use crate::TierConfig;

/// A file in memory that counts its reads.
struct Counted {
    bytes: Vec<u8>,
    reads: AtomicU64,
    announced: Mutex<Vec<Range<u64>>>,
}

impl RandomRead for Counted {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let from = offset as usize;
        let part = self.bytes.get(from..from + buf.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(part);
        Ok(())
    }

    fn will_read(&self, bytes: Range<u64>) {
        self.announced.lock().push(bytes);
    }

    fn name(&self) -> &str {
        "counted"
    }
}

/// A file of at least a hundred pages of about 1 KiB.
fn file() -> (Arc<Counted>, Vec<PageAt>) {
    let counted = Arc::new(Counted {
        bytes: column_file(150).unwrap(),
        reads: AtomicU64::new(0),
        announced: Mutex::default(),
    });
    let source: Arc<dyn RandomRead> = counted.clone();
    let pages = ColumnFile::open(&source).unwrap().pages();
    assert!(pages.len() > 100);
    counted.reads.store(0, Ordering::Relaxed);
    (counted, pages)
}

fn pages_with(file: &Arc<Counted>, cache: &Arc<BlockCache>, rules: CacheRules) -> Arc<CachedPages> {
    CachedPages::new(file.clone(), cache.clone(), cache.identify("any"), rules, 0)
}

fn pages(file: &Arc<Counted>, cache: &Arc<BlockCache>) -> Arc<CachedPages> {
    pages_with(file, cache, CacheRules { data: true, in_memory: false })
}

#[test]
fn a_page_is_read_once_and_counted() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let pages = pages(&file, &cache);
    for _ in 0..3 {
        places.iter().for_each(|at| drop(pages.page(*at, Access::CACHED).unwrap()));
    }
    assert_eq!(file.reads.load(Ordering::Relaxed), places.len() as u64);
    let stats = cache.stats();
    assert_eq!((stats.miss_count, stats.hit_count), (places.len() as u64, 2 * places.len() as u64));
    assert_eq!(stats.page_count, places.len() as u64);
}

#[test]
fn what_is_cached_is_not_read_ahead() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let pages = pages(&file, &cache);
    pages.page(places[0], Access::CACHED).unwrap();
    pages.will_read(places[0], 0..10);
    assert!(file.announced.lock().is_empty());
    pages.will_read(places[1], 10..20);
    assert_eq!(file.announced.lock().as_slice(), std::slice::from_ref(&(10..20)));
}

/// A cache that every page leaves at once for a second tier in a directory.
fn over_a_tier(dir: &Path) -> Arc<BlockCache> {
    let config = TierConfig { paths: vec![dir.join("tier")], bytes: 4 << 20, reserve: false, index: None };
    let tier = Tier::open(&config, &Arc::default()).unwrap();
    Arc::new(BlockCache::over(0, Some(tier), &Arc::default()))
}

#[test]
fn what_is_in_the_second_tier_is_not_read_ahead() {
    let (file, places) = file();
    let dir = tempfile::tempdir().unwrap();
    let cache = over_a_tier(dir.path());
    let pages = pages(&file, &cache);
    pages.page(places[0], Access::CACHED).unwrap();
    assert_eq!(cache.stats().page_count, 0);
    pages.will_read(places[0], 0..10);
    assert!(file.announced.lock().is_empty());
    pages.will_read(places[1], 10..20);
    assert_eq!(file.announced.lock().len(), 1);
    assert_eq!(cache.tier_stats().unwrap().hit_count, 0, "that was no read");
    pages.page(places[0], Access::CACHED).unwrap();
    assert_eq!(file.reads.load(Ordering::Relaxed), 1);
}

#[test]
fn a_page_of_row_keys_weighs_as_much_from_the_second_tier_as_from_its_file() {
    let (file, places) = file();
    let dir = tempfile::tempdir().unwrap();
    let cache = over_a_tier(dir.path());
    let pages = pages(&file, &cache);
    let keys = places.iter().find(|at| at.kind == PageKind::Rows).unwrap();
    let read = pages.page(*keys, Access::CACHED).unwrap();
    while cache.tier_stats().unwrap().queued_bytes > 0 {
        std::thread::yield_now();
    }
    let kept = pages.page(*keys, Access::CACHED).unwrap();
    assert!(!Arc::ptr_eq(&read, &kept), "it was still in memory");
    let besides = |page: &Page, own: usize| page.memory_bytes() - page.body().len() - own;
    assert_eq!(besides(&kept, 32), besides(&read, PAGE_HEADER_BYTES));
    let cells = places.iter().find(|at| at.kind == PageKind::Column).unwrap();
    let cells = pages.page(*cells, Access::CACHED).unwrap();
    assert!(besides(&kept, 32) > besides(&cells, PAGE_HEADER_BYTES), "without room for the heads");
}

#[test]
fn reading_through_admits_nothing_and_a_quick_read_never_touches_the_disk() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let pages = pages(&file, &cache);
    pages.page(places[0], Access::READ_THROUGH).unwrap();
    assert_eq!(cache.stats().page_count, 0);
    let quick = Access { cache: true, blocking: false };
    assert!(matches!(pages.page(places[0], quick), Err(Error::WouldBlock)));
    assert_eq!(file.reads.load(Ordering::Relaxed), 1);
    assert_eq!(cache.stats().miss_count, 1, "a read that did not happen is no miss");
    pages.page(places[0], Access::CACHED).unwrap();
    assert!(pages.page(places[0], quick).is_ok());
}

#[test]
fn the_cache_stays_within_its_bytes_and_a_scan_spares_what_gets_use() {
    let (hot, hot_places) = file();
    let (cold, cold_places) = file();
    let capacity = 96 * 1024;
    let cache = Arc::new(BlockCache::new(capacity));
    let hot_pages = pages(&hot, &cache);
    let hot_places = &hot_places[..20];
    for _ in 0..5 {
        hot_places.iter().for_each(|at| drop(hot_pages.page(*at, Access::CACHED).unwrap()));
    }
    let cold_pages = pages(&cold, &cache);
    for at in &cold_places {
        cold_pages.page(*at, Access::CACHED).unwrap();
        assert!(cache.stats().used_bytes <= capacity);
    }
    let before = hot.reads.load(Ordering::Relaxed);
    hot_places.iter().for_each(|at| drop(hot_pages.page(*at, Access::CACHED).unwrap()));
    let reread = hot.reads.load(Ordering::Relaxed) - before;
    assert!(reread <= 5, "{reread} of 20 pages in use were pushed out by one scan");
}

#[test]
fn a_closed_file_takes_its_pages_along_only_if_so_wished() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    for (keep, left) in [(false, 0), (true, places.len() as u64)] {
        let pages = pages(&file, &cache);
        if keep {
            pages.keep();
        }
        places.iter().for_each(|at| drop(pages.page(*at, Access::CACHED).unwrap()));
        drop(pages);
        assert_eq!(cache.stats().page_count, left);
    }
}

#[test]
fn a_family_without_block_cache_keeps_only_its_bloom_filters() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let pages = pages_with(&file, &cache, CacheRules { data: false, in_memory: false });
    places.iter().for_each(|at| drop(pages.page(*at, Access::CACHED).unwrap()));
    let blooms = places.iter().filter(|at| at.kind == PageKind::Bloom).count() as u64;
    assert!(blooms > 0);
    assert_eq!(cache.stats().page_count, blooms);
}

fn filter_place(places: &[PageAt]) -> PageAt {
    *places.iter().find(|at| at.kind == PageKind::Bloom).unwrap()
}

#[test]
fn a_filter_that_is_not_in_memory_is_not_read_while_a_caller_waits() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let (pages, at) = (pages(&file, &cache), filter_place(&places));
    for _ in 0..2 {
        assert!(pages.filter_page(at, Access::CACHED).unwrap().is_none());
    }
    assert_eq!((file.reads.load(Ordering::Relaxed), cache.stats().wanted_count), (0, 1));
    cache.load_filters(0);
    assert_eq!(cache.stats().wanted_count, 1, "not more than was allowed");
    cache.load_filters(2);
    assert_eq!((file.reads.load(Ordering::Relaxed), cache.stats().wanted_count), (1, 0));
    assert!(pages.filter_page(at, Access::READ_THROUGH).unwrap().is_some());
    let stats = cache.stats();
    assert_eq!((stats.hit_count, stats.miss_count, stats.loaded_count), (1, 0, 1));
}

#[test]
fn a_filter_from_the_second_tier_is_no_hit_and_takes_no_miss_away() {
    let (file, places) = file();
    let dir = tempfile::tempdir().unwrap();
    let cache = over_a_tier(dir.path());
    let (pages, at) = (pages(&file, &cache), filter_place(&places));
    let counts = || {
        let (memory, tier) = (cache.stats(), cache.tier_stats().unwrap());
        [memory.miss_count, tier.hit_count, tier.miss_count, memory.file_miss_count]
    };
    pages.page(at, Access::CACHED).unwrap();
    assert_eq!(counts(), [1, 0, 1, 1]);
    pages.load_filter(at).unwrap();
    assert_eq!(counts(), [1, 0, 1, 1], "no read waited for it");
    pages.page(at, Access::CACHED).unwrap();
    assert_eq!(counts(), [2, 1, 1, 1]);
    pages.page(at, Access::READ_THROUGH).unwrap();
    pages.page(places[0], Access::READ_THROUGH).unwrap();
    assert_eq!(counts(), [4, 2, 2, 2]);
    assert_eq!((file.reads.load(Ordering::Relaxed), cache.stats().file_miss_caching_count), (2, 1));
}

#[test]
fn a_filter_that_is_wanted_keeps_no_file_open() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let pages = pages(&file, &cache);
    assert!(pages.filter_page(filter_place(&places), Access::CACHED).unwrap().is_none());
    drop(pages);
    assert_eq!(Arc::strong_count(&file), 1);
    cache.load_filters(1);
    let stats = cache.stats();
    assert_eq!((stats.page_count, stats.wanted_count, file.reads.load(Ordering::Relaxed)), (0, 0, 0));
}

#[test]
fn a_damaged_filter_is_said_once_and_not_wanted_again() {
    let (file, places) = file();
    let at = filter_place(&places);
    let mut file = Arc::into_inner(file).unwrap();
    file.bytes[at.offset as usize + PAGE_HEADER_BYTES] ^= 1;
    let (file, events) = (Arc::new(file), Arc::new(EventQueue::default()));
    let cache = Arc::new(BlockCache::over(1 << 20, None, &events));
    let pages = pages(&file, &cache);
    for _ in 0..2 {
        assert!(pages.filter_page(at, Access::CACHED).unwrap().is_none());
        cache.load_filters(1);
    }
    let said = events.poll(Duration::ZERO).unwrap();
    let [event] = said.as_slice() else { panic!("{said:?}") };
    assert!(
        event.text.contains("a bloom filter is not used: ") && event.text.contains("counted"),
        "{event:?}"
    );
    assert_eq!(file.reads.load(Ordering::Relaxed), 1);
}

#[test]
fn a_cache_without_room_wants_no_filters() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(0));
    assert!(pages(&file, &cache).filter_page(filter_place(&places), Access::CACHED).unwrap().is_none());
    assert_eq!(cache.stats().wanted_count, 0);
}

#[test]
fn pages_loaded_ahead_are_neither_hits_nor_misses() {
    let (file, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let pages = pages(&file, &cache);
    for _ in 0..2 {
        assert!(places.iter().all(|at| pages.load(*at).unwrap()));
    }
    let stats = cache.stats();
    assert_eq!((stats.hit_count, stats.miss_count, stats.loaded_count), (0, 0, places.len() as u64));
    places.iter().for_each(|at| drop(pages.page(*at, Access::READ_THROUGH).unwrap()));
    let stats = cache.stats();
    assert_eq!((stats.hit_count, stats.hit_caching_count), (places.len() as u64, 0));
}

#[test]
fn pages_in_memory_stay_whatever_gets_use_and_take_a_quarter_at_most() {
    let (file, places) = file();
    let capacity = 96 * 1024;
    let cache = Arc::new(BlockCache::new(capacity));
    let favoured = pages_with(&file, &cache, CacheRules { data: true, in_memory: true });
    let favourites = &places[..10];
    favourites.iter().for_each(|at| drop(favoured.page(*at, Access::CACHED).unwrap()));
    let others = pages(&file, &cache);
    for _ in 0..5 {
        places.iter().for_each(|at| drop(others.page(*at, Access::CACHED).unwrap()));
        assert!(cache.stats().used_bytes <= capacity);
    }
    let before = cache.stats().miss_count;
    favourites.iter().for_each(|at| drop(favoured.page(*at, Access::CACHED).unwrap()));
    assert_eq!(cache.stats().miss_count, before, "pages of an IN_MEMORY family were pushed out by others");
    places.iter().for_each(|at| drop(favoured.page(*at, Access::CACHED).unwrap()));
    let stats = cache.stats();
    assert!(stats.in_memory_bytes > 0 && stats.in_memory_bytes <= capacity / 4, "{stats:?}");
    assert!(stats.used_bytes <= capacity, "{stats:?}");
}

#[test]
fn pages_get_what_open_files_leave_and_get_it_back() {
    let (file, places) = file();
    let capacity = 96 * 1024;
    let cache = Arc::new(BlockCache::new(capacity));
    let favoured = pages_with(&file, &cache, CacheRules { data: true, in_memory: true });
    let others = pages(&file, &cache);
    let fill = || {
        for _ in 0..3 {
            places.iter().for_each(|at| drop(others.page(*at, Access::CACHED).unwrap()));
            places.iter().for_each(|at| drop(favoured.page(*at, Access::CACHED).unwrap()));
        }
        let stats = cache.stats();
        assert!(stats.used_bytes <= stats.capacity_bytes, "{stats:?}");
        assert!(stats.in_memory_bytes <= stats.capacity_bytes / 4, "{stats:?}");
        stats
    };
    let before = fill();
    let rules = CacheRules { data: true, in_memory: false };
    let opened = CachedPages::new(file.clone(), cache.clone(), cache.identify("b"), rules, 48 << 10);
    let reader = Arc::clone(&opened);
    drop(opened);
    let shrunk = cache.stats();
    assert_eq!((shrunk.open_file_bytes, shrunk.capacity_bytes), (48 << 10, 48 << 10), "the reader holds it");
    assert!(shrunk.used_bytes <= 48 << 10, "pages leave at once: {shrunk:?}");
    assert!(fill().in_memory_bytes < before.in_memory_bytes);
    let larger = CachedPages::new(file.clone(), cache.clone(), cache.identify("c"), rules, 1 << 20);
    assert_eq!(cache.stats().capacity_bytes, 24 << 10, "a quarter stays for pages");
    fill();
    drop((reader, larger));
    assert_eq!((cache.stats().open_file_bytes, cache.stats().capacity_bytes), (0, capacity));
    let after = fill();
    assert!(after.used_bytes * 10 > before.used_bytes * 9, "{after:?} {before:?}");
}

#[test]
fn a_file_is_recognised_when_it_is_opened_again_by_its_unique_name_only() {
    let cache = BlockCache::new(1 << 20);
    let unique = "0123456789abcdef0123456789abcdef";
    assert_eq!(cache.identify(unique), cache.identify(unique));
    assert_ne!(cache.identify("0123456789abcdef0123456789abcde0"), cache.identify(unique));
    assert_ne!(cache.identify("00ff"), cache.identify("00ff"));
}
