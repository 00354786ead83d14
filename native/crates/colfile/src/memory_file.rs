//! A file in memory, for tests and fuzz targets.

use grampus_base::RandomRead;

/// A file in memory.
pub(crate) struct MemoryFile(pub(crate) Vec<u8>);

impl RandomRead for MemoryFile {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> std::io::Result<()> {
        let from = usize::try_from(offset).map_err(std::io::Error::other)?;
        let part = from.checked_add(buf.len()).and_then(|to| self.0.get(from..to));
        buf.copy_from_slice(part.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn name(&self) -> &str {
        "input"
    }
}
