//! The end of a path's log: what is written next, and where.

use std::io;
use std::sync::Arc;

use grampus_base::contain;
use grampus_colfile::Page;

use super::index::Place;
use super::path_log::PathLog;
use super::position::Position;
use super::record;
use crate::key::Key;

/// Writes what comes to a log until the log ends; returns where the next record would go.
pub(super) fn run(log: &PathLog) -> Position {
    let mut writer = Writer::new(log.segment_count(), log.segment_bytes(), log.start());
    while let Some(batch) = log.next_batch() {
        match contain("its writer", || Ok(writer.write(log, &batch))) {
            Ok(Ok(())) => {}
            Ok(Err(e)) => log.switch_off(&format!("cannot be written: {e}")),
            Err(e) => log.switch_off(&format!("is given up: {e}")),
        }
    }
    writer.position
}

/// The state of a writer thread.
struct Writer {
    segments: u32,
    segment_bytes: u64,
    position: Position,
    /// Records that are to be written to the end of the newest segment, and their places.
    records: Vec<u8>,
    places: Vec<(Key, Place)>,
}

impl Writer {
    fn new(segments: u32, segment_bytes: u64, position: Position) -> Writer {
        Writer { segments, segment_bytes, position, records: Vec::new(), places: Vec::new() }
    }

    /// Writes pages, each within one segment. Ends early when the log has ended.
    fn write(&mut self, log: &PathLog, batch: &[(Key, Arc<Page>)]) -> io::Result<()> {
        for (key, page) in batch {
            let Some(len) = record::len(page.body()) else { continue };
            if self.end() + u64::from(len) > self.segment_bytes {
                self.flush(log)?;
                let next = (self.position.segment + 1) % self.segments;
                if !log.clear_segment(next) {
                    return Ok(());
                }
                self.position = Position { segment: next, used: 0 };
            }
            let segment = self.position.segment;
            let at = u64::from(segment) * self.segment_bytes + self.end();
            self.places.push((*key, Place { segment, len, at }));
            record::append(&mut self.records, *key, page.body());
        }
        self.flush(log)
    }

    /// Where the next record goes within the newest segment.
    fn end(&self) -> u64 {
        self.position.used + self.records.len() as u64
    }

    fn flush(&mut self, log: &PathLog) -> io::Result<()> {
        if !self.records.is_empty() {
            let at = u64::from(self.position.segment) * self.segment_bytes + self.position.used;
            log.write(&self.records, at, &self.places)?;
        }
        self.position.used = self.end();
        self.records.clear();
        self.places.clear();
        Ok(())
    }
}
