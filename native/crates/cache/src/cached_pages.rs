//! One file's pages, through the cache.

use std::ops::Range;
use std::sync::{Arc, Weak};

use grampus_base::RandomRead;
use grampus_base::sync::atomic::{AtomicBool, Ordering};
use grampus_colfile::page::{LARGE_PAGE_BYTES, read_page};
use grampus_colfile::{Access, Error, Page, PageAt, PageKind, PageSource, Result};

use super::open_bytes::OpenBytes;
use super::wanted::LoadFilter;
use super::{BlockCache, FileId};
use crate::large_reads::reserve_large_page;

/// What a family wants of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheRules {
    /// Reads may let pages of cells in; those of bloom filters they always do, as in HBase.
    pub data: bool,
    /// The pages live in the part for IN_MEMORY families.
    pub in_memory: bool,
}

/// A page source that asks the cache first.
pub struct CachedPages {
    /// For what is to be loaded later, if it is still there then.
    me: Weak<CachedPages>,
    file: Arc<dyn RandomRead>,
    cache: Arc<BlockCache>,
    id: FileId,
    rules: CacheRules,
    /// The pages stay when this is dropped: the file may be opened again.
    keep: AtomicBool,
    /// A page may have come into the cache through this. Others may be there from an earlier open of the file.
    touched: AtomicBool,
    /// A page of a bloom filter was damaged or could not be read: reads go on without them.
    without_filters: AtomicBool,
    /// What the file takes while it is open. Here, because each reader of the file holds its pages.
    _open: OpenBytes,
}

impl CachedPages {
    /// Pages of a file that is being opened. They leave the cache with it, unless [`CachedPages::keep`] says otherwise. The file
    /// takes `open_bytes` of memory beside them. Until this is dropped, the cache's capacity for pages is smaller by these bytes.
    pub fn new(
        file: Arc<dyn RandomRead>,
        cache: Arc<BlockCache>,
        id: FileId,
        rules: CacheRules,
        open_bytes: u64,
    ) -> Arc<CachedPages> {
        let open = OpenBytes::take(&cache, open_bytes);
        let no = || AtomicBool::new(false);
        let (keep, touched, without_filters) = (no(), no(), no());
        Arc::new_cyclic(|me| CachedPages {
            me: Weak::clone(me),
            file,
            cache,
            id,
            rules,
            keep,
            touched,
            without_filters,
            _open: open,
        })
    }

    /// The pages stay in the cache after the file is closed.
    pub fn keep(&self) {
        self.keep.store(true, Ordering::Release);
    }

    /// The pages leave the cache. Those that are read from now on leave it when this is dropped.
    pub fn evict(&self) {
        self.keep.store(false, Ordering::Release);
        self.touched.store(false, Ordering::Release); // before the pages leave: see `insert`
        self.cache.evict_file(self.id);
    }

    /// The pages that are in the cache now leave it; returns how many. Nothing changes for those that are read later.
    pub fn clear(&self) -> u64 {
        self.cache.evict_file(self.id)
    }

    /// The file's identity in the cache.
    pub fn cache_id(&self) -> FileId {
        self.id
    }

    fn insert(&self, at: PageAt, page: Arc<Page>) {
        self.cache.insert(self.id, at.offset, self.rules.in_memory, page);
        // After the page is in: an `evict` that did not see it has already said that there is none.
        if !self.touched.load(Ordering::Acquire) {
            self.touched.store(true, Ordering::Release);
        }
    }

    /// Brings a page into the cache, whatever the rules are, unless it is there or too large ([`BlockCache::is_too_large`]). No read waits
    /// for it, so it counts neither as hit nor as miss. False when it is too large.
    pub fn load(&self, at: PageAt) -> Result<bool> {
        if self.cache.is_too_large(at) {
            return Ok(false);
        }
        if self.cache.has(self.id, at.offset, self.rules.in_memory) {
            return Ok(true);
        }
        self.cache.count_load(u64::from(at.stored_len));
        let page = Arc::new(read_page(self.file.as_ref(), at)?);
        self.insert(at, page);
        Ok(true)
    }

    /// True while pages can be loaded without pushing others out.
    pub fn has_room(&self) -> bool {
        self.cache.has_room()
    }

