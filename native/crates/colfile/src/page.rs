//! A page: the unit of read, checksum, compression and cache.
//!
//! ```text
//! | at | size | field                                                      |
//! |  0 |  4   | stored length of the body                                  |
//! |  4 |  4   | length of the body once decompressed                       |
//! |  8 |  1   | kind, see [`PageKind`]                                     |
//! |  9 |  1   | compression code; 0 when compressing did not help          |
//! | 10 |  2   | zero                                                       |
//! | 12 |  4   | crc32c of bytes 0..12 and the stored body                  |
//! | 16 |      | body                                                       |
//! ```

use std::sync::{Mutex, PoisonError};

use grampus_base::{RandomRead, checksum_holds};

use crate::Compression;
use crate::bytes::FieldReader;
use crate::error::{Decoded, Error, Malformed, Result};
pub use crate::page_kind::PageKind;
use crate::row_keys::{KeptHeads, RowKeyPage};

/// Bytes of a page header.
pub const PAGE_HEADER_BYTES: usize = 16;

/// A body may not exceed this, compressed or not.
pub(crate) const PAGE_BYTES_MAX: u32 = 0x7FFF_0000;

/// From this size on, in bytes, a page is kept no longer than its cells are read, and its readers take turns.
pub const LARGE_PAGE_BYTES: usize = 256 * 1024;

/// Where a page is, as its directory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageAt {
    /// Offset in the file; identifies the page within it.
    pub offset: u64,
    /// Bytes in the file, header included.
    pub stored_len: u32,
    /// Bytes of the decompressed body.
    pub raw_len: u32,
    /// What it holds.
    pub kind: PageKind,
}

impl PageAt {
    /// Whether there can be such a page: a header and a body that is no longer than what it decompresses to.
    pub(crate) fn is_possible(self) -> bool {
        let body = (self.stored_len as usize).checked_sub(PAGE_HEADER_BYTES);
        self.raw_len <= PAGE_BYTES_MAX && body.is_some_and(|body| body <= self.raw_len as usize)
    }
}

/// A checked, decompressed, still encoded page.
pub struct Page {
    bytes: Vec<u8>,
    body_at: usize,
    /// What `heads` will take outside this struct.
    heads_bytes: usize,
    /// Of a page of row keys that was searched: `None` inside where they cannot be made.
    heads: KeptHeads,
    /// The counter of the page's memory, while nothing else counts it.
    counted: Mutex<Option<Box<dyn Send>>>,
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl Page {
    fn new(bytes: Vec<u8>, body_at: usize, kind: PageKind) -> Page {
        let heads_bytes = RowKeyPage::heads_bytes(bytes.get(body_at..).unwrap_or_default(), kind);
        Page { bytes, body_at, heads_bytes, heads: KeptHeads::default(), counted: Mutex::new(None) }
    }

    /// A page whose body was kept, by a second tier of a cache: `bytes` from `body_at` on. Nothing is checked here.
    pub fn kept(bytes: Vec<u8>, body_at: usize, kind: PageKind) -> Page {
        Page::new(bytes, body_at, kind)
    }

    /// The decompressed body.
    pub fn body(&self) -> &[u8] {
        self.bytes.get(self.body_at..).unwrap_or_default()
    }

    /// The heads of the page's row keys.
    pub(crate) fn heads(&self) -> &KeptHeads {
        &self.heads
    }

    /// Keeps what counts the page's memory, until the page is dropped or its memory is counted elsewhere.
    pub fn set_counter(&self, counter: Box<dyn Send>) {
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Some(counter);
    }

    /// From now on the page's memory is counted elsewhere.
    pub(crate) fn drop_counter(&self) {
        let counter = self.counted.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(counter);
    }

    /// Bytes of memory that the page holds; with the heads of row keys from the start, though they are made when the keys are first
    /// searched: a cache that has let the page in does not hear of them.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.heads_bytes + size_of::<Page>()
    }
}

/// Wraps a body into a stored page.
pub(crate) fn seal(kind: PageKind, body: &[u8], compression: Compression) -> Result<Vec<u8>> {
    let packed = compression.compress(body).map_err(Error::Write)?;
    let (codec, stored) = match &packed {
        Some(packed) => (compression, packed.as_slice()),
        None => (Compression::None, body),
    };
    let (stored_len, raw_len) = (page_len(stored.len())?, page_len(body.len())?);
    let mut page = Vec::with_capacity(PAGE_HEADER_BYTES + stored.len());
    page.extend_from_slice(&stored_len.to_le_bytes());
    page.extend_from_slice(&raw_len.to_le_bytes());
    page.extend_from_slice(&[kind as u8, codec as u8, 0, 0]);
    let crc = crc32c::crc32c_append(crc32c::crc32c(&page), stored);
    page.extend_from_slice(&crc.to_le_bytes());
    page.extend_from_slice(stored);
    Ok(page)
}

