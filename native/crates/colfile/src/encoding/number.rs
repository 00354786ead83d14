//! Number: big-endian integers of 1 to 8 bytes as bit-packed integers. Doubles and signed values work too, as raw bits.
//!
//! `u8 size | ints`

use grampus_base::narrow;

use super::blobs::SCRATCH_BYTES;
use super::ints::{self, Packing};
use super::stats::BlobStats;

pub(crate) fn is_size(len: usize) -> bool {
    (1..=8).contains(&len)
}

pub(crate) fn read(string: &[u8]) -> Option<u64> {
    is_size(string.len()).then(|| string.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

/// Writes an integer of `size` bytes to the front of `out`.
pub(crate) fn store(value: u64, size: u8, out: &mut [u8; SCRATCH_BYTES]) -> u8 {
    let shifted = value << (64 - 8 * u32::from(size.clamp(1, 8)));
    if let Some(front) = out.get_mut(..8) {
        front.copy_from_slice(&shifted.to_be_bytes());
    }
    size
}

pub(crate) fn estimate(stats: &BlobStats<'_>, packing: Packing) -> Option<usize> {
    stats.numbers.as_ref().map(|values| 2 + ints::plan(values, packing).bytes)
}

pub(crate) fn write(stats: &BlobStats<'_>, packing: Packing, out: &mut Vec<u8>) {
    out.push(stats.length.map_or(8, narrow::to_u8));
    ints::write(stats.numbers.as_deref().unwrap_or_default(), packing, out);
}
