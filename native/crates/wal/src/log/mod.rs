//! A log: its state, appends, commits, settled marks, its loss and its end. Groups are written in `writes`; segments are begun and
//! rolled in `segments`, and closed and archived in `cleaning`; `errand` has the threads for what waits for other machines.
//!
//! Locks, in this order: active segment, the lock under which a region's sequence ids are given (`Follower`), pending group. Those of the
//! segments that have arrived or are finished come under the active segment's as well, and no other lock under them. The thread that
//! gives up the active segment looks at the pending group again, so a record whose writer found the segment taken is never left behind.

mod cleaning;
mod counters;
mod errand;
mod pending;
mod segments;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a failing test says so by panicking")]
mod tests;
mod writes;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use grampus_base::events::{EventQueue, Level, Topic, count};
use grampus_base::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use grampus_base::sync::thread::{self, JoinHandle};
use grampus_base::sync::{Condvar, Mutex};
use grampus_base::{Error, ErrorKind, Result, Retry};
use grampus_env::Env;

use self::counters::WalCounters;
use self::errand::Errands;
use self::pending::Pending;
use super::finished::FinishedSegments;
use super::group::{Group, LARGE_BYTES};
use super::record::Record;
use super::region_log::{RegionLog, SegmentRegions};
use super::segment::SegmentWriter;
use super::settled::SettledMarks;
use crate::{Durability, Follower, LogProgress, Need};

/// Groups of other callers that one writes behind its own before it goes on.
const GROUPS_AFTER_OWN_MAX: usize = 2;
/// Large buffers kept for the next large records; fresh memory costs more than what is written to it.
const SPARE_BUFFERS_MAX: usize = 4;
/// Larger buffers are given back.
const SPARE_BYTES_MAX: usize = 8 << 20;
/// The longest that ASYNC_WAL records wait for others to be written with, unless enough of them come before.
const LAZY_WAIT: Duration = Duration::from_millis(10);

/// Bytes in the pending group from which on a batch has it written before it goes on.
const PENDING_BYTES_MAX: usize = 4 << 20;
/// A log's segment may have so many times the bytes that it is closed at: a fresh one may be long in coming.
const SEGMENT_ROOM: u64 = 2;
/// Behind so many times these bytes the log waits for a fresh one.
const LONGEST_SEGMENT: u64 = 4;
/// Fresh segments that are tried at least for a group that cannot be written; then the log is poisoned.
const REWRITES_MAX: u32 = 5;
/// Where a flush is not cheap more of them are tried until this time has passed, with pauses between them: a name node may be starting. One
/// attempt may take minutes, so the least number holds as well.
const REMOTE_REWRITES_NANOS: u64 = 30_000_000_000;
/// Pause before the second of these segments; doubled before each further one.
const REWRITE_PAUSE_MS: u64 = 100;
/// The longest of these pauses.
const REWRITE_PAUSE_MS_MAX: u64 = 2000;

/// The longest that the end of a log waits for its segments to be closed and moved away, where that is other machines' work. What stays is
/// recovered and read by the split of the log, which finds nothing in it that is not in files.
const END_WAIT: Duration = Duration::from_secs(30);

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
struct Active {
    writer: Option<SegmentWriter>,
    regions: SegmentRegions,
    last_name_millis: i64,
    /// Failures in a row to begin a fresh segment.
    roll_retry: Retry,
    /// Groups in the segment that no sync has covered yet though a record of theirs wants one. When the segment fails they are written once
    /// more with the group that failed: what was promised to be on the medium never depends on a sync of a broken file.
    unsynced: Vec<Group>,
}

/// What happens when a log is lost.
pub type OnLoss = Box<dyn Fn() + Send + Sync>;

