//! What a region says about itself.

use std::fmt;

use grampus_base::to_hex;
use grampus_store::fileset::BloomCounters;
use serde_json::{Value, json};

use super::Region;
use super::file_totals::FileTotals;
use super::store::Store;

/// What a region says about itself: sizes in bytes, times in milliseconds since the epoch.
#[derive(Clone, Debug)]
pub struct RegionStats {
    /// Encoded region name.
    pub region: String,
    /// The numbers with their names, in the order in which they cross (docs/jni.md).
    pub numbers: [(&'static str, u64); RegionStats::NUMBERS],
    /// In the order of their families.
    pub stores: Vec<StoreStats>,
}

/// What a store says about itself.
#[derive(Clone, Debug)]
pub struct StoreStats {
    /// The family's name.
    pub family: Vec<u8>,
    /// Its files.
    pub files: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// Every edit up to here is in its files.
    pub flushed_sequence: u64,
}

impl RegionStats {
    /// How many numbers there are.
    pub const NUMBERS: usize = 27;
}

/// As JSON, for tests.
impl fmt::Display for RegionStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = |store: &StoreStats| {
            json!({
                "family": to_hex(&store.family),
                "files": store.files,
                "bytes": store.bytes,
                "flushedSequence": store.flushed_sequence,
            })
        };
        let mut all: serde_json::Map<String, Value> =
            self.numbers.iter().map(|(name, number)| ((*name).to_string(), json!(number))).collect();
        all.insert("stores".to_string(), self.stores.iter().map(store).collect());
        write!(f, "{}", Value::Object(all))
    }
}

impl Region {
    /// Sizes and counters.
    pub fn stats(&self) -> RegionStats {
        let mut totals = FileTotals::default();
        let stores: Vec<StoreStats> =
            self.stores.iter().map(|store| store_stats(store, &mut totals)).collect();
        let (cells_total, cells_read) =
            self.stores.iter().map(|s| s.compactions.progress()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let millis = |time: Option<i64>| time.unwrap_or(0).cast_unsigned();
        let blooms = |of: fn(&BloomCounters) -> u64| self.stores.iter().map(|s| of(s.files.blooms())).sum();
        let numbers = [
            ("memtableBytes", self.memtable_bytes()),
            ("storeFileBytes", totals.bytes),
            ("ownFileBytes", totals.own_bytes),
            ("uncompressedBytes", totals.raw_bytes),
            ("openFileBytes", totals.open_bytes),
            ("footerBytes", totals.footer_bytes),
            ("bloomBytes", totals.bloom_bytes),
            ("storeFileCount", totals.files as u64),
            ("largestStoreFileCount", totals.largest_store as u64),
            ("referenceCount", totals.references as u64),
            ("fileReaders", totals.readers as u64),
            ("replacedFileReaders", totals.replaced_readers as u64),
            ("oldestFileMillis", millis(totals.oldest_millis)),
            ("newestFileMillis", millis(totals.newest_millis)),
            ("sumOfFileMillis", totals.sum_of_millis.cast_unsigned()),
            ("flushedSequence", self.flushed_sequence()),
            ("lastMajorMillis", millis(totals.oldest_major_millis)),
            ("compactionState", self.compaction_state()),
            ("compactingCells", cells_total),
            ("compactedCells", cells_read),
            ("compactions", self.compacted.count.get()),
            ("failedCompactions", self.compacted.failed.get()),
            ("compactedFiles", self.compacted.files.get()),
            ("compactedBytes", self.compacted.bytes.get()),
            ("bloomsAsked", blooms(BloomCounters::asked)),
            ("bloomsDenied", blooms(BloomCounters::denied)),
            ("bloomsUnknown", blooms(BloomCounters::unknown)),
        ];
        RegionStats { region: self.encoded.clone(), numbers, stores }
    }

    /// Number of the region's files.
    pub(crate) fn file_count(&self) -> u64 {
        self.stores.iter().map(|store| store.file_size().0 as u64).sum()
    }

    /// HBase's CompactionState over all stores: 1 minor, 2 major, 3 both.
    fn compaction_state(&self) -> u64 {
        let now = self.shared.monotonic_millis();
        let kinds = self.stores.iter().map(|store| store.compactions.kinds(now));
        let (minor, major) = kinds.fold((false, false), |a, b| (a.0 || b.0, a.1 || b.1));
        u64::from(minor) | u64::from(major) << 1
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
fn store_stats(store: &Store, totals: &mut FileTotals) -> StoreStats {
    let files = store.files.snapshot();
    totals.add(&files);
    StoreStats {
        family: store.config.name.to_vec(),
        files: files.files().len() as u64,
        bytes: files.bytes(),
        flushed_sequence: files.max_sequence(),
    }
}
