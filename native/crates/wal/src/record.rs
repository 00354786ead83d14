//! One record of a segment: header and body.

use std::ops::Range;

use grampus_base::{Error, ErrorKind, Result, checksum_holds, narrow};
use grampus_cells::cell_codec::{self, WireCell};
use grampus_cells::{ByteReader, CellRef};

/// First bytes of every record.
pub(crate) const MARKER: u32 = 0x57A1_C0DE;
/// Bytes before the body.
pub const HEADER_BYTES: usize = 24;
/// No record is longer.
pub const BODY_BYTES_MAX: usize = 1 << 30;

const KIND_EDIT: u8 = 1;
/// Kind of the last record of a segment that was closed in order.
pub(crate) const KIND_END: u8 = 2;

/// Bytes of an end record.
pub(crate) const END_BYTES: usize = HEADER_BYTES + 9;

/// No record has more nonces: their number is two bytes.
pub(crate) const NONCES_MAX: usize = u16::MAX as usize;

/// Bytes of an edit besides its names and cells, with room for a few nonces.
pub const OVERHEAD_BYTES: usize = HEADER_BYTES + 64;

/// Builds an edit record; the sequence id is set last.
pub struct RecordBuilder {
    bytes: Vec<u8>,
    count_at: usize,
    cells: u32,
}

impl RecordBuilder {
    /// Begins an edit of a region.
    pub fn new(
        table: &str,
        region: &str,
        write_time: i64,
        nonce_group: u64,
        nonces: &[u64],
        capacity: usize,
    ) -> Result<RecordBuilder> {
        let mut bytes = Vec::with_capacity(capacity);
        RecordBuilder::in_buffer(&mut bytes, table, region, write_time, nonce_group, nonces)
    }

