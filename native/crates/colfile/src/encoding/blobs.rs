//! A sequence of byte strings behind its tag byte: the list of encodings, the choice among them and the reading of any.

use std::ops::Range;

use grampus_cells::Strings;

use super::constant::{self, Constant};
use super::dictionary::{self, Dictionary};
use super::fixed::{self, Fixed};
use super::ints::Packing;
use super::located::{Located, SCRATCH_BYTES};
use super::made::Made;
use super::plain::{self, Plain};
use super::stats::BlobStats;
use super::symbols::{self, Symbols};
use super::tag::Encoding;
use super::{decimal, number, scaled, template};
use crate::Compression;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

impl Encoding {
    /// Bytes that the sequence would take, `None` when this encoding cannot hold it.
    pub(crate) fn estimate(self, stats: &BlobStats<'_>, packing: Packing) -> Option<usize> {
        match self {
            Encoding::Plain => Some(plain::estimate(stats)),
            Encoding::Fixed => fixed::estimate(stats),
            Encoding::Constant => constant::estimate(stats),
            Encoding::Dictionary => dictionary::estimate(stats, packing),
            Encoding::Number => stats.numbers.as_ref().map(|values| number::estimate(values, packing)),
            Encoding::Decimal => stats.decimals.as_ref().map(|values| decimal::estimate(values, packing)),
            Encoding::Template => Some(template::estimate(stats.digits.as_ref()?, stats.length?, packing)),
            Encoding::Scaled => stats.scaled.as_ref().map(|scaled| scaled::estimate(scaled, packing)),
            Encoding::Symbols => None,
        }
    }

    /// Appends the sequence; only for stats whose estimate is not `None`.
    pub(crate) fn write(self, stats: &BlobStats<'_>, strings: &[&[u8]], packing: Packing, out: &mut Vec<u8>) {
        out.push(self as u8);
        let first = strings.first().copied().unwrap_or_default();
        match (self, &stats.digits, &stats.scaled) {
            (Encoding::Plain, ..) => plain::write(strings, packing, out),
            (Encoding::Fixed, ..) => fixed::write(strings, out),
            (Encoding::Constant, ..) => constant::write(strings, out),
            (Encoding::Dictionary, ..) => dictionary::write(stats, packing, out),
            (Encoding::Number, ..) => {
                number::write(stats.numbers.as_deref().unwrap_or_default(), first.len(), packing, out);
            }
            (Encoding::Decimal, ..) => {
                decimal::write(stats.decimals.as_deref().unwrap_or_default(), packing, out);
            }
            (Encoding::Template, Some(digits), _) => template::write(digits, first, packing, out),
            (Encoding::Scaled, _, Some(scaled)) => scaled::write(scaled, packing, out),
            (Encoding::Template | Encoding::Scaled | Encoding::Symbols, ..) => {}
        }
    }

    /// Whether integers that could be packed either way are most of it.
    fn is_packed(self) -> bool {
        match self {
            Encoding::Dictionary
            | Encoding::Number
            | Encoding::Decimal
            | Encoding::Template
            | Encoding::Scaled => true,
            Encoding::Plain | Encoding::Fixed | Encoding::Constant | Encoding::Symbols => false,
        }
    }

    /// Whether a part of the strings takes about its share of the bytes of all, whatever the lengths in it.
    pub(crate) fn shrinks_evenly(self) -> bool {
        match self {
            Encoding::Constant
            | Encoding::Dictionary
            | Encoding::Number
            | Encoding::Decimal
            | Encoding::Template
            | Encoding::Scaled
            | Encoding::Symbols => true,
            Encoding::Plain | Encoding::Fixed => false,
        }
    }
}

/// The encoding with the smallest estimate, and that estimate.
pub(crate) fn choose(stats: &BlobStats<'_>) -> (Encoding, usize) {
    let mut best = (Encoding::Plain, plain::estimate(stats));
    for encoding in Encoding::ALL {
        if let Some(bytes) = encoding.estimate(stats, Packing::Tight).filter(|bytes| *bytes < best.1) {
            best = (encoding, bytes);
        }
    }
    best
}

/// An encoding is tried with the compressor only if it takes at most this multiple of the smallest one's bytes.
const TRIAL_RATIO_MAX: usize = 4;

