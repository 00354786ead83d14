//! A record: one page in a file of the tier (`docs/format/tier-file.md`).
//!
//! ```text
//! | at | size | field                                             |
//! |  0 |  4   | crc32c of everything after it                     |
//! |  4 |  4   | length of the body                                |
//! |  8 | 16   | id of the column file                             |
//! | 24 |  8   | offset of the page in the column file             |
//! | 32 |      | the page's body: decompressed, still encoded      |
//! ```
//!
//! Integers are little-endian. A record lies within one segment.

use grampus_base::narrow;
use grampus_colfile::{Page, PageKind};

use crate::key::Key;

/// Bytes before the body.
const HEADER_BYTES: usize = 32;

/// Bytes of a record of such a body; `None` for one that no record can hold.
pub(super) fn len(body: &[u8]) -> Option<u32> {
    u32::try_from(HEADER_BYTES + body.len()).ok()
}

/// Appends a record.
pub(super) fn append(out: &mut Vec<u8>, key: Key, body: &[u8]) {
    let (file, offset) = key;
    let mut head = [0; HEADER_BYTES - 4];
    let (lengths, ids) = head.split_at_mut(4);
    lengths.copy_from_slice(&narrow::to_u32(body.len()).to_le_bytes());
    let (id, at) = ids.split_at_mut(16);
    id.copy_from_slice(&file.number().to_le_bytes());
    at.copy_from_slice(&offset.to_le_bytes());
    let crc = crc32c::crc32c_append(crc32c::crc32c(&head), body);
    out.extend_from_slice(&crc.to_le_bytes());
    out.extend_from_slice(&head);
    out.extend_from_slice(body);
}

/// The page of a record, which holds what the caller says; `None` when the bytes are not the record of this key as it was written.
pub(super) fn open(record: Vec<u8>, key: Key, kind: PageKind) -> Option<Page> {
    let (head, body) = record.split_at_checked(HEADER_BYTES)?;
    let (crc, rest) = head.split_first_chunk::<4>()?;
    if crc32c::crc32c_append(crc32c::crc32c(rest), body) != u32::from_le_bytes(*crc) {
        return None;
    }
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let (file, rest) = rest.split_first_chunk::<16>()?;
    let (offset, _) = rest.split_first_chunk::<8>()?;
    let same = u32::from_le_bytes(*len) as usize == body.len()
        && u128::from_le_bytes(*file) == key.0.number()
        && u64::from_le_bytes(*offset) == key.1;
    same.then(|| Page::kept(record, HEADER_BYTES, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockCache;

    const KIND: PageKind = PageKind::Column;

    #[test]
    fn a_record_opens_to_its_page_and_to_no_other() {
        let cache = BlockCache::new(0);
        let (key, other) = ((cache.identify("a"), 7), (cache.identify("b"), 7));
        let mut record = Vec::new();
        append(&mut record, key, b"cells");
        assert_eq!(Some(record.len() as u32), len(b"cells"));
        assert_eq!(open(record.clone(), key, KIND).unwrap().body(), b"cells");
        assert!(open(record.clone(), other, KIND).is_none());
        assert!(open(record, (key.0, 8), KIND).is_none());
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let key = (BlockCache::new(0).identify("a"), 7);
        let mut record = Vec::new();
        append(&mut record, key, b"cells cells");
        for bit in 0..record.len() * 8 {
            let mut bad = record.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(open(bad, key, KIND).is_none(), "bit {bit}");
        }
        for len in 0..record.len() {
            assert!(open(record[..len].to_vec(), key, KIND).is_none(), "{len} bytes");
        }
    }
}
