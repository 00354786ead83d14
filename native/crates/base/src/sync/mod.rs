//! Locks, atomics and threads of the log, the sequence ids, the completions and the block cache: parking_lot's and std's, or, with the
//! feature `shuttle`, ones whose every step a scheduler of [shuttle](https://docs.rs/shuttle) chooses, for `tests/schedules`.
//! With that feature nothing else runs: such a lock works within a run of the scheduler only.

/// Whether shuttle chooses every step.
pub const SCHEDULED: bool = cfg!(feature = "shuttle");

#[cfg(feature = "shuttle")]
mod scheduled;

#[cfg(not(feature = "shuttle"))]
pub use {
    parking_lot::{Condvar, Mutex, MutexGuard},
    std::{sync::atomic, thread},
};

#[cfg(feature = "shuttle")]
pub use {
    scheduled::{Condvar, Mutex, MutexGuard},
    shuttle::{sync::atomic, thread},
};