fn page_len(len: usize) -> Result<u32> {
    u32::try_from(len)
        .ok()
        .filter(|len| *len <= PAGE_BYTES_MAX)
        .ok_or_else(|| Error::Misuse(format!("a page of {len} bytes is larger than the format allows")))
}

/// Reads and checks one page; the only place that turns file bytes into pages.
pub fn read_page(source: &dyn RandomRead, at: PageAt) -> Result<Page> {
    let bytes = read_stored(source, at)?;
    open_page(bytes, at).map_err(|m| m.in_page(source.name(), at.offset))
}

/// The bytes of a stored page, not yet checked.
pub(crate) fn read_stored(source: &dyn RandomRead, at: PageAt) -> Result<Vec<u8>> {
    let corrupt = |what| Malformed::new(0, what).in_page(source.name(), at.offset);
    let end = at.offset.checked_add(u64::from(at.stored_len)).ok_or_else(|| corrupt("its end overflows"))?;
    if end > source.len() {
        return Err(corrupt("the file ends within the page"));
    }
    let len = at.stored_len as usize;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| corrupt("no memory for a page of this length"))?;
    bytes.resize(len, 0);
    source.read_exact_at(&mut bytes, at.offset).map_err(|source_error| Error::Read {
        file: source.name().to_string(),
        offset: at.offset,
        len,
        source: source_error,
    })?;
    Ok(bytes)
}

/// The compression that the header of a stored page names, of one that [`open_page`] takes.
pub(crate) fn stored_compression(bytes: &[u8]) -> Compression {
    bytes.get(9).and_then(|code| Compression::from_code(*code)).unwrap_or_default()
}

/// Checks a stored page against its directory entry and decompresses it.
pub(crate) fn open_page(bytes: Vec<u8>, at: PageAt) -> Decoded<Page> {
    let mut header = FieldReader::new(&bytes);
    let (stored_len, raw_len) = (header.u32()?, header.u32()?);
    let (kind, codec, zero) = (header.u8()?, header.u8()?, header.u16()?);
    let crc = header.u32()?;
    let stored = header.take(header.remaining())?;
    let head = bytes.get(..12).unwrap_or_default();
    if !checksum_holds(crc, crc32c::crc32c_append(crc32c::crc32c(head), stored)) {
        return Err(Malformed::new(12, "the checksum does not match"));
    }
    if stored_len as usize != stored.len() || raw_len != at.raw_len || raw_len > PAGE_BYTES_MAX {
        return Err(Malformed::new(0, "the lengths are not those of the directory"));
    }
    if kind != at.kind as u8 || zero != 0 {
        return Err(Malformed::new(8, "the kind is not that of the directory"));
    }
    match Compression::from_code(codec) {
        None => Err(Malformed::new(9, "unknown compression")),
        Some(Compression::None) if stored_len == raw_len => Ok(Page::new(bytes, PAGE_HEADER_BYTES, at.kind)),
        Some(Compression::None) => Err(Malformed::new(0, "the lengths of an uncompressed page differ")),
        Some(codec) => match codec.decompress(stored, raw_len as usize) {
            Some(raw) => Ok(Page::new(raw, 0, at.kind)),
            None => Err(Malformed::new(PAGE_HEADER_BYTES, "the body does not decompress to its length")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(page: &[u8], raw_len: usize) -> PageAt {
        PageAt { offset: 0, stored_len: page.len() as u32, raw_len: raw_len as u32, kind: PageKind::Column }
    }

    #[test]
    fn a_page_opens_to_its_body_under_every_compression() {
        let body = b"cells cells cells cells cells cells cells ".repeat(20);
        for codec in Compression::ALL {
            let page = seal(PageKind::Column, &body, codec).unwrap();
            assert_eq!(open_page(page.clone(), at(&page, body.len())).unwrap().body(), body);
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let body = b"cells cells cells cells".to_vec();
        let page = seal(PageKind::Column, &body, Compression::None).unwrap();
        for bit in 0..page.len() * 8 {
            let mut bad = page.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(open_page(bad, at(&page, body.len())).is_err(), "bit {bit}");
        }
    }
}
