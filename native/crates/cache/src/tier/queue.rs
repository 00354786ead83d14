//! Pages that wait to be written, oldest first, within a bound of bytes.
//!
//! A page stays here, and can be asked for, until it is written.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use grampus_colfile::Page;

use crate::FileId;
use crate::key::Key;

/// The queue of one path.
#[derive(Default)]
pub(super) struct Queue {
    pages: HashMap<Key, Arc<Page>>,
    /// Keys to be written next; one whose page is gone is passed over.
    order: VecDeque<Key>,
    bytes: u64,
}

impl Queue {
    pub(super) fn get(&self, key: Key) -> Option<&Arc<Page>> {
        self.pages.get(&key)
    }

    /// Lets a page in that is not here yet.
    pub(super) fn push(&mut self, key: Key, page: Arc<Page>) {
        self.bytes += page.body().len() as u64;
        self.pages.insert(key, page);
        self.order.push_back(key);
    }

    /// The next pages to write, about `bytes` of them; at least one if there are any. They stay here until they are removed.
    pub(super) fn batch(&mut self, bytes: usize) -> Vec<(Key, Arc<Page>)> {
        let (mut batch, mut taken) = (Vec::new(), 0);
        while taken < bytes
            && let Some(key) = self.order.pop_front()
        {
            if let Some(page) = self.pages.get(&key) {
                taken += page.body().len();
                batch.push((key, Arc::clone(page)));
            }
        }
        batch
    }

    /// Takes a page out; false when it is gone.
    pub(super) fn remove(&mut self, key: Key) -> bool {
        let page = self.pages.remove(&key);
        self.bytes -= page.as_ref().map_or(0, |page| page.body().len() as u64);
        page.is_some()
    }

    /// Takes the pages of a file out; returns how many there were.
    pub(super) fn remove_file(&mut self, file: FileId) -> u64 {
        let keys: Vec<Key> = self.pages.keys().filter(|key| key.0 == file).copied().collect();
        keys.iter().filter(|key| self.remove(**key)).count() as u64
    }

    /// Bytes of the pages that wait.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }
}
