//! Pages by file and offset, in two parts.
//!
//! Pages of IN_MEMORY families have a part of their own, at most [`IN_MEMORY_SHARE`] of the whole: they compete among themselves
//! only. What they do not use belongs to the others.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use grampus_colfile::{Access, Page};
use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Lifecycle, OptionsBuilder, Weighter};

use crate::maintenance::Counter;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};

/// A file's identity in the cache: the same after it is closed and opened again, as long as its name says which file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId(u128);

impl Hash for FileId {
    /// Half of the bits tell files apart well enough for a table, and cost less on every look-up.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64((self.0 >> 64) as u64 ^ self.0 as u64);
    }
}

type Key = (FileId, u64);

/// Bytes that an entry costs besides its page.
const ENTRY_BYTES: u64 = 64;

/// What a page is expected to weigh, for the size of the tables: the cache remembers half as many pages that left, to know them
/// when they come back.
const PAGE_BYTES_TYPICAL: u64 = 16 * 1024;

/// A shard has at least so many bytes: a page that is new to a full shard gets 3 % of it to prove itself in, and that must hold
/// many pages.
const SHARD_BYTES_MIN: u64 = 64 << 20;

/// More shards than this bring nothing: a lock is held for less than a microsecond.
const SHARDS_MAX: u64 = 64;

/// One part in so many is the most that IN_MEMORY pages take: HBase's `hbase.lru.blockcache.memory.percentage` of 0.25.
const IN_MEMORY_SHARE: u64 = 4;

/// Room moves between the parts in steps of one in so many.
const STEPS: u64 = 64;

#[derive(Clone)]
struct PageBytes;

impl Weighter<Key, Arc<Page>> for PageBytes {
    fn weight(&self, _key: &Key, page: &Arc<Page>) -> u64 {
        page.memory_bytes() as u64 + ENTRY_BYTES
    }
}

/// Counts what had to leave for something else.
#[derive(Clone, Default)]
struct Evictions(Arc<Counter>);

impl Lifecycle<Key, Arc<Page>> for Evictions {
    /// Pages that are freed once the cache's lock is released.
    type RequestState = Vec<Arc<Page>>;

    fn on_evict(&self, state: &mut Vec<Arc<Page>>, _key: Key, page: Arc<Page>) {
        self.0.add(1);
        state.push(page);
    }
}

type Pages = Cache<Key, Arc<Page>, PageBytes, DefaultHashBuilder, Evictions>;

/// A part of so many bytes.
#[expect(clippy::expect_used, reason = "the builder fails only without the two sizes")]
fn pages(bytes: u64, evictions: &Evictions) -> Pages {
    let options = OptionsBuilder::new()
        .weight_capacity(bytes)
        .estimated_items_capacity((bytes / PAGE_BYTES_TYPICAL).clamp(64, 1 << 24) as usize)
        .shards((bytes / SHARD_BYTES_MIN).clamp(1, SHARDS_MAX) as usize)
        .build()
        .expect("both sizes are set");
    Cache::with_options(options, PageBytes, DefaultHashBuilder::default(), evictions.clone())
}

/// Pages asked for, by how the reader wants them.
#[derive(Default)]
struct Requests {
    /// Reads that let pages in.
    caching: Counter,
    /// Reads that do not: `setCacheBlocks(false)`, compactions.
    passing: Counter,
}

impl Requests {
    #[inline]
    fn count(&self, access: Access) {
        if access.cache { self.caching.add(1) } else { self.passing.add(1) }
    }

    fn sum(&self) -> u64 {
        self.caching.get() + self.passing.get()
    }
}

/// Counters since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Pages found.
    pub hit_count: u64,
    /// Those of reads that let pages in.
    pub hit_caching_count: u64,
    /// Pages that reads had to take from disk, whether or not they were let in.
    pub miss_count: u64,
    /// Those of reads that let pages in.
    pub miss_caching_count: u64,
    /// Pages loaded ahead of their first read: CACHE_DATA_ON_WRITE, PREFETCH_BLOCKS_ON_OPEN.
    pub loaded_count: u64,
    /// Stored bytes of the pages read from disk, for whatever reason.
    pub read_bytes: u64,
    /// Pages that left, or were not let in, for want of room.
    pub eviction_count: u64,
    /// Pages in the cache.
    pub page_count: u64,
    /// Bytes in the cache.
    pub used_bytes: u64,
    /// Those of IN_MEMORY families.
    pub in_memory_bytes: u64,
    /// Bytes that the cache may use.
    pub capacity_bytes: u64,
}

