//! Threads that must not wait for other machines.

use std::cell::Cell;
use std::fmt;

use super::FakeEnv;

thread_local! {
    static IS_EVENT_LOOP: Cell<bool> = const { Cell::new(false) };
}

impl FakeEnv {
    /// Runs something as an event loop would: on this thread no remote environment may be asked to do what waits.
    pub fn on_event_loop<T>(run: impl FnOnce() -> T) -> T {
        let _mark = Mark::set();
        run()
    }

    /// Whatever waits for other machines says so here.
    pub(super) fn may_wait(&self, what: fmt::Arguments<'_>) {
        assert!(!(self.is_remote() && IS_EVENT_LOOP.get()), "an event loop waits for {what}");
    }
}

/// The thread is an event loop until this is dropped.
struct Mark(bool);

impl Mark {
    fn set() -> Mark {
        Mark(IS_EVENT_LOOP.replace(true))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        IS_EVENT_LOOP.set(self.0);
    }
}
