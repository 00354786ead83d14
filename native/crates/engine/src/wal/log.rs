//! A log: groups of records written to segments, rotation, and what each segment still holds up.
//!
//! Locks, in this order: active segment, a region's mvcc queue, pending group. Whoever gives up the active segment looks at the
//! pending group again, so a record whose writer found the segment taken is never left behind.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::finished::FinishedSegments;
use super::group::{Group, LARGE_BYTES};
use super::record::Record;
use super::region_log::{RegionLog, SegmentRegions};
use super::segment::{FLAG_META, SegmentWriter};
use crate::completion::{CompletionQueue, NO_CALL, POISONED};
use crate::crash_point;
use crate::env::Env;
use crate::error::{Error, ErrorKind, Result};
use crate::mvcc::{Mvcc, Need, Progress};
use crate::request::Durability;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use crate::sync::thread::{self, JoinHandle};
use crate::sync::{Condvar, Mutex};

/// A group up to this size is written by the caller when nobody else is writing.
const INLINE_BYTES_MAX: usize = 64 * 1024;
/// Large buffers kept for the next large records; fresh memory costs more than what is written to it.
const SPARE_BUFFERS_MAX: usize = 4;
/// Larger buffers are given back.
const SPARE_BYTES_MAX: usize = 8 << 20;
/// ASYNC_WAL records wait at most so long for company.
const LAZY_WAIT: Duration = Duration::from_millis(10);

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
}

struct Active {
    writer: Option<SegmentWriter>,
    regions: SegmentRegions,
    last_name_ms: i64,
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
}

/// A write-ahead log.
pub struct Wal {
    env: Arc<dyn Env>,
    settings: WalSettings,
    progress: Arc<Progress>,
    completions: Arc<CompletionQueue>,
    pending: Mutex<Pending>,
    wake: Condvar,
    active: Mutex<Active>,
    finished: FinishedSegments,
    regions: Mutex<Vec<Weak<Mvcc>>>,
    failure: Mutex<Option<String>>,
    spare: Mutex<Vec<Vec<u8>>>,
    clean_up_wanted: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// What it has done.
    pub counters: WalCounters,
}

impl Wal {
    /// Creates the directories and the first segment and starts the log's thread.
    pub fn start(
        env: Arc<dyn Env>,
        settings: WalSettings,
        completions: Arc<CompletionQueue>,
    ) -> Result<Arc<Wal>> {
        for dir in [&settings.dir, &settings.old_dir] {
            env.mkdir(dir).map_err(|e| Error::io("create directory", dir, e))?;
        }
        let wal = Arc::new(Wal {
            env,
            settings,
            progress: Arc::default(),
            completions,
            pending: Mutex::default(),
            wake: Condvar::new(),
            active: Mutex::new(Active { writer: None, regions: SegmentRegions::default(), last_name_ms: 0 }),
            finished: FinishedSegments::default(),
            regions: Mutex::default(),
            failure: Mutex::new(None),
            spare: Mutex::default(),
            clean_up_wanted: AtomicBool::new(false),
            thread: Mutex::new(None),
            counters: WalCounters::default(),
        });
        if !wal.settings.meta {
            let mut active = wal.active.lock();
            active.writer = Some(
                wal.create_segment(&mut active)
                    .map_err(|e| Error::io("create a log segment in", &wal.settings.dir, e))?,
            );
        }
        let thread = thread::Builder::new()
            .name("wal".to_string())
            .spawn({
                let wal = wal.clone();
                move || wal.run()
            })
            .map_err(|e| Error::io("start a thread for", &wal.settings.dir, e))?;
        *wal.thread.lock() = Some(thread);
        Ok(wal)
    }

    /// A region's ids above `last`, tied to this log.
    pub fn register(&self, last: u64) -> Arc<Mvcc> {
        let mvcc = Arc::new(Mvcc::new(last, self.progress.clone(), self.completions.clone()));
        let mut regions = self.regions.lock();
        regions.retain(|known| known.strong_count() > 0);
        regions.push(Arc::downgrade(&mvcc));
        mvcc
    }

