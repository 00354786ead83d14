//! Bulk loads: files that others wrote become a region's, of all families together or none.
//!
//! Invariants: 1. A loaded file's sequence id is above that of every edit in the region's files, and below that of every edit in its
//! memtables: what was in memory is flushed first, under the lock that keeps other flushes away until the file is shown. So a file still says up
//! to which id its store is complete, as a replay needs it. 2. The read point reaches the ids of a load when all its files are shown.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use grampus_base::events::{Level, Topic, bytes, count};
use grampus_base::{Error, ErrorKind, Result, contain, from_hex, printable, to_hex};
use grampus_store::fileset::StoreFile;
use grampus_store::flush::FlushReason;
use grampus_store::load::{
    self, CheckedFile, CommittedLoad, LoadBounds, LoadFile, LoadRecovery, Openings, StagedLoad,
};
use grampus_wal::Need;
use parking_lot::MutexGuard;
use serde_json::{Value, json};

use super::Region;
use super::load_gate::LoadGate;
use super::load_request::LoadRequest;
use crate::mvcc::Mvcc;

/// The longest that a load waits for earlier edits to become visible.
const VISIBLE_WAIT: Duration = Duration::from_secs(60);

/// A file of a load and its store.
struct Wanted {
    store: usize,
    file: LoadFile,
}

/// What a load did.
struct Loaded {
    sequence: u64,
    /// The highest id of its files.
    last: u64,
    files: Vec<(usize, LoadFile, Arc<StoreFile>)>,
}

impl Region {
    /// Takes over column files, all of them or none, and answers which ones as JSON: `loadFiles` of `docs/jni.md`. A file that an earlier call
    /// has loaded under the same name is passed over, so a call may be repeated. Waits for flushes; any thread.
    ///
    /// `fence` says by an error that the region may be another server's by now. It is asked before the first file is touched, while files
    /// are taken over, and right before the load happens.
    ///
    /// # Errors
    /// `WrongRegion` when a file has rows of other regions and no file has another fault, `BadRequest` for a file that can never be loaded,
    /// `Busy` while another load is under way or a store has too many files, `NoSuchFamily`, `NotServing`. The files are where they were then.
    /// `Timeout` when the load is done and not visible yet: the call may be repeated.
    /// After an error of the file system while they are moved into place they may be the region's from its next open on; the message says so.
    pub fn load_files(&self, request_json: &str, fence: &dyn Fn() -> Result<()>) -> Result<String> {
        let request = LoadRequest::parse(request_json)?;
        request.files.iter().try_for_each(|file| self.shared.env.check_place(&file.path))?;
        // A handler that waited here could not serve others meanwhile, for as long as a copy of large files takes.
        let _one_at_a_time = self.loading.try_lock().ok_or_else(|| {
            Error::new(ErrorKind::Busy, format!("another bulk load into {} is under way", self.title()))
        })?;
        let go_on = || self.check_serving().and_then(|()| fence());
        go_on()?;
        self.check_loadable()?;
        let begun_nanos = self.shared.env.monotonic_nanos();
        let outcome = self.load_or_clear_up(&request, &go_on);
        let millis = (self.shared.env.monotonic_nanos() - begun_nanos) / 1_000_000;
        let loaded = outcome.inspect_err(|e| self.report_failed_load(e, millis))?;
        self.answer_load(loaded.as_ref(), request.copy, millis)
    }

    /// [`Region::load`], after which its files are back also where it has panicked.
    fn load_or_clear_up(
        &self,
        request: &LoadRequest,
        go_on: &dyn Fn() -> Result<()>,
    ) -> Result<Option<Loaded>> {
        let mut outcome = contain("a bulk load", || self.load(request, go_on));
        // One that has panicked has not cleared up.
        if let Err(e) = &mut outcome
            && e.kind == ErrorKind::Bug
            && let Err(second) = contain("the end of a bulk load", || self.recover_loads())
        {
            e.message.push_str(&format!("; its files wait in .load: {second}"));
        }
        outcome
    }

    /// Answers once the load is visible; `None` when it was done before.
    fn answer_load(&self, loaded: Option<&Loaded>, copied: bool, millis: u64) -> Result<String> {
        let last = match loaded {
            None => {
                let text = format!("a bulk load into {} was done before: it is not done again", self.title());
                self.shared.events.report(Level::Info, Topic::Load, text);
                self.mvcc.last_given()
            }
            Some(loaded) => {
                self.report_load(loaded, copied, millis);
                self.want_compactions();
                loaded.last
            }
        };
        self.await_visible(last)?;
        Ok(reply(self, loaded))
    }

