//! The end of a lane's log: what is written next, and where.

use std::io;
use std::sync::Arc;

use grampus_colfile::Page;

use super::index::Place;
use super::lane::Lane;
use super::record;
use crate::cache::block_cache::Key;

/// The state of a writer thread.
pub(super) struct Writer {
    segments: u32,
    segment_bytes: u64,
    /// The newest segment and the bytes that are written in it.
    segment: u32,
    used: u64,
    /// Records that are to be written to the end of the newest segment, and their places.
    records: Vec<u8>,
    places: Vec<(Key, Place)>,
}

impl Writer {
    pub(super) fn new(segments: u32, segment_bytes: u64) -> Writer {
        Writer { segments, segment_bytes, segment: 0, used: 0, records: Vec::new(), places: Vec::new() }
    }

    /// Writes pages, each within one segment.
    pub(super) fn write(&mut self, lane: &Lane, batch: &[(Key, Arc<Page>)]) -> io::Result<()> {
        for (key, page) in batch {
            let Some(len) = record::len(page.body()) else { continue };
            if self.end() + u64::from(len) > self.segment_bytes {
                self.flush(lane)?;
                self.segment = (self.segment + 1) % self.segments;
                self.used = 0;
                lane.clear_segment(self.segment);
            }
            let at = u64::from(self.segment) * self.segment_bytes + self.end();
            self.places.push((*key, Place { segment: self.segment, len, at }));
            record::append(&mut self.records, *key, page.body());
        }
        self.flush(lane)
    }

    /// Where the next record goes within the newest segment.
    fn end(&self) -> u64 {
        self.used + self.records.len() as u64
    }

    fn flush(&mut self, lane: &Lane) -> io::Result<()> {
        if !self.records.is_empty() {
            let at = u64::from(self.segment) * self.segment_bytes + self.used;
            lane.write(&self.records, at, &self.places)?;
        }
        self.used = self.end();
        self.records.clear();
        self.places.clear();
        Ok(())
    }
}
