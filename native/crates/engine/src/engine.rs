//! The engine as its callers see it: one per process, with its write-ahead logs, regions and completion queue.

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use grampus_base::events::{Event, EventQueue, Level, Topic, bytes, count};
use grampus_base::{Error, ErrorKind, Result, contain, seeded_bug};
use grampus_env::{Env, LocalEnv, place_of};
use grampus_filter::pattern::{NoPatternCompiler, PatternCompiler};
use grampus_wal::split::{self, Roots, SplitReport};
use grampus_wal::{Attempt, LeftOut, LogProgress, Wal, WalSettings, settled};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;

use crate::completion::{NO_CALL, POISONED};
use crate::config::Config;
use crate::metrics;
use crate::place::{optional_place, place};
use crate::region::open_request::OpenRequest;
use crate::region::{Logs, Region, RegionStats, Shared};
use crate::workers::Workers;

/// The storage engine.
pub struct Engine {
    shared: Arc<Shared>,
    /// Encoded names of regions that are being opened.
    opening: Mutex<HashSet<String>>,
    workers: Mutex<Option<Workers>>,
    /// How far the logs have come: why one was lost may be asked for during the close and behind it.
    progress: OnceLock<[Arc<LogProgress>; 2]>,
    /// The logs are no longer kept: those that are being started end.
    closed: AtomicBool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SplitRequest {
    #[serde(deserialize_with = "place")]
    wal: PathBuf,
    #[serde(deserialize_with = "place")]
    root_dir: PathBuf,
    /// `None` = `root_dir`.
    #[serde(default, deserialize_with = "optional_place")]
    wal_root_dir: Option<PathBuf>,
}

impl Engine {
    /// Opens an engine from its JSON configuration.
    pub fn open(config_json: &str) -> Result<Arc<Engine>> {
        Engine::open_in(Arc::new(LocalEnv::new()), config_json)
    }

    /// Opens an engine over an environment.
    pub fn open_in(env: Arc<dyn Env>, config_json: &str) -> Result<Arc<Engine>> {
        Engine::open_with(env, Arc::new(NoPatternCompiler), config_json)
    }

    /// Opens an engine over an environment and a compiler of patterns.
    pub fn open_with(
        env: Arc<dyn Env>,
        patterns: Arc<dyn PatternCompiler>,
        config_json: &str,
    ) -> Result<Arc<Engine>> {
        let config = Config::parse(config_json)?;
        let bug = seeded_bug::seeded()?;
        let shared = Arc::new(Shared::new(env, patterns, config)?);
        tell_of_seeded_bug(bug, &shared.events);
        let workers = Workers::start(&shared)?;
        let workers = Mutex::new(Some(workers));
        Ok(Arc::new(Engine {
            shared,
            opening: Mutex::default(),
            workers,
            progress: OnceLock::new(),
            closed: AtomicBool::new(false),
        }))
    }

    /// Starts the logs, once: segments are created below `dir` and renamed into `old_dir` when nothing needs them.
    pub fn start_wal(&self, dir: &str, old_dir: &str, prefix: &str) -> Result<()> {
        let (dir, old_dir) = (place_of(dir)?, place_of(old_dir)?);
        self.check_places(&[&dir, &old_dir])?;
        if self.progress.get().is_some() {
            return Err(Error::new(ErrorKind::Bug, "the logs are started already"));
        }
        let regions = WalSettings {
            always_fsync: self.shared.config.wal_sync.is_fsync(&*self.shared.env, &dir),
            dir: dir.clone(),
            old_dir,
            prefix: prefix.to_string(),
            meta: false,
            segment_bytes: self.shared.config.wal_segment_bytes,
        };
        let logs = self.start_logs(regions)?;
        let _ = self.progress.set([&logs.regions, &logs.meta].map(|log| log.progress().clone()));
        self.take_logs(logs)?;
        self.remove_orphaned_marks(&dir);
        Ok(())
    }

    /// A close may have come while they were started: it finds them, or they end here.
    fn take_logs(&self, logs: Logs) -> Result<()> {
        {
            let mut place = self.shared.logs.write();
            if !self.closed.load(Ordering::Acquire) {
                *place = Some(logs);
                return Ok(());
            }
        }
        close_beside_each_other(&logs)?;
        Err(Error::new(ErrorKind::NotServing, "the engine was closed while its logs were started"))
    }

    /// Both logs, or none.
    fn start_logs(&self, settings: WalSettings) -> Result<Logs> {
        let regions = self.start_log(settings.clone())?;
        let meta = self.start_log(WalSettings { meta: true, ..settings });
        let meta = meta.inspect_err(|_| drop(regions.close()))?; // nothing is in it
        Ok(Logs { regions, meta })
    }

    fn start_log(&self, settings: WalSettings) -> Result<Arc<Wal>> {
        let completions = Arc::clone(&self.shared.completions);
        // The call whose own write failed has its error already and no token waits for it: the process must hear of the loss all the same.
        let on_loss = Box::new(move || completions.push([NO_CALL], POISONED));
        Wal::start(self.shared.env.clone(), settings, on_loss, self.shared.events.clone())
    }

