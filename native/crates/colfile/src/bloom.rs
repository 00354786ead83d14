//! Split-block bloom filter of one row group, cut into pages of whole blocks so that a probe reads one page.
//!
//! A block is 256 bits, eight little-endian 32-bit words. The upper half of a key's hash picks the block, the lower half,
//! multiplied with eight odd constants, one bit in each word. About 10.5 bits per key give one false answer in a hundred.

use grampus_base::narrow;

use crate::hash::{hash, hash_parts};

/// Bytes of a block.
pub(crate) const BLOCK_BYTES: usize = 32;
const BITS_PER_KEY: usize = 11;
const SALTS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

/// Hash of a row for a ROW filter, and of a row with a family delete marker for a ROWCOL filter.
pub(crate) fn row_hash(row: &[u8]) -> u64 {
    hash(row)
}

/// Hash of a row's prefix for a ROWPREFIX_FIXED_LENGTH filter.
pub(crate) fn prefix_hash(row: &[u8], len: u32) -> u64 {
    hash(row.get(..len as usize).unwrap_or(row))
}

/// Hash of a row and qualifier for a ROWCOL filter; the length keeps `ab|c` and `a|bc` apart.
pub(crate) fn row_col_hash(row: &[u8], qualifier: &[u8]) -> u64 {
    hash_parts(&[&narrow::to_u32(row.len()).to_le_bytes(), row, qualifier])
}

/// Number of blocks for `keys` keys.
pub(crate) fn block_count(keys: usize) -> usize {
    keys.saturating_mul(BITS_PER_KEY).div_ceil(BLOCK_BYTES * 8).max(1)
}

/// The filter's bytes, `block_count` blocks.
pub(crate) fn build(hashes: &[u64]) -> Vec<u8> {
    let blocks = block_count(hashes.len());
    let mut filter = vec![0u8; blocks * BLOCK_BYTES];
    for hash in hashes {
        let at = block_of(*hash, blocks) * BLOCK_BYTES;
        if let Some(block) = filter.get_mut(at..at + BLOCK_BYTES) {
            for (word, bit) in bits(*hash).enumerate() {
                if let Some(byte) = block.get_mut(word * 4 + bit as usize / 8) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
    }
    filter
}

/// The block that holds a key.
pub(crate) fn block_of(hash: u64, blocks: usize) -> usize {
    (((hash >> 32) * blocks as u64) >> 32) as usize
}

/// Whether a block may hold a key; a block that is cut short may hold anything.
pub(crate) fn block_may_contain(block: &[u8], hash: u64) -> bool {
    let (words, _) = block.as_chunks::<4>();
    words.iter().zip(bits(hash)).all(|(word, bit)| u32::from_le_bytes(*word) >> bit & 1 != 0)
}

fn bits(hash: u64) -> impl Iterator<Item = u32> {
    SALTS.into_iter().map(move |salt| narrow::low_u32(hash).wrapping_mul(salt) >> 27)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_contain(filter: &[u8], hash: u64) -> bool {
        let at = block_of(hash, filter.len() / BLOCK_BYTES) * BLOCK_BYTES;
        block_may_contain(&filter[at..at + BLOCK_BYTES], hash)
    }

    #[test]
    fn no_key_is_missed_and_few_others_pass() {
        let hashes: Vec<u64> = (0..10_000u32).map(|n| row_hash(&n.to_be_bytes())).collect();
        let filter = build(&hashes);
        assert!(hashes.iter().all(|h| may_contain(&filter, *h)));
        let wrong = (10_000..110_000u32).filter(|n| may_contain(&filter, row_hash(&n.to_be_bytes()))).count();
        assert!(wrong < 2_000, "{wrong} of 100,000");
    }

    #[test]
    fn row_and_qualifier_do_not_run_together() {
        assert_ne!(row_col_hash(b"ab", b"c"), row_col_hash(b"a", b"bc"));
    }
}
