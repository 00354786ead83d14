//! A log: groups of records written to segments, rotation, and what each segment still holds up.
//!
//! Locks, in this order: active segment, a region's mvcc queue, pending group. Whoever gives up the active segment looks at the
//! pending group again, so a record whose writer found the segment taken is never left behind.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use grampus_base::events::{EventQueue, Level, Topic};
use grampus_base::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use grampus_base::sync::thread::{self, JoinHandle};
use grampus_base::sync::{self, Condvar, Mutex, MutexGuard};
use grampus_base::{Error, ErrorKind, Result, Retry, contain, crash_point};
use grampus_env::Env;

use super::finished::FinishedSegments;
use super::group::{Group, LARGE_BYTES};
use super::record::Record;
use super::region_log::{RegionLog, SegmentRegions};
use super::segment::{FLAG_META, SegmentWriter};
use super::settled::SettledMarks;
use crate::{Durability, Follower, Need, Progress};

/// A group up to this size is written by the caller when nobody else is writing.
const INLINE_BYTES_MAX: usize = 64 * 1024;
/// Large buffers kept for the next large records; fresh memory costs more than what is written to it.
const SPARE_BUFFERS_MAX: usize = 4;
/// Larger buffers are given back.
const SPARE_BYTES_MAX: usize = 8 << 20;
/// ASYNC_WAL records wait so long for company, unless there is enough of it before.
const LAZY_WAIT: Duration = Duration::from_millis(10);
/// Enough company: the group is worth a write of its own.
const LAZY_BYTES_MAX: usize = 1 << 20;

/// A batch that has put so much into the pending group has it written before it goes on.
const PENDING_BYTES_MAX: usize = 4 << 20;

/// What a log needs to know.
#[derive(Clone)]
pub struct WalSettings {
    /// Where segments are created.
    pub dir: PathBuf,
    /// Where finished segments go.
    pub old_dir: PathBuf,
    /// First part of segment names.
    pub prefix: String,
    /// The log of hbase:meta.
    pub meta: bool,
    /// A segment is closed when it is larger.
    pub segment_bytes: u64,
    /// SYNC_WAL means FSYNC_WAL.
    pub always_fsync: bool,
}

#[derive(Default)]
struct Pending {
    group: Group,
    /// Position of the log after the group.
    end: u64,
    sync: bool,
    urgent: bool,
    rotate: bool,
    stop: bool,
    /// Regions with a record that the next sync is for; the same one may be here more than once.
    unsynced: Vec<Arc<RegionLog>>,
    /// The log's thread knows that there is a group; one that waits for company need not be woken by each record.
    announced: bool,
}

impl Pending {
    /// Nothing more is waited for.
    fn is_due(&self) -> bool {
        self.urgent || self.sync || self.rotate || self.stop || self.group.bytes() >= LAZY_BYTES_MAX
    }
}

#[derive(Default)]
struct Active {
    writer: Option<SegmentWriter>,
    regions: SegmentRegions,
    last_name_ms: i64,
    /// Failures in a row to begin a fresh segment.
    roll_retry: Retry,
}

/// Counters of a log.
#[derive(Default)]
pub struct WalCounters {
    /// Records appended.
    pub appends: AtomicU64,
    /// Bytes written.
    pub bytes: AtomicU64,
    /// Groups written.
    pub groups: AtomicU64,
    /// Syncs.
    pub syncs: AtomicU64,
    /// Segments begun.
    pub rolls: AtomicU64,
    /// Segments begun because a write had failed.
    pub error_rolls: AtomicU64,
    /// Writes that failed.
    pub failed_writes: AtomicU64,
    /// Syncs that failed.
    pub failed_syncs: AtomicU64,
    /// Fresh segments that could not be begun.
    pub failed_rolls: AtomicU64,
    /// Finished segments that could not be moved away.
    pub failed_archives: AtomicU64,
}

/// What happens when a log is lost.
pub type OnLoss = Box<dyn Fn() + Send + Sync>;

