//! Where a path's bytes are.

use std::io;

/// Positioned reads and writes within a fixed length. An error of a kind other than [`io::ErrorKind::UnexpectedEof`] says that
/// the medium fails.
pub(super) trait Medium: Send + Sync {
    /// Fills `buf` from a position.
    fn read_exact_at(&self, buf: &mut [u8], at: u64) -> io::Result<()>;

    /// Writes all bytes at a position; they need not survive anything.
    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()>;

    /// The path, for the log.
    fn name(&self) -> &str;
}
