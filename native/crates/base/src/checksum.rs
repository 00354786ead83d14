//! The comparison of checksums that fuzz targets get past.

/// Whether bytes have the checksum that was stored with them. In a fuzz target they always have: none would by chance, and what reads the bytes
/// behind the check would never run.
#[inline]
#[must_use]
pub fn checksum_holds(stored: u32, computed: u32) -> bool {
    cfg!(fuzzing) || stored == computed
}
