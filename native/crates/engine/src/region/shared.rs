//! What the regions of an engine share.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use grampus_base::Result;
use grampus_base::events::EventQueue;
use grampus_cache::large_reads::LargeReads;
use grampus_cache::{BlockCache, Tier};
use grampus_env::Env;
use grampus_filter::pattern::PatternCompiler;
use grampus_store::fileset::ClosedStores;
use grampus_wal::Wal;
use parking_lot::{Mutex, RwLock};

use super::nonces::Nonces;
use super::{Region, RowClock, SteadyClock};
use crate::completion::CompletionQueue;
use crate::config::Config;
use crate::maintenance::{Budget, Maintenance, WorkCounters};
use crate::pressure::Pressure;

/// The write-ahead logs of an engine.
pub(crate) struct Logs {
    /// That of regions of tables.
    pub regions: Arc<Wal>,
    /// That of hbase:meta.
    pub meta: Arc<Wal>,
}

/// What regions share.
pub(crate) struct Shared {
    /// Disk, clock and randomness.
    pub env: Arc<dyn Env>,
    /// The settings.
    pub config: Config,
    /// Memory of all memtables.
    pub pressure: Arc<Pressure>,
    /// Pages of all files.
    pub cache: Arc<BlockCache>,
    /// Memory of reads of large pages.
    pub large_reads: Arc<LargeReads>,
    /// Stores that were closed while they had pages in the cache.
    pub closed_stores: ClosedStores,
    /// Background work.
    pub maintenance: Maintenance,
    /// What background work has done.
    pub counters: WorkCounters,
    /// Increments and appends that were executed, of all open regions.
    pub nonces: Nonces,
    /// What timestamps are given by.
    pub clock: SteadyClock,
    /// Timestamps of rows that were written in this millisecond.
    pub row_clock: RowClock,
    /// Evaluates the patterns that the engine leaves to Java.
    pub patterns: Arc<dyn PatternCompiler>,
    /// What is to be logged.
    pub events: Arc<EventQueue>,
    /// Mutations that are durable.
    pub completions: Arc<CompletionQueue>,
    /// Those that are open, by their encoded names.
    pub regions: Mutex<BTreeMap<String, Weak<Region>>>,
    /// The write-ahead logs, once they are started.
    pub logs: RwLock<Option<Logs>>,
}

impl Shared {
    /// Of an engine without regions, whose logs are not started. Opens the second tier of the block cache.
    pub(crate) fn new(
        env: Arc<dyn Env>,
        patterns: Arc<dyn PatternCompiler>,
        config: Config,
    ) -> Result<Shared> {
        let events = Arc::new(EventQueue::default());
        let (slow_from, limit) = (config.slow_down_bytes(), config.memtable_bytes);
        let pressure = Arc::new(Pressure::new(slow_from, limit, env.clone(), events.clone()));
        let tier = config.block_cache_tier.as_ref().map(|tier| Tier::open(tier, &events)).transpose()?;
        let cache = Arc::new(BlockCache::over(config.block_cache_bytes, tier, &events));
        let large_reads = LargeReads::new(config.large_read_bytes);
        let (nonce_ttl_millis, nonce_bytes) = (config.nonce_ttl_millis, config.nonce_bytes());
        let nonces = Nonces::new(nonce_ttl_millis, nonce_bytes, pressure.clone(), events.clone());
        let maintenance = Maintenance::new(Budget::new(config.compaction_budget()), config.compactions);
        Ok(Shared {
            env,
            config,
            pressure,
            cache,
            large_reads,
            closed_stores: ClosedStores::default(),
            maintenance,
            counters: WorkCounters::default(),
            nonces,
            clock: SteadyClock::default(),
            row_clock: RowClock::default(),
            patterns,
            events,
            completions: Arc::default(),
            regions: Mutex::default(),
            logs: RwLock::new(None),
        })
    }

    /// The region is closed.
    pub(crate) fn forget(&self, encoded: &str) {
        self.regions.lock().remove(encoded);
    }

    /// Milliseconds of a clock that never goes back; never 0, which may stand for "not yet".
    pub(crate) fn monotonic_millis(&self) -> i64 {
        i64::try_from(self.env.monotonic_nanos() / 1_000_000 + 1).unwrap_or(i64::MAX)
    }

    /// An open region by its encoded name.
    pub(crate) fn open_region(&self, encoded: &str) -> Option<Arc<Region>> {
        self.regions.lock().get(encoded).and_then(Weak::upgrade)
    }

    /// Marks the regions whose flush would free the oldest log segments, when the logs hold too much.
    pub(crate) fn mark_log_holders(&self, round: u64) {
        let limit = self.config.memtable_bytes.saturating_mul(2).max(self.config.wal_segment_bytes);
        if let Some(logs) = &*self.logs.read() {
            [&logs.regions, &logs.meta].iter().for_each(|wal| wal.mark_holders(limit, round));
        }
    }

    /// Has segments of the logs closed and moved away that were put aside.
    pub(crate) fn clean_up_logs(&self) {
        let logs = self.logs.read().as_ref().map(|logs| [logs.regions.clone(), logs.meta.clone()]);
        logs.iter().flatten().for_each(|wal| wal.clean_up_if_wanted());
    }

    /// The open regions.
    pub(crate) fn open_regions(&self) -> Vec<Arc<Region>> {
        self.regions.lock().values().filter_map(Weak::upgrade).collect()
    }
}
