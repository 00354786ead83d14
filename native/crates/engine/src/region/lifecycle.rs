//! Opening and closing a region: sequence ids, recovered edits.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use grampus_base::events::{EventQueue, Level, Topic};
use grampus_base::{Error, ErrorKind, Result, Retry, contain, crash_point};
use grampus_env::Env;
use grampus_store::fileset::{CheckOurs, OpenReport, StoreDir};
use grampus_store::flush::FlushReason;
use grampus_store::load::{self, LoadRecovery, Openings};
use grampus_wal::{Durability, RegionLog, Wal};
use parking_lot::{Mutex, RwLock};

use super::Region;
use super::Shared;
use super::backpressure::WriteThrottle;
use super::compacted::Compacted;
use super::limits::Limits;
use super::load_gate::LoadGate;
use super::nonce_handover::RegionNonces;
use super::nonces::Owner;
use super::open_request::OpenRequest;
use super::read_points::ReadPoints;
use super::recovered::{EDITS_DIRECTORY, EditsFile, Recovered, delete_if_there};
use super::replay::Replay;
use super::row_locks::RowLocks;
use super::scanners::OpenScanners;
use super::shared_stamps::SharedStamps;
use super::store::Store;
use crate::mvcc::Mvcc;

/// Attempts to close a region whose files are on other machines.
const REMOTE_CLOSES_MAX: u32 = 30;
/// Pause between two of them.
const CLOSE_PAUSE_MS: u64 = 1000;
/// No attempt begins later than this after the first: each may wait for data nodes that hang, and a server has a limited time to stop.
const REMOTE_CLOSE_MS: i64 = 60_000;

/// Writes the mark of a sequence id and removes the older ones.
fn write_mark(env: &dyn Env, dir: &Path, sequence: u64, older: &[(u64, PathBuf)]) -> io::Result<()> {
    env.mkdir_durably(dir)?;
    env.create_mark(&dir.join(Recovered::mark_name(sequence)))?;
    for (_, old) in older.iter().filter(|(mark, _)| *mark < sequence) {
        delete_if_there(env, old)?;
    }
    Ok(())
}

/// Lists the edits that the last server had not flushed, and ends what a crash has left half done: files of edits, and bulk loads.
fn recover_directories(shared: &Shared, request: &OpenRequest, edits_dir: &Path) -> Result<Recovered> {
    let title = request.title();
    let recovered = Recovered::list_both(&*shared.env, edits_dir, &request.region_edits_dir())?;
    recovered.delete_unfinished(&*shared.env)?;
    let last = recovered.highest_mark();
    for done in load::recover(&*shared.env, &request.region_dir, Openings::All { last })? {
        report_load(&shared.events, &title, &done);
    }
    Ok(recovered)
}

impl Region {
    /// Opens a region: its files, then the edits that its last server had not flushed.
    pub(crate) fn open(shared: Arc<Shared>, wal: Arc<Wal>, request: &OpenRequest) -> Result<Arc<Region>> {
        let opening = shared.nonces.opening();
        let region = Region::open_as(opening.owner, Arc::clone(&shared), wal, request)?;
        opening.succeed();
        Ok(region)
    }

