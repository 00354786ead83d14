//! Writing the pending group: by the caller or by the log's thread.

use std::io;
use std::path::Path;
use std::sync::Arc;

use grampus_base::events::{Level, Topic};
use grampus_base::sync::atomic::Ordering;
use grampus_base::sync::{self, MutexGuard};
use grampus_base::{Error, ErrorKind, Result, contain, crash_point};

use super::super::group::Group;
use super::super::region_log::RegionLog;
use super::super::segment::SegmentWriter;
use super::pending::Taken;
use super::segments::is_gone;
use super::{
    Active, GROUPS_AFTER_OWN_MAX, LAZY_WAIT, REMOTE_REWRITES_NANOS, REWRITE_PAUSE_MS, REWRITE_PAUSE_MS_MAX,
    REWRITES_MAX, Wal,
};

impl Wal {
    /// A panic of the log's thread loses what it was writing: the log is lost, and the process ends with the reason.
    pub(super) fn run_contained(&self) {
        let outcome = contain("the log's thread", || {
            self.run();
            Ok(())
        });
        if let Err(e) = outcome {
            self.poison(&e.message);
        }
    }

    fn run(&self) {
        loop {
            {
                let mut pending = self.pending.lock();
                while pending.group.is_empty() && !pending.sync && !pending.rotate && !pending.stop {
                    pending.urgent = false;
                    self.wake.wait(&mut pending);
                }
                if pending.stop && pending.group.is_empty() {
                    return;
                }
                // Under a scheduler of tests time stands still, so that the wait is over at once.
                if !sync::SCHEDULED {
                    self.wake.wait_while_for(&mut pending, |pending| !pending.is_due(), LAZY_WAIT);
                }
            }
            let mut active = self.active.lock();
            self.write_pending(&mut active, true);
            self.rotate_if_large(&mut active);
            drop(active);
            self.clean_up_if_wanted();
        }
    }

    /// Writes up to `GROUPS_AFTER_OWN_MAX` small groups that came meanwhile, then leaves the active segment. What is left is the log's
    /// thread's: to wake it costs more than to write for it.
    pub(super) fn release_active(&self, mut active: MutexGuard<'_, Active>) {
        for _ in 0..GROUPS_AFTER_OWN_MAX {
            if !self.write_small(&mut active) {
                break;
            }
        }
        let large = self.wants_rotation(&active);
        drop(active);
        let mut pending = self.pending.lock();
        if !pending.group.is_empty() || large {
            pending.urgent = true;
            pending.rotate |= large; // a fresh segment takes a sync of the directory: not here
            self.wake.notify_one();
        }
    }

    /// Writes the pending group as long as that is short work which a caller waits for. False when it is not, or nothing is pending.
    pub(super) fn write_small(&self, active: &mut Active) -> bool {
        let taken = {
            let mut pending = self.pending.lock();
            let may_write = self.inline && pending.urgent && !pending.group.is_empty() && pending.is_small();
            may_write.then(|| pending.take(false))
        };
        let Some(taken) = taken else { return false };
        self.write_taken(active, taken);
        true
    }

    /// Writes the pending group and, if the log's thread does it and a write asked for it, syncs. Where a flush is not cheap every caller may wait,
    /// and syncs: no group that wants a sync is in a segment without it.
    pub(super) fn write_pending(&self, active: &mut Active, may_sync: bool) {
        let taken = self.pending.lock().take(may_sync || !self.inline);
        self.write_taken(active, taken);
    }

    fn write_taken(&self, active: &mut Active, taken: Taken) {
        let Taken { group, end, sync, sync_regions } = taken;
        if self.progress.check().is_err() || group.is_empty() && !sync {
            return;
        }
        let written = contain("a write of the log", || {
            self.write_group(active, &group, sync)?;
            self.note_written(active, &group, end, sync);
            advance_each(sync_regions);
            Ok(())
        });
        match written {
            Ok(()) => self.keep_or_recycle(active, group, sync),
            Err(e) => self.poison(&e.message),
        }
    }

    /// The segment has all regions of a group before one of them is told: none may be answered for edits that keep no segment.
    fn note_written(&self, active: &mut Active, group: &Group, end: u64, synced: bool) {
        group.regions().iter().for_each(|part| active.regions.note(&part.region, part.highest));
        self.progress.written.store(end, Ordering::Release);
        if synced {
            self.progress.synced.store(end, Ordering::Release);
        }
        group.regions().iter().for_each(|part| part.region.follower.log_moved());
    }

    /// Keeps a group that was written for as long as a sync is owed to it.
    fn keep_or_recycle(&self, active: &mut Active, group: Group, synced: bool) {
        if group.wants_sync() && !synced {
            active.unsynced.push(group);
        } else {
            self.recycle(group);
        }
    }

    fn write_group(&self, active: &mut Active, group: &Group, sync: bool) -> Result<()> {
        crash_point!("ack.after_append_before_write");
        self.rotate_if_overlong(active, group);
        self.progress.check()?;
        let begun_nanos = self.env.monotonic_nanos();
        let given_nanos = if group.is_empty() { begun_nanos } else { self.write_once(active, group, sync)? };
        if sync && self.failed_syncs_are_final {
            self.sync_active(active)?;
        } else if sync && group.is_empty() {
            // Its stream would refuse it: a sync of a remote file has bytes of its own.
            return Err(Error::new(ErrorKind::Bug, "a sync of a remote log without a group"));
        }
        let synced_nanos = self.env.monotonic_nanos();
        self.counters.written(group, given_nanos - begun_nanos, synced_nanos - given_nanos);
        crash_point!("ack.after_write_before_complete");
        Ok(())
    }