/// A write-ahead log.
pub struct Wal {
    env: Arc<dyn Env>,
    settings: WalSettings,
    progress: Arc<Progress>,
    on_loss: OnLoss,
    pending: Mutex<Pending>,
    wake: Condvar,
    active: Mutex<Active>,
    /// Creation time of the active segment; at most that of the first one before it is there, and the highest number after the end.
    active_since_ms: AtomicI64,
    finished: FinishedSegments,
    settled: SettledMarks,
    followers: Mutex<Vec<Weak<dyn Follower>>>,
    events: Arc<EventQueue>,
    /// A segment could not be moved away, and that was said.
    archive_failed: AtomicBool,
    /// Settled marks could not be removed, and that was said.
    settled_failed: AtomicBool,
    spare: Mutex<Vec<Vec<u8>>>,
    clean_up_wanted: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// What it has done.
    pub counters: WalCounters,
}

impl Wal {
    /// Creates the directories and the first segment and starts the log's thread. `on_loss` is called once, after its followers, when the
    /// log is lost.
    pub fn start(
        env: Arc<dyn Env>,
        settings: WalSettings,
        on_loss: OnLoss,
        events: Arc<EventQueue>,
    ) -> Result<Arc<Wal>> {
        for dir in [&settings.dir, &settings.old_dir] {
            env.mkdir_durably(dir).map_err(|e| Error::io("create directory", dir, e))?;
        }
        let settled = SettledMarks::of_log(env.clone(), &settings.dir, &settings.old_dir)
            .map_err(|e| Error::io("make ready the settled marks of", &settings.dir, e))?;
        let wal = Arc::new(Wal {
            env,
            settings,
            progress: Arc::default(),
            on_loss,
            pending: Mutex::default(),
            wake: Condvar::new(),
            active: Mutex::new(Active::default()),
            active_since_ms: AtomicI64::new(0),
            finished: FinishedSegments::default(),
            settled,
            followers: Mutex::default(),
            events,
            archive_failed: AtomicBool::new(false),
            settled_failed: AtomicBool::new(false),
            spare: Mutex::default(),
            clean_up_wanted: AtomicBool::new(false),
            thread: Mutex::new(None),
            counters: WalCounters::default(),
        });
        if !wal.settings.meta {
            let mut active = wal.active.lock();
            wal.begin_first(&mut active)?;
        }
        let thread = thread::Builder::new()
            .name("wal".to_string())
            .spawn({
                let wal = wal.clone();
                move || wal.run_contained()
            })
            .map_err(|e| Error::io("start a thread for", &wal.settings.dir, e))?;
        *wal.thread.lock() = Some(thread);
        Ok(wal)
    }

    /// Tells a follower of its loss, for as long as the follower lives.
    pub fn register(&self, follower: Weak<dyn Follower>) {
        let mut followers = self.followers.lock();
        followers.retain(|known| known.strong_count() > 0);
        followers.push(follower);
    }

    /// A region that closed in order has everything up to a sequence id in files: no split of this log brings back its edits up to there.
    /// Durable when this returns. After an error it may be asked again.
    pub fn settle(&self, region: &RegionLog, sequence: u64) -> Result<()> {
        let newest = {
            let mut active = self.active.lock();
            // ASYNC_WAL edits may wait still; they must not come into a later segment than the mark says.
            self.write_pending(&mut active, false);
            self.progress.check()?;
            let has_edits = active.regions.have(region) || self.finished.have(region);
            has_edits.then_some(active.last_name_ms)
        };
        self.look_after_pending();
        let settled = match newest {
            Some(newest) => self.settled.write(&region.encoded, sequence, newest),
            // The segments of the region may have been moved away a moment ago, and a machine's death must not bring them back.
            None => self.settled.sync_archived(),
        };
        settled
            .map_err(|e| Error::io("write the settled mark of a closing region of", &self.settings.dir, e))?;
        region.set_flushed(u64::MAX);
        Ok(())
    }

    /// The sequence id up to which this log's edits of a region are settled: edits of the region that are to come need higher ones.
    pub fn settled(&self, encoded: &str) -> u64 {
        self.settled.of_region(encoded)
    }

    /// How far it has come.
    pub fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// A buffer for a record of about so many bytes.
    pub fn buffer(&self, bytes: usize) -> Vec<u8> {
        let used = if bytes >= LARGE_BYTES { self.spare.lock().pop() } else { None };
        let mut buffer = used.unwrap_or_default();
        buffer.clear();
        buffer.reserve(bytes);
        buffer
    }

