//! Symbols: text by FSST, "Fast Static Symbol Table" (Boncz, Neumann, Leis, VLDB 2020). Up to 255 symbols of 1 to 8 bytes have a
//! code of one byte each; each string is its codes, so any is read without its neighbours.
//!
//! ```text
//! | size    | field                                                              |
//! |  1      | symbols n, at most 255                                             |
//! |  n      | length of each symbol, 1 to 8                                      |
//! |  8 * n  | the symbols, each filled up with zeros                             |
//! |         | plain strings of codes: code 255 stands before a byte as it is     |
//! ```
//! The symbols are found once for all pages of a column in a row group, from a sample, and each page has them.

use std::collections::HashSet;
use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use super::ints::Packing;
use super::located::Located;
use super::plain::{self, Plain};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// Before a byte that no symbol stands for.
const ESCAPE: u8 = fsst::ESCAPE_CODE;

const SYMBOL_BYTES: usize = 8;

/// Most bytes of a part of decoded text.
const PART_BYTES: usize = 128;

/// Text shorter or longer than this on average is left alone: short strings gain nothing, and long ones are for the family's
/// compression, since a scan would spend its time on them.
const AVERAGE_BYTES: std::ops::RangeInclusive<usize> = 6..=160;

/// Text with fewer bytes is not worth a table of symbols.
const TEXT_BYTES_MIN: usize = 16 * 1024;

/// Approximate size of the sample in bytes.
const SAMPLE_BYTES: usize = 32 * 1024;

/// Bytes that are more varied than this are not text.
const DISTINCT_BYTES_MAX: usize = 160;

/// The codes must be smaller than this part of the text, in hundredths.
const SHARE_MAX: usize = 75;

/// The symbols of a column's text in a row group.
pub(crate) struct Symbols(fsst::Compressor);

impl Symbols {
    /// Finds symbols for text; `None` where the strings are not such text, or symbols save too little.
    pub(crate) fn train(strings: &[&[u8]]) -> Option<Symbols> {
        let bytes: usize = strings.iter().map(|string| string.len()).sum();
        if bytes < TEXT_BYTES_MIN || !AVERAGE_BYTES.contains(&(bytes / strings.len().max(1))) {
            return None;
        }
        let step = (bytes / SAMPLE_BYTES).max(1);
        let sample: Vec<&[u8]> = strings.iter().step_by(step).copied().filter(|s| !s.is_empty()).collect();
        // Strings that repeat are for the dictionary.
        if sample.iter().collect::<HashSet<_>>().len() < sample.len() / 2 {
            return None;
        }
        let mut seen = [false; 256];
        sample.iter().copied().flatten().for_each(|byte| seen[usize::from(*byte)] = true);
        if seen.iter().filter(|seen| **seen).count() > DISTINCT_BYTES_MAX {
            return None;
        }
        let compressor = fsst::Compressor::train(&sample);
        let codes: usize = sample.iter().map(|string| compressor.compress(string).len()).sum();
        let text: usize = sample.iter().map(|string| string.len()).sum();
        (codes * 100 < text * SHARE_MAX).then_some(Symbols(compressor))
    }

    /// Appends the sequence.
    pub(crate) fn write(&self, strings: &[&[u8]], packing: Packing, out: &mut Vec<u8>) {
        let (symbols, lengths) = (self.0.symbol_table(), self.0.symbol_lengths());
        out.push(narrow::to_u8(symbols.len()));
        out.extend_from_slice(lengths);
        symbols.iter().for_each(|symbol| out.extend_from_slice(&symbol.to_u64().to_le_bytes()));
        let codes: Vec<Vec<u8>> = strings.iter().map(|string| self.0.compress(string)).collect();
        let codes: Vec<&[u8]> = codes.iter().map(Vec::as_slice).collect();
        plain::write(&codes, packing, out);
    }
}

/// A parsed sequence.
#[derive(Clone, Debug)]
pub(crate) struct Coded {
    /// Where the number of symbols is.
    at: u32,
    codes: Plain,
}

impl Coded {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Coded> {
        let at = reader.at();
        let malformed = Malformed::new(at, "impossible symbols");
        let symbols = usize::from(reader.u8()?);
        let lengths = reader.take(symbols)?;
        if !lengths.iter().all(|length| (1..=SYMBOL_BYTES).contains(&usize::from(*length))) {
            return Err(malformed);
        }
        reader.skip(symbols * SYMBOL_BYTES)?;
        let at = u32::try_from(at).map_err(|_| malformed)?;
        Ok(Coded { at, codes: Plain::parse(body, reader, count)? })
    }

