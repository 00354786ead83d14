//! parking_lot's lock and condition, as far as the engine uses them, over shuttle's, which are like std's.
//!
//! Time stands still: a wait with a timeout ends only when it is notified, so that a wake-up that is lost shows as a deadlock.

use std::ops::{Deref, DerefMut};
use std::sync::{PoisonError, TryLockError};
use std::time::Duration;

use shuttle::sync;

/// A lock.
#[derive(Default)]
pub struct Mutex<T>(sync::Mutex<T>);

/// A lock that is held. Empty only while its holder waits for a [`Condvar`].
pub struct MutexGuard<'a, T>(Option<sync::MutexGuard<'a, T>>);

impl<T> Mutex<T> {
    /// A lock around a value.
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(sync::Mutex::new(value))
    }

    /// Waits for the lock.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// The lock if it is free.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(MutexGuard(Some(guard))),
            Err(TryLockError::Poisoned(guard)) => Some(MutexGuard(Some(guard.into_inner()))),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[expect(clippy::expect_used, reason = "a guard is empty only in `Condvar::wait`, which borrows it")]
impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().expect("the lock is held")
    }
}

#[expect(clippy::expect_used, reason = "a guard is empty only in `Condvar::wait`, which borrows it")]
impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_deref_mut().expect("the lock is held")
    }
}

/// Something to wait for.
#[derive(Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    /// A condition without waiters.
    pub const fn new() -> Condvar {
        Condvar(sync::Condvar::new())
    }

    /// Gives the lock up until it is notified.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        guard.0 = guard.0.take().map(|held| self.0.wait(held).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until the condition is false, without an end: time stands still.
    pub fn wait_while_for<T>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        mut condition: impl FnMut(&mut T) -> bool,
        _timeout: Duration,
    ) {
        while condition(guard) {
            self.wait(guard);
        }
    }

    /// Wakes one that waits.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes all that wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
