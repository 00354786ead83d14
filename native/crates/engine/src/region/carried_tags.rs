//! Tags of the cells that increments and appends make (HBase's `HRegion.reckonDelta`, `TagUtil.carryForwardTTLTag`).

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::tags::{TTL_TAG_BYTES, is_ttl, push_ttl, split_tag};

/// The time to live of a mutation that has none, as in HBase.
const NO_TTL: i64 = i64::MAX;

/// Tags of a new cell.
pub(super) struct CarriedTags {
    stored: Vec<u8>,
    /// Only where they differ from those that are stored.
    answered: Option<Vec<u8>>,
}

impl CarriedTags {
    /// The delta's tags, then the current cell's. When the mutation has a time to live, `ttl_millis`, the first time-to-live tag among them is
    /// removed and the mutation's is appended. HBase does this once for the cell in the answer, and once more for the cell that it stores
    /// (`HRegion.rewriteCellTags`), which makes a difference where delta and current cell each have a time to live.
    pub(super) fn of(delta: &[u8], current: &[u8], ttl_millis: i64) -> Result<CarriedTags> {
        let carried = [delta, current].concat();
        if ttl_millis == NO_TTL {
            return Ok(CarriedTags { stored: carried, answered: None });
        }
        let answered = with_ttl(&carried, ttl_millis)?;
        let stored = with_ttl(&answered, ttl_millis)?;
        Ok(CarriedTags { answered: (answered != stored).then_some(answered), stored })
    }

    /// Those the cell is stored with.
    pub(super) fn stored(&self) -> &[u8] {
        &self.stored
    }

    /// Those it is answered with.
    pub(super) fn answered(&self) -> &[u8] {
        self.answered.as_ref().unwrap_or(&self.stored)
    }

    /// Bytes of memory that they take.
    pub(super) fn bytes(&self) -> u64 {
        (self.stored.len() + self.answered.as_ref().map_or(0, Vec::len)) as u64
    }
}

/// The tags without the first time to live, and with this one at their end.
fn with_ttl(tags: &[u8], ttl_millis: i64) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(tags.len() + TTL_TAG_BYTES);
    let mut replaced = false;
    let mut rest = tags;
    while !rest.is_empty() {
        let (tag, later) =
            split_tag(rest).ok_or_else(|| Error::new(ErrorKind::BadRequest, "malformed tags"))?;
        if !replaced && is_ttl(tag) {
            replaced = true;
        } else {
            out.extend_from_slice(tag);
        }
        rest = later;
    }
    push_ttl(&mut out, ttl_millis);
    Ok(out)
}