    fn open_as(
        owner: Owner,
        shared: Arc<Shared>,
        wal: Arc<Wal>,
        request: &OpenRequest,
    ) -> Result<Arc<Region>> {
        request.order()?; // an impossible one is refused before anything on disk changes
        wal.check_ours()?; // and so is one that comes too late
        let edits_dir = request.edits_dir();
        let recovered = recover_directories(&shared, request, &edits_dir)?;
        let stores = open_stores(&shared, &wal, request)?;
        let (title, region_dir) = (request.title(), request.region_edits_dir());
        let nonces = RegionNonces { shared: &shared, owner, title, dir: &edits_dir, region_dir: &region_dir };
        let are_of_others = nonces.load(&recovered, &stores);
        let replay = Replay::run(&shared, &recovered, request, owner, &stores)?;
        let in_files = stores.iter().map(Store::flushed_sequence).max().unwrap_or(0);
        // What the master made anew under an old name may know no higher id than 0, and the log still has the old region's edits.
        let settled = wal.settled(&request.encoded_name);
        let highest = replay.highest.max(recovered.highest_mark()).max(in_files).max(settled);
        let open_sequence = highest + 1;
        write_mark(&*shared.env, &edits_dir, open_sequence, &recovered.marks)
            .map_err(|e| Error::io("write a sequence id file below", &edits_dir, e))?;
        if are_of_others {
            nonces.save(open_sequence); // a compaction forgets whose files the region had
        }
        let region =
            Region::new(Arc::clone(&shared), wal, request, stores, open_sequence, replay.edits, owner)?;
        let region = Arc::new(region);
        // Whatever ends it, no memtable goes on counting that nothing flushes any more.
        if let Err(e) = contain("an open of a region", || region.flush_replay(replay.bytes, &recovered)) {
            region.forget_memtables();
            return Err(e);
        }
        Ok(region)
    }

    /// A region over stores that have all edits before a sequence id, with no call in it yet.
    fn new(
        shared: Arc<Shared>,
        wal: Arc<Wal>,
        request: &OpenRequest,
        stores: Vec<Store>,
        open_sequence: u64,
        replayed_edits: u64,
        nonce_owner: Owner,
    ) -> Result<Region> {
        let mvcc = Mvcc::of_log(&wal, open_sequence, Arc::clone(&shared.completions));
        let log = RegionLog::new(&request.table, &request.encoded_name, open_sequence, mvcc.clone());
        Ok(Region {
            table: request.table.clone(),
            encoded: request.encoded_name.clone(),
            dir: request.region_dir.clone(),
            edits_dir: request.edits_dir(),
            start_key: request.start_key()?,
            end_key: request.end_key()?,
            order: request.order()?,
            read_only: request.read_only,
            durability: Durability::from_code(request.durability, Durability::Sync)?,
            compaction_enabled: request.compaction_enabled,
            flush_bytes: request.region_flush_bytes.or(shared.config.region_flush_bytes),
            limits: Limits::new(&request.limits, &shared.config),
            stores,
            compacted: Compacted::default(),
            mvcc,
            wal,
            log,
            locks: RowLocks::default(),
            clock_seed: crc32c::crc32c(request.encoded_name.as_bytes()),
            latest_stamp: AtomicI64::new(0),
            shared_stamps: SharedStamps::default(),
            updates: RwLock::new(()),
            closing: AtomicBool::new(false),
            read_points: Arc::new(ReadPoints::default()),
            scanners: OpenScanners::default(),
            dropped_to: AtomicU64::new(0),
            memtable_bytes: AtomicU64::new(0),
            open_sequence,
            replayed_edits,
            nonce_owner,
            closed: AtomicBool::new(false),
            flushing: Mutex::new(()),
            loading: Mutex::new(()),
            load_gate: LoadGate::default(),
            load_is_hidden: AtomicBool::new(false),
            flush_wanted: AtomicBool::new(false),
            flush_retry: Retry::default(),
            flush_held_millis: AtomicI64::new(0),
            write_throttle: WriteThrottle::default(),
            first_edit_millis: AtomicI64::new(0),
            shared,
        })
    }

    /// Puts what was replayed into files.
    fn flush_replay(&self, bytes: u64, recovered: &Recovered) -> Result<()> {
        self.grow(bytes);
        crash_point!("recovery.after_replay_before_flush");
        self.flush_memtables(FlushReason::Recovered)?;
        self.delete_edits(recovered)
    }

