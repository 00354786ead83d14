//! Memory that the medium can read and write by itself.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::io;
use std::ptr::NonNull;

use super::BLOCK;

/// Bytes at a multiple of [`BLOCK`], as many as were asked for, rounded up to whole blocks; they start as zeros.
pub(super) struct AlignedBuffer {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the buffer owns its memory and has no interior mutability.
unsafe impl Send for AlignedBuffer {}

impl AlignedBuffer {
    /// Room for `bytes`, but for one block at least.
    pub(super) fn new(bytes: usize) -> io::Result<AlignedBuffer> {
        let size = bytes.max(1).next_multiple_of(BLOCK);
        let layout = Layout::from_size_align(size, BLOCK).map_err(io::Error::other)?;
        // SAFETY: the layout has a size above 0.
        let start = unsafe { alloc_zeroed(layout) };
        let start = NonNull::new(start).unwrap_or_else(|| handle_alloc_error(layout));
        Ok(AlignedBuffer { start, layout })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is ours, initialized, and borrowed with the buffer.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.layout.size()) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and no other borrow can exist.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.layout.size()) }
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout, and freed only here.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}