    fn report_failed_load(&self, error: &Error, millis: u64) {
        if error.kind != ErrorKind::WrongRegion {
            self.shared.counters.loads.failed.add(1);
            let text = format!("a bulk load into {} failed after {millis} ms: {error}", self.title());
            self.shared.events.report(Level::Warn, Topic::Load, text);
        }
    }

    fn check_loadable(&self) -> Result<()> {
        self.check_writable()?;
        if self.is_meta() {
            return Err(Error::new(ErrorKind::BadRequest, "hbase:meta takes no bulk loads"));
        }
        // An earlier load that could not move its files back does so now.
        self.recover_loads()?;
        if self.load_is_hidden.load(Ordering::Acquire) {
            let message = format!(
                "an earlier bulk load into {} waits for the region to be opened again: move or reopen it",
                self.title()
            );
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        Ok(())
    }

    /// Moves back, or on, what loads of this opening have left, also one that has just panicked.
    fn recover_loads(&self) -> Result<()> {
        for recovered in load::recover(&*self.shared.env, &self.dir, Openings::Only(self.open_sequence))? {
            if matches!(&recovered, LoadRecovery::Completed { placed, .. } if !placed.is_empty()) {
                self.load_is_hidden.store(true, Ordering::Release);
            }
            self.report_load_recovery(&recovered);
        }
        Ok(())
    }

    /// A load is acknowledged when readers see it, as every write.
    fn await_visible(&self, sequence: u64) -> Result<()> {
        if self.mvcc.wait_for(sequence, VISIBLE_WAIT)? {
            return Ok(());
        }
        let message = format!(
            "the bulk load into {} is done, but not visible after {} s: earlier edits wait for the log. Ask again",
            self.title(),
            VISIBLE_WAIT.as_secs()
        );
        Err(Error::new(ErrorKind::Timeout, message))
    }

    /// `None` when there is nothing left to load.
    fn load(&self, request: &LoadRequest, go_on: &dyn Fn() -> Result<()>) -> Result<Option<Loaded>> {
        let wanted = self.wanted(request)?;
        if wanted.is_empty() {
            return Ok(None);
        }
        self.check_room_for_a_load()?;
        check_prepared(request, &wanted)?;
        let stores: Vec<usize> = wanted.iter().map(|w| w.store).collect();
        let checked = self.check_sources(wanted)?;
        let staged = StagedLoad::take(&self.shared.env, &self.dir, self.open_sequence, &checked, go_on)?;
        if let Err(e) = self.check_staged(&staged, &stores, request.verify) {
            return Err(staged.undo_after(e));
        }
        let alone = self.flushing.lock();
        // Most of what is in memory is written before writers have to wait for the rest.
        if let Err(e) = self.check_serving().and_then(|()| self.flush_alone(&alone, FlushReason::Loading)) {
            return Err(staged.undo_after(e));
        }
        self.show(&alone, staged, &stores, go_on).map(Some)
    }

    /// The files that are not loaded yet, with their places among those of their family.
    fn wanted(&self, request: &LoadRequest) -> Result<Vec<Wanted>> {
        let mut loaded: HashMap<usize, HashSet<String>> = HashMap::new();
        let mut wanted: Vec<Wanted> = Vec::new();
        for file in &request.files {
            let store = self.store_index(&from_hex(&file.family, "family")?)?;
            let Some(opened) = self.stores.get(store) else { continue };
            let known = match loaded.entry(store) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(opened.files.loaded_names()?),
            };
            if known.contains(&file.name) {
                continue;
            }
            let offset = wanted.iter().filter(|w| w.store == store).count() as u64;
            let (family, source, name) =
                (opened.files.dir().family.clone(), file.path.clone(), file.name.clone());
            wanted
                .push(Wanted { store, file: LoadFile { family, source, name, offset, copy: request.copy } });
        }
        Ok(wanted)
    }

    /// Looks at all files before any is touched. A fault that the client can do nothing about comes before one of other regions' rows.
    fn check_sources(&self, wanted: Vec<Wanted>) -> Result<Vec<CheckedFile>> {
        let mut wrong_region = None;
        let mut good = Vec::with_capacity(wanted.len());
        for Wanted { store, file } in wanted {
            match load::check_source(&*self.shared.env, file, &self.load_bounds(store)) {
                Err(e) if e.kind == ErrorKind::WrongRegion => wrong_region = Some(e),
                checked => good.push(checked?),
            }
        }
        wrong_region.map_or(Ok(good), Err)
    }

