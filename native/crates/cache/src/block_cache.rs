//! Pages by file and offset, in two parts.
//!
//! Pages of IN_MEMORY families have a part of their own, at most [`IN_MEMORY_SHARE`] of the whole: they compete among themselves
//! only. What they do not use belongs to the others. Both get what the open files leave ([`Room`]).

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::{Arc, Weak};

use grampus_base::Counter;
use grampus_base::events::{EventQueue, Level, Topic};
use grampus_base::sync::Mutex;
use grampus_base::sync::atomic::{AtomicU64, Ordering};
use grampus_colfile::page::LARGE_PAGE_BYTES;
use grampus_colfile::{Access, Page, PageAt, PageKind};
use quick_cache::sync::Cache;
use quick_cache::{Lifecycle, OptionsBuilder, Weighter};

use super::io_times::IoTimes;
use super::key::{FileId, Key};
use super::requests::Requests;
use super::room::Room;
use super::tier::{Tier, TierStats};
use super::wanted::{LoadFilter, Wanted};

/// Bytes that an entry costs besides its page.
const ENTRY_BYTES: u64 = 64;

/// What a page is expected to weigh, for the size of the tables: the cache remembers half as many pages that left, to know them
/// when they come back.
const PAGE_BYTES_TYPICAL: u64 = 16 * 1024;

/// The fewest bytes of a shard. A page that is new to a full shard competes with other new pages for 3 % of it, and that must hold
/// many pages.
const SHARD_BYTES_MIN: u64 = 64 << 20;

/// More shards than this bring nothing: a lock is held for less than a microsecond.
const SHARDS_MAX: u64 = 64;

/// Divisor of the capacity: IN_MEMORY pages take this share at most. HBase's `hbase.lru.blockcache.memory.percentage` of 0.25.
const IN_MEMORY_SHARE: u64 = 4;

/// Divisor of the capacity: larger pages of cells are not let in, unless they are below [`LARGE_PAGE_BYTES`].
const PAGE_SHARE: u64 = 256;

/// Divisor of the capacity: the cache counts as full when less than this share is free.
const FULL_SHARE: u64 = 64;

#[derive(Clone)]
struct PageBytes;

impl Weighter<Key, Arc<Page>> for PageBytes {
    fn weight(&self, _key: &Key, page: &Arc<Page>) -> u64 {
        page.memory_bytes() as u64 + ENTRY_BYTES
    }
}

/// Counts what had to leave for something else, and hands it to the second tier.
#[derive(Clone, Default)]
struct Evictions {
    count: Arc<Counter>,
    tier: Option<Arc<Tier>>,
}

/// Pages that are freed or handed on once the cache's lock is released.
#[derive(Default)]
struct Evicted {
    pages: Vec<(Key, Arc<Page>)>,
    tier: Option<Arc<Tier>>,
}

impl Drop for Evicted {
    fn drop(&mut self) {
        if let Some(tier) = &self.tier {
            self.pages.drain(..).for_each(|(key, page)| tier.offer(key, page));
        }
    }
}

impl Lifecycle<Key, Arc<Page>> for Evictions {
    type RequestState = Evicted;

    fn on_evict(&self, state: &mut Evicted, key: Key, page: Arc<Page>) {
        self.count.add(1);
        state.pages.push((key, page));
        if state.tier.is_none() {
            state.tier.clone_from(&self.tier);
        }
    }
}

/// No client chooses names and offsets so that they collide, so the hash need not be as strong, and as slow, as the standard one.
type KeyHash = foldhash::fast::RandomState;

type Pages = Cache<Key, Arc<Page>, PageBytes, KeyHash, Evictions>;

/// A part of the cache with a capacity of `bytes`.
#[expect(clippy::expect_used, reason = "the builder fails only without the two sizes")]
fn pages(bytes: u64, evictions: &Evictions) -> Pages {
    let options = OptionsBuilder::new()
        .weight_capacity(bytes)
        .estimated_items_capacity((bytes / PAGE_BYTES_TYPICAL).clamp(64, 1 << 24) as usize)
        .shards((bytes / SHARD_BYTES_MIN).clamp(1, SHARDS_MAX) as usize)
        .build()
        .expect("both sizes are set");
    Cache::with_options(options, PageBytes, KeyHash::default(), evictions.clone())
}

