//! Little-endian fields of a request, each length checked before it is believed.

use grampus_base::{Error, ErrorKind, Result};

/// Reads fields one after another.
#[derive(Clone, Copy)]
pub struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

#[cold]
fn too_short(what: &str, at: usize) -> Error {
    Error::new(ErrorKind::BadRequest, format!("the request ends inside {what} at byte {at}"))
}

impl<'a> ByteReader<'a> {
    /// A reader from the start of a buffer.
    pub fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { bytes, at: 0 }
    }

    /// Bytes not yet read.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `n` bytes.
    #[inline]
    pub fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8]> {
        let end = self.at.checked_add(n).ok_or_else(|| too_short(what, self.at))?;
        let slice = self.bytes.get(self.at..end).ok_or_else(|| too_short(what, self.at))?;
        self.at = end;
        Ok(slice)
    }

    #[inline]
    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut field = [0; N];
        field.copy_from_slice(self.take(N, what)?);
        Ok(field)
    }

    /// One byte.
    #[inline]
    pub fn u8(&mut self, what: &str) -> Result<u8> {
        Ok(self.array::<1>(what)?[0])
    }

    /// A byte that is 0 or 1.
    #[inline]
    pub fn flag(&mut self, what: &str) -> Result<bool> {
        match self.u8(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Error::new(ErrorKind::BadRequest, format!("{what} is {other}, not 0 or 1"))),
        }
    }

    /// Two bytes.
    #[inline]
    pub fn u16(&mut self, what: &str) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    /// Four bytes.
    #[inline]
    pub fn u32(&mut self, what: &str) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Four bytes, signed.
    #[inline]
    pub fn i32(&mut self, what: &str) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    /// Eight bytes.
    #[inline]
    pub fn u64(&mut self, what: &str) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// Eight bytes, signed.
    pub fn i64(&mut self, what: &str) -> Result<i64> {
        Ok(i64::from_le_bytes(self.array(what)?))
    }

    /// `u32 length | bytes`.
    #[inline]
    pub fn bytes(&mut self, what: &str) -> Result<&'a [u8]> {
        let n = self.u32(what)? as usize;
        self.take(n, what)
    }

    /// A count of elements that take at least `min_bytes` each, so that it cannot ask for more memory than was sent.
    #[inline]
    pub fn count(&mut self, min_bytes: usize, what: &str) -> Result<usize> {
        let n = self.u32(what)? as usize;
        if n > self.remaining() / min_bytes.max(1) {
            return Err(Error::new(
                ErrorKind::BadRequest,
                format!("{what} says {n} elements in {} bytes", self.remaining()),
            ));
        }
        Ok(n)
    }

    /// Refuses bytes after the last field.
    pub fn finish(&self, what: &str) -> Result<()> {
        if self.remaining() == 0 {
            return Ok(());
        }
        Err(Error::new(ErrorKind::BadRequest, format!("{} bytes follow {what}", self.remaining())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_beyond_the_buffer_is_refused() {
        let mut reader = ByteReader::new(&[5, 0, 0, 0, 1, 2]);
        let error = reader.bytes("row").unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest);
        assert!(error.message.contains("row"), "{}", error.message);
    }

    #[test]
    fn a_count_cannot_exceed_what_was_sent() {
        assert!(ByteReader::new(&[255, 255, 255, 255, 0]).count(8, "ops").is_err());
    }
}
