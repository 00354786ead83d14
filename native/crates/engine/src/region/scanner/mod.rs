//! An open scanner as its owner sees it.

use std::sync::Arc;

use parking_lot::Mutex;

mod scan_calls;

use grampus_base::Result;
use grampus_store::read::ScanLimits;
pub use scan_calls::NextOutcome;
pub(crate) use scan_calls::ScanCalls;

use crate::region::Region;

/// An open scanner of a region; one thread at a time. Between the calls a flush may take from it what it keeps in memory.
pub struct Scanner {
    region: Arc<Region>,
    calls: Arc<Mutex<ScanCalls>>,
    id: u64,
}

impl Scanner {
    pub(crate) fn new(region: Arc<Region>, calls: ScanCalls) -> Scanner {
        let generation = calls.generation();
        let calls = Arc::new(Mutex::new(calls));
        let id = region.scanners().add(&calls);
        let scanner = Scanner { region, calls, id };
        scanner.let_go_since(generation);
        scanner
    }

    /// Reads the next results.
    pub fn next(&mut self, limits: &ScanLimits, out: &mut [u8], info: &mut [u8]) -> Result<NextOutcome> {
        let _read = self.region.begin_read();
        let (outcome, generation) = {
            let mut calls = self.calls.lock();
            (calls.next(limits, out, info), calls.generation())
        };
        self.let_go_since(generation);
        outcome
    }

    /// Bytes that the scanner keeps in memory for its next call, pages above all. From now on they are the caller's to count.
    pub fn count_memory(&mut self) -> u64 {
        self.while_idle(|calls| calls.count_memory())
    }

    /// Keeps as little as possible in memory; the next call reads again what it needs.
    pub fn drop_pages(&mut self) {
        drop(self.while_idle(ScanCalls::drop_pages));
    }

    /// Between two calls. Like those it looks afterwards for memtables that have left their stores meanwhile.
    fn while_idle<T>(&mut self, act: impl FnOnce(&mut ScanCalls) -> T) -> T {
        let (done, generation) = {
            let mut calls = self.calls.lock();
            (act(&mut calls), calls.generation())
        };
        self.let_go_since(generation);
        done
    }

    /// Lets go of memtables that have left their stores since the call looked: a flush could not see to it while the lock was held.
    fn let_go_since(&self, generation: u64) {
        let scanners = self.region.scanners();
        if scanners.generation_after_unlock() != generation {
            scanners.let_go_of(&self.calls);
        }
    }
}

impl Drop for Scanner {
    fn drop(&mut self) {
        self.region.scanners().remove(self.id);
    }
}
