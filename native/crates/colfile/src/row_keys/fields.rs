//! Row keys field by field: all keys have the same delimiters in the same order, and what stands between them is stored like
//! the values of a column. A key without delimiters is one field.
//!
//! `u8 fields, at least 1 | the delimiters, one fewer | strings per field`

use std::cmp::Ordering;
use std::ops::Range;

use grampus_base::narrow;
use grampus_cells::{RowOrder, Strings};

use super::block::{KEY_BYTES_MAX, TOO_LONG};
use super::{KeyBlock, RESTART_ROWS};
use crate::Compression;
use crate::bytes::FieldReader;
use crate::encoding::blobs::{self, Scratch, Target};
use crate::encoding::{Blobs, Located};
use crate::error::{Decoded, Malformed};

/// Keys of more fields are not split.
const FIELDS_MAX: usize = 16;

fn is_delimiter(byte: u8) -> bool {
    !byte.is_ascii_alphanumeric()
}

/// The delimiters that all keys have; `None` where they differ or are too many.
pub(crate) fn delimiters<'a>(mut keys: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let of = |key: &'a [u8]| key.iter().copied().filter(|byte| is_delimiter(*byte));
    let first: Vec<u8> = of(keys.next()?).take(FIELDS_MAX).collect();
    (first.len() < FIELDS_MAX && keys.all(|key| of(key).eq(first.iter().copied()))).then_some(first)
}

/// Encodes keys that have these delimiters.
pub(crate) fn write<'a>(
    keys: impl Iterator<Item = &'a [u8]>,
    delimiters: &[u8],
    compression: Compression,
    out: &mut Vec<u8>,
) {
    let mut fields: Vec<Vec<&[u8]>> = vec![Vec::new(); delimiters.len() + 1];
    for key in keys {
        for (field, part) in fields.iter_mut().zip(key.split(|byte| is_delimiter(*byte))) {
            field.push(part);
        }
    }
    out.push(narrow::to_u8(fields.len()));
    out.extend_from_slice(delimiters);
    fields.iter().for_each(|field| blobs::write(field, Target::of(compression), out));
}

/// Rows whose fields are read at a time. It begins with few, since there may be no room for more, and ends where the processor's cache has no more.
const CHUNK_ROWS_MIN: usize = 16;
const CHUNK_ROWS_MAX: usize = 128;

/// What keys are put together from.
pub(crate) struct KeyScratch<'a> {
    pub(crate) parts: &'a mut Vec<Strings>,
    pub(crate) integers: &'a mut [Vec<u64>; 2],
}

/// Parsed keys; `body` in the methods is what they were parsed from.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// Each with the delimiter that follows it; the last has none.
    fields: Vec<(Blobs, Option<u8>)>,
}

impl Fields {
    pub(crate) fn parse(body: &[u8], reader: &mut FieldReader<'_>, rows: usize) -> Decoded<Fields> {
        let at = reader.at();
        let count = usize::from(reader.u8()?);
        if count == 0 || count > FIELDS_MAX {
            return Err(Malformed::new(at, "impossible number of fields"));
        }
        let delimiters = reader.take(count - 1)?;
        let mut fields = Vec::with_capacity(count);
        for index in 0..count {
            fields.push((Blobs::parse(body, reader, rows)?, delimiters.get(index).copied()));
        }
        Ok(Fields { fields })
    }

    /// How the fields are encoded, for tools.
    pub(crate) fn describe(&self) -> String {
        let names: Vec<String> = self.fields.iter().map(|(field, _)| field.describe()).collect();
        names.join(", ")
    }

    /// Compares a row's key with another.
    pub(crate) fn compare(&self, body: &[u8], row: usize, key: &[u8], order: RowOrder) -> Decoded<Ordering> {
        if order != RowOrder::Bytes {
            let mut whole = KeyBlock::default();
            self.push(body, row, &mut whole)?;
            return Ok(order.compare(whole.get(0), key));
        }
        let mut rest = key;
        let mut scratch = Scratch::default();
        for (field, delimiter) in &self.fields {
            let part = part(field, body, row, &mut scratch)?;
            for part in [part, delimiter.as_slice()] {
                let (head, tail) = rest.split_at(part.len().min(rest.len()));
                match part.cmp(head) {
                    Ordering::Equal => rest = tail,
                    other => return Ok(other),
                }
            }
        }
        Ok(if rest.is_empty() { Ordering::Equal } else { Ordering::Less })
    }

    /// Decodes the `rows` keys of a block.
    pub(crate) fn decode_block(
        &self,
        body: &[u8],
        block: usize,
        rows: usize,
        keys: &mut KeyBlock,
    ) -> Decoded<()> {
        (0..rows).try_for_each(|row| self.push(body, block * RESTART_ROWS + row, keys))
    }