/// Counters since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Pages found.
    pub hit_count: u64,
    /// Those of reads that let pages in.
    pub hit_caching_count: u64,
    /// Pages that reads had to take from the second tier or from their files, whether or not they were let in.
    pub miss_count: u64,
    /// Those of reads that let pages in.
    pub miss_caching_count: u64,
    /// Pages that reads had to take from their files. The misses of memory without the hits of the second tier would be a number
    /// that goes back, since a read is counted in the one before it is in the other.
    pub file_miss_count: u64,
    /// Those of reads that let pages in.
    pub file_miss_caching_count: u64,
    /// Pages that no read waited for: CACHE_DATA_ON_WRITE, PREFETCH_BLOCKS_ON_OPEN, bloom filters.
    pub loaded_count: u64,
    /// Pages of bloom filters that gets did not find in memory and that are to be loaded.
    pub wanted_count: u64,
    /// Pages read from their files, for whatever reason.
    pub read_count: u64,
    /// Their stored bytes.
    pub read_bytes: u64,
    /// Pages that left, or were not let in, for want of room.
    pub eviction_count: u64,
    /// Pages in the cache.
    pub page_count: u64,
    /// Bytes in the cache.
    pub used_bytes: u64,
    /// Those of IN_MEMORY families.
    pub in_memory_bytes: u64,
    /// Bytes that pages may use: what open files leave them.
    pub capacity_bytes: u64,
    /// Bytes that open files take besides their pages, those that only readers still hold included.
    pub open_file_bytes: u64,
}

/// How the cache's bytes are divided between open files and the two parts.
struct Shares {
    room: Room,
    /// The capacity of `pages`: what `in_memory` does not use.
    pages: u64,
}

/// The cache; shared by all stores of a server.
pub struct BlockCache {
    pages: Pages,
    in_memory: Pages,
    /// What both parts together may have now.
    capacity: AtomicU64,
    shares: Mutex<Shares>,
    events: Arc<EventQueue>,
    hits: Requests,
    misses: Requests,
    file_misses: Requests,
    loaded: Counter,
    reads: Counter,
    read_bytes: Counter,
    io_times: Arc<IoTimes>,
    evictions: Arc<Counter>,
    tier: Option<Arc<Tier>>,
    wanted: Wanted,
    next_file: AtomicU64,
}

impl BlockCache {
    /// A cache of at most `capacity_bytes` in memory alone; 0 caches nothing.
    pub fn new(capacity_bytes: u64) -> BlockCache {
        BlockCache::over(capacity_bytes, None, &Arc::default())
    }

    /// A cache of at most `capacity_bytes` in memory, over a tier that takes what has to leave.
    pub fn over(capacity_bytes: u64, tier: Option<Tier>, events: &Arc<EventQueue>) -> BlockCache {
        let tier = tier.map(Arc::new);
        let evictions = Evictions { count: Arc::default(), tier: tier.clone() };
        BlockCache {
            pages: pages(capacity_bytes, &evictions),
            in_memory: pages(capacity_bytes / IN_MEMORY_SHARE, &evictions),
            capacity: AtomicU64::new(capacity_bytes),
            shares: Mutex::new(Shares { room: Room::new(capacity_bytes), pages: capacity_bytes }),
            events: Arc::clone(events),
            hits: Requests::default(),
            misses: Requests::default(),
            file_misses: Requests::default(),
            loaded: Counter::default(),
            reads: Counter::default(),
            read_bytes: Counter::default(),
            io_times: Arc::default(),
            evictions: evictions.count,
            tier,
            wanted: Wanted::default(),
            next_file: AtomicU64::new(1),
        }
    }

    /// The identity of a file by its name: 32 hexadecimal digits are unique, any other name is a new file each time.
    pub fn identify(&self, name: &str) -> FileId {
        let digits = (name.len() == 32).then(|| u128::from_str_radix(name, 16).ok()).flatten();
        FileId::of_number(
            digits.unwrap_or_else(|| u128::from(self.next_file.fetch_add(1, Ordering::Relaxed))),
        )
    }

