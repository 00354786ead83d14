//! Many byte strings in one buffer.

use std::ops::Range;

use grampus_base::narrow;

/// Bytes of a copy whose length is known to the compiler.
const CHUNK: usize = 16;

/// Byte strings one behind the other, in order. All of them together have less than 4 GiB.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Strings {
    bytes: Vec<u8>,
    /// Where each ends in `bytes`.
    ends: Vec<u32>,
}

impl Clone for Strings {
    fn clone(&self) -> Strings {
        Strings { bytes: self.bytes.clone(), ends: self.ends.clone() }
    }

    /// Keeps the memory that it has.
    fn clone_from(&mut self, other: &Strings) {
        self.bytes.clone_from(&other.bytes);
        self.ends.clone_from(&other.ends);
    }
}

impl Strings {
    /// Forgets them, and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of all of them.
    #[inline]
    pub fn bytes_len(&self) -> usize {
        self.bytes.len()
    }

    /// The string at a position, empty behind the last one.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        self.bytes_of(index..index.saturating_add(1))
    }

    /// The last one.
    pub fn last(&self) -> Option<&[u8]> {
        self.len().checked_sub(1).map(|last| self.get(last))
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Where a string begins in the bytes of all; behind the last one, where they end.
    #[inline]
    pub fn start(&self, index: usize) -> usize {
        match index.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).map_or(self.bytes.len(), |end| *end as usize),
        }
    }

    /// The bytes of the strings at some positions, one behind the other.
    #[inline]
    pub fn bytes_of(&self, positions: Range<usize>) -> &[u8] {
        self.bytes.get(self.start(positions.start)..self.start(positions.end)).unwrap_or_default()
    }

    /// Where the strings at some positions end in the bytes of all.
    #[inline]
    pub fn ends_of(&self, positions: Range<usize>) -> &[u32] {
        self.ends.get(positions).unwrap_or_default()
    }

    /// Appends one.
    #[inline]
    pub fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.end();
    }

    /// Appends the first bytes of an array, at most all of them. A copy of a known length is a few stores; what is too much is cut off.
    #[inline]
    pub fn push_front<const N: usize>(&mut self, array: &[u8; N], length: usize) {
        self.extend_front(array, length);
        self.end();
    }

    /// Appends a part of a slice, or what there is of it.
    #[inline]
    pub fn push_within(&mut self, slice: &[u8], start: usize, length: usize) {
        self.extend_within(slice, start, length);
        self.end();
    }

    /// Appends strings that lie one behind the other in `bytes`: how many bytes each has.
    pub fn extend_run(&mut self, bytes: &[u8], lengths: impl Iterator<Item = usize>) {
        let mut end = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.ends.extend(lengths.map(|length| {
            end += length;
            narrow::to_u32(end)
        }));
        debug_assert_eq!(end, self.bytes.len(), "the lengths are those of the bytes");
    }

    /// Appends a string of others to the one that [`Strings::end`] will end.
    #[inline]
    pub fn extend_from(&mut self, others: &Strings, index: usize) {
        let start = others.start(index);
        self.extend_within(&others.bytes, start, others.start(index + 1) - start);
    }

    /// Appends bytes to the string that [`Strings::end`] will end.
    #[inline]
    pub fn extend_within(&mut self, slice: &[u8], start: usize, length: usize) {
        let Some(rest) = slice.get(start..) else { return };
        match rest.first_chunk::<CHUNK>() {
            Some(chunk) if length <= CHUNK => self.extend_front(chunk, length),
            _ => self.bytes.extend_from_slice(rest.get(..length).unwrap_or(rest)),
        }
    }

    #[inline]
    fn extend_front<const N: usize>(&mut self, array: &[u8; N], length: usize) {
        let end = self.bytes.len() + length.min(N);
        self.bytes.extend_from_slice(array);
        self.bytes.truncate(end);
    }

    /// Lets a function append the bytes of the next string.
    ///
    /// # Errors
    /// Those of the function; the strings are of no use then.
    pub fn push_with<E>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> Result<(), E> {
        append(&mut self.bytes)?;
        self.end();
        Ok(())
    }

    /// Ends a string whose bytes were appended. Returns how many it has.
    #[inline]
    pub fn end(&mut self) -> usize {
        let start = self.ends.last().map_or(0, |end| *end as usize);
        self.ends.push(narrow::to_u32(self.bytes.len()));
        self.bytes.len() - start
    }

    /// Keeps the first ones.
    pub fn truncate(&mut self, count: usize) {
        if count < self.len() {
            self.bytes.truncate(self.start(count));
            self.ends.truncate(count);
        }
    }

    /// Keeps the first ones, as many as have at most `bytes` bytes together.
    pub fn fit(&mut self, bytes: usize) {
        self.truncate(self.ends.partition_point(|end| *end as usize <= bytes));
    }

    /// Bytes of memory beside this struct.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test says so by panicking")]

    use super::*;

    #[test]
    fn strings_come_back_in_order() {
        let mut strings = Strings::default();
        strings.push(b"");
        strings.push(b"abc");
        strings.push_front(b"0123456789", 4);
        strings.push_front(b"01", 9);
        strings.push_within(b"a slice of more than 16 bytes", 2, 5);
        strings.push_within(b"a slice of more than 16 bytes", 24, 99);
        strings.push_within(b"a slice of more than 16 bytes", 0, 20);
        strings.push_within(b"short", 9, 1);
        strings.extend_run(b"xyz", [2, 0, 1].into_iter());
        let made = |bytes: &mut Vec<u8>| {
            bytes.extend_from_slice(b"made");
            Ok::<(), ()>(())
        };
        strings.push_with(made).unwrap();
        let expected: [&[u8]; 12] = [
            b"",
            b"abc",
            b"0123",
            b"01",
            b"slice",
            b"bytes",
            b"a slice of more than",
            b"",
            b"xy",
            b"",
            b"z",
            b"made",
        ];
        assert!(strings.iter().eq(expected));
        assert_eq!(strings.last(), Some(&b"made"[..]));
        assert_eq!(strings.bytes_of(8..11), b"xyz");
        assert_eq!((strings.get(99), strings.bytes_of(11..99)), (&b""[..], &b"made"[..]));
        strings.extend_from(&strings.clone(), 4);
        assert_eq!(strings.end(), 5);
        assert_eq!(strings.last(), Some(&b"slice"[..]));
        strings.fit(9);
        assert!(strings.iter().eq(expected.into_iter().take(4)), "nothing goes beyond nine bytes");
        strings.truncate(2);
        assert!(strings.iter().eq([&b""[..], b"abc"]));
        assert_eq!(strings.bytes_len(), 3);
        strings.clear();
        assert!(strings.is_empty() && strings.last().is_none());
    }
}
