//! The engine's settings.

use std::path::Path;
use std::time::Duration;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::TierConfig;
use grampus_env::Env;
use serde::Deserialize;

/// `open` of `docs/jni.md`; every key has a default, an unknown one is refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(crate) struct Config {
    /// Limit of all memtables together.
    pub memtable_bytes: u64,
    /// Size of the block cache in memory.
    pub block_cache_bytes: u64,
    /// Its second tier; absent = none.
    pub block_cache_tier: Option<TierConfig>,
    /// Bytes that running reads of large pages may take together, beside the cache.
    pub large_read_bytes: u64,
    /// A log segment is closed when it is larger.
    pub wal_segment_bytes: u64,
    /// What SYNC_WAL means.
    pub wal_sync: WalSync,
    /// A split leaves out what it cannot read of a segment, and keeps its bytes.
    pub wal_split_skip_errors: bool,
    /// Global pressure: the largest region is flushed when all memtables together hold more.
    pub flush_bytes: Option<u64>,
    /// A region is flushed when it holds more and its table does not say otherwise; absent = only pressure, age and log size count.
    pub region_flush_bytes: Option<u64>,
    /// No cell may be larger.
    pub max_cell_bytes: u64,
    /// No result may have more of one store.
    pub max_row_bytes: u64,
    /// How long a call waits for row locks.
    pub row_lock_wait_millis: u64,
    /// The longest that a flush waits for the log.
    pub log_wait_millis: u64,
    /// Threads that flush.
    pub flush_threads: usize,
    /// Threads for small compactions.
    pub small_compaction_threads: usize,
    /// Threads for large compactions.
    pub large_compaction_threads: usize,
    /// Bytes per second that compactions may write together while no store has too many files; absent = no limit.
    pub compaction_bytes_per_second: Option<u64>,
    /// The same when a store is about to block flushes.
    pub compaction_bytes_per_second_max: Option<u64>,
    /// Compactions run.
    pub compactions: bool,
    /// A compaction collects no larger row; absent = a quarter of the memtables' limit.
    pub compaction_row_bytes_max: Option<u64>,
    /// How long flushes wait for compactions of stores with too many files.
    pub blocking_wait_millis: i64,
    /// How long nonces are remembered.
    pub nonce_ttl_millis: i64,
    /// Edits older than this are flushed.
    pub flush_interval_millis: i64,
    /// Puts may not be further in the future; absent = no limit.
    pub timestamp_slop_millis: Option<i64>,
    /// All regions refuse mutations.
    pub read_only: bool,
}

/// What SYNC_WAL means.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WalSync {
    /// The operating system has the edit, or the memory of data nodes.
    Flush,
    /// It outlives the machine of its server: `Flush` where files are on other machines, and `Fsync` where the operating system keeps them.
    Machine,
    /// The medium has it.
    Fsync,
}

impl WalSync {
    /// Whether SYNC_WAL means FSYNC_WAL in a log's directory.
    pub(crate) fn is_fsync(self, env: &dyn Env, dir: &Path) -> bool {
        match self {
            WalSync::Flush => false,
            WalSync::Machine => env.failed_syncs_are_final(dir), // a flush only reaches this machine's operating system
            WalSync::Fsync => true,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            memtable_bytes: 512 << 20,
            block_cache_bytes: 512 << 20,
            block_cache_tier: None,
            large_read_bytes: 64 << 20,
            wal_segment_bytes: 128 << 20,
            wal_sync: WalSync::Flush,
            wal_split_skip_errors: false,
            flush_bytes: None,
            region_flush_bytes: None,
            max_cell_bytes: 10 << 20,
            max_row_bytes: 1 << 30,
            row_lock_wait_millis: 30_000,
            log_wait_millis: 60_000,
            flush_threads: 2,
            small_compaction_threads: 1,
            large_compaction_threads: 1,
            compaction_bytes_per_second: None,
            compaction_bytes_per_second_max: None,
            compactions: true,
            compaction_row_bytes_max: None,
            blocking_wait_millis: 90_000,
            nonce_ttl_millis: 30 * 60 * 1000,
            flush_interval_millis: 60 * 60 * 1000,
            timestamp_slop_millis: None,
            read_only: false,
        }
    }
}

