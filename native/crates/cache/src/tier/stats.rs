//! The tier's numbers.

/// Counters since the start, and gauges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TierStats {
    /// Pages found.
    pub hit_count: u64,
    /// Those of reads that let pages into the cache.
    pub hit_caching_count: u64,
    /// Pages that were not here either.
    pub miss_count: u64,
    /// Those of reads that let pages into the cache.
    pub miss_caching_count: u64,
    /// Pages that left because their segment was needed.
    pub eviction_count: u64,
    /// Pages written.
    pub write_count: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Pages not let in: too many were waiting, or larger than a segment.
    pub drop_count: u64,
    /// Pages that were not what had been written.
    pub damaged_count: u64,
    /// Pages that can be read.
    pub page_count: u64,
    /// Their bytes.
    pub used_bytes: u64,
    /// Bytes that wait to be written; they are in memory.
    pub queued_bytes: u64,
    /// Bytes that the paths in use have room for.
    pub capacity_bytes: u64,
    /// Paths in the settings.
    pub path_count: u64,
    /// Those that are not used any more.
    pub failed_path_count: u64,
}
