//! Compactions of a region's stores: asked for, chosen, run, given up and reported.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use grampus_base::events::{Level, Topic, bytes, count};
use grampus_base::{Error, ErrorKind, Result, contain, from_hex, printable};
use grampus_store::compaction::{Compaction, CompactionReport, Picked, pick};
use grampus_store::fileset::StoreFile;
use grampus_store::policy::CompactionKind;
use serde::Deserialize;

use super::Region;
use super::store::Store;
use crate::maintenance::{Compactable, FinishedWork, WorkKind};

/// After this number of failures in a row compactions leave a file alone that the disk refuses to read once more.
const READ_ATTEMPTS: u32 = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompactRequest {
    family: Option<String>,
    #[serde(default)]
    major: bool,
}

impl Compactable for Region {
    fn encoded_name(&self) -> &str {
        self.encoded_name()
    }

    fn compact_store(&self, index: usize, picked: &Picked) -> Result<()> {
        let Some(store) = self.stores.get(index) else { return Ok(()) };
        let running = store.compactions.until_dropped(&picked.inputs);
        let dropping = self.begin_dropping();
        let begun_nanos = self.shared.env.monotonic_nanos();
        let paid = Cell::new(0);
        let waited = Cell::new(Duration::ZERO);
        let compaction = Compaction {
            files: &store.files,
            inputs: picked.inputs.clone(),
            kind: picked.selection.kind,
            config: &store.config,
            smallest_read_point: dropping.read_point(),
            now_millis: dropping.now_millis(),
            row_bytes_max: self.shared.config.compaction_row_bytes(),
            after_row: &|progress| {
                picked.cells_read.store(progress.read_cells, Ordering::Relaxed);
                let written = progress.written_bytes - paid.replace(progress.written_bytes);
                waited.set(waited.get() + self.stay_within_budget(written)?);
                Ok(())
            },
        };
        let outcome =
            contain("a compaction", || self.check_compaction_wanted().and_then(|()| compaction.run()));
        drop(running);
        drop(dropping);
        let millis = (self.shared.env.monotonic_nanos() - begun_nanos) / 1_000_000;
        let report = outcome.inspect_err(|e| self.report_failed_compaction(store, picked, e, millis))?;
        store.compactions.retry.succeeded();
        self.owe_to_budget(report.summary.file_bytes.saturating_sub(paid.get()));
        self.report_compaction(store, picked, &report, (millis, waited.get()));
        self.want_prefetch();
        Ok(())
    }

    fn give_up_compaction(&self, index: usize, picked: &Picked) {
        if let Some(store) = self.stores.get(index) {
            store.compactions.end(&picked.inputs);
        }
    }
}