    #[inline]
    pub(crate) fn locate(&self, body: &[u8], index: usize) -> Decoded<Located> {
        match self.codes.locate(body, index)? {
            Located::At(start, length) => Ok(Located::Symbols { table: self.at, start, length }),
            other => Ok(other),
        }
    }

    /// Appends the strings at some positions.
    pub(crate) fn append(&self, body: &[u8], positions: Range<usize>, out: &mut Strings) -> Decoded<()> {
        for position in positions {
            if let Located::At(start, length) = self.codes.locate(body, position)? {
                out.push_with(|bytes| decode(body, self.at, start, length, bytes))?;
            }
        }
        Ok(())
    }

    /// Bytes that the strings at some positions have at most.
    pub(crate) fn bytes_max(&self, body: &[u8], positions: Range<usize>) -> usize {
        self.codes.bytes(body, positions).saturating_mul(SYMBOL_BYTES)
    }

    /// How the ends are encoded, for tools.
    pub(crate) fn describe(&self) -> &'static str {
        self.codes.describe()
    }
}

/// Appends what some codes stand for; `table` is where the number of symbols is.
pub(crate) fn decode(body: &[u8], table: u32, start: u32, length: u32, out: &mut Vec<u8>) -> Decoded<()> {
    let malformed = Malformed::new(start as usize, "a code has no symbol");
    let (count, rest) = body.get(table as usize..).and_then(<[u8]>::split_first).ok_or(malformed)?;
    let count = usize::from(*count);
    let (lengths, rest) = rest.split_at_checked(count).ok_or(malformed)?;
    let symbols = rest.get(..count * SYMBOL_BYTES).ok_or(malformed)?;
    let (symbols, _) = symbols.as_chunks::<SYMBOL_BYTES>();
    let start = start as usize;
    let mut codes = body.get(start..start.saturating_add(length as usize)).ok_or(malformed)?.iter();
    // In parts: pushing to the vector would store and reload its length for each symbol.
    let (mut part, mut end) = ([0; PART_BYTES], 0);
    while let Some(code) = codes.next() {
        if end > PART_BYTES - SYMBOL_BYTES {
            out.extend_from_slice(part.get(..end).unwrap_or_default());
            end = 0;
        }
        let Some(place) = part.get_mut(end..).and_then(<[u8]>::first_chunk_mut::<SYMBOL_BYTES>) else {
            return Err(malformed); // never: a part has room for a symbol
        };
        if *code == ESCAPE {
            place[0] = *codes.next().ok_or(malformed)?;
            end += 1;
            continue;
        }
        let code = usize::from(*code);
        let (symbol, length) = symbols.get(code).zip(lengths.get(code)).ok_or(malformed)?;
        // A copy of a known length is one store; the next symbol is written over what is too much.
        *place = *symbol;
        end += usize::from(*length);
    }
    out.extend_from_slice(part.get(..end).unwrap_or_default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of symbols of eight bytes, of one and of three.
    const TABLE: &[u8] = b"\x03\x08\x01\x03eighteenO\0\0\0\0\0\0\0two\0\0\0\0\0";
    const EIGHT: &[u8] = b"eighteen";
    const THREE: &[u8] = b"two";

    /// Decodes codes behind the table into a vector that has something already.
    fn decoded(codes: &[u8]) -> Decoded<Vec<u8>> {
        let body = [TABLE, codes].concat();
        let mut out = b"before".to_vec();
        decode(&body, 0, narrow::to_u32(TABLE.len()), narrow::to_u32(codes.len()), &mut out)?;
        assert_eq!(out.get(..6), Some(&b"before"[..]));
        Ok(out.split_off(6))
    }

    #[test]
    fn parts_of_text_end_anywhere() {
        for ones in 0..3 * PART_BYTES {
            let (mut codes, mut text) = (vec![1; ones], vec![b'O'; ones]);
            assert_eq!(decoded(&codes).unwrap(), text);
            codes.extend_from_slice(&[ESCAPE, b'e', 2, 0, ESCAPE, ESCAPE]);
            text.extend_from_slice(&[b"e", THREE, EIGHT, &[ESCAPE]].concat());
            assert_eq!(decoded(&codes).unwrap(), text, "behind {ones} codes of one byte");
        }
        let (codes, text) = (vec![0; PART_BYTES], EIGHT.repeat(PART_BYTES));
        assert_eq!(decoded(&codes).unwrap(), text);
    }

    #[test]
    fn codes_without_a_symbol_are_malformed_wherever_they_are() {
        for ones in [0, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES] {
            for bad in [3, 254, ESCAPE] {
                let codes = [vec![1; ones], vec![bad]].concat();
                assert!(decoded(&codes).is_err(), "{bad} behind {ones} codes");
            }
        }
    }
}
