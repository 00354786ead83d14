//! Tags of the cells that increments and appends make (HBase's `HRegion.reckonDelta`, `TagUtil.carryForwardTTLTag`).

use crate::error::{Error, ErrorKind, Result};
use crate::read::visibility::TTL_TAG;

/// The time to live of a mutation that has none, as in HBase.
const NO_TTL: i64 = i64::MAX;

/// Tags of a new cell.
pub(super) struct CarriedTags {
    /// Those it is stored with.
    pub stored: Vec<u8>,
    /// Those it is answered with.
    pub answered: Vec<u8>,
}

impl CarriedTags {
    /// The delta's tags, then the current cell's, then the mutation's time to live in milliseconds in place of the first one among them.
    /// HBase puts it in place of the next one as well where it stores the cell (`HRegion.rewriteCellTags`), after it has made the answer.
    pub fn of(delta: &[u8], current: &[u8], ttl: i64) -> Result<CarriedTags> {
        let carried = [delta, current].concat();
        if ttl == NO_TTL {
            return Ok(CarriedTags { stored: carried.clone(), answered: carried });
        }
        let answered = with_ttl(&carried, ttl)?;
        Ok(CarriedTags { stored: with_ttl(&answered, ttl)?, answered })
    }
}

/// The tags without the first time to live, and with this one at their end.
fn with_ttl(tags: &[u8], ttl: i64) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(tags.len() + 11);
    let mut replaced = false;
    let mut rest = tags;
    while !rest.is_empty() {
        let (tag, later) = split_tag(rest)?;
        if !replaced && tag.get(2) == Some(&TTL_TAG) {
            replaced = true;
        } else {
            out.extend_from_slice(tag);
        }
        rest = later;
    }
    out.extend_from_slice(&[0, 9, TTL_TAG]);
    out.extend_from_slice(&ttl.to_be_bytes());
    Ok(out)
}

/// The first tag, its length included, and those behind it.
fn split_tag(tags: &[u8]) -> Result<(&[u8], &[u8])> {
    let malformed = || Error::new(ErrorKind::BadRequest, "malformed tags");
    let (length, _) = tags.split_first_chunk::<2>().ok_or_else(malformed)?;
    match u16::from_be_bytes(*length) {
        0 => Err(malformed()), // not even a type
        n => tags.split_at_checked(2 + usize::from(n)).ok_or_else(malformed),
    }
}
