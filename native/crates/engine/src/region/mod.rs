//! A region: a row range of a table with its stores.
//!
//! A write's way: row locks, updates lock (shared), sequence id and log buffer, memtables, row locks released, log written, read point
//! advanced. Invariants: 1. flushed sequence <= read point <= last sequence. 2. The updates lock, held alone, means that every id
//! given so far is in the memtables.

mod archiving;
pub(crate) mod atomic;
mod backpressure;
pub(crate) mod cached_pages;
mod carried_tags;
mod compacted;
pub(crate) mod compacting;
pub(crate) mod compactions;
mod cut_edits;
mod edit;
mod file_totals;
pub(crate) mod flushing;
mod lifecycle;
pub(crate) mod limits;
mod load_gate;
mod load_request;
mod loading;
pub(crate) mod mutating;
mod nonce_handover;
pub(crate) mod nonces;
pub(crate) mod open_request;
mod pieces;
mod read_points;
pub(crate) mod reading;
mod recovered;
mod replay;
mod replayed_ids;
mod row_clock;
pub(crate) mod row_locks;
mod scan_sources;
pub(crate) mod scanner;
pub(crate) mod scanners;
mod scanning;
mod shared;
mod shared_stamps;
pub(crate) mod snapshot;
mod split_point;
pub(crate) mod stats;
mod steady_clock;
pub(crate) mod store;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result, Retry, printable};
use grampus_cells::RowOrder;
use grampus_memtable::Memtable;
use grampus_store::flush::FlushReason;
use grampus_wal::{Durability, RegionLog, Wal};
use parking_lot::{Mutex, RwLock};

use self::backpressure::WriteThrottle;
use self::compacted::Compacted;
use self::limits::Limits;
use self::load_gate::LoadGate;
use self::nonces::Owner;
pub(crate) use self::read_points::{ReadPin, ReadPoints};
pub(crate) use self::row_clock::RowClock;
use self::row_locks::RowLocks;
use self::scanners::OpenScanners;
pub(crate) use self::shared::{Logs, Shared};
use self::shared_stamps::SharedStamps;
pub use self::stats::{RegionStats, StoreStats};
pub(crate) use self::steady_clock::SteadyClock;
use self::store::Store;
use crate::mvcc::Mvcc;

/// How a mutation batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutateStatus {
    /// Applied and durable as asked; the output is the reply.
    Done,
    /// Applied; the reply may leave when the token is completed.
    Pending,
    /// Nothing happened; run again without NON_BLOCKING.
    WouldBlock,
    /// Nothing happened; run again with ADMITTED after this time. No thread is needed to wait.
    Wait(Duration),
}

/// How a get into a growing buffer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetStatus {
    /// The output holds the reply.
    Done,
    /// Run again without NON_BLOCKING.
    WouldBlock,
}

/// How a get into a fixed buffer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetOutcome {
    /// Bytes written.
    Done(usize),
    /// Run again without NON_BLOCKING.
    WouldBlock,
    /// The fewest bytes that the buffer must hold.
    NeedBytes(usize),
}

/// An open region.
pub struct Region {
    shared: Arc<Shared>,
    table: String,
    encoded: String,
    dir: PathBuf,
    /// Its `recovered.edits`.
    edits_dir: PathBuf,
    start_key: Vec<u8>,
    end_key: Vec<u8>,
    order: RowOrder,
    read_only: bool,
    durability: Durability,
    /// The table's COMPACTION_ENABLED.
    compaction_enabled: bool,
    flush_bytes: Option<u64>,
    limits: Limits,
    stores: Vec<Store>,
    compacted: Compacted,
    mvcc: Arc<Mvcc>,
    wal: Arc<Wal>,
    log: Arc<RegionLog>,
    locks: RowLocks,
    /// Tells the rows of this region from others' in the shared [`RowClock`].
    clock_seed: u32,
    /// The largest timestamp in the [`RowClock`], for the region's close.
    latest_stamp: AtomicI64,
    shared_stamps: SharedStamps,
    updates: RwLock<()>,
    closing: AtomicBool,
    read_points: Arc<ReadPoints>,
    scanners: OpenScanners,
    /// The highest read point up to which flushes and compactions were allowed to drop versions.
    dropped_to: AtomicU64,
    memtable_bytes: AtomicU64,
    open_sequence: u64,
    replayed_edits: u64,
    /// Whose the nonces of its increments and appends are.
    nonce_owner: Owner,
    closed: AtomicBool,
    flushing: Mutex<()>,
    /// Held while files are loaded.
    loading: Mutex<()>,
    load_gate: LoadGate,
    /// A load has happened, or may have, and is not shown: until it is, perhaps by the next open, nothing may be merged past its files.
    load_is_hidden: AtomicBool,
    flush_wanted: AtomicBool,
    flush_retry: Retry,
    /// Since when a flush waits for compactions, 0 when none does.
    flush_held_millis: AtomicI64,
    write_throttle: WriteThrottle,
    /// When the oldest edit came into the active memtables, 0 when they are empty.
    first_edit_millis: AtomicI64,
}

impl Region {
    /// Encoded region name.
    pub fn encoded_name(&self) -> &str {
        &self.encoded
    }

