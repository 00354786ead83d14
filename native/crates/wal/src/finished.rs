//! Segments that take no more records, oldest first: their close, and what keeps them in the log's directory.

use std::io;
use std::path::{Path, PathBuf};

use grampus_base::sync::Mutex;

use super::region_log::{RegionLog, SegmentRegions};
use super::segment::SegmentWriter;

/// The finished segments of a log.
#[derive(Default)]
pub(super) struct FinishedSegments {
    all: Mutex<Vec<Finished>>,
    /// Held by the thread that closes and moves segments: both may take long, and a look at the list must not wait for them.
    turn: Mutex<()>,
}

struct Finished {
    path: PathBuf,
    created_millis: i64,
    bytes: u64,
    regions: SegmentRegions,
    end: End,
}

/// How far a segment that takes no more records has come.
#[derive(Default)]
enum End {
    /// Its writer is still to be closed.
    Open(Box<SegmentWriter>),
    /// Its length is final.
    Closed,
    /// Its writer has failed: its lease must be recovered before it is moved.
    #[default]
    Abandoned,
}

impl FinishedSegments {
    /// Nothing more is written to a segment, which is to be closed.
    pub(super) fn push(&self, segment: SegmentWriter, regions: SegmentRegions) {
        self.add(segment, regions, |writer| End::Open(Box::new(writer)));
    }

    /// A segment's writer has failed, and is given up.
    pub(super) fn push_abandoned(&self, segment: SegmentWriter, regions: SegmentRegions) {
        self.add(segment, regions, |_| End::Abandoned);
    }

    fn add(&self, segment: SegmentWriter, regions: SegmentRegions, end: impl Fn(SegmentWriter) -> End) {
        let (path, bytes) = (segment.path().to_path_buf(), segment.position());
        let created_millis = segment.created_millis();
        // A writer that is given up closes its file here, and not under the lock.
        let finished = Finished { path, created_millis, bytes, regions, end: end(segment) };
        self.all.lock().push(finished);
    }

    /// Closes the segments that are still open; each that does not close is told of, and is abandoned.
    pub(super) fn close_open(&self, failed: impl Fn(&Path, &io::Error)) {
        let _turn = self.turn.lock();
        while let Some((path, writer)) = self.next_open() {
            match writer.close() {
                Ok(()) => self.with(&path, |segment| segment.end = End::Closed),
                Err(e) => failed(&path, &e),
            }
        }
    }

    /// Takes the writer of one that is still open; until it is known how that ended it counts as abandoned.
    fn next_open(&self) -> Option<(PathBuf, SegmentWriter)> {
        let mut all = self.all.lock();
        let open = all.iter_mut().find(|segment| matches!(segment.end, End::Open(_)))?;
        match std::mem::take(&mut open.end) {
            End::Open(writer) => Some((open.path.clone(), *writer)),
            End::Closed | End::Abandoned => None,
        }
    }

    fn with(&self, path: &Path, change: impl FnOnce(&mut Finished)) {
        if let Some(segment) = self.all.lock().iter_mut().find(|segment| segment.path == path) {
            change(segment);
        }
    }

    /// Creation time of the oldest one.
    pub(super) fn oldest(&self) -> Option<i64> {
        self.all.lock().iter().map(|segment| segment.created_millis).min()
    }

    /// Whether one of them has edits of a region.
    pub(super) fn have(&self, region: &RegionLog) -> bool {
        self.all.lock().iter().any(|segment| segment.regions.have(region))
    }

    /// Forgets the segments that no region needs, if they could be moved away; the others are tried again by the next call. Of one that was
    /// abandoned `recover` ends the file before.
    pub(super) fn remove_unneeded(
        &self,
        recover: impl Fn(&Path) -> io::Result<()>,
        move_away: impl Fn(&Path, io::Result<()>) -> io::Result<()>,
    ) {
        let _turn = self.turn.lock();
        for (path, is_closed) in self.unneeded() {
            let ended = if is_closed { Ok(()) } else { recover(&path) };
            if ended.is_ok() {
                self.with(&path, |segment| segment.end = End::Closed);
            }
            if move_away(&path, ended).is_ok() {
                self.all.lock().retain(|segment| segment.path != path);
            }
        }
    }

    /// Segments whose edits are all in files, oldest first, and whether each is closed. One that is still open is not among them.
    fn unneeded(&self) -> Vec<(PathBuf, bool)> {
        let all = self.all.lock();
        let ended = all.iter().filter(|segment| !matches!(segment.end, End::Open(_)));
        let unneeded = ended.filter(|segment| segment.regions.late().next().is_none());
        unneeded.map(|segment| (segment.path.clone(), matches!(segment.end, End::Closed))).collect()
    }

    /// Marks the regions that keep the oldest segments from being moved away, when more than `bytes` are held. There may be thousands of
    /// regions in each of many segments: no more than a number is written for each.
    pub(super) fn mark_holders(&self, bytes: u64, round: u64) {
        let finished = self.all.lock();
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
        let finished = self.all.lock();
        (finished.len(), finished.iter().map(|segment| segment.bytes).sum())
    }
}
