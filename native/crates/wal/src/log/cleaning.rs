//! Segments that were put aside: their close, their way out of the directory, and the settled marks that go with them.

use std::io;
use std::path::Path;

use grampus_base::crash_point;
use grampus_base::events::{Level, Topic};
use grampus_base::sync::atomic::{AtomicBool, Ordering};

use super::Wal;

impl Wal {
    /// Closes the segments that were put aside, moves those that no region needs out of the directory, and removes the settled marks that
    /// none of the others needs. Where that waits for other machines this only asks for it.
    pub fn clean_up(&self) {
        if self.inline {
            self.clean_up_here();
        } else {
            self.errands.closes.ask();
        }
    }

    /// A segment was put aside. A thread that others wait for does not close its file.
    pub(super) fn want_clean_up(&self) {
        if self.inline {
            self.clean_up_wanted.store(true, Ordering::Release);
        } else {
            self.errands.closes.ask();
        }
    }

    /// [`Wal::clean_up`], where flushes are cheap, if a segment was put aside since. Called by the log's thread and by the flush threads' tick.
    pub fn clean_up_if_wanted(&self) {
        if self.clean_up_wanted.load(Ordering::Acquire) {
            self.clean_up();
        }
    }

    /// What [`Wal::clean_up`] says. A segment that another thread closes or moves is passed over.
    pub(super) fn clean_up_here(&self) {
        self.clean_up_wanted.store(false, Ordering::Release);
        self.finished.close_open(|writer| self.end_aside(writer), |path, e| self.note_close(path, e));
        self.move_away_unneeded();
        if self.finished.abandoned().is_empty() {
            return;
        }
        if self.inline {
            self.recover_abandoned();
        } else {
            self.errands.recoveries.ask(); // which takes 15 minutes where data nodes are away
        }
    }

    /// Recovers the leases of abandoned segments that no region needs, one after the other, and moves them away.
    pub(super) fn recover_abandoned(&self) {
        for path in self.finished.abandoned() {
            let recovered = self.finished.recover(&path, |path| self.env.recover_lease(path));
            self.note_archive(&self.recovery_failed, &recovered, || {
                format!("cannot recover the lease of log segment {}", path.display())
            });
            if recovered.is_ok() {
                self.move_away_unneeded();
            }
        }
    }

    fn move_away_unneeded(&self) {
        if self.finished.are_left() {
            return;
        }
        self.finished.remove_closed(|path| {
            let moved = self.archive(path);
            self.note_archive(&self.archive_failed, &moved, || {
                format!("cannot move log segment {} to {}", path.display(), self.settings.old_dir.display())
            });
            moved
        });
        if !self.finished.are_left() {
            self.note_settled(&self.settled.forget_before(self.oldest_segment()));
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

    /// Says that a step on a segment's way out of the directory failed, once until one succeeds: every flush tries again.
    fn note_archive(&self, is_said: &AtomicBool, done: &io::Result<()>, what: impl Fn() -> String) {
        let Err(e) = done else { return is_said.store(false, Ordering::Release) };
        self.counters.failed_archives.fetch_add(1, Ordering::Relaxed);
        if !is_said.swap(true, Ordering::AcqRel) {
            let text = format!("{}: {e}; it stays and is tried again after the next flush", what());
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