    /// Appends the keys of some rows, until they have more than `bytes_max` bytes. Fields are read one after the other, as columns are.
    pub(crate) fn append(
        &self,
        body: &[u8],
        rows: Range<usize>,
        bytes_max: usize,
        scratch: KeyScratch<'_>,
        out: &mut Strings,
    ) -> Decoded<()> {
        if self.may_be_too_long(body) {
            return self.append_one_by_one(body, rows, bytes_max, out);
        }
        let KeyScratch { parts, integers } = scratch;
        let pieces = self.pieces(body);
        parts.resize_with(parts.len().max(pieces.len()), Strings::default);
        let (mut first, mut chunk_rows) = (rows.start, CHUNK_ROWS_MIN);
        while first < rows.end && out.bytes_len() <= bytes_max {
            let chunk = first..rows.end.min(first + chunk_rows);
            for (piece, part) in pieces.iter().zip(parts.iter_mut()) {
                part.clear();
                if let Some(field) = piece.field {
                    field.append(body, chunk.clone(), integers, part)?;
                }
            }
            for row in 0..chunk.len() {
                for (piece, part) in pieces.iter().zip(parts.iter()) {
                    out.extend_within(&piece.before, 0, piece.bytes);
                    out.extend_from(part, row);
                }
                if out.end() > KEY_BYTES_MAX {
                    return Err(TOO_LONG);
                }
            }
            (first, chunk_rows) = (chunk.end, CHUNK_ROWS_MAX.min(2 * chunk_rows));
        }
        Ok(())
    }

    /// Whether a dictionary has a string that no key can have, so that a few codes could stand for any number of bytes. No writer makes one.
    fn may_be_too_long(&self, body: &[u8]) -> bool {
        let is_long = |field: &Blobs| {
            matches!(field, Blobs::Dictionary(_)) && field.bytes_max(body, 0..1, &mut None) > KEY_BYTES_MAX
        };
        self.fields.iter().any(|(field, _)| is_long(field))
    }

    /// As [`Fields::append`], with no more than a key in memory that may be too long.
    fn append_one_by_one(
        &self,
        body: &[u8],
        rows: Range<usize>,
        bytes_max: usize,
        out: &mut Strings,
    ) -> Decoded<()> {
        let mut key = KeyBlock::default();
        for row in rows {
            key.reset();
            self.push(body, row, &mut key)?;
            out.push(key.get(0));
            if out.bytes_len() > bytes_max {
                break;
            }
        }
        Ok(())
    }

    /// The parts of keys: each field that differs from row to row with what all keys have before it, and what they have at the end.
    fn pieces(&self, body: &[u8]) -> Vec<Piece<'_>> {
        let mut pieces = Vec::with_capacity(self.fields.len() + 1);
        let mut before = Vec::new();
        for (field, delimiter) in &self.fields {
            match field.constant(body) {
                Some(constant) => before.extend_from_slice(constant),
                None => pieces.push(Piece::new(std::mem::take(&mut before), Some(field))),
            }
            before.extend_from_slice(delimiter.as_slice());
        }
        if !before.is_empty() || pieces.is_empty() {
            pieces.push(Piece::new(before, None));
        }
        pieces
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
        for index in 0..rows {
            keys.reset();
            self.push(body, block * RESTART_ROWS + index, keys)?;
            if is_reached(keys.get(0)) {
                return Ok(index);
            }
        }
        keys.reset();
        Ok(rows)
    }

    fn push(&self, body: &[u8], row: usize, keys: &mut KeyBlock) -> Decoded<()> {
        let mut scratch = Scratch::default();
        for (field, delimiter) in &self.fields {
            keys.push_part(part(field, body, row, &mut scratch)?)?;
            keys.push_part(delimiter.as_slice())?;
        }
        keys.end_key();
        Ok(())
    }
}

/// Bytes that all keys have, and the field that follows them.
struct Piece<'a> {
    /// The bytes, filled up so that few of them are copied as 16.
    before: Vec<u8>,
    bytes: usize,
    field: Option<&'a Blobs>,
}

impl<'a> Piece<'a> {
    fn new(mut before: Vec<u8>, field: Option<&'a Blobs>) -> Piece<'a> {
        let bytes = before.len();
        before.resize(bytes.max(16), 0);
        Piece { before, bytes, field }
    }
}

/// A row's part of its key.
#[inline]
fn part<'a>(field: &Blobs, body: &'a [u8], row: usize, scratch: &'a mut Scratch) -> Decoded<&'a [u8]> {
    let located: Located = field.locate(body, row)?;
    scratch.load(body, located)?;
    Ok(scratch.slice(body, located))
}
