//! Strings that are not in the page as such: they are made up of an integer or of codes when they are read.

use std::ops::Range;

use grampus_cells::Strings;

use super::ints::Ints;
use super::located::{Located, SCRATCH_BYTES};
use super::symbols::Coded;
use super::tag::Encoding;
use super::template::Template;
use super::{decimal, number, scaled};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};

/// A parsed sequence of them; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug)]
pub(crate) enum Made {
    Number(Ints, u8),
    Decimal(Ints),
    Template(Template),
    Scaled(Ints, u8),
    Symbols(Coded),
}

impl Made {
    /// Parses a sequence of exactly `count` strings behind the tag of its encoding.
    pub(crate) fn parse(
        encoding: Encoding,
        body: &[u8],
        reader: &mut FieldReader<'_>,
        count: usize,
    ) -> Decoded<Made> {
        let at = reader.at();
        match encoding {
            Encoding::Number => {
                let size = reader.u8()?;
                if !number::is_size(size as usize) {
                    return Err(Malformed::new(at, "impossible integer size"));
                }
                Ok(Made::Number(Ints::parse(body, reader, count)?, size))
            }
            Encoding::Scaled => {
                let scale = reader.u8()?;
                if scale > scaled::SCALE_MAX {
                    return Err(Malformed::new(at, "impossible number of digits after the point"));
                }
                Ok(Made::Scaled(Ints::parse(body, reader, count)?, scale))
            }
            Encoding::Decimal => Ok(Made::Decimal(Ints::parse(body, reader, count)?)),
            Encoding::Template => Ok(Made::Template(Template::parse(body, reader, count)?)),
            Encoding::Symbols => Ok(Made::Symbols(Coded::parse(body, reader, count)?)),
            _ => Err(Malformed::new(at, "unknown byte string encoding")),
        }
    }

    /// What the encoding is called, for tools.
    pub(crate) fn describe(&self) -> String {
        match self {
            Made::Number(ints, size) => format!("{} {size} {}", Encoding::Number.name(), ints.describe()),
            Made::Decimal(ints) => format!("{} {}", Encoding::Decimal.name(), ints.describe()),
            Made::Template(template) => format!("{} {}", Encoding::Template.name(), template.describe()),
            Made::Scaled(ints, scale) => format!("{} {scale} {}", Encoding::Scaled.name(), ints.describe()),
            Made::Symbols(coded) => format!("{} {}", Encoding::Symbols.name(), coded.describe()),
        }
    }

    /// Bytes that the strings at some positions have at most.
    pub(crate) fn bytes_max(&self, body: &[u8], positions: Range<usize>) -> usize {
        match self {
            Made::Symbols(coded) => coded.bytes_max(body, positions),
            _ => positions.len().saturating_mul(SCRATCH_BYTES),
        }
    }

    /// Appends the strings at some positions. What they are made of is read into the first of `integers`.
    pub(crate) fn append(
        &self,
        body: &[u8],
        positions: Range<usize>,
        [values, _]: &mut [Vec<u64>; 2],
        out: &mut Strings,
    ) -> Decoded<()> {
        match self {
            Made::Number(ints, size) => {
                ints.read(body, positions, values);
                number::append(values, *size, out);
            }
            Made::Decimal(ints) => {
                ints.read(body, positions, values);
                decimal::append(values, out);
            }
            Made::Scaled(ints, scale) => {
                ints.read(body, positions, values);
                scaled::append(values, *scale, out);
            }
            Made::Template(template) => template.append(body, positions, values, out),
            Made::Symbols(coded) => return coded.append(body, positions, out),
        }
        Ok(())
    }

    /// What the string at a position below the count is made of.
    pub(crate) fn locate(&self, body: &[u8], index: usize) -> Decoded<Located> {
        match self {
            Made::Number(ints, size) => Ok(Located::Number(ints.get(body, index), *size)),
            Made::Decimal(ints) => Ok(Located::Decimal(ints.get(body, index))),
            Made::Scaled(ints, scale) => Ok(Located::Scaled(ints.get(body, index), *scale)),
            Made::Template(template) => {
                let (at, digits) = template.locate(body, index);
                Ok(Located::Template(at, digits))
            }
            Made::Symbols(coded) => coded.locate(body, index),
        }
    }
}
