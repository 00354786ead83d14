//! A sequence of byte strings behind its tag byte: the list of encodings, the choice among them and the reading of any.

use super::constant::{self, Constant};
use super::dictionary::{self, Dictionary};
use super::fixed::{self, Fixed};
use super::ints::Packing;
use super::made::Made;
use super::plain::{self, Plain};
use super::stats::BlobStats;
use super::symbols::{self, Symbols};
use super::{decimal, number, scaled, template};
use crate::Compression;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// An encoding of byte strings; the discriminants are the tags on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Encoding {
    Plain = 1,
    Fixed = 2,
    Constant = 3,
    Dictionary = 4,
    Number = 5,
    Decimal = 6,
    Template = 7,
    Scaled = 8,
    Symbols = 9,
}

impl Encoding {
    /// Those that need nothing but the strings.
    pub(crate) const ALL: [Encoding; 8] = [
        Encoding::Constant,
        Encoding::Number,
        Encoding::Decimal,
        Encoding::Scaled,
        Encoding::Template,
        Encoding::Dictionary,
        Encoding::Fixed,
        Encoding::Plain,
    ];

    /// What the encoding is called, for tools.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Plain => "plain",
            Encoding::Fixed => "fixed",
            Encoding::Constant => "constant",
            Encoding::Dictionary => "dictionary",
            Encoding::Number => "number",
            Encoding::Decimal => "decimal",
            Encoding::Template => "template",
            Encoding::Scaled => "scaled",
            Encoding::Symbols => "symbols",
        }
    }

    /// Bytes that the sequence would take, `None` when this encoding cannot hold it.
    pub(crate) fn estimate(self, stats: &BlobStats<'_>, packing: Packing) -> Option<usize> {
        match self {
            Encoding::Plain => Some(plain::estimate(stats)),
            Encoding::Fixed => fixed::estimate(stats),
            Encoding::Constant => constant::estimate(stats),
            Encoding::Dictionary => dictionary::estimate(stats, packing),
            Encoding::Number => number::estimate(stats, packing),
            Encoding::Decimal => decimal::estimate(stats, packing),
            Encoding::Template => template::estimate(stats, packing),
            Encoding::Scaled => scaled::estimate(stats, packing),
            Encoding::Symbols => None,
        }
    }

    /// Appends the sequence; only for stats whose estimate is not `None`.
    pub(crate) fn write(self, stats: &BlobStats<'_>, strings: &[&[u8]], packing: Packing, out: &mut Vec<u8>) {
        out.push(self as u8);
        match self {
            Encoding::Plain => plain::write(strings, packing, out),
            Encoding::Fixed => fixed::write(strings, out),
            Encoding::Constant => constant::write(strings, out),
            Encoding::Dictionary => dictionary::write(stats, packing, out),
            Encoding::Number => number::write(stats, packing, out),
            Encoding::Decimal => decimal::write(stats, packing, out),
            Encoding::Template => template::write(stats, strings, packing, out),
            Encoding::Scaled => scaled::write(stats, packing, out),
            Encoding::Symbols => {}
        }
    }

    /// Whether integers that could be packed either way are most of it.
    fn is_packed(self) -> bool {
        !matches!(self, Encoding::Constant | Encoding::Plain | Encoding::Fixed | Encoding::Symbols)
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

/// An encoding that takes more than so many times as many bytes as the smallest is not tried with the compressor.
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
    /// Takes a sequence if it leaves the fewest bytes even when counted as so many hundredths larger.
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

/// Where one string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Located {
    /// In the body: start and length.
    At(u32, u32),
    /// A big-endian integer of so many bytes.
    Number(u64, u8),
    /// A decimal number.
    Decimal(u64),
    /// A decimal number, its sign bit inverted, and its digits after the point.
    Scaled(u64, u8),
    /// A template at a place in the body, and the digits that go into it.
    Template(u32, u64),
    /// Codes in the body, and where the table of their symbols is.
    Symbols { table: u32, start: u32, length: u32 },
}

impl Located {
    pub(crate) const EMPTY: Located = Located::At(0, 0);
}

impl Blobs {
    /// What the encoding is called, for tools.
    pub(crate) fn describe(&self) -> String {
        match self {
            Blobs::Plain(plain) => format!("plain {}", plain.describe()),
            Blobs::Fixed(_) => "fixed".to_string(),
            Blobs::Constant(_) => "constant".to_string(),
            Blobs::Dictionary(dictionary) => format!("dictionary {}", dictionary.describe()),
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

/// Bytes of the longest string that is made up of a number.
pub(crate) const SCRATCH_BYTES: usize = 32;

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
