//! Scanners of a region that are open, so that what they keep in memory can be had back from them.
//!
//! A flush takes the memtables that it has written from scanners without a running call: it tries their locks and never waits. A call that runs
//! meanwhile notices by itself that the generation has changed: at the next border between rows, and once more when it has given the
//! lock back. Invariant: each side writes before it reads, the flush the generation before it tries the lock, the call the lock before it
//! looks at the generation, with a fence in between. So one of them sees the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::scanner::ScanCalls;

/// The open scanners of a region.
#[derive(Default)]
pub(crate) struct OpenScanners {
    /// Counts the times that memtables have left their stores.
    generation: AtomicU64,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    last_id: u64,
    scanners: BTreeMap<u64, Weak<Mutex<ScanCalls>>>,
}

impl OpenScanners {
    /// Changes after memtables have left their stores. Read before the memtables are, it says later whether those are still the store's.
    #[inline]
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Adds a scanner and returns its id.
    pub(crate) fn add(&self, scanner: &Arc<Mutex<ScanCalls>>) -> u64 {
        let mut open = self.open.lock();
        open.last_id += 1;
        let id = open.last_id;
        open.scanners.insert(id, Arc::downgrade(scanner));
        id
    }

    /// The scanner is closed.
    pub(crate) fn remove(&self, id: u64) {
        let closed = self.open.lock().scanners.remove(&id);
        drop(closed);
    }

    /// Memtables have left their stores: scanners without a running call let go of them. The others do so by themselves.
    pub(crate) fn let_go(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let scanners: Vec<Arc<Mutex<ScanCalls>>> =
            self.open.lock().scanners.values().filter_map(Weak::upgrade).collect();
        scanners.iter().for_each(|scanner| self.let_go_of(scanner));
    }

    /// The same for one scanner. The call that has its lock at that time looks at the generation afterwards.
    pub(crate) fn let_go_of(&self, scanner: &Mutex<ScanCalls>) {
        let mut known = self.generation();
        loop {
            let Some(mut locked) = scanner.try_lock() else { return };
            let taken = locked.let_go();
            drop(locked);
            // Freeing memory takes its time: after the lock, which the client's next call needs.
            drop(taken);
            let now = self.generation_after_unlock();
            if now == known {
                return;
            }
            known = now;
        }
    }

    /// The generation, as a call reads it that has just given back a scanner's lock.
    pub(crate) fn generation_after_unlock(&self) -> u64 {
        fence(Ordering::SeqCst);
        self.generation()
    }
}
