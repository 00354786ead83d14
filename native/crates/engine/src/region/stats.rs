//! What a region says about itself.

use std::sync::atomic::Ordering;

use grampus_base::to_hex;
use serde_json::{Value, json};

use super::Region;
use super::file_totals::FileTotals;
use super::store::Store;

impl Region {
    /// Sizes and counters as JSON.
    pub fn stats_json(&self) -> String {
        let mut totals = FileTotals::default();
        let stores: Vec<Value> = self.stores.iter().map(|store| store_stats(store, &mut totals)).collect();
        let (cells_total, cells_read) =
            self.stores.iter().map(|s| s.compactions.progress()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        json!({
            "memtableBytes": self.memtable_bytes(),
            "storeFileBytes": totals.bytes,
            "ownFileBytes": totals.own_bytes,
            "uncompressedBytes": totals.raw_bytes,
            "openFileBytes": totals.open_bytes,
            "footerBytes": totals.footer_bytes,
            "bloomBytes": totals.bloom_bytes,
            "storeFileCount": totals.files,
            "fileReaders": totals.readers,
            "replacedFileReaders": totals.replaced_readers,
            "readRequests": self.reads.load(Ordering::Relaxed),
            "writeRequests": self.writes.load(Ordering::Relaxed),
            "filteredReads": self.filtered.load(Ordering::Relaxed),
            "flushedSequence": self.flushed_sequence(),
            "lastSequence": self.mvcc.last_given(),
            "hasReferences": totals.references > 0,
            "referenceCount": totals.references,
            "largestStoreFileCount": totals.largest_store,
            "newestFileMillis": totals.newest_millis.unwrap_or(0),
            "oldestFileMillis": totals.oldest_millis.unwrap_or(0),
            "sumOfFileMillis": totals.sum_of_millis,
            "lastMajorMillis": totals.oldest_major_millis.unwrap_or(0),
            "compactionState": self.compaction_state(),
            "compactingCells": cells_total,
            "compactedCells": cells_read,
            "stores": stores,
        })
        .to_string()
    }

    /// Number of the region's files.
    pub(crate) fn file_count(&self) -> u64 {
        self.stores.iter().map(|store| store.file_size().0 as u64).sum()
    }

    /// HBase's CompactionState over all stores.
    fn compaction_state(&self) -> &'static str {
        let kinds = self.stores.iter().map(|store| store.compactions.kinds());
        match kinds.fold((false, false), |a, b| (a.0 || b.0, a.1 || b.1)) {
            (false, false) => "NONE",
            (true, false) => "MINOR",
            (false, true) => "MAJOR",
            (true, true) => "MAJOR_AND_MINOR",
        }
    }

    /// Sequence id of the open and replayed edits as JSON.
    pub fn open_report_json(&self) -> String {
        json!({"openSeqNum": self.open_sequence, "replayedEdits": self.replayed_edits}).to_string()
    }

    /// Every edit up to here is in column files: the lowest unflushed id - 1.
    pub(crate) fn flushed_sequence(&self) -> u64 {
        let visible = self.mvcc.read_point(); // before the memtables: what is on its way into them is above it
        let lowest = self.stores.iter().filter_map(|store| store.lowest_unflushed()).min();
        lowest.map_or(visible, |lowest| (lowest - 1).min(visible))
    }
}

/// A store's own numbers; its files are added to the totals.
fn store_stats(store: &Store, totals: &mut FileTotals) -> Value {
    let files = store.files.snapshot();
    totals.add(&files);
    json!({
        "family": to_hex(&store.config.name),
        "files": files.files().len(),
        "bytes": files.bytes(),
        "flushedSequence": files.max_sequence(),
    })
}
