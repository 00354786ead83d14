//! Where a cursor gets its pages: straight from the file, or through a cache that the store puts in between.

use std::ops::Range;
use std::sync::Arc;

use grampus_base::RandomRead;

use crate::error::Result;
use crate::page::{Page, PageAt, read_page};

/// How a read wants its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether a page read from disk may enter the cache.
    pub cache: bool,
    /// Whether the read may wait for the disk; if not, a missing page is [`crate::Error::WouldBlock`].
    pub blocking: bool,
}

impl Access {
    /// Waits for the disk and feeds the cache.
    pub const CACHED: Access = Access { cache: true, blocking: true };
    /// Waits for the disk and leaves the cache as it is.
    pub const READ_THROUGH: Access = Access { cache: false, blocking: true };
}

/// Pages of one file.
pub trait PageSource: Send + Sync {
    /// The page at a place that the file's footer names.
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>>;

    /// The page if it is in memory, for a reader that will read it. One that is not there is no miss: [`PageSource::page`] is asked for it then.
    fn page_in_memory(&self, _at: PageAt, _access: Access) -> Option<Arc<Page>> {
        None
    }

    /// A page of a bloom filter, for a question about one row. `None` where it is not at hand: the page of row keys answers the question,
    /// too, and costs a read as well.
    fn filter_page(&self, at: PageAt, access: Access) -> Result<Option<Arc<Page>>> {
        self.page(at, access).map(Some)
    }

    /// A hint: pages that fill these bytes of the file will be asked for soon, this one first. Does not wait and cannot fail.
    fn will_read(&self, _first: PageAt, _bytes: Range<u64>) {}

    /// The file's name, for errors.
    fn name(&self) -> &str;
}

/// Reads every page from the file.
pub struct DirectPages {
    file: Arc<dyn RandomRead>,
}

impl DirectPages {
    /// Pages of a file, without a cache.
    pub fn new(file: Arc<dyn RandomRead>) -> DirectPages {
        DirectPages { file }
    }
}

impl PageSource for DirectPages {
    fn page(&self, at: PageAt, _access: Access) -> Result<Arc<Page>> {
        Ok(Arc::new(read_page(self.file.as_ref(), at)?))
    }

    fn will_read(&self, _first: PageAt, bytes: Range<u64>) {
        self.file.will_read(bytes);
    }

    fn name(&self) -> &str {
        self.file.name()
    }
}
