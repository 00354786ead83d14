//! The one hash of this crate: xxh3, 64 bits. Bloom filters on disk depend on it.

use std::hash::BuildHasher;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Hash of a byte string.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Hasher for maps keyed by byte strings.
#[derive(Clone, Copy, Default)]
pub(crate) struct BuildXxh3;

impl BuildHasher for BuildXxh3 {
    type Hasher = ShortHasher;

    fn build_hasher(&self) -> ShortHasher {
        ShortHasher(0)
    }
}

/// Hashes each written slice at once; slices of one key are chained.
pub(crate) struct ShortHasher(u64);

impl std::hash::Hasher for ShortHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, self.0);
    }
}

/// Hash of several byte strings as if they were one.
pub(crate) fn hash_parts(parts: &[&[u8]]) -> u64 {
    let mut hasher = Xxh3::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.digest()
}
