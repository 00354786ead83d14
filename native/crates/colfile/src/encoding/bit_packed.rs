//! Frame of reference with bit packing: the distance of each integer from the smallest, in as few bits as the largest needs.
//!
//! ```text
//! | at | size | field                              |
//! |  0 |  8   | base, the smallest integer         |
//! |  8 |  1   | width in bits, 0..=56 or 64        |
//! |  9 |  4   | count                              |
//! | 13 |      | ceil(count * width / 8) bytes, little-endian bit order |
//! ```

use std::ops::Range;

use grampus_base::narrow;

use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// A parsed sequence; positions refer to the page body it was parsed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitPacked {
    base: u64,
    count: u32,
    data_at: u32,
    width: u8,
}

/// Bits per integer for distances up to `range`.
pub(crate) fn width_of(range: u64) -> u32 {
    match u64::BITS - range.leading_zeros() {
        width @ 0..=56 => width,
        _ => 64,
    }
}

/// Bytes that `count` integers within `range` take.
pub(crate) fn estimate(count: usize, range: u64) -> usize {
    len(count, width_of(range))
}

/// Bytes that `count` integers of `width` bits take.
pub(crate) fn len(count: usize, width: u32) -> usize {
    13 + packed_len(count, width)
}

fn packed_len(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Appends the sequence in as few bits as it needs.
pub(crate) fn write_tight(values: &[u64], out: &mut Vec<u8>) {
    let base = values.iter().copied().min().unwrap_or(0);
    let range = values.iter().copied().max().unwrap_or(0) - base;
    write(values, width_of(range), out);
}

/// Appends the sequence in `width` bits, which suffice.
pub(crate) fn write(values: &[u64], width: u32, out: &mut Vec<u8>) {
    let base = values.iter().copied().min().unwrap_or(0);
    let distances: Vec<u64> = values.iter().map(|value| value - base).collect();
    out.extend_from_slice(&base.to_le_bytes());
    out.push(narrow::low_u8(u64::from(width)));
    out.extend_from_slice(&narrow::to_u32(values.len()).to_le_bytes());
    pack(&distances, width, out);
}

/// Appends integers of at most `width` bits without a header, filled up to a byte.
pub(crate) fn pack(values: &[u64], width: u32, out: &mut Vec<u8>) {
    if width == 64 {
        return values.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
    }
    let (mut pending, mut bits) = (0u64, 0u32);
    for value in values {
        pending |= value << bits;
        bits += width;
        while bits >= 8 {
            out.push(narrow::low_u8(pending));
            pending >>= 8;
            bits -= 8;
        }
    }
    if bits > 0 {
        out.push(narrow::low_u8(pending));
    }
}

/// Integer `index` of those packed from `at` on; a width above 64 counts as 64.
#[inline]
pub(crate) fn unpack(body: &[u8], at: usize, index: usize, width: u32) -> u64 {
    if width == 0 {
        return 0;
    }
    let bit = index * width as usize;
    let at = at.saturating_add(bit / 8);
    let word = match body.get(at..at.saturating_add(8)).and_then(|w| <[u8; 8]>::try_from(w).ok()) {
        Some(word) => u64::from_le_bytes(word),
        None => last_word(body, at),
    };
    (word >> (bit % 8)) & (u64::MAX >> 64u32.saturating_sub(width))
}

impl BitPacked {
    pub(crate) fn parse(reader: &mut FieldReader<'_>) -> Decoded<BitPacked> {
        let at = reader.at();
        let (base, width, count) = (reader.u64()?, reader.u8()?, reader.u32()?);
        if width > 56 && width != 64 {
            return Err(Malformed::new(at + 8, "impossible bit width"));
        }
        let data_at = reader.skip(packed_len(count as usize, u32::from(width)))?;
        let data_at = u32::try_from(data_at).map_err(|_| Malformed::new(at, "a page is too long"))?;
        Ok(BitPacked { base, count, data_at, width })
    }

    pub(crate) fn count(&self) -> usize {
        self.count as usize
    }

    /// The integer at a position below `count`; `body` is what the sequence was parsed from.
    #[inline]
    pub(crate) fn get(&self, body: &[u8], index: usize) -> u64 {
        self.base.wrapping_add(unpack(body, self.data_at as usize, index, u32::from(self.width)))
    }

    /// Appends the integers at some positions, below `count`.
    pub(crate) fn read(&self, body: &[u8], positions: Range<usize>, out: &mut Vec<u64>) {
        let (base, at, width) = (self.base, self.data_at as usize, u32::from(self.width));
        out.extend(positions.map(|position| base.wrapping_add(unpack(body, at, position, width))));
    }
}

/// A load that would pass the end of the body; missing bytes are never used.
#[cold]
fn last_word(body: &[u8], at: usize) -> u64 {
    let rest = body.get(at..).unwrap_or_default();
    rest.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
