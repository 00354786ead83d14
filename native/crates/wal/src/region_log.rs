//! A region as the log sees it, and the regions of a segment.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use grampus_base::sync::atomic::{AtomicU64, Ordering};

use super::table_appends::TableAppends;
use crate::Follower;

/// A region as the log sees it.
pub struct RegionLog {
    /// Table name as records carry it.
    pub table: String,
    /// Encoded region name as records carry it.
    pub encoded: String,
    /// Every edit up to here is in column files; `u64::MAX` once the region is closed in order.
    flushed: AtomicU64,
    /// The last round in which it kept a segment that should go.
    marked: AtomicU64,
    /// Where its table's records are counted, once it has one.
    table_appends: OnceLock<Arc<TableAppends>>,
    pub(super) follower: Arc<dyn Follower>,
}

impl RegionLog {
    /// A region whose edits up to `flushed` need no log.
    pub fn new(table: &str, encoded: &str, flushed: u64, follower: Arc<dyn Follower>) -> Arc<RegionLog> {
        let flushed = AtomicU64::new(flushed);
        Arc::new(RegionLog {
            table: table.to_string(),
            encoded: encoded.to_string(),
            flushed,
            marked: AtomicU64::new(0),
            table_appends: OnceLock::new(),
            follower,
        })
    }

    /// Every edit up to `sequence` is in column files.
    pub fn set_flushed(&self, sequence: u64) {
        self.flushed.fetch_max(sequence, Ordering::AcqRel);
    }

    /// Where its table's records are counted; a log finds it by the table's name, once.
    pub(super) fn appends_of_table(&self, find: impl FnOnce(&str) -> Arc<TableAppends>) -> &TableAppends {
        self.table_appends.get_or_init(|| find(&self.table))
    }

    pub(super) fn mark(&self, round: u64) {
        self.marked.store(round, Ordering::Relaxed);
    }

    /// Whether it kept a segment that should go in a round, counted from 1.
    pub fn was_marked(&self, round: u64) -> bool {
        self.marked.load(Ordering::Relaxed) == round
    }

    /// See [`RegionLog::set_flushed`].
    pub fn flushed(&self) -> u64 {
        self.flushed.load(Ordering::Acquire)
    }
}

/// The regions with edits in a segment, and the highest sequence id of each.
#[derive(Default)]
pub(super) struct SegmentRegions(HashMap<String, (Arc<RegionLog>, u64)>);

impl SegmentRegions {
    /// The segment has a region's edits up to an id.
    pub(super) fn note(&mut self, region: &Arc<RegionLog>, highest: u64) {
        match self.0.get_mut(&region.encoded) {
            Some(known) if Arc::ptr_eq(&known.0, region) => known.1 = highest,
            Some(known) => {
                // The region was closed and opened again here; if it was not closed in order, its old edits stay needed.
                let old_needed = known.0.flushed() < known.1;
                let old = std::mem::replace(known, (region.clone(), highest));
                if old_needed {
                    self.0.insert(format!("{}#{highest}", region.encoded), old);
                }
            }
            None => {
                self.0.insert(region.encoded.clone(), (region.clone(), highest));
            }
        }
    }

    /// Whether the segment has edits of a region, also of an earlier opening.
    pub(super) fn have(&self, region: &RegionLog) -> bool {
        self.0.contains_key(&region.encoded)
    }

    /// Those whose edits here are not all in files.
    pub(super) fn late(&self) -> impl Iterator<Item = &RegionLog> {
        let late = self.0.values().filter(|(region, highest)| region.flushed() < *highest);
        late.map(|(region, _)| region.as_ref())
    }
}
