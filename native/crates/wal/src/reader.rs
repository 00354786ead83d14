//! Reads a segment: whole records, a torn tail cut off, damage reported.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result, checksum_holds};
use grampus_env::Env;

use super::record::{self, Body, Edit, Header};
use super::segment;

const WINDOW_BYTES: usize = 1 << 20;

/// An edit whose checksums held.
pub struct RawEdit<'a> {
    /// Sequence id of all its cells.
    pub sequence: u64,
    /// The body as it lies in the segment.
    pub body: &'a [u8],
    start: u64,
    segment: String,
}

impl<'a> RawEdit<'a> {
    /// Where the record starts.
    pub fn offset(&self) -> u64 {
        self.start
    }

    /// The record's bytes in the segment, its header included.
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + (record::HEADER_BYTES + self.body.len()) as u64
    }

    /// Decodes the body.
    pub fn decode(&self) -> Result<Edit<'a>> {
        let why = match Body::decode(self.body, self.sequence) {
            Ok(Body::Edit(edit)) => return Ok(edit),
            Ok(Body::End(_)) => "an end record is not an edit".to_string(),
            Err(e) => e.message,
        };
        Err(Error::new(
            ErrorKind::Corrupt,
            format!("log segment {} is damaged at byte {}: {why}", self.segment, self.start),
        ))
    }
}

/// What the header of a segment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentHeader {
    /// Version of the format.
    pub version: u32,
    /// See [`segment::FLAG_META`].
    pub flags: u32,
    /// Milliseconds since the epoch.
    pub created_millis: i64,
}

/// Walks over the edits of one segment.
pub struct SegmentReader {
    file: Arc<dyn RandomRead>,
    len: u64,
    /// Where the next record starts.
    at: u64,
    window: Vec<u8>,
    window_at: u64,
    records: u64,
    header: Option<SegmentHeader>,
    /// The end record was read.
    closed: bool,
    done: bool,
    /// Damage is skipped, up to the next good record.
    skips_damage: bool,
    /// What was skipped, and why.
    damage: Vec<(Range<u64>, String)>,
}

impl SegmentReader {
    /// Opens a segment and checks its header.
    pub fn open(env: &dyn Env, path: &Path) -> Result<SegmentReader> {
        SegmentReader::open_as(env, path, false)
    }

    /// Whether a complete file ends with an end record. Reads those bytes only; only a walk over its edits tells for certain, since a value may be a
    /// piece of a log.
    pub fn has_end(env: &dyn Env, path: &Path) -> Result<bool> {
        let file = env.open(path).map_err(|e| Error::io("open", path, e))?;
        let mut end = [0; record::END_BYTES];
        let Some(at) = file.len().checked_sub(end.len() as u64) else { return Ok(false) };
        file.read_exact_at(&mut end, at).map_err(|e| Error::io("read", path, e))?;
        Ok(record::is_end(&end))
    }

    /// Opens a segment whose damage is skipped: the reader goes on at the next good record and remembers what it left out.
    pub(crate) fn open_skipping(env: &dyn Env, path: &Path) -> Result<SegmentReader> {
        SegmentReader::open_as(env, path, true)
    }

    fn open_as(env: &dyn Env, path: &Path, skips_damage: bool) -> Result<SegmentReader> {
        let file = env.open(path).map_err(|e| Error::io("open", path, e))?;
        let mut reader = SegmentReader {
            len: file.len(),
            file,
            at: 0,
            window: Vec::new(),
            window_at: 0,
            records: 0,
            header: None,
            closed: false,
            done: false,
            skips_damage,
            damage: Vec::new(),
        };
        reader.read_header()?;
        Ok(reader)
    }

    fn read_header(&mut self) -> Result<()> {
        let n = usize::try_from(self.len).unwrap_or(usize::MAX).min(segment::HEADER_BYTES);
        let header = self.bytes(0, n)?.to_vec();
        self.at = n as u64;
        let valid = n == segment::HEADER_BYTES
            && header.starts_with(segment::MAGIC)
            && segment::stored_checksum(&header)
                .is_some_and(|stored| checksum_holds(stored, crc32c::crc32c(&header[..28])));
        if valid {
            let version = header.get(8..12).unwrap_or_default();
            if version != segment::VERSION.to_le_bytes() {
                return Err(self.corrupt(8, "it has an unknown version"));
            }
            self.header = header_fields(&header);
            return Ok(());
        }
        if n == segment::HEADER_BYTES && !self.rest_is_zero(0)? {
            return self.skip_or_fail(0..self.at, "its header is damaged");
        }
        self.done = true; // the process died before the header was out
        Ok(())
    }

    /// Where the next record starts: after the last edit, the length of what is good.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// What the header says; `None` when the process died before it was out.
    pub fn header(&self) -> Option<SegmentHeader> {
        self.header
    }

    /// Length of the file when it was opened.
    pub fn file_bytes(&self) -> u64 {
        self.len
    }

