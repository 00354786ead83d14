//! HFile's fixed trailer, version 3.3: magic, delimited protobuf, zeros up to 4092 bytes, version.

use grampus_cells::RowOrder;

use super::protobuf::{self, Field};
use crate::bytes::{FieldReader, put_blob};
use crate::error::{Decoded, Error, Malformed, Result};

/// Size of a version 3 trailer.
pub(super) const TRAILER_BYTES: usize = 4096;

const MAGIC: &[u8] = b"TRABLK\"$";
const VERSION: u32 = 3 | 3 << 24;
/// `Compression.Algorithm.NONE.ordinal()`: the tail itself is not compressed.
const CODEC_NONE: u64 = 2;
const COMPARATOR_BYTES: &[u8] = b"org.apache.hadoop.hbase.KeyValue$KVComparator";
const COMPARATOR_META: &[u8] = b"org.apache.hadoop.hbase.KeyValue$MetaComparator";

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

    /// Reads the fields that finding the file info takes.
    pub(super) fn read(bytes: &[u8]) -> Decoded<Trailer> {
        let version_at = bytes.len().saturating_sub(4);
        let mut reader = FieldReader::new(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(Malformed::new(0, "the file does not end in an HFile trailer"));
        }
        let major = bytes.get(version_at + 1..).unwrap_or_default();
        if major != [0, 0, 3] {
            return Err(Malformed::new(version_at, "the HFile version is not 3"));
        }
        let mut message = FieldReader::new(reader.blob()?);
        let mut trailer = Trailer::default();
        while let Some(field) = protobuf::next(&mut message)? {
            match field {
                Field::Varint(1, value) => trailer.file_info = value,
                Field::Varint(2, value) => trailer.load_on_open = value,
                Field::Varint(7, value) => trailer.entry_count = value,
                _ => {}
            }
        }
        Ok(trailer)
    }
}