    fn part(&self, in_memory: bool) -> &Pages {
        if in_memory { &self.in_memory } else { &self.pages }
    }

    /// The page, if it is in memory.
    #[inline]
    pub fn get(&self, file: FileId, offset: u64, in_memory: bool, access: Access) -> Option<Arc<Page>> {
        let page = self.part(in_memory).get(&(file, offset))?;
        self.hits.count(access);
        Some(page)
    }

    /// The page, if it is in the second tier; may wait for the disk.
    pub(crate) fn get_second(&self, file: FileId, at: PageAt, access: Access) -> Option<Arc<Page>> {
        self.tier.as_ref()?.get((file, at.offset), at.kind, access)
    }

    /// The same for a page that no read waits for, which counts neither as hit nor as miss.
    pub(crate) fn load_second(&self, file: FileId, at: PageAt) -> Option<Arc<Page>> {
        self.tier.as_ref()?.load((file, at.offset), at.kind)
    }

    /// Whether the page is in memory; counts nothing and makes it no hotter.
    pub fn has(&self, file: FileId, offset: u64, in_memory: bool) -> bool {
        self.part(in_memory).contains_key(&(file, offset))
    }

    /// Whether the page is in memory or in the second tier; counts nothing and waits for no disk.
    pub(crate) fn has_anywhere(&self, file: FileId, offset: u64, in_memory: bool) -> bool {
        self.has(file, offset, in_memory) || self.tier.as_ref().is_some_and(|tier| tier.has((file, offset)))
    }

    /// Whether a page of cells is not let in: evicted pages of this size that reads still hold could come to as much as the cache.
    pub(crate) fn is_too_large(&self, at: PageAt) -> bool {
        let most = (self.capacity.load(Ordering::Relaxed) / PAGE_SHARE).max(LARGE_PAGE_BYTES as u64);
        matches!(at.kind, PageKind::Column | PageKind::Mixed) && u64::from(at.raw_len) > most
    }

    /// Notes a page that a read did not find in memory.
    pub(crate) fn count_miss(&self, access: Access) {
        self.misses.count(access);
    }

    /// Notes a page that a read found in neither tier.
    pub(crate) fn count_file_miss(&self, access: Access) {
        self.file_misses.count(access);
    }

    /// How long reads and writes of the stores' files take, which those count that make them.
    pub fn io_times(&self) -> &Arc<IoTimes> {
        &self.io_times
    }

    /// Notes a page that is read from its file.
    pub(crate) fn count_read(&self, bytes: u64) {
        self.reads.add(1);
        self.read_bytes.add(bytes);
    }

    /// Notes a page that is read from its file ahead of its first use.
    pub(crate) fn count_load(&self, bytes: u64) {
        self.loaded.add(1);
        self.count_read(bytes);
    }

    /// Lets a page in.
    pub fn insert(&self, file: FileId, offset: u64, in_memory: bool, page: Arc<Page>) {
        self.part(in_memory).insert((file, offset), page);
        if in_memory {
            self.share_out(&mut self.shares.lock());
        }
    }

    /// A get went without a page of a bloom filter.
    pub(super) fn want_filter(&self, key: Key, file: Weak<dyn LoadFilter>, at: PageAt) {
        if self.capacity() > 0 {
            self.wanted.add(key, file, at);
        }
    }

    /// Loads at most `most` of the pages of bloom filters that gets did not find in memory. Returns how many it has looked at.
    pub fn load_filters(&self, most: usize) -> usize {
        let wanted = self.wanted.some(most);
        let count = wanted.len();
        for (key, file, at) in wanted {
            if let Some(file) = file.upgrade()
                && let Err(e) = file.load_filter(at)
            {
                let text = format!("a bloom filter is not used: {e}");
                self.events.report(Level::Warn, Topic::Cache, text);
            }
            self.wanted.forget(key);
        }
        count
    }

