//! Counts what is written.

use std::io::{self, Write};

use grampus_base::{Error, ErrorKind, Result};

use crate::write::{Written, of_sink};

/// Hands bytes on, counts them and forms their checksum.
pub(super) struct Counted<W> {
    /// Until it is taken.
    sink: Option<W>,
    bytes: u64,
    crc32c: u32,
}

impl<W> Counted<W> {
    pub(super) fn new(sink: W) -> Counted<W> {
        Counted { sink: Some(sink), bytes: 0, crc32c: 0 }
    }

    /// The sink with what was counted, out of a writer that would give it back without the sink's last error.
    pub(super) fn take(&mut self) -> Counted<W> {
        Counted { sink: self.sink.take(), bytes: self.bytes, crc32c: self.crc32c }
    }

    fn sink(&mut self) -> io::Result<&mut W> {
        self.sink.as_mut().ok_or_else(|| io::Error::other("the file is complete"))
    }
}

impl<W: Write> Counted<W> {
    /// Completes the file that was written, which has `rows` rows.
    pub(super) fn complete(mut self, rows: u64) -> Result<(W, Written)> {
        self.flush().map_err(of_sink)?;
        let Some(sink) = self.sink else {
            return Err(Error::new(ErrorKind::Bug, "a file is completed twice"));
        };
        Ok((sink, Written { rows, bytes: self.bytes, crc32c: self.crc32c }))
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.sink()?.write(bytes)?;
        // A sink that says it took more than there was is not believed.
        let taken = taken.min(bytes.len());
        self.bytes += taken as u64;
        self.crc32c = crc32c::crc32c_append(self.crc32c, bytes.get(..taken).unwrap_or_default());
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink()?.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes three bytes at a time.
    struct Slow(Vec<u8>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(3);
            self.0.extend(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_sink_took_is_counted() {
        let mut counted = Counted::new(Slow(Vec::new()));
        counted.write_all(b"123456789").unwrap();
        let (sink, written) = counted.take().complete(0).unwrap();
        assert_eq!((&sink.0[..], written.bytes, written.crc32c), (&b"123456789"[..], 9, 0xE306_9283));
        assert!(counted.write(b"0").is_err(), "the sink is gone");
    }
}