    fn recycle(&self, group: Group) {
        let mut spare = self.spare.lock();
        for chunk in group.into_chunks() {
            if spare.len() < SPARE_BUFFERS_MAX && (LARGE_BYTES..=SPARE_BYTES_MAX).contains(&chunk.capacity())
            {
                spare.push(chunk);
            }
        }
    }

    /// Adds a record to the pending group. Called under the region's mvcc lock.
    pub fn append(
        &self,
        record: Record,
        sequence: u64,
        region: &Arc<RegionLog>,
        durability: Durability,
    ) -> Result<Need> {
        self.progress.check()?;
        self.counters.appends.fetch_add(1, Ordering::Relaxed);
        let mut pending = self.pending.lock();
        if pending.stop {
            return Err(Error::new(ErrorKind::NotServing, "the log is closed"));
        }
        pending.end += record.len() as u64;
        pending.group.push(record, sequence, region);
        let need = match durability {
            Durability::Skip | Durability::Async => Need::Nothing,
            Durability::Sync if !self.settings.always_fsync => Need::Written(pending.end),
            Durability::Sync | Durability::Fsync => Need::Synced(pending.end),
        };
        // Asked for here and not in `commit`, so that a segment with such a record is never left without a sync, and so that the
        // log's thread never waits for company when whoever commits finds the segment taken.
        if matches!(need, Need::Synced(_)) {
            pending.sync = true;
            if pending.unsynced.last().is_none_or(|last| !Arc::ptr_eq(last, region)) {
                pending.unsynced.push(region.clone());
            }
        }
        pending.urgent |= need != Need::Nothing;
        Ok(need)
    }

    /// Sees to it that what was appended so far becomes as durable as asked: written here and now when that is cheap, by the
    /// log's thread otherwise. Does not wait.
    pub fn commit(&self, durability: Durability) -> Result<()> {
        {
            let mut pending = self.pending.lock();
            if pending.group.is_empty() && !pending.sync {
                return Ok(());
            }
            if pending.sync || durability <= Durability::Async || pending.group.bytes() > INLINE_BYTES_MAX {
                pending.urgent |= durability > Durability::Async;
                if pending.is_due() || !std::mem::replace(&mut pending.announced, true) {
                    self.wake.notify_one();
                }
                return Ok(());
            }
        }
        if let Some(mut active) = self.active.try_lock() {
            self.write_pending(&mut active, false);
            self.give_up(active);
        }
        self.progress.check()
    }

    /// Writes what is pending when that is much, so that a batch whose edits are larger than its request does not keep them all in memory.
    /// Waits for the segment: for threads of a pool that hold no locks. What is to be synced still is.
    pub fn relieve(&self) -> Result<()> {
        if self.pending.lock().group.bytes() >= PENDING_BYTES_MAX {
            let mut active = self.active.lock();
            self.write_pending(&mut active, false);
            self.give_up(active);
        }
        self.progress.check()
    }

    /// Leaves the active segment, and to the log's thread what came meanwhile.
    fn give_up(&self, active: MutexGuard<'_, Active>) {
        let large = self.wants_rotation(&active);
        drop(active);
        let mut pending = self.pending.lock();
        if !pending.group.is_empty() || large {
            pending.urgent = true;
            pending.rotate |= large; // a fresh segment takes a sync of the directory: not here
            self.wake.notify_one();
        }
    }