impl Region {
    /// Queues a compaction. As in HBase nothing happens while compactions are off, for the server or the table.
    pub fn compact(&self, request_json: &str) -> Result<()> {
        self.check_serving()?;
        let request: CompactRequest = serde_json::from_str(request_json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("compact: {e}")))?;
        let stores = match &request.family {
            Some(family) => vec![self.store_index(&from_hex(family, "family")?)?],
            None => (0..self.stores.len()).collect(),
        };
        let kind = if request.major { CompactionKind::Major } else { CompactionKind::Minor };
        if !self.compaction_enabled || !self.shared.maintenance.compactions_are_on() {
            let text =
                format!("a {kind} compaction of {} is not done: compactions are switched off", self.title());
            self.shared.events.report(Level::Info, Topic::Compaction, text);
            return Ok(());
        }
        for store in stores {
            self.stores[store].compactions.ask_and_tell(kind, self.shared.monotonic_millis());
            self.shared.maintenance.want_compaction(&self.encoded, store);
        }
        Ok(())
    }

    /// Asks for a look at all stores.
    pub(crate) fn want_compactions(&self) {
        (0..self.stores.len())
            .for_each(|store| self.shared.maintenance.want_compaction(&self.encoded, store));
    }

    /// Gives up what was asked for and has not begun.
    pub(crate) fn forget_compactions(&self) {
        self.stores.iter().for_each(|store| store.compactions.forget());
    }

    /// Chooses a store's next compaction and marks its inputs: with it comes whether it is a large one, and how urgent it is.
    pub(crate) fn pick_compaction(&self, index: usize) -> Option<(Picked, bool, i64)> {
        let store = self.stores.get(index)?;
        let now = self.now();
        if !self.compaction_enabled || !store.compactions.retry.may_try(self.shared.monotonic_millis()) {
            return None; // a tick asks again for what failed
        }
        let mut files = 0;
        let picked = store.compactions.begin(|busy, major| {
            if self.closing.load(Ordering::Acquire) {
                return Err("the region closes".to_string());
            }
            if self.load_is_hidden.load(Ordering::Acquire) {
                return Err("files of a load are not shown before the next open".to_string());
            }
            // Taken where none can end: of an earlier set a compaction that is over by now has inputs, which are not busy any more.
            let set = store.files.snapshot();
            files = set.files().len();
            pick(&store.config.compaction, &set, busy, major, now)
        })?;
        let policy = &store.config.compaction;
        let large = picked.bytes() > policy.bytes_large;
        let priority = if picked.asked_for { i64::MAX } else { files as i64 - policy.files_blocking as i64 };
        Some((picked, large, priority))
    }

    /// Fails when the region closes or compactions were switched off.
    fn check_compaction_wanted(&self) -> Result<()> {
        if !self.shared.maintenance.compactions_are_on() {
            return Err(Error::new(ErrorKind::NotServing, "compactions were switched off"));
        }
        self.check_serving()
    }

    /// Waits until the bytes just written are paid for and returns how long that took.
    fn stay_within_budget(&self, written: u64) -> Result<Duration> {
        self.check_compaction_wanted()?;
        let budget = &self.shared.maintenance.budget;
        if written == 0 {
            return Ok(Duration::ZERO);
        }
        let wait = budget.spend(self.shared.env.monotonic_nanos(), written);
        if !wait.is_zero() {
            budget.wait(wait, || self.check_compaction_wanted().is_ok());
            self.check_compaction_wanted()?;
        }
        budget.waited_millis.add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        Ok(wait)
    }

    /// What a compaction wrote at its end is waited for by the next one.
    fn owe_to_budget(&self, written: u64) {
        let _the_next_one_waits =
            self.shared.maintenance.budget.spend(self.shared.env.monotonic_nanos(), written);
    }

    /// How near the store with most files is to blocking flushes: 1 when it does.
    pub(crate) fn compaction_pressure(&self) -> f64 {
        let pressure = |store: &Store| {
            let policy = &store.config.compaction;
            let above = store.mergeable_files() as f64 - policy.files_min as f64;
            above / (policy.files_blocking as f64 - policy.files_min as f64).max(1.0)
        };
        self.stores.iter().map(pressure).fold(0.0, f64::max)
    }

    /// A look at a store panicked: it is looked at again after a pause.
    pub(crate) fn look_failed(&self, index: usize) {
        if let Some(store) = self.stores.get(index) {
            store.compactions.retry.failed(self.shared.monotonic_millis());
        }
    }

    /// Asks for the compactions again that failed long enough ago, by the monotonic clock.
    pub(crate) fn retry_compactions(&self, now: i64) {
        for (index, store) in self.stores.iter().enumerate() {
            let retry = &store.compactions.retry;
            if retry.is_pending() && retry.may_try(now) {
                self.shared.maintenance.want_compaction(&self.encoded, index);
            }
        }
    }

    fn report_compaction(
        &self,
        store: &Store,
        picked: &Picked,
        report: &CompactionReport,
        (millis, waited): (u64, Duration),
    ) {
        let input_rows: u64 = picked.inputs.iter().map(|f| f.facts().rows).sum();
        self.count_compaction(picked, report, millis);
        let waited = match waited.as_millis() {
            0 => String::new(),
            millis => format!(", {millis} of them waiting for its I/O budget"),
        };
        let text = format!(
            "compacted {} in {millis} ms{waited} ({}: {}): {}, {}, {} in {} -> {}, {}, {} in file {}",
            self.store_title(store),
            picked.selection.kind,
            picked.selection.reason,
            count(input_rows, "row"),
            count(report.input_cells, "cell"),
            bytes(picked.bytes()),
            names(&picked.inputs),
            count(report.summary.rows, "row"),
            count(report.summary.stats.cells, "cell"),
            bytes(report.summary.file_bytes),
            report.output.name()
        );
        self.shared.events.report(Level::Info, Topic::Compaction, text);
    }

    fn count_compaction(&self, picked: &Picked, report: &CompactionReport, millis: u64) {
        let kind = picked.selection.kind;
        let (input_files, input_bytes) = (picked.inputs.len() as u64, picked.bytes());
        let output_bytes = report.summary.file_bytes;
        let counters = self.shared.counters.compactions(kind);
        counters.count.add(1);
        counters.millis.add(millis);
        counters.input_files.add(input_files);
        counters.input_bytes.add(input_bytes);
        counters.output_bytes.add(output_bytes);
        counters.cells.add(report.input_cells);
        self.compacted.count.add(1);
        self.compacted.files.add(input_files);
        self.compacted.bytes.add(input_bytes);
        self.shared.counters.finished.add(FinishedWork {
            number: 0,
            kind: WorkKind::Compaction(kind),
            table: self.table.clone(),
            millis,
            input_files,
            input_bytes,
            output_bytes,
        });
    }

    fn report_failed_compaction(&self, store: &Store, picked: &Picked, error: &Error, millis: u64) {
        let what = format!(
            "compaction of {} ({}: {}) of {}",
            self.store_title(store),
            picked.selection.kind,
            picked.selection.reason,
            names(&picked.inputs)
        );
        if error.kind == ErrorKind::NotServing {
            let text = format!("{what} was given up after {millis} ms: {error}");
            self.shared.events.report(Level::Info, Topic::Compaction, text);
            return;
        }
        self.shared.counters.failed_compactions.add(1);
        self.compacted.failed.add(1);
        if self.set_input_aside(store, picked, error, &what, millis) {
            self.want_compactions();
        } else {
            self.retry_later(store, picked, error, &what, millis);
        }
    }

    /// Says which input compactions leave alone from now on. False where none is the reason of the failure.
    fn set_input_aside(
        &self,
        store: &Store,
        picked: &Picked,
        error: &Error,
        what: &str,
        millis: u64,
    ) -> bool {
        let (level, text) = if let Some(file) = self.set_large_input_aside(store, picked, error) {
            let text = format!(
                "{what} was given up after {millis} ms: {error}; compactions of the store leave file {} alone from now on, reads go on",
                file.name()
            );
            (Level::Warn, text)
        } else if let Some(file) = self.set_damaged_input_aside(store, picked, error) {
            let text = format!(
                "{what} failed after {millis} ms: {error}; compactions of the store leave file {} alone from now on. Reads that need what is \
                 damaged fail: restore the file or the table, `bin/grampus inspect` says what is damaged",
                file.name()
            );
            (Level::Error, text)
        } else {
            return false;
        };
        self.shared.events.report(level, Topic::Compaction, text);
        true
    }

    fn retry_later(&self, store: &Store, picked: &Picked, error: &Error, what: &str, millis: u64) {
        store.compactions.retry.failed(self.shared.monotonic_millis());
        if picked.asked_for {
            store.compactions.ask(CompactionKind::Major);
        }
        let pause = store.compactions.retry.pause_millis() / 1000;
        let text = format!(
            "{what} failed after {millis} ms: {error}; its files stay as they are, the next attempt follows in {pause} s"
        );
        self.shared.events.report(Level::Warn, Topic::Compaction, text);
    }

    /// The largest input, if a row that is too large is why a compaction failed.
    fn set_large_input_aside<'p>(
        &self,
        store: &Store,
        picked: &'p Picked,
        error: &Error,
    ) -> Option<&'p Arc<StoreFile>> {
        let largest = || picked.inputs.iter().max_by_key(|file| file.effective_bytes());
        let is_too_large = error.kind == ErrorKind::RowTooBig;
        let file = is_too_large.then(largest).flatten().filter(|file| file.set_damaged())?;
        store.compactions.retry.succeeded();
        self.shared.counters.large_row_inputs.add(1);
        Some(file)
    }

    /// The input that cannot be read, if that is why a compaction failed: at once where its bytes are wrong, and after a few attempts
    /// where the disk refuses to read it.
    fn set_damaged_input_aside<'p>(
        &self,
        store: &Store,
        picked: &'p Picked,
        error: &Error,
    ) -> Option<&'p Arc<StoreFile>> {
        let file = picked.inputs.iter().find(|file| file.is_source_of(error))?;
        let for_good =
            error.kind == ErrorKind::Corrupt || store.compactions.retry.failures() >= READ_ATTEMPTS;
        if !for_good || !file.set_damaged() {
            return None;
        }
        self.shared.counters.damaged_inputs.add(1);
        store.compactions.retry.succeeded();
        Some(file)
    }

    pub(super) fn store_title(&self, store: &Store) -> String {
        format!("store {} of {}", printable(&store.config.name), self.title())
    }
}

fn names(files: &[Arc<StoreFile>]) -> String {
    let names: Vec<&str> = files.iter().map(|f| f.name()).collect();
    format!("{} [{}]", count(files.len() as u64, "file"), names.join(", "))
}
