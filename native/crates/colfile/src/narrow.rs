//! Lengths in fewer bits, where a check before has shown that they fit.
//!
//! A build with debug assertions checks it once more. A release build masks: the cast costs nothing, and these functions are on the paths
//! that run once per cell.

/// A length of at most 255.
#[inline(always)]
pub const fn to_u8(len: usize) -> u8 {
    debug_assert!(len <= u8::MAX as usize);
    (len & u8::MAX as usize) as u8
}

/// A length of at most 65,535.
#[inline(always)]
pub const fn to_u16(len: usize) -> u16 {
    debug_assert!(len <= u16::MAX as usize);
    (len & u16::MAX as usize) as u16
}

/// A length of at most 4,294,967,295.
#[inline(always)]
pub const fn to_u32(len: usize) -> u32 {
    debug_assert!(len <= u32::MAX as usize);
    (len & u32::MAX as usize) as u32
}

/// The low 32 bits of a number, whatever the others are.
#[inline(always)]
pub const fn low_u32(bits: u64) -> u32 {
    (bits & u32::MAX as u64) as u32
}