    /// Drops all pages of a file; returns how many there were, one that is in both tiers counts twice, as in HBase.
    pub(crate) fn evict_file(&self, file: FileId) -> u64 {
        let dropped = self.evict_from_memory(|id| id == file);
        dropped + self.tier.as_ref().map_or(0, |tier| tier.evict_file(file))
    }

    /// Drops all pages of some files, in one walk.
    pub fn evict_files(&self, files: &HashSet<FileId>) {
        self.evict_from_memory(|id| files.contains(&id));
        if let Some(tier) = &self.tier {
            files.iter().for_each(|file| _ = tier.evict_file(*file));
        }
    }

    fn evict_from_memory(&self, leaves: impl Fn(FileId) -> bool) -> u64 {
        let dropped = Cell::new(0);
        let stays = |key: &Key, _: &Arc<Page>| {
            let stays = !leaves(key.0);
            dropped.set(dropped.get() + u64::from(!stays));
            stays
        };
        self.pages.retain(stays);
        if self.in_memory.weight() > 0 {
            self.in_memory.retain(stays);
            self.share_out(&mut self.shares.lock());
        }
        dropped.get()
    }

    /// Bytes of pages in memory and of open files.
    pub fn held_bytes(&self) -> u64 {
        self.pages.weight() + self.in_memory.weight() + self.shares.lock().room.open_bytes()
    }

    /// Ends the second tier; what is in memory stays. Returns false if one of its threads has panicked.
    pub fn close_tier(&self) -> bool {
        self.tier.as_ref().is_none_or(|tier| tier.close())
    }

    /// The counters of the second tier, if there is one.
    pub fn tier_stats(&self) -> Option<TierStats> {
        self.tier.as_ref().map(|tier| tier.stats())
    }

    /// True while pages can be loaded ahead without pushing others out.
    pub fn has_room(&self) -> bool {
        let (used, capacity) = (self.pages.weight() + self.in_memory.weight(), self.capacity());
        used < capacity - capacity / FULL_SHARE
    }

    /// A file was opened that takes `bytes` of memory besides its pages.
    pub(super) fn take(&self, bytes: u64) {
        let mut shares = self.shares.lock();
        shares.room.take(bytes, &self.events);
        self.follow_files(&mut shares);
    }

    /// Such a file was closed.
    pub(super) fn give_back(&self, bytes: u64) {
        let mut shares = self.shares.lock();
        shares.room.give_back(bytes);
        self.follow_files(&mut shares);
    }

    fn capacity(&self) -> u64 {
        self.capacity.load(Ordering::Relaxed)
    }

    /// Gives the pages what the open files leave.
    fn follow_files(&self, shares: &mut Shares) {
        let capacity = shares.room.for_pages();
        if self.capacity.swap(capacity, Ordering::Relaxed) != capacity {
            self.in_memory.set_capacity(capacity / IN_MEMORY_SHARE);
            self.share_out(shares);
        }
    }

    /// Gives the pages that are not IN_MEMORY what those that are do not use. The lock is taken before the look, so that the last to come
    /// sees what all others did.
    fn share_out(&self, shares: &mut Shares) {
        let left = self.capacity().saturating_sub(shares.room.in_steps(self.in_memory.weight()));
        if shares.pages != left {
            shares.pages = left;
            self.pages.set_capacity(left);
        }
    }

    /// The counters.
    pub fn stats(&self) -> CacheStats {
        CacheStats {
            hit_count: self.hits.sum(),
            hit_caching_count: self.hits.caching(),
            miss_count: self.misses.sum(),
            miss_caching_count: self.misses.caching(),
            file_miss_count: self.file_misses.sum(),
            file_miss_caching_count: self.file_misses.caching(),
            loaded_count: self.loaded.get(),
            wanted_count: self.wanted.len() as u64,
            read_count: self.reads.get(),
            read_bytes: self.read_bytes.get(),
            eviction_count: self.evictions.get(),
            page_count: (self.pages.len() + self.in_memory.len()) as u64,
            used_bytes: self.pages.weight() + self.in_memory.weight(),
            in_memory_bytes: self.in_memory.weight(),
            capacity_bytes: self.capacity(),
            open_file_bytes: self.shares.lock().room.open_bytes(),
        }
    }
}
