//! Cells as HBase's KeyValueCodecWithTags writes them:
//! `i32 BE length | i32 BE key length | i32 BE value length | i16 BE row length | row | u8 family length | family | qualifier |
//! i64 BE timestamp | u8 type | value [| u16 BE tags length | tags]`.

use grampus_base::{Error, ErrorKind, Result, narrow};

use crate::{CellRef, CellType};

/// Length field, key length and value length.
const FRAME_BYTES: usize = 12;
/// Row length, family length, timestamp and type.
const KEY_FIXED_BYTES: usize = 12;

/// No row key has more bytes, as in HBase (`HConstants.MAX_ROW_LENGTH`).
pub const ROW_KEY_BYTES_MAX: usize = i16::MAX as usize;
/// No family name has more bytes: its length is one byte.
pub(crate) const FAMILY_BYTES_MAX: usize = u8::MAX as usize;
/// The tags of a cell have no more bytes, as in HBase (`TagUtil.MAX_TAGS_LENGTH`): their length is two bytes.
pub const TAGS_BYTES_MAX: usize = u16::MAX as usize;
/// No cell has more bytes. A page, a record of the log and a Java array of it can be made, each with what goes around it.
pub const CELL_BYTES_MAX: usize = (1 << 30) - (1 << 20);

/// A cell with its family, borrowed from a cell block.
#[derive(Clone, Copy, Debug)]
pub struct WireCell<'a> {
    /// Family name.
    pub family: &'a [u8],
    /// The cell; its sequence id is 0 until the engine gives one.
    pub cell: CellRef<'a>,
}

impl WireCell<'_> {
    /// Bytes that it takes in a block, its leading length included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let cell = &self.cell;
        cell_bytes(cell.row, self.family, cell.qualifier, cell.value.len(), cell.tags)
    }
}

fn malformed(why: &str) -> Error {
    Error::new(ErrorKind::BadRequest, format!("malformed cell: {why}"))
}

#[inline]
fn be_u32(bytes: &[u8], at: usize) -> Option<usize> {
    let field: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_be_bytes(field) as usize)
}

#[inline]
fn be_u16(bytes: &[u8], at: usize) -> Option<usize> {
    let field: [u8; 2] = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u16::from_be_bytes(field) as usize)
}

/// Reads the cell at the start of `block` and returns it with the number of bytes it takes.
pub fn read_cell(block: &[u8]) -> Result<(WireCell<'_>, usize)> {
    let short = || malformed("the block ends inside it");
    let length = be_u32(block, 0).ok_or_else(short)?;
    let body = block.get(4..).and_then(|b| b.get(..length)).ok_or_else(short)?;
    let key_len = be_u32(body, 0).ok_or_else(short)?;
    let value_len = be_u32(body, 4).ok_or_else(short)?;
    let key = body.get(8..).and_then(|b| b.get(..key_len)).ok_or_else(|| malformed("key length"))?;
    let value =
        body.get(8 + key_len..).and_then(|b| b.get(..value_len)).ok_or_else(|| malformed("value length"))?;
    let rest = body.get(8 + key_len + value_len..).unwrap_or_default();
    let tags = if rest.is_empty() {
        rest
    } else {
        let n = be_u16(rest, 0).ok_or_else(|| malformed("tags length"))?;
        if rest.len() != n + 2 {
            return Err(malformed("tags length"));
        }
        rest.get(2..).unwrap_or_default()
    };
    let row_len = be_u16(key, 0).ok_or_else(|| malformed("row length"))?;
    let row = key.get(2..2 + row_len).ok_or_else(|| malformed("row length"))?;
    let family_len = *key.get(2 + row_len).ok_or_else(|| malformed("family length"))? as usize;
    let family_at = 3 + row_len;
    let family = key.get(family_at..family_at + family_len).ok_or_else(|| malformed("family length"))?;
    let stamp_at = key_len.checked_sub(9).ok_or_else(|| malformed("key length"))?;
    let qualifier = key.get(family_at + family_len..stamp_at).ok_or_else(|| malformed("key length"))?;
    let stamp: [u8; 8] = key.get(stamp_at..stamp_at + 8).and_then(|b| b.try_into().ok()).ok_or_else(short)?;
    let code = *key.last().ok_or_else(short)?;
    let cell_type = CellType::from_code(code).ok_or_else(|| malformed(&format!("type {code}")))?;
    if row.is_empty() || row.len() > ROW_KEY_BYTES_MAX {
        return Err(malformed("the row must have 1 to 32767 bytes"));
    }
    let cell =
        CellRef { row, qualifier, timestamp: i64::from_be_bytes(stamp), cell_type, value, tags, sequence: 0 };
    Ok((WireCell { family, cell }, 4 + length))
}

