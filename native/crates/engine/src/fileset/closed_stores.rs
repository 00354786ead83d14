//! Stores that were closed and whose pages stayed in the cache, for their return.
//!
//! A file that is gone from its directory was dropped with its table, truncated or compacted by another server: nobody will ask for
//! its pages. The master does that some time after the close and tells nobody, so the directories are looked at.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::PathBuf;

use parking_lot::Mutex;

use crate::cache::{BlockCache, FileId};
use crate::env::Env;

/// More are not remembered, the oldest is forgotten: its pages leave when others need the room.
const STORES_MAX: usize = 1024;

/// A closed store's files that have pages in the cache.
pub struct ClosedStore {
    dir: PathBuf,
    files: Vec<(String, FileId)>,
}

impl ClosedStore {
    /// Files by their names in the family directory; `None` without files.
    pub(super) fn new(dir: PathBuf, files: Vec<(String, FileId)>) -> Option<ClosedStore> {
        (!files.is_empty()).then_some(ClosedStore { dir, files })
    }

    /// Forgets the files that are gone and returns them. A directory that cannot be read is taken to have all.
    fn take_gone(&mut self, env: &dyn Env) -> Vec<FileId> {
        let there: HashSet<String> = match env.list(&self.dir) {
            Ok(entries) => entries.into_iter().map(|entry| entry.name).collect(),
            Err(e) if e.kind() == io::ErrorKind::NotFound => HashSet::new(),
            Err(_) => return Vec::new(),
        };
        let (stay, gone): (Vec<_>, Vec<_>) = self.files.drain(..).partition(|(name, _)| there.contains(name));
        self.files = stay;
        gone.into_iter().map(|(_, id)| id).collect()
    }
}

/// The stores, the one that was looked at last at the end.
#[derive(Default)]
pub struct ClosedStores {
    stores: Mutex<VecDeque<ClosedStore>>,
}

impl ClosedStores {
    /// A store was closed.
    pub fn add(&self, store: ClosedStore) {
        let mut stores = self.stores.lock();
        stores.retain(|known| known.dir != store.dir);
        if stores.len() == STORES_MAX {
            stores.pop_front();
        }
        stores.push_back(store);
    }

    /// Looks at the next so many stores; the pages of files that are gone leave the cache. For one thread.
    pub fn look(&self, env: &dyn Env, cache: &BlockCache, most: usize) {
        let next: Vec<ClosedStore> = {
            let mut stores = self.stores.lock();
            let most = most.min(stores.len());
            stores.drain(..most).collect()
        };
        let mut gone = HashSet::new();
        for mut store in next {
            gone.extend(store.take_gone(env));
            if !store.files.is_empty() {
                self.put_back(store);
            }
        }
        if !gone.is_empty() {
            cache.evict_files(&gone);
        }
    }

    /// Unless it was opened and closed again during the look.
    fn put_back(&self, store: ClosedStore) {
        let mut stores = self.stores.lock();
        if stores.len() < STORES_MAX && stores.iter().all(|known| known.dir != store.dir) {
            stores.push_back(store);
        }
    }
}