    /// The same pages for a reader of all of them, once: those that are cached from the cache, the others in large pieces.
    pub fn one_pass(self: &Arc<CachedPages>) -> Arc<dyn PageSource> {
        match self.file.one_pass() {
            Some(file) => Arc::new(PassPages { file, pages: Arc::clone(self) }),
            None => Arc::clone(self) as Arc<dyn PageSource>,
        }
    }

    /// The page from memory or by `fetch`, which may wait for a disk.
    fn page_or(
        &self,
        at: PageAt,
        access: Access,
        fetch: impl FnOnce() -> Result<Arc<Page>>,
    ) -> Result<Arc<Page>> {
        if let Some(page) = self.cache.get(self.id, at.offset, self.rules.in_memory, access) {
            return Ok(page);
        }
        if !access.blocking {
            return Err(Error::WouldBlock);
        }
        self.cache.count_miss(access);
        // The read that it is for is found by its thread.
        let large = match at.raw_len as usize >= LARGE_PAGE_BYTES {
            true => reserve_large_page(u64::from(at.raw_len)).map_err(Error::Busy)?,
            false => None,
        };
        let page = fetch()?;
        if at.kind == PageKind::Bloom || access.cache && self.rules.data && !self.cache.is_too_large(at) {
            self.insert(at, Arc::clone(&page));
        } else if let Some(large) = large {
            page.set_counter(Box::new(large));
        }
        Ok(page)
    }

    fn read(&self, file: &dyn RandomRead, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.cache.count_file_miss(access);
        self.cache.count_read(u64::from(at.stored_len));
        Ok(Arc::new(read_page(file, at)?))
    }

    /// The page from the second tier. A file that came back with other pages under its name would be noticed by their length at best;
    /// names are unique, so it does not.
    fn second(&self, at: PageAt, access: Access) -> Option<Arc<Page>> {
        self.cache.get_second(self.id, at, access).filter(|page| is_whole(page, at))
    }
}

fn is_whole(page: &Page, at: PageAt) -> bool {
    page.body().len() == at.raw_len as usize
}

impl LoadFilter for CachedPages {
    /// Where that fails, the file's filters are given up: a reader that reads its cells finds out what is wrong with it.
    fn load_filter(&self, at: PageAt) -> Result<()> {
        let loaded = match self.cache.load_second(self.id, at).filter(|page| is_whole(page, at)) {
            Some(page) => {
                self.insert(at, page);
                Ok(())
            }
            None => self.load(at).map(|_| ()),
        };
        loaded.inspect_err(|_| self.without_filters.store(true, Ordering::Relaxed))
    }
}

impl PageSource for CachedPages {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.page_or(at, access, || match self.second(at, access) {
            Some(page) => Ok(page),
            None => self.read(self.file.as_ref(), at, access),
        })
    }

    fn page_in_memory(&self, at: PageAt, access: Access) -> Option<Arc<Page>> {
        self.cache.get(self.id, at.offset, self.rules.in_memory, access)
    }

    /// From memory, or not at all; then the page is loaded soon.
    fn filter_page(&self, at: PageAt, access: Access) -> Result<Option<Arc<Page>>> {
        let page = self.cache.get(self.id, at.offset, self.rules.in_memory, access);
        if page.is_none() && !self.without_filters.load(Ordering::Relaxed) {
            self.cache.want_filter((self.id, at.offset), self.me.clone(), at);
        }
        Ok(page)
    }

    /// When the first page is cached, in either tier, the others are taken to be, too.
    fn will_read(&self, first: PageAt, bytes: Range<u64>) {
        if !self.cache.has_anywhere(self.id, first.offset, self.rules.in_memory) {
            self.file.will_read(bytes);
        }
    }

    fn name(&self) -> &str {
        self.file.name()
    }
}

/// One pass over a file's pages; the second tier is not asked, its pages would come one by one.
struct PassPages {
    file: Arc<dyn RandomRead>,
    pages: Arc<CachedPages>,
}

impl PageSource for PassPages {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        self.pages.page_or(at, access, || self.pages.read(self.file.as_ref(), at, access))
    }

    fn name(&self) -> &str {
        self.file.name()
    }
}

impl Drop for CachedPages {
    fn drop(&mut self) {
        if self.touched.load(Ordering::Acquire) && !self.keep.load(Ordering::Acquire) {
            self.cache.evict_file(self.id);
        }
    }
}
