//! The threads that do the background work.

use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use grampus_base::{Error, ErrorKind, Result, contain};
use grampus_store::flush::FlushReason;

use crate::maintenance::{Job, Queue, Role, Work};
use crate::region::{Region, Shared};

/// Ticks between two looks at stores that nothing happened to, for periodic major compactions.
const TICKS_PER_REVIEW: u64 = 600;

/// Pages of bloom filters that are loaded at most for each tick, so that they take little of the disks and of the time of other machines.
const FILTER_PAGES_PER_TICK: usize = 64;

/// The threads of one engine.
pub(crate) struct Workers {
    threads: Vec<JoinHandle<()>>,
    shared: Weak<Shared>,
}

impl Workers {
    /// Starts them, as many of each role as the configuration says.
    pub(crate) fn start(shared: &Arc<Shared>) -> Result<Workers> {
        let mut workers = Workers { threads: Vec::new(), shared: Arc::downgrade(shared) };
        let config = &shared.config;
        for (role, name, count) in [
            (Role::Flusher, "flush", config.flush_threads),
            (Role::Small, "compact-small", config.small_compaction_threads),
            (Role::Large, "compact-large", config.large_compaction_threads),
            (Role::Upkeep, "cache-upkeep", 1),
        ] {
            for number in 0..count {
                let shared = shared.clone();
                let thread = std::thread::Builder::new()
                    .name(format!("{name}-{number}"))
                    .spawn(move || run(&shared, role))
                    .map_err(|e| Error::io("start a thread for", "maintenance", e))?;
                workers.threads.push(thread);
            }
        }
        Ok(workers)
    }

    /// Stops them after what they are doing.
    pub(crate) fn stop(mut self) -> Result<()> {
        if let Some(shared) = self.shared.upgrade() {
            shared.maintenance.stop();
        }
        let panicked = self.threads.drain(..).filter_map(|thread| thread.join().err()).count();
        if panicked > 0 {
            return Err(Error::new(ErrorKind::Bug, format!("{panicked} maintenance threads panicked")));
        }
        Ok(())
    }
}

/// Does what comes until the end. A piece of work that panics ends alone: the thread goes on with the next one.
fn run(shared: &Shared, role: Role) {
    loop {
        let work = shared.maintenance.queue.next(role);
        if matches!(work, Work::Stop) {
            return;
        }
        let what = work.noun();
        if let Err(e) = contain(what, || work_on(shared, work)) {
            shared.maintenance.report_panic(&shared.events, what, &e);
        }
    }
}

fn work_on(shared: &Shared, work: Work) -> Result<()> {
    match work {
        Work::Stop => {}
        Work::Flush(name, reason) => {
            if let Some(region) = shared.open_region(&name) {
                flush(&region, reason);
            }
        }
        Work::Relieve => relieve(shared),
        Work::Look(name, store) => {
            if let Some(region) = shared.open_region(&name) {
                look(shared, &region, store)?;
            }
        }
        Work::Compact(job) => compact(shared, &job),
        Work::Prefetch(name, store) => {
            if let Some(region) = shared.open_region(&name) {
                region.prefetch_store(store);
            }
        }
        Work::Tick => {
            let _over = TickEnd(&shared.maintenance.queue);
            tick(shared)?;
        }
        Work::Upkeep => keep_up(shared),
    }
    Ok(())
}

/// Ends a tick, however it ends: the next one is due an interval later.
struct TickEnd<'a>(&'a Queue);

impl Drop for TickEnd<'_> {
    fn drop(&mut self) {
        self.0.ticked();
    }
}

/// A failure is reported by the region and tried again by a tick.
fn flush(region: &Region, reason: FlushReason) {
    if !region.holds_flush_back(reason) && region.flush_memtables(reason).is_ok() {
        region.want_compactions();
    }
}

/// Archives what compactions of a store have left, and looks whether it needs another one. A look that panics is repeated after a pause.
fn look(shared: &Shared, region: &Arc<Region>, store: usize) -> Result<()> {
    let looked = contain("a look at a store", || {
        region.archive_left(store);
        choose_compaction(shared, region, store);
        Ok(())
    });
    looked.inspect_err(|_| region.look_failed(store))
}

/// Chooses a store's next compaction.
fn choose_compaction(shared: &Shared, region: &Arc<Region>, store: usize) {
    if shared.maintenance.compactions_are_on()
        && let Some((picked, large, priority)) = region.pick_compaction(store)
    {
        shared.maintenance.queue.compact(Job { region: region.clone(), store, picked, priority }, large);
        if region.check_serving().is_err() {
            shared.maintenance.drop_compactions(Some(region.encoded_name())); // its close may have looked already
        }
    }
}

