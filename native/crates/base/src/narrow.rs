//! Lengths in fewer bits, where a check before has shown that they fit.
//!
//! A build with debug assertions checks it once more. A release build masks: the cast costs nothing, and these functions are on the paths
//! that run once per cell.

/// A length of at most 255.
#[inline(always)]
pub const fn to_u8(len: usize) -> u8 {
    debug_assert!(len <= u8::MAX as usize);
    (len as u64 & 0xFF) as u8
}

/// A length of at most 65,535.
#[inline(always)]
pub const fn to_u16(len: usize) -> u16 {
    debug_assert!(len <= u16::MAX as usize);
    (len as u64 & 0xFFFF) as u16
}

/// A length of at most 4,294,967,295.
#[inline(always)]
pub const fn to_u32(len: usize) -> u32 {
    debug_assert!(len <= u32::MAX as usize);
    (len as u64 & 0xFFFF_FFFF) as u32
}

/// The low 32 bits of a number, whatever the others are.
#[inline(always)]
pub const fn low_u32(bits: u64) -> u32 {
    (bits & 0xFFFF_FFFF) as u32
}

/// The low 8 bits of a number, whatever the others are.
#[inline(always)]
pub const fn low_u8(bits: u64) -> u8 {
    (bits & 0xFF) as u8
}

/// The two halves of a number.
#[inline(always)]
pub const fn halves(bits: u128) -> [u64; 2] {
    [(bits >> 64) as u64, (bits & 0xFFFF_FFFF_FFFF_FFFF) as u64]
}
