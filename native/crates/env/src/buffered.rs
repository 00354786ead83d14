//! Writing through the page cache.

use std::fs::File;
use std::io;

use super::AppendFile;
use super::raw_file::RawFile;

/// The most bytes of appends that are collected.
pub(super) const BUFFER_BYTES: usize = 256 * 1024;

/// Collects small appends; large ones go straight to the file.
pub(super) struct BufferedAppend<F = File> {
    file: F,
    buffer: Vec<u8>,
    written: u64,
    write_back_from: u64,
}

impl<F: RawFile> BufferedAppend<F> {
    /// Appends to a new file.
    pub(super) fn new(file: F) -> BufferedAppend<F> {
        BufferedAppend { file, buffer: Vec::new(), written: 0, write_back_from: 0 }
    }
}

impl<F: RawFile> AppendFile for BufferedAppend<F> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.flush()?;
        }
        if bytes.len() >= BUFFER_BYTES {
            self.file.write_all(bytes)?;
            self.written += bytes.len() as u64;
        } else {
            self.buffer.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// What a failure leaves is not kept: some of it may be in the file, and must not come there twice.
    fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.buffer);
        self.written += if written.is_ok() { self.buffer.len() as u64 } else { 0 };
        self.buffer.clear();
        written
    }

    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync_data()
    }

    fn start_write_back(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.start_write_back(self.write_back_from, self.written - self.write_back_from);
        self.write_back_from = self.written;
        Ok(())
    }

    fn position(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.file.close()
    }
}

#[cfg(test)]
mod tests {
    use super::super::planned_file::{Plan, PlannedFile};
    use super::*;

    #[test]
    fn short_and_interrupted_writes_are_gone_on_with() {
        let raw = PlannedFile::new(Plan { longest_write: Some(7), interruptions: 3, ..Plan::default() });
        let mut file = BufferedAppend::new(raw.clone());
        let bytes: Vec<u8> = (0..BUFFER_BYTES + 100).map(|i| (i % 251) as u8).collect();
        file.append(&bytes[..50]).unwrap();
        file.append(&bytes[50..]).unwrap();
        file.sync().unwrap();
        assert!(raw.written_and_synced() == (bytes.clone(), bytes.len()));
        assert_eq!(file.position(), bytes.len() as u64);
    }

    /// When there is room again, what was cut must not come twice: behind a torn record the log's reader takes nothing.
    #[test]
    fn what_a_full_disk_cut_is_not_written_again() {
        let raw = PlannedFile::new(Plan { room: Some(5), ..Plan::default() });
        let mut file = BufferedAppend::new(raw.clone());
        file.append(b"12").unwrap();
        file.flush().unwrap();
        file.append(b"3456").unwrap();
        assert_eq!(file.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        raw.0.lock().room = None;
        file.sync().unwrap();
        assert_eq!(raw.0.lock().bytes, b"12345");
    }
}
