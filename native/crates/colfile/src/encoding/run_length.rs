//! Run length: the exclusive end of each run and its integer, both bit packed; found by binary search.

use std::cell::Cell;
use std::ops::Range;

use super::bit_packed::{self, BitPacked};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct RunLength {
    ends: BitPacked,
    values: BitPacked,
    count: u32,
    /// The run found last, as positions from, until, and its integer: a walk stays in a run for a while.
    last: Cell<(u32, u32, u64)>,
}

/// Bytes that `runs` runs of `count` integers within `range` take.
pub(crate) fn estimate(count: usize, runs: usize, range: u64) -> usize {
    bit_packed::estimate(runs, count as u64) + bit_packed::estimate(runs, range)
}

/// Appends the sequence.
pub(crate) fn write(values: &[u64], out: &mut Vec<u8>) {
    let (mut ends, mut runs) = (Vec::new(), Vec::new());
    for (index, value) in values.iter().enumerate() {
        if values.get(index + 1) != Some(value) {
            ends.push(index as u64 + 1);
            runs.push(*value);
        }
    }
    bit_packed::write_tight(&ends, out);
    bit_packed::write_tight(&runs, out);
}

impl RunLength {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>) -> Decoded<RunLength> {
        let at = reader.at();
        let (ends, values) = (BitPacked::parse(reader)?, BitPacked::parse(reader)?);
        if ends.count() != values.count() {
            return Err(Malformed::new(at, "run ends and run values differ in number"));
        }
        let last = ends.count().checked_sub(1).map_or(0, |last| ends.get(body, last));
        #[cfg(fuzzing)]
        super::unordered_ends::note((0..ends.count()).map(|run| ends.get(body, run)));
        let count = u32::try_from(last).map_err(|_| Malformed::new(at, "a run ends too late"))?;
        Ok(RunLength { ends, values, count, last: Cell::new((0, 0, 0)) })
    }

    pub(crate) fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    pub(crate) fn get(&self, body: &[u8], index: usize) -> u64 {
        let (from, until, value) = self.last.get();
        if index >= from as usize && index < until as usize { value } else { self.find(body, index) }
    }

    /// Appends the integers at some positions, below the count.
    pub(crate) fn read(&self, body: &[u8], positions: Range<usize>, out: &mut Vec<u64>) {
        let mut position = positions.start;
        while position < positions.end {
            let value = self.get(body, position);
            let (_, until, _) = self.last.get();
            let until = (until as usize).clamp(position + 1, positions.end);
            out.extend(std::iter::repeat_n(value, until - position));
            position = until;
        }
    }

    fn find(&self, body: &[u8], index: usize) -> u64 {
        let (mut low, mut high) = (0, self.ends.count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.ends.get(body, middle) <= index as u64 { low = middle + 1 } else { high = middle }
        }
        // No writer produces ends that do not ascend. With them the search may pass the last run, and `last` may answer for positions of
        // other runs, so that an integer depends on the reads before. To check that in every read would cost too much.
        let run = low.min(self.values.count().saturating_sub(1));
        let end = |run: usize| u32::try_from(self.ends.get(body, run)).unwrap_or(u32::MAX);
        let value = self.values.get(body, run);
        self.last.set((run.checked_sub(1).map_or(0, end), end(run), value));
        value
    }
}