    /// The replayed edits are in files: what they came from goes.
    fn delete_edits(&self, recovered: &Recovered) -> Result<()> {
        crash_point!("recovery.after_flush_before_delete");
        for EditsFile { path, .. } in &recovered.edits {
            delete_if_there(&*self.shared.env, path).map_err(|e| Error::io("delete", path, e))?;
        }
        let dirs: BTreeSet<&Path> = recovered.edits.iter().filter_map(|file| file.path.parent()).collect();
        for dir in dirs {
            // Edits that a machine's death brings back later would be replayed into files that the master has changed meanwhile.
            self.shared.env.sync_dir(dir).map_err(|e| Error::io("sync directory", dir, e))?;
        }
        Ok(())
    }

    /// Closes the region; with `abort` without a flush. Later calls on it are `NotServing`. After an error it may be closed again.
    pub fn close(&self, abort: bool) -> Result<()> {
        self.closing.store(true, Ordering::Release);
        self.shared.maintenance.budget.wake();
        // A load that is under way gives up or ends.
        drop(self.loading.lock());
        // Writes that were under way have ended when the lock is had.
        drop(self.updates.write());
        if self.closed.load(Ordering::Acquire) {
            return Ok(());
        }
        if !abort {
            self.close_patiently()?;
        }
        if !self.closed.swap(true, Ordering::AcqRel) {
            self.end_compactions();
            self.await_clock();
            let cached = self.stores.iter().filter_map(|store| store.files.close());
            cached.for_each(|store| self.shared.closed_stores.add(store));
            self.shared.forget(&self.encoded);
            self.shared.nonces.forget(self.nonce_owner);
            self.forget_memtables();
            self.scanners.let_go();
        }
        Ok(())
    }

    /// Lets go of what is in memory, which an abort has not flushed.
    fn forget_memtables(&self) {
        for store in &self.stores {
            let memtables = store.take_memtables();
            self.leave_behind(std::iter::once(&memtables.active).chain(&memtables.immutable));
        }
    }

    /// Closes in order. Where the files are on other machines, failures are tried again for a while: a close that fails ends the server, and a
    /// name node may be starting, or a data node hang, which the log outlives. HBase does so with the flush
    /// (`hbase.hstore.flush.retries.number`). A log that is lost is another kind of error, and ends the close at once.
    fn close_patiently(&self) -> Result<()> {
        let env = &*self.shared.env;
        let mut attempts = if env.flush_is_cheap() { 1 } else { REMOTE_CLOSES_MAX };
        let last_begin = self.shared.monotonic_millis() + REMOTE_CLOSE_MS;
        loop {
            attempts -= 1;
            let ended = self.close_in_order();
            let may_pass = |e: &Error| matches!(e.kind, ErrorKind::Io | ErrorKind::Timeout);
            if attempts == 0 || !ended.as_ref().is_err_and(may_pass) {
                return ended;
            }
            env.pause_millis(CLOSE_PAUSE_MS);
            if self.shared.monotonic_millis() > last_begin {
                return ended;
            }
        }
    }

    fn close_in_order(&self) -> Result<()> {
        self.flush_memtables(FlushReason::Closing)?;
        self.end_loads()?;
        self.archive_for_close()?;
        let last = self.mvcc.last_given();
        let edits_dir = &self.edits_dir;
        let region_dir = &self.dir.join(EDITS_DIRECTORY);
        let recovered = Recovered::list_both(&*self.shared.env, edits_dir, region_dir)?;
        crash_point!("close.after_flush_before_mark");
        let (shared, owner, title) = (&*self.shared, self.nonce_owner, self.title());
        let nonces = RegionNonces { shared, owner, title, dir: edits_dir, region_dir };
        let are_saved = nonces.save(last);
        write_mark(&*self.shared.env, edits_dir, last, &recovered.marks)
            .map_err(|e| Error::io("write a sequence id file below", edits_dir, e))?;
        if are_saved {
            nonces.remove_older(&recovered, last)?;
        }
        crash_point!("close.after_mark_before_settled");
        self.wal.settle(&self.log, last)?;
        self.wal.clean_up();
        Ok(())
    }