/// Bytes that [`write_cell`] needs, the leading length included.
#[inline]
pub fn cell_bytes(row: &[u8], family: &[u8], qualifier: &[u8], value_len: usize, tags: &[u8]) -> usize {
    let tags_bytes = if tags.is_empty() { 0 } else { 2 + tags.len() };
    FRAME_BYTES + KEY_FIXED_BYTES + row.len() + family.len() + qualifier.len() + value_len + tags_bytes
}

/// What [`cell_bytes`] says, for a cell that every format can hold; else an error that says which limit it passes.
#[inline]
pub fn checked_bytes(family: &[u8], cell: &CellRef<'_>) -> Result<usize> {
    let bytes = cell_bytes(cell.row, family, cell.qualifier, cell.value.len(), cell.tags);
    let fits = (1..=ROW_KEY_BYTES_MAX).contains(&cell.row.len())
        && family.len() <= FAMILY_BYTES_MAX
        && cell.tags.len() <= TAGS_BYTES_MAX
        && bytes <= CELL_BYTES_MAX;
    if fits { Ok(bytes) } else { Err(too_large(family, cell, bytes)) }
}

#[cold]
fn too_large(family: &[u8], cell: &CellRef<'_>, bytes: usize) -> Error {
    let (row, tags) = (cell.row.len(), cell.tags.len());
    let why = if !(1..=ROW_KEY_BYTES_MAX).contains(&row) {
        format!("a row of {row} bytes; it may have 1 to {ROW_KEY_BYTES_MAX}")
    } else if family.len() > FAMILY_BYTES_MAX {
        format!("a family name of {} bytes; it may have {FAMILY_BYTES_MAX}", family.len())
    } else if tags > TAGS_BYTES_MAX {
        format!(
            "tags of {tags} bytes; they may have {TAGS_BYTES_MAX}, those that an increment carries forward included"
        )
    } else {
        format!("{bytes} bytes in all; it may have {CELL_BYTES_MAX}")
    };
    Error::new(ErrorKind::BadRequest, format!("a cell of the mutation has {why}"))
}

#[inline]
fn put(out: &mut [u8], at: &mut usize, bytes: &[u8]) {
    out[*at..*at + bytes.len()].copy_from_slice(bytes);
    *at += bytes.len();
}

/// Writes a cell into a slice of exactly [`cell_bytes`] bytes. The cell is one that [`checked_bytes`] takes: what is read was written under
/// the same limits.
#[inline(always)]
pub fn write_cell(out: &mut [u8], family: &[u8], cell: &CellRef<'_>) {
    let key_len = KEY_FIXED_BYTES + cell.row.len() + family.len() + cell.qualifier.len();
    let length = out.len() - 4;
    let mut at = 0;
    put(out, &mut at, &narrow::to_u32(length).to_be_bytes());
    put(out, &mut at, &narrow::to_u32(key_len).to_be_bytes());
    put(out, &mut at, &narrow::to_u32(cell.value.len()).to_be_bytes());
    put(out, &mut at, &narrow::to_u16(cell.row.len()).to_be_bytes());
    put(out, &mut at, cell.row);
    put(out, &mut at, &[narrow::to_u8(family.len())]);
    put(out, &mut at, family);
    put(out, &mut at, cell.qualifier);
    put(out, &mut at, &cell.timestamp.to_be_bytes());
    put(out, &mut at, &[cell.cell_type.0]);
    put(out, &mut at, cell.value);
    if !cell.tags.is_empty() {
        put(out, &mut at, &narrow::to_u16(cell.tags.len()).to_be_bytes());
        put(out, &mut at, cell.tags);
    }
}

