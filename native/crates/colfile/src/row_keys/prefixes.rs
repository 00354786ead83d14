//! Row keys, each without the bytes that it shares with the key before it, with a restart point every sixteen rows.
//!
//! `u32 each: for each restart point the offset of its entry | entries: shared prefix, suffix length (LEB128), suffix`
//!
//! The entry at a restart point shares nothing, so its key is whole.

use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::Strings;

use super::{KeyBlock, RESTART_ROWS};
use crate::bytes::{FieldReader, put_varint};
use crate::error::{Decoded, Malformed};

/// Encodes keys until the page is full.
#[derive(Default)]
pub(crate) struct PrefixWriter {
    entries: Vec<u8>,
    restarts: Vec<u32>,
    rows: u32,
    last: Vec<u8>,
}

impl PrefixWriter {
    /// Appends a key, which is above all before it.
    pub(crate) fn push(&mut self, key: &[u8]) {
        let restart = (self.rows as usize).is_multiple_of(RESTART_ROWS);
        if restart {
            self.restarts.push(narrow::to_u32(self.entries.len()));
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
        self.restarts.len() * 4 + self.entries.len()
    }

    pub(crate) fn rows(&self) -> u32 {
        self.rows
    }

    /// The encoded keys.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.len());
        self.restarts.iter().for_each(|at| out.extend_from_slice(&at.to_le_bytes()));
        out.extend_from_slice(&self.entries);
        out
    }
}

/// Parsed keys; `body` in the methods is what they were parsed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefixes {
    restarts_at: usize,
    entries_at: usize,
}

impl Prefixes {
    pub(crate) fn parse(reader: &mut FieldReader<'_>, rows: usize) -> Decoded<Prefixes> {
        let restarts_at = reader.skip(rows.div_ceil(RESTART_ROWS) * 4)?;
        Ok(Prefixes { restarts_at, entries_at: reader.at() })
    }

    fn block_at(&self, body: &[u8], block: usize) -> Decoded<usize> {
        let mut reader = FieldReader::new(body.get(self.restarts_at + block * 4..).unwrap_or_default());
        Ok(self.entries_at + reader.u32()? as usize)
    }

    /// The whole key at a restart point.
    pub(crate) fn restart_key<'a>(&self, body: &'a [u8], block: usize) -> Decoded<&'a [u8]> {
        self.restart(body, block).map(|(_, key)| key)
    }

    /// The whole key at a restart point, and where in the body it begins.
    pub(crate) fn restart<'a>(&self, body: &'a [u8], block: usize) -> Decoded<(usize, &'a [u8])> {
        let at = self.block_at(body, block)?;
        let mut reader = FieldReader::new(body.get(at..).unwrap_or_default());
        if reader.varint()? != 0 {
            return Err(Malformed::new(at, "a restart point shares a prefix"));
        }
        let key = reader.blob()?;
        Ok((at + reader.at() - key.len(), key))
    }

    /// Decodes the `rows` keys of a block.
    pub(crate) fn decode_block(
        &self,
        body: &[u8],
        block: usize,
        rows: usize,
        keys: &mut KeyBlock,
    ) -> Decoded<()> {
        let mut entries = self.entries(body, block)?;
        (0..rows).try_for_each(|_| entries.next(|shared, suffix| keys.push(shared, suffix)))
    }

    /// Appends the keys of some rows block by block, until they have more than `bytes_max` bytes.
    pub(crate) fn append(
        &self,
        body: &[u8],
        rows: Range<usize>,
        bytes_max: usize,
        out: &mut Strings,
    ) -> Decoded<()> {
        let mut keys = KeyBlock::default();
        let mut row = rows.start;
        while row < rows.end && out.bytes_len() <= bytes_max {
            let (block, within) = (row / RESTART_ROWS, row % RESTART_ROWS);
            let until = RESTART_ROWS.min(rows.end - block * RESTART_ROWS);
            keys.reset();
            self.decode_block(body, block, until, &mut keys)?;
            keys.append_to(within..until, out);
            row += until - within;
        }
        Ok(())
    }

    /// Index among the `rows` keys of a block of the first that `is_reached`, which becomes the only one of `keys`; `rows` if none is.
    pub(crate) fn find(
        &self,
        body: &[u8],
        block: usize,
        rows: usize,
        keys: &mut KeyBlock,
        is_reached: impl Fn(&[u8]) -> bool,
    ) -> Decoded<usize> {
        let mut entries = self.entries(body, block)?;
        for index in 0..rows {
            entries.next(|shared, suffix| keys.replace(shared, suffix))?;
            if is_reached(keys.get(0)) {
                return Ok(index);
            }
        }
        keys.reset();
        Ok(rows)
    }

    fn entries<'a>(&self, body: &'a [u8], block: usize) -> Decoded<Entries<'a>> {
        let at = self.block_at(body, block)?;
        Ok(Entries { at, reader: FieldReader::new(body.get(at..).unwrap_or_default()) })
    }
}

/// The entries of a block, one after the other.
struct Entries<'a> {
    at: usize,
    reader: FieldReader<'a>,
}

impl Entries<'_> {
    /// Hands the next entry's shared length and suffix to `take`.
    #[inline]
    fn next(&mut self, take: impl FnOnce(u64, &[u8]) -> Decoded<()>) -> Decoded<()> {
        let (shared, suffix) = (self.reader.varint()?, self.reader.blob()?);
        take(shared, suffix).map_err(|m| Malformed::new(self.at + self.reader.at(), m.what))
    }
}