    fn check_staged(&self, staged: &StagedLoad, stores: &[usize], every_byte: bool) -> Result<()> {
        for ((_, path), store) in staged.files().zip(stores) {
            self.check_serving()?;
            load::check_content(&*self.shared.env, path, &self.load_bounds(*store), every_byte)?;
        }
        Ok(())
    }

    fn load_bounds(&self, store: usize) -> LoadBounds<'_> {
        let family = self.stores.get(store).map(|store| store.config.name.as_slice()).unwrap_or_default();
        LoadBounds {
            family,
            start_key: &self.start_key,
            end_key: &self.end_key,
            order: self.order,
            page_bytes_max: self.limits.loaded_page_bytes(&self.shared.config),
        }
    }

    /// Gives the load its sequence ids, flushes what is older, and makes its files the stores'. Acknowledgements of later edits wait meanwhile.
    fn show(
        &self,
        alone: &MutexGuard<'_, ()>,
        staged: StagedLoad,
        stores: &[usize],
        go_on: &dyn Fn() -> Result<()>,
    ) -> Result<Loaded> {
        let ids = staged.files().map(|(file, _)| file.offset + 1).max().unwrap_or(1);
        let reserved = match self.freeze(|| Reserved::take(&self.mvcc, &self.load_gate, ids)) {
            Ok(reserved) => reserved,
            Err(e) => return Err(staged.undo_after(e)),
        };
        let sequence = reserved.first;
        let opened = self
            .flush_frozen(alone, FlushReason::Loading, sequence - 1)
            .and_then(|_| self.open_staged(&staged, stores, sequence))
            .and_then(|opened| go_on().map(|()| opened));
        // Files go back when no caller waits any more.
        let opened = match opened {
            Ok(opened) => opened,
            Err(e) => {
                drop(reserved);
                return Err(staged.undo_after(e));
            }
        };
        let (committed, reserved) = self.commit_hidden(staged, reserved)?;
        self.place_and_show(&committed, stores, &opened)?;
        self.load_is_hidden.store(false, Ordering::Release);
        let last = reserved.last;
        drop(reserved);
        self.end_record(committed);
        Ok(Loaded { sequence, last, files: opened })
    }

    /// Takes away the record of a load whose files are in place.
    fn end_record(&self, committed: CommittedLoad) {
        if let Err(e) = committed.end() {
            let text = format!(
                "the record of a bulk load into {} is still there: {e}; it has no effect",
                self.title()
            );
            self.shared.events.report(Level::Warn, Topic::Load, text);
        }
    }

    /// The moment of the load. From here on it may have happened whatever comes, a panic as well, and is hidden. The ids go back before
    /// files do.
    fn commit_hidden<'a>(
        &self,
        staged: StagedLoad,
        reserved: Reserved<'a>,
    ) -> Result<(CommittedLoad, Reserved<'a>)> {
        self.load_is_hidden.store(true, Ordering::Release);
        match staged.commit(reserved.first) {
            Ok(committed) => Ok((committed, reserved)),
            Err(uncertain) => {
                drop(reserved);
                let failed = uncertain.resolve();
                if !failed.is_undone {
                    return Err(self.hidden(&failed.error));
                }
                self.load_is_hidden.store(false, Ordering::Release);
                Err(failed.error)
            }
        }
    }

    /// Moves the files of a load that has happened into their families' directories, and gives them to readers.
    fn place_and_show(
        &self,
        committed: &CommittedLoad,
        stores: &[usize],
        opened: &[(usize, LoadFile, Arc<StoreFile>)],
    ) -> Result<()> {
        let mut families: Vec<usize> = stores.to_vec();
        families.sort_unstable();
        families.dedup();
        for store in families.iter().filter_map(|store| self.stores.get(*store)) {
            let family = &store.files.dir().family;
            store.files.while_unchanged(|| committed.place(family)).map_err(|e| self.hidden(&e))?;
        }
        for (store, _, file) in opened {
            if let Some(store) = self.stores.get(*store) {
                store.files.show_loaded(Arc::clone(file));
            }
        }
        Ok(())
    }

    /// The files under the names that they will have: one that cannot be read is known before it is too late.
    fn open_staged(
        &self,
        staged: &StagedLoad,
        stores: &[usize],
        sequence: u64,
    ) -> Result<Vec<(usize, LoadFile, Arc<StoreFile>)>> {
        let mut opened = Vec::new();
        for ((file, path), index) in staged.files().zip(stores) {
            let Some(store) = self.stores.get(*index) else { continue };
            let shown = store.files.open_loaded(path, &file.name_at(sequence))?;
            opened.push((*index, file.clone(), shown));
        }
        Ok(opened)
    }

    /// The load has happened, or may have, and its files are not where they belong: only an open can put that right.
    fn hidden(&self, error: &Error) -> Error {
        let message = format!(
            "the bulk load into {} is recorded and shows when the region is opened next, so move or reopen it: {error}",
            self.title()
        );
        self.shared.events.report(Level::Error, Topic::Load, message.clone());
        Error::new(ErrorKind::BadRequest, message)
    }

    fn report_load(&self, loaded: &Loaded, copied: bool, millis: u64) {
        let counters = &self.shared.counters.loads;
        counters.count.add(1);
        counters.millis.add(millis);
        let how = if copied { "copied" } else { "moved" };
        let mut text = format!(
            "loaded {} into {} in {millis} ms with sequence id {}:",
            count(loaded.files.len() as u64, "file"),
            self.title(),
            loaded.sequence
        );
        for (_, origin, file) in &loaded.files {
            let facts = file.facts();
            counters.files.add(1);
            counters.bytes.add(facts.bytes);
            counters.cells.add(facts.cells);
            text.push_str(&loaded_file(origin, file, how));
        }
        let text = text.trim_end_matches(';').to_string();
        self.shared.events.report(Level::Info, Topic::Load, text);
    }
}