    /// A panic of the log's thread loses what it was writing: the log is lost, and the process ends with the reason.
    fn run_contained(&self) {
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
                let until = Instant::now() + LAZY_WAIT;
                while !pending.is_due()
                    && !sync::SCHEDULED
                    && !self.wake.wait_until(&mut pending, until).timed_out()
                {}
            }
            let mut active = self.active.lock();
            self.write_pending(&mut active, true);
            self.rotate_if_large(&mut active);
            drop(active);
            if self.clean_up_wanted.swap(false, Ordering::AcqRel) {
                self.clean_up();
            }
        }
    }

    /// Writes the pending group and, if the log's thread does it and somebody asked, syncs.
    fn write_pending(&self, active: &mut Active, may_sync: bool) {
        let (group, end, sync, unsynced) = {
            let mut pending = self.pending.lock();
            pending.urgent = false;
            pending.announced = false;
            let sync = may_sync && std::mem::take(&mut pending.sync);
            let unsynced = if sync { std::mem::take(&mut pending.unsynced) } else { Vec::new() };
            (std::mem::take(&mut pending.group), pending.end, sync, unsynced)
        };
        if self.progress.check().is_err() || group.is_empty() && !sync {
            return;
        }
        let written = contain("a write of the log", || self.write_group(active, &group, sync));
        match written {
            Ok(()) => {
                self.progress.written.store(end, Ordering::Release);
                if sync {
                    self.progress.synced.store(end, Ordering::Release);
                }
                for (region, highest) in group.regions() {
                    active.regions.note(region, *highest);
                    region.follower.log_moved();
                }
                advance_each(unsynced);
                self.recycle(group);
            }
            Err(e) => self.poison(&e.message),
        }
    }

    fn write_group(&self, active: &mut Active, group: &Group, sync: bool) -> Result<()> {
        crash_point!("ack.after_append_before_write");
        if !group.is_empty() {
            if let Err(why) = self.write_to_active(active, group) {
                // What reached the old segment is a torn tail or an edit that replay will meet twice; neither was acknowledged.
                // Records that were promised to be on the medium must be so before their segment is left.
                self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
                let then = |e: Error| Error { message: format!("{why}, and then {}", e.message), ..e };
                let fresh = self.create_segment(active).map_err(then)?;
                if sync || self.pending.lock().sync {
                    self.sync_active(active).map_err(then)?;
                }
                // Some of the group may have reached the old segment whole.
                group.regions().iter().for_each(|(region, highest)| active.regions.note(region, *highest));
                self.retire(active, fresh);
                self.write_to_active(active, group).map_err(then)?;
                let text =
                    format!("{why}; the group was written once more to a fresh segment, nothing is lost");
                self.events.report(Level::Warn, Topic::Log, text);
            }
            self.counters.groups.fetch_add(1, Ordering::Relaxed);
            self.counters.bytes.fetch_add(group.bytes() as u64, Ordering::Relaxed);
        }
        if sync {
            self.sync_active(active)?;
        }
        crash_point!("ack.after_write_before_complete");
        Ok(())
    }

    fn sync_active(&self, active: &mut Active) -> Result<()> {
        let Some(writer) = &mut active.writer else { return Ok(()) };
        self.counters.syncs.fetch_add(1, Ordering::Relaxed);
        writer.sync().map_err(|e| {
            self.counters.failed_syncs.fetch_add(1, Ordering::Relaxed);
            Error::io("sync log segment", writer.path(), e)
        })
    }

    fn write_to_active(&self, active: &mut Active, group: &Group) -> Result<()> {
        if active.writer.is_none() {
            self.begin_first(active)?;
        }
        let Some(writer) = &mut active.writer else { return Err(Error::new(ErrorKind::Bug, "no segment")) };
        write_chunks(writer, group).map_err(|e| {
            self.counters.failed_writes.fetch_add(1, Ordering::Relaxed);
            Error::io("write log segment", writer.path(), e)
        })
    }

    fn begin_first(&self, active: &mut Active) -> Result<()> {
        let first = self.create_segment(active)?;
        self.active_since_ms.store(first.created_ms(), Ordering::Release);
        active.writer = Some(first);
        Ok(())
    }

    fn create_segment(&self, active: &mut Active) -> Result<SegmentWriter> {
        let millis = self.env.now_ms().max(active.last_name_ms + 1);
        active.last_name_ms = millis;
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
    fn retire(&self, active: &mut Active, fresh: SegmentWriter) {
        let since = fresh.created_ms();
        if let Some(old) = active.writer.replace(fresh) {
            let regions = std::mem::take(&mut active.regions);
            self.finished.push(&old, regions);
            self.clean_up_wanted.store(true, Ordering::Release);
        }
        // Behind the push: a thread that reads the new time finds the old segment among the finished ones.
        self.active_since_ms.store(since, Ordering::Release);
    }

    fn is_large(&self, active: &Active) -> bool {
        active.writer.as_ref().is_some_and(|w| w.position() >= self.settings.segment_bytes)
    }

    /// Large, and no failed attempt to rotate is too fresh.
    fn wants_rotation(&self, active: &Active) -> bool {
        self.is_large(active) && active.roll_retry.may_try(self.monotonic_ms())
    }

    fn monotonic_ms(&self) -> i64 {
        i64::try_from(self.env.monotonic_ns() / 1_000_000).unwrap_or(i64::MAX)
    }

    fn rotate_if_large(&self, active: &mut Active) {
        self.pending.lock().rotate = false;
        if self.progress.check().is_err() || !self.wants_rotation(active) {
            return;
        }
        match self.rotate(active) {
            Ok(()) => active.roll_retry.succeeded(),
            Err(e) => {
                active.roll_retry.failed(self.monotonic_ms());
                let pause = active.roll_retry.pause_ms() / 1000;
                let text = format!(
                    "a rotation of the log failed: {e}; the old segment goes on, the next attempt follows in {pause} s"
                );
                self.events.report(Level::Warn, Topic::Log, text);
            }
        }
    }

    fn rotate(&self, active: &mut Active) -> Result<()> {
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

    /// For who has given up the active segment: a writer that found it taken left its record to the log's thread.
    fn look_after_pending(&self) {
        if !self.pending.lock().group.is_empty() {
            self.wake.notify_one();
        }
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
    fn note_settled(&self, removed: &io::Result<()>) {
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
        let active = self.active_since_ms.load(Ordering::Acquire);
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

    /// Nothing more is acknowledged or becomes visible; the process must end, and says why.
    pub fn poison(&self, why: &str) {
        if self.progress.check().is_err() {
            return; // it was said, and all who wait were told
        }
        self.progress.fail(why);
        let dir = self.settings.dir.display();
        let text = format!(
            "the write-ahead log in {dir} is lost: {why}; nothing more is acknowledged, the process ends, the next start recovers what is in the log"
        );
        self.events.report(Level::Error, Topic::Log, text);
        let followers: Vec<Arc<dyn Follower>> =
            self.followers.lock().iter().filter_map(Weak::upgrade).collect();
        followers.iter().for_each(|follower| follower.log_lost());
        (self.on_loss)();
    }

    /// Writes what is pending, ends the segment and stops the thread.
    pub fn close(&self) {
        {
            let mut pending = self.pending.lock();
            pending.stop = true;
            self.wake.notify_all();
        }
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            self.poison("the log's thread panicked"); // behind what contains it
        }
        let mut active = self.active.lock();
        self.write_pending(&mut active, true);
        if self.progress.check().is_ok()
            && let Some(mut writer) = active.writer.take()
        {
            let ended =
                Record::end(writer.records()).map_err(|e| io::Error::other(e.message)).and_then(|end| {
                    writer.append(&end.with_sequence(0), 0)?;
                    writer.sync()
                });
            if let Err(e) = ended {
                let path = writer.path().display();
                let text =
                    format!("cannot end log segment {path}: {e}; it is read without an end record as well");
                self.events.report(Level::Warn, Topic::Log, text);
            }
            let regions = std::mem::take(&mut active.regions);
            self.finished.push(&writer, regions);
            self.active_since_ms.store(i64::MAX, Ordering::Release);
        }
        drop(active);
        self.clean_up();
        self.note_settled(&self.settled.remove_if_empty());
    }
}

/// Lets regions see how far the log has come, each once.
fn advance_each(mut regions: Vec<Arc<RegionLog>>) {
    regions.sort_unstable_by_key(|region| Arc::as_ptr(region).addr());
    regions.dedup_by(|a, b| Arc::ptr_eq(a, b));
    regions.iter().for_each(|region| region.follower.log_moved());
}

fn write_chunks(writer: &mut SegmentWriter, group: &Group) -> io::Result<()> {
    for (i, chunk) in group.chunks().iter().enumerate() {
        writer.append(chunk, if i == 0 { group.records() } else { 0 })?;
    }
    writer.flush()
}
