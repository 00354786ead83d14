//! Compaction and split point of a region.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Deserialize;

use super::Region;
use super::open_request::hex;
use super::printable;
use super::store::Store;
use crate::compaction::CompactionReport;
use crate::compaction::picker::Picked;
use crate::compaction::{Compaction, CompactionKind, ExploringPolicy, pick};
use crate::error::{Error, ErrorKind, Result};
use crate::events::{Level, Topic, bytes, count};
use crate::fileset::{StoreFile, Warmed};
use crate::flush::FlushReason;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompactRequest {
    family: Option<String>,
    #[serde(default)]
    major: bool,
}

impl Region {
    /// Queues a compaction.
    pub fn compact(&self, request_json: &str) -> Result<()> {
        self.check_serving()?;
        let request: CompactRequest = serde_json::from_str(request_json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("compact: {e}")))?;
        let stores = match &request.family {
            Some(family) => vec![self.store_index(&hex(family, "family")?)?],
            None => (0..self.stores.len()).collect(),
        };
        let kind = if request.major { CompactionKind::Major } else { CompactionKind::Minor };
        for store in stores {
            self.stores[store].compactions.ask(kind);
            self.shared.maintenance.want_compaction(&self.encoded, store, true);
        }
        Ok(())
    }

    /// Gives up what was asked for and has not begun.
    pub(crate) fn forget_compactions(&self) {
        self.stores.iter().for_each(|store| store.compactions.forget());
    }

    /// Drops the pages of this region's files from the cache; returns how many there were. Reads let them in again.
    pub fn clear_cache(&self) -> Result<u64> {
        self.check_serving()?;
        let clear =
            |store: &Store| store.files.snapshot().files().iter().map(|file| file.clear_pages()).sum::<u64>();
        Ok(self.stores.iter().map(clear).sum())
    }

    /// Runs the next compaction of a store if the policy finds one. True when another may be worth it.
    pub(crate) fn compact_store(&self, index: usize) -> Result<bool> {
        let Some(store) = self.stores.get(index) else { return Ok(false) };
        if !store.compactions.retry.may_try(self.now()) {
            return Ok(false); // a tick asks again for what failed
        }
        let policy = ExploringPolicy::default();
        let picked = store.compactions.begin(|busy, major| {
            if self.closing.load(Ordering::Acquire) {
                return Err("the region closes".to_string());
            }
            pick(&policy, &store.files.snapshot(), busy, major, self.now())
        });
        let Some(picked) = picked else { return Ok(false) };
        let begun_ns = self.shared.env.monotonic_ns();
        let compaction = Compaction {
            files: &store.files,
            inputs: picked.inputs.clone(),
            kind: picked.selection.kind,
            config: &store.config,
            smallest_read_point: self.smallest_read_point(),
            after_row: &|progress| {
                store.compactions.note_progress(progress.read_cells);
                self.check_serving()
            },
        };
        let outcome = compaction.run();
        store.compactions.end(&picked.inputs);
        let millis = (self.shared.env.monotonic_ns() - begun_ns) / 1_000_000;
        match outcome {
            Ok(report) => {
                store.compactions.retry.succeeded();
                self.report_compaction(store, &picked, &report, millis);
                self.want_prefetch();
                Ok(true)
            }
            Err(e) => {
                self.report_failed_compaction(store, &picked, &e, millis);
                Err(e)
            }
        }
    }

    fn report_compaction(&self, store: &Store, picked: &Picked, report: &CompactionReport, millis: u64) {
        let input_bytes: u64 = picked.inputs.iter().map(|f| f.effective_bytes()).sum();
        let input_rows: u64 = picked.inputs.iter().map(|f| f.facts().rows).sum();
        let counters = self.shared.counters.compactions(picked.selection.kind);
        counters.count.add(1);
        counters.millis.add(millis);
        counters.input_files.add(picked.inputs.len() as u64);
        counters.input_bytes.add(input_bytes);
        counters.output_bytes.add(report.summary.file_bytes);
        counters.cells.add(report.input_cells);
        let text = format!(
            "compacted {} in {millis} ms ({}: {}): {}, {}, {} in {} -> {}, {}, {} in file {}",
            self.store_title(store),
            picked.selection.kind,
            picked.selection.reason,
            count(input_rows, "row"),
            count(report.input_cells, "cell"),
            bytes(input_bytes),
            names(&picked.inputs),
            count(report.summary.rows, "row"),
            count(report.summary.stats.cells, "cell"),
            bytes(report.summary.file_bytes),
            report.output.name()
        );
        self.shared.events.report(Level::Info, Topic::Compaction, text);
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
            let text = format!("{what} was given up after {millis} ms, because the region closes");
            self.shared.events.report(Level::Info, Topic::Compaction, text);
            return;
        }
        store.compactions.retry.failed(self.now());
        if picked.asked_for {
            store.compactions.ask(CompactionKind::Major);
        }
        self.shared.counters.failed_compactions.add(1);
        let pause = store.compactions.retry.pause_ms() / 1000;
        let text = format!(
            "{what} failed after {millis} ms: {error}; its files stay as they are, the next attempt follows in {pause} s"
        );
        self.shared.events.report(Level::Warn, Topic::Compaction, text);
    }

    fn store_title(&self, store: &Store) -> String {
        format!("store {} of {}", printable(&store.config.name), self.title())
    }

    /// Asks for the pages of new files in the cache, where a family wants them there.
    pub(crate) fn want_prefetch(&self) {
        for (index, _) in self.stores.iter().enumerate().filter(|(_, store)| store.config.prefetch) {
            self.shared.maintenance.want_prefetch(&self.encoded, index);
        }
    }

    /// Loads the pages of files that were not loaded yet, as long as the cache has room.
    pub(crate) fn prefetch_store(&self, index: usize) {
        let Some(store) = self.stores.get(index) else { return };
        let go_on = || !self.closing.load(Ordering::Acquire) && self.shared.cache.has_room();
        for file in store.files.snapshot().files() {
            let what = || format!("file {} of {}", file.name(), self.store_title(store));
            let (level, text) = match file.prefetch(&go_on) {
                Ok(None) => continue,
                Ok(Some(all)) if all.loaded == all.pages => {
                    (Level::Info, format!("prefetched {} of {}", count(all.pages as u64, "page"), what()))
                }
                Ok(Some(some)) => {
                    let Warmed { loaded, pages } = some;
                    (
                        Level::Info,
                        format!("prefetched {loaded} of {pages} pages of {}, there is no more room", what()),
                    )
                }
                Err(e) => (Level::Warn, format!("prefetch of {} ended: {e}; reads go on without it", what())),
            };
            self.shared.events.report(level, Topic::Prefetch, text);
        }
    }

    /// Asks for the compactions again that failed long enough ago.
    pub(crate) fn retry_compactions(&self, now: i64) {
        for (index, store) in self.stores.iter().enumerate() {
            let retry = &store.compactions.retry;
            if retry.is_pending() && retry.may_try(now) {
                self.shared.maintenance.want_compaction(&self.encoded, index, false);
            }
        }
    }

    /// A row strictly inside the region near the middle of its data; flushes first when nothing is in files.
    pub fn split_point(&self) -> Result<Option<Vec<u8>>> {
        self.check_serving()?;
        if !self.has_files() {
            self.flush_memtables(FlushReason::Splitting)?;
        }
        let largest = self.stores.iter().max_by_key(|store| store.file_size().1);
        let Some(store) = largest else { return Ok(None) };
        let mut starts: Vec<(Vec<u8>, u64)> =
            store.files.snapshot().files().iter().flat_map(|file| file.row_group_starts()).collect();
        starts.sort_by(|a, b| self.order.compare(&a.0, &b.0));
        let total: u64 = starts.iter().map(|(_, bytes)| bytes).sum();
        let mut before: u64 = 0;
        let mut best = None;
        for (row, bytes) in starts {
            if before > 0 && self.is_inside(&row) {
                let distance = before.abs_diff(total / 2);
                if best.as_ref().is_none_or(|(known, _)| distance < *known) {
                    best = Some((distance, row));
                }
            }
            before += bytes;
        }
        match best {
            Some((_, row)) => Ok(Some(row)),
            None => self.middle_row(store),
        }
    }

    /// Whether a split at the row leaves rows on both sides.
    fn is_inside(&self, row: &[u8]) -> bool {
        self.contains_row(row) && row != self.start_key.as_slice() && !row.is_empty()
    }

    /// For data of one row group: the row in the middle by count.
    fn middle_row(&self, store: &super::store::Store) -> Result<Option<Vec<u8>>> {
        let files = store.files.snapshot();
        let largest = files.files().iter().max_by_key(|file| file.effective_bytes());
        let middle = largest.map_or(Ok(None), |file| file.middle_row())?;
        Ok(middle.filter(|row| self.is_inside(row)))
    }
}

fn names(files: &[Arc<StoreFile>]) -> String {
    let names: Vec<&str> = files.iter().map(|f| f.name()).collect();
    format!("{} [{}]", count(files.len() as u64, "file"), names.join(", "))
}