impl Config {
    /// Parses and checks the settings.
    pub(crate) fn parse(json: &str) -> Result<Config> {
        let bad = |message: String| Error::new(ErrorKind::BadRequest, message);
        let config: Config = serde_json::from_str(json).map_err(|e| bad(format!("engine settings: {e}")))?;
        if config.memtable_bytes == 0 || config.wal_segment_bytes == 0 {
            return Err(bad("memtableBytes and walSegmentBytes must be above 0".to_string()));
        }
        if config.flush_threads == 0
            || config.small_compaction_threads == 0
            || config.large_compaction_threads == 0
        {
            return Err(bad(
                "flushThreads, smallCompactionThreads and largeCompactionThreads must be above 0".to_string(),
            ));
        }
        config.block_cache_tier.as_ref().map_or(Ok(()), TierConfig::check)?;
        Ok(config)
    }

    /// Bytes per second of compactions, from calm to pressed.
    pub(crate) fn compaction_budget(&self) -> Option<(u64, u64)> {
        let lower = self.compaction_bytes_per_second?;
        Some((lower, self.compaction_bytes_per_second_max.unwrap_or(lower).max(lower)))
    }

    /// Bytes that nonces may take, out of those of memtables.
    pub(crate) fn nonce_bytes(&self) -> u64 {
        self.memtable_bytes / 4
    }

    /// Bytes of a row that a compaction may collect in memory.
    pub(crate) fn compaction_row_bytes(&self) -> u64 {
        self.compaction_row_bytes_max.unwrap_or(self.memtable_bytes / 4)
    }

    /// How long a call waits for row locks.
    pub(crate) fn row_lock_wait(&self) -> Duration {
        Duration::from_millis(self.row_lock_wait_millis)
    }

    /// The longest that a flush waits for the log.
    pub(crate) fn log_wait(&self) -> Duration {
        Duration::from_millis(self.log_wait_millis)
    }

    /// Bytes of memtables above which the largest region is flushed.
    pub(crate) fn flush_pressure_bytes(&self) -> u64 {
        self.flush_bytes.unwrap_or(self.memtable_bytes / 10 * 6).min(self.memtable_bytes)
    }

    /// Bytes of memtables above which writes are slowed down.
    pub(crate) fn slow_down_bytes(&self) -> u64 {
        self.memtable_bytes / 100 * 85
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_refused_and_every_key_has_a_default() {
        assert!(Config::parse("{\"memstoreByte\":1}").is_err());
        assert_eq!(Config::parse("{}").unwrap().max_cell_bytes, 10 << 20);
        assert!(Config::parse("{\"walSync\":\"maybe\"}").is_err());
    }
    #[test]
    fn a_tier_without_room_or_place_is_refused_in_a_sentence() {
        let tier = |text: &str| Config::parse(&format!("{{\"blockCacheTier\":{text}}}"));
        let fine = tier("{\"paths\":[\"/a\",\"/b\"],\"bytes\":2097153}").unwrap().block_cache_tier.unwrap();
        assert_eq!((fine.bytes_per_path(), fine.reserve), (1 << 20, false));
        for (text, why) in [
            ("{\"paths\":[],\"bytes\":2097152}", "no path"),
            ("{\"paths\":[\"a\"],\"bytes\":2097152}", "not absolute"),
            ("{\"paths\":[\"/a\",\"/b\",\"/c\"],\"bytes\":2097152}", "less than 1 MiB"),
            ("{\"paths\":[\"/a\"]}", "bytes"),
            ("{\"paths\":[\"/a\"],\"bytes\":2097152,\"index\":\"i\"}", "not absolute"),
        ] {
            let refusal = tier(text).unwrap_err().message;
            assert!(refusal.contains(why), "{refusal}");
        }
    }
}
