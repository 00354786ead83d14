//! Records that wait for their group to be written.

use std::sync::Arc;

use super::record::Record;
use super::region_log::RegionLog;

/// A record of at least this size is moved into the group instead of copied.
pub(crate) const LARGE_BYTES: usize = 64 * 1024;

/// A group of records in the order in which they were appended.
#[derive(Default)]
pub(crate) struct Group {
    chunks: Vec<Vec<u8>>,
    last_is_open: bool,
    bytes: usize,
    records: u64,
    wants_sync: bool,
    regions: Vec<RegionPart>,
}

/// A region's records in a group.
pub(crate) struct RegionPart {
    /// The region.
    pub(crate) region: Arc<RegionLog>,
    /// Highest sequence id of the records.
    pub(crate) highest: u64,
    /// How many there are.
    pub(crate) records: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
}

impl Group {
    /// Adds a record.
    pub(crate) fn push(&mut self, record: Record, sequence: u64, region: &Arc<RegionLog>) {
        let len = record.len();
        let bytes = record.with_sequence(sequence);
        match self.chunks.last_mut() {
            Some(open) if self.last_is_open && len < LARGE_BYTES => open.extend_from_slice(&bytes),
            _ => {
                self.chunks.push(bytes);
                self.last_is_open = len < LARGE_BYTES;
            }
        }
        self.bytes += len;
        self.records += 1;
        let bytes = len as u64;
        match self.regions.iter_mut().rev().find(|part| Arc::ptr_eq(&part.region, region)) {
            Some(part) => {
                part.highest = sequence;
                part.records += 1;
                part.bytes += bytes;
            }
            None => {
                let region = Arc::clone(region);
                self.regions.push(RegionPart { region, highest: sequence, records: 1, bytes });
            }
        }
    }

    /// One of its records is acknowledged only after a sync.
    pub(crate) fn want_sync(&mut self) {
        self.wants_sync = true;
    }

    /// See [`Group::want_sync`].
    pub(crate) fn wants_sync(&self) -> bool {
        self.wants_sync
    }

    /// The bytes, piece by piece.
    pub(crate) fn chunks(&self) -> &[Vec<u8>] {
        &self.chunks
    }

    /// The buffers, to be used again.
    pub(crate) fn into_chunks(self) -> Vec<Vec<u8>> {
        self.chunks
    }

    /// Length of all records.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of records.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// True before the first record.
    pub(crate) fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// The regions with records in the group.
    pub(crate) fn regions(&self) -> &[RegionPart] {
        &self.regions
    }
}
