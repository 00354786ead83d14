//! The bytes of a file of nonces: `docs/format/nonces.md`.

use grampus_base::{Error, ErrorKind, Result, checksum_holds, narrow};

use super::Key;

const MAGIC: &[u8; 16] = b"grampus nonces 1";
const HEADER_BYTES: usize = MAGIC.len() + 8 + 4;
/// Nonce group, nonce, sequence id, age.
const ENTRY_BYTES: usize = 8 + 8 + 8 + 4;
const CRC_BYTES: usize = 4;

/// How a file's name ends.
const SUFFIX: &str = ".nonces";

/// A file has no more.
pub(in crate::region) const COUNT_MAX: usize = 1 << 20;

/// An operation that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::region) struct SavedNonce {
    pub key: Key,
    pub sequence: u64,
    /// How long ago, when the file was written.
    pub age_millis: u32,
}

/// What a file says.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::region) struct NonceFile {
    /// Wall clock of the writer, in milliseconds since the epoch.
    pub written_millis: i64,
    /// Oldest first, by the writer's word.
    pub nonces: Vec<SavedNonce>,
}

/// The name of a file that a close writes after the sequence id.
pub(in crate::region) fn name_of(sequence: u64, random: u64) -> String {
    format!("{sequence}.{random:016x}{SUFFIX}")
}

/// The sequence id in the name of a file of nonces; `None` for other names.
pub(in crate::region) fn sequence_of(name: &str) -> Option<u64> {
    name.strip_suffix(SUFFIX)?.split_once('.')?.0.parse().ok()
}

/// The bytes of at most [`COUNT_MAX`] nonces.
pub(in crate::region) fn encode(written_millis: i64, nonces: &[SavedNonce]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER_BYTES + nonces.len() * ENTRY_BYTES + CRC_BYTES);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&written_millis.to_le_bytes());
    out.extend_from_slice(&narrow::to_u32(nonces.len()).to_le_bytes());
    for nonce in nonces {
        out.extend_from_slice(&nonce.key.0.to_le_bytes());
        out.extend_from_slice(&nonce.key.1.to_le_bytes());
        out.extend_from_slice(&nonce.sequence.to_le_bytes());
        out.extend_from_slice(&nonce.age_millis.to_le_bytes());
    }
    let crc = crc32c::crc32c(&out);
    out.extend_from_slice(&crc.to_le_bytes());
    out
}

/// Reads a whole file; what is wrong with it is in the error.
pub(in crate::region) fn decode(bytes: &[u8]) -> Result<NonceFile> {
    let (body, crc) = bytes.split_last_chunk::<CRC_BYTES>().ok_or_else(|| corrupt("it is cut off"))?;
    let rest = body.strip_prefix(MAGIC).ok_or_else(|| corrupt("it is no file of nonces of version 1"))?;
    if !checksum_holds(u32::from_le_bytes(*crc), crc32c::crc32c(body)) {
        return Err(corrupt("its checksum is wrong"));
    }
    let (written, rest) = rest.split_first_chunk::<8>().ok_or_else(|| corrupt("it is cut off"))?;
    let (count, rest) = rest.split_first_chunk::<4>().ok_or_else(|| corrupt("it is cut off"))?;
    let (entries, more) = rest.as_chunks::<ENTRY_BYTES>();
    let count = u32::from_le_bytes(*count) as usize;
    if entries.len() != count || count > COUNT_MAX || !more.is_empty() {
        return Err(corrupt("its number of nonces is wrong"));
    }
    Ok(NonceFile {
        written_millis: i64::from_le_bytes(*written),
        nonces: entries.iter().map(entry).collect(),
    })
}

/// Reads a file whose nonces are not used.
pub fn check(bytes: &[u8]) -> Result<()> {
    decode(bytes).map(drop)
}

fn entry(bytes: &[u8; ENTRY_BYTES]) -> SavedNonce {
    let number = |at: usize| {
        bytes[at..].first_chunk().map_or(0, |number| u64::from_le_bytes(*number)) // there are as many
    };
    let age = bytes.last_chunk().map_or(0, |age| u32::from_le_bytes(*age));
    SavedNonce { key: (number(0), number(8)), sequence: number(16), age_millis: age }
}

fn corrupt(what: &str) -> Error {
    Error::new(ErrorKind::Corrupt, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/nonces/v1/three");

    fn three() -> Vec<SavedNonce> {
        let nonce = |key, sequence, age_millis| SavedNonce { key, sequence, age_millis };
        vec![
            nonce((u64::MAX, 1), 7, u32::MAX),
            nonce((2, u64::MAX), u64::MAX, 1_800_000),
            nonce((2, 3), 1 << 40, 0),
        ]
    }

    fn sealed(mut body: Vec<u8>) -> Vec<u8> {
        let crc = crc32c::crc32c(&body);
        body.extend_from_slice(&crc.to_le_bytes());
        body
    }

    #[test]
    fn nonces_come_back_as_they_were() {
        for nonces in [three(), Vec::new()] {
            let file = NonceFile { written_millis: -5, nonces };
            assert_eq!(decode(&encode(-5, &file.nonces)).unwrap(), file);
        }
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let bytes = encode(1_700_000_000_000, &three());
        for bit in 0..bytes.len() * 8 {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&bad).is_err(), "bit {bit}");
        }
        for len in 0..bytes.len() {
            assert!(decode(&bytes[..len]).is_err(), "{len} bytes");
        }
    }

    #[test]
    fn counts_that_cannot_be_are_refused_though_the_checksum_is_right() {
        let body = |count: u32, more: &[u8]| {
            let bytes = encode(1, &three());
            let mut body = bytes[..bytes.len() - CRC_BYTES].to_vec();
            body[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&count.to_le_bytes());
            body.extend_from_slice(more);
            sealed(body)
        };
        assert!(decode(&body(3, b"")).is_ok());
        for bad in [body(2, b""), body(4, b""), body(u32::MAX, b""), body(3, b"x")] {
            assert_eq!(decode(&bad).unwrap_err().message, "its number of nonces is wrong");
        }
        assert!(decode(&sealed(MAGIC.to_vec())).is_err());
        let many = vec![three()[0]; COUNT_MAX + 1];
        assert!(decode(&encode(1, &many)).is_err());
        assert!(decode(&encode(1, &many[1..])).is_ok());
    }

    #[test]
    fn the_bytes_are_those_of_version_1() {
        let bytes = encode(1_700_000_000_000, &three());
        let golden = std::fs::read(GOLDEN).unwrap();
        assert_eq!(bytes, golden, "docs/format/nonces.md says what they are");
    }
}
