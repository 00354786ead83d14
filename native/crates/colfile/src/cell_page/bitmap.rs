//! A bitmap of rows.

/// The 64 bits from `bit` on, zeros past the end.
#[inline]
pub(super) fn bitmap_word(body: &[u8], at: usize, bits: u32, bit: u32) -> u64 {
    let byte = at + bit as usize / 8;
    let end = at + (bits as usize).div_ceil(8);
    let shift = bit % 8;
    let load = |from: usize| match body.get(from..from + 8).and_then(|w| <[u8; 8]>::try_from(w).ok()) {
        Some(word) if from + 8 <= end => u64::from_le_bytes(word),
        _ => {
            let rest = body.get(from..end).unwrap_or_default();
            rest.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
        }
    };
    let low = load(byte) >> shift;
    let word = if shift == 0 { low } else { low | load(byte + 8) << (64 - shift) };
    match bits - bit {
        left @ 0..=63 => word & ((1 << left) - 1),
        _ => word,
    }
}
