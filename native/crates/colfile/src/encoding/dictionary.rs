//! Dictionary: a code per position and the distinct strings once.
//!
//! `ints codes | u32 strings | plain strings`

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use super::Ints;
use super::ints::{self, Packing};
use super::located::Located;
use super::plain::{self, Plain};
use super::stats::BlobStats;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

fn no_string(position: usize) -> Malformed {
    Malformed::new(position, "a dictionary code has no string")
}

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    codes: Ints,
    strings: Plain,
    count: usize,
}

pub(crate) fn estimate(stats: &BlobStats<'_>, packing: Packing) -> Option<usize> {
    let distinct = stats.distinct.as_ref()?;
    let strings =
        ints::estimate(distinct.strings.len(), distinct.total_bytes as u64) + 8 + distinct.total_bytes;
    Some(1 + ints::plan(&distinct.codes, packing).bytes + strings)
}

pub(crate) fn write(stats: &BlobStats<'_>, packing: Packing, out: &mut Vec<u8>) {
    let Some(distinct) = &stats.distinct else { return };
    ints::write(&distinct.codes, packing, out);
    out.extend_from_slice(&narrow::to_u32(distinct.strings.len()).to_le_bytes());
    plain::write(&distinct.strings, packing, out);
}

impl Dictionary {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Dictionary> {
        let codes = Ints::parse(body, reader, count)?;
        let strings = reader.u32()? as usize;
        Ok(Dictionary { codes, count: strings, strings: Plain::parse(body, reader, strings)? })
    }

    /// How the codes are encoded, for tools.
    pub(crate) fn describe(&self) -> &'static str {
        self.codes.describe()
    }

    #[inline]
    pub(crate) fn locate(&self, body: &[u8], index: usize) -> Decoded<Located> {
        self.string(body, self.code(body, index)?)
    }

    /// The code at a position below the count; below the number of distinct strings.
    #[inline]
    pub(crate) fn code(&self, body: &[u8], index: usize) -> Decoded<usize> {
        self.checked(self.codes.get(body, index), index)
    }

    #[inline]
    fn checked(&self, code: u64, position: usize) -> Decoded<usize> {
        let code = usize::try_from(code).ok().filter(|code| *code < self.count);
        code.ok_or_else(|| no_string(position))
    }

    /// Appends the strings at some positions. Their codes are read into the first of `integers`.
    pub(crate) fn append(
        &self,
        body: &[u8],
        positions: Range<usize>,
        [codes, ends]: &mut [Vec<u64>; 2],
        out: &mut Strings,
    ) -> Decoded<()> {
        self.codes.read(body, positions.clone(), codes);
        // A table of all strings pays where most of them are wanted.
        let has_table = self.count <= codes.len();
        if has_table {
            self.strings.read_ends(body, ends);
        }
        for (code, position) in codes.iter().zip(positions) {
            let code = self.checked(*code, position)?;
            let (start, length) = match has_table {
                true => self.strings.at(ends, code)?,
                false => match self.string(body, code)? {
                    Located::At(start, length) => (start as usize, length as usize),
                    _ => return Err(no_string(position)),
                },
            };
            out.push_within(body, start, length);
        }
        Ok(())
    }

    /// Bytes that the longest of the distinct strings has at most.
    pub(crate) fn longest(&self, body: &[u8]) -> usize {
        self.strings.longest(body)
    }

    /// The string of a code.
    #[inline]
    pub(crate) fn string(&self, body: &[u8], code: usize) -> Decoded<Located> {
        self.strings.locate(body, code)
    }
}
