//! A file in memory, for tests and examples.

use std::io;

use grampus_base::RandomRead;

/// The file's bytes.
pub(crate) struct Memory(pub Vec<u8>);

impl RandomRead for Memory {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let from = offset as usize;
        let part = from.checked_add(buf.len()).and_then(|to| self.0.get(from..to));
        buf.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn name(&self) -> &str {
        "memory"
    }
}
