//! Bump allocation for memtable nodes: memory is handed out piece by piece and freed as a whole.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use parking_lot::Mutex;

const CHUNK_BYTES_MIN: usize = 16 * 1024;
const CHUNK_BYTES_MAX: usize = 1024 * 1024;
const ALIGN: usize = 8;

struct Chunk {
    memory: *mut [MaybeUninit<u64>],
    used: AtomicUsize,
}

impl Chunk {
    fn new(bytes: usize) -> Chunk {
        let memory = Box::new_uninit_slice(bytes.div_ceil(ALIGN));
        Chunk { memory: Box::into_raw(memory), used: AtomicUsize::new(0) }
    }

    fn bytes(&self) -> usize {
        self.memory.len() * ALIGN
    }

    /// `bytes` is a multiple of [`ALIGN`].
    fn alloc(&self, bytes: usize) -> Option<*mut u8> {
        // A failed attempt leaves `used` beyond the end, which only makes later attempts fail as well.
        let at = self.used.fetch_add(bytes, Ordering::Relaxed);
        if at.checked_add(bytes)? > self.bytes() {
            return None;
        }
        // SAFETY: `at + bytes` lies within the chunk (checked above) and `fetch_add` gave this range to this caller alone.
        Some(unsafe { self.memory.cast::<u8>().add(at) })
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a box in `new` and is freed once.
        drop(unsafe { Box::from_raw(self.memory) });
    }
}

/// Memory for the nodes of one memtable.
pub(super) struct Arena {
    current: AtomicPtr<Chunk>,
    chunks: Mutex<Vec<*mut Chunk>>,
    reserved: AtomicUsize,
}

impl Arena {
    pub(super) fn new() -> Arena {
        Arena {
            current: AtomicPtr::new(ptr::null_mut()),
            chunks: Mutex::new(Vec::new()),
            reserved: AtomicUsize::new(0),
        }
    }

    /// Bytes taken from the allocator.
    #[cfg(test)]
    fn reserved(&self) -> usize {
        self.reserved.load(Ordering::Relaxed)
    }

    /// Uninitialised memory, aligned to 8, that lives as long as the arena.
    pub(super) fn alloc(&self, bytes: usize) -> *mut u8 {
        let bytes = bytes.next_multiple_of(ALIGN);
        self.alloc_in_current(bytes).unwrap_or_else(|| self.alloc_slow(bytes))
    }

    fn alloc_in_current(&self, bytes: usize) -> Option<*mut u8> {
        let current = self.current.load(Ordering::Acquire);
        // SAFETY: `current` is null or one of `chunks`, which live until the arena is dropped.
        unsafe { current.as_ref() }?.alloc(bytes)
    }

    /// A piece that is large for the next chunk has a chunk of its own.
    fn alloc_slow(&self, bytes: usize) -> *mut u8 {
        let mut chunks = self.chunks.lock();
        loop {
            if let Some(memory) = self.alloc_in_current(bytes) {
                return memory;
            }
            let target = (CHUNK_BYTES_MIN << chunks.len().saturating_sub(1).min(6)).min(CHUNK_BYTES_MAX);
            // So is the first piece: it is a memtable's head, and many memtables stay empty.
            let apart = bytes > target / 4 || chunks.is_empty();
            let chunk = Chunk::new(if apart { bytes } else { target });
            self.reserved.fetch_add(chunk.bytes(), Ordering::Relaxed);
            let memory = if apart { chunk.alloc(bytes) } else { None };
            let chunk = Box::into_raw(Box::new(chunk));
            chunks.push(chunk);
            match memory {
                Some(memory) => return memory,
                None => self.current.store(chunk, Ordering::Release),
            }
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for chunk in self.chunks.get_mut().drain(..) {
            // SAFETY: each pointer came from a box in `alloc_slow` and is freed once; no thread allocates any more.
            drop(unsafe { Box::from_raw(chunk) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_piece_takes_no_more_than_itself() {
        let arena = Arena::new();
        arena.alloc(200);
        assert_eq!(arena.reserved(), 200);
        arena.alloc(8);
        assert_eq!(arena.reserved(), 200 + CHUNK_BYTES_MIN);
    }

    #[test]
    fn pieces_are_aligned_and_do_not_overlap() {
        let arena = Arena::new();
        let mut pieces = Vec::new();
        for n in 0..5000usize {
            let bytes = 1 + (n * 7919) % 3000;
            let memory = arena.alloc(bytes);
            assert_eq!(memory as usize % ALIGN, 0);
            // SAFETY: the arena gave `bytes` bytes.
            unsafe { ptr::write_bytes(memory, n as u8, bytes) };
            pieces.push((memory, bytes, n as u8));
        }
        for (memory, bytes, fill) in pieces {
            // SAFETY: written above, the arena is alive.
            let piece = unsafe { std::slice::from_raw_parts(memory, bytes) };
            assert!(piece.iter().all(|b| *b == fill));
        }
    }
}
