//! Edits of a server that died, back into the memtables of a region that is being opened.
//!
//! No other thread can flush a region that is not open, so a replay flushes itself: what it has read goes to files whenever it has come to a share
//! of the memory for memtables. HBase does so at the flush size (`HRegion.replayRecoveredEdits`).

use std::sync::Arc;

use grampus_base::events::{Level, Topic, bytes};
use grampus_base::{Error, ErrorKind, Result};
use grampus_memtable::{Memtable, MergedCells};
use grampus_store::flush::{FamilyFlush, flush_families};
use grampus_wal::{Edit, SegmentReader};

use super::Shared;
use super::cut_edits;
use super::edit::{EditCell, insert};
use super::nonces::{Done, Owner};
use super::open_request::OpenRequest;
use super::recovered::{EditsFile, FoundEdits, Recovered};
use super::replayed_ids::ReplayedIds;
use super::store::Store;
use crate::pressure::Pressure;

/// Divisor of the memory for memtables: a replay keeps this share of it, and one file of edits.
const MEMORY_SHARE: u64 = 8;

/// What a replay brought back.
pub(super) struct Replayed {
    /// The highest sequence id.
    pub(super) highest: u64,
    /// Edits that were not in files.
    pub(super) edits: u64,
    /// Bytes of them that are in the memtables now. They are counted among all memtables' up to here, and from here on by the region.
    pub(super) bytes: u64,
}

/// A replay into stores that no reader sees yet.
pub(super) struct Replay<'a> {
    shared: &'a Shared,
    request: &'a OpenRequest,
    /// Whose the nonces are.
    owner: Owner,
    stores: &'a [Store],
    /// Of each store, the sequence id up to which its files had everything before.
    flushed: Vec<u64>,
    /// A group that was written to two segments is in two files.
    seen: ReplayedIds,
    highest: u64,
    edits: u64,
    memory: Memory<'a>,
}

impl<'a> Replay<'a> {
    /// Puts recovered edits into the memtables, and from there into files where they are many. After an error the stores are of no use, and
    /// opened again they bring back the rest.
    pub(super) fn run(
        shared: &'a Shared,
        recovered: &Recovered,
        request: &'a OpenRequest,
        owner: Owner,
        stores: &'a [Store],
    ) -> Result<Replayed> {
        let flushed: Vec<u64> = stores.iter().map(Store::flushed_sequence).collect();
        let files = recovered.distinct_edits(&*shared.env)?;
        // Before anything is read: a store file of what a cut file has left would say that it has all.
        let cut = cut_edits::check(&*shared.env, &files, flushed.iter().copied().min().unwrap_or(0))?;
        cut.iter().for_each(|file| report_cut(shared, request, file));
        let memory = Memory { pressure: &shared.pressure, bytes: 0 };
        let seen = ReplayedIds::default();
        let mut replay =
            Replay { shared, request, owner, stores, flushed, seen, highest: 0, edits: 0, memory };
        let mut later = files.as_slice();
        while let [file, rest @ ..] = later {
            replay.read(file)?;
            later = rest;
            if replay.memory.bytes >= shared.config.memtable_bytes / MEMORY_SHARE
                && replay.is_before(later)?
            {
                replay.spill()?;
            }
        }
        Ok(Replayed { highest: replay.highest, edits: replay.edits, bytes: replay.memory.bytes })
    }

    fn read(&mut self, found: &FoundEdits<'_>) -> Result<()> {
        let (path, mut last) = (&found.file.path, 0);
        let mut reader = SegmentReader::open(&*self.shared.env, path)?;
        while let Some(raw) = reader.next_edit()? {
            let edit = raw.decode()?;
            if edit.region != self.request.encoded_name {
                return Err(Error::new(
                    ErrorKind::Corrupt,
                    format!("{} has an edit of region {}", path.display(), edit.region),
                ));
            }
            last = edit.sequence;
            if !self.seen.insert(edit.sequence) {
                continue;
            }
            self.note_nonce(&edit);
            let cells = self.needed_cells(&edit);
            if !cells.is_empty() {
                self.memory.grow(insert(self.stores, &cells, edit.sequence));
                self.edits += 1;
            }
            self.highest = self.highest.max(edit.sequence);
        }
        match found.is_whole && !reader.is_closed() {
            true => Err(cut_edits::missing(found.file, last)),
            false => Ok(()),
        }
    }