/// Writes a put without tags into the start of a slice, of which it returns the rest. `name` is what the key has of its column: the length of the
/// family's name in a byte, the name, the qualifier. The cell is one that [`checked_bytes`] takes.
#[inline(always)]
pub fn write_put<'a>(
    out: &'a mut [u8],
    row: &[u8],
    name: &[u8],
    timestamp: i64,
    value: &[u8],
) -> &'a mut [u8] {
    let key_len = KEY_FIXED_BYTES - 1 + row.len() + name.len();
    let length = FRAME_BYTES - 4 + key_len + value.len();
    let (out, rest) = out.split_at_mut(4 + length);
    let mut at = 0;
    put(out, &mut at, &narrow::to_u32(length).to_be_bytes());
    put(out, &mut at, &narrow::to_u32(key_len).to_be_bytes());
    put(out, &mut at, &narrow::to_u32(value.len()).to_be_bytes());
    put(out, &mut at, &narrow::to_u16(row.len()).to_be_bytes());
    put(out, &mut at, row);
    put(out, &mut at, name);
    put(out, &mut at, &timestamp.to_be_bytes());
    put(out, &mut at, &[CellType::PUT.0]);
    put(out, &mut at, value);
    rest
}

/// Gives a cell that stands at the start of a block another timestamp, and returns the bytes that it takes.
///
/// The block was made by [`append_cell`]; of any other this panics or spoils it.
pub fn set_timestamp(block: &mut [u8], timestamp: i64) -> usize {
    let field = |at: usize| be_u32(block, at).unwrap_or_default();
    let (length, key_len) = (field(0), field(4));
    let stamp_at = FRAME_BYTES + key_len - 9;
    block[stamp_at..stamp_at + 8].copy_from_slice(&timestamp.to_be_bytes());
    4 + length
}

/// Appends a cell to a growing buffer.
pub fn append_cell(out: &mut Vec<u8>, family: &[u8], cell: &CellRef<'_>) {
    let start = out.len();
    out.resize(start + cell_bytes(cell.row, family, cell.qualifier, cell.value.len(), cell.tags), 0);
    write_cell(&mut out[start..], family, cell);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(tags: &[u8]) -> Vec<u8> {
        let cell = CellRef {
            row: b"row",
            qualifier: b"q",
            timestamp: -3,
            cell_type: CellType::PUT,
            value: b"value",
            tags,
            sequence: 0,
        };
        let mut out = Vec::new();
        append_cell(&mut out, b"fam", &cell);
        out
    }

    #[test]
    fn a_written_cell_reads_back() {
        for tags in [&b""[..], &[0, 2, 8, 1][..]] {
            let block = sample(tags);
            let (cell, used) = read_cell(&block).unwrap();
            assert_eq!(used, block.len());
            assert_eq!(
                (cell.family, cell.cell.row, cell.cell.qualifier),
                (&b"fam"[..], &b"row"[..], &b"q"[..])
            );
            assert_eq!((cell.cell.timestamp, cell.cell.value, cell.cell.tags), (-3, &b"value"[..], tags));
        }
    }

    #[test]
    fn a_put_is_written_alike_in_both_ways() {
        let expected = sample(&[]);
        let mut out = vec![0; expected.len() + 3];
        let rest = write_put(&mut out, b"row", b"\x03famq", -3, b"value");
        assert_eq!(rest.len(), 3);
        assert_eq!(out[..expected.len()], expected);
    }

    #[test]
    fn a_timestamp_is_replaced_and_nothing_else() {
        for tags in [&b""[..], &[0, 2, 8, 1][..]] {
            let mut block = [sample(tags), sample(tags)].concat();
            let length = set_timestamp(&mut block, 77);
            assert_eq!(length, sample(tags).len());
            let (cell, used) = read_cell(&block).unwrap();
            assert_eq!((cell.cell.timestamp, used), (77, length));
            set_timestamp(&mut block, -3);
            assert_eq!(block, [sample(tags), sample(tags)].concat());
        }
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_survived() {
        let block = sample(&[0, 2, 8, 1]);
        for n in 0..block.len() {
            assert!(read_cell(&block[..n]).is_err(), "{n}");
        }
        for at in 0..block.len() {
            for bit in 0..8 {
                let mut damaged = block.clone();
                damaged[at] ^= 1 << bit;
                let _ = read_cell(&damaged); // must not panic; many flips stay well-formed
            }
        }
    }
}
