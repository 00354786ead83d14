//! The engine's counters and gauges by name, its histograms, and the work that is done, for the server, which publishes them.

use std::sync::atomic::Ordering::Relaxed;

use grampus_base::Histogram;
use grampus_cache::TierStats;
use grampus_wal::Wal;
use serde_json::{Map, Value, json};

use crate::maintenance::{CompactionCounters, FinishedWork, FlushCounters, LoadCounters};
use crate::region::Shared;

/// Named numbers, and histograms; a name is a path below `engine`.
#[derive(Default)]
struct Metrics {
    numbers: Map<String, Value>,
    histograms: Map<String, Value>,
}

impl Metrics {
    fn set(&mut self, path: &str, value: impl Into<Value>) {
        self.numbers.insert(format!("engine.{path}"), value.into());
    }

    fn histogram(&mut self, path: &str, name: &str, values: &Histogram) {
        self.histograms.insert(format!("engine.{path}.{name}"), json!(values.values()));
    }

    fn all(&mut self, path: &str, values: &[(&str, u64)]) {
        values.iter().for_each(|(name, value)| self.set(&format!("{path}.{name}"), *value));
    }

    /// One JSON object: the numbers, and beside them the histograms, the counters of tables and the work that is done.
    fn into_json(self, tables: Map<String, Value>, finished: Vec<Value>) -> String {
        let mut all = self.numbers;
        all.insert("histograms".to_string(), Value::Object(self.histograms));
        all.insert("tables".to_string(), Value::Object(tables));
        all.insert("work".to_string(), Value::Array(finished));
        Value::Object(all).to_string()
    }
}

/// All numbers of this moment as one JSON object, with the work that is done and has a higher number than `work`.
pub(crate) fn snapshot(shared: &Shared, logs: &[(&str, &Wal)], work: u64) -> String {
    let mut metrics = Metrics::default();
    metrics.set("regions", shared.open_regions().len());
    memstore(&mut metrics, shared);
    block_cache(&mut metrics, shared);
    open_files(&mut metrics, shared);
    flushes(&mut metrics, &shared.counters.flushes);
    loads(&mut metrics, &shared.counters.loads);
    compactions(&mut metrics, "compaction.minor", &shared.counters.minor);
    compactions(&mut metrics, "compaction.major", &shared.counters.major);
    maintenance(&mut metrics, shared);
    let (bytes, refused) = shared.large_reads.stats();
    metrics.all("large_reads", &[("bytes", bytes), ("refused_count", refused)]);
    metrics.set("wal_split.left_out_parts", shared.counters.log_parts_left_out.get());
    metrics.set("wal_split.left_out_bytes", shared.counters.log_bytes_left_out.get());
    metrics.set("clock.set_back", shared.clock.times_set_back());
    metrics.set("memory.trim_count", shared.counters.trims.get());
    metrics.set("memory.trim_millis", shared.counters.trim_millis.get());
    shared.cache.io_times().all().iter().for_each(|(name, times)| metrics.histogram("files", name, times));
    logs.iter().for_each(|(name, wal)| log(&mut metrics, name, wal));
    let finished = shared.counters.finished.after(work).iter().map(finished_work).collect();
    metrics.into_json(tables(logs), finished)
}

fn maintenance(metrics: &mut Metrics, shared: &Shared) {
    metrics.set("compaction.failed_count", shared.counters.failed_compactions.get());
    metrics.set("compaction.damaged_inputs", shared.counters.damaged_inputs.get());
    metrics.set("compaction.large_row_inputs", shared.counters.large_row_inputs.get());
    metrics.set("compaction.budget_wait_millis", shared.maintenance.budget.waited_millis.get());
    let waiting = shared.maintenance.waiting();
    metrics.set("flush.queue_length", waiting.flushes);
    metrics.set("compaction.look_queue_length", waiting.looks);
    metrics.set("compaction.small_queue_length", waiting.small);
    metrics.set("compaction.large_queue_length", waiting.large);
    metrics.set("compaction.pressure_percent", shared.maintenance.budget.pressure_percent());
    metrics.set("maintenance.tick_count", shared.maintenance.tick_count());
    metrics.set("maintenance.panics", shared.maintenance.panics.get());
}

fn finished_work(work: &FinishedWork) -> Value {
    json!({
        "number": work.number,
        "kind": work.kind.name(),
        "table": work.table,
        "millis": work.millis,
        "inputFiles": work.input_files,
        "inputBytes": work.input_bytes,
        "outputBytes": work.output_bytes,
    })
}

/// Records and bytes in the log of regions by table; that of hbase:meta has one table only.
fn tables(logs: &[(&str, &Wal)]) -> Map<String, Value> {
    let tables = logs.iter().flat_map(|(_, wal)| wal.counters.tables());
    tables.map(|(name, records, bytes)| (name, json!([records, bytes]))).collect()
}

fn memstore(metrics: &mut Metrics, shared: &Shared) {
    let pressure = &shared.pressure;
    metrics.all(
        "memstore",
        &[
            ("bytes", pressure.used()),
            ("pinned_bytes", pressure.pinned()),
            ("limit_bytes", shared.config.memtable_bytes),
            ("delayed_writes", pressure.delayed.load(Relaxed)),
            ("refused_writes", pressure.refused.load(Relaxed)),
            ("stalls", pressure.stalls.load(Relaxed)),
        ],
    );
    let nonces = shared.nonces.stats();
    metrics.all(
        "nonces",
        &[("count", nonces.count), ("bytes", nonces.bytes), ("forgotten_early", nonces.forgotten_early)],
    );
}

