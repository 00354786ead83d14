//! What all targets share: a bound on each allocation. A decoder that believes a length or a count asks for more than its input justifies long
//! before the process has grown so much that libFuzzer notices, and memory that is never touched it would not notice at all.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::abort;

pub use libfuzzer_sys::fuzz_target;

/// More than any target needs: inputs have a few KiB, and the largest pages that targets allow 4 MiB.
const ALLOCATION_BYTES_MAX: usize = 32 << 20;

/// The system's allocator, with a bound.
struct Bounded;

impl Bounded {
    /// A finding, also where the caller would take the lack of memory for an answer.
    fn check(bytes: usize) {
        if bytes > ALLOCATION_BYTES_MAX {
            eprintln!("an allocation of {bytes} bytes, more than {ALLOCATION_BYTES_MAX}");
            abort();
        }
    }
}

// SAFETY: everything is System's own work; the check neither unwinds nor keeps anything.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Bounded::check(layout.size());
        // SAFETY: the caller's promises are those that System asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Bounded::check(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        Bounded::check(bytes);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, bytes) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Bounded = Bounded;
