//! An HFile block: magic, sizes, data, CRC32C per 16 KiB. All integers are big-endian.
//!
//! ```text
//! | at | size | field                                             |
//! |  0 |  8   | magic                                             |
//! |  8 |  4   | bytes on disk after the header, checksums included |
//! | 12 |  4   | uncompressed bytes of data                        |
//! | 16 |  8   | offset of the previous block of this type: -1     |
//! | 24 |  1   | checksum type: 2, CRC32C                          |
//! | 25 |  4   | bytes per checksum                                |
//! | 29 |  4   | header and data, without checksums                |
//! | 33 |      | data, then 4 bytes of checksum per chunk of header and data |
//! ```

use grampus_base::{checksum_holds, narrow};

use crate::error::{Decoded, Error, Malformed, Result};

pub(super) const MAGIC_DATA: &[u8; 8] = b"GRAMPUS1";
pub(super) const MAGIC_ROOT_INDEX: &[u8; 8] = b"IDXROOT2";
pub(super) const MAGIC_FILE_INFO: &[u8; 8] = b"FILEINF2";

const HEADER_BYTES: usize = 33;
/// HBase writes zeros in the place of checksums.
const CHECKSUM_NULL: u8 = 0;
const CHECKSUM_CRC32: u8 = 1;
const CHECKSUM_CRC32C: u8 = 2;
const BYTES_PER_CHECKSUM: usize = 16 * 1024;

/// A block's checked data.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) data: &'a [u8],
    /// Its checksums are those of a column file; HBase has others as well.
    pub(super) has_our_checksums: bool,
}

/// Appends a block and returns its length on disk.
pub(super) fn write(magic: &[u8; 8], data: &[u8], out: &mut Vec<u8>) -> Result<u32> {
    let with_header = HEADER_BYTES + data.len();
    let checksums = with_header.div_ceil(BYTES_PER_CHECKSUM) * 4;
    let too_large = |_| Error::Misuse("an HFile block would be too large".to_string());
    // HBase reads these lengths as Java's int.
    let on_disk = i32::try_from(with_header + checksums).map_err(too_large)?.cast_unsigned();
    let (header, chunk) = (narrow::to_u32(HEADER_BYTES), narrow::to_u32(BYTES_PER_CHECKSUM));
    let start = out.len();
    out.extend_from_slice(magic);
    out.extend_from_slice(&(on_disk - header).to_be_bytes());
    out.extend_from_slice(&narrow::to_u32(data.len()).to_be_bytes());
    out.extend_from_slice(&(-1i64).to_be_bytes());
    out.push(CHECKSUM_CRC32C);
    out.extend_from_slice(&chunk.to_be_bytes());
    out.extend_from_slice(&narrow::to_u32(with_header).to_be_bytes());
    out.extend_from_slice(data);
    let sums: Vec<u32> =
        out.get(start..).unwrap_or_default().chunks(BYTES_PER_CHECKSUM).map(crc32c::crc32c).collect();
    sums.iter().for_each(|sum| out.extend_from_slice(&sum.to_be_bytes()));
    Ok(on_disk)
}

impl<'a> Block<'a> {
    /// The block at the front of `bytes`.
    pub(super) fn read(magic: &[u8; 8], bytes: &'a [u8]) -> Decoded<Block<'a>> {
        let truncated = Malformed::new(0, "an HFile block is truncated");
        let header = bytes.get(..HEADER_BYTES).ok_or(truncated)?;
        if header.get(..8) != Some(magic) {
            return Err(Malformed::new(0, "an HFile block has the wrong magic"));
        }
        let (after_header, with_header) = (be_u32(header, 8), be_u32(header, 29));
        let per_checksum = be_u32(header, 25);
        let body = bytes.get(..with_header).filter(|b| b.len() >= HEADER_BYTES).ok_or(truncated)?;
        let sums = bytes.get(with_header..HEADER_BYTES.saturating_add(after_header)).ok_or(truncated)?;
        let kind = header.get(24).copied().unwrap_or_default();
        if kind > CHECKSUM_CRC32C || per_checksum == 0 || !checksums_match(kind, body, sums, per_checksum) {
            return Err(Malformed::new(24, "an HFile block's checksum does not match"));
        }
        let data = body.get(HEADER_BYTES..).unwrap_or_default();
        Ok(Block { data, has_our_checksums: kind == CHECKSUM_CRC32C })
    }
}

/// Bytes on disk of the block at the front of `bytes`, by its header; 0 without one.
pub(super) fn stored_bytes(bytes: &[u8]) -> usize {
    bytes.get(..HEADER_BYTES).map_or(0, |header| HEADER_BYTES.saturating_add(be_u32(header, 8)))
}

fn checksums_match(kind: u8, body: &[u8], sums: &[u8], per_checksum: usize) -> bool {
    let chunks = body.chunks(per_checksum);
    chunks.len() * 4 == sums.len()
        && chunks.zip(sums.as_chunks().0).all(|(chunk, sum)| {
            let stored = u32::from_be_bytes(*sum);
            match kind {
                CHECKSUM_NULL => true,
                CHECKSUM_CRC32 => checksum_holds(stored, crc32(chunk)),
                _ => checksum_holds(stored, crc32c::crc32c(chunk)),
            }
        })
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn be_u32(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 4).unwrap_or_default().iter().fold(0, |value, byte| value << 8 | usize::from(*byte))
}