/// What a line about a load says of one of its files.
fn loaded_file(origin: &LoadFile, file: &StoreFile, how: &str) -> String {
    let facts = file.facts();
    format!(
        " {}: {}, {}, {} {how} from {} to {};",
        printable(origin.family.as_bytes()),
        count(facts.rows, "row"),
        count(facts.cells, "cell"),
        bytes(facts.bytes),
        origin.source.display(),
        file.name()
    )
}

/// Refuses a repeated call of a load that is over, or was never prepared, where files are not loaded.
fn check_prepared(request: &LoadRequest, wanted: &[Wanted]) -> Result<()> {
    let (true, Some(first)) = (request.repeat, wanted.first()) else { return Ok(()) };
    let message = format!(
        "the bulk load is over or was never prepared, and {} of its files are not loaded, such as {}; prepare another one",
        wanted.len(),
        first.file.source.display()
    );
    Err(Error::new(ErrorKind::BadRequest, message))
}

fn reply(region: &Region, loaded: Option<&Loaded>) -> String {
    let file_json = |(store, _, file): &(usize, LoadFile, Arc<StoreFile>)| -> Value {
        let family = region.stores.get(*store).map(|store| to_hex(&store.config.name)).unwrap_or_default();
        json!({"family": family, "name": file.name(), "bytes": file.facts().bytes, "cells": file.facts().cells})
    };
    let files: Vec<Value> = loaded.map(|l| l.files.iter().map(file_json).collect()).unwrap_or_default();
    json!({"sequence": loaded.map_or(0, |l| l.sequence), "files": files}).to_string()
}

/// Sequence ids of a load. The read point stays below them until this is dropped, and then passes all of them in one step; until then
/// operations that read before they write wait.
struct Reserved<'a> {
    mvcc: &'a Mvcc,
    gate: &'a LoadGate,
    first: u64,
    last: u64,
}

impl Reserved<'_> {
    /// Takes the next ids while no edit can take one. They need no log: a load is in its files.
    fn take<'a>(mvcc: &'a Mvcc, gate: &'a LoadGate, ids: u64) -> Result<Reserved<'a>> {
        let first = mvcc.begin(|_| Ok(Need::Nothing))?;
        gate.shut();
        let mut reserved = Reserved { mvcc, gate, first, last: first };
        while reserved.last < first + ids - 1 {
            reserved.last = mvcc.begin(|_| Ok(Need::Nothing))?;
        }
        Ok(reserved)
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        for id in (self.first..=self.last).rev() {
            // Of a lost log there is nothing to see any more, and the caller hears of it elsewhere.
            let _ = self.mvcc.applied(id, None);
        }
        self.gate.open();
    }
}
