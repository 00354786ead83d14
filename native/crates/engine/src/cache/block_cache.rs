//! Pages by file and offset.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_colfile::Page;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

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

/// Counters since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Pages found.
    pub hit_count: u64,
    /// Pages read from disk, whether or not they were let in.
    pub miss_count: u64,
    /// Pages in the cache.
    pub page_count: u64,
    /// Bytes in the cache.
    pub used_bytes: u64,
    /// Bytes that the cache may use.
    pub capacity_bytes: u64,
}

/// The cache; shared by all stores of a server.
pub struct BlockCache {
    pages: Cache<Key, Arc<Page>, PageBytes>,
    hits: AtomicU64,
    misses: AtomicU64,
    next_file: AtomicU64,
}

impl BlockCache {
    /// A cache of at most so many bytes; 0 caches nothing.
    pub fn new(capacity_bytes: u64) -> BlockCache {
        let items =
            usize::try_from(capacity_bytes / PAGE_BYTES_TYPICAL).unwrap_or(usize::MAX).clamp(64, 1 << 24);
        BlockCache {
            pages: Cache::with_weighter(items, capacity_bytes, PageBytes),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            next_file: AtomicU64::new(1),
        }
    }

    /// An identity for a file that is being opened.
    pub fn register(&self) -> FileId {
        FileId(self.next_file.fetch_add(1, Ordering::Relaxed))
    }

    /// The page, if it is here.
    #[inline]
    pub fn get(&self, file: FileId, offset: u64) -> Option<Arc<Page>> {
        let page = self.pages.get(&(file, offset))?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(page)
    }

    /// Notes a read from disk.
    pub fn count_miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
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
            hit_count: self.hits.load(Ordering::Relaxed),
            miss_count: self.misses.load(Ordering::Relaxed),
            page_count: self.pages.len() as u64,
            used_bytes: self.pages.weight(),
            capacity_bytes: self.pages.capacity(),
        }
    }
}
