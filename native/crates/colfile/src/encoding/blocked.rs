//! Blocked: each 128 integers have a straight line of their own below them and are stored as their distance from it, in as few
//! bits as the block's largest distance needs. A flat line is a frame of reference; a rising one takes the place of deltas for
//! sequences that ascend about evenly, such as timestamps and the ends of strings, and still any integer is found alone.
//!
//! ```text
//! | size | field                                                              |
//! |  4   | count                                                              |
//! |      | bases of the lines, one per block, bit packed                      |
//! |      | rises of the lines over a whole block, bit packed                  |
//! |      | ends of the blocks in the distances, in units of 16 bytes, bit packed |
//! |      | distances, block by block, little-endian bit order; the last block is cut after its last integer |
//! ```
//! Integer `k` of a block is base + (rise * k >> 7) + distance. A block's width in bits is its end less the one before.

use std::cell::Cell;
use std::ops::Range;

use grampus_base::narrow;

use super::bit_packed::{self, BitPacked};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// Integers per block. In a width of one bit they take 16 bytes.
const BLOCK: usize = 128;
const BLOCK_SHIFT: u32 = 7;
const UNIT_BYTES: usize = BLOCK / 8;

/// Lines rise less than this over a block, so that nothing overflows.
const RISE_MAX: u64 = 1 << 48;

/// A block's line and the width of the distances from it.
#[derive(Clone, Copy, Debug)]
struct Line {
    base: u64,
    rise: u64,
    width: u32,
}

impl Line {
    /// What the line is at an integer of its block.
    fn at(rise: u64, index: usize) -> u64 {
        rise.wrapping_mul(index as u64) >> BLOCK_SHIFT
    }

    /// The flat line below a block.
    fn flat(block: &[u64]) -> Line {
        let base = block.iter().copied().min().unwrap_or(0);
        let range = block.iter().copied().max().unwrap_or(0) - base;
        Line { base, rise: 0, width: bit_packed::width_of(range) }
    }

    /// The line from the first integer to the last, moved below all of them; `None` where it would start below zero.
    fn rising(block: &[u64]) -> Option<Line> {
        let (first, last) = (*block.first()?, *block.last()?);
        let steps = block.len().checked_sub(1).filter(|steps| *steps > 0)? as u64;
        let rise =
            last.checked_sub(first).filter(|gain| *gain < RISE_MAX >> BLOCK_SHIFT)? * BLOCK as u64 / steps;
        let (mut low, mut high) = (i128::MAX, i128::MIN);
        for (index, value) in block.iter().enumerate() {
            let distance = i128::from(*value) - i128::from(Line::at(rise, index));
            (low, high) = (low.min(distance), high.max(distance));
        }
        let (base, range) = (u64::try_from(low).ok()?, u64::try_from(high - low).ok()?);
        Some(Line { base, rise, width: bit_packed::width_of(range) })
    }

    /// The line that leaves the smaller distances.
    fn of(block: &[u64]) -> Line {
        let flat = Line::flat(block);
        match Line::rising(block) {
            Some(rising) if rising.width < flat.width => rising,
            _ => flat,
        }
    }
}

fn lines(values: &[u64]) -> Vec<Line> {
    values.chunks(BLOCK).map(Line::of).collect()
}

/// Bytes of the distances: the last block has `width` bits, those before it have `before` units.
fn data_len(count: usize, before: usize, width: usize) -> Option<usize> {
    let rest = match count % BLOCK {
        0 => BLOCK.min(count),
        rest => rest,
    };
    before.checked_mul(UNIT_BYTES)?.checked_add((rest * width).div_ceil(8))
}

/// Bytes that the sequence takes.
pub(crate) fn estimate(values: &[u64]) -> usize {
    let lines = lines(values);
    let range = |of: fn(&Line) -> u64| {
        let (low, high) = lines.iter().map(of).fold((u64::MAX, 0), |(l, h), v| (l.min(v), h.max(v)));
        bit_packed::estimate(lines.len(), high.saturating_sub(low))
    };
    let widths: usize = lines.iter().map(|line| line.width as usize).sum();
    4 + range(|l| l.base)
        + range(|l| l.rise)
        + bit_packed::estimate(lines.len(), widths as u64)
        + widths * UNIT_BYTES
}