    /// A group that wants a sync is synced in one step, and not flushed first, so that the stream of a remote file has bytes to take the wish
    /// along. Where that fails a fresh segment takes the group, as behind a flush: what was synced before stays on the media, whatever the
    /// broken segment does. On a local disk a sync that fails is final, and has a step of its own.
    pub(super) fn syncs_at_once(&self, sync: bool) -> bool {
        sync && !self.failed_syncs_are_final
    }

    /// Writes a group to the active segment, or where that fails to a fresh one. Returns the time at which all of it had been given to the
    /// segment, which its flush or sync comes behind.
    fn write_once(&self, active: &mut Active, group: &Group, sync: bool) -> Result<u64> {
        let why = match self.write_to_active(active, group, sync) {
            Ok(given_nanos) => return Ok(given_nanos),
            Err(why) => why,
        };
        let given_nanos = self.write_afresh(active, group, sync, &why)?;
        let text = format!("{why}; the group was written once more to a fresh segment, nothing is lost");
        self.events.report(Level::Warn, Topic::Log, text);
        Ok(given_nanos)
    }

    /// Writes a group, and those before it that no sync has covered, to fresh segments until one takes them.
    ///
    /// What reached a segment that failed is a torn tail, or edits that stand in the next one again; neither was acknowledged. A replay
    /// takes an edit once, by its sequence id.
    fn write_afresh(&self, active: &mut Active, group: &Group, sync: bool, why: &Error) -> Result<u64> {
        let mut rewrites = 0;
        let begun_nanos = self.env.monotonic_nanos();
        loop {
            rewrites += 1;
            self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
            let last = match self.write_to_fresh(active, group, sync) {
                Ok(given_nanos) => return Ok(given_nanos),
                Err(last) => last,
            };
            let is_in_time = !self.inline && self.env.monotonic_nanos() - begun_nanos < REMOTE_REWRITES_NANOS;
            let over = rewrites >= REWRITES_MAX && !is_in_time && !self.has_arrived(active);
            if over || is_gone(&last) || self.progress.check().is_err() {
                return Err(Error { message: format!("{why}, and then {}", last.message), ..last });
            }
            if !self.inline {
                self.env.pause_millis((REWRITE_PAUSE_MS << (rewrites - 1)).min(REWRITE_PAUSE_MS_MAX));
            }
        }
    }

    fn write_to_fresh(&self, active: &mut Active, group: &Group, sync: bool) -> Result<u64> {
        let fresh = self.fresh_segment(active)?;
        // Some of the group may have reached the old segment whole.
        group.regions().iter().for_each(|part| active.regions.note(&part.region, part.highest));
        self.abandon(active, fresh);
        self.write_unsynced(active)?;
        self.write_to_active(active, group, sync)
    }

    /// Writes the groups once more that no sync has covered, to the segment that follows on theirs.
    pub(super) fn write_unsynced(&self, active: &mut Active) -> Result<()> {
        let unsynced = std::mem::take(&mut active.unsynced);
        let outcome = unsynced.iter().try_for_each(|group| {
            group.regions().iter().for_each(|part| active.regions.note(&part.region, part.highest));
            self.write_to_active(active, group, false).map(drop)
        });
        active.unsynced = unsynced;
        outcome
    }

    /// A failure is final: what the medium has of the segment is not known any more, and a second sync may lie.
    pub(super) fn sync_active(&self, active: &mut Active) -> Result<()> {
        let Some(writer) = &mut active.writer else { return Ok(()) };
        self.sync(writer).map_err(|e| Error::io("sync log segment", writer.path(), e))?;
        active.unsynced.drain(..).for_each(|group| self.recycle(group));
        Ok(())
    }

    pub(super) fn sync(&self, writer: &mut SegmentWriter) -> io::Result<()> {
        self.counters.syncs.fetch_add(1, Ordering::Relaxed);
        writer.sync().inspect_err(|_| {
            self.counters.failed_syncs.fetch_add(1, Ordering::Relaxed);
        })
    }

    /// Appends the group, then flushes or syncs. Returns when the append had ended, by the monotonic clock, in nanoseconds.
    fn write_to_active(&self, active: &mut Active, group: &Group, sync: bool) -> Result<u64> {
        if active.writer.is_none() {
            self.begin_first(active)?;
        }
        let Some(writer) = &mut active.writer else { return Err(Error::new(ErrorKind::Bug, "no segment")) };
        let failed = |e: io::Error, path: &Path| {
            self.counters.failed_writes.fetch_add(1, Ordering::Relaxed);
            Error::io("write log segment", path, e)
        };
        append_chunks(writer, group).map_err(|e| failed(e, writer.path()))?;
        let given_nanos = self.env.monotonic_nanos();
        if self.syncs_at_once(sync) {
            self.sync(writer).map_err(|e| Error::io("sync log segment", writer.path(), e))?;
        } else {
            writer.flush().map_err(|e| failed(e, writer.path()))?;
        }
        Ok(given_nanos)
    }

    /// For a thread that has released the active segment: a writer that found it taken left its record to the log's thread.
    pub(super) fn wake_for_pending(&self) {
        if !self.pending.lock().group.is_empty() {
            self.wake.notify_one();
        }
    }
}

/// Lets regions see how far the log has come, each once.
fn advance_each(mut regions: Vec<Arc<RegionLog>>) {
    regions.sort_unstable_by_key(|region| Arc::as_ptr(region).addr());
    regions.dedup_by(|a, b| Arc::ptr_eq(a, b));
    regions.iter().for_each(|region| region.follower.log_moved());
}

fn append_chunks(writer: &mut SegmentWriter, group: &Group) -> io::Result<()> {
    let mut records = group.records(); // they count with the first chunk
    group.chunks().iter().try_for_each(|chunk| writer.append(chunk, std::mem::take(&mut records)))
}
