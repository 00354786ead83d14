//! Decimal: ASCII numbers without sign or leading zeros, as bit-packed integers. Whatever does not round-trip to the byte is
//! not this encoding's.

use grampus_base::narrow;

use super::ints::{self, Packing};
use super::located::SCRATCH_BYTES;

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
pub(crate) fn store(mut value: u64, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
    let mut digits = [0u8; 20];
    let mut len = 0usize;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
        len += 1;
        if value == 0 {
            break;
        }
    }
    if let (Some(from), Some(to)) = (digits.get(20 - len..), out.get_mut(..len)) {
        to.copy_from_slice(from);
    }
    narrow::to_u8(len)
}

pub(crate) fn estimate(values: &[u64], packing: Packing) -> usize {
    1 + ints::plan(values, packing).bytes
}

pub(crate) fn write(values: &[u64], packing: Packing, out: &mut Vec<u8>) {
    ints::write(values, packing, out);
}