/// Appends the sequence.
pub(crate) fn write(values: &[u64], out: &mut Vec<u8>) {
    let lines = lines(values);
    let mut end = 0u64;
    let ends: Vec<u64> = lines
        .iter()
        .map(|line| {
            end += u64::from(line.width);
            end
        })
        .collect();
    out.extend_from_slice(&narrow::to_u32(values.len()).to_le_bytes());
    bit_packed::write_tight(&lines.iter().map(|line| line.base).collect::<Vec<_>>(), out);
    bit_packed::write_tight(&lines.iter().map(|line| line.rise).collect::<Vec<_>>(), out);
    bit_packed::write_tight(&ends, out);
    for (block, line) in values.chunks(BLOCK).zip(&lines) {
        let distance = |(index, value): (usize, &u64)| value - line.base - Line::at(line.rise, index);
        let distances: Vec<u64> = block.iter().enumerate().map(distance).collect();
        bit_packed::pack(&distances, line.width, out);
    }
}

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct Blocked {
    count: u32,
    data_at: u32,
    bases: BitPacked,
    rises: BitPacked,
    ends: BitPacked,
    /// The block looked at last; a walk stays in one for a while.
    last: Cell<Block>,
}

/// A block: its number, where its distances start, its line.
#[derive(Clone, Copy, Debug)]
struct Block {
    number: u32,
    at: u32,
    line: Line,
}

impl Blocked {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>) -> Decoded<Blocked> {
        let at = reader.at();
        let count = reader.u32()?;
        let (bases, rises, ends) =
            (BitPacked::parse(reader)?, BitPacked::parse(reader)?, BitPacked::parse(reader)?);
        let blocks = (count as usize).div_ceil(BLOCK);
        if [&bases, &rises, &ends].iter().any(|part| part.count() != blocks) {
            return Err(Malformed::new(at, "a blocked sequence has the wrong number of blocks"));
        }
        let malformed = Malformed::new(at, "impossible ends of blocks");
        let end = |block: Option<usize>| block.map_or(0, |block| ends.get(body, block));
        let (last, before) = (end(blocks.checked_sub(1)), end(blocks.checked_sub(2)));
        let width = last.checked_sub(before).filter(|width| *width <= 64).ok_or(malformed)?;
        let (before, width) =
            (usize::try_from(before).map_err(|_| malformed)?, usize::try_from(width).map_err(|_| malformed)?);
        let data_at = reader.skip(data_len(count as usize, before, width).ok_or(malformed)?)?;
        let data_at = u32::try_from(data_at).map_err(|_| malformed)?;
        let none = Block { number: u32::MAX, at: 0, line: Line { base: 0, rise: 0, width: 0 } };
        Ok(Blocked { count, data_at, bases, rises, ends, last: Cell::new(none) })
    }

    pub(crate) fn count(&self) -> usize {
        self.count as usize
    }

    /// The integer at a position below `count`; `body` is what the sequence was parsed from.
    #[inline]
    pub(crate) fn get(&self, body: &[u8], index: usize) -> u64 {
        let (number, within) = (narrow::to_u32(index / BLOCK), index % BLOCK);
        let mut block = self.last.get();
        if block.number != number {
            block = self.find(body, number);
            self.last.set(block);
        }
        let Line { base, rise, width } = block.line;
        let distance = bit_packed::unpack(body, block.at as usize, within, width);
        base.wrapping_add(Line::at(rise, within)).wrapping_add(distance)
    }

    /// Appends the integers at some positions, below `count`.
    pub(crate) fn read(&self, body: &[u8], positions: Range<usize>, out: &mut Vec<u64>) {
        let mut from = positions.start;
        while from < positions.end {
            let (number, until) = (from / BLOCK, (from / BLOCK + 1) * BLOCK);
            let block = self.find(body, narrow::to_u32(number));
            let Line { base, rise, width } = block.line;
            out.extend((from..until.min(positions.end)).map(|position| {
                let within = position % BLOCK;
                let distance = bit_packed::unpack(body, block.at as usize, within, width);
                base.wrapping_add(Line::at(rise, within)).wrapping_add(distance)
            }));
            from = until;
        }
    }

    /// A block. Ends that do not ascend, which no writer makes, lead to wrong integers and no further.
    fn find(&self, body: &[u8], number: u32) -> Block {
        let block = number as usize;
        let start = block.checked_sub(1).map_or(0, |before| self.ends.get(body, before));
        let width = self.ends.get(body, block).wrapping_sub(start).min(64) as u32;
        let line = Line { base: self.bases.get(body, block), rise: self.rises.get(body, block), width };
        let at = start.saturating_mul(UNIT_BYTES as u64).saturating_add(u64::from(self.data_at));
        Block { number, at: u32::try_from(at).unwrap_or(u32::MAX), line }
    }
}
