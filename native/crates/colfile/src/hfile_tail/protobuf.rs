//! The little protobuf that HFile's trailer and file info need.

use grampus_base::narrow;

use crate::bytes::{FieldReader, put_blob, put_varint};
use crate::error::Decoded;

const WIRE_VARINT: u64 = 0;
const WIRE_FIXED64: u64 = 1;
const WIRE_BYTES: u64 = 2;
const WIRE_FIXED32: u64 = 5;

/// One field of a message.
pub(super) enum Field<'a> {
    Varint(u64, u64),
    Bytes(u64, &'a [u8]),
}

pub(super) fn put_uint(out: &mut Vec<u8>, field: u64, value: u64) {
    put_varint(out, field << 3 | WIRE_VARINT);
    put_varint(out, value);
}

pub(super) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_varint(out, field << 3 | WIRE_BYTES);
    put_blob(out, bytes);
}

/// The next field; fixed-width ones, which these messages do not have, are passed over.
pub(super) fn next<'a>(reader: &mut FieldReader<'a>) -> Decoded<Option<Field<'a>>> {
    while reader.remaining() > 0 {
        let key = reader.varint()?;
        match key & 7 {
            WIRE_VARINT => return Ok(Some(Field::Varint(key >> 3, reader.varint()?))),
            WIRE_BYTES => return Ok(Some(Field::Bytes(key >> 3, reader.blob()?))),
            WIRE_FIXED64 => reader.take(8)?,
            WIRE_FIXED32 => reader.take(4)?,
            _ => return reader.malformed("unknown protobuf wire type"),
        };
    }
    Ok(None)
}

/// Hadoop's `WritableUtils.writeVLong` for values that are not negative.
pub(super) fn put_hadoop_vint(out: &mut Vec<u8>, value: u64) {
    if value <= 127 {
        return out.push(narrow::low_u8(value));
    }
    let bytes = 8 - value.leading_zeros() as usize / 8;
    out.push((-112i8).cast_unsigned() - narrow::to_u8(bytes)); // -113 to -120
    out.extend_from_slice(value.to_be_bytes().get(8 - bytes..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hadoop_vints_are_as_writable_utils_writes_them() {
        let vint = |value| {
            let mut out = Vec::new();
            put_hadoop_vint(&mut out, value);
            out
        };
        assert_eq!(vint(127), [127]);
        assert_eq!(vint(128), [0x8F, 128]);
        assert_eq!(vint(32767), [0x8E, 0x7F, 0xFF]);
    }
}
