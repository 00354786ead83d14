//! Segments of a log: the first one, rotation, and putting finished ones aside.

use std::io;

use grampus_base::events::{Level, Topic};
use grampus_base::sync::atomic::Ordering;
use grampus_base::{Error, ErrorKind, Result, contain, crash_point};

use super::super::group::Group;
use super::super::region_log::SegmentRegions;
use super::super::segment::{FLAG_META, SegmentWriter};
use super::{Active, LONGEST_SEGMENT, SEGMENT_ROOM, Wal, append_end};

impl Wal {
    pub(super) fn begin_first(&self, active: &mut Active) -> Result<()> {
        let first = self.create_segment(active)?;
        self.active_since_millis.store(first.created_millis(), Ordering::Release);
        active.writer = Some(first);
        Ok(())
    }

    /// A segment to go on with: one that a roll has created and that waits for the active one, or else a new one.
    pub(super) fn fresh_segment(&self, active: &mut Active) -> Result<SegmentWriter> {
        let arrived = {
            let mut arrived = self.arrived.lock();
            arrived.iter().position(|fresh| active.is_older_than(fresh)).map(|at| arrived.swap_remove(at))
        };
        arrived.map_or_else(|| self.create_segment(active), Ok)
    }

    /// Whether [`Wal::fresh_segment`] need not create one.
    pub(super) fn has_arrived(&self, active: &Active) -> bool {
        self.arrived.lock().iter().any(|fresh| active.is_older_than(fresh))
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
        let begun = SegmentWriter::create_in_log(&*self.env, &path, flags, millis, self.room());
        let writer = begun.map_err(|e| {
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
            self.want_clean_up();
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
            self.want_clean_up();
        }
        self.active_since_millis.store(since, Ordering::Release);
    }

    /// The bytes of a segment that the file system has room for in one piece.
    fn room(&self) -> u64 {
        self.settings.segment_bytes.saturating_mul(SEGMENT_ROOM)
    }

    /// Begins a fresh segment where a group would make a remote one far too long. A segment larger than its room goes on as a rule while its
    /// successor is being created: HDFS takes a block that is longer than was said, and a name node that does not answer must not hold up
    /// writes for a segment that can do without. Only where flushes are not cheap.
    pub(super) fn rotate_if_overlong(&self, active: &mut Active, group: &Group) {
        let longest = self.settings.segment_bytes.saturating_mul(LONGEST_SEGMENT);
        let is_full = |w: &SegmentWriter| w.records() > 0 && w.position() + group.bytes() as u64 > longest;
        let full = !self.inline && active.writer.as_ref().is_some_and(is_full);
        if full && active.roll_retry.may_try(self.monotonic_millis()) {
            self.rotate_and_note(active);
        }
    }

    fn rotate_and_note(&self, active: &mut Active) {
        self.counters.size_rolls.fetch_add(1, Ordering::Relaxed);
        let rotated = self.rotate(active);
        self.note_rotation(active, rotated);
    }

    fn is_large(&self, active: &Active) -> bool {
        active.writer.as_ref().is_some_and(|w| w.position() >= self.settings.segment_bytes)
    }

    /// Large, and no failed attempt to rotate is too fresh.
    pub(super) fn wants_rotation(&self, active: &Active) -> bool {
        self.is_large(active) && active.roll_retry.may_try(self.monotonic_millis())
    }

    /// Begins a fresh segment behind a large one, or where that may take long has it begun.
    pub(super) fn rotate_if_large(&self, active: &mut Active) {
        self.pending.lock().rotate = false;
        if self.progress.check().is_err() || !self.wants_rotation(active) {
            return;
        }
        if self.inline {
            self.rotate_and_note(active);
        } else {
            self.errands.rolls.ask();
        }
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
        let fresh = self.fresh_segment(active).inspect_err(|e| self.poison_if_gone(e))?;
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
        let outcome = contain("a rotation of the log", || {
            crash_point!("wal.rotate.after_create");
            self.end_and_go_on(active, fresh)?;
            crash_point!("wal.rotate.after_retire");
            Ok(())
        });
        outcome.inspect_err(|e| {
            if e.kind == ErrorKind::Bug {
                self.poison(&e.message);
            }
        })
    }

    /// Leaves the active segment with nothing in it that a sync is owed to: it is synced, or, where it is broken, the records go to the
    /// fresh segment. A sync that fails is the end of the log: what the medium has is not known. To a remote segment none is owed, and
    /// nothing waits for its end.
    fn end_and_go_on(&self, active: &mut Active, fresh: SegmentWriter) -> Result<()> {
        if self.ends_aside() {
            self.retire(active, fresh, Ok(()));
            return Ok(());
        }
        // An end record that cannot be written leaves a segment without one, which is read as well.
        let ended = active.writer.as_mut().map_or(Ok(()), |writer| self.end_segment(writer));
        let is_broken = ended.is_err();
        if is_broken {
            self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
        } else if self.settings.always_fsync || self.pending.lock().sync {
            self.sync_active(active).inspect_err(|e| self.poison(&e.message))?;
        }
        self.retire(active, fresh, ended);
        if is_broken { self.write_unsynced(active).inspect_err(|e| self.poison(&e.message)) } else { Ok(()) }
    }

    /// A remote segment is ended by the thread that closes it: where data nodes do not answer, the log has gone on before.
    pub(super) fn ends_aside(&self) -> bool {
        !self.failed_syncs_are_final
    }

    /// The last write to a segment that was put aside, if none was made before.
    pub(super) fn end_aside(&self, writer: &mut SegmentWriter) -> io::Result<()> {
        if self.ends_aside() { self.end_segment(writer) } else { Ok(()) }
    }

    /// The last write to a segment. Of a remote one it takes what was only flushed to the medium with it, if all is to come there.
    fn end_segment(&self, writer: &mut SegmentWriter) -> io::Result<()> {
        append_end(writer)?;
        if self.syncs_at_once(self.settings.always_fsync) { self.sync(writer) } else { writer.flush() }
    }

    /// Begins a fresh segment.
    pub fn roll(&self) -> Result<()> {
        self.progress.check()?;
        if self.inline { self.roll_at_once() } else { self.roll_beside().map(drop) }?;
        self.clean_up();
        Ok(())
    }

    fn roll_at_once(&self) -> Result<()> {
        let mut active = self.active.lock();
        self.write_pending(&mut active, true);
        // The segment of a log that was lost just now is needed by the next start.
        let rotated = self.progress.check().and_then(|()| self.rotate(&mut active));
        drop(active);
        self.wake_for_pending();
        rotated
    }

    /// Begins a fresh segment where its creation waits for other machines: the active one takes writes until the fresh one is there. What is
    /// pending then is the log's thread's, and comes into the fresh one: if the active one is broken, no third is needed for it.
    /// False where that came too late, or there is no segment yet.
    fn roll_beside(&self) -> Result<bool> {
        let Some(millis) = ({
            let mut active = self.active.lock();
            active.writer.is_some().then(|| self.next_name(&mut active))
        }) else {
            return Ok(false);
        };
        let fresh = self.create_named(millis).inspect_err(|e| self.poison_if_gone(e))?;
        self.arrived.lock().push(fresh);
        let mut active = self.active.lock();
        let rolled = match self.take_arrived(millis) {
            // The segment of a log that was lost just now is needed by the next start.
            Some(fresh) => self.progress.check().and_then(|()| self.go_on_with_newer(&mut active, fresh)),
            None => Ok(None), // the active one broke, and the log has gone on with this one
        };
        drop(active);
        self.wake_for_pending();
        let late = rolled?;
        let has_rolled = late.is_none();
        late.into_iter().for_each(|unused| self.leave_out(unused));
        Ok(has_rolled)
    }

    fn take_arrived(&self, millis: i64) -> Option<SegmentWriter> {
        let mut arrived = self.arrived.lock();
        let at = arrived.iter().position(|fresh| fresh.created_millis() == millis)?;
        Some(arrived.swap_remove(at))
    }

    /// Goes on with a fresh segment. It is returned where the log was closed while it was created, or went on with a later one because the
    /// active one broke. Names that were given to segments which could not be created do not count.
    pub(super) fn go_on_with_newer(
        &self,
        active: &mut Active,
        fresh: SegmentWriter,
    ) -> Result<Option<SegmentWriter>> {
        if active.is_older_than(&fresh) {
            return self.go_on_with(active, fresh).map(|()| None);
        }
        Ok(Some(fresh))
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

    /// Begins a fresh segment behind a large one, while that takes writes. A panic is a failed attempt like any other.
    pub(super) fn roll_large(&self) {
        // The segment may have been rolled since that was wanted.
        if self.progress.check().is_err() || !self.wants_rotation(&self.active.lock()) {
            return;
        }
        self.counters.size_rolls.fetch_add(1, Ordering::Relaxed);
        let rolled = contain("a rotation of the log", || self.roll_beside());
        if !matches!(rolled, Ok(false)) {
            self.note_rotation(&self.active.lock(), rolled.map(drop));
        }
    }
}

impl Active {
    /// The segment is older than one that a roll has created. False where there is none: the log has ended.
    fn is_older_than(&self, fresh: &SegmentWriter) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.created_millis() < fresh.created_millis())
    }
}

/// The directory is gone: its server is taken for dead, and another one recovers the log.
pub(super) fn is_gone(error: &Error) -> bool {
    error.source.as_ref().is_some_and(|source| source.kind() == io::ErrorKind::NotFound)
}
