//! Scaled: decimal numbers with a sign or a fraction as integers. All have the same number of digits after the point; a number
//! without a fraction has no point. Whatever does not round-trip to the byte is not this encoding's.
//!
//! `u8 digits after the point | ints, each with its sign bit inverted`

use grampus_cells::Strings;

use super::ints::{self, Packing};
use super::located::SCRATCH_BYTES;
use super::text::Text;

/// Digits whose value always fits 64 bits with a sign.
const DIGITS_MAX: usize = 18;

/// Digits after the point, at most.
pub(crate) const SCALE_MAX: u8 = 17;

/// Numbers without their points.
pub(crate) struct Scaled {
    scale: u8,
    values: Vec<u64>,
}

/// Takes the points out; `None` where some string is no such number.
pub(crate) fn scaled(strings: &[&[u8]]) -> Option<Scaled> {
    let first = strings.first()?;
    let fraction = first.iter().position(|byte| *byte == b'.').map_or(0, |point| first.len() - point - 1);
    let scale = u8::try_from(fraction).ok().filter(|scale| *scale <= SCALE_MAX)?;
    let values: Option<Vec<u64>> = strings.iter().map(|string| read(string, scale)).collect();
    Some(Scaled { scale, values: values? })
}

/// A number with `scale` digits after the point.
fn read(string: &[u8], scale: u8) -> Option<u64> {
    let (negative, digits) = match string.split_first() {
        Some((b'-', digits)) => (true, digits),
        _ => (false, string),
    };
    let (whole, fraction) = match digits.iter().position(|byte| *byte == b'.') {
        Some(point) => {
            (digits.get(..point)?, digits.get(point + 1..).filter(|fraction| !fraction.is_empty())?)
        }
        None => (digits, &[][..]),
    };
    let plain = match whole {
        [b'0'] => true,
        [b'1'..=b'9', ..] => whole.len() + fraction.len() <= DIGITS_MAX,
        _ => false,
    };
    if !plain || fraction.len() != usize::from(scale) {
        return None;
    }
    let value = whole.iter().chain(fraction).try_fold(0i64, |value, byte| match byte {
        b'0'..=b'9' => Some(value * 10 + i64::from(byte - b'0')),
        _ => None,
    })?;
    match (negative, value) {
        (true, 0) => None,
        (true, value) => Some(ints::from_i64(-value)),
        (false, value) => Some(ints::from_i64(value)),
    }
}

/// Writes a number to the front of `out`.
pub(crate) fn store(value: u64, scale: u8, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
    let mut text = Text::new();
    put(value, scale, &mut text);
    text.store(out)
}

/// Appends numbers.
pub(crate) fn append(values: &[u64], scale: u8, out: &mut Strings) {
    let mut text = Text::new();
    for value in values {
        text.clear();
        put(*value, scale, &mut text);
        text.append_to(out);
    }
}

#[inline]
fn put(value: u64, scale: u8, text: &mut Text) {
    let value = ints::to_i64(value);
    let mut rest = value.unsigned_abs();
    if scale > 0 {
        rest = text.put_digits(rest, scale.min(SCALE_MAX));
        text.put(b'.');
    }
    text.put_number(rest);
    if value < 0 {
        text.put(b'-');
    }
}

pub(crate) fn estimate(scaled: &Scaled, packing: Packing) -> usize {
    2 + ints::plan(&scaled.values, packing).bytes
}

pub(crate) fn write(scaled: &Scaled, packing: Packing, out: &mut Vec<u8>) {
    out.push(scaled.scale);
    ints::write(&scaled.values, packing, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_back_to_the_byte_is_taken() {
        let back = |string: &str, scale: u8| {
            let mut out = [0; SCRATCH_BYTES];
            let len = store(read(string.as_bytes(), scale)?, scale, &mut out);
            Some(String::from_utf8(out[..usize::from(len)].to_vec()).unwrap())
        };
        for (string, scale) in [
            ("0", 0),
            ("-1", 0),
            ("-999999999999999999", 0),
            ("0.5", 1),
            ("-0.05", 2),
            ("12.340", 3),
            ("0.00000000000000001", 17),
            ("-1.00000000000000000", 17),
        ] {
            assert_eq!(back(string, scale).as_deref(), Some(string));
        }
        for string in ["", "-", "-0", "00", "01", "1.", ".5", "1e5", "+1", "1.2.3", "--1", " 1", "1.-2"] {
            for scale in 0..3 {
                assert_eq!(back(string, scale), None, "{string}");
            }
        }
        assert_eq!(back("-0.00", 2), None);
        assert_eq!(back("1.5", 2), None);
        assert_eq!(back("1000000000000000000", 0), None);
    }
}