    /// Refuses work while the region closes.
    pub(crate) fn check_serving(&self) -> Result<()> {
        if self.closing.load(Ordering::Acquire) {
            return Err(Error::new(ErrorKind::NotServing, format!("Region {} is closing", self.encoded)));
        }
        Ok(())
    }

    fn check_writable(&self) -> Result<()> {
        self.check_serving()?;
        self.wal.progress().check()?;
        if self.read_only || self.shared.config.read_only {
            return Err(Error::new(ErrorKind::BadRequest, format!("region {} is read only", self.encoded)));
        }
        Ok(())
    }

    /// True when a row lies in the region.
    pub(crate) fn contains_row(&self, row: &[u8]) -> bool {
        (self.start_key.is_empty() || self.order.compare(row, &self.start_key).is_ge())
            && (self.end_key.is_empty() || self.order.compare(row, &self.end_key).is_lt())
    }

    fn check_row(&self, row: &[u8]) -> Result<()> {
        if row.is_empty() {
            return Err(Error::new(ErrorKind::BadRequest, "Row length is 0"));
        }
        if self.contains_row(row) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::WrongRegion, self.out_of_range(row)))
    }

    fn out_of_range(&self, row: &[u8]) -> String {
        format!(
            "Requested row out of range for row lock on HRegion {}, startKey='{}', getEndKey()='{}', row='{}'",
            self.encoded,
            printable(&self.start_key),
            printable(&self.end_key),
            printable(row)
        )
    }

    fn store_index(&self, family: &[u8]) -> Result<usize> {
        self.stores.iter().position(|store| store.config.name == family).ok_or_else(|| {
            Error::new(
                ErrorKind::NoSuchFamily,
                format!(
                    "Column family {} does not exist in region {} in table {}",
                    printable(family),
                    self.encoded,
                    self.table
                ),
            )
        })
    }

    /// hbase:meta, whose edits may be what relieves a full server.
    fn is_meta(&self) -> bool {
        self.table == "hbase:meta"
    }

    /// Milliseconds since 1970, by the clock of the server's timestamps.
    fn now(&self) -> i64 {
        self.shared.clock.now(&*self.shared.env, &self.shared.events)
    }

    /// Of a clock that never goes back.
    pub(crate) fn monotonic_nanos(&self) -> u64 {
        self.shared.env.monotonic_nanos()
    }

    fn has_files(&self) -> bool {
        self.stores.iter().any(Store::has_files)
    }

    /// Memtables grew: asks for a flush when a limit is passed.
    fn grow(&self, bytes: u64) {
        let own = self.memtable_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.shared.pressure.grow(bytes);
        if self.first_edit_millis.load(Ordering::Relaxed) == 0 {
            self.first_edit_millis.store(self.shared.monotonic_millis(), Ordering::Relaxed);
        }
        // After a failed flush the tick asks for the next one: writes would ask again and again.
        if self.flush_bytes.is_some_and(|limit| own >= limit)
            && !self.flush_retry.is_pending()
            && !self.flush_wanted.swap(true, Ordering::AcqRel)
        {
            self.shared.maintenance.want_flush(&self.encoded, FlushReason::RegionFull);
        }
        if self.shared.pressure.wants_relief(self.shared.config.flush_pressure_bytes()) {
            self.shared.maintenance.want_relief();
        }
    }

    /// Memtables have left their stores: they are the region's no more, and count until the last read that uses them has let go.
    fn leave_behind<'t>(&self, tables: impl IntoIterator<Item = &'t Arc<Memtable>>) {
        for table in tables {
            self.memtable_bytes.fetch_sub(
                table.leave_store(|bytes| Box::new(self.shared.pressure.pin(bytes))),
                Ordering::Relaxed,
            );
        }
    }

    /// Refuses reads of a region that is closed: of the memtables that they found some may be gone.
    pub(crate) fn check_memtables(&self) -> Result<()> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::new(ErrorKind::NotServing, format!("Region {} is closed", self.encoded)));
        }
        Ok(())
    }

    /// Memory of all memtables.
    pub(crate) fn pressure(&self) -> &crate::pressure::Pressure {
        &self.shared.pressure
    }

    /// Scanners that are open.
    pub(crate) fn scanners(&self) -> &OpenScanners {
        &self.scanners
    }

    /// True when no flush runs and no failed one is to be waited for, by the monotonic clock.
    pub(crate) fn may_flush(&self, now: i64) -> bool {
        !self.flushing.is_locked() && self.flush_retry.may_try(now)
    }

    /// The region in a sentence.
    pub(crate) fn title(&self) -> String {
        format!("region {} of {}", self.encoded, self.table)
    }

    /// Whether the oldest unflushed edit is older than an interval, by the monotonic clock.
    pub(crate) fn is_due(&self, now: i64, interval_millis: i64) -> bool {
        let first = self.first_edit_millis.load(Ordering::Acquire);
        interval_millis > 0 && first > 0 && now - first >= interval_millis
    }

    /// Bytes in memtables.
    pub fn memtable_bytes(&self) -> u64 {
        self.memtable_bytes.load(Ordering::Relaxed)
    }
}