/// What an encoding is chosen for.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    /// The compression that follows.
    pub(crate) compression: Compression,
    /// Symbols for the strings, if they are text.
    pub(crate) symbols: Option<&'a Symbols>,
}

impl Target<'_> {
    /// Strings that are followed by a compression and are not looked at as text.
    pub(crate) fn of(compression: Compression) -> Target<'static> {
        Target { compression, symbols: None }
    }
}

/// Appends the sequence in the encoding that leaves the fewest bytes after compression.
pub(crate) fn write(strings: &[&[u8]], target: Target<'_>, out: &mut Vec<u8>) {
    let stats = BlobStats::of(strings);
    let (smallest, bytes) = choose(&stats);
    let symbols = target.symbols.filter(|_| matches!(smallest, Encoding::Plain | Encoding::Fixed));
    let choice = is_worth_trials(&stats) && smallest != Encoding::Constant;
    if symbols.is_none() && (target.compression == Compression::None || !choice) {
        return smallest.write(&stats, strings, Packing::Tight, out);
    }
    let mut best = Best { compression: target.compression, left: usize::MAX, bytes: Vec::new() };
    if let Some(symbols) = symbols {
        let mut trial = vec![Encoding::Symbols as u8];
        symbols.write(strings, Packing::Tight, &mut trial);
        best.consider(trial, SYMBOLS_MARGIN);
    }
    for encoding in Encoding::ALL {
        for packing in [Packing::Tight, Packing::Bytes] {
            let tried = match packing {
                Packing::Tight => encoding == smallest || target.compression != Compression::None,
                Packing::Bytes => encoding.is_packed() && target.compression != Compression::None,
            };
            let estimate = encoding.estimate(&stats, packing).filter(|_| tried);
            if estimate.is_none_or(|estimate| estimate > bytes * TRIAL_RATIO_MAX) {
                continue;
            }
            let mut trial = Vec::new();
            encoding.write(&stats, strings, packing, &mut trial);
            best.consider(trial, 0);
        }
    }
    out.extend_from_slice(&best.bytes);
}

/// Symbols must leave less by this part, in hundredths, since they are slower to read.
const SYMBOLS_MARGIN: usize = 15;

/// The best encoding so far.
struct Best {
    compression: Compression,
    left: usize,
    bytes: Vec<u8>,
}

impl Best {
    /// Keeps a sequence if its compressed size, increased by `margin` percent, is the smallest so far.
    fn consider(&mut self, trial: Vec<u8>, margin: usize) {
        let left = self.compression.compressed_len(&trial);
        let left = left + left * margin / 100;
        if left < self.left {
            *self = Best { compression: self.compression, left, bytes: trial };
        }
    }
}

/// Whether there is a choice: strings that are long and all different can only be stored as they are.
fn is_worth_trials(stats: &BlobStats<'_>) -> bool {
    Encoding::ALL
        .iter()
        .any(|encoding| encoding.is_packed() && encoding.estimate(stats, Packing::Tight).is_some())
}

/// A parsed sequence; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug)]
pub(crate) enum Blobs {
    Plain(Plain),
    Fixed(Fixed),
    Constant(Constant),
    Dictionary(Dictionary),
    Made(Box<Made>),
}

impl Blobs {
    /// What the encoding is called, for tools.
    pub(crate) fn describe(&self) -> String {
        match self {
            Blobs::Plain(plain) => format!("{} {}", Encoding::Plain.name(), plain.describe()),
            Blobs::Fixed(_) => Encoding::Fixed.name().to_string(),
            Blobs::Constant(_) => Encoding::Constant.name().to_string(),
            Blobs::Dictionary(dictionary) => {
                format!("{} {}", Encoding::Dictionary.name(), dictionary.describe())
            }
            Blobs::Made(made) => made.describe(),
        }
    }

    /// Parses a sequence of exactly `count` strings.
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Blobs> {
        let at = reader.at();
        let tag = reader.u8()?;
        let encodings = Encoding::ALL.into_iter().chain([Encoding::Symbols]);
        let unknown = Malformed::new(at, "unknown byte string encoding");
        match encodings.into_iter().find(|encoding| *encoding as u8 == tag).ok_or(unknown)? {
            Encoding::Plain => Ok(Blobs::Plain(Plain::parse(body, reader, count)?)),
            Encoding::Fixed => Ok(Blobs::Fixed(Fixed::parse(reader, count)?)),
            Encoding::Constant => Ok(Blobs::Constant(Constant::parse(reader)?)),
            Encoding::Dictionary => Ok(Blobs::Dictionary(Dictionary::parse(body, reader, count)?)),
            made => Ok(Blobs::Made(Box::new(Made::parse(made, body, reader, count)?))),
        }
    }

