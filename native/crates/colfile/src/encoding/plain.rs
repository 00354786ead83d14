//! Plain: the end of every string, then the strings.
//!
//! `ints ends | u32 data length | data`

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use super::Ints;
use super::ints::{self, Packing};
use super::located::Located;
use super::stats::BlobStats;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// What is wrong with a string's ends.
const OUTSIDE: &str = "a string lies outside its data";

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    ends: Ints,
    data_at: usize,
    data_len: usize,
}

pub(crate) fn estimate(stats: &BlobStats<'_>) -> usize {
    1 + ints::estimate(stats.count, stats.total_bytes as u64) + 4 + stats.total_bytes
}

pub(crate) fn write(strings: &[&[u8]], packing: Packing, out: &mut Vec<u8>) {
    let mut end = 0u64;
    let ends: Vec<u64> = strings
        .iter()
        .map(|s| {
            end += s.len() as u64;
            end
        })
        .collect();
    ints::write(&ends, packing, out);
    out.extend_from_slice(&narrow::low_u32(end).to_le_bytes());
    strings.iter().for_each(|s| out.extend_from_slice(s));
}

impl Plain {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Plain> {
        let ends = Ints::parse(body, reader, count)?;
        let data_len = reader.u32()? as usize;
        let data_at = reader.skip(data_len)?;
        Ok(Plain { ends, data_at, data_len })
    }

    /// How the ends are encoded, for tools.
    pub(crate) fn describe(&self) -> &'static str {
        self.ends.describe()
    }

    #[inline]
    pub(crate) fn locate(&self, body: &[u8], index: usize) -> Decoded<Located> {
        let start = if index == 0 { 0 } else { self.ends.get(body, index - 1) };
        let end = self.ends.get(body, index);
        if start > end || end > self.data_len as u64 {
            return Err(Malformed::new(self.data_at, OUTSIDE));
        }
        Ok(Located::At(narrow::to_u32(self.data_at) + narrow::low_u32(start), narrow::low_u32(end - start)))
    }

    /// Appends the strings at some positions. Their ends are read into `ends`.
    pub(crate) fn append(
        &self,
        body: &[u8],
        positions: Range<usize>,
        ends: &mut Vec<u64>,
        out: &mut Strings,
    ) -> Decoded<()> {
        let start = positions.start.checked_sub(1).map_or(0, |before| self.ends.get(body, before));
        self.ends.read(body, positions, ends);
        let end = ends.last().copied().unwrap_or(start);
        let to_usize = |at: u64| narrow::low_u32(at) as usize; // the data has fewer bytes
        let ascend = ends.first().is_none_or(|first| start <= *first) && ends.is_sorted();
        if !ascend || end > self.data_len as u64 {
            return Err(Malformed::new(self.data_at, OUTSIDE));
        }
        let bytes =
            body.get(self.data_at + to_usize(start)..self.data_at + to_usize(end)).unwrap_or_default();
        let mut last = start;
        out.extend_run(bytes, ends.iter().map(|end| to_usize(end - std::mem::replace(&mut last, *end))));
        Ok(())
    }

    /// Bytes of the strings at some positions; no less than those that `locate` finds.
    pub(crate) fn bytes(&self, body: &[u8], positions: Range<usize>) -> usize {
        let end = |position: usize| position.checked_sub(1).map_or(0, |before| self.ends.get(body, before));
        usize::try_from(end(positions.end).saturating_sub(end(positions.start))).unwrap_or(usize::MAX)
    }

    /// Reads the ends of all strings, for [`Plain::at`].
    pub(crate) fn read_ends(&self, body: &[u8], ends: &mut Vec<u64>) {
        self.ends.read(body, 0..self.ends.count(), ends);
    }

    /// Where in the body the string at a position is, and its length, by the ends of all.
    #[inline]
    pub(crate) fn at(&self, ends: &[u64], index: usize) -> Decoded<(usize, usize)> {
        let start = index.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied());
        match start.zip(ends.get(index).copied()) {
            Some((start, end)) if start <= end && end <= self.data_len as u64 => {
                Ok((self.data_at + narrow::low_u32(start) as usize, narrow::low_u32(end - start) as usize))
            }
            _ => Err(Malformed::new(self.data_at, OUTSIDE)),
        }
    }

    /// Bytes that the longest string has at most. Strings that are not empty, and one that is, are no more than there is data.
    pub(crate) fn longest(&self, body: &[u8]) -> usize {
        if self.ends.count() > self.data_len.saturating_add(1) {
            return self.data_len;
        }
        (0..self.ends.count()).map(|at| self.bytes(body, at..at + 1)).max().unwrap_or(0)
    }
}
