//! What was appended and not yet taken for a write.

use std::sync::Arc;

use super::super::group::Group;
use super::super::region_log::RegionLog;

/// A group up to this size is written by the caller when no other thread is writing.
const INLINE_BYTES_MAX: usize = 64 * 1024;
/// Enough company for ASYNC_WAL records: the group is worth a write of its own.
const LAZY_BYTES_MAX: usize = 1 << 20;

/// The pending group and what is wanted of it.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) group: Group,
    /// Position of the log after the group.
    pub(super) end: u64,
    /// A record of the group, or of one before it, asks for a sync.
    pub(super) sync: bool,
    /// A caller waits for a record of the group.
    pub(super) urgent: bool,
    /// A fresh segment is to be begun.
    pub(super) rotate: bool,
    /// The log is being closed; nothing more is appended.
    pub(super) stop: bool,
    /// Regions with a record that the next sync is for; the same one may be here more than once.
    pub(super) sync_regions: Vec<Arc<RegionLog>>,
    /// The log's thread knows that there is a group; one that waits for company need not be woken by each record.
    pub(super) announced: bool,
}

/// A group that was taken for a write.
pub(super) struct Taken {
    pub(super) group: Group,
    /// Position of the log after it.
    pub(super) end: u64,
    /// It is to be synced.
    pub(super) sync: bool,
    /// The regions that wait for that.
    pub(super) sync_regions: Vec<Arc<RegionLog>>,
}

impl Pending {
    /// A caller may write the group, which asks for no more than a short write.
    pub(super) fn is_small(&self) -> bool {
        !self.sync && self.group.bytes() <= INLINE_BYTES_MAX
    }

    /// Nothing more is waited for.
    pub(super) fn is_due(&self) -> bool {
        self.urgent || self.sync || self.rotate || self.stop || self.group.bytes() >= LAZY_BYTES_MAX
    }

    /// Takes the group. A sync that is asked for stays asked for unless it is taken with the group.
    pub(super) fn take(&mut self, may_sync: bool) -> Taken {
        self.urgent = false;
        self.announced = false;
        let sync = may_sync && std::mem::take(&mut self.sync);
        let sync_regions = if sync { std::mem::take(&mut self.sync_regions) } else { Vec::new() };
        Taken { group: std::mem::take(&mut self.group), end: self.end, sync, sync_regions }
    }
}
