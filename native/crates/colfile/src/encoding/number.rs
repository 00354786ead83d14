//! Number: big-endian integers of 1 to 8 bytes as bit-packed integers. Doubles and signed values work too, as raw bits.
//!
//! `u8 size | ints`

use grampus_base::narrow;
use grampus_cells::Strings;

use super::ints::{self, Packing};
use super::located::SCRATCH_BYTES;

pub(crate) fn is_size(len: usize) -> bool {
    (1..=8).contains(&len)
}

pub(crate) fn read(string: &[u8]) -> Option<u64> {
    is_size(string.len()).then(|| string.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

/// Writes an integer of `size` bytes to the front of `out`.
pub(crate) fn store(value: u64, size: u8, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
    if let Some(front) = out.get_mut(..8) {
        front.copy_from_slice(&in_front(value, size));
    }
    size
}

/// Appends integers of `size` bytes.
pub(crate) fn append(values: &[u64], size: u8, out: &mut Strings) {
    values.iter().for_each(|value| out.push_front(&in_front(*value, size), usize::from(size)));
}

/// The bytes of an integer, and zeros behind them.
#[inline]
fn in_front(value: u64, size: u8) -> [u8; 8] {
    (value << (64 - 8 * u32::from(size.clamp(1, 8)))).to_be_bytes()
}

pub(crate) fn estimate(values: &[u64], packing: Packing) -> usize {
    2 + ints::plan(values, packing).bytes
}

/// Appends integers of `size` bytes each.
pub(crate) fn write(values: &[u64], size: usize, packing: Packing, out: &mut Vec<u8>) {
    out.push(narrow::to_u8(size));
    ints::write(values, packing, out);
}