    /// What is behind the mark may be split or merged, file by file: no load may be there in part, and no file that is its client's. Those that
    /// their client's directory does not take leave the region: it must not decide whether a region can be closed.
    fn end_loads(&self) -> Result<()> {
        let env = &*self.shared.env;
        for done in load::recover(env, &self.dir, Openings::UpTo(self.open_sequence))? {
            let LoadRecovery::Waiting { error, dir } = &done else {
                self.report_load_recovery(&done);
                continue;
            };
            let Some(root) = self.stores.first().map(|store| &store.files.dir().root) else { continue };
            let place = load::set_aside(env, dir, root, &self.encoded)?;
            let text = format!(
                "files of a bulk load into {} that did not happen cannot go back to where they came from, and are in {}: {error}",
                self.title(),
                place.display()
            );
            self.shared.events.report(Level::Error, Topic::Load, text);
        }
        Ok(())
    }

    /// Says what became of a load that did not come to its end.
    pub(super) fn report_load_recovery(&self, done: &LoadRecovery) {
        report_load(&self.shared.events, &self.title(), done);
    }

    /// Gives up the compactions that wait, and waits for those that run, which notice the closing at their next row.
    pub(super) fn end_compactions(&self) {
        self.shared.maintenance.drop_compactions(Some(&self.encoded));
        self.forget_compactions();
        self.stores.iter().for_each(|store| store.compactions.wait_until_idle());
    }
}

fn open_stores(shared: &Shared, wal: &Arc<Wal>, request: &OpenRequest) -> Result<Vec<Store>> {
    let (namespace, table) = grampus_base::table_parts(&request.table);
    let order = request.order()?;
    let check_ours: CheckOurs = Arc::new({
        let wal = Arc::clone(wal);
        move || wal.check_ours()
    });
    let mut stores = Vec::new();
    for family in request.families()? {
        let name = String::from_utf8(family.name.clone()).map_err(|_| {
            Error::new(ErrorKind::BadRequest, "a family name that is not UTF-8 cannot be a directory")
        })?;
        let dir = StoreDir::new(&request.root_dir, namespace, table, &request.encoded_name, &name);
        let (store, report) =
            Store::open(&shared.env, &shared.cache, dir, family, order, check_ours.clone())?;
        report_open(&shared.events, request, &name, &report);
        stores.push(store);
    }
    Ok(stores)
}

/// Says what lay in a store's directory besides its files.
fn report_open(events: &EventQueue, request: &OpenRequest, family: &str, report: &OpenReport) {
    let groups = [
        (Level::Info, "files that a compaction had replaced went to the archive", &report.archived),
        (Level::Info, "unfinished files were deleted", &report.deleted),
        (Level::Warn, "names that are no store file's are left alone; move them away", &report.ignored),
    ];
    for (level, what, names) in groups.into_iter().filter(|(_, _, names)| !names.is_empty()) {
        let text = format!(
            "store {family} of region {} of {}: {what}: {}",
            request.encoded_name,
            request.table,
            names.join(", ")
        );
        events.report(level, Topic::Open, text);
    }
}

/// Says what became of a load that did not come to its end.
fn report_load(events: &EventQueue, title: &str, done: &LoadRecovery) {
    let all = |files: &[PathBuf]| {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        format!("[{}]", names.join(", "))
    };
    let (level, what) = match done {
        LoadRecovery::Completed { placed, left } => {
            let mut what = format!("a bulk load that was interrupted is complete: {}", all(placed));
            left.iter()
                .for_each(|error| what.push_str(&format!("; what it has moved is still there: {error}")));
            (if left.is_empty() { Level::Info } else { Level::Warn }, what)
        }
        LoadRecovery::Undone(back) => (
            Level::Info,
            format!("a bulk load that was interrupted did not happen, its files are back: {}", all(back)),
        ),
        LoadRecovery::Waiting { error, .. } => {
            let what = format!(
                "a bulk load that was interrupted did not happen, and its files wait in .load until they can go back: {error}"
            );
            (Level::Error, what)
        }
    };
    let text = format!("{title}: {what}");
    events.report(level, Topic::Load, text);
}
