//! What a region says about itself.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::Region;
use super::open_request::to_hex;

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
            "compacting": self.stores.iter().any(|s| s.is_compacting()),
            "stores": stores,
        })
        .to_string()
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