/// A write-ahead log.
pub struct Wal {
    env: Arc<dyn Env>,
    settings: WalSettings,
    /// The thread that commits a small group writes it. Else the log's thread and threads of pools write: a flush waits for other machines.
    inline: bool,
    /// After a sync that failed nothing is known of what the medium has: the log is lost. So it is on local disks, also of a server whose other
    /// files are remote, where `inline` is false. Else a segment whose sync failed is a broken one.
    failed_syncs_are_final: bool,
    progress: Arc<LogProgress>,
    on_loss: OnLoss,
    pending: Mutex<Pending>,
    wake: Condvar,
    active: Mutex<Active>,
    /// Segments that rolls have created, which wait for the active one.
    arrived: Mutex<Vec<SegmentWriter>>,
    /// Creation time of the active segment; at most that of the first one before it is there, and the highest number after the end.
    active_since_millis: AtomicI64,
    finished: FinishedSegments,
    settled: SettledMarks,
    followers: Mutex<Vec<Weak<dyn Follower>>>,
    events: Arc<EventQueue>,
    /// A segment could not be moved away, and that was said.
    archive_failed: AtomicBool,
    /// The lease of a segment could not be recovered, and that was said.
    recovery_failed: AtomicBool,
    /// Settled marks could not be removed, and that was said.
    settled_failed: AtomicBool,
    spare: Mutex<Vec<Vec<u8>>>,
    /// Where a flush is cheap: a segment was put aside.
    clean_up_wanted: AtomicBool,
    errands: Errands,
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
        let wal = Arc::new(Wal::new(env, settings, on_loss, events, settled));
        if !wal.settings.meta {
            let mut active = wal.active.lock();
            wal.begin_first(&mut active)?;
        }
        if let Err(e) = wal.start_threads() {
            wal.stop_errands(END_WAIT);
            return Err(e);
        }
        Ok(wal)
    }

    /// A log without a segment and without its thread.
    fn new(
        env: Arc<dyn Env>,
        settings: WalSettings,
        on_loss: OnLoss,
        events: Arc<EventQueue>,
        settled: SettledMarks,
    ) -> Wal {
        Wal {
            inline: env.flush_is_cheap(),
            failed_syncs_are_final: env.failed_syncs_are_final(&settings.dir),
            env,
            settings,
            progress: Arc::default(),
            on_loss,
            pending: Mutex::default(),
            wake: Condvar::new(),
            active: Mutex::new(Active::default()),
            arrived: Mutex::default(),
            active_since_millis: AtomicI64::new(0),
            finished: FinishedSegments::default(),
            settled,
            followers: Mutex::default(),
            events,
            archive_failed: AtomicBool::new(false),
            recovery_failed: AtomicBool::new(false),
            settled_failed: AtomicBool::new(false),
            spare: Mutex::default(),
            clean_up_wanted: AtomicBool::new(false),
            errands: Errands::default(),
            thread: Mutex::new(None),
            counters: WalCounters::default(),
        }
    }

    fn start_threads(self: &Arc<Self>) -> Result<()> {
        if !self.inline {
            self.start_errands()?;
        }
        let wal = self.clone();
        *self.thread.lock() = Some(self.spawn("wal", move || wal.run_contained())?);
        Ok(())
    }

    fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
        let thread = thread::Builder::new().name(name.to_string()).spawn(work);
        thread.map_err(|e| Error::io("start a thread for", &self.settings.dir, e))
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
            // ASYNC_WAL edits may wait still; they must not come into a later segment than the mark says. Nor must those to whose group a
            // sync is owed, which would move on if the segment broke.
            self.write_pending(&mut active, true);
            self.progress.check()?;
            let has_edits = active.regions.have(region) || self.finished.have(region);
            has_edits.then_some(active.last_name_millis)
        };
        self.wake_for_pending();
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

    /// Fails when another server is about to recover this log, or has: the master takes this one for dead and has renamed the directory, or
    /// deleted it. The log is lost then. Asks the file system.
    pub fn check_ours(&self) -> Result<()> {
        self.progress.check()?;
        let dir = &self.settings.dir;
        if !self.env.exists(dir).map_err(|e| Error::io("look for log directory", dir, e))? {
            self.poison("its directory is gone, since another server recovers it");
        }
        self.progress.check()
    }

    /// First part of its segments' names: the server's.
    pub fn name(&self) -> &str {
        &self.settings.prefix
    }

    /// How far it has come.
    pub fn progress(&self) -> &Arc<LogProgress> {
        &self.progress
    }

    /// A buffer for a record of about `bytes` bytes.
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

    /// Adds a record to the pending group. Called under the lock that gives the region's sequence ids.
    pub fn append(
        &self,
        record: Record,
        sequence: u64,
        region: &Arc<RegionLog>,
        durability: Durability,
    ) -> Result<Need> {
        self.progress.check()?;
        self.counters.append_bytes.add(record.len() as u64, 1);
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
        // log's thread never waits for company when a commit finds the segment taken.
        if matches!(need, Need::Synced(_)) {
            pending.sync = true;
            pending.group.want_sync();
            if pending.sync_regions.last().is_none_or(|last| !Arc::ptr_eq(last, region)) {
                pending.sync_regions.push(region.clone());
            }
        }
        pending.urgent |= need != Need::Nothing;
        Ok(need)
    }

    /// Sees to it that what was appended so far becomes as durable as asked: written here and now when that is cheap, by the
    /// log's thread otherwise. Does not wait, so that event loops may call it.
    pub fn commit(&self, durability: Durability) -> Result<()> {
        {
            let mut pending = self.pending.lock();
            if pending.group.is_empty() && !pending.sync {
                return Ok(());
            }
            if !self.inline || durability <= Durability::Async || !pending.is_small() {
                pending.urgent |= durability > Durability::Async;
                if pending.is_due() || !std::mem::replace(&mut pending.announced, true) {
                    self.wake.notify_one();
                }
                return Ok(());
            }
        }
        let Some(mut active) = self.active.try_lock() else { return self.progress.check() };
        self.write_small(&mut active); // what is not small any more is left to the log's thread below
        let outcome = self.progress.check(); // of this group: a later one that fails is not this caller's
        self.release_active(active);
        outcome
    }

    /// Writes what is pending when that is much, so that a batch whose edits are larger than its request does not keep them all in memory.
    /// Waits for the segment: for threads of a pool that hold no locks. What is to be synced still is.
    pub fn write_if_much(&self) -> Result<()> {
        if self.pending.lock().group.bytes() >= PENDING_BYTES_MAX {
            let mut active = self.active.lock();
            self.write_pending(&mut active, false);
            self.release_active(active);
        }
        self.progress.check()
    }

    fn monotonic_millis(&self) -> i64 {
        i64::try_from(self.env.monotonic_nanos() / 1_000_000).unwrap_or(i64::MAX)
    }

    /// Nothing more is acknowledged or becomes visible; the process must end, and says why.
    pub fn poison(&self, why: &str) {
        if !self.progress.fail(why) {
            return; // the first call reports it, and tells all that wait
        }
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

    /// Writes what is pending, ends the segment and stops the threads. Fails when the log has edits that are in no file: when it was lost, or
    /// a region was not closed in order. What goes wrong with segments that nothing is left to recover from is said and is no failure.
    pub fn close(&self) -> Result<()> {
        self.close_within(END_WAIT)
    }

    /// Waits so long for what other machines have to do, behind the last write.
    fn close_within(&self, wait: Duration) -> Result<()> {
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
            let ended = if self.ends_aside() {
                Ok(())
            } else {
                append_end(&mut writer).and_then(|()| self.sync(&mut writer))
            };
            let regions = std::mem::take(&mut active.regions);
            self.put_aside(writer, regions, ended);
            self.active_since_millis.store(i64::MAX, Ordering::Release);
        }
        drop(active);
        self.clean_up();
        if self.stop_errands(wait) {
            self.note_settled(&self.settled.remove_if_empty());
        } else {
            self.say_left();
        }
        self.check_in_files()
    }

    /// Whether a log that has ended has no edit alone.
    fn check_in_files(&self) -> Result<()> {
        self.progress.check()?;
        let late = self.finished.late_regions();
        let Some(first) = late.first() else { return Ok(()) };
        let (regions, dir) = (count(late.len() as u64, "region"), self.settings.dir.display());
        let text = format!(
            "edits of {regions}, {first} for one, are in the log in {dir} alone; the next start recovers them from there"
        );
        Err(Error::new(ErrorKind::Io, text))
    }
}

/// Appends the record that says that the segment was ended in order.
fn append_end(writer: &mut SegmentWriter) -> io::Result<()> {
    let end = Record::end(writer.records()).map_err(|e| io::Error::other(e.message))?;
    writer.append(&end.with_sequence(0), 0)
}