/// A failure is reported by the region and tried again by a tick.
fn compact(shared: &Shared, job: &Job) {
    if job.region.compact_store(job.store, &job.picked).is_ok() {
        shared.maintenance.want_compaction(job.region.encoded_name(), job.store);
    }
}

/// Flushes the largest region that may be flushed now.
fn relieve(shared: &Shared) {
    if !shared.pressure.wants_relief(shared.config.flush_pressure_bytes()) {
        return; // the flush that this thread was woken for has been begun by another one meanwhile
    }
    let now = shared.monotonic_millis();
    let candidates = shared.open_regions();
    if let Some(region) = largest(&candidates, now)
        && region.memtable_bytes() > 0
    {
        flush(region, FlushReason::MemoryShort);
    }
    if shared.pressure.wants_relief(shared.config.flush_pressure_bytes())
        && candidates.iter().any(|r| r.may_flush(now) && r.memtable_bytes() > 0)
    {
        shared.maintenance.want_relief();
    }
}

/// The largest region that may be flushed now; one whose stores have too many files only if it is more than twice as large as the largest
/// of the others.
fn largest(regions: &[Arc<Region>], now: i64) -> Option<&Arc<Region>> {
    let largest = |may_exceed: bool| {
        let ready = regions.iter().filter(|r| r.may_flush(now) && (may_exceed || !r.has_too_many_files()));
        ready.max_by_key(|r| r.memtable_bytes())
    };
    match (largest(false), largest(true)) {
        (Some(best), Some(any)) if any.memtable_bytes() <= best.memtable_bytes().saturating_mul(2) => {
            Some(best)
        }
        (_, any) => any,
    }
}

/// What the cache needs of files: no tick waits for it, since a data node or a name node may not answer.
fn keep_up(shared: &Shared) {
    let is_stopped = || shared.maintenance.queue.is_stopped();
    for _ in 0..FILTER_PAGES_PER_TICK {
        if is_stopped() || shared.cache.load_filters(1) == 0 {
            break;
        }
    }
    if !is_stopped() {
        shared.closed_stores.check_if_due(&*shared.env, &shared.cache, shared.monotonic_millis());
    }
}

/// Looks at ages and limits. The first panic of a look at a region is returned when all is done.
fn tick(shared: &Shared) -> Result<()> {
    let now = shared.monotonic_millis();
    let round = shared.maintenance.count_tick();
    shared.mark_log_holders(round);
    shared.nonces.expire(now);
    let (pressure, panicked) = tick_regions(shared, now, round);
    shared.maintenance.budget.set_pressure(pressure);
    if shared.pressure.wants_relief(shared.config.flush_pressure_bytes()) {
        shared.maintenance.want_relief();
    }
    shared.maintenance.queue.keep_up();
    trim_if_low(shared, now);
    shared.clean_up_logs();
    panicked
}

/// Looks at the regions, and returns how near the store with most files is to blocking flushes. A region whose look panics does not keep
/// the others from theirs; the first such panic is returned beside.
fn tick_regions(shared: &Shared, now: i64, round: u64) -> (f64, Result<()>) {
    let mut pressure: f64 = 0.0;
    let mut panicked = Ok(());
    for region in shared.open_regions() {
        let outcome = contain("a look at a region", || {
            tick_region(shared, &region, now, round);
            Ok(region.compaction_pressure())
        });
        match outcome {
            Ok(own) => pressure = pressure.max(own),
            Err(e) => panicked = panicked.and(Err(e)),
        }
    }
    (pressure, panicked)
}

fn tick_region(shared: &Shared, region: &Region, now: i64, round: u64) {
    region.retry_compactions(now);
    region.retry_archiving(now);
    region.review_throttle();
    if let Some(reason) = region.flush_due(now, round) {
        shared.maintenance.want_flush(region.encoded_name(), reason);
    }
    if round.is_multiple_of(TICKS_PER_REVIEW) {
        region.want_compactions();
    }
}

/// Hands free memory back to the operating system if the rule wants it. Holds no lock of ours meanwhile.
fn trim_if_low(shared: &Shared, now_millis: i64) {
    let used_bytes = shared.pressure.used() + shared.cache.held_bytes();
    if shared.maintenance.wants_trim(now_millis, used_bytes) {
        let begun_nanos = shared.env.monotonic_nanos();
        trim();
        shared.counters.trims.add(1);
        shared.counters.trim_millis.add((shared.env.monotonic_nanos() - begun_nanos) / 1_000_000);
    }
}

fn trim() {
    // SAFETY: it takes no pointer, and the allocator locks what it touches.
    unsafe { libc::malloc_trim(0) };
}
