//! HFile's fixed trailer, version 3.3: magic, delimited protobuf, zeros up to 4092 bytes, version.

use grampus_cells::RowOrder;

use super::protobuf::{self, Field};
use crate::bytes::{FieldReader, put_blob};
use crate::error::{Decoded, Error, Malformed, Result};

/// Size of a version 3 trailer.
pub(super) const TRAILER_BYTES: usize = 4096;
/// Size of a version 2 trailer.
const TRAILER_2_BYTES: usize = 212;

const MAGIC: &[u8] = b"TRABLK\"$";
const VERSION: u32 = 3 | 3 << 24;
/// `Compression.Algorithm.NONE.ordinal()`: the tail itself is not compressed.
const CODEC_NONE: u64 = 2;
/// Field of the key with which HBase has encrypted a file.
const ENCRYPTION_KEY: u64 = 13;
const COMPARATOR_BYTES: &[u8] = b"org.apache.hadoop.hbase.KeyValue$KVComparator";
const COMPARATOR_META: &[u8] = b"org.apache.hadoop.hbase.KeyValue$MetaComparator";

/// What a file ends in.
#[derive(Debug)]
pub(super) enum Found {
    /// A trailer of version 3, before which the file info lies open.
    Open(Trailer),
    /// The trailer of an HFile of HBase's whose file info is of another version, compressed or encrypted.
    Closed,
}

/// The trailer's fields; offsets are absolute.
#[derive(Debug, Default)]
pub(super) struct Trailer {
    pub(super) file_info: u64,
    pub(super) load_on_open: u64,
    pub(super) uncompressed_index_size: u64,
    pub(super) total_uncompressed_bytes: u64,
    pub(super) data_index_count: u64,
    pub(super) entry_count: u64,
    pub(super) first_data_block: u64,
    pub(super) last_data_block: u64,
    pub(super) row_order: Option<RowOrder>,
}

impl Trailer {
    pub(super) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        out.extend_from_slice(MAGIC);
        put_blob(out, &self.message());
        let end = start + TRAILER_BYTES - 4;
        if out.len() > end {
            return Err(Error::Misuse("the HFile trailer is larger than its fixed size".to_string()));
        }
        out.resize(end, 0);
        out.extend_from_slice(&VERSION.to_be_bytes());
        Ok(())
    }

    fn message(&self) -> Vec<u8> {
        let unset = self.data_index_count == 0;
        let block = |offset: u64| if unset { u64::MAX } else { offset }; // -1 where there is no data block
        let mut message = Vec::new();
        protobuf::put_uint(&mut message, 1, self.file_info);
        protobuf::put_uint(&mut message, 2, self.load_on_open);
        protobuf::put_uint(&mut message, 3, self.uncompressed_index_size);
        protobuf::put_uint(&mut message, 4, self.total_uncompressed_bytes);
        protobuf::put_uint(&mut message, 5, self.data_index_count);
        protobuf::put_uint(&mut message, 6, 0);
        protobuf::put_uint(&mut message, 7, self.entry_count);
        protobuf::put_uint(&mut message, 8, 1);
        protobuf::put_uint(&mut message, 9, block(self.first_data_block));
        protobuf::put_uint(&mut message, 10, block(self.last_data_block));
        let comparator = match self.row_order {
            Some(RowOrder::Meta) => COMPARATOR_META,
            Some(RowOrder::Bytes) | None => COMPARATOR_BYTES,
        };
        protobuf::put_bytes(&mut message, 11, comparator);
        protobuf::put_uint(&mut message, 12, CODEC_NONE);
        message
    }

    /// Reads the fields that finding the file info takes from the last [`TRAILER_BYTES`] of a file, or from all that it has.
    pub(super) fn find(end: &[u8]) -> Decoded<Found> {
        let version_at = end.len().saturating_sub(4);
        let version = end.get(version_at..).and_then(|bytes| bytes.first_chunk::<4>()).copied();
        let major = version.map_or(0, u32::from_be_bytes) & 0xFF_FFFF;
        let at_2 = end.len().checked_sub(TRAILER_2_BYTES).and_then(|at| end.get(at..));
        if major == 2 && at_2.is_some_and(|trailer| trailer.starts_with(MAGIC)) {
            return Ok(Found::Closed);
        }
        if end.len() < TRAILER_BYTES {
            return Err(Malformed::new(0, "the file is shorter than an HFile trailer"));
        }
        let mut reader = FieldReader::new(end);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(Malformed::new(0, "the file does not end in an HFile trailer"));
        }
        if major != 3 {
            return Ok(Found::Closed);
        }
        Trailer::read(reader.blob()?)
    }

    fn read(message: &[u8]) -> Decoded<Found> {
        let mut message = FieldReader::new(message);
        let (mut trailer, mut is_open) = (Trailer::default(), true);
        while let Some(field) = protobuf::next(&mut message)? {
            match field {
                Field::Varint(1, value) => trailer.file_info = value,
                Field::Varint(2, value) => trailer.load_on_open = value,
                Field::Varint(7, value) => trailer.entry_count = value,
                Field::Varint(12, codec) => is_open &= codec == CODEC_NONE,
                Field::Bytes(ENCRYPTION_KEY, _) => is_open = false,
                _ => {}
            }
        }
        Ok(if is_open { Found::Open(trailer) } else { Found::Closed })
    }
}