    /// Takes note of the nonce that the edit's operation began with, as when it was executed.
    fn note_nonce(&self, edit: &Edit<'_>) {
        if let Some(nonce) = edit.nonces.first() {
            let now_millis = self.shared.monotonic_millis();
            let at_millis = now_millis.saturating_sub(self.age_millis(edit.write_time));
            let done = Done { key: (edit.nonce_group, *nonce), sequence: edit.sequence, at_millis };
            self.shared.nonces.note(self.owner, done, now_millis);
        }
    }

    /// An edit without what needs it no more: families that were dropped since, or whose files hold it.
    fn needed_cells<'e>(&self, edit: &Edit<'e>) -> Vec<EditCell<'e>> {
        let mut cells = Vec::with_capacity(edit.cells.len());
        for cell in &edit.cells {
            let Some(store) = self.stores.iter().position(|s| s.config.name == cell.family) else {
                continue;
            };
            if edit.sequence > self.flushed[store] {
                cells.push(EditCell { store, logged: true, stamped: false, cell: cell.cell });
            }
        }
        cells
    }

    /// How long ago a time of the wall clock is, which is that of another server.
    fn age_millis(&self, wall_millis: i64) -> i64 {
        self.shared.env.now_millis().saturating_sub(wall_millis).max(0)
    }

    /// Whether all edits of the files that are left are later than those that were read: a store file says up to which sequence id its
    /// store has everything.
    fn is_before(&self, later: &[FoundEdits<'_>]) -> Result<bool> {
        for FoundEdits { file, .. } in later {
            let first = cut_edits::first_sequence(&*self.shared.env, &file.path)?;
            if first.is_some_and(|first| first <= self.highest) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Brings everything so far into files.
    fn spill(&mut self) -> Result<()> {
        self.stores.iter().for_each(Store::freeze);
        let tables: Vec<(&Store, Vec<Arc<Memtable>>)> =
            self.stores.iter().map(|store| (store, store.memtables().immutable.clone())).collect();
        let flushes =
            tables.iter().filter(|(_, tables)| !tables.is_empty()).map(|(store, tables)| FamilyFlush {
                files: &store.files,
                config: &store.config,
                cells: Box::new(MergedCells::new(tables.iter().map(|t| &**t), store.files.order())),
                max_sequence: self.highest,
            });
        let held = self.memory.bytes;
        flush_families(flushes.collect())?;
        for (store, tables) in &tables {
            store.drop_flushed(tables);
            self.memory.shrink(tables.iter().map(|table| table.bytes() as u64).sum());
        }
        // All later files begin above what was read, so no id of it comes again.
        self.seen = ReplayedIds::default();
        self.report_spill(held);
        Ok(())
    }

    fn report_spill(&self, held: u64) {
        let OpenRequest { encoded_name, table, .. } = self.request;
        let text = format!(
            "region {encoded_name} of {table} is being opened: {} of recovered edits up to sequence id {} are in files, the others follow",
            bytes(held),
            self.highest
        );
        self.shared.events.report(Level::Info, Topic::Flush, text);
    }
}

/// Says that a file was cut whose edits are all there.
fn report_cut(shared: &Shared, request: &OpenRequest, file: &EditsFile) {
    let OpenRequest { encoded_name, table, .. } = request;
    let text = format!(
        "region {encoded_name} of {table} is being opened: {} was cut since it was written; all its edits are in other files",
        file.path.display()
    );
    shared.events.report(Level::Warn, Topic::Open, text);
}

/// Bytes of a replay's memtables, counted among all memtables' until this is dropped.
struct Memory<'a> {
    pressure: &'a Pressure,
    bytes: u64,
}

impl Memory<'_> {
    fn grow(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.pressure.hold(bytes);
    }

    fn shrink(&mut self, bytes: u64) {
        self.bytes -= bytes;
        self.pressure.release(bytes);
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        self.pressure.release(self.bytes);
    }
}
