//! Row locks of a region: shared for batches of puts, exclusive for single operations, for deletes and for what reads before it writes.
//!
//! Rows share a fixed number of locks by hash. A call that needs several takes them in ascending order, each once, so no calls wait in a circle.

use std::sync::OnceLock;
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result, narrow};
use parking_lot::RawRwLock;
use parking_lot::lock_api::{RawRwLock as _, RawRwLockTimed as _};

const STRIPES: usize = 1024;

/// The locks of one region, made when the first of them is needed: a server may have thousands of regions without writes.
#[derive(Default)]
pub(crate) struct RowLocks {
    stripes: OnceLock<Box<[RawRwLock]>>,
}

/// Stripes that one call needs.
#[derive(Default)]
pub(crate) struct LockSet {
    stripes: Vec<u16>,
    exclusive: bool,
}

impl LockSet {
    /// A set for the rows of a batch of puts.
    pub(crate) fn shared() -> LockSet {
        LockSet { stripes: Vec::new(), exclusive: false }
    }

    /// A set for the rows of a single operation, of a batch with deletes, or of what reads before it writes.
    pub(crate) fn exclusive() -> LockSet {
        LockSet { stripes: Vec::new(), exclusive: true }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, row: &[u8]) {
        let stripe = stripe_of(row);
        if self.stripes.last() != Some(&stripe) {
            self.stripes.push(stripe);
        }
    }

    fn sort_and_dedup(&mut self) {
        if self.stripes.len() > 1 {
            self.stripes.sort_unstable();
            self.stripes.dedup();
        }
    }
}

fn stripe_of(row: &[u8]) -> u16 {
    narrow::to_u16(crc32c::crc32c(row) as usize % STRIPES)
}

/// Locks held until dropped.
pub(crate) struct RowGuard<'a> {
    locks: &'a [RawRwLock],
    set: LockSet,
    held: usize,
}

impl RowLocks {
    /// Takes all locks of a set. Without a wait limit a taken lock is `WouldBlock`, with one `Timeout` when it passes.
    pub(crate) fn lock(&self, mut set: LockSet, wait: Option<Duration>) -> Result<RowGuard<'_>> {
        set.sort_and_dedup();
        let locks = self.stripes.get_or_init(|| (0..STRIPES).map(|_| RawRwLock::INIT).collect());
        let mut guard = RowGuard { locks, set, held: 0 };
        for index in 0..guard.set.stripes.len() {
            let lock = &locks[guard.set.stripes[index] as usize];
            let taken = match (guard.set.exclusive, wait) {
                (false, None) => lock.try_lock_shared(),
                (true, None) => lock.try_lock_exclusive(),
                (false, Some(wait)) => lock.try_lock_shared() || lock.try_lock_shared_for(wait),
                (true, Some(wait)) => lock.try_lock_exclusive() || lock.try_lock_exclusive_for(wait),
            };
            if !taken {
                return Err(match wait {
                    None => Error::would_block(),
                    Some(wait) => Error::new(
                        ErrorKind::Timeout,
                        format!("Timed out waiting for a row lock after {} ms", wait.as_millis()),
                    ),
                });
            }
            guard.held += 1;
        }
        Ok(guard)
    }
}

impl Drop for RowGuard<'_> {
    fn drop(&mut self) {
        for stripe in self.set.stripes.iter().take(self.held) {
            let lock = &self.locks[*stripe as usize];
            // SAFETY: `lock` took exactly the first `held` stripes in this mode and nothing else gives them back.
            unsafe {
                if self.set.exclusive {
                    lock.unlock_exclusive();
                } else {
                    lock.unlock_shared();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(exclusive: bool, rows: &[&[u8]]) -> LockSet {
        let mut set = if exclusive { LockSet::exclusive() } else { LockSet::shared() };
        rows.iter().for_each(|row| set.add(row));
        set
    }

    #[test]
    fn shared_locks_go_together_and_exclusive_ones_do_not() {
        let locks = RowLocks::default();
        let first = locks.lock(set(false, &[b"a", b"b", b"a"]), None).unwrap();
        let second = locks.lock(set(false, &[b"b"]), None).unwrap();
        assert_eq!(locks.lock(set(true, &[b"a"]), None).err().unwrap().kind, ErrorKind::WouldBlock);
        let wait = Some(Duration::from_millis(5));
        assert_eq!(locks.lock(set(true, &[b"a"]), wait).err().unwrap().kind, ErrorKind::Timeout);
        drop((first, second));
        drop(locks.lock(set(true, &[b"a", b"b"]), None).unwrap());
        assert!(locks.lock(set(true, &[b"b"]), None).is_ok());
    }
}
