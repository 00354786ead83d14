//! Writing past the page cache.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::super::AppendFile;
use super::super::raw_file::RawFile;
use super::buffer::AlignedBuffer;
use super::{BLOCK, is_misaligned};

/// Bytes handed to the medium at once, a multiple of the block.
const PIECE: usize = 1 << 20;

/// A file written past the page cache. Only its last, odd bytes go through it: with the first flush or sync it becomes an ordinary
/// file.
pub(in super::super) struct DirectAppend<F = File> {
    file: F,
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
            Ok(file) => DirectAppend::new(file).map(Some),
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
}

impl<F: RawFile> DirectAppend<F> {
    /// Appends to a new file that bypasses the page cache.
    fn new(file: F) -> io::Result<DirectAppend<F>> {
        let buffer = AlignedBuffer::new(PIECE)?;
        Ok(DirectAppend { file, buffer, waiting: 0, direct: true, written: 0 })
    }

    /// What a failure leaves is not kept: some of it may be in the file.
    fn write_waiting(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut rest = self.buffer.bytes().get(..waiting).unwrap_or_default();
        while !rest.is_empty() {
            let aligned = self.written.is_multiple_of(BLOCK as u64) && rest.len().is_multiple_of(BLOCK);
            if self.direct && !aligned {
                self.file.go_through_page_cache()?;
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
                    self.file.go_through_page_cache()?;
                    self.direct = false;
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl<F: RawFile> AppendFile for DirectAppend<F> {
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

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.file.close()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::planned_file::{Plan, PlannedFile};
    use super::super::tests::says_why_not;
    use super::*;

    fn pattern(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i % 251) as u8).collect()
    }

    /// Lengths around blocks and pieces, synced in the middle or not: the file holds what was appended.
    #[test]
    fn whatever_is_appended_is_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let pattern = pattern(3 * PIECE + 4097);
        for (case, len) in
            [0, 1, BLOCK, PIECE - 1, PIECE, PIECE + BLOCK, PIECE + 1, pattern.len()].into_iter().enumerate()
        {
            for step in [7777, PIECE, 3 * PIECE] {
                for sync_at in [None, Some(len / 2)] {
                    let path = dir.path().join(format!("{case}-{step}-{}", sync_at.is_some()));
                    let Some(mut file) = DirectAppend::create(&path).unwrap() else {
                        return says_why_not(&path);
                    };
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
        let Some(_file) = DirectAppend::create(&path).unwrap() else { return says_why_not(&path) };
        let again = DirectAppend::create(&path).err().unwrap();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    /// Writes cut at a block, within one, and interrupted: nothing is missing and nothing comes twice.
    #[test]
    fn short_and_interrupted_writes_are_gone_on_with() {
        let bytes = pattern(2 * PIECE + 100);
        for longest_write in [BLOCK, 3 * BLOCK, 10_000, PIECE - 1] {
            let plan = Plan {
                longest_write: Some(longest_write),
                interruptions: 2,
                block: Some(BLOCK),
                ..Plan::default()
            };
            let raw = PlannedFile::new(plan);
            let mut file = DirectAppend::new(raw.clone()).unwrap();
            bytes.chunks(70_000).for_each(|chunk| file.append(chunk).unwrap());
            file.sync().unwrap();
            let plan = raw.0.lock();
            assert!(plan.bytes == bytes, "writes of at most {longest_write} bytes");
            assert_eq!((plan.synced, file.position()), (bytes.len(), bytes.len() as u64));
        }
    }

    #[test]
    fn a_medium_with_larger_blocks_is_written_through_the_page_cache() {
        let bytes = pattern(2 * PIECE);
        let raw = PlannedFile::new(Plan { block: Some(PIECE * 4), ..Plan::default() });
        let mut file = DirectAppend::new(raw.clone()).unwrap();
        file.append(&bytes).unwrap();
        file.sync().unwrap();
        let plan = raw.0.lock();
        assert!(plan.bytes == bytes && plan.block.is_none());
    }

    /// The disk is full within a block, at the end of one, and within the odd rest, which goes through the page cache.
    #[test]
    fn a_full_disk_is_an_error_of_an_append_or_a_sync_and_nothing_is_written_twice() {
        let bytes = pattern(2 * PIECE + 100);
        for room in [0, 10 * BLOCK, PIECE, PIECE + 1000, 2 * PIECE + 50] {
            let raw = PlannedFile::new(Plan { room: Some(room), block: Some(BLOCK), ..Plan::default() });
            let mut file = DirectAppend::new(raw.clone()).unwrap();
            let failure = file.append(&bytes).and_then(|()| file.sync()).unwrap_err();
            assert_eq!(failure.kind(), io::ErrorKind::StorageFull, "room for {room}");
            raw.0.lock().room = None;
            file.flush().unwrap();
            assert!(raw.0.lock().bytes == bytes[..room], "room for {room}");
        }
    }

    #[test]
    fn a_failing_sync_is_reported() {
        let raw = PlannedFile::new(Plan { failing_syncs: 1, ..Plan::default() });
        let mut file = DirectAppend::new(raw).unwrap();
        file.append(b"lost").unwrap();
        assert_eq!(file.sync().unwrap_err().raw_os_error(), Some(libc::EIO));
    }
}
