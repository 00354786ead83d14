//! What a region says about itself.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::Region;
use super::open_request::to_hex;
use crate::fileset::StoreFile;

impl Region {
    /// Sizes and counters as JSON.
    pub fn stats_json(&self) -> String {
        let stores: Vec<Value> = self
            .stores
            .iter()
            .map(|store| {
                let (files, bytes) = store.file_size();
                json!({
                    "family": to_hex(&store.config.name),
                    "files": files,
                    "bytes": bytes,
                    "flushedSequence": store.flushed_sequence(),
                })
            })
            .collect();
        let (files, bytes) =
            self.stores.iter().map(|s| s.file_size()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let (cells_total, cells_read) =
            self.stores.iter().map(|s| s.compactions.progress()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        json!({
            "memstoreBytes": self.memstore_bytes(),
            "storeFileBytes": bytes,
            "storeFileCount": files,
            "readRequests": self.reads.load(Ordering::Relaxed),
            "writeRequests": self.writes.load(Ordering::Relaxed),
            "filteredReads": self.filtered.load(Ordering::Relaxed),
            "flushedSequence": self.flushed_sequence(),
            "lastSequence": self.mvcc.last_given(),
            "hasReferences": self.stores.iter().any(|s| s.has_references()),
            "referenceCount": self.files().filter(|f| f.is_reference()).count(),
            "largestStoreFileCount": self.stores.iter().map(|s| s.file_size().0).max(),
            "newestFileMillis": self.files().map(|f| f.facts().created_ms).max().unwrap_or(0),
            "oldestFileMillis": self.files().map(|f| f.facts().created_ms).min().unwrap_or(0),
            "sumOfFileMillis": self.files().map(|f| f.facts().created_ms).sum::<i64>(),
            "lastMajorMillis": self.last_major_ms(),
            "compactionState": self.compaction_state(),
            "compactingCells": cells_total,
            "compactedCells": cells_read,
            "stores": stores,
        })
        .to_string()
    }

    /// Number of the region's files.
    pub(crate) fn file_count(&self) -> u64 {
        self.files().count() as u64
    }

    fn files(&self) -> impl Iterator<Item = Arc<StoreFile>> {
        self.stores.iter().flat_map(|store| store.files.snapshot().files().to_vec())
    }

    /// As HBase reports it: the creation of the oldest file that a major compaction made, 0 without one.
    fn last_major_ms(&self) -> i64 {
        self.files().filter(|f| f.facts().major).map(|f| f.facts().created_ms).min().unwrap_or(0)
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
    pub fn flushed_sequence(&self) -> u64 {
        let visible = self.mvcc.read_point(); // before the memtables: what is on its way into them is above it
        let lowest = self.stores.iter().filter_map(|store| store.lowest_unflushed()).min();
        lowest.map_or(visible, |lowest| (lowest - 1).min(visible))
    }
}
