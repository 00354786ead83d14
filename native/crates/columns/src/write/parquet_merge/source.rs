//! The bytes of a file that is merged.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use grampus_base::RandomRead;
use parking_lot::Mutex;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Bytes of one read of pages. Column chunks lie one behind the other, so that a read has the beginning of the next ones.
const WINDOW_BYTES: usize = 1 << 20;

/// A file, as the library reads it.
pub(super) struct Source {
    file: Arc<dyn RandomRead>,
    window: Arc<Mutex<Window>>,
}

/// A reader of pages.
pub(super) struct Pages {
    file: Arc<dyn RandomRead>,
    window: Arc<Mutex<Window>>,
    at: u64,
}

/// The part of the file that was read last.
#[derive(Default)]
struct Window {
    start: u64,
    bytes: Vec<u8>,
    /// Why a read has failed: the library does not tell it from an error of the sink.
    failed: Option<io::Error>,
}

impl Source {
    pub(super) fn new(file: Arc<dyn RandomRead>) -> Source {
        Source { file, window: Arc::default() }
    }

    pub(super) fn name(&self) -> &str {
        self.file.name()
    }

    /// Why a read has failed, once.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.window.lock().failed.take()
    }

    fn read(&self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        // A damaged footer may ask for more than there is.
        if start.checked_add(length as u64).is_none_or(|end| end > self.file.len()) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        bytes.resize(length, 0);
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes)
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for Source {
    type T = Pages;

    fn get_read(&self, start: u64) -> Result<Pages> {
        Ok(Pages { file: Arc::clone(&self.file), window: Arc::clone(&self.window), at: start })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.read(start, length).map(Bytes::from).map_err(|error| {
            let message = error.to_string();
            // An end before its time is damage, and no failure of the file system.
            if error.kind() != io::ErrorKind::UnexpectedEof {
                self.window.lock().failed = Some(error);
            }
            ParquetError::EOF(message)
        })
    }
}

impl Read for Pages {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut window = self.window.lock();
        if window.from(self.at).is_empty() {
            window.load(&*self.file, self.at)?;
        }
        let there = window.from(self.at);
        let taken = there.len().min(into.len());
        if let (Some(into), Some(there)) = (into.get_mut(..taken), there.get(..taken)) {
            into.copy_from_slice(there);
        }
        self.at += taken as u64;
        Ok(taken)
    }
}

impl Window {
    /// The bytes from a position on; none if they are not here.
    fn from(&self, at: u64) -> &[u8] {
        let skipped = at.checked_sub(self.start).and_then(|skipped| usize::try_from(skipped).ok());
        skipped.and_then(|skipped| self.bytes.get(skipped..)).unwrap_or_default()
    }

    /// Reads from a position on; at the end of the file there is nothing.
    fn load(&mut self, file: &dyn RandomRead, at: u64) -> io::Result<()> {
        let rest = file.len().saturating_sub(at);
        let length = usize::try_from(rest).unwrap_or(WINDOW_BYTES).min(WINDOW_BYTES);
        self.start = at;
        self.bytes.resize(length, 0);
        if length == 0 {
            return Ok(());
        }
        file.read_exact_at(&mut self.bytes, at).map_err(|error| {
            self.bytes.clear();
            let message = error.to_string();
            self.failed = Some(error);
            io::Error::other(message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that tell where they stand.
    struct Numbers(u64);

    impl RandomRead for Numbers {
        fn len(&self) -> u64 {
            self.0
        }

        fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
            assert!(offset + buf.len() as u64 <= self.0, "past the end");
            buf.iter_mut().zip(offset..).for_each(|(byte, at)| *byte = (at % 251) as u8);
            Ok(())
        }

        fn name(&self) -> &str {
            "numbers"
        }
    }

    #[test]
    fn readers_have_the_bytes_of_their_places() {
        let length = 2 * WINDOW_BYTES as u64 + 17;
        let source = Source::new(Arc::new(Numbers(length)));
        for (start, wanted) in
            [(5, 100), (0, WINDOW_BYTES + 9), (length - 3, 3), (7, 2), (length - 3, 9), (length, 1)]
        {
            let mut bytes = Vec::new();
            source.get_read(start).unwrap().take(wanted as u64).read_to_end(&mut bytes).unwrap();
            let there = wanted.min((length - start) as usize);
            let expected: Vec<u8> = (start..).take(there).map(|at| (at % 251) as u8).collect();
            assert!(bytes == expected, "{start} {wanted}");
        }
        assert_eq!(source.get_bytes(3, 4).unwrap(), [3, 4, 5, 6].as_slice());
    }

    #[test]
    fn more_than_there_is_cannot_be_read() {
        let source = Source::new(Arc::new(Numbers(100)));
        assert!(source.get_bytes(90, 11).is_err());
        assert!(source.get_bytes(u64::MAX, 1).is_err());
        assert!(source.take_failure().is_none());
    }
}
