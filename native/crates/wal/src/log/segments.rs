//! Segments of a log: the first one, rotation, and moving finished ones away.

use std::io;
use std::path::Path;

use grampus_base::events::{Level, Topic};
use grampus_base::sync::atomic::Ordering;
use grampus_base::{Error, ErrorKind, Result, contain, crash_point};

use super::super::region_log::SegmentRegions;
use super::super::segment::{FLAG_META, SegmentWriter};
use super::{Active, Wal, append_end};

impl Wal {
    pub(super) fn begin_first(&self, active: &mut Active) -> Result<()> {
        let first = self.create_segment(active)?;
        self.active_since_millis.store(first.created_millis(), Ordering::Release);
        active.writer = Some(first);
        Ok(())
    }

    pub(super) fn create_segment(&self, active: &mut Active) -> Result<SegmentWriter> {
        let millis = self.next_name(active);
        self.create_named(millis)
    }

    /// The number in the next segment's name, a time in milliseconds. No two segments of a log have the same.
    fn next_name(&self, active: &mut Active) -> i64 {
        active.last_name_millis = self.env.now_millis().max(active.last_name_millis + 1);
        active.last_name_millis
    }

    fn create_named(&self, millis: i64) -> Result<SegmentWriter> {
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

    /// Goes on with a fresh segment, and puts the active one aside, whose last writes went as given.
    pub(super) fn retire(&self, active: &mut Active, fresh: SegmentWriter, ended: io::Result<()>) {
        let since = fresh.created_millis();
        if let Some(old) = active.writer.replace(fresh) {
            let regions = std::mem::take(&mut active.regions);
            self.put_aside(old, regions, ended);
            self.clean_up_wanted.store(true, Ordering::Release);
        }
        // Behind the push: a thread that reads the new time finds the old segment among the finished ones.
        self.active_since_millis.store(since, Ordering::Release);
    }

    /// A segment takes no more records. One that could not be ended is abandoned: it is read without an end record as well.
    pub(super) fn put_aside(&self, old: SegmentWriter, regions: SegmentRegions, ended: io::Result<()>) {
        let Err(e) = ended else { return self.finished.push(old, regions) };
        let path = old.path().display();
        let text = format!("cannot end log segment {path}: {e}; it is read without an end record as well");
        self.events.report(Level::Warn, Topic::Log, text);
        self.finished.push_abandoned(old, regions);
    }

    /// Goes on with a fresh segment, and gives up the active one, whose failure has been or will be said.
    pub(super) fn abandon(&self, active: &mut Active, fresh: SegmentWriter) {
        let since = fresh.created_millis();
        if let Some(old) = active.writer.replace(fresh) {
            self.finished.push_abandoned(old, std::mem::take(&mut active.regions));
            self.clean_up_wanted.store(true, Ordering::Release);
        }
        self.active_since_millis.store(since, Ordering::Release);
    }

    fn is_large(&self, active: &Active) -> bool {
        active.writer.as_ref().is_some_and(|w| w.position() >= self.settings.segment_bytes)
    }

    /// Large, and no failed attempt to rotate is too fresh.
    pub(super) fn wants_rotation(&self, active: &Active) -> bool {
        self.is_large(active) && active.roll_retry.may_try(self.monotonic_millis())
    }

    /// Begins a fresh segment behind a large one, or where that may take long leaves it to [`Wal::look_after`].
    pub(super) fn rotate_if_large(&self, active: &mut Active) {
        self.pending.lock().rotate = false;
        if self.progress.check().is_err() || !self.wants_rotation(active) {
            return;
        }
        if !self.inline {
            self.roll_wanted.store(true, Ordering::Release);
            return;
        }
        self.counters.size_rolls.fetch_add(1, Ordering::Relaxed);
        let rotated = self.rotate(active);
        self.note_rotation(active, rotated);
    }

    fn note_rotation(&self, active: &Active, rotated: Result<()>) {
        match rotated {
            Ok(()) => active.roll_retry.succeeded(),
            Err(_) if self.progress.check().is_err() => {} // the log is lost, and that is said
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
        if active.writer.is_none() {
            return Ok(());
        }
        let fresh = self.create_segment(active).inspect_err(|e| self.poison_if_gone(e))?;
        self.go_on_with(active, fresh)
    }

    fn poison_if_gone(&self, e: &Error) {
        if is_gone(e) {
            self.poison(&e.message);
        }
    }

    /// Ends the active segment and goes on with a fresh one. A panic on the way is the end of the log: the active segment may have its end
    /// record, and nothing behind that is read.
    fn go_on_with(&self, active: &mut Active, fresh: SegmentWriter) -> Result<()> {
        let outcome = contain("a rotation of the log", || self.end_and_go_on(active, fresh));
        outcome.inspect_err(|e| {
            if e.kind == ErrorKind::Bug {
                self.poison(&e.message);
            }
        })
    }

    fn end_and_go_on(&self, active: &mut Active, fresh: SegmentWriter) -> Result<()> {
        crash_point!("wal.rotate.after_create");
        // An end record that cannot be written leaves a segment without one, which is read as well.
        let end = |writer: &mut SegmentWriter| append_end(writer).and_then(|()| writer.flush());
        let ended = active.writer.as_mut().map_or(Ok(()), end);
        if ended.is_err() {
            self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
        }
        self.settle_syncs(active, fresh, ended)?;
        crash_point!("wal.rotate.after_retire");
        Ok(())
    }

    /// Leaves the active segment with nothing in it that a sync is owed to: it is synced, or, where it is broken, the records go to the
    /// fresh segment. A sync that fails is the end of the log: what the medium has is not known.
    fn settle_syncs(&self, active: &mut Active, fresh: SegmentWriter, ended: io::Result<()>) -> Result<()> {
        let owed = self.settings.always_fsync || self.pending.lock().sync;
        if owed && ended.is_ok() {
            self.sync_active(active).inspect_err(|e| self.poison(&e.message))?;
        }
        let broken = ended.is_err();
        self.retire(active, fresh, ended);
        if broken { self.write_unsynced(active).inspect_err(|e| self.poison(&e.message)) } else { Ok(()) }
    }

    /// Begins a fresh segment.
    pub fn roll(&self) -> Result<()> {
        self.progress.check()?;
        if self.inline { self.roll_at_once() } else { self.roll_beside() }?;
        self.clean_up();
        Ok(())
    }

    fn roll_at_once(&self) -> Result<()> {
        let mut active = self.active.lock();
        self.write_pending(&mut active, true);
        // The segment of a log that was lost just now is needed by the next start.
        let rotated = self.progress.check().and_then(|()| self.rotate(&mut active));
        drop(active);
        self.look_after_pending();
        rotated
    }

    /// Begins a fresh segment where its creation waits for other machines: the active one takes writes until the fresh one is there.
    fn roll_beside(&self) -> Result<()> {
        let Some(millis) = ({
            let mut active = self.active.lock();
            active.writer.is_some().then(|| self.next_name(&mut active))
        }) else {
            return Ok(());
        };
        let fresh = self.create_named(millis).inspect_err(|e| self.poison_if_gone(e))?;
        let mut active = self.active.lock();
        self.write_pending(&mut active, true);
        let rotated = self.progress.check().and_then(|()| self.go_on_with_newest(&mut active, fresh, millis));
        drop(active);
        self.look_after_pending();
        if let Some(unused) = rotated? {
            self.leave_out(unused);
        }
        Ok(())
    }

    /// Goes on with a fresh segment. It is returned where the log was closed while it was created, or went on with a later one because the
    /// active one broke.
    fn go_on_with_newest(
        &self,
        active: &mut Active,
        fresh: SegmentWriter,
        millis: i64,
    ) -> Result<Option<SegmentWriter>> {
        if active.writer.is_none() || active.last_name_millis != millis {
            return Ok(Some(fresh));
        }
        self.go_on_with(active, fresh).map(|()| None)
    }

    /// Deletes a segment that has no record. One that stays is moved away when the server's directory is.
    fn leave_out(&self, unused: SegmentWriter) {
        let path = unused.path().to_path_buf();
        drop(unused);
        if let Err(e) = self.env.delete(&path) {
            let text = format!("cannot delete the unused log segment {}: {e}; it is empty", path.display());
            self.events.report(Level::Warn, Topic::Log, text);
        }
    }

    /// What the log's thread leaves to a pool: a roll that is wanted where it may take long, and [`Wal::clean_up_if_wanted`].
    pub fn look_after(&self) {
        if self.roll_wanted.swap(false, Ordering::AcqRel) {
            self.roll_large();
        }
        self.clean_up_if_wanted();
    }

    fn roll_large(&self) {
        // The segment may have been rolled since that was wanted.
        if self.progress.check().is_err() || !self.wants_rotation(&self.active.lock()) {
            return;
        }
        self.counters.size_rolls.fetch_add(1, Ordering::Relaxed);
        let rotated = self.roll_beside();
        self.note_rotation(&self.active.lock(), rotated);
    }

    /// Closes the segments that were put aside, moves those that no region needs out of the directory, and removes the settled marks that
    /// none of the others needs. May wait for minutes where a segment's writer has failed: for threads of a pool.
    pub fn clean_up(&self) {
        self.clean_up_wanted.store(false, Ordering::Release);
        self.finished.close_open(|path, e| self.note_close(path, e));
        self.finished.remove_unneeded(
            |path| self.env.recover_lease(path),
            |path, ended| {
                let moved = ended.and_then(|()| self.archive(path));
                self.note_archive(path, &moved);
                moved
            },
        );
        self.note_settled(&self.settled.forget_before(self.oldest_segment()));
    }

    /// [`Wal::clean_up`], if a segment was put aside since. Called by the log's thread where a flush is cheap, and by the flush threads' tick
    /// everywhere: a waiting commit would wait for the log's thread to close a file.
    pub(crate) fn clean_up_if_wanted(&self) {
        if self.clean_up_wanted.load(Ordering::Acquire) {
            self.clean_up();
        }
    }

    /// Says that a segment did not close.
    fn note_close(&self, path: &Path, e: &io::Error) {
        self.counters.failed_closes.fetch_add(1, Ordering::Relaxed);
        let path = path.display();
        let text =
            format!("cannot close log segment {path}: {e}; its lease is recovered before it is moved away");
        self.events.report(Level::Warn, Topic::Log, text);
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
        let archived = self.settings.old_dir.join(name);
        let moved = match self.env.rename(path, &archived) {
            // An earlier attempt has moved it, whose answer was lost.
            Err(e) if e.kind() == io::ErrorKind::NotFound && self.env.exists(&archived)? => Ok(()),
            moved => moved,
        };
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

/// The directory is gone: its server is taken for dead, and another one recovers the log.
pub(super) fn is_gone(error: &Error) -> bool {
    error.source.as_ref().is_some_and(|source| source.kind() == io::ErrorKind::NotFound)
}
