//! Stores that were closed and whose pages stayed in the cache, for their return.
//!
//! The pages of a file that has left its directory are useless: its table was dropped or truncated, or another server compacted it. The
//! master removes files some time after the close and does not report it, so the directories are listed. Few at a time: they may be on
//! a file system that all servers share.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use grampus_cache::{BlockCache, FileId};
use grampus_env::Env;
use parking_lot::Mutex;

/// More are not remembered, the oldest is forgotten: its pages leave when others need the room.
const STORES_MAX: usize = 1024;

/// Milliseconds from one check to the next.
const CHECK_EVERY_MILLIS: i64 = 10_000;

/// Stores whose directories one check lists.
const STORES_PER_CHECK: usize = 8;

/// A closed store's files that may have pages in the cache.
pub struct ClosedStore {
    dir: PathBuf,
    files: Vec<(String, FileId)>,
}

impl ClosedStore {
    /// Files by their names in the family directory; `None` without files.
    pub(super) fn new(dir: PathBuf, files: Vec<(String, FileId)>) -> Option<ClosedStore> {
        (!files.is_empty()).then_some(ClosedStore { dir, files })
    }

    /// Takes over the files of an earlier or later close of the store.
    fn merge(&mut self, other: ClosedStore) {
        for file in other.files {
            if !self.files.contains(&file) {
                self.files.push(file);
            }
        }
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

/// The stores, the one that was closed or looked at last at the end.
#[derive(Default)]
pub struct ClosedStores {
    stores: Mutex<VecDeque<ClosedStore>>,
    /// When the next check is due, by the monotonic clock.
    next_check_millis: AtomicI64,
}

impl ClosedStores {
    /// A store was closed. Files of its earlier closes are remembered until they are gone: it may have been opened and closed with others
    /// elsewhere meanwhile.
    pub fn add(&self, mut store: ClosedStore) {
        let mut stores = self.stores.lock();
        if let Some(known) = take(&mut stores, &store.dir) {
            store.merge(known);
        }
        if stores.len() == STORES_MAX {
            stores.pop_front();
        }
        stores.push_back(store);
    }

    /// Checks the next few stores if a check is due at this time of the monotonic clock; the pages of files that are gone leave the
    /// cache. For one thread.
    pub fn check_if_due(&self, env: &dyn Env, cache: &BlockCache, now_millis: i64) {
        if now_millis >= self.next_check_millis.load(Ordering::Relaxed) {
            self.next_check_millis.store(now_millis + CHECK_EVERY_MILLIS, Ordering::Relaxed);
            self.check(env, cache);
        }
    }

    fn check(&self, env: &dyn Env, cache: &BlockCache) {
        let next: Vec<ClosedStore> = {
            let mut stores = self.stores.lock();
            let most = STORES_PER_CHECK.min(stores.len());
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

    /// After the check, in which the store may have been opened and closed again.
    fn put_back(&self, store: ClosedStore) {
        let mut stores = self.stores.lock();
        if let Some(known) = stores.iter_mut().find(|known| known.dir == store.dir) {
            known.merge(store);
        } else if stores.len() < STORES_MAX {
            stores.push_back(store);
        }
    }
}

fn take(stores: &mut VecDeque<ClosedStore>, dir: &Path) -> Option<ClosedStore> {
    let index = stores.iter().position(|known| known.dir == dir)?;
    stores.remove(index)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test says so by panicking")]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{CHECK_EVERY_MILLIS, ClosedStore, ClosedStores};
    use grampus_cache::BlockCache;
    use grampus_env::{Env, FakeEnv};

    const DIR: &str = "/h/f";

    struct World {
        env: FakeEnv,
        cache: BlockCache,
        closed: ClosedStores,
    }

    impl World {
        fn new() -> World {
            let env = FakeEnv::new(1);
            env.mkdir_durably(Path::new(DIR)).unwrap();
            World { env, cache: BlockCache::new(1 << 20), closed: ClosedStores::default() }
        }

        fn create(&self, name: &str) {
            drop(self.env.create(&Path::new(DIR).join(name)).unwrap());
        }

        fn store(&self, names: &[&str]) -> ClosedStore {
            let file = |name: &&str| (name.to_string(), self.cache.identify(&name.repeat(32)));
            ClosedStore::new(PathBuf::from(DIR), names.iter().map(file).collect()).unwrap()
        }

        /// Checks at a time, and returns the files that are remembered.
        fn check(&self, now_millis: i64) -> Vec<String> {
            self.closed.check_if_due(&self.env, &self.cache, now_millis);
            self.remembered()
        }

        fn remembered(&self) -> Vec<String> {
            let stores = self.closed.stores.lock();
            stores.iter().flat_map(|store| &store.files).map(|(name, _)| name.clone()).collect()
        }
    }

    #[test]
    fn directories_are_checked_when_it_is_time() {
        let world = World::new();
        world.check(5);
        world.closed.add(world.store(&["a"]));
        assert_eq!(world.check(5 + CHECK_EVERY_MILLIS - 1), ["a"]);
        assert!(world.check(5 + CHECK_EVERY_MILLIS).is_empty());
    }

    #[test]
    fn files_of_all_closes_of_a_store_are_remembered_until_they_are_gone() {
        let world = World::new();
        ["a", "c"].iter().for_each(|name| world.create(name));
        world.closed.add(world.store(&["a", "b"]));
        world.closed.add(world.store(&["b", "c"]));
        assert_eq!(world.remembered(), ["b", "c", "a"]);
        assert_eq!(world.check(0), ["c", "a"]);
        // Closed again while it is looked at.
        let looked_at = world.closed.stores.lock().pop_front().unwrap();
        world.closed.add(world.store(&["d"]));
        world.closed.put_back(looked_at);
        assert_eq!(world.remembered(), ["d", "c", "a"]);
    }
}
