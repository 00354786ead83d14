//! Pages of bloom filters that gets went without: a thread that may wait loads them. Why is in `docs/design/0017-bloom-filters-at-hand.md`.

use std::collections::HashMap;
use std::sync::Weak;

use grampus_base::sync::Mutex;
use grampus_colfile::{PageAt, Result};

use super::key::Key;

/// More are not remembered: the next get that goes without one asks again.
const WANTED_MAX: usize = 1024;

/// An open file that loads pages of its bloom filter.
pub(super) trait LoadFilter: Send + Sync {
    /// Loads one into the cache.
    fn load_filter(&self, at: PageAt) -> Result<()>;
}

/// A page and the file that it is of.
type Page = (Weak<dyn LoadFilter>, PageAt);

/// The pages. Nothing here keeps a file open.
#[derive(Default)]
pub(super) struct Wanted {
    pages: Mutex<HashMap<Key, Page>>,
}

impl Wanted {
    /// Remembers a page, unless there are too many.
    pub(super) fn add(&self, key: Key, file: Weak<dyn LoadFilter>, at: PageAt) {
        let mut pages = self.pages.lock();
        if pages.len() < WANTED_MAX {
            pages.entry(key).or_insert((file, at));
        }
    }

    /// At most `most` of the pages. They stay wanted until [`Wanted::forget`].
    pub(super) fn some(&self, most: usize) -> Vec<(Key, Weak<dyn LoadFilter>, PageAt)> {
        let pages = self.pages.lock();
        pages.iter().take(most).map(|(key, (file, at))| (*key, Weak::clone(file), *at)).collect()
    }

    /// The page is not wanted any more.
    pub(super) fn forget(&self, key: Key) {
        self.pages.lock().remove(&key);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.pages.lock().len()
    }
}