    /// How far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// What made it fail, if it did.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().clone()
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
        pending.sync |= matches!(need, Need::Synced(_));
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
                self.wake.notify_one();
                return Ok(());
            }
        }
        if let Some(mut active) = self.active.try_lock() {
            self.write_pending(&mut active, false);
            let large = self.is_large(&active);
            drop(active);
            let mut pending = self.pending.lock();
            if !pending.group.is_empty() || large {
                pending.urgent = true;
                pending.rotate |= large; // a fresh segment takes a sync of the directory: not here
                self.wake.notify_one();
            }
        }
        self.progress.check()
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
                if !pending.urgent && !pending.sync && !pending.rotate && !pending.stop {
                    self.wake.wait_for(&mut pending, LAZY_WAIT);
                }
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
        let (group, end, sync) = {
            let mut pending = self.pending.lock();
            pending.urgent = false;
            let sync = may_sync && std::mem::take(&mut pending.sync);
            (std::mem::take(&mut pending.group), pending.end, sync)
        };
        if self.progress.check().is_err() || group.is_empty() && !sync {
            return;
        }
        match self.write_group(active, &group, sync) {
            Ok(()) => {
                self.progress.written.store(end, Ordering::Release);
                if sync {
                    self.progress.synced.store(end, Ordering::Release);
                }
                for (region, highest) in group.regions() {
                    active.regions.note(region, *highest);
                    region.mvcc.advance();
                }
                if sync {
                    self.advance_all();
                }
                self.recycle(group);
            }
            Err(e) => self.poison(&format!("{e}")),
        }
    }

    fn write_group(&self, active: &mut Active, group: &Group, sync: bool) -> io::Result<()> {
        crash_point!("ack.after_append_before_write");
        if !group.is_empty() {
            let written = self.write_to_active(active, group);
            if written.is_err() {
                // What reached the old segment is a torn tail or an edit that replay will meet twice; neither was acknowledged.
                // Records that were promised to be on the medium must be so before their segment is left.
                self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
                let fresh = self.create_segment(active)?;
                if sync || self.pending.lock().sync {
                    active.writer.as_mut().map_or(Ok(()), SegmentWriter::sync)?;
                }
                self.retire(active, fresh);
                self.write_to_active(active, group)?;
            }
            self.counters.groups.fetch_add(1, Ordering::Relaxed);
            self.counters.bytes.fetch_add(group.bytes() as u64, Ordering::Relaxed);
        }
        if sync && let Some(writer) = &mut active.writer {
            self.counters.syncs.fetch_add(1, Ordering::Relaxed);
            writer.sync()?;
        }
        crash_point!("ack.after_write_before_complete");
        Ok(())
    }

    fn write_to_active(&self, active: &mut Active, group: &Group) -> io::Result<()> {
        if active.writer.is_none() {
            active.writer = Some(self.create_segment(active)?);
        }
        let Some(writer) = &mut active.writer else { return Err(io::Error::other("no segment")) };
        for (i, chunk) in group.chunks().iter().enumerate() {
            writer.append(chunk, if i == 0 { group.records() } else { 0 })?;
        }
        writer.flush()
    }

    fn create_segment(&self, active: &mut Active) -> io::Result<SegmentWriter> {
        let millis = self.env.now_ms().max(active.last_name_ms + 1);
        active.last_name_ms = millis;
        let settings = &self.settings;
        let (name, flags) = if settings.meta {
            (format!("{}.meta.{millis}.meta", settings.prefix), FLAG_META)
        } else {
            (format!("{}.{millis}", settings.prefix), 0)
        };
        let writer = SegmentWriter::create(&*self.env, &settings.dir.join(name), flags)?;
        self.counters.rolls.fetch_add(1, Ordering::Relaxed);
        Ok(writer)
    }

    /// Puts the active segment aside and goes on with a fresh one.
    fn retire(&self, active: &mut Active, fresh: SegmentWriter) {
        if let Some(old) = active.writer.replace(fresh) {
            let regions = std::mem::take(&mut active.regions);
            self.finished.push(&old, regions);
            self.clean_up_wanted.store(true, Ordering::Release);
        }
    }

    fn is_large(&self, active: &Active) -> bool {
        active.writer.as_ref().is_some_and(|w| w.position() >= self.settings.segment_bytes)
    }

    fn rotate_if_large(&self, active: &mut Active) {
        self.pending.lock().rotate = false;
        if self.progress.check().is_ok()
            && self.is_large(active)
            && let Err(e) = self.rotate(active)
        {
            // The old segment is whole and goes on; the next group tries again.
            *self.failure.lock() = Some(format!("cannot begin a fresh log segment: {e}"));
        }
    }

    fn rotate(&self, active: &mut Active) -> io::Result<()> {
        let records = match &active.writer {
            Some(writer) => writer.records(),
            None => return Ok(()),
        };
        let fresh = self.create_segment(active)?;
        crash_point!("wal.rotate.after_create");
        if let Some(writer) = &mut active.writer {
            let end = Record::end(records).map_err(|e| io::Error::other(e.message))?;
            // An end record that cannot be written leaves a segment without one, which is read as well.
            let ended = writer.append(&end.with_sequence(0), 0).and_then(|()| writer.flush());
            if self.settings.always_fsync || self.pending.lock().sync {
                writer.sync()?;
            }
            if ended.is_err() {
                self.counters.error_rolls.fetch_add(1, Ordering::Relaxed);
            }
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
        if !self.pending.lock().group.is_empty() {
            self.wake.notify_one(); // whoever appended it found the segment taken
        }
        rotated.map_err(|e| Error::io("begin a log segment in", &self.settings.dir, e))?;
        self.clean_up();
        Ok(())
    }

    /// Moves segments that no region needs out of the directory.
    pub fn clean_up(&self) {
        self.finished.remove_unneeded(|path| self.archive(path));
    }

    fn archive(&self, path: &Path) -> io::Result<()> {
        crash_point!("wal.before_archive");
        let name = path.file_name().ok_or_else(|| io::Error::other("a segment without a name"))?;
        self.env.rename(path, &self.settings.old_dir.join(name))
    }

    /// Regions (by encoded name) that keep the oldest segments from being moved away, when more than `bytes` are held.
    pub fn regions_to_flush(&self, bytes: u64) -> Vec<String> {
        self.finished.holders(bytes)
    }

    /// Segments on disk and their bytes.
    pub fn size(&self) -> (usize, u64) {
        let (finished, bytes) = self.finished.size();
        (finished + 1, bytes)
    }

    fn advance_all(&self) {
        let regions: Vec<Arc<Mvcc>> = self.regions.lock().iter().filter_map(Weak::upgrade).collect();
        regions.iter().for_each(|mvcc| mvcc.advance());
    }

    fn poison(&self, why: &str) {
        *self.failure.lock() = Some(why.to_string());
        self.progress.poisoned.store(true, Ordering::Release);
        let regions: Vec<Arc<Mvcc>> = self.regions.lock().iter().filter_map(Weak::upgrade).collect();
        regions.iter().for_each(|mvcc| mvcc.fail());
        // The call whose own write failed has its error already and no token waits for it: the process must hear of the loss all the same.
        self.completions.push([NO_CALL], POISONED);
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
            self.poison("the log's thread panicked");
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
                *self.failure.lock() =
                    Some(format!("cannot end log segment {}: {e}", writer.path().display()));
            }
            let regions = std::mem::take(&mut active.regions);
            self.finished.push(&writer, regions);
        }
        drop(active);
        self.clean_up();
    }
}
