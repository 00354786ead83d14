//! Pages by file and offset.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_colfile::{Access, Page};
use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Lifecycle, Weighter};

use crate::maintenance::Counter;

/// An open file's identity in the cache; a file that is opened again gets another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId(u64);

type Key = (FileId, u64);

/// Bytes that an entry costs besides its page.
const ENTRY_BYTES: u64 = 64;

/// What a page is expected to weigh, for the size of the tables.
const PAGE_BYTES_TYPICAL: u64 = 32 * 1024;

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
    /// Pages read from disk, whether or not they were let in.
    pub miss_count: u64,
    /// Those of reads that let pages in.
    pub miss_caching_count: u64,
    /// Stored bytes of the pages read from disk, for whatever reason.
    pub read_bytes: u64,
    /// Pages that left, or were not let in, for want of room.
    pub eviction_count: u64,
    /// Pages in the cache.
    pub page_count: u64,
    /// Bytes in the cache.
    pub used_bytes: u64,
    /// Bytes that the cache may use.
    pub capacity_bytes: u64,
}

/// The cache; shared by all stores of a server.
pub struct BlockCache {
    pages: Cache<Key, Arc<Page>, PageBytes, DefaultHashBuilder, Evictions>,
    hits: Requests,
    misses: Requests,
    read_bytes: Counter,
    evictions: Evictions,
    next_file: AtomicU64,
}

impl BlockCache {
    /// A cache of at most so many bytes; 0 caches nothing.
    pub fn new(capacity_bytes: u64) -> BlockCache {
        let items =
            usize::try_from(capacity_bytes / PAGE_BYTES_TYPICAL).unwrap_or(usize::MAX).clamp(64, 1 << 24);
        let evictions = Evictions::default();
        BlockCache {
            pages: Cache::with(
                items,
                capacity_bytes,
                PageBytes,
                DefaultHashBuilder::default(),
                evictions.clone(),
            ),
            hits: Requests::default(),
            misses: Requests::default(),
            read_bytes: Counter::default(),
            evictions,
            next_file: AtomicU64::new(1),
        }
    }

    /// An identity for a file that is being opened.
    pub fn register(&self) -> FileId {
        FileId(self.next_file.fetch_add(1, Ordering::Relaxed))
    }

    /// The page, if it is here.
    #[inline]
    pub fn get(&self, file: FileId, offset: u64, access: Access) -> Option<Arc<Page>> {
        let page = self.pages.get(&(file, offset))?;
        self.hits.count(access);
        Some(page)
    }

    /// Notes a read of so many bytes from disk.
    pub fn count_miss(&self, access: Access, bytes: u64) {
        self.misses.count(access);
        self.read_bytes.add(bytes);
    }

    /// Lets a page in.
    pub fn insert(&self, file: FileId, offset: u64, page: Arc<Page>) {
        self.pages.insert((file, offset), page);
    }

    /// Drops all pages of a file.
    pub fn evict_file(&self, file: FileId) {
        self.pages.retain(|key, _| key.0 != file);
    }

    /// The counters.
    pub fn stats(&self) -> CacheStats {
        CacheStats {
            hit_count: self.hits.sum(),
            hit_caching_count: self.hits.caching.get(),
            miss_count: self.misses.sum(),
            miss_caching_count: self.misses.caching.get(),
            read_bytes: self.read_bytes.get(),
            eviction_count: self.evictions.0.get(),
            page_count: self.pages.len() as u64,
            used_bytes: self.pages.weight(),
            capacity_bytes: self.pages.capacity(),
        }
    }
}
