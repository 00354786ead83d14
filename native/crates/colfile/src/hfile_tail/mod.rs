//! The HFile v3 tail: what makes HBase's own code take a column file for a store file.
//!
//! After the payload follow one block with the magic `GRAMPUS1` where HBase has `DATABLK*`, holding two keys, the file's first
//! and last row; the root index over that block; an empty meta index; the file info; the trailer. HBase reads keys, file
//! info and sizes; an attempt to read cells meets the unknown magic and fails. An empty file has no such block.

mod block;
mod file_info;
mod protobuf;
mod trailer;

use block::Block;
pub use file_info::FileInfo;
use grampus_base::{RandomRead, narrow};
use grampus_cells::RowOrder;
use trailer::{Found, TRAILER_BYTES, Trailer};

use crate::error::{Error, Malformed, Result};
use crate::format_version::FILE_NAME;
use crate::info_keys;

/// What is read at first: nearly always all of the file info.
const FIRST_BYTES: usize = 64 << 10;
/// More is no file info: a wrong offset or length would have that much of the file in memory.
const READ_BYTES_MAX: usize = 8 << 20;

/// What the tail says about a file.
pub(crate) struct Tail<'a> {
    pub(crate) row_order: RowOrder,
    pub(crate) family: &'a [u8],
    /// First and last row; `None` for a file without rows.
    pub(crate) rows: Option<(&'a [u8], &'a [u8])>,
    pub(crate) cells: u64,
    /// Uncompressed bytes of the payload.
    pub(crate) raw_bytes: u64,
}

/// The tail's bytes for a payload that ends at `offset`.
pub(crate) fn write(offset: u64, tail: &Tail<'_>, mut info: FileInfo) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut trailer = Trailer {
        total_uncompressed_bytes: tail.raw_bytes,
        entry_count: tail.cells,
        row_order: Some(tail.row_order),
        ..Trailer::default()
    };
    let mut index = Vec::new();
    if let Some((first, last)) = tail.rows {
        let (first, last) = (marker_key(first, tail.family, i64::MAX - 1), marker_key(last, tail.family, 1));
        let len = block::write(block::MAGIC_DATA, &two_cells(&first, &last), &mut out)?;
        index.extend_from_slice(&offset.to_be_bytes());
        index.extend_from_slice(&len.to_be_bytes());
        protobuf::put_hadoop_vint(&mut index, first.len() as u64);
        index.extend_from_slice(&first);
        info.put("hfile.LASTKEY", &last);
        trailer.data_index_count = 1;
        trailer.first_data_block = offset;
        trailer.last_data_block = offset;
    }
    trailer.load_on_open = offset + out.len() as u64;
    block::write(block::MAGIC_ROOT_INDEX, &index, &mut out)?;
    trailer.uncompressed_index_size = trailer_index_size(&out, trailer.load_on_open - offset);
    block::write(block::MAGIC_ROOT_INDEX, &[], &mut out)?;
    trailer.file_info = offset + out.len() as u64;
    block::write(block::MAGIC_FILE_INFO, &info.to_bytes(), &mut out)?;
    trailer.write(&mut out)?;
    Ok(out)
}

fn trailer_index_size(out: &[u8], index_at: u64) -> u64 {
    out.len() as u64 - index_at
}

/// Reads the file info of any HFile. It is empty where HBase has compressed or encrypted it, or written it in another version: that is no
/// column file, and what it says is not known.
pub(crate) fn read_file_info(source: &dyn RandomRead) -> Result<FileInfo> {
    let name = source.name();
    let end_bytes = up_to(source.len(), TRAILER_BYTES);
    let trailer_at = source.len() - end_bytes as u64;
    let end = read(source, trailer_at, end_bytes)?;
    match Trailer::find(&end).map_err(|m| m.in_page(name, trailer_at))? {
        Found::Open(trailer) => read_open_info(source, &trailer, trailer_at),
        Found::Closed if begins_as_column_file(source)? => {
            Err(Malformed::new(0, "a column file ends in another HFile's trailer").in_page(name, trailer_at))
        }
        Found::Closed => Ok(FileInfo::default()),
    }
}

