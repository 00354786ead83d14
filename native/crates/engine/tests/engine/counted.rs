//! Counts what a thread allocates, whatever others do. It is the global allocator of this process, so no module of `common`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

thread_local! {
    /// Bytes that this thread holds.
    static HELD: Counter<isize> = const { Counter::new(0) };
    /// The most that it has held.
    static PEAK: Counter<isize> = const { Counter::new(0) };
}

/// The system's allocator, counted.
struct Counted;

fn count(bytes: isize) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: everything is System's own work; the counters neither allocate nor panic.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promises are those that System asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        count(bytes.cast_signed() - layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, bytes) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// What `act` returns, and the most that its thread held meanwhile more than before.
pub(crate) fn peak<T>(act: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    PEAK.set(before);
    let done = act();
    (done, usize::try_from(PEAK.get() - before).unwrap())
}
