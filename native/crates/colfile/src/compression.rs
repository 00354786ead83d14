//! Compression of page bodies: HBase's COMPRESSION names, one raw block per page.

use std::io::{Read, Write};

/// A family's COMPRESSION. The codes are part of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Compression {
    /// Stored as encoded.
    #[default]
    None = 0,
    /// Snappy, raw block.
    Snappy = 1,
    /// LZ4, raw block.
    Lz4 = 2,
    /// Zstandard frame, level 3.
    Zstd = 3,
    /// Gzip member.
    Gz = 4,
}

impl Compression {
    /// All of them, for tests.
    pub const ALL: [Compression; 5] =
        [Compression::None, Compression::Snappy, Compression::Lz4, Compression::Zstd, Compression::Gz];

    /// The compression of a format code.
    pub fn from_code(code: u8) -> Option<Compression> {
        Compression::ALL.into_iter().find(|c| *c as u8 == code)
    }

    /// Compresses a page body; `None` when that would not make it smaller.
    pub(crate) fn compress(self, raw: &[u8]) -> std::io::Result<Option<Vec<u8>>> {
        let packed = match self {
            Compression::None => return Ok(None),
            Compression::Snappy => {
                snap::raw::Encoder::new().compress_vec(raw).map_err(std::io::Error::other)?
            }
            Compression::Lz4 => lz4_flex::block::compress(raw),
            Compression::Zstd => zstd::bulk::compress(raw, 3)?,
            Compression::Gz => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(raw)?;
                encoder.finish()?
            }
        };
        Ok((packed.len() < raw.len()).then_some(packed))
    }

    /// Bytes that are left of a body; those of the body itself where compressing does not make it smaller.
    pub(crate) fn compressed_len(self, raw: &[u8]) -> usize {
        match self.compress(raw) {
            Ok(Some(packed)) => packed.len(),
            Ok(None) | Err(_) => raw.len(),
        }
    }

    /// The most bytes that a compressed byte can stand for. A length beyond that is a lie, which no memory is asked for.
    fn expansion_max(self) -> usize {
        match self {
            Compression::None => 1,
            Compression::Snappy => 22,      // a copy of 64 bytes takes 3
            Compression::Lz4 => 255,        // a byte of a match's length
            Compression::Zstd => 32 * 1024, // a block of 128 KiB takes 4
            Compression::Gz => 1032,        // a match of 258 bytes takes 2 bits
        }
    }

    /// Restores a body of exactly `raw_len` bytes; `None` when the input is not that.
    pub(crate) fn decompress(self, packed: &[u8], raw_len: usize) -> Option<Vec<u8>> {
        if raw_len > packed.len().saturating_mul(self.expansion_max()) {
            return None;
        }
        // The length is believed only as far as memory for it can be had.
        let mut raw = Vec::new();
        raw.try_reserve_exact(raw_len).ok()?;
        match self {
            Compression::None => raw.extend_from_slice(packed),
            Compression::Snappy => {
                if snap::raw::decompress_len(packed).ok()? != raw_len {
                    return None;
                }
                raw.resize(raw_len, 0);
                snap::raw::Decoder::new().decompress(packed, &mut raw).ok()?;
            }
            Compression::Lz4 => {
                raw.resize(raw_len, 0);
                let written = lz4_flex::block::decompress_into(packed, &mut raw).ok()?;
                raw.truncate(written);
            }
            Compression::Zstd => {
                raw.resize(raw_len, 0);
                let written = zstd::bulk::decompress_to_buffer(packed, &mut raw).ok()?;
                raw.truncate(written);
            }
            Compression::Gz => {
                let limit = u64::try_from(raw_len).ok()?.checked_add(1)?;
                flate2::read::GzDecoder::new(packed).take(limit).read_to_end(&mut raw).ok()?;
            }
        }
        (raw.len() == raw_len).then_some(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_compression_restores_what_it_was_given() {
        let raw = b"grampus ".repeat(1000);
        for codec in Compression::ALL.into_iter().skip(1) {
            let packed = codec.compress(&raw).unwrap().unwrap();
            assert_eq!(codec.decompress(&packed, raw.len()).as_deref(), Some(raw.as_slice()), "{codec:?}");
            assert_eq!(codec.decompress(&packed, raw.len() - 1), None, "{codec:?}");
            assert_eq!(codec.decompress(&packed, raw.len() + 1), None, "{codec:?}");
        }
    }

    #[test]
    fn the_densest_input_of_a_codec_is_not_refused() {
        let raw = vec![0; 16 << 20];
        for codec in Compression::ALL.into_iter().skip(1) {
            let packed = codec.compress(&raw).unwrap().unwrap();
            assert!(codec.decompress(&packed, raw.len()).is_some(), "{codec:?}: {} bytes", packed.len());
        }
    }

    #[test]
    fn incompressible_bodies_stay_as_they_are() {
        assert_eq!(Compression::Snappy.compress(b"abc").unwrap(), None);
    }
}
