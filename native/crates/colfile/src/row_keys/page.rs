//! A page of row keys and of the versions that the rows share.
//!
//! ```text
//! | at | size | field                                                                         |
//! |  0 |  4   | ordinal of the first row within the row group                                 |
//! |  4 |  4   | number of rows, at least 1                                                    |
//! |  8 |  1   | flags: 1 timestamps, 2 sequence ids, 4 keys field by field; not in kind RowKeys |
//! |    |      | versions that the rows share, see [`super::versions`]                         |
//! |    |      | keys: see [`super::prefixes`], with flag 4 [`super::fields`]                  |
//! ```

use std::cmp::Ordering;
use std::ops::Range;

use grampus_cells::{RowOrder, Strings};

use super::fields::{Fields, KeyScratch};
use super::heads::{Heads, KeptHeads};
use super::prefixes::Prefixes;
use super::versions::{self, RowVersions};
use super::{KeyBlock, RESTART_ROWS, SharedVersions};
use crate::bytes::FieldReader;
use crate::error::{Decoded, Malformed};
use crate::page_kind::PageKind;

const HAS_FIELDS: u8 = 4;
const FLAGS: u8 = versions::FLAGS | HAS_FIELDS;

/// Encoded keys of a page.
pub(crate) struct EncodedKeys {
    pub(crate) first_row: u32,
    pub(crate) rows: u32,
    /// Whether they are encoded field by field.
    pub(crate) by_field: bool,
    pub(crate) bytes: Vec<u8>,
}

impl EncodedKeys {
    /// The body of a page of kind Rows; `versions` are those of the row group.
    pub(crate) fn page(&self, versions: &SharedVersions) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.bytes.len() + 16);
        body.extend_from_slice(&self.first_row.to_le_bytes());
        body.extend_from_slice(&self.rows.to_le_bytes());
        body.push(versions.flags() | if self.by_field { HAS_FIELDS } else { 0 });
        versions.write(self.first_row, self.first_row + self.rows, &mut body);
        body.extend_from_slice(&self.bytes);
        body
    }
}

#[derive(Clone, Debug)]
enum Keys {
    Prefixes(Prefixes),
    Fields(Fields),
}

/// A parsed page; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug)]
pub(crate) struct RowKeyPage {
    pub(crate) first_row: u32,
    pub(crate) rows: u32,
    pub(crate) versions: RowVersions,
    keys: Keys,
}

impl RowKeyPage {
    /// Parses a page of kind RowKeys or Rows.
    pub(crate) fn parse(body: &[u8], kind: PageKind) -> Decoded<RowKeyPage> {
        RowKeyPage::parse_noting(body, kind, |_, _| {})
    }