    /// Bytes that the strings at some positions have at most. `longest` is kept from call to call for the same sequence.
    pub(crate) fn bytes_max(
        &self,
        body: &[u8],
        positions: Range<usize>,
        longest: &mut Option<usize>,
    ) -> usize {
        let all_of = |bytes: usize| bytes.saturating_mul(positions.len());
        match self {
            Blobs::Plain(plain) => plain.bytes(body, positions),
            Blobs::Fixed(fixed) => all_of(fixed.length()),
            Blobs::Constant(constant) => all_of(constant.length()),
            Blobs::Dictionary(dictionary) => all_of(*longest.get_or_insert_with(|| dictionary.longest(body))),
            Blobs::Made(made) => made.bytes_max(body, positions),
        }
    }

    /// Appends the strings at some positions below the count. Integers that they are made of are read into `integers`.
    pub(crate) fn append(
        &self,
        body: &[u8],
        positions: Range<usize>,
        integers: &mut [Vec<u64>; 2],
        out: &mut Strings,
    ) -> Decoded<()> {
        match self {
            Blobs::Plain(plain) => plain.append(body, positions, &mut integers[0], out)?,
            Blobs::Fixed(fixed) => fixed.append(body, positions, out),
            Blobs::Constant(constant) => {
                let string = constant.string(body);
                positions.for_each(|_| out.push(string));
            }
            Blobs::Dictionary(dictionary) => dictionary.append(body, positions, integers, out)?,
            Blobs::Made(made) => made.append(body, positions, integers, out)?,
        }
        Ok(())
    }

    /// The string of all positions, if they have one.
    pub(crate) fn constant<'a>(&self, body: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Blobs::Constant(constant) => Some(constant.string(body)),
            _ => None,
        }
    }

    /// The string at a position below the count.
    #[inline]
    pub(crate) fn locate(&self, body: &[u8], index: usize) -> Decoded<Located> {
        match self {
            Blobs::Plain(plain) => plain.locate(body, index),
            Blobs::Fixed(fixed) => Ok(fixed.locate(index)),
            Blobs::Constant(constant) => Ok(constant.locate()),
            Blobs::Dictionary(dictionary) => dictionary.locate(body, index),
            Blobs::Made(made) => made.locate(body, index),
        }
    }
}

/// Room for the strings that are not in the body as such.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    bytes: [u8; SCRATCH_BYTES],
    len: u8,
    text: Vec<u8>,
}

impl Scratch {
    /// Bytes of memory beside this struct.
    pub(crate) fn bytes(&self) -> usize {
        self.text.capacity()
    }

    /// Takes a located string in; nothing to do for one that is in the body.
    #[inline]
    pub(crate) fn load(&mut self, body: &[u8], located: Located) -> Decoded<()> {
        if matches!(located, Located::At(..)) {
            return Ok(());
        }
        self.make(body, located)
    }

    /// Makes up a string that is not in the body as such.
    #[inline(never)]
    fn make(&mut self, body: &[u8], located: Located) -> Decoded<()> {
        match located {
            Located::At(..) => {}
            Located::Symbols { table, start, length } => {
                self.text.clear();
                return symbols::decode(body, table, start, length, &mut self.text);
            }
            Located::Number(value, size) => self.len = number::store(value, size, &mut self.bytes),
            Located::Decimal(value) => self.len = decimal::store(value, &mut self.bytes),
            Located::Scaled(value, scale) => self.len = scaled::store(value, scale, &mut self.bytes),
            Located::Template(at, digits) => self.len = template::store(body, at, digits, &mut self.bytes),
        }
        Ok(())
    }

    /// The string that was located and loaded.
    #[inline]
    pub(crate) fn slice<'a>(&'a self, body: &'a [u8], located: Located) -> &'a [u8] {
        match located {
            Located::At(start, len) => {
                let start = start as usize;
                body.get(start..start + len as usize).unwrap_or_default()
            }
            Located::Symbols { .. } => &self.text,
            _ => self.bytes.get(..usize::from(self.len)).unwrap_or_default(),
        }
    }
}