    /// Begins an edit of a region in a buffer that was used before; takes the buffer. Names and nonces that a record cannot hold are refused.
    pub fn in_buffer(
        buffer: &mut Vec<u8>,
        table: &str,
        region: &str,
        write_time: i64,
        nonce_group: u64,
        nonces: &[u64],
    ) -> Result<RecordBuilder> {
        check_nonces(nonces.len())?;
        let mut bytes = std::mem::take(buffer);
        bytes.clear();
        bytes.resize(HEADER_BYTES, 0);
        bytes.extend_from_slice(&[KIND_EDIT, 0]);
        for text in [table, region] {
            let len = u16::try_from(text.len())
                .map_err(|_| too_large(&format!("a name of {} bytes", text.len()), "65535"))?;
            bytes.extend_from_slice(&len.to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(&write_time.to_le_bytes());
        bytes.extend_from_slice(&nonce_group.to_le_bytes());
        bytes.extend_from_slice(&narrow::to_u16(nonces.len()).to_le_bytes());
        for nonce in nonces {
            bytes.extend_from_slice(&nonce.to_le_bytes());
        }
        let count_at = bytes.len();
        bytes.extend_from_slice(&[0; 4]);
        Ok(RecordBuilder { bytes, count_at, cells: 0 })
    }

    /// Adds a cell that [`cell_codec::checked_bytes`] takes.
    pub fn push(&mut self, family: &[u8], cell: &CellRef<'_>) {
        cell_codec::append_cell(&mut self.bytes, family, cell);
        self.cells += 1;
    }

    /// Completes the body; what is left is the sequence id.
    pub fn finish(mut self) -> Result<Record> {
        self.bytes[self.count_at..self.count_at + 4].copy_from_slice(&self.cells.to_le_bytes());
        let record = Record { cells_at: self.count_at + 4, ..Record::seal(self.bytes)? };
        if cfg!(debug_assertions) {
            record.check_readable(self.cells)?;
        }
        Ok(record)
    }
}

/// Refuses more nonces than a record holds.
pub fn check_nonces(count: usize) -> Result<()> {
    if count <= NONCES_MAX {
        return Ok(());
    }
    Err(too_large(&format!("a mutation with {count} different nonces"), &format!("{NONCES_MAX} of them")))
}

#[cold]
fn too_large(what: &str, limit: &str) -> Error {
    Error::new(
        ErrorKind::BadRequest,
        format!("{what} is too large for the log, whose records have at most {limit}"),
    )
}

/// A record that lacks only its sequence id.
pub struct Record {
    bytes: Vec<u8>,
    /// Where the cells of an edit that was built here begin.
    cells_at: usize,
}

impl Record {
    fn seal(mut bytes: Vec<u8>) -> Result<Record> {
        let body_len = bytes.len() - HEADER_BYTES;
        if body_len > BODY_BYTES_MAX {
            return Err(too_large(&format!("a mutation of {body_len} bytes"), &BODY_BYTES_MAX.to_string()));
        }
        let body_crc = crc32c::crc32c(&bytes[HEADER_BYTES..]);
        bytes[0..4].copy_from_slice(&MARKER.to_le_bytes());
        bytes[4..8].copy_from_slice(&narrow::to_u32(body_len).to_le_bytes());
        bytes[16..20].copy_from_slice(&body_crc.to_le_bytes());
        let cells_at = bytes.len();
        Ok(Record { bytes, cells_at })
    }

    /// Gives the cells of an edit other timestamps, as many as it has cells and in their order.
    pub fn set_timestamps(&mut self, timestamps: impl Iterator<Item = i64>) {
        let mut at = self.cells_at;
        for timestamp in timestamps {
            at += cell_codec::set_timestamp(&mut self.bytes[at..], timestamp);
        }
        let body_crc = crc32c::crc32c(&self.bytes[HEADER_BYTES..]);
        self.bytes[16..20].copy_from_slice(&body_crc.to_le_bytes());
    }

    /// The end record after `count` records.
    pub fn end(count: u64) -> Result<Record> {
        let mut bytes = vec![0; HEADER_BYTES];
        bytes.push(KIND_END);
        bytes.extend_from_slice(&count.to_le_bytes());
        Record::seal(bytes)
    }

    /// A record with the body of an edit that was read.
    pub fn copy_of(body: &[u8]) -> Result<Record> {
        let mut bytes = vec![0; HEADER_BYTES];
        bytes.extend_from_slice(body);
        Record::seal(bytes)
    }

    /// In builds with debug assertions every record is decoded once before it is acknowledged.
    fn check_readable(&self, cells: u32) -> Result<()> {
        let unreadable =
            |why: String| Error::new(ErrorKind::Bug, format!("a record that no reader can decode: {why}"));
        match Body::decode(&self.bytes[HEADER_BYTES..], 0) {
            Ok(Body::Edit(edit)) if edit.cells.len() == cells as usize => Ok(()),
            Ok(_) => Err(unreadable("it has other cells".to_string())),
            Err(e) => Err(unreadable(e.message)),
        }
    }

    /// The record's bytes with its sequence id.
    pub fn with_sequence(mut self, sequence: u64) -> Vec<u8> {
        self.bytes[8..16].copy_from_slice(&sequence.to_le_bytes());
        let crc = crc32c::crc32c(&self.bytes[..20]);
        self.bytes[20..24].copy_from_slice(&crc.to_le_bytes());
        self.bytes
    }

    /// Length of its bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Never true: a record has a header.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// A header that passed its checksum.
pub struct Header {
    /// Bytes of the body.
    pub body_len: usize,
    /// Sequence id.
    pub sequence: u64,
    /// CRC-32C of the body.
    pub body_crc: u32,
}

impl Header {
    /// Decodes a header, `None` when it is not one.
    pub fn decode(bytes: &[u8]) -> Option<Header> {
        let bytes = bytes.get(..HEADER_BYTES)?;
        let u32_at =
            |range: Range<usize>| bytes.get(range).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
        if u32_at(0..4)? != MARKER || !checksum_holds(u32_at(20..24)?, crc32c::crc32c(bytes.get(..20)?)) {
            return None;
        }
        let body_len = u32_at(4..8)? as usize;
        let sequence = u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
        (body_len <= BODY_BYTES_MAX).then_some(Header { body_len, sequence, body_crc: u32_at(16..20)? })
    }
}

/// True for the bytes of an end record.
pub(crate) fn is_end(record: &[u8]) -> bool {
    let body = record.get(HEADER_BYTES..).unwrap_or_default();
    let header = Header::decode(record).filter(|header| header.body_len == body.len());
    header.is_some_and(|header| checksum_holds(header.body_crc, crc32c::crc32c(body)))
        && body.first() == Some(&KIND_END)
}

/// A decoded body.
pub enum Body<'a> {
    /// Cells of a region.
    Edit(Edit<'a>),
    /// The segment's end, and the number of records before it.
    End(u64),
}

/// An edit of a region.
pub struct Edit<'a> {
    /// `namespace:qualifier` or `qualifier`.
    pub table: &'a str,
    /// Encoded region name.
    pub region: &'a str,
    /// Sequence id of all cells.
    pub sequence: u64,
    /// Milliseconds since the epoch.
    pub write_time: i64,
    /// Nonce group of the nonces.
    pub nonce_group: u64,
    /// Nonces of increments and appends.
    pub nonces: Vec<u64>,
    /// The cells with their families.
    pub cells: Vec<WireCell<'a>>,
}

impl<'a> Body<'a> {
    /// Decodes a body whose checksum held.
    pub fn decode(body: &'a [u8], sequence: u64) -> Result<Body<'a>> {
        let mut reader = ByteReader::new(body);
        match reader.u8("a record kind")? {
            KIND_EDIT => Ok(Body::Edit(Edit::decode(&mut reader, sequence)?)),
            KIND_END => Ok(Body::End(reader.u64("a record count")?)),
            other => Err(Error::new(ErrorKind::Corrupt, format!("unknown record kind {other}"))),
        }
    }
}

impl<'a> Edit<'a> {
    fn decode(reader: &mut ByteReader<'a>, sequence: u64) -> Result<Edit<'a>> {
        reader.u8("a record")?;
        let table = text(reader, "a table name")?;
        let region = text(reader, "a region name")?;
        let write_time = reader.i64("a write time")?;
        let nonce_group = reader.u64("a nonce group")?;
        let nonce_count = reader.u16("a nonce count")?;
        let nonces = (0..nonce_count).map(|_| reader.u64("a nonce")).collect::<Result<Vec<u64>>>()?;
        let count = reader.count(24, "the cell count")?;
        let mut rest = reader.take(reader.remaining(), "cells")?;
        let mut cells = Vec::with_capacity(count);
        for _ in 0..count {
            let (mut cell, used) = cell_codec::read_cell(rest)?;
            cell.cell.sequence = sequence;
            cells.push(cell);
            rest = rest.get(used..).unwrap_or_default();
        }
        if !rest.is_empty() {
            return Err(Error::new(ErrorKind::Corrupt, "bytes follow the last cell of a record"));
        }
        Ok(Edit { table, region, sequence, write_time, nonce_group, nonces, cells })
    }
}

fn text<'a>(reader: &mut ByteReader<'a>, what: &str) -> Result<&'a str> {
    let n = reader.u16(what)? as usize;
    std::str::from_utf8(reader.take(n, what)?)
        .map_err(|_| Error::new(ErrorKind::Corrupt, format!("{what} is not UTF-8")))
}
