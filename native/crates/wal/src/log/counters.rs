//! What a log has done since its start.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use grampus_base::Histogram;
use grampus_base::sync::Mutex;

use super::super::group::Group;
use super::super::table_appends::TableAppends;

/// An append that took longer is a slow one, as in HBase.
const SLOW_MILLIS: u64 = 1000;
const NANOS_PER_MILLI: u64 = 1_000_000;

/// Counters of a log. Any thread reads them.
#[derive(Default)]
pub struct WalCounters {
    /// Bytes of each record appended.
    pub append_bytes: Histogram,
    /// How long a record's group took to be given to the segment, for each record, in milliseconds.
    pub append_millis: Histogram,
    /// How long a group took from there to where a write waits for it: the operating system, or the medium where that is asked for.
    pub sync_millis: Histogram,
    /// Records whose group took longer than a second.
    pub slow_appends: AtomicU64,
    /// Bytes written.
    pub bytes: AtomicU64,
    /// Groups written.
    pub groups: AtomicU64,
    /// Syncs, those included that are one step with a write.
    pub syncs: AtomicU64,
    /// Segments begun.
    pub rolls: AtomicU64,
    /// Fresh segments that were wanted because the active one was large.
    pub size_rolls: AtomicU64,
    /// Attempts to go on with a fresh segment because a write to the active one failed, on a local disk its end record included.
    pub error_rolls: AtomicU64,
    /// Writes and flushes that failed.
    pub failed_writes: AtomicU64,
    /// Syncs that failed.
    pub failed_syncs: AtomicU64,
    /// Fresh segments that could not be begun.
    pub failed_rolls: AtomicU64,
    /// Finished segments that could not be closed, remote ones also because their end record could not be written.
    pub failed_closes: AtomicU64,
    /// Finished segments that could not be moved away.
    pub failed_archives: AtomicU64,
    tables: Mutex<HashMap<String, Arc<TableAppends>>>,
}

impl WalCounters {
    /// Records appended.
    pub fn appends(&self) -> u64 {
        self.append_bytes.count()
    }

    /// The tables with records in the log since its start, in no order: name, records and their bytes.
    pub fn tables(&self) -> Vec<(String, u64, u64)> {
        let tables = self.tables.lock();
        tables.iter().map(|(name, table)| (name.clone(), table.records.get(), table.bytes.get())).collect()
    }

    /// A group was written, or an empty one synced: how long it took to be given to the segment, and from there to where its writes wait for it.
    pub(super) fn written(&self, group: &Group, append_nanos: u64, sync_nanos: u64) {
        let append_millis = append_nanos / NANOS_PER_MILLI;
        if append_millis > SLOW_MILLIS {
            add(&self.slow_appends, group.records());
        }
        self.append_millis.add(append_millis, group.records());
        self.sync_millis.add(sync_nanos / NANOS_PER_MILLI, 1);
        add(&self.groups, u64::from(!group.is_empty()));
        add(&self.bytes, group.bytes() as u64);
        for part in group.regions() {
            let table = part.region.appends_of_table(|table| self.table(table));
            table.records.add(part.records);
            table.bytes.add(part.bytes);
        }
    }

    fn table(&self, name: &str) -> Arc<TableAppends> {
        Arc::clone(self.tables.lock().entry(name.to_string()).or_default())
    }
}

fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, std::sync::atomic::Ordering::Relaxed);
}