    /// True when the end record has been read: the segment was closed in order.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The next edit, `None` at the end.
    pub fn next_edit(&mut self) -> Result<Option<RawEdit<'_>>> {
        let Some((start, header)) = self.next_record()? else {
            self.done = true;
            return Ok(None);
        };
        let body_at = start + record::HEADER_BYTES as u64;
        self.at = body_at + header.body_len as u64;
        if self.bytes(body_at, header.body_len)?.first() == Some(&record::KIND_END) {
            self.done = true;
            self.check_end(start, body_at, header.body_len)?;
            return Ok(None);
        }
        self.records += 1;
        let name = self.file.name().to_string();
        let body = self.bytes(body_at, header.body_len)?;
        Ok(Some(RawEdit { sequence: header.sequence, body, start, segment: name }))
    }

    /// The next record with good checksums. At something that is none, nothing good may follow, unless damage is skipped.
    fn next_record(&mut self) -> Result<Option<(u64, Header)>> {
        while !self.done {
            let start = self.at;
            if let Some(header) = self.well_formed(start)? {
                return Ok(Some((start, header)));
            }
            let Some(good) = self.next_good(start)? else { return Ok(None) };
            self.skip_or_fail(start..good, &format!("a good record follows at byte {good}"))?;
            self.at = good;
        }
        Ok(None)
    }

    /// Damage is an error, or remembered.
    fn skip_or_fail(&mut self, at: Range<u64>, why: &str) -> Result<()> {
        let error = self.corrupt(at.start, why);
        if !self.skips_damage {
            self.done = true;
            return Err(error);
        }
        self.damage.push((at, error.message));
        Ok(())
    }

    /// What was skipped so far, and why; it is not said again.
    pub(crate) fn take_damage(&mut self) -> Vec<(Range<u64>, String)> {
        std::mem::take(&mut self.damage)
    }

    fn check_end(&mut self, start: u64, body_at: u64, body_len: usize) -> Result<()> {
        let count = match Body::decode(self.bytes(body_at, body_len)?, 0) {
            Ok(Body::End(count)) => Some(count),
            Ok(Body::Edit(_)) | Err(_) => None,
        };
        if count != Some(self.records) && self.damage.is_empty() {
            let why = format!("its end record does not say {} records", self.records);
            self.skip_or_fail(start..self.at, &why)?;
        }
        if self.at != self.len {
            self.skip_or_fail(self.at..self.len, "bytes follow its end record")?;
        }
        self.closed = true;
        Ok(())
    }

    /// A header with a good checksum at an offset.
    fn header_at(&mut self, at: u64) -> Result<Option<Header>> {
        if self.len.saturating_sub(at) < record::HEADER_BYTES as u64 {
            return Ok(None);
        }
        Ok(Header::decode(self.bytes(at, record::HEADER_BYTES)?))
    }

    /// The header of a complete record with good checksums at an offset.
    fn well_formed(&mut self, at: u64) -> Result<Option<Header>> {
        let Some(header) = self.header_at(at)? else { return Ok(None) };
        let body_at = at + record::HEADER_BYTES as u64;
        if header.body_len as u64 > self.len - body_at {
            return Ok(None);
        }
        let body = self.bytes(body_at, header.body_len)?;
        Ok(checksum_holds(header.body_crc, crc32c::crc32c(body)).then_some(header))
    }

    /// The first good record behind something that is none. What the body of a record holds is not looked at where its header is whole:
    /// a value may well be a piece of a log.
    fn next_good(&mut self, bad: u64) -> Result<Option<u64>> {
        let marker = record::MARKER.to_le_bytes();
        let mut at = match self.header_at(bad)? {
            Some(header) => bad + record::HEADER_BYTES as u64 + header.body_len as u64,
            None => bad + 1,
        };
        while at.saturating_add(record::HEADER_BYTES as u64) <= self.len {
            let n = usize::try_from(self.len - at).unwrap_or(usize::MAX).min(WINDOW_BYTES);
            let found = self.bytes(at, n)?.windows(4).position(|w| w == marker);
            match found {
                Some(offset) => {
                    at += offset as u64;
                    if self.well_formed(at)?.is_some() {
                        return Ok(Some(at));
                    }
                    at += 1;
                }
                None => at += (n.saturating_sub(3)).max(1) as u64,
            }
        }
        Ok(None)
    }

    fn rest_is_zero(&mut self, mut at: u64) -> Result<bool> {
        while at < self.len {
            let n = usize::try_from(self.len - at).unwrap_or(usize::MAX).min(WINDOW_BYTES);
            if self.bytes(at, n)?.iter().any(|b| *b != 0) {
                return Ok(false);
            }
            at += n as u64;
        }
        Ok(true)
    }

    /// `n` bytes of the file, or up to its end.
    pub(super) fn bytes_at(&mut self, at: u64, n: u64) -> Result<&[u8]> {
        let n = n.min(self.len.saturating_sub(at));
        self.bytes(at, usize::try_from(n).unwrap_or(usize::MAX))
    }

    /// Bytes of the file through a window; the range lies within the file.
    fn bytes(&mut self, at: u64, n: usize) -> Result<&[u8]> {
        let inside = at >= self.window_at && at + n as u64 <= self.window_at + self.window.len() as u64;
        if !inside {
            let want = usize::try_from(self.len - at).unwrap_or(usize::MAX).min(WINDOW_BYTES.max(n));
            self.window.resize(want, 0);
            self.window_at = at;
            self.file
                .read_exact_at(&mut self.window, at)
                .map_err(|e| Error::io("read", self.file.name(), e))?;
        }
        let from = usize::try_from(at - self.window_at).unwrap_or(usize::MAX);
        Ok(self.window.get(from..from + n).unwrap_or_default())
    }

    fn corrupt(&self, at: u64, why: &str) -> Error {
        Error::new(
            ErrorKind::Corrupt,
            format!("log segment {} is damaged at byte {at}: {why}", self.file.name()),
        )
    }
}

fn header_fields(header: &[u8]) -> Option<SegmentHeader> {
    let (version, rest) = header.get(8..)?.split_first_chunk()?;
    let (flags, rest) = rest.split_first_chunk()?;
    let created_millis = i64::from_le_bytes(*rest.first_chunk()?);
    Some(SegmentHeader {
        version: u32::from_le_bytes(*version),
        flags: u32::from_le_bytes(*flags),
        created_millis,
    })
}
