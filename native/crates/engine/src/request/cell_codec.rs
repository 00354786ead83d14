//! Cells as HBase's KeyValueCodecWithTags writes them:
//! `i32 BE length | i32 BE key length | i32 BE value length | i16 BE row length | row | u8 family length | family | qualifier |
//! i64 BE timestamp | u8 type | value [| u16 BE tags length | tags]`.

use grampus_colfile::{CellRef, CellType};

use crate::error::{Error, ErrorKind, Result};

/// Length field, key length and value length.
const FRAME_BYTES: usize = 12;
/// Row length, family length, timestamp and type.
const KEY_FIXED_BYTES: usize = 12;

/// A cell with its family, borrowed from a cell block.
#[derive(Clone, Copy, Debug)]
pub struct WireCell<'a> {
    /// Family name.
    pub family: &'a [u8],
    /// The cell; its sequence id is 0 until the engine gives one.
    pub cell: CellRef<'a>,
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
    if row.is_empty() || row.len() > i16::MAX as usize {
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

#[inline]
fn put(out: &mut [u8], at: &mut usize, bytes: &[u8]) {
    out[*at..*at + bytes.len()].copy_from_slice(bytes);
    *at += bytes.len();
}

/// Writes a cell into a slice of exactly [`cell_bytes`] bytes.
#[inline(always)]
pub fn write_cell(out: &mut [u8], family: &[u8], cell: &CellRef<'_>) {
    let key_len = KEY_FIXED_BYTES + cell.row.len() + family.len() + cell.qualifier.len();
    let length = out.len() - 4;
    let mut at = 0;
    put(out, &mut at, &(length as u32).to_be_bytes());
    put(out, &mut at, &(key_len as u32).to_be_bytes());
    put(out, &mut at, &(cell.value.len() as u32).to_be_bytes());
    put(out, &mut at, &(cell.row.len() as u16).to_be_bytes());
    put(out, &mut at, cell.row);
    put(out, &mut at, &[family.len() as u8]);
    put(out, &mut at, family);
    put(out, &mut at, cell.qualifier);
    put(out, &mut at, &cell.timestamp.to_be_bytes());
    put(out, &mut at, &[cell.cell_type.0]);
    put(out, &mut at, cell.value);
    if !cell.tags.is_empty() {
        put(out, &mut at, &(cell.tags.len() as u16).to_be_bytes());
        put(out, &mut at, cell.tags);
    }
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
