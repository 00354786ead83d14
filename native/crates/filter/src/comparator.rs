//! What filters compare with.

use std::cmp::Ordering;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{ByteReader, ValueBounds};

use super::pattern::{Failure, Pattern, PatternContext};
use crate::CompareOp;

/// HBase's comparators.
pub(crate) enum Comparator {
    /// No comparator.
    None,
    /// Bytes.
    Binary(Vec<u8>),
    /// The first bytes.
    BinaryPrefix(Vec<u8>),
    /// An 8-byte integer.
    Long(i64, Arc<Failure>),
    /// Equal when the bitwise operation with bytes of the same length leaves a bit.
    Bit(Vec<u8>, BitOp),
    /// Equal to nothing that exists.
    Null,
    /// Equal when the text occurs, whatever its case.
    Substring(String),
    /// Equal when the pattern occurs.
    Regex(Box<Pattern>),
    /// Bytes at an offset.
    BinaryComponent(Vec<u8>, usize),
}

/// Operation of a bit comparator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitOp {
    /// Both.
    And,
    /// One or both.
    Or,
    /// Exactly one.
    Xor,
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl Comparator {
    /// Decodes a comparator.
    pub(crate) fn decode(reader: &mut ByteReader<'_>, patterns: &PatternContext) -> Result<Comparator> {
        Ok(match reader.u8("a comparator")? {
            0 => Comparator::None,
            1 => Comparator::Binary(reader.bytes("a comparator")?.to_vec()),
            2 => Comparator::BinaryPrefix(reader.bytes("a comparator")?.to_vec()),
            3 => Comparator::Long(reader.i64("a comparator")?, patterns.expect_failure()),
            4 => return Err(bad("BigDecimalComparator is not supported by this server")),
            5 => {
                let bits = reader.bytes("a comparator")?.to_vec();
                let op = match reader.u8("a bit operation")? {
                    1 => BitOp::And,
                    2 => BitOp::Or,
                    3 => BitOp::Xor,
                    other => return Err(bad(format!("unknown bit operation {other}"))),
                };
                Comparator::Bit(bits, op)
            }
            6 => Comparator::Null,
            7 => Comparator::Substring(String::from_utf8_lossy(reader.bytes("a comparator")?).to_lowercase()),
            8 => Comparator::Regex(Box::new(Pattern::decode(reader, patterns)?)),
            9 => {
                let bytes = reader.bytes("a comparator")?.to_vec();
                let offset = usize::try_from(reader.i32("an offset")?)
                    .map_err(|_| bad("the offset of a BinaryComponentComparator is negative"))?;
                Comparator::BinaryComponent(bytes, offset)
            }
            other => return Err(bad(format!("unknown comparator {other}"))),
        })
    }

    /// The comparator's value against `bytes`; comparators that only match say `Greater` for no match, as HBase does.
    pub(crate) fn compare(&self, bytes: &[u8]) -> Ordering {
        let matches = |yes: bool| if yes { Ordering::Equal } else { Ordering::Greater };
        match self {
            Comparator::None | Comparator::Null => Ordering::Greater,
            Comparator::Binary(value) => value.as_slice().cmp(bytes),
            Comparator::BinaryPrefix(value) => {
                value.as_slice().cmp(bytes.get(..value.len()).unwrap_or(bytes))
            }
            Comparator::Long(value, failure) => match <[u8; 8]>::try_from(bytes) {
                Ok(number) => value.cmp(&i64::from_be_bytes(number)),
                Err(_) => {
                    let length = bytes.len();
                    failure.set(bad(format!("LongComparator: Wrong length: {length}, expected 8")));
                    Ordering::Greater
                }
            },
            Comparator::Bit(bits, op) => matches(bits.len() == bytes.len() && has_bit(bits, bytes, *op)),
            Comparator::Substring(text) => {
                matches(String::from_utf8_lossy(bytes).to_lowercase().contains(text.as_str()))
            }
            Comparator::Regex(pattern) => matches(pattern.occurs_in(bytes)),
            Comparator::BinaryComponent(value, offset) => {
                let part = bytes.get(*offset..).unwrap_or_default();
                value.as_slice().cmp(part.get(..value.len()).unwrap_or(part))
            }
        }
    }

    /// Whether `bytes OP comparator` holds.
    pub(crate) fn accepts(&self, op: CompareOp, bytes: &[u8]) -> bool {
        op != CompareOp::NoOp && op.accepts(self.compare(bytes).reverse())
    }

    /// Whether `bytes OP comparator` may hold for bytes within bounds. Comparators without an order of bytes cannot tell and say yes.
    pub(crate) fn may_accept(&self, op: CompareOp, bounds: &ValueBounds) -> bool {
        let (value, len) = match self {
            Comparator::Binary(value) => (value.as_slice(), usize::MAX),
            Comparator::BinaryPrefix(value) => (value.as_slice(), value.len()),
            _ => return true,
        };
        // Bytes are compared as far as `len`; bounds that are cut to as many are bounds of what is compared.
        let (min, max) = (cut(&bounds.min, len), cut(&bounds.max, len));
        // Behind a maximum that was cut itself anything may follow.
        let open =
            bounds.max_cut && max.len() == bounds.max.len() && max.len() < len && value.starts_with(max);
        bounds.known
            && match op {
                CompareOp::Less => min < value,
                CompareOp::LessOrEqual => min <= value,
                CompareOp::Equal => min <= value && (value <= max || open),
                CompareOp::NotEqual => min != value || max != value || open,
                CompareOp::GreaterOrEqual => value <= max || open,
                CompareOp::Greater => value < max || open,
                CompareOp::NoOp => false,
            }
    }

    /// True for [`Comparator::None`].
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Comparator::None)
    }
}

