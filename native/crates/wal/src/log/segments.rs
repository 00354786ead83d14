//! Segments of a log: the first one, rotation, and moving finished ones away.

use std::io;
use std::path::Path;

use grampus_base::events::{Level, Topic};
use grampus_base::sync::atomic::Ordering;
use grampus_base::{Error, Result, crash_point};

use super::super::record::Record;
use super::super::segment::{FLAG_META, SegmentWriter};
use super::{Active, Wal};

impl Wal {
    pub(super) fn begin_first(&self, active: &mut Active) -> Result<()> {
        let first = self.create_segment(active)?;
        self.active_since_millis.store(first.created_millis(), Ordering::Release);
        active.writer = Some(first);
        Ok(())
    }

    pub(super) fn create_segment(&self, active: &mut Active) -> Result<SegmentWriter> {
        let millis = self.env.now_millis().max(active.last_name_millis + 1);
        active.last_name_millis = millis;
        let settings = &self.settings;
        let (name, flags) = if settings.meta {
            (format!("{}.meta.{millis}.meta", settings.prefix), FLAG_META)
        } else {
            (format!("{}.{millis}", settings.prefix), 0)
        };
        let path = settings.dir.join(name);
        let writer = SegmentWriter::create(&*self.env, &path, flags, millis).map_err(|e| {
            self.counters.failed_rolls.fetch_add(1, Ordering::Relaxed);
            Error::io("begin log segment", &path, e)
        })?;
        self.counters.rolls.fetch_add(1, Ordering::Relaxed);
        Ok(writer)
    }

    /// Puts the active segment aside and goes on with a fresh one.
    pub(super) fn retire(&self, active: &mut Active, fresh: SegmentWriter) {
        let since = fresh.created_millis();
        if let Some(old) = active.writer.replace(fresh) {
            let regions = std::mem::take(&mut active.regions);
            self.finished.push(&old, regions);
            self.clean_up_wanted.store(true, Ordering::Release);
        }
        // Behind the push: a thread that reads the new time finds the old segment among the finished ones.
        self.active_since_millis.store(since, Ordering::Release);
    }

    fn is_large(&self, active: &Active) -> bool {
        active.writer.as_ref().is_some_and(|w| w.position() >= self.settings.segment_bytes)
    }

    /// Large, and no failed attempt to rotate is too fresh.
    pub(super) fn wants_rotation(&self, active: &Active) -> bool {
        self.is_large(active) && active.roll_retry.may_try(self.monotonic_millis())
    }

    pub(super) fn rotate_if_large(&self, active: &mut Active) {
        self.pending.lock().rotate = false;
        if self.progress.check().is_err() || !self.wants_rotation(active) {
            return;
        }
        match self.rotate(active) {
            Ok(()) => active.roll_retry.succeeded(),
            Err(e) => {
                active.roll_retry.failed(self.monotonic_millis());
                let pause = active.roll_retry.pause_millis() / 1000;
                let text = format!(
                    "a rotation of the log failed: {e}; the old segment goes on, the next attempt follows in {pause} s"
                );
                self.events.report(Level::Warn, Topic::Log, text);
            }
        }
    }

    pub(super) fn rotate(&self, active: &mut Active) -> Result<()> {
        let records = match &active.writer {
            Some(writer) => writer.records(),
            None => return Ok(()),
        };
        let fresh = self.create_segment(active)?;
        crash_point!("wal.rotate.after_create");
        if let Some(writer) = &mut active.writer {
            let end = Record::end(records)?;
            // An end record that cannot be written leaves a segment without one, which is read as well.
            let ended = writer.append(&end.with_sequence(0), 0).and_then(|()| writer.flush());
            if let Err(e) = ended {
                self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
                let text = format!(
                    "cannot end log segment {}: {e}; it is read without an end record as well",
                    writer.path().display()
                );
                self.events.report(Level::Warn, Topic::Log, text);
            }
        }
        if self.settings.always_fsync || self.pending.lock().sync {
            self.sync_active(active)?;
        }
        self.retire(active, fresh);
        crash_point!("wal.rotate.after_retire");
        Ok(())
    }

    /// Begins a fresh segment.
    pub fn roll(&self) -> Result<()> {
        self.progress.check()?;
        let mut active = self.active.lock();
        self.write_pending(&mut active, true);
        let rotated = self.rotate(&mut active);
        drop(active);
        self.look_after_pending();
        rotated?;
        self.clean_up();
        Ok(())
    }

    /// Moves segments that no region needs out of the directory, and removes the settled marks that none of the others needs.
    pub fn clean_up(&self) {
        self.finished.remove_unneeded(|path| {
            let moved = self.archive(path);
            self.note_archive(path, &moved);
            moved
        });
        self.note_settled(&self.settled.forget_before(self.oldest_segment()));
    }

    /// Says that a segment could not be moved away, once until one can be: every flush tries again.
    fn note_archive(&self, path: &Path, moved: &io::Result<()>) {
        let Err(e) = moved else { return self.archive_failed.store(false, Ordering::Release) };
        self.counters.failed_archives.fetch_add(1, Ordering::Relaxed);
        if !self.archive_failed.swap(true, Ordering::AcqRel) {
            let (path, dir) = (path.display(), self.settings.old_dir.display());
            let text = format!(
                "cannot move log segment {path} to {dir}: {e}; it stays and is tried again after the next flush"
            );
            self.events.report(Level::Warn, Topic::Log, text);
        }
    }

    /// Says that settled marks could not be removed, once until they can be: they stay in force, and every flush tries again.
    pub(super) fn note_settled(&self, removed: &io::Result<()>) {
        let Err(e) = removed else { return self.settled_failed.store(false, Ordering::Release) };
        if !self.settled_failed.swap(true, Ordering::AcqRel) {
            let dir = self.settings.dir.display();
            let text = format!(
                "cannot remove settled marks of log {dir}: {e}; they stay in force and are tried again after the next flush"
            );
            self.events.report(Level::Warn, Topic::Log, text);
        }
    }

    /// Creation time of the oldest segment in the directory, or an earlier one than any that is to come has.
    fn oldest_segment(&self) -> i64 {
        // First the active one: it may become a finished one meanwhile. Not under its lock, whose holder must look after the pending group.
        let active = self.active_since_millis.load(Ordering::Acquire);
        self.finished.oldest().map_or(active, |finished| finished.min(active))
    }

    fn archive(&self, path: &Path) -> io::Result<()> {
        crash_point!("wal.before_archive");
        let name = path.file_name().ok_or_else(|| io::Error::other("a segment without a name"))?;
        let moved = self.env.rename(path, &self.settings.old_dir.join(name));
        self.settled.note_archived();
        moved
    }

    /// Marks the regions that keep the oldest segments from being moved away, when more than `bytes` are held; see
    /// [`RegionLog::was_marked`].
    pub fn mark_holders(&self, bytes: u64, round: u64) {
        self.finished.mark_holders(bytes, round);
    }

    /// Segments on disk and their bytes.
    pub fn size(&self) -> (usize, u64) {
        let (finished, bytes) = self.finished.size();
        (finished + 1, bytes)
    }
}