fn block_cache(metrics: &mut Metrics, shared: &Shared) {
    let cache = shared.cache.stats();
    metrics.all(
        "block_cache",
        &[
            ("hit_count", cache.hit_count),
            ("hit_caching_count", cache.hit_caching_count),
            ("miss_count", cache.miss_count),
            ("miss_caching_count", cache.miss_caching_count),
            ("file_miss_count", cache.file_miss_count),
            ("file_miss_caching_count", cache.file_miss_caching_count),
            ("loaded_count", cache.loaded_count),
            ("wanted_count", cache.wanted_count),
            ("eviction_count", cache.eviction_count),
            ("page_count", cache.page_count),
            ("used_bytes", cache.used_bytes),
            ("in_memory_bytes", cache.in_memory_bytes),
            ("capacity_bytes", cache.capacity_bytes),
        ],
    );
    let page_reads = [
        ("open_bytes", cache.open_file_bytes),
        ("page_reads", cache.read_count),
        ("page_read_bytes", cache.read_bytes),
    ];
    metrics.all("files", &page_reads);
    if let Some(tier) = shared.cache.tier_stats() {
        second_tier(metrics, &tier);
    }
}

fn open_files(metrics: &mut Metrics, shared: &Shared) {
    let count = shared.open_regions().iter().map(|region| region.file_count()).sum();
    metrics.all("files", &[("open_count", count)]);
}

fn second_tier(metrics: &mut Metrics, tier: &TierStats) {
    metrics.all(
        "block_cache_tier",
        &[
            ("hit_count", tier.hit_count),
            ("hit_caching_count", tier.hit_caching_count),
            ("miss_count", tier.miss_count),
            ("miss_caching_count", tier.miss_caching_count),
            ("eviction_count", tier.eviction_count),
            ("write_count", tier.write_count),
            ("write_bytes", tier.write_bytes),
            ("drop_count", tier.drop_count),
            ("damaged_count", tier.damaged_count),
            ("page_count", tier.page_count),
            ("used_bytes", tier.used_bytes),
            ("queued_bytes", tier.queued_bytes),
            ("capacity_bytes", tier.capacity_bytes),
            ("path_count", tier.path_count),
            ("failed_path_count", tier.failed_path_count),
        ],
    );
}

fn flushes(metrics: &mut Metrics, flushes: &FlushCounters) {
    metrics.all(
        "flush",
        &[
            ("count", flushes.count.get()),
            ("failed_count", flushes.failed.get()),
            ("millis", flushes.millis.get()),
            ("cells", flushes.cells.get()),
            ("memstore_bytes", flushes.memtable_bytes.get()),
            ("file_bytes", flushes.file_bytes.get()),
        ],
    );
}

fn loads(metrics: &mut Metrics, loads: &LoadCounters) {
    metrics.all(
        "load",
        &[
            ("count", loads.count.get()),
            ("failed_count", loads.failed.get()),
            ("millis", loads.millis.get()),
            ("files", loads.files.get()),
            ("bytes", loads.bytes.get()),
            ("cells", loads.cells.get()),
        ],
    );
}

fn compactions(metrics: &mut Metrics, path: &str, compactions: &CompactionCounters) {
    metrics.all(
        path,
        &[
            ("count", compactions.count.get()),
            ("millis", compactions.millis.get()),
            ("input_files", compactions.input_files.get()),
            ("input_bytes", compactions.input_bytes.get()),
            ("output_bytes", compactions.output_bytes.get()),
            ("cells", compactions.cells.get()),
        ],
    );
}

fn log(metrics: &mut Metrics, name: &str, wal: &Wal) {
    let (segments, finished_bytes) = wal.size();
    let counters = &wal.counters;
    metrics.all(
        name,
        &[
            ("appends", counters.appends()),
            ("slow_appends", counters.slow_appends.load(Relaxed)),
            ("bytes", counters.bytes.load(Relaxed)),
            ("groups", counters.groups.load(Relaxed)),
            ("syncs", counters.syncs.load(Relaxed)),
            ("rolls", counters.rolls.load(Relaxed)),
            ("size_rolls", counters.size_rolls.load(Relaxed)),
            ("error_rolls", counters.error_rolls.load(Relaxed)),
            ("failed_writes", counters.failed_writes.load(Relaxed)),
            ("failed_syncs", counters.failed_syncs.load(Relaxed)),
            ("failed_rolls", counters.failed_rolls.load(Relaxed)),
            ("failed_closes", counters.failed_closes.load(Relaxed)),
            ("failed_archives", counters.failed_archives.load(Relaxed)),
            ("segments", segments as u64),
            ("finished_bytes", finished_bytes),
        ],
    );
    metrics.histogram(name, "append_bytes", &counters.append_bytes);
    metrics.histogram(name, "append_millis", &counters.append_millis);
    metrics.histogram(name, "sync_millis", &counters.sync_millis);
}
