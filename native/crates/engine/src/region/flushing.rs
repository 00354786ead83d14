//! Flush of a region: memtables swapped under the updates lock, written once everything in them is durable.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use grampus_base::events::{Level, Topic, bytes, count};
use grampus_base::{Error, ErrorKind, Result, contain, crash_point, printable};
use grampus_cells::CellRef;
use grampus_memtable::{Memtable, MergedCells};
use grampus_store::compaction::{Retention, RetentionRules};
use grampus_store::fileset::StoreFile;
use grampus_store::flush::{FamilyFlush, FlushReason, flush_families};
use grampus_store::policy::CompactionKind;
use grampus_wal::Durability;
use parking_lot::MutexGuard;

use super::Region;
use super::read_points::{Dropping, ReadTime};
use super::store::Store;
use crate::maintenance::{FinishedWork, WorkKind};

impl Region {
    /// Flushes the memtables, and starts no compaction, as the procedures of HBase's master (`FlushRegionCallable`).
    pub fn flush(&self) -> Result<bool> {
        self.check_serving()?;
        Ok(self.flush_memtables(FlushReason::AskedFor)?.is_some())
    }

    /// The same, and a look whether a store needs a compaction then, as HBase's `RSRpcServices.flushRegion`.
    pub fn flush_and_compact(&self) -> Result<bool> {
        let flushed = self.flush()?;
        self.want_compactions();
        Ok(flushed)
    }

    /// Writes all memtables to files. `None` when there was nothing to write, else the sequence id up to which all is in files.
    ///
    /// After a failure the data stays in memory and in the log; the next flush writes it.
    pub(crate) fn flush_memtables(&self, reason: FlushReason) -> Result<Option<u64>> {
        self.flush_alone(&self.flushing.lock(), reason)
    }

    /// The same for a caller that holds `flushing` already, as the guard shows.
    pub(super) fn flush_alone(&self, alone: &MutexGuard<'_, ()>, reason: FlushReason) -> Result<Option<u64>> {
        let sequence = self.freeze(|| self.mvcc.last_given());
        self.flush_frozen(alone, reason, sequence)
    }

    /// Freezes the memtables, and looks at the sequence ids while none is being given.
    pub(super) fn freeze<T>(&self, ids: impl FnOnce() -> T) -> T {
        self.flush_wanted.store(false, Ordering::Release);
        let _all_are_out = self.updates.write();
        self.stores.iter().for_each(|store| store.freeze());
        self.first_edit_millis.store(0, Ordering::Release);
        ids()
    }

    /// Flushes what is frozen, which has all edits up to a sequence id.
    pub(super) fn flush_frozen(
        &self,
        _alone: &MutexGuard<'_, ()>,
        reason: FlushReason,
        sequence: u64,
    ) -> Result<Option<u64>> {
        let begun_nanos = self.shared.env.monotonic_nanos();
        let outcome = contain("a flush", || self.write_immutable(sequence));
        let millis = (self.shared.env.monotonic_nanos() - begun_nanos) / 1_000_000;
        let counters = &self.shared.counters.flushes;
        match &outcome {
            Ok(flushed) => {
                self.flush_retry.succeeded();
                if let Some(flushed) = flushed {
                    self.report_flush(reason, flushed, millis);
                    self.want_prefetch();
                }
            }
            Err(e) => {
                self.flush_retry.failed(self.shared.monotonic_millis());
                counters.failed.add(1);
                self.report_failed_flush(reason, e, millis);
            }
        }
        Ok(outcome?.map(|flushed| flushed.sequence))
    }

    fn report_flush(&self, reason: FlushReason, flushed: &Flushed, millis: u64) {
        self.count_flush(flushed, millis);
        let mut text = format!("flushed {} in {millis} ms because {reason}:", self.title());
        for family in &flushed.families {
            text.push_str(&family.sentence());
        }
        text.push_str(&format!(" all up to sequence id {} is in files", flushed.sequence));
        self.shared.events.report(Level::Info, Topic::Flush, text);
    }

