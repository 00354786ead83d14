//! Row keys, prefix compressed, with a restart point every sixteen rows, and the versions that the rows share.
//!
//! ```text
//! | at | size   | field                                             |
//! |  0 |  4     | ordinal of the first row within the row group     |
//! |  4 |  4     | number of rows, at least 1                        |
//! |  8 |        | versions that the rows share; not in pages of kind RowKeys |
//! |    |  4 * r | offset of each restart point in the entries       |
//! |    |        | entries: shared prefix, suffix length (LEB128), suffix |
//! ```
//! The entry at a restart point shares nothing, so its key is whole.

use std::cmp::Ordering;

use crate::RowOrder;
use crate::bytes::{ByteReader, put_varint};
use crate::error::{Decoded, Malformed};
use crate::page::PageKind;
use crate::row_versions::{RowVersions, SharedVersions};

/// Rows from one restart point to the next.
pub(crate) const RESTART_ROWS: usize = 16;

/// Encodes keys until the page is full.
#[derive(Default)]
pub(crate) struct RowKeyPageWriter {
    entries: Vec<u8>,
    restarts: Vec<u32>,
    rows: u32,
    last: Vec<u8>,
}

impl RowKeyPageWriter {
    /// Appends a key, which is above all before it.
    pub(crate) fn push(&mut self, key: &[u8]) {
        let restart = (self.rows as usize).is_multiple_of(RESTART_ROWS);
        if restart {
            self.restarts.push(self.entries.len() as u32);
        }
        let same = self.last.iter().zip(key).take_while(|(a, b)| a == b).count();
        let shared = if restart { 0 } else { same };
        put_varint(&mut self.entries, shared as u64);
        put_varint(&mut self.entries, (key.len() - shared) as u64);
        self.entries.extend_from_slice(key.get(shared..).unwrap_or_default());
        self.last.clear();
        self.last.extend_from_slice(key);
        self.rows += 1;
    }

    /// Encoded bytes so far.
    pub(crate) fn len(&self) -> usize {
        8 + self.restarts.len() * 4 + self.entries.len()
    }

    pub(crate) fn rows(&self) -> u32 {
        self.rows
    }

    /// The body of a page of kind Rows; `versions` are those of the row group.
    pub(crate) fn finish(&self, first_row: u32, versions: &SharedVersions) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.len());
        body.extend_from_slice(&first_row.to_le_bytes());
        body.extend_from_slice(&self.rows.to_le_bytes());
        versions.write(first_row, first_row + self.rows, &mut body);
        self.restarts.iter().for_each(|at| body.extend_from_slice(&at.to_le_bytes()));
        body.extend_from_slice(&self.entries);
        body
    }
}

/// A parsed page; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug)]
pub(crate) struct RowKeyPage {
    pub(crate) first_row: u32,
    pub(crate) rows: u32,
    pub(crate) versions: RowVersions,
    restarts_at: usize,
    entries_at: usize,
}

impl RowKeyPage {
    /// Parses a page of kind RowKeys or Rows.
    pub(crate) fn parse(body: &[u8], kind: PageKind) -> Decoded<RowKeyPage> {
        let mut reader = ByteReader::new(body);
        let (first_row, rows) = (reader.u32()?, reader.u32()?);
        if rows == 0 || first_row.checked_add(rows).is_none() {
            return Err(Malformed::new(4, "impossible number of rows"));
        }
        let versions = match kind {
            PageKind::Rows => RowVersions::parse(body, &mut reader, rows as usize)?,
            _ => RowVersions::default(),
        };
        let restarts_at = reader.skip((rows as usize).div_ceil(RESTART_ROWS) * 4)?;
        Ok(RowKeyPage { first_row, rows, versions, restarts_at, entries_at: reader.at() })
    }

    fn blocks(&self) -> usize {
        (self.rows as usize).div_ceil(RESTART_ROWS)
    }

    fn block_at(&self, body: &[u8], block: usize) -> Decoded<usize> {
        let mut reader = ByteReader::new(body.get(self.restarts_at + block * 4..).unwrap_or_default());
        Ok(self.entries_at + reader.u32()? as usize)
    }

