//! A sequence of 64-bit integers behind its tag byte: the list of encodings, the choice among them and the reading of any.

use std::ops::Range;

use super::bit_packed::{self, BitPacked};
use super::blocked::{self, Blocked};
use super::int_dictionary::{self, IntDictionary};
use super::run_length::{self, RunLength};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

const TAG_BIT_PACKED: u8 = 1;
const TAG_RUN_LENGTH: u8 = 2;
const TAG_BLOCKED: u8 = 3;
const TAG_DICTIONARY: u8 = 4;

/// The fewest integers for which more than bit packing and run length is considered.
const BLOCKED_COUNT_MIN: usize = 256;

/// A parsed sequence; `body` in its methods is what it was parsed from. All but the usual case are boxed, since every read parses
/// its pages and the result is moved around.
#[derive(Clone, Debug)]
pub(crate) enum Ints {
    BitPacked(BitPacked),
    RunLength(Box<RunLength>),
    Blocked(Box<Blocked>),
    Dictionary(Box<IntDictionary>),
}

/// What a compressor that comes after wants of packed integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As few bits as possible.
    Tight,
    /// Whole bytes, so that what repeats in the sequence repeats in the bytes.
    Bytes,
}

/// How a sequence will be written, and how many bytes that takes at most.
pub(crate) struct Plan {
    pub(crate) bytes: usize,
    form: Form,
}

enum Form {
    BitPacked(u32),
    RunLength,
    Blocked,
    Dictionary((Vec<u64>, Vec<u64>)),
}

/// The smallest encoding of a sequence. What is slower to read must be smaller by a margin.
pub(crate) fn plan(values: &[u64], packing: Packing) -> Plan {
    let min = values.iter().copied().min().unwrap_or(0);
    let range = values.iter().copied().max().unwrap_or(0) - min;
    let width = match (packing, bit_packed::width_of(range)) {
        (Packing::Tight, width) => width,
        (Packing::Bytes, width) => width.next_multiple_of(8),
    };
    let mut best = Plan { bytes: 1 + bit_packed::len(values.len(), width), form: Form::BitPacked(width) };
    if range == 0 {
        return best;
    }
    let mut consider = |bytes: usize, margin: usize, form: Form| {
        if bytes + bytes / margin < best.bytes {
            best = Plan { bytes: bytes + 1, form };
        }
    };
    let runs = values.windows(2).filter(|w| w.first() != w.last()).count() + 1;
    consider(run_length::estimate(values.len(), runs, range), 1, Form::RunLength);
    if values.len() >= BLOCKED_COUNT_MIN && packing == Packing::Tight {
        consider(blocked::estimate(values), 8, Form::Blocked);
        if let Some(dictionary) = int_dictionary::plan(values) {
            consider(int_dictionary::estimate(&dictionary), 4, Form::Dictionary(dictionary));
        }
    }
    best
}

/// Every encoding that can hold the sequence.
#[cfg(test)]
pub(crate) fn plans(values: &[u64]) -> Vec<Plan> {
    let tight = plan(values, Packing::Tight);
    let width = 64;
    let runs = values.windows(2).filter(|w| w.first() != w.last()).count() + 1;
    let mut plans = vec![
        tight,
        Plan { bytes: 1 + bit_packed::len(values.len(), width), form: Form::BitPacked(width) },
        Plan { bytes: 1 + run_length::estimate(values.len(), runs, u64::MAX), form: Form::RunLength },
        Plan { bytes: 1 + blocked::estimate(values), form: Form::Blocked },
    ];
    plans.extend(int_dictionary::plan(values).map(|dictionary| Plan {
        bytes: 1 + int_dictionary::estimate(&dictionary),
        form: Form::Dictionary(dictionary),
    }));
    plans
}