    fn count_flush(&self, flushed: &Flushed, millis: u64) {
        let sum = |of: fn(&FlushedFamily) -> u64| flushed.families.iter().map(of).sum();
        let (memtable_bytes, file_bytes) = (sum(|family| family.bytes), sum(FlushedFamily::file_bytes));
        let counters = &self.shared.counters.flushes;
        counters.count.add(1);
        counters.millis.add(millis);
        counters.cells.add(sum(|family| family.cells));
        counters.memtable_bytes.add(memtable_bytes);
        counters.file_bytes.add(file_bytes);
        self.shared.counters.finished.add(FinishedWork {
            number: 0,
            kind: WorkKind::Flush,
            table: self.table.clone(),
            millis,
            input_files: 0,
            input_bytes: memtable_bytes,
            output_bytes: file_bytes,
        });
    }

    fn report_failed_flush(&self, reason: FlushReason, error: &Error, millis: u64) {
        let next = match reason {
            FlushReason::Recovered => "the open fails and the recovered edits stay".to_string(),
            FlushReason::Closing => {
                "its edits stay in memory and in the log, and it is not closed".to_string()
            }
            _ => {
                let pause = self.flush_retry.pause_millis() / 1000;
                format!("its edits stay in memory and in the log, the next attempt follows in {pause} s")
            }
        };
        let text =
            format!("flush of {} because {reason} failed after {millis} ms: {error}; {next}", self.title());
        self.shared.events.report(Level::Warn, Topic::Flush, text);
    }

    fn write_immutable(&self, sequence: u64) -> Result<Option<Flushed>> {
        let tables: Vec<Immutable> =
            self.stores.iter().map(|store| store.memtables().immutable.clone()).collect();
        if tables.iter().all(Vec::is_empty) {
            return self.note_nothing_to_flush(sequence).map(|()| None);
        }
        // They count as being flushed from here on, since syncing the log takes time and memory that is about to be free asks for no second
        // flush. They do so until they have left their stores and count as pinned; in between they count twice, which only puts off the next
        // flush.
        let bytes = tables.iter().flatten().map(|table| table.bytes() as u64).sum();
        let flushing = self.shared.pressure.flushing(bytes);
        self.await_durable(sequence)?;
        crash_point!("flush.before_write");
        let dropping = self.begin_dropping();
        let families: Vec<usize> = (0..self.stores.len()).filter(|i| !tables[*i].is_empty()).collect();
        let mut report = self.flushed(sequence, &families, &tables);
        let outcome = self.write_families(sequence, &families, &tables, &dropping);
        self.leave_committed(sequence, &families, &tables, outcome.is_ok());
        drop(flushing);
        drop(tables);
        drop(dropping);
        self.scanners.let_go();
        for (family, file) in report.families.iter_mut().zip(outcome?) {
            family.file = file;
        }
        self.log.set_flushed(sequence);
        crash_point!("flush.after_commit");
        self.wal.clean_up();
        Ok(Some(report))
    }

    fn note_nothing_to_flush(&self, sequence: u64) -> Result<()> {
        // A region that was aborted meanwhile has let go of memtables that are in no file.
        self.check_memtables()?;
        if self.mvcc.read_point() >= sequence {
            self.log.set_flushed(sequence);
        }
        Ok(())
    }

    /// Takes out of memory what is in files: all families, or those that were committed before an error. The others stay.
    fn leave_committed(&self, sequence: u64, families: &[usize], tables: &[Immutable], all: bool) {
        for index in families {
            let (store, tables) = (&self.stores[*index], &tables[*index]);
            if all || store.flushed_sequence() >= sequence {
                store.drop_flushed(tables);
                self.leave_behind(tables);
            }
        }
    }

