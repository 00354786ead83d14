//! The decoded keys of one block of rows.

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use crate::error::{Decoded, Malformed};

/// Rows of a block; in the prefix encoding, from one restart point to the next.
pub(crate) const RESTART_ROWS: usize = 16;

/// The most bytes of a key.
pub(super) const KEY_BYTES_MAX: usize = i16::MAX as usize;

pub(super) const TOO_LONG: Malformed = Malformed { at: 0, what: "a row key is too long" };

const SHARES_TOO_MUCH: Malformed =
    Malformed { at: 0, what: "a row key shares more than the key before it has" };

/// The decoded keys of one block.
#[derive(Debug, Default)]
pub(crate) struct KeyBlock {
    bytes: Vec<u8>,
    ends: [u32; RESTART_ROWS],
    len: usize,
}

impl KeyBlock {
    /// Bytes of memory beside this struct.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Forgets the keys, keeping the memory.
    pub(crate) fn reset(&mut self) {
        self.bytes.clear();
        self.len = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).and_then(|i| self.ends.get(i)).map_or(0, |end| *end as usize)
    }

    /// Adds a key that shares its first bytes with the key before it.
    #[inline]
    pub(crate) fn push(&mut self, shared: u64, suffix: &[u8]) -> Decoded<()> {
        let start = if self.len == 0 { 0 } else { self.start(self.len - 1) };
        let previous = self.bytes.len() - start;
        let shared = usize::try_from(shared).unwrap_or(usize::MAX);
        if shared > previous {
            return Err(SHARES_TOO_MUCH);
        }
        if self.len == 0 {
            self.bytes.reserve(suffix.len().min(KEY_BYTES_MAX) * RESTART_ROWS); // the others are about as long
        }
        self.bytes.extend_from_within(start..start + shared);
        self.bytes.extend_from_slice(suffix);
        self.end_key();
        Ok(())
    }

    /// Puts a key that shares its first bytes with the only key in the place of that one.
    #[inline]
    pub(crate) fn replace(&mut self, shared: u64, suffix: &[u8]) -> Decoded<()> {
        let shared = usize::try_from(shared).unwrap_or(usize::MAX);
        if shared > self.bytes.len() {
            return Err(SHARES_TOO_MUCH);
        }
        self.bytes.truncate(shared);
        self.bytes.extend_from_slice(suffix);
        self.len = 0;
        self.end_key();
        Ok(())
    }

    /// Adds bytes to the key that [`KeyBlock::end_key`] will end.
    #[inline]
    pub(crate) fn push_part(&mut self, part: &[u8]) -> Decoded<()> {
        if self.bytes.len() - self.start(self.len) + part.len() > KEY_BYTES_MAX {
            return Err(TOO_LONG);
        }
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    /// Ends the key whose parts were added.
    #[inline]
    pub(crate) fn end_key(&mut self) {
        if let Some(end) = self.ends.get_mut(self.len) {
            *end = narrow::to_u32(self.bytes.len());
        }
        self.len += 1;
    }

    /// Appends the keys from one on, before another.
    pub(crate) fn append_to(&self, keys: Range<usize>, out: &mut Strings) {
        let bytes = self.bytes.get(self.start(keys.start)..self.start(keys.end)).unwrap_or_default();
        out.extend_run(bytes, keys.map(|index| self.start(index + 1) - self.start(index)));
    }

    /// A key of the block.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let end = self.ends.get(index).map_or(0, |end| *end as usize);
        self.bytes.get(self.start(index)..end).unwrap_or_default()
    }
}
