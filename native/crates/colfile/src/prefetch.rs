//! A hint to the processor that bytes will be read soon.

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;
/// Longer slices are walked by the processor's own prefetcher once their start has arrived.
const LINES_MAX: usize = 32;

/// Smaller strings are found by few reads, and larger ones take longer to copy than to find.
const STRING_BYTES: std::ops::Range<usize> = 64..LINES_MAX * LINE_BYTES;

/// Starts to load string `index` of `count` that make up most of a page, from where it is if they are about as long as one another:
/// the page's header, which says where it is, comes from memory at the same time.
#[inline]
pub(crate) fn prefetch_string(body: &[u8], index: u32, count: u32) {
    let (index, count) = (index as usize, count as usize);
    let bytes = body.len() / count.max(1);
    if index < count && STRING_BYTES.contains(&bytes) {
        let from = bytes * index;
        prefetch(body.get(from..(from + bytes + LINE_BYTES).min(body.len())).unwrap_or_default());
    }
}

/// Starts to load a slice into the processor's caches. Changes nothing else; does nothing on processors other than x86-64.
#[inline]
pub(crate) fn prefetch(bytes: &[u8]) {
    bytes.chunks(LINE_BYTES).take(LINES_MAX).for_each(|line| prefetch_line(line.as_ptr()));
}

/// The same for a value, without what it points to.
#[inline]
pub(crate) fn prefetch_value<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<u8>();
    (0..size_of::<T>()).step_by(LINE_BYTES).for_each(|at| prefetch_line(start.wrapping_add(at)));
}

#[inline]
fn prefetch_line(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address has no effect on the program's state.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
