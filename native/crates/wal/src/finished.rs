//! Segments that take no more records, oldest first: their close, and what keeps them in the log's directory.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use grampus_base::sync::Mutex;
use grampus_base::sync::atomic::{AtomicBool, Ordering};

use super::region_log::{RegionLog, SegmentRegions};
use super::segment::SegmentWriter;

/// The finished segments of a log.
#[derive(Default)]
pub(super) struct FinishedSegments {
    all: Mutex<Vec<Finished>>,
    /// What is here by now stays in the directory.
    left: AtomicBool,
}

struct Finished {
    path: PathBuf,
    created_millis: i64,
    bytes: u64,
    regions: SegmentRegions,
    end: End,
}

/// How far a segment that takes no more records has come. The default stands in the place of an end that its claim has taken.
#[derive(Default)]
enum End {
    /// Its writer is still to be closed, and that of a remote segment to be ended.
    Open(Box<SegmentWriter>),
    /// Its length is final.
    Closed,
    /// Its writer has failed: its lease must be recovered before it is moved.
    Abandoned,
    /// A thread is closing or moving it, for minutes perhaps. The others pass it over.
    #[default]
    Claimed,
}

/// A segment that one thread alone closes or moves. When this is dropped others may.
struct Claim<'a> {
    segments: &'a FinishedSegments,
    path: PathBuf,
    /// How far it has come by then.
    end: End,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(segment) = self.segments.all.lock().iter_mut().find(|segment| segment.path == self.path) {
            segment.end = std::mem::take(&mut self.end);
        }
    }
}

impl FinishedSegments {
    /// A segment takes no more groups, and is to be closed.
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

    /// Ends and closes the segments that are still open; each that does not close is told of, and is abandoned.
    pub(super) fn close_open(
        &self,
        end: impl Fn(&mut SegmentWriter) -> io::Result<()>,
        failed: impl Fn(&Path, &io::Error),
    ) {
        while let Some((mut claim, mut writer)) = self.claim_open() {
            match end(&mut writer).and_then(|()| writer.close()) {
                Ok(()) => claim.end = End::Closed,
                Err(e) => failed(&claim.path, &e),
            }
        }
    }

    /// Nothing more is closed, recovered or moved.
    pub(super) fn leave(&self) {
        let _all = self.all.lock(); // so that no claim is under way that has not seen it
        self.left.store(true, Ordering::Release);
    }

    /// Nothing more is to be done about them.
    pub(super) fn are_left(&self) -> bool {
        self.left.load(Ordering::Acquire)
    }

    /// One that is still open, and its writer. Unless that is closed it is abandoned.
    fn claim_open(&self) -> Option<(Claim<'_>, SegmentWriter)> {
        let mut all = self.all.lock();
        if self.are_left() {
            return None;
        }
        let open = all.iter_mut().find(|segment| matches!(segment.end, End::Open(_)))?;
        let End::Open(writer) = std::mem::take(&mut open.end) else { return None };
        Some((Claim { segments: self, path: open.path.clone(), end: End::Abandoned }, *writer))
    }

    /// One that no other thread has claimed.
    fn claim(&self, path: &Path) -> Option<Claim<'_>> {
        let mut all = self.all.lock();
        if self.are_left() {
            return None;
        }
        let found = all.iter_mut().find(|segment| segment.path == path)?;
        match std::mem::take(&mut found.end) {
            End::Claimed => None,
            end => Some(Claim { segments: self, path: path.to_path_buf(), end }),
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

    /// Forgets the closed segments that no region needs, if they could be moved away; the others are tried again by the next call.
    pub(super) fn remove_closed(&self, move_away: impl Fn(&Path) -> io::Result<()>) {
        for path in self.unneeded(|end| matches!(end, End::Closed)) {
            let Some(_claim) = self.claim(&path) else { continue };
            if move_away(&path).is_ok() {
                self.all.lock().retain(|segment| segment.path != path);
            }
        }
    }

    /// The abandoned segments that no region needs: they stay until they are recovered.
    pub(super) fn abandoned(&self) -> Vec<PathBuf> {
        self.unneeded(|end| matches!(end, End::Abandoned))
    }

    /// Ends the file of an abandoned segment, for which `recover` may take minutes. It counts as closed then.
    pub(super) fn recover(
        &self,
        path: &Path,
        recover: impl FnOnce(&Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(mut claim) = self.claim(path) else { return Ok(()) };
        recover(path)?;
        claim.end = End::Closed;
        Ok(())
    }

    /// Names of the regions whose edits here are not all in files.
    pub(super) fn late_regions(&self) -> BTreeSet<String> {
        let all = self.all.lock();
        let late = all.iter().flat_map(|segment| segment.regions.late());
        late.map(|region| region.encoded.clone()).collect()
    }

    /// Segments whose edits are all in files, oldest first.
    fn unneeded(&self, is_wanted: impl Fn(&End) -> bool) -> Vec<PathBuf> {
        let all = self.all.lock();
        let wanted = all.iter().filter(|segment| is_wanted(&segment.end));
        let unneeded = wanted.filter(|segment| segment.regions.late().next().is_none());
        unneeded.map(|segment| segment.path.clone()).collect()
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
