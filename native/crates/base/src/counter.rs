//! A number that only grows.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows; any thread may add to it.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds to it.
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// Its value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
