//! Fixed: strings of one length, one after the other.
//!
//! `u32 length | data`

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use super::located::Located;
use super::stats::BlobStats;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// A parsed sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    length: u32,
    data_at: usize,
}

pub(crate) fn estimate(stats: &BlobStats<'_>) -> Option<usize> {
    stats.length.map(|_| 5 + stats.total_bytes)
}

pub(crate) fn write(strings: &[&[u8]], out: &mut Vec<u8>) {
    let length = strings.first().map_or(0, |s| narrow::to_u32(s.len()));
    out.extend_from_slice(&length.to_le_bytes());
    strings.iter().for_each(|s| out.extend_from_slice(s));
}

impl Fixed {
    pub(crate) fn parse(reader: &mut FieldReader<'_>, count: usize) -> Decoded<Fixed> {
        let at = reader.at();
        let length = reader.u32()?;
        let bytes =
            (length as usize).checked_mul(count).ok_or(Malformed::new(at, "the strings are too long"))?;
        Ok(Fixed { length, data_at: reader.skip(bytes)? })
    }

    #[inline]
    pub(crate) fn locate(&self, index: usize) -> Located {
        Located::At(narrow::to_u32(self.data_at + index * self.length as usize), self.length)
    }

    /// Appends the strings at some positions.
    pub(crate) fn append(&self, body: &[u8], positions: Range<usize>, out: &mut Strings) {
        let length = self.length();
        let (start, count) = (self.data_at + positions.start * length, positions.len());
        let bytes = body.get(start..start + count * length).unwrap_or_default();
        out.extend_run(bytes, std::iter::repeat_n(length, count));
    }

    /// Bytes of each string.
    pub(crate) fn length(&self) -> usize {
        self.length as usize
    }
}
