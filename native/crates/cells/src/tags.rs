//! The tags of a cell: `u16 length | u8 type | value` for each, big-endian; the length is that of type and value.

use crate::CellRef;

/// HBase's tag type of a cell's own time to live, 8 bytes of milliseconds.
pub(crate) const TTL_TAG: u8 = 8;

const LENGTH_BYTES: usize = 2;

/// What the length of a tag with a time to live says: its type and its value.
const TTL_TAG_LENGTH: u16 = 1 + 8;

/// Bytes of a tag with a time to live.
pub const TTL_TAG_BYTES: usize = LENGTH_BYTES + TTL_TAG_LENGTH as usize;

/// The first tag, its length included, and those behind it. `None` where they begin with none.
pub fn split_tag(tags: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, _) = tags.split_first_chunk::<LENGTH_BYTES>()?;
    match u16::from_be_bytes(*length) {
        0 => None, // not even a type
        n => tags.split_at_checked(LENGTH_BYTES + usize::from(n)),
    }
}

/// Whether a tag of [`split_tag`] is a time to live.
pub fn is_ttl(tag: &[u8]) -> bool {
    tag.get(LENGTH_BYTES) == Some(&TTL_TAG)
}

/// Appends a time to live in milliseconds.
pub fn push_ttl(tags: &mut Vec<u8>, ttl_millis: i64) {
    tags.extend_from_slice(&TTL_TAG_LENGTH.to_be_bytes());
    tags.push(TTL_TAG);
    tags.extend_from_slice(&ttl_millis.to_be_bytes());
}

/// The first time to live among the tags, in milliseconds. `None` as well where malformed tags come before it, or it is malformed.
pub(crate) fn ttl_of(tags: &[u8]) -> Option<i64> {
    let mut rest = tags;
    loop {
        let (tag, later) = split_tag(rest)?;
        if is_ttl(tag) {
            let value = tag.get(LENGTH_BYTES + 1..)?;
            return Some(i64::from_be_bytes(value.try_into().ok()?));
        }
        rest = later;
    }
}

/// Whether the cell's own time to live is over at a time of the wall clock.
pub fn is_expired(cell: &CellRef<'_>, now_millis: i64) -> bool {
    ttl_of(cell.tags).is_some_and(|ttl_millis| cell.timestamp.saturating_add(ttl_millis) < now_millis)
}

#[cfg(test)]
mod tests {
    use super::{TTL_TAG, TTL_TAG_BYTES, push_ttl, split_tag, ttl_of};

    #[test]
    fn a_time_to_live_is_found_behind_other_tags() {
        let mut tags = vec![0, 3, 100, 1, 2];
        push_ttl(&mut tags, 7);
        push_ttl(&mut tags, 9);
        assert_eq!(tags.len(), 5 + 2 * TTL_TAG_BYTES);
        assert_eq!(split_tag(&tags), Some((&[0, 3, 100, 1, 2][..], &tags[5..])));
        assert_eq!(ttl_of(&tags), Some(7));
        assert_eq!(ttl_of(&tags[..5]), None);
    }

    #[test]
    fn malformed_tags_have_no_time_to_live() {
        for malformed in [&[][..], &[0], &[0, 0], &[0, 9, TTL_TAG], &[0, 2, TTL_TAG, 1], &[0, 3, 100]] {
            assert_eq!(ttl_of(malformed), None);
        }
    }
}
