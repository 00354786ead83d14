//! Dictionary of integers: the distinct ones, ascending, and a code per position. For few integers that lie far apart, such as
//! the times at which batches of rows were written.
//!
//! `bit packed distinct integers | blocked codes`

use std::collections::HashSet;
use std::ops::Range;

use super::bit_packed::{self, BitPacked};
use super::blocked::{self, Blocked};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct IntDictionary {
    values: BitPacked,
    codes: Blocked,
}

/// The distinct integers and the codes, unless more than one in eight positions has an integer of its own.
pub(crate) fn plan(values: &[u64]) -> Option<(Vec<u64>, Vec<u64>)> {
    let mut seen: HashSet<u64, crate::hash::BuildXxh3> = HashSet::default();
    let mut last = None;
    for value in values {
        if last.replace(value) != Some(value) && seen.insert(*value) && seen.len() > values.len() / 8 {
            return None;
        }
    }
    let mut distinct: Vec<u64> = seen.into_iter().collect();
    distinct.sort_unstable();
    let codes = values.iter().map(|value| distinct.partition_point(|d| d < value) as u64).collect();
    Some((distinct, codes))
}

/// Bytes that the sequence takes.
pub(crate) fn estimate((distinct, codes): &(Vec<u64>, Vec<u64>)) -> usize {
    let range = distinct.last().zip(distinct.first()).map_or(0, |(last, first)| last - first);
    bit_packed::estimate(distinct.len(), range) + blocked::estimate(codes)
}

/// Appends the sequence.
pub(crate) fn write((distinct, codes): &(Vec<u64>, Vec<u64>), out: &mut Vec<u8>) {
    bit_packed::write_tight(distinct, out);
    blocked::write(codes, out);
}

impl IntDictionary {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>) -> Decoded<IntDictionary> {
        let at = reader.at();
        let (values, codes) = (BitPacked::parse(reader)?, Blocked::parse(body, reader)?);
        if values.count() == 0 && codes.count() > 0 {
            return Err(Malformed::new(at, "a dictionary of integers is empty"));
        }
        Ok(IntDictionary { values, codes })
    }

    pub(crate) fn count(&self) -> usize {
        self.codes.count()
    }

    /// The integer at a position below the count. A code past the last integer, which no writer makes, gives the last.
    #[inline]
    pub(crate) fn get(&self, body: &[u8], index: usize) -> u64 {
        let last = self.values.count().saturating_sub(1);
        let code = usize::try_from(self.codes.get(body, index)).unwrap_or(usize::MAX);
        self.values.get(body, code.min(last))
    }

    /// Appends the integers at some positions, below the count.
    pub(crate) fn read(&self, body: &[u8], positions: Range<usize>, out: &mut Vec<u64>) {
        let (begin, last) = (out.len(), self.values.count().saturating_sub(1));
        self.codes.read(body, positions, out);
        for code in out.iter_mut().skip(begin) {
            let position = usize::try_from(*code).unwrap_or(usize::MAX).min(last);
            *code = self.values.get(body, position);
        }
    }
}
