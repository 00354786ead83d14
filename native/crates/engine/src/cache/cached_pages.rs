//! One file's pages, through the cache.

use std::sync::Arc;

use grampus_colfile::page::read_page;
use grampus_colfile::{Access, Error, Page, PageAt, PageSource, RandomRead, Result};

use super::{BlockCache, FileId};

/// A page source that asks the cache first; its pages leave the cache when it is dropped, if so wished.
pub struct CachedPages {
    file: Arc<dyn RandomRead>,
    cache: Arc<BlockCache>,
    id: FileId,
    evict_on_close: bool,
}

impl CachedPages {
    /// Pages of a file that is being opened.
    pub fn new(file: Arc<dyn RandomRead>, cache: Arc<BlockCache>, evict_on_close: bool) -> CachedPages {
        let id = cache.register();
        CachedPages { file, cache, id, evict_on_close }
    }
}

impl PageSource for CachedPages {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        if let Some(page) = self.cache.get(self.id, at.offset, access) {
            return Ok(page);
        }
        if !access.blocking {
            return Err(Error::WouldBlock);
        }
        self.cache.count_miss(access, u64::from(at.stored_len));
        let page = Arc::new(read_page(self.file.as_ref(), at)?);
        if access.cache {
            self.cache.insert(self.id, at.offset, Arc::clone(&page));
        }
        Ok(page)
    }

    fn name(&self) -> &str {
        self.file.name()
    }
}

impl Drop for CachedPages {
    fn drop(&mut self) {
        if self.evict_on_close {
            self.cache.evict_file(self.id);
        }
    }
}
