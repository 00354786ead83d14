//! Reading a file once, past the page cache.
//!
//! A compaction walks several columns of a row group at once, each front to back: each is a stream with a window of its own, read in
//! pieces that grow as the walk goes on, as the kernel's read-ahead does for one stream.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use grampus_base::RandomRead;
use parking_lot::Mutex;

use super::super::raw_file::RawFile;
use super::buffer::AlignedBuffer;
use super::{BLOCK, is_misaligned};

/// Windows of one file. More columns than that are read page by page.
const STREAMS_MAX: usize = 16;
/// A window that follows on one grows up to this.
const WINDOW_MAX: usize = 256 * 1024;
const GROWTH: usize = 4;

/// A file that is read once. Its windows take up to 4 MiB of memory.
pub(in super::super) struct PassRead {
    file: File,
    len: u64,
    name: String,
    /// The one used last is the last.
    streams: Mutex<Vec<Window>>,
}

/// Bytes of the file from `start`, a multiple of the block.
struct Window {
    start: u64,
    len: usize,
    buffer: AlignedBuffer,
}

impl Window {
    fn end(&self) -> u64 {
        self.start + self.len as u64
    }

    /// What it holds from an offset on.
    fn from(&self, offset: u64) -> &[u8] {
        let skip = offset.checked_sub(self.start).and_then(|skip| usize::try_from(skip).ok());
        skip.and_then(|skip| self.buffer.bytes().get(..self.len)?.get(skip..)).unwrap_or_default()
    }
}

impl PassRead {
    /// Opens an open file once more, wherever it was moved to; `None` when that or bypassing the page cache is impossible.
    pub(in super::super) fn reopen(file: &File, len: u64, name: &str) -> Option<PassRead> {
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let file = OpenOptions::new().read(true).custom_flags(libc::O_DIRECT).open(path).ok()?;
        Some(PassRead { file, len, name: name.to_string(), streams: Mutex::default() })
    }

    /// The window with the byte at `offset`, of which `wanted` bytes are asked for; it becomes the last.
    fn window_at<'a>(
        &self,
        streams: &'a mut Vec<Window>,
        offset: u64,
        wanted: usize,
    ) -> io::Result<&'a Window> {
        let holds = |w: &Window| !w.from(offset).is_empty();
        let window = match streams.iter().position(holds) {
            Some(at) => streams.remove(at),
            None => self.read_window(streams, offset, wanted)?,
        };
        streams.push(window);
        streams.last().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Reads on where another window ends, more than that one held; a new stream begins with no more than it wants.
    fn read_window(&self, streams: &mut Vec<Window>, offset: u64, wanted: usize) -> io::Result<Window> {
        let start = offset - offset % BLOCK as u64;
        let (used, grown) = match streams.iter().position(|w| w.end() == offset) {
            Some(before) => {
                let before = streams.remove(before);
                let grown = (before.len * GROWTH).min(WINDOW_MAX);
                (Some(before.buffer), grown)
            }
            None if streams.len() == STREAMS_MAX => (Some(streams.remove(0).buffer), 0),
            None => (None, 0),
        };
        let before = usize::try_from(offset - start).map_err(io::Error::other)?;
        let needed = wanted.saturating_add(before).max(grown);
        // Memory that was used before is cheaper than fresh memory.
        let mut buffer = match used.filter(|b| (needed..=needed.max(WINDOW_MAX)).contains(&b.bytes().len())) {
            Some(buffer) => buffer,
            None => AlignedBuffer::new(needed)?,
        };
        let len = self.fill(&mut buffer.bytes_mut()[..needed.next_multiple_of(BLOCK)], start)?;
        if start + len as u64 <= offset {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Window { start, len, buffer })
    }

    /// Reads whole blocks until the buffer is full or the file ends.
    fn fill(&self, buffer: &mut [u8], start: u64) -> io::Result<usize> {
        let (mut done, mut direct) = (0, true);
        while done < buffer.len() {
            match self.file.read_at(&mut buffer[done..], start + done as u64) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if direct && is_misaligned(&e) => {
                    self.file.go_through_page_cache()?;
                    direct = false;
                }
                Err(e) => return Err(e),
            }
            if start + done as u64 >= self.len {
                break;
            }
        }
        Ok(done)
    }
}

impl RandomRead for PassRead {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, mut buf: &mut [u8], mut offset: u64) -> io::Result<()> {
        let mut streams = self.streams.lock();
        while !buf.is_empty() {
            let window = self.window_at(&mut streams, offset, buf.len())?;
            let held = window.from(offset);
            let len = held.len().min(buf.len());
            let (head, rest) = buf.split_at_mut(len);
            head.copy_from_slice(&held[..len]);
            offset += len as u64;
            buf = rest;
        }
        Ok(())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::says_why_not;
    use super::*;

    fn pattern(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i / 3 % 251) as u8).collect()
    }

    fn pass_over(bytes: &[u8]) -> Option<PassRead> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let open = File::open(file.path()).unwrap();
        // The path is gone before it is opened once more.
        drop(file);
        PassRead::reopen(&open, bytes.len() as u64, "file")
    }

    /// More streams than there are windows, pages of odd lengths: each read gets the file's bytes.
    #[test]
    fn streams_side_by_side_read_the_files_bytes() {
        let bytes = pattern(3 << 20);
        let Some(pass) = pass_over(&bytes) else { return says_why_not(&std::env::temp_dir()) };
        for streams in [1, 2, STREAMS_MAX, STREAMS_MAX + 3] {
            let share = bytes.len() / streams;
            for page in [1000, 4096, 70_001] {
                let mut at = 0;
                while at < share {
                    let len = page.min(share - at);
                    for stream in 0..streams {
                        let offset = stream * share + at;
                        let mut read = vec![0; len];
                        pass.read_exact_at(&mut read, offset as u64).unwrap();
                        assert!(read == bytes[offset..offset + len], "{len} bytes at {offset}");
                    }
                    at += len;
                }
            }
        }
        assert!(pass.streams.lock().len() <= STREAMS_MAX);
    }

    #[test]
    fn windows_grow_along_a_stream_and_only_there() {
        let bytes = pattern(2 << 20);
        let Some(pass) = pass_over(&bytes) else { return says_why_not(&std::env::temp_dir()) };
        let mut page = vec![0; 10_000];
        pass.read_exact_at(&mut page, 1_000_000).unwrap();
        assert_eq!(pass.streams.lock()[0].len, 12_288);
        for n in 0..60 {
            pass.read_exact_at(&mut page, n * 10_000).unwrap();
        }
        let lens: Vec<usize> = pass.streams.lock().iter().map(|w| w.len).collect();
        assert_eq!(lens, [12_288, WINDOW_MAX]);
    }

    #[test]
    fn the_end_of_the_file_is_an_error_only_behind_it() {
        let bytes = pattern(10_001);
        let Some(pass) = pass_over(&bytes) else { return says_why_not(&std::env::temp_dir()) };
        let mut tail = [0; 101];
        pass.read_exact_at(&mut tail, 9900).unwrap();
        assert_eq!(tail, bytes[9900..]);
        assert_eq!(pass.read_exact_at(&mut tail, 9901).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(pass.read_exact_at(&mut tail, 1 << 40).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