/// Whether what does not look like a column file at its end is one that is damaged.
fn begins_as_column_file(source: &dyn RandomRead) -> Result<bool> {
    Ok(read(source, 0, up_to(source.len(), FILE_NAME.len()))? == FILE_NAME)
}

fn up_to(len: u64, most: usize) -> usize {
    usize::try_from(len).map_or(most, |len| len.min(most))
}

fn read_open_info(source: &dyn RandomRead, trailer: &Trailer, trailer_at: u64) -> Result<FileInfo> {
    let malformed = |m: Malformed| m.in_page(source.name(), trailer.file_info);
    let corrupt = |what| malformed(Malformed::new(0, what));
    // The file info is among what is loaded when a file is opened; below that, a wrong offset would have the whole file read.
    if trailer.file_info >= trailer_at || trailer.file_info < trailer.load_on_open {
        return Err(corrupt("the file info lies outside the file"));
    }
    let len = up_to(trailer_at - trailer.file_info, usize::MAX);
    let bytes = read_info_block(source, trailer.file_info, len)?;
    let block = Block::read(block::MAGIC_FILE_INFO, &bytes).map_err(malformed)?;
    let info = FileInfo::from_bytes(block.data).map_err(malformed)?;
    if info.get(info_keys::FORMAT).is_some() && !block.has_our_checksums {
        return Err(corrupt("the file info of a column file has checksums of another kind"));
    }
    Ok(info)
}

/// The block of the file info, with up to `len` bytes. Its header says where it ends: behind it HBase has indexes of bloom filters.
fn read_info_block(source: &dyn RandomRead, offset: u64, len: usize) -> Result<Vec<u8>> {
    let bytes = read(source, offset, len.min(FIRST_BYTES))?;
    let block_bytes = block::stored_bytes(&bytes).min(len);
    if block_bytes <= bytes.len() { Ok(bytes) } else { read(source, offset, block_bytes) }
}

fn read(source: &dyn RandomRead, offset: u64, len: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if len > READ_BYTES_MAX || bytes.try_reserve_exact(len).is_err() {
        return Err(
            Malformed::new(0, "its file info and trailer are too long").in_page(source.name(), offset)
        );
    }
    bytes.resize(len, 0);
    source.read_exact_at(&mut bytes, offset).map_err(|error| Error::Read {
        file: source.name().to_string(),
        offset,
        len,
        source: error,
    })?;
    Ok(bytes)
}

/// KeyValue key of a marker: row, family, no qualifier, type Put.
fn marker_key(row: &[u8], family: &[u8], timestamp: i64) -> Vec<u8> {
    let mut key = Vec::with_capacity(row.len() + family.len() + 12);
    key.extend_from_slice(&narrow::to_u16(row.len()).to_be_bytes());
    key.extend_from_slice(row);
    key.push(narrow::to_u8(family.len()));
    key.extend_from_slice(family);
    key.extend_from_slice(&timestamp.to_be_bytes());
    key.push(grampus_cells::CellType::PUT.0);
    key
}

fn two_cells(first: &[u8], last: &[u8]) -> Vec<u8> {
    let mut cells = Vec::new();
    for key in [first, last] {
        cells.extend_from_slice(&narrow::to_u32(key.len()).to_be_bytes());
        cells.extend_from_slice(&0u32.to_be_bytes());
        cells.extend_from_slice(key);
    }
    cells
}

/// Checks a trailer and file info as untrusted input; an entry point for fuzzing.
pub(crate) fn fuzz_tail(bytes: &[u8]) {
    let _ = Trailer::find(bytes);
    let _ = FileInfo::from_bytes(bytes);
    let _ = Block::read(block::MAGIC_FILE_INFO, bytes);
}

#[cfg(test)]
mod tests;
