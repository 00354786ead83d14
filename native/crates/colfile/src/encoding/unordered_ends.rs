//! Ends of runs that do not ascend, which only fuzzing meets. With them an integer depends on the reads before (`RunLength::last`), so
//! two walks cannot be compared. They are looked for only where it is fuzzed; seeds do not differ in two walks from the start.

use std::cell::Cell;

thread_local! {
    static SEEN: Cell<bool> = const { Cell::new(false) };
}

/// Called for each sequence of ends of runs that is parsed.
#[cfg(fuzzing)]
pub(crate) fn note(mut ends: impl Iterator<Item = u64>) {
    let mut last = 0;
    if !ends.all(|end| end > std::mem::replace(&mut last, end)) {
        SEEN.set(true);
    }
}

/// Before the first walk.
pub(crate) fn forget() {
    SEEN.set(false);
}

/// Whether this thread has parsed such ends.
pub(crate) fn were_seen() -> bool {
    SEEN.get()
}
