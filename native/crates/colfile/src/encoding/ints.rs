//! A sequence of 64-bit integers behind its tag byte.

use super::bit_packed::{self, BitPacked};
use super::run_length::{self, RunLength};
use crate::bytes::ByteReader;
use crate::error::{Decoded, Malformed};

const TAG_BIT_PACKED: u8 = 1;
const TAG_RUN_LENGTH: u8 = 2;

/// A parsed sequence; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug)]
pub(crate) enum Ints {
    BitPacked(BitPacked),
    RunLength(RunLength),
}

/// Appends the sequence in the smaller encoding.
pub(crate) fn write(values: &[u64], out: &mut Vec<u8>) {
    let min = values.iter().copied().min().unwrap_or(0);
    let range = values.iter().copied().max().unwrap_or(0) - min;
    let runs = values.windows(2).filter(|w| w.first() != w.last()).count() + 1;
    if range > 0
        && run_length::estimate(values.len(), runs, range) * 2 < bit_packed::estimate(values.len(), range)
    {
        out.push(TAG_RUN_LENGTH);
        run_length::write(values, out);
    } else {
        out.push(TAG_BIT_PACKED);
        bit_packed::write(values, out);
    }
}

/// Bytes of an ascending or arbitrary sequence in bit packing, the usual case.
pub(crate) fn estimate(count: usize, range: u64) -> usize {
    1 + bit_packed::estimate(count, range)
}

/// Maps timestamps to integers of the same order.
pub(crate) fn from_i64(value: i64) -> u64 {
    (value as u64) ^ (1 << 63)
}

/// The inverse of [`from_i64`].
#[inline]
pub(crate) fn to_i64(value: u64) -> i64 {
    (value ^ (1 << 63)) as i64
}

impl Ints {
    /// Parses a sequence of exactly `count` integers.
    pub(crate) fn parse(body: &[u8], reader: &mut ByteReader<'_>, count: usize) -> Decoded<Ints> {
        let ints = Ints::parse_any(body, reader)?;
        if ints.count() != count {
            return reader.malformed("a sequence has the wrong number of integers");
        }
        Ok(ints)
    }

    /// Parses a sequence of as many integers as it says.
    pub(crate) fn parse_any(body: &[u8], reader: &mut ByteReader<'_>) -> Decoded<Ints> {
        let at = reader.at();
        match reader.u8()? {
            TAG_BIT_PACKED => Ok(Ints::BitPacked(BitPacked::parse(reader)?)),
            TAG_RUN_LENGTH => Ok(Ints::RunLength(RunLength::parse(body, reader)?)),
            _ => Err(Malformed::new(at, "unknown integer encoding")),
        }
    }

    /// What the encoding is called, for tools.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Ints::BitPacked(_) => "bit-packed",
            Ints::RunLength(_) => "run-length",
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Ints::BitPacked(ints) => ints.count(),
            Ints::RunLength(ints) => ints.count(),
        }
    }

    /// The integer at a position below the count.
    #[inline]
    pub(crate) fn get(&self, body: &[u8], index: usize) -> u64 {
        match self {
            Ints::BitPacked(ints) => ints.get(body, index),
            Ints::RunLength(ints) => ints.get(body, index),
        }
    }

    /// First position whose integer is at or above `target`, in a non-descending sequence.
    pub(crate) fn lower_bound(&self, body: &[u8], target: u64) -> usize {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(body, middle) < target { low = middle + 1 } else { high = middle }
        }
        low
    }
}