    /// Removes what servers whose logs are gone left beside them. What cannot be removed does no harm: the next start tries again.
    fn remove_orphaned_marks(&self, log_dir: &Path) {
        let text = match settled::remove_orphans(&*self.shared.env, log_dir) {
            Ok(0) => return,
            Ok(servers) => (
                Level::Info,
                format!("removed the settled marks of {}", count(servers as u64, "dead server")),
            ),
            Err(e) => (Level::Warn, format!("cannot remove the settled marks of dead servers: {e}")),
        };
        self.shared.events.report(text.0, Topic::Events, text.1);
    }

    /// Refuses places that the environment does not have.
    fn check_places(&self, places: &[&Path]) -> Result<()> {
        places.iter().try_for_each(|place| self.shared.env.check_place(place))
    }

    /// Opens a region: files, recovered edits, sequence ids.
    pub fn open_region(self: &Arc<Self>, request_json: &str) -> Result<Arc<Region>> {
        let request = OpenRequest::parse(request_json)?;
        self.check_places(&[&request.root_dir, &request.region_dir, &request.edits_dir()])?;
        let wal = {
            let logs = self.shared.logs.read();
            let logs =
                logs.as_ref().ok_or_else(|| Error::new(ErrorKind::NotServing, "the logs are not started"))?;
            if request.meta { logs.meta.clone() } else { logs.regions.clone() }
        };
        let name = request.encoded_name.clone();
        let is_open = self.shared.regions.lock().get(&name).is_some_and(|r| r.strong_count() > 0);
        let opening = Opening::begin(&self.opening, &name).filter(|_| !is_open);
        if opening.is_none() {
            return Err(Error::new(ErrorKind::Bug, format!("region {name} is open or being opened already")));
        }
        let opened = Region::open(self.shared.clone(), wal, &request);
        if let Ok(region) = &opened {
            self.shared.regions.lock().insert(name.clone(), Arc::downgrade(region));
            region.want_prefetch();
            region.want_compactions();
        }
        drop(opening);
        opened
    }

    /// What each open region says about itself, in no order. A region whose statistics fail is reported and left out, so that the others'
    /// reach the master.
    pub fn region_stats(&self) -> Vec<RegionStats> {
        let open = self.shared.open_regions();
        let serving = open.iter().filter(|region| region.check_serving().is_ok());
        let stats = serving.filter_map(|region| {
            let stats = contain("the statistics of a region", || Ok(region.stats()));
            stats
                .inspect_err(|e| {
                    let text = format!("no statistics of {}: {}", region.title(), e.message);
                    self.shared.events.report(Level::Error, Topic::Events, text);
                })
                .ok()
        });
        stats.collect()
    }

    /// Distributes one segment of a dead server's log over the regions' `recovered.edits`.
    pub fn split_wal(&self, request_json: &str) -> Result<String> {
        let request: SplitRequest = serde_json::from_str(request_json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("splitWal: {e}")))?;
        let files = request.root_dir.as_path();
        let roots = Roots { files, logs: request.wal_root_dir.as_deref().unwrap_or(files) };
        self.check_places(&[&request.wal, roots.files, roots.logs])?;
        let skip_errors = self.shared.config.wal_split_skip_errors;
        let attempt = Attempt(self.shared.env.random());
        let report = split::split(&*self.shared.env, &request.wal, roots, attempt, skip_errors)
            .map_err(with_way_out)?;
        self.report_left_out(&report);
        let SplitReport { regions, edits, settled, left_out } = report;
        Ok(json!({"regions": regions, "edits": edits, "settled": settled, "leftOut": left_out.len()})
            .to_string())
    }

    /// Edits that were acknowledged may be among what a split could not read: each part is said.
    fn report_left_out(&self, report: &SplitReport) {
        for LeftOut { at, why, kept_in } in &report.left_out {
            self.shared.counters.log_parts_left_out.add(1);
            self.shared.counters.log_bytes_left_out.add(at.end - at.start);
            let text = format!(
                "a split left out {} at byte {} of a log segment, edits in it are lost: {why}; they are kept in {}",
                bytes(at.end - at.start),
                at.start,
                kept_in.display()
            );
            self.shared.events.report(Level::Error, Topic::Log, text);
        }
    }

    /// Waits for completed mutations and appends `(token, kind)`; kind 0 is durable, 7 poisoned. False when the engine is closed.
    pub fn poll_completions(&self, out: &mut Vec<(u64, u8)>, timeout: Duration) -> bool {
        self.shared.completions.poll(out, timeout)
    }

    /// Why a log is lost, if one is: the process must end.
    pub fn log_failure(&self) -> Option<String> {
        self.progress.get()?.iter().find_map(|progress| progress.failure().map(str::to_string))
    }

    /// Waits for events and returns them, oldest first; `None` when the engine is closed and all were returned.
    pub fn poll_events(&self, timeout: Duration) -> Option<Vec<Event>> {
        self.shared.events.poll(timeout)
    }

