//! A sink on a full disk.

use std::io::{self, Write};

/// Takes some bytes and then no more.
pub(crate) struct Full(pub(crate) usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no room"));
        }
        let taken = self.0.min(bytes.len());
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