/// Appends the sequence that was planned.
pub(crate) fn write_planned(plan: &Plan, values: &[u64], out: &mut Vec<u8>) {
    match &plan.form {
        Form::BitPacked(width) => {
            out.push(TAG_BIT_PACKED);
            bit_packed::write(values, *width, out);
        }
        Form::RunLength => {
            out.push(TAG_RUN_LENGTH);
            run_length::write(values, out);
        }
        Form::Blocked => {
            out.push(TAG_BLOCKED);
            blocked::write(values, out);
        }
        Form::Dictionary(dictionary) => {
            out.push(TAG_DICTIONARY);
            int_dictionary::write(dictionary, out);
        }
    }
}

/// Appends the sequence in the smallest encoding.
pub(crate) fn write(values: &[u64], packing: Packing, out: &mut Vec<u8>) {
    write_planned(&plan(values, packing), values, out);
}

/// Bytes of a sequence in bit packing, the usual case.
pub(crate) fn estimate(count: usize, range: u64) -> usize {
    1 + bit_packed::estimate(count, range)
}

/// Maps timestamps to integers of the same order.
pub(crate) fn from_i64(value: i64) -> u64 {
    value.cast_unsigned() ^ (1 << 63)
}

/// The inverse of [`from_i64`].
#[inline]
pub(crate) fn to_i64(value: u64) -> i64 {
    (value ^ (1 << 63)) as i64
}

impl Ints {
    /// Parses a sequence of exactly `count` integers.
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Ints> {
        let ints = Ints::parse_any(body, reader)?;
        if ints.count() != count {
            return reader.malformed("a sequence has the wrong number of integers");
        }
        Ok(ints)
    }

    /// Parses a sequence of as many integers as it says.
    pub(crate) fn parse_any(body: &[u8], reader: &mut FieldReader<'_>) -> Decoded<Ints> {
        let at = reader.at();
        match reader.u8()? {
            TAG_BIT_PACKED => Ok(Ints::BitPacked(BitPacked::parse(reader)?)),
            TAG_RUN_LENGTH => Ok(Ints::RunLength(Box::new(RunLength::parse(body, reader)?))),
            TAG_BLOCKED => Ok(Ints::Blocked(Box::new(Blocked::parse(body, reader)?))),
            TAG_DICTIONARY => Ok(Ints::Dictionary(Box::new(IntDictionary::parse(body, reader)?))),
            _ => Err(Malformed::new(at, "unknown integer encoding")),
        }
    }

    /// What the encoding is called, for tools.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Ints::BitPacked(_) => "bit-packed",
            Ints::RunLength(_) => "run-length",
            Ints::Blocked(_) => "blocked",
            Ints::Dictionary(_) => "int-dictionary",
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Ints::BitPacked(ints) => ints.count(),
            Ints::RunLength(ints) => ints.count(),
            Ints::Blocked(ints) => ints.count(),
            Ints::Dictionary(ints) => ints.count(),
        }
    }

    /// The integer at a position below the count.
    #[inline]
    pub(crate) fn get(&self, body: &[u8], index: usize) -> u64 {
        match self {
            Ints::BitPacked(ints) => ints.get(body, index),
            _ => self.get_boxed(body, index),
        }
    }

    /// The same for what is boxed; a call of its own keeps the usual case short.
    #[inline(never)]
    fn get_boxed(&self, body: &[u8], index: usize) -> u64 {
        match self {
            Ints::BitPacked(ints) => ints.get(body, index),
            Ints::RunLength(ints) => ints.get(body, index),
            Ints::Blocked(ints) => ints.get(body, index),
            Ints::Dictionary(ints) => ints.get(body, index),
        }
    }

    /// Reads the integers at some positions, below the count, in the place of those before.
    pub(crate) fn read(&self, body: &[u8], positions: Range<usize>, out: &mut Vec<u64>) {
        out.clear();
        match self {
            Ints::BitPacked(ints) => ints.read(body, positions, out),
            Ints::RunLength(ints) => ints.read(body, positions, out),
            Ints::Blocked(ints) => ints.read(body, positions, out),
            Ints::Dictionary(ints) => ints.read(body, positions, out),
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
