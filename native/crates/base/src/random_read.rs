//! Positioned reads of a file that does not change.

use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Positioned reads of an immutable file. Implementations are shared between threads; a read has no position of its own.
pub trait RandomRead: Send + Sync {
    /// Length of the file in bytes.
    fn len(&self) -> u64;

    /// True for a file of no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buf` from `offset`; a file that ends earlier is [`io::ErrorKind::UnexpectedEof`].
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()>;

    /// The name that errors carry.
    fn name(&self) -> &str;

    /// A hint: these bytes will be read soon, so an implementation that can may begin to fetch them. Does not wait and cannot fail.
    fn will_read(&self, _bytes: Range<u64>) {}

    /// The same file for a reader that reads it once, front to back in one or several places, and never again: it may be read in
    /// larger pieces and past the system's caches. `None` where that makes no difference.
    fn one_pass(&self) -> Option<Arc<dyn RandomRead>> {
        None
    }
}
