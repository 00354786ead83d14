//! Encodings of integer and byte-string sequences, one file each. Every encoding gives random access by position.
//!
//! Writers choose by a cheap estimate; readers dispatch on the tag byte. Tags are part of the format.

pub(crate) mod bit_packed;
pub(crate) mod blobs;
pub(crate) mod blocked;
pub(crate) mod code_matches;
pub(crate) mod constant;
pub(crate) mod decimal;
pub(crate) mod dictionary;
pub(crate) mod fixed;
pub(crate) mod int_dictionary;
pub(crate) mod ints;
pub(crate) mod located;
pub(crate) mod made;
pub(crate) mod number;
pub(crate) mod plain;
pub(crate) mod run_length;
pub(crate) mod scaled;
pub(crate) mod stats;
pub(crate) mod symbols;
pub(crate) mod tag;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod unordered_ends;

#[cfg(test)]
mod tests;

pub(crate) use blobs::Blobs;
pub(crate) use code_matches::{CodeMatches, Verdict};
pub(crate) use ints::Ints;
pub(crate) use located::Located;
