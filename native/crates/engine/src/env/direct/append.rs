//! Writing past the page cache.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::super::AppendFile;
use super::buffer::AlignedBuffer;
use super::{BLOCK, go_through_page_cache, is_misaligned};

/// Bytes handed to the medium at once, a multiple of the block.
const PIECE: usize = 1 << 20;

/// A file written past the page cache. Only its last, odd bytes go through it: with the first flush or sync it becomes an ordinary
/// file.
pub(in super::super) struct DirectAppend {
    file: File,
    buffer: AlignedBuffer,
    /// Bytes of the buffer that wait to be written.
    waiting: usize,
    direct: bool,
    written: u64,
}

impl DirectAppend {
    /// Creates a new file; `None` when the file system cannot bypass the page cache.
    pub(in super::super) fn create(path: &Path) -> io::Result<Option<DirectAppend>> {
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        match options.custom_flags(libc::O_DIRECT).open(path) {
            Ok(file) => {
                let buffer = AlignedBuffer::new(PIECE)?;
                Ok(Some(DirectAppend { file, buffer, waiting: 0, direct: true, written: 0 }))
            }
            Err(e) if is_misaligned(&e) => {
                // Linux may have made the file before it looked at the flag.
                match std::fs::remove_file(path) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
                    _ => Ok(None),
                }
            }
            Err(e) => Err(e),
        }
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut rest = self.buffer.bytes().get(..waiting).unwrap_or_default();
        while !rest.is_empty() {
            let aligned = self.written.is_multiple_of(BLOCK as u64) && rest.len().is_multiple_of(BLOCK);
            if self.direct && !aligned {
                go_through_page_cache(&self.file)?;
                self.direct = false;
            }
            match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.written += written as u64;
                    rest = rest.get(written..).unwrap_or_default();
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if self.direct && is_misaligned(&e) => {
                    go_through_page_cache(&self.file)?;
                    self.direct = false;
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl AppendFile for DirectAppend {
    fn append(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = self.buffer.bytes_mut().get_mut(self.waiting..).unwrap_or_default();
            let (taken, rest) = bytes.split_at(bytes.len().min(room.len()));
            room[..taken.len()].copy_from_slice(taken);
            self.waiting += taken.len();
            if self.waiting == PIECE {
                self.write_waiting()?;
            }
            bytes = rest;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_waiting()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync_data()
    }

    /// Whole pieces are on the medium already.
    fn start_write_back(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn position(&self) -> u64 {
        self.written + self.waiting as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths around blocks and pieces, synced in the middle or not: the file holds what was appended.
    #[test]
    fn whatever_is_appended_is_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let pattern: Vec<u8> = (0..3 * PIECE + 4097).map(|i| (i % 251) as u8).collect();
        for (case, len) in
            [0, 1, BLOCK, PIECE - 1, PIECE, PIECE + BLOCK, PIECE + 1, pattern.len()].into_iter().enumerate()
        {
            for step in [7777, PIECE, 3 * PIECE] {
                for sync_at in [None, Some(len / 2)] {
                    let path = dir.path().join(format!("{case}-{step}-{}", sync_at.is_some()));
                    let Some(mut file) = DirectAppend::create(&path).unwrap() else { return };
                    let mut synced = false;
                    for part in pattern[..len].chunks(step) {
                        file.append(part).unwrap();
                        if sync_at.is_some_and(|at| !synced && file.position() >= at as u64) {
                            file.sync().unwrap();
                            assert_eq!(std::fs::metadata(&path).unwrap().len(), file.position());
                            synced = true;
                        }
                    }
                    file.start_write_back().unwrap();
                    file.sync().unwrap();
                    assert_eq!(file.position(), len as u64);
                    assert!(
                        std::fs::read(&path).unwrap() == pattern[..len],
                        "{len} bytes in steps of {step}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_file_is_created_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let Some(_file) = DirectAppend::create(&path).unwrap() else { return };
        let again = DirectAppend::create(&path).err().unwrap();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }
}
