//! A hint to the processor that bytes will be read soon.

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;
/// Longer slices are walked by the processor's own prefetcher once their start has arrived.
const LINES_MAX: usize = 32;

/// Starts to load a slice into the processor's caches. Changes nothing else; does nothing on processors other than x86-64.
#[inline]
pub(crate) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(LINE_BYTES).take(LINES_MAX) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer comes from a live slice, and a prefetch of any address has no effect on the program's state.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, LINE_BYTES, LINES_MAX);
}