fn cut(bytes: &[u8], len: usize) -> &[u8] {
    bytes.get(..len).unwrap_or(bytes)
}

fn has_bit(left: &[u8], right: &[u8], op: BitOp) -> bool {
    left.iter().zip(right).any(|(l, r)| match op {
        BitOp::And => l & r != 0,
        BitOp::Or => l | r != 0,
        BitOp::Xor => l ^ r != 0,
    })
}

#[cfg(test)]
mod tests {
    use grampus_cells::CellType;
    use grampus_testkit::random::Random;

    use super::*;

    #[test]
    fn comparisons_go_the_way_of_hbase() {
        let binary = Comparator::Binary(b"m".to_vec());
        assert!(binary.accepts(CompareOp::Less, b"a"));
        assert!(!binary.accepts(CompareOp::Less, b"z"));
        assert!(binary.accepts(CompareOp::GreaterOrEqual, b"m"));
        assert!(!binary.accepts(CompareOp::NoOp, b"m"));
        let prefix = Comparator::BinaryPrefix(b"ab".to_vec());
        assert!(prefix.accepts(CompareOp::Equal, b"abc") && !prefix.accepts(CompareOp::Equal, b"a"));
        assert!(Comparator::Substring("lo w".into()).accepts(CompareOp::Equal, b"HELLO World"));
        assert!(Comparator::Null.accepts(CompareOp::NotEqual, b""));
        let bit = Comparator::Bit(vec![0b0110], BitOp::And);
        assert!(bit.accepts(CompareOp::Equal, &[0b0010]) && !bit.accepts(CompareOp::Equal, &[0b1001]));
        assert!(Comparator::BinaryComponent(b"x".to_vec(), 2).accepts(CompareOp::Equal, b"abxyz"));
        let failure = Arc::new(Failure::default());
        let long = Comparator::Long(5, Arc::clone(&failure));
        assert!(long.accepts(CompareOp::Less, &4i64.to_be_bytes()) && !failure.is_set());
        assert!(!long.accepts(CompareOp::Equal, b"seven b") && failure.is_set());
    }

    /// Every operation on random values and bounds, short ones and such as are cut.
    #[test]
    fn bounds_never_rule_out_what_a_comparison_accepts() {
        use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NoOp, NotEqual};
        let mut random = Random::new(u64::from(std::process::id()));
        let (mut accepted, mut ruled_out) = (0, 0);
        for _ in 0..20_000 {
            let mut string = || {
                let len = random.below(3) as usize + if random.one_in(3) { 31 } else { 0 };
                let mut bytes = vec![b'x'; len];
                bytes.iter_mut().rev().take(2).for_each(|byte| *byte = b'w' + random.below(3) as u8);
                bytes
            };
            let (values, comparand) = ([string(), string(), string()], string());
            let mut bounds = ValueBounds::default();
            values.iter().for_each(|value| bounds.add(CellType::PUT, value));
            for comparator in [Comparator::Binary(comparand.clone()), Comparator::BinaryPrefix(comparand)] {
                for op in [Less, LessOrEqual, Equal, NotEqual, GreaterOrEqual, Greater, NoOp] {
                    let any = values.iter().any(|value| comparator.accepts(op, value));
                    let may = comparator.may_accept(op, &bounds);
                    assert!(may || !any, "{op:?} {values:x?} {bounds:?}");
                    accepted += u32::from(any);
                    ruled_out += u32::from(!may);
                }
            }
        }
        assert!(accepted > 1000 && ruled_out > 1000, "{accepted} accepted, {ruled_out} ruled out");
        assert!(!Comparator::Binary(Vec::new()).may_accept(NotEqual, &ValueBounds::default()));
        assert!(Comparator::Null.may_accept(Equal, &ValueBounds::default()));
    }
}
