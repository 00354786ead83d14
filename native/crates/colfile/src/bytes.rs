//! Bounds-checked reading and plain writing of little-endian fields.

use grampus_base::narrow;

use crate::error::{Decoded, Malformed};

/// Reads fields one after the other; running past the end is an error, never a panic.
#[derive(Clone, Copy)]
pub(crate) struct FieldReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> FieldReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> FieldReader<'a> {
        FieldReader { bytes, at: 0 }
    }

    /// Position of the next field.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn malformed<T>(&self, what: &'static str) -> Decoded<T> {
        Err(Malformed::new(self.at, what))
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Decoded<&'a [u8]> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.bytes.len());
        let Some(part) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            return self.malformed("a field runs past the end");
        };
        self.at += len;
        Ok(part)
    }

    /// Skips a field and returns where it starts.
    pub(crate) fn skip(&mut self, len: usize) -> Decoded<usize> {
        let start = self.at;
        self.take(len)?;
        Ok(start)
    }

    fn array<const N: usize>(&mut self) -> Decoded<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    pub(crate) fn u8(&mut self) -> Decoded<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u16(&mut self) -> Decoded<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Decoded<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Decoded<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn i64(&mut self) -> Decoded<i64> {
        Ok(i64::from_le_bytes(self.array()?))
    }

    /// LEB128, at most ten bytes.
    #[inline]
    pub(crate) fn varint(&mut self) -> Decoded<u64> {
        match self.bytes.get(self.at) {
            Some(byte) if *byte < 0x80 => {
                self.at += 1;
                Ok(u64::from(*byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Decoded<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        self.malformed("a variable-length integer is too long")
    }

    pub(crate) fn varint_u32(&mut self) -> Decoded<u32> {
        let at = self.at;
        u32::try_from(self.varint()?).map_err(|_| Malformed::new(at, "a 32-bit field is too large"))
    }

    /// A count of things of at least `bytes_each` bytes, so that no count can ask for more memory than the input justifies.
    #[inline]
    pub(crate) fn count(&mut self, bytes_each: usize) -> Decoded<usize> {
        let at = self.at;
        let count = self.varint()?;
        match usize::try_from(count) {
            Ok(n) if n.checked_mul(bytes_each).is_some_and(|total| total <= self.remaining()) => Ok(n),
            _ => Err(Malformed::new(at, "a count exceeds the bytes that follow")),
        }
    }

    /// Bytes behind their variable-length length.
    #[inline]
    pub(crate) fn blob(&mut self) -> Decoded<&'a [u8]> {
        let len = self.count(1)?;
        self.take(len)
    }

    pub(crate) fn expect_end(&self) -> Decoded<()> {
        if self.remaining() == 0 { Ok(()) } else { self.malformed("bytes follow the last field") }
    }
}

/// Appends a LEB128 integer.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    out.push(narrow::low_u8(value));
}

/// Appends bytes behind their length.
pub(crate) fn put_blob(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_round_trip_and_refuse_overlong_input() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!(FieldReader::new(&out).varint(), Ok(value));
        }
        assert!(FieldReader::new(&[0xFF; 11]).varint().is_err());
        assert!(FieldReader::new(&[0x80]).varint().is_err());
    }

    #[test]
    fn a_count_is_bounded_by_what_follows() {
        assert!(FieldReader::new(&[3, 0, 0]).count(1).is_err());
        assert_eq!(FieldReader::new(&[2, 0, 0]).count(1), Ok(2));
    }
}
