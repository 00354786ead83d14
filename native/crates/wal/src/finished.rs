//! Segments that are complete, oldest first, and what keeps them in the log's directory.

use std::io;
use std::path::{Path, PathBuf};

use grampus_base::sync::Mutex;

use super::region_log::{RegionLog, SegmentRegions};
use super::segment::SegmentWriter;

/// The finished segments of a log.
#[derive(Default)]
pub(super) struct FinishedSegments(Mutex<Vec<Finished>>);

struct Finished {
    path: PathBuf,
    created_millis: i64,
    bytes: u64,
    regions: SegmentRegions,
}

impl FinishedSegments {
    /// Nothing more is written to a segment.
    pub(super) fn push(&self, segment: &SegmentWriter, regions: SegmentRegions) {
        let (path, bytes) = (segment.path().to_path_buf(), segment.position());
        self.0.lock().push(Finished { path, created_millis: segment.created_millis(), bytes, regions });
    }

    /// Creation time of the oldest one.
    pub(super) fn oldest(&self) -> Option<i64> {
        self.0.lock().iter().map(|segment| segment.created_millis).min()
    }

    /// Whether one of them has edits of a region.
    pub(super) fn have(&self, region: &RegionLog) -> bool {
        self.0.lock().iter().any(|segment| segment.regions.have(region))
    }

    /// Forgets the segments that no region needs, if they could be moved away; the others are tried again by the next call.
    pub(super) fn remove_unneeded(&self, move_away: impl Fn(&Path) -> io::Result<()>) {
        let needed = |segment: &Finished| segment.regions.late().next().is_some();
        self.0.lock().retain(|segment| needed(segment) || move_away(&segment.path).is_err());
    }

    /// Marks the regions that keep the oldest segments from being moved away, when more than `bytes` are held. There may be thousands of
    /// regions in each of many segments: no more than a number is written for each.
    pub(super) fn mark_holders(&self, bytes: u64, round: u64) {
        let finished = self.0.lock();
        let mut held: u64 = finished.iter().map(|segment| segment.bytes).sum();
        for segment in finished.iter() {
            if held <= bytes {
                break;
            }
            held -= segment.bytes;
            segment.regions.late().for_each(|region| region.mark(round));
        }
    }

    /// Their number and bytes.
    pub(super) fn size(&self) -> (usize, u64) {
        let finished = self.0.lock();
        (finished.len(), finished.iter().map(|segment| segment.bytes).sum())
    }
}