    /// The whole key at a restart point.
    fn restart_key<'a>(&self, body: &'a [u8], block: usize) -> Decoded<&'a [u8]> {
        let at = self.block_at(body, block)?;
        let mut reader = ByteReader::new(body.get(at..).unwrap_or_default());
        if reader.varint()? != 0 {
            return Err(Malformed::new(at, "a restart point shares a prefix"));
        }
        reader.blob()
    }

    /// Block whose keys surround `key`: the last one that starts at or below it, or the first.
    pub(crate) fn find_block(&self, body: &[u8], key: &[u8], order: RowOrder) -> Decoded<usize> {
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let middle = low + (high - low) / 2;
            match order.compare(self.restart_key(body, middle)?, key) {
                Ordering::Greater => high = middle,
                _ => low = middle + 1,
            }
        }
        Ok(low.saturating_sub(1))
    }

    /// Decodes the keys of a block.
    pub(crate) fn decode_block(&self, body: &[u8], block: usize, keys: &mut KeyBlock) -> Decoded<()> {
        keys.reset();
        let at = self.block_at(body, block)?;
        let mut reader = ByteReader::new(body.get(at..).unwrap_or_default());
        let rows = (self.rows as usize - block * RESTART_ROWS).min(RESTART_ROWS);
        for _ in 0..rows {
            let shared = reader.varint()?;
            let suffix = reader.blob()?;
            keys.push(shared, suffix).map_err(|m| Malformed::new(at + reader.at(), m.what))?;
        }
        Ok(())
    }
}

/// The decoded keys of one block.
#[derive(Debug, Default)]
pub(crate) struct KeyBlock {
    bytes: Vec<u8>,
    ends: [u32; RESTART_ROWS],
    len: usize,
}

impl KeyBlock {
    /// Forgets the keys, keeping the memory.
    pub(crate) fn reset(&mut self) {
        self.bytes.clear();
        self.len = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).and_then(|i| self.ends.get(i)).map_or(0, |end| *end as usize)
    }

    fn push(&mut self, shared: u64, suffix: &[u8]) -> Decoded<()> {
        let start = if self.len == 0 { 0 } else { self.start(self.len - 1) };
        let previous = self.bytes.len() - start;
        let shared = usize::try_from(shared).unwrap_or(usize::MAX);
        if shared > previous {
            return Err(Malformed::new(0, "a row key shares more than the key before it has"));
        }
        self.bytes.extend_from_within(start..start + shared);
        self.bytes.extend_from_slice(suffix);
        if let Some(end) = self.ends.get_mut(self.len) {
            *end = self.bytes.len() as u32;
        }
        self.len += 1;
        Ok(())
    }

    /// A key of the block.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let end = self.ends.get(index).map_or(0, |end| *end as usize);
        self.bytes.get(self.start(index)..end).unwrap_or_default()
    }

    /// First key at (or, when `after`, above) the given one.
    pub(crate) fn lower_bound(&self, key: &[u8], after: bool, order: RowOrder) -> usize {
        let below = |i: &usize| match order.compare(self.get(*i), key) {
            Ordering::Less => true,
            Ordering::Equal => after,
            Ordering::Greater => false,
        };
        (0..self.len).take_while(below).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_restore_the_keys() {
        let keys: Vec<String> = (0..100).map(|n| format!("user{:05}", n * 3)).collect();
        let mut writer = RowKeyPageWriter::default();
        keys.iter().for_each(|k| writer.push(k.as_bytes()));
        let body = writer.finish(7, &SharedVersions::default());
        let page = RowKeyPage::parse(&body, PageKind::Rows).unwrap();
        let mut block = KeyBlock::default();
        for (index, key) in keys.iter().enumerate() {
            let found = page.find_block(&body, key.as_bytes(), RowOrder::Bytes).unwrap();
            assert_eq!(found, index / RESTART_ROWS);
            page.decode_block(&body, found, &mut block).unwrap();
            assert_eq!(block.get(index % RESTART_ROWS), key.as_bytes());
            assert_eq!(block.lower_bound(key.as_bytes(), false, RowOrder::Bytes), index % RESTART_ROWS);
        }
    }
}
