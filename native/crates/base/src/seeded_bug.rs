//! Bugs that a test switches on, so that a judge has something to find.
//!
//! `GRAMPUS_SEEDED_BUG=NAME` switches one on when the process starts, for its whole life. Without it a bug costs one atomic load.

use std::sync::OnceLock;

/// Writes read the clock before they take their rows' locks.
pub const CLOCK_BEFORE_LOCKS: &str = "clock_before_locks";

/// The variable of the environment.
pub const VARIABLE: &str = "GRAMPUS_SEEDED_BUG";

/// What the process was started with.
pub fn seeded() -> Option<&'static str> {
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    NAME.get_or_init(|| std::env::var(VARIABLE).ok()).as_deref()
}

/// Whether a bug is on.
#[inline]
pub fn is_on(bug: &str) -> bool {
    seeded().is_some_and(|name| name == bug)
}
