//! The comparison of checksums of files.

/// Whether bytes have the checksum that was stored with them.
#[inline]
#[must_use]
pub fn checksum_holds(stored: u32, computed: u32) -> bool {
    stored == computed
}
