//! What the allocator takes for what it is asked for.

/// Bytes of memory that an allocation of `bytes` takes: glibc's malloc adds the eight of its size, rounds up to sixteen and takes at
/// least 32. For something as small as the bounds of a short value that is several times its length.
pub(crate) fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) }
}
