//! Bugs that a test switches on, so that a judge has something to find.
//!
//! `GRAMPUS_SEEDED_BUG=NAME` switches one on when the process starts, for its whole life. Without it a bug costs one atomic load.

use std::sync::OnceLock;

use crate::{Error, ErrorKind, Result};

/// Writes read the clock before they take their rows' locks.
pub const CLOCK_BEFORE_LOCKS: &str = "clock_before_locks";

/// The variable of the environment.
pub const VARIABLE: &str = "GRAMPUS_SEEDED_BUG";

/// All bugs that can be switched on.
const NAMES: [&str; 1] = [CLOCK_BEFORE_LOCKS];

/// What the process was started with, if anything.
///
/// # Errors
/// `BadRequest` when there is no bug of this name, so that no judge is tried with a server that keeps its promises.
pub fn seeded() -> Result<Option<&'static str>> {
    match value() {
        Some(name) if !NAMES.contains(&name) => Err(Error::new(
            ErrorKind::BadRequest,
            format!("{VARIABLE} is {name:?}: there is no such bug, only {}", NAMES.join(", ")),
        )),
        known => Ok(known),
    }
}

fn value() -> Option<&'static str> {
    static VALUE: OnceLock<Option<String>> = OnceLock::new();
    VALUE
        .get_or_init(|| std::env::var_os(VARIABLE).map(|name| name.to_string_lossy().into_owned()))
        .as_deref()
}

/// Whether a bug is on.
#[inline]
pub fn is_on(bug: &str) -> bool {
    value().is_some_and(|name| name == bug)
}