    /// [`Engine::poll_events`] as JSON: `[{"level","topic","text"}]`.
    pub fn poll_events_json(&self, timeout: Duration) -> Option<String> {
        self.poll_events(timeout).map(|events| json!(events).to_string())
    }

    /// [`Engine::metrics_after`] with all flushes and compactions that are kept.
    pub fn metrics_json(&self) -> String {
        self.metrics_after(0)
    }

    /// Counters, gauges, histograms, and the flushes and compactions with a higher number than `work`, as JSON, see `docs/jni.md`.
    pub fn metrics_after(&self, work: u64) -> String {
        let logs = self.shared.logs.read();
        let logs = logs.as_ref().map(|logs| [("wal", &*logs.regions), ("meta_wal", &*logs.meta)]);
        metrics::snapshot(&self.shared, logs.as_ref().map_or(&[], |logs| logs.as_slice()), work)
    }

    /// Switches compactions; returns the previous setting. Those that run are given up, and looked for again when they are on.
    pub fn set_compactions_enabled(&self, enabled: bool) -> bool {
        let maintenance = &self.shared.maintenance;
        let were_enabled = maintenance.switch_compactions(enabled);
        let what = if enabled { "on" } else { "off: those that run or wait are given up" };
        self.shared.events.report(Level::Info, Topic::Compaction, format!("compactions are switched {what}"));
        if enabled {
            self.shared.open_regions().iter().for_each(|region| region.want_compactions());
        }
        were_enabled
    }

    /// Gives up the compactions that wait, also those that were asked for; the ones that run go on. The next flush of a store looks again.
    pub fn clear_compactions(&self) {
        self.shared.maintenance.forget_compactions();
        self.shared.open_regions().iter().for_each(|region| region.forget_compactions());
    }

    /// Begins a fresh segment in every log. A close does not wait for it: where a name node does not answer that would take minutes.
    pub fn roll_wal(&self) -> Result<()> {
        let logs = self.shared.logs.read().as_ref().map(|logs| [logs.regions.clone(), logs.meta.clone()]);
        let Some(logs) = logs else {
            return Err(Error::new(ErrorKind::NotServing, "the logs are not started"));
        };
        logs.map(|log| log.roll()).into_iter().collect() // each: a log that fails keeps the other from nothing
    }

    /// Stops workers and logs; regions should be closed before. Fails, when all is stopped, if a log has edits alone: see [`Wal::close`].
    pub fn close(&self) -> Result<()> {
        if let Some(workers) = self.workers.lock().take()
            && let Err(e) = workers.stop()
        {
            self.shared.events.report(Level::Error, Topic::Events, e.message);
        }
        self.closed.store(true, Ordering::Release); // before the logs are looked for
        let logs = self.shared.logs.write().take(); // the lock is free again: a close may wait for other machines
        let ended = logs.map_or(Ok(()), |logs| close_beside_each_other(&logs));
        if !self.shared.cache.close_tier() {
            let text = "a writer of the block cache's second tier has panicked".to_string();
            self.shared.events.report(Level::Error, Topic::Events, text);
        }
        self.shared.completions.close();
        self.shared.events.close();
        ended
    }
}

/// A region that is being opened, until this is dropped.
struct Opening<'a> {
    all: &'a Mutex<HashSet<String>>,
    name: &'a str,
}

impl<'a> Opening<'a> {
    /// `None` when it is being opened already.
    fn begin(all: &'a Mutex<HashSet<String>>, name: &'a str) -> Option<Opening<'a>> {
        all.lock().insert(name.to_string()).then_some(Opening { all, name })
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.all.lock().remove(self.name);
    }
}

/// The logs have their time for the end together.
fn close_beside_each_other(logs: &Logs) -> Result<()> {
    thread::scope(|scope| {
        let meta = thread::Builder::new().name("wal-end".to_string());
        let beside = meta.spawn_scoped(scope, || logs.meta.close());
        let regions = logs.regions.close();
        let meta = match beside {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => logs.meta.close(), // there is no thread for it
        };
        regions.and(meta)
    })
}

/// No process has the bug without a line in its log.
fn tell_of_seeded_bug(bug: Option<&str>, events: &EventQueue) {
    if let Some(bug) = bug {
        let text = format!(
            "{} is {bug}: for the sake of a test this server breaks its promises",
            seeded_bug::VARIABLE
        );
        events.report(Level::Error, Topic::Events, text);
    }
}

/// A split that fails for what it cannot read fails again until the operator decides what is to become of it.
fn with_way_out(error: Error) -> Error {
    if error.kind != ErrorKind::Corrupt {
        return error;
    }
    let message = format!(
        "{}; the regions of its server stay closed until the segment is restored, or until hbase.hlog.split.skip.errors lets a split \
         leave out what it cannot read",
        error.message
    );
    Error { message, ..error }
}

impl Drop for Engine {
    fn drop(&mut self) {
        drop(self.close()); // a caller that wants to know has closed it
    }
}
