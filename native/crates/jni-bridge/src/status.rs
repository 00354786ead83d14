//! The packed return value of mutate, get and next: `status << 56 | n` (docs/jni.md).

/// Finished; n bytes were written.
pub(crate) const DONE: i64 = 0;
/// Applied; the reply waits for the token.
pub(crate) const PENDING: i64 = 1;
/// Nothing happened; run again blocking.
pub(crate) const WOULD_BLOCK: i64 = 2;
/// Nothing happened; the output needs n bytes.
pub(crate) const NEED_BYTES: i64 = 3;
/// What a mutation's status becomes when its output did not fit: DONE 4, PENDING 5.
pub(crate) const OVERFLOW: i64 = 4;

/// Nothing happened; run again after n microseconds.
pub(crate) const WAIT: i64 = 6;

/// Where the bytes are that a get scanned, and how many can be told.
const SCANNED_SHIFT: u32 = 32;
const SCANNED_MAX: u64 = 0xFF_FFFF;

/// DONE of a get: `status << 56 | scanned << 32 | n`. Its output is one of Java's buffers, of less than 2 GiB.
pub(crate) fn pack_get(written: usize, scanned: u64) -> i64 {
    pack(DONE, written) | scanned.min(SCANNED_MAX).cast_signed() << SCANNED_SHIFT
}

/// Packs a status and a number of bytes.
pub(crate) fn pack(status: i64, bytes: usize) -> i64 {
    status << 56 | bytes as i64
}
