//! Decimal: ASCII numbers without sign or leading zeros, as bit-packed integers. Whatever does not round-trip to the byte is
//! not this encoding's.

use grampus_base::narrow;

use super::blobs::SCRATCH_BYTES;
use super::ints::{self, Packing};
use super::stats::BlobStats;

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

pub(crate) fn estimate(stats: &BlobStats<'_>, packing: Packing) -> Option<usize> {
    stats.decimals.as_ref().map(|values| 1 + ints::plan(values, packing).bytes)
}

pub(crate) fn write(stats: &BlobStats<'_>, packing: Packing, out: &mut Vec<u8>) {
    ints::write(stats.decimals.as_deref().unwrap_or_default(), packing, out);
}