    /// Waits until the log has an edit: no file may have what the log could still lose.
    fn await_durable(&self, sequence: u64) -> Result<()> {
        self.wal.commit(Durability::Sync)?;
        if self.mvcc.wait_for(sequence, self.shared.config.log_wait())? {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Timeout,
            format!("flush of region {}: the log did not reach sequence id {sequence}", self.encoded),
        ))
    }

    /// What a flush of some families takes out of memory, before it has files.
    fn flushed(&self, sequence: u64, families: &[usize], tables: &[Immutable]) -> Flushed {
        let family = |index: &usize| FlushedFamily {
            name: printable(&self.stores[*index].config.name),
            cells: tables[*index].iter().map(|t| t.cell_count() as u64).sum(),
            bytes: tables[*index].iter().map(|t| t.bytes() as u64).sum(),
            file: None,
        };
        Flushed { sequence, families: families.iter().map(family).collect() }
    }

    /// Writes a file for each of the families that has cells left.
    fn write_families(
        &self,
        sequence: u64,
        families: &[usize],
        tables: &[Immutable],
        dropping: &Dropping,
    ) -> Result<Vec<Option<Arc<StoreFile>>>> {
        let flushes = families.iter().map(|index| {
            let store = &self.stores[*index];
            FamilyFlush {
                files: &store.files,
                config: &store.config,
                cells: Box::new(self.retained(store, &tables[*index], dropping)),
                max_sequence: sequence,
            }
        });
        flush_families(flushes.collect())
    }

    fn retained<'t>(&self, store: &Store, tables: &'t Immutable, dropping: &Dropping) -> Retained<'t> {
        let rules = RetentionRules::new(
            CompactionKind::Minor,
            &store.config,
            dropping.now_millis(),
            dropping.read_point(),
            i64::MIN,
        );
        let cells = MergedCells::new(tables.iter().map(|t| &**t), self.order);
        Retained { cells, retention: Retention::new(rules), row: None }
    }

    /// What no open scanner and no later reader can see may be dropped while the result lives.
    pub(crate) fn begin_dropping(&self) -> Dropping {
        let dropping = self
            .read_points
            .begin_dropping(|| ReadTime { read_point: self.mvcc.read_point(), now_millis: self.now() });
        self.dropped_to.fetch_max(dropping.read_point(), Ordering::AcqRel);
        dropping
    }
}

/// The frozen memtables of a store.
type Immutable = Vec<Arc<Memtable>>;

/// A flush that wrote something.
struct Flushed {
    sequence: u64,
    families: Vec<FlushedFamily>,
}

/// What a flush did with one family.
struct FlushedFamily {
    name: String,
    cells: u64,
    bytes: u64,
    file: Option<Arc<StoreFile>>,
}

impl FlushedFamily {
    /// 0 when nothing of it could still be read.
    fn file_bytes(&self) -> u64 {
        self.file.as_ref().map_or(0, |file| file.facts().bytes)
    }

    fn sentence(&self) -> String {
        let source =
            format!(" {}: {}, {} of memory", self.name, count(self.cells, "cell"), bytes(self.bytes));
        let Some(file) = &self.file else {
            return format!("{source} -> nothing that can still be read;");
        };
        let facts = file.facts();
        format!(
            "{source} -> {}, {}, {} in file {};",
            count(facts.rows, "row"),
            count(facts.cells, "cell"),
            bytes(facts.bytes),
            file.name()
        )
    }
}

/// Cells of memtables without those that no reader can see any more.
struct Retained<'a> {
    cells: MergedCells<'a>,
    retention: Retention,
    row: Option<&'a [u8]>,
}

impl<'a> Iterator for Retained<'a> {
    type Item = CellRef<'a>;

    fn next(&mut self) -> Option<CellRef<'a>> {
        loop {
            let cell = self.cells.next()?;
            if self.row != Some(cell.row) {
                self.retention.start_row();
                self.row = Some(cell.row);
            }
            if self.retention.keeps(&cell) {
                return Some(cell);
            }
        }
    }
}
