//! Constant: one string for all positions.
//!
//! `u32 length | string`

use grampus_base::narrow;

use super::located::Located;
use super::stats::BlobStats;
use crate::bytes::FieldReader;
use crate::error::Decoded;

/// A parsed sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant {
    at: u32,
    length: u32,
}

pub(crate) fn estimate(stats: &BlobStats<'_>) -> Option<usize> {
    stats.constant.map(|s| 5 + s.len())
}

pub(crate) fn write(strings: &[&[u8]], out: &mut Vec<u8>) {
    let string = strings.first().copied().unwrap_or_default();
    out.extend_from_slice(&narrow::to_u32(string.len()).to_le_bytes());
    out.extend_from_slice(string);
}

impl Constant {
    pub(crate) fn parse(reader: &mut FieldReader<'_>) -> Decoded<Constant> {
        let length = reader.u32()?;
        Ok(Constant { at: narrow::to_u32(reader.skip(length as usize)?), length })
    }

    #[inline]
    pub(crate) fn locate(&self) -> Located {
        Located::At(self.at, self.length)
    }

    /// The string.
    pub(crate) fn string<'a>(&self, body: &'a [u8]) -> &'a [u8] {
        let at = self.at as usize;
        body.get(at..at + self.length as usize).unwrap_or_default()
    }

    /// Bytes of the string.
    pub(crate) fn length(&self) -> usize {
        self.length as usize
    }
}
