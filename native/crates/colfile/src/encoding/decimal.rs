//! Decimal: ASCII numbers without sign or leading zeros, as bit-packed integers. Whatever does not round-trip to the byte is
//! not this encoding's.

use grampus_cells::Strings;

use super::ints::{self, Packing};
use super::located::SCRATCH_BYTES;
use super::text::{Text, append_number};

/// Digits whose value always fits 64 bits.
const DIGITS_MAX: usize = 18;

pub(crate) fn read(string: &[u8]) -> Option<u64> {
    let plain = match string {
        [b'0'] => true,
        [b'1'..=b'9', ..] => string.len() <= DIGITS_MAX,
        _ => false,
    };
    if !plain {
        return None;
    }
    string.iter().try_fold(0u64, |value, byte| match byte {
        b'0'..=b'9' => Some(value * 10 + u64::from(byte - b'0')),
        _ => None,
    })
}

/// Writes the digits to the front of `out`.
pub(crate) fn store(value: u64, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
    let mut text = Text::new();
    text.put_number(value);
    text.store(out)
}

/// Appends the digits of numbers.
pub(crate) fn append(values: &[u64], out: &mut Strings) {
    values.iter().for_each(|value| append_number(*value, out));
}

pub(crate) fn estimate(values: &[u64], packing: Packing) -> usize {
    1 + ints::plan(values, packing).bytes
}

pub(crate) fn write(values: &[u64], packing: Packing, out: &mut Vec<u8>) {
    ints::write(values, packing, out);
}