    /// The same; `note` is told the name of each part and where it ends.
    pub(crate) fn parse_noting(
        body: &[u8],
        kind: PageKind,
        mut note: impl FnMut(&'static str, usize),
    ) -> Decoded<RowKeyPage> {
        let mut reader = FieldReader::new(body);
        let (first_row, rows) = (reader.u32()?, reader.u32()?);
        if rows == 0 || first_row.checked_add(rows).is_none() {
            return Err(Malformed::new(4, "impossible number of rows"));
        }
        let flags = if kind == PageKind::Rows { reader.u8()? } else { 0 };
        if flags & !FLAGS != 0 {
            return Err(Malformed::new(8, "unknown flags"));
        }
        let count = rows as usize;
        note("head", reader.at());
        let versions = RowVersions::parse(body, &mut reader, flags, count, &mut note)?;
        let keys = match flags & HAS_FIELDS {
            0 => Keys::Prefixes(Prefixes::parse(&mut reader, count)?),
            _ => {
                let fields = Fields::parse(body, &mut reader, count)?;
                reader.expect_end()?;
                Keys::Fields(fields)
            }
        };
        note("row keys", body.len());
        Ok(RowKeyPage { first_row, rows, versions, keys })
    }

    /// How the keys are encoded, for tools.
    pub(crate) fn describe(&self) -> String {
        match &self.keys {
            Keys::Prefixes(_) => "prefixes".to_string(),
            Keys::Fields(fields) => format!("fields ({})", fields.describe()),
        }
    }

    /// Bytes of memory that the heads of a page will take once its keys are searched; 0 for one that will have none. Told by the
    /// first bytes of the body; what they say is checked when the page is parsed.
    pub(crate) fn heads_bytes(body: &[u8], kind: PageKind) -> usize {
        let by_field = || body.get(8).is_some_and(|flags| flags & HAS_FIELDS != 0);
        let has_heads = match kind {
            PageKind::RowKeys => true,
            PageKind::Rows => !by_field(),
            _ => false,
        };
        let rows = body.get(4..8).and_then(|rows| rows.first_chunk::<4>()).filter(|_| has_heads);
        // Each block has the four bytes of its restart point.
        let blocks =
            |rows: &[u8; 4]| (u32::from_le_bytes(*rows) as usize).div_ceil(RESTART_ROWS).min(body.len() / 4);
        rows.map_or(0, |rows| Heads::heap_bytes(blocks(rows)))
    }

    fn blocks(&self) -> usize {
        (self.rows as usize).div_ceil(RESTART_ROWS)
    }

    /// Block whose keys surround `key`: the last one that starts at or below it, or the first. `kept` belongs to the page that this was
    /// parsed from.
    pub(crate) fn find_block(
        &self,
        body: &[u8],
        kept: &KeptHeads,
        key: &[u8],
        order: RowOrder,
    ) -> Decoded<usize> {
        let (mut low, mut high) = match &self.keys {
            Keys::Prefixes(keys) if order == RowOrder::Bytes => {
                let heads = kept.get(|| Heads::of(keys, body, self.blocks()));
                let blocks = heads.map_or(0..self.blocks(), |heads| heads.surrounding(body, key));
                (blocks.start, blocks.end)
            }
            _ => (0, self.blocks()),
        };
        while low < high {
            let middle = low + (high - low) / 2;
            let compared = match &self.keys {
                Keys::Prefixes(keys) => order.compare(keys.restart_key(body, middle)?, key),
                Keys::Fields(keys) => keys.compare(body, middle * RESTART_ROWS, key, order)?,
            };
            match compared {
                Ordering::Greater => high = middle,
                _ => low = middle + 1,
            }
        }
        Ok(low.saturating_sub(1))
    }

    /// Decodes the keys of a block.
    pub(crate) fn decode_block(&self, body: &[u8], block: usize, keys: &mut KeyBlock) -> Decoded<()> {
        keys.reset();
        let rows = self.rows_of(block);
        match &self.keys {
            Keys::Prefixes(prefixes) => prefixes.decode_block(body, block, rows, keys),
            Keys::Fields(fields) => fields.decode_block(body, block, rows, keys),
        }
    }

    /// Appends the keys of some rows of the page, the first of which is number 0, as far as they have `bytes_max` bytes at most.
    pub(crate) fn append_keys(
        &self,
        body: &[u8],
        rows: Range<usize>,
        bytes_max: usize,
        scratch: KeyScratch<'_>,
        out: &mut Strings,
    ) -> Decoded<()> {
        let rows = rows.start..rows.end.min(self.rows as usize);
        match &self.keys {
            Keys::Prefixes(prefixes) => prefixes.append(body, rows, bytes_max, out)?,
            Keys::Fields(fields) => fields.append(body, rows, bytes_max, scratch, out)?,
        }
        out.fit(bytes_max);
        Ok(())
    }

    /// Number within the page of the first row of a block whose key `is_reached`, which becomes the only one of `keys`; that of the
    /// row after the block, and no key, if none is.
    pub(crate) fn find_in_block(
        &self,
        body: &[u8],
        block: usize,
        keys: &mut KeyBlock,
        is_reached: impl Fn(&[u8]) -> bool,
    ) -> Decoded<usize> {
        keys.reset();
        let rows = self.rows_of(block);
        let index = match &self.keys {
            Keys::Prefixes(prefixes) => prefixes.find(body, block, rows, keys, is_reached)?,
            Keys::Fields(fields) => fields.find(body, block, rows, keys, is_reached)?,
        };
        Ok(block * RESTART_ROWS + index)
    }

    fn rows_of(&self, block: usize) -> usize {
        (self.rows as usize).saturating_sub(block * RESTART_ROWS).min(RESTART_ROWS)
    }
}
