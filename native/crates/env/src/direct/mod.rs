//! Files that bypass the page cache, by Linux's `O_DIRECT`.
//!
//! A column file is written once, front to back, and its pages are cached, decompressed, in the block cache. Copying its bytes
//! through the page cache as well costs more CPU than everything else that a flush or compaction does, above all where the cache
//! has to grow for them, and it pushes pages out that others read. The kernel wants memory, offsets and lengths in
//! multiples of the medium's block, which is at most 4 KiB.

use std::io;

mod append;
mod buffer;
mod pass;

pub(super) use append::DirectAppend;
pub(super) use pass::PassRead;

/// Memory, offsets and lengths are multiples of it.
const BLOCK: usize = 4096;

/// Whether an error is Linux's refusal to go past the page cache: the file system cannot, or its blocks are larger.
fn is_misaligned(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EINVAL)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// A test that has nothing to look at says so: the test passes on file systems of every kind.
    pub(super) fn says_why_not(path: &Path) {
        eprintln!("NOT TESTED: {} is on a file system that cannot bypass the page cache", path.display());
    }
}