/// The cache; shared by all stores of a server.
pub struct BlockCache {
    pages: Pages,
    in_memory: Pages,
    capacity: u64,
    /// What `pages` left to `in_memory`.
    reserved: Mutex<u64>,
    hits: Requests,
    misses: Requests,
    loaded: Counter,
    read_bytes: Counter,
    evictions: Evictions,
    next_file: AtomicU64,
}

impl BlockCache {
    /// A cache of at most so many bytes; 0 caches nothing.
    pub fn new(capacity_bytes: u64) -> BlockCache {
        let evictions = Evictions::default();
        BlockCache {
            pages: pages(capacity_bytes, &evictions),
            in_memory: pages(capacity_bytes / IN_MEMORY_SHARE, &evictions),
            capacity: capacity_bytes,
            reserved: Mutex::new(0),
            hits: Requests::default(),
            misses: Requests::default(),
            loaded: Counter::default(),
            read_bytes: Counter::default(),
            evictions,
            next_file: AtomicU64::new(1),
        }
    }

    /// The identity of a file by its name: 32 hexadecimal digits are unique, any other name is a new file each time.
    pub fn identify(&self, name: &str) -> FileId {
        let digits = (name.len() == 32).then(|| u128::from_str_radix(name, 16).ok()).flatten();
        FileId(digits.unwrap_or_else(|| u128::from(self.next_file.fetch_add(1, Ordering::Relaxed))))
    }

    fn part(&self, in_memory: bool) -> &Pages {
        if in_memory { &self.in_memory } else { &self.pages }
    }

    /// The page, if it is here.
    #[inline]
    pub fn get(&self, file: FileId, offset: u64, in_memory: bool, access: Access) -> Option<Arc<Page>> {
        let page = self.part(in_memory).get(&(file, offset))?;
        self.hits.count(access);
        Some(page)
    }

    /// Whether the page is here; counts nothing and makes it no hotter.
    pub fn has(&self, file: FileId, offset: u64, in_memory: bool) -> bool {
        self.part(in_memory).contains_key(&(file, offset))
    }

    /// Notes a page that a read took from disk.
    pub fn count_miss(&self, access: Access, bytes: u64) {
        self.misses.count(access);
        self.read_bytes.add(bytes);
    }

    /// Notes a page that was loaded ahead of its first read.
    pub fn count_load(&self, bytes: u64) {
        self.loaded.add(1);
        self.read_bytes.add(bytes);
    }

    /// Lets a page in.
    pub fn insert(&self, file: FileId, offset: u64, in_memory: bool, page: Arc<Page>) {
        self.part(in_memory).insert((file, offset), page);
        if in_memory {
            self.share_out();
        }
    }

    /// Drops all pages of a file; returns how many there were.
    pub fn evict_file(&self, file: FileId) -> u64 {
        let dropped = Cell::new(0);
        let stays = |key: &Key, _: &Arc<Page>| {
            let stays = key.0 != file;
            dropped.set(dropped.get() + u64::from(!stays));
            stays
        };
        self.pages.retain(stays);
        if self.in_memory.weight() > 0 {
            self.in_memory.retain(stays);
            self.share_out();
        }
        dropped.get()
    }

    /// True while pages can be loaded ahead without pushing others out.
    pub fn has_room(&self) -> bool {
        self.pages.weight() + self.in_memory.weight() < self.capacity - self.capacity / STEPS
    }

    /// Gives the pages that are not IN_MEMORY what those that are do not use.
    fn share_out(&self) {
        let step = (self.capacity / STEPS).max(1);
        let mut reserved = self.reserved.lock(); // before the look, so that the last to come sees what all others did
        let used = self.in_memory.weight().div_ceil(step) * step;
        if *reserved != used {
            *reserved = used;
            self.pages.set_capacity(self.capacity.saturating_sub(used));
        }
    }

    /// The counters.
    pub fn stats(&self) -> CacheStats {
        CacheStats {
            hit_count: self.hits.sum(),
            hit_caching_count: self.hits.caching.get(),
            miss_count: self.misses.sum(),
            miss_caching_count: self.misses.caching.get(),
            loaded_count: self.loaded.get(),
            read_bytes: self.read_bytes.get(),
            eviction_count: self.evictions.0.get(),
            page_count: (self.pages.len() + self.in_memory.len()) as u64,
            used_bytes: self.pages.weight() + self.in_memory.weight(),
            in_memory_bytes: self.in_memory.weight(),
            capacity_bytes: self.capacity,
        }
    }
}
