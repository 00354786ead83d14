//! Entry points for the benches: each encoding by itself.

use crate::Compression;
use crate::bytes::FieldReader;
use crate::encoding::blobs::{self, Scratch, Target};
use crate::encoding::ints::{self, Packing};
use crate::encoding::stats::BlobStats;
use crate::encoding::symbols::Symbols;
use crate::encoding::tag::Encoding;
use crate::encoding::{Blobs, Ints};
use crate::error::Decoded;

/// The encodings that can hold the strings.
pub fn encodings_of(strings: &[&[u8]]) -> Vec<&'static str> {
    let stats = BlobStats::of(strings);
    let fits = |encoding: &Encoding| encoding.estimate(&stats, Packing::Tight).is_some();
    let mut names: Vec<&str> = Encoding::ALL.into_iter().filter(fits).map(Encoding::name).collect();
    names.extend(Symbols::train(strings).map(|_| Encoding::Symbols.name()));
    names
}

/// Encodes strings in one of [`encodings_of`] them, as they come from the caller: looking at them is part of it.
pub fn encode(strings: &[&[u8]], name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    match Encoding::ALL.into_iter().find(|encoding| encoding.name() == name) {
        Some(encoding) => encoding.write(&BlobStats::of(strings), strings, Packing::Tight, &mut out),
        None => {
            out.push(Encoding::Symbols as u8);
            if let Some(symbols) = Symbols::train(strings) {
                symbols.write(strings, Packing::Tight, &mut out);
            }
        }
    }
    out
}

/// Encodes strings as the writer does, symbols excluded: chooses, and with a compression tries.
pub fn choose(strings: &[&[u8]], compression: Compression) -> Vec<u8> {
    let mut out = Vec::new();
    blobs::write(strings, Target::of(compression), &mut out);
    out
}

/// Reads the strings at some positions, of `count` that there are, and returns their bytes' number.
pub fn read(body: &[u8], count: usize, positions: impl Iterator<Item = usize>) -> Decoded<usize> {
    let parsed = Blobs::parse(body, &mut FieldReader::new(body), count)?;
    let mut scratch = Scratch::default();
    let mut bytes = 0;
    for index in positions {
        let located = parsed.locate(body, index)?;
        scratch.load(body, located)?;
        bytes += scratch.slice(body, located).len();
    }
    Ok(bytes)
}

/// Encodes integers in what suits them, and says in what.
pub fn encode_ints(values: &[u64]) -> Decoded<(Vec<u8>, &'static str)> {
    let mut out = Vec::new();
    ints::write(values, Packing::Tight, &mut out);
    let name = Ints::parse_any(&out, &mut FieldReader::new(&out))?.describe();
    Ok((out, name))
}

/// Reads the integers at some positions and returns their sum.
pub fn read_ints(body: &[u8], positions: impl Iterator<Item = usize>) -> Decoded<u64> {
    let parsed = Ints::parse_any(body, &mut FieldReader::new(body))?;
    Ok(positions.fold(0, |sum: u64, index| sum.wrapping_add(parsed.get(body, index))))
}
