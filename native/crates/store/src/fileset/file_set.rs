//! The set of a store's files: opened from the directory, read through snapshots, changed by commits.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result, contain, crash_point};
use grampus_cache::{BlockCache, CacheRules, CachedPages};
use grampus_cells::RowOrder;
use grampus_colfile::ColumnFile;
use grampus_env::Env;
use parking_lot::{Mutex, RwLock};

use crate::FamilyConfig;
use crate::fileset::archive::{archive, sync_archived};
use crate::fileset::bloom_counters::BloomCounters;
use crate::fileset::closed_stores::ClosedStore;
use crate::fileset::column_content::ColumnContent;
use crate::fileset::foreign_content::ForeignContent;
use crate::fileset::left_work::LeftWork;
use crate::fileset::name::FileName;
use crate::fileset::opening::{CheckOurs, Opening};
use crate::fileset::paths::StoreDir;
use crate::fileset::pending::{FileWriter, PendingFile};
use crate::fileset::reference::Clip;
use crate::fileset::resolve::resolve;
use crate::fileset::store_file::{FileContent, StoreFile};
use crate::fileset::store_files::StoreFiles;
use crate::fileset::timed_file::TimedFile;

/// What an open did besides opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenReport {
    /// Files that an output in the directory had replaced, now archived.
    pub archived: Vec<String>,
    /// Unfinished files below `.tmp`, now deleted.
    pub deleted: Vec<String>,
    /// Names that are no store file's, left alone.
    pub ignored: Vec<String>,
}

/// A store's files.
pub struct StoreFileSet {
    env: Arc<dyn Env>,
    cache: Arc<BlockCache>,
    dir: StoreDir,
    opening: Opening,
    order: RowOrder,
    rules: CacheRules,
    evict_on_close: bool,
    cache_on_write: bool,
    cache_compacted_up_to: u64,
    blooms: Arc<BloomCounters>,
    current: RwLock<Arc<StoreFiles>>,
    /// Held while the directory changes.
    changing: Mutex<LeftWork>,
}

impl StoreFileSet {
    /// Opens what the family directory holds, after finishing what a crash interrupted. `check_ours` is asked before anything is deleted.
    pub fn open(
        env: Arc<dyn Env>,
        cache: Arc<BlockCache>,
        dir: StoreDir,
        config: &FamilyConfig,
        order: RowOrder,
        check_ours: CheckOurs,
    ) -> Result<(StoreFileSet, OpenReport)> {
        let family_dir = dir.family_dir();
        env.mkdir_durably(&family_dir).map_err(|e| Error::io("create directory", &family_dir, e))?;
        // A process may have died between a rename into the directory and its sync: what the files hold is deleted elsewhere from now on,
        // recovered edits and the inputs of compactions, so the files have to outlive the machine first.
        env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e))?;
        let (opening, deleted) = Opening::begin(&*env, dir.tmp_dir(), check_ours)?;
        let set = StoreFileSet {
            env,
            cache,
            dir,
            opening,
            order,
            rules: cache_rules(config),
            evict_on_close: config.evict_on_close,
            cache_on_write: config.cache_on_write,
            cache_compacted_up_to: config.cache_compacted_up_to,
            blooms: Arc::default(),
            current: RwLock::default(),
            changing: Mutex::default(),
        };
        let mut report = OpenReport { deleted, ..OpenReport::default() };
        let mut files = set.open_directory(&mut report)?;
        set.archive_replaced(&mut files, &mut report)?;
        files.sort();
        files.files.iter().for_each(|file| file.keep_pages());
        *set.current.write() = Arc::new(files);
        Ok((set, report))
    }

    /// The files as of now.
    pub fn snapshot(&self) -> Arc<StoreFiles> {
        Arc::clone(&self.current.read())
    }

    /// The store's place.
    pub fn dir(&self) -> &StoreDir {
        &self.dir
    }

    /// The environment that the files live in.
    pub fn env(&self) -> &Arc<dyn Env> {
        &self.env
    }

    /// Questions to the bloom filters of its files since it was opened.
    pub fn blooms(&self) -> &BloomCounters {
        &self.blooms
    }

    /// Starts a file of the store.
    pub(crate) fn new_file(&self, config: &FamilyConfig) -> Result<FileWriter> {
        let create = || {
            let options = config.writer_options(self.order, self.env.now_millis());
            FileWriter::create(&self.env, &self.opening.dir(), options, self.cache.io_times())
        };
        match create() {
            Err(e) if e.source.as_ref().is_some_and(|s| s.kind() == std::io::ErrorKind::NotFound) => {
                self.opening.renew(&*self.env)?;
                create()
            }
            created => created,
        }
    }

    /// Order of the rows.
    pub fn order(&self) -> RowOrder {
        self.order
    }

    /// Moves a flushed, closed file into the family directory and shows it to readers.
    pub(crate) fn commit_flush(&self, pending: PendingFile) -> Result<Arc<StoreFile>> {
        let mut changing = self.changing.lock();
        let file = self.move_in(pending, self.cache_on_write, &mut changing)?;
        self.publish(&[], Arc::clone(&file));
        Ok(file)
    }

    /// Replaces inputs by one closed output: moves it in, shows it to readers, then archives the inputs.
    ///
    /// An error before the output is in place leaves everything as it was. Once it is, the replacement holds: an input
    /// that cannot be archived now is archived by a later commit, by [`StoreFileSet::archive_left`] or by the next open.
    pub(crate) fn commit_compaction(
        &self,
        inputs: &[Arc<StoreFile>],
        pending: PendingFile,
    ) -> Result<Arc<StoreFile>> {
        let mut changing = self.changing.lock();
        self.do_left(&mut changing)?;
        let snapshot = self.snapshot();
        if let Some(gone) = inputs.iter().find(|i| !snapshot.files.iter().any(|f| Arc::ptr_eq(f, i))) {
            let message = format!("{} is no longer a file of the store, its compaction is void", gone.name());
            return Err(Error::new(ErrorKind::Bug, message));
        }
        // As in HBase, CACHE_DATA_ON_WRITE is about flushes: a compaction must not push out what gets use, unless told so.
        let warm = pending.summary().file_bytes <= self.cache_compacted_up_to;
        let file = self.move_in(pending, warm, &mut changing)?;
        self.publish(inputs, Arc::clone(&file));
        changing.replaced.extend(inputs.iter().map(|f| f.name().to_string()));
        crash_point!("compaction.after_rename_before_archive");
        self.do_left(&mut changing)?;
        Ok(file)
    }

    /// Opens a file that is to be loaded, under the name that it will have, where it is now. The set does not show it yet.
    pub fn open_loaded(&self, path: &Path, name: &str) -> Result<Arc<StoreFile>> {
        let source = self.env.open(path).map_err(|e| Error::io("open", path, e))?;
        let parsed = FileName::parse(name).filter(|name| name.loaded_sequence().is_some());
        let parsed = parsed.ok_or_else(|| {
            Error::new(ErrorKind::Bug, format!("{name} is not the name of a file that was loaded"))
        })?;
        let file = self.open_file(name.to_string(), parsed, source, Clip::default())?;
        Ok(Arc::new(file))
    }

    /// Runs what moves files that are loaded into the family directory, which nothing else changes meanwhile.
    pub fn while_unchanged<T>(&self, place: impl FnOnce() -> Result<T>) -> Result<T> {
        let _changing = self.changing.lock();
        place()
    }

    /// Shows a file that is in the family directory to readers whose read point its sequence id has passed.
    pub fn show_loaded(&self, file: Arc<StoreFile>) {
        let _changing = self.changing.lock();
        self.publish(&[], file);
    }

    /// The names of loads whose files are in the store, in part or as a whole, or were until a compaction replaced them.
    pub fn loaded_names(&self) -> Result<HashSet<String>> {
        // What a compaction replaces goes from the set to these names, and from them to the archive: so that is looked at last. Not under the
        // lock, which commits wait for: the archive may be large and remote.
        let (shown, replaced) = {
            let changing = self.changing.lock();
            (self.snapshot(), changing.replaced.clone())
        };
        let archive = self.dir.archive_dir();
        let entries = match self.env.list(&archive) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(Error::io("list", &archive, e)),
        };
        let gone = entries.iter().map(|entry| &entry.name).chain(&replaced);
        let gone: Vec<FileName> = gone.filter_map(|name| FileName::parse(name)).collect();
        let all = shown.files.iter().map(|file| file.file_name()).chain(&gone);
        Ok(all.filter_map(FileName::loaded_as).map(str::to_string).collect())
    }

    /// The store is closed. Its pages leave the cache now, if the family wants that: an open cursor may keep a file for long.
    /// Else they stay for its return, those of earlier opens as well; the files that may have some are returned.
    pub fn close(&self) -> Option<ClosedStore> {
        // Best effort: the next opening deletes it as well.
        let _ = self.env.delete(&self.opening.dir());
        let files = self.snapshot();
        if self.evict_on_close {
            files.files.iter().for_each(|file| file.evict_pages());
            return None;
        }
        let named = |file: &Arc<StoreFile>| Some((file.name().to_string(), file.cache_id()?));
        ClosedStore::new(self.dir.family_dir(), files.files.iter().filter_map(named).collect())
    }

    /// Whether files that were replaced could not be archived, and none is being archived now.
    pub fn has_replaced(&self) -> bool {
        self.changing.try_lock().is_some_and(|left| !left.is_done())
    }

    /// Archives files that could not be archived when they were replaced. Fails when the store may be open elsewhere: what this set never
    /// took may be one of the files there.
    pub fn archive_left(&self) -> Result<()> {
        self.do_left(&mut self.changing.lock())
    }

    fn do_left(&self, left: &mut LeftWork) -> Result<()> {
        left.do_all(&*self.env, &self.dir, &self.opening)
    }

    fn move_in(&self, pending: PendingFile, warm: bool, left: &mut LeftWork) -> Result<Arc<StoreFile>> {
        if !pending.is_closed() {
            return Err(Error::new(
                ErrorKind::Bug,
                format!("{} was not closed before its commit", pending.name()),
            ));
        }
        let source = self.open_pending(&pending)?;
        let name = pending.name().to_string();
        let file = self.open_file(name.clone(), FileName::Own(name.clone()), source, Clip::default())?;
        if warm {
            file.warm()?;
        }
        let (family_dir, begun) = (self.dir.family_dir(), pending.path().to_path_buf());
        // Until it is shown it counts as one to be taken out, also after a panic: no compaction may drop a marker before it is out, or the
        // next open would bring back what the marker hides.
        left.uncertain.push(begun.clone());
        if let Err(error) = self.env.rename(&begun, &family_dir.join(&name)) {
            // A name node whose answer was lost may have renamed it.
            if error.kind() == std::io::ErrorKind::AlreadyExists {
                left.uncertain.pop();
            }
            return Err(Error::io("rename", begun, error));
        }
        pending.disarm();
        let sync = || self.env.sync_dir(&family_dir).map_err(|e| Error::io("sync directory", &family_dir, e));
        if let Err(error) = contain("a sync of a store's directory", sync) {
            // Not known to be durable: taken out again, so that what we answer and what survives a crash agree. If not now, then later.
            let _ = left.take_back(&*self.env, &self.dir, &self.opening, &begun);
            return Err(error);
        }
        left.uncertain.pop();
        Ok(Arc::new(file))
    }

    /// Opens a file under its old name: if it cannot be read, or is not what was written, the directory never sees it.
    fn open_pending(&self, pending: &PendingFile) -> Result<Arc<dyn RandomRead>> {
        let source = self.env.open(pending.path()).map_err(|e| Error::io("open", pending.path(), e))?;
        let (written, found) = (pending.summary().file_bytes, source.len());
        if written != found {
            let message = format!("{} has {found} bytes, {written} were written", pending.path().display());
            return Err(Error::new(ErrorKind::Corrupt, message));
        }
        Ok(source)
    }

    fn publish(&self, replaced: &[Arc<StoreFile>], added: Arc<StoreFile>) {
        added.keep_pages();
        {
            let mut current = self.current.write();
            let mut files = StoreFiles { newest_first: Vec::new(), ..StoreFiles::clone(&current) };
            files.replaced.retain(|file| file.holders() > 0);
            files.replaced.extend(replaced.iter().map(|file| file.page_holders()));
            files.files.retain(|f| !replaced.iter().any(|r| Arc::ptr_eq(f, r)));
            files.files.push(added);
            files.sort();
            *current = Arc::new(files);
        }
        // They will not be opened again. After the lock is released: each is a walk over the whole cache, and all reads begin with the lock.
        replaced.iter().for_each(|file| file.evict_pages());
    }

    fn open_directory(&self, report: &mut OpenReport) -> Result<StoreFiles> {
        let family_dir = self.dir.family_dir();
        let entries = self.env.list(&family_dir).map_err(|e| Error::io("list", &family_dir, e))?;
        let mut files = StoreFiles::default();
        for entry in entries {
            let name = FileName::parse(&entry.name).filter(|name| !entry.is_dir && is_whole(name, entry.len));
            let Some(name) = name else {
                report.ignored.push(entry.name);
                continue;
            };
            let resolved = resolve(self.env.as_ref(), &self.dir, &name, &entry.name)?;
            let file = self.open_file(entry.name, name, resolved.file, resolved.clip)?;
            files.files.push(Arc::new(file.referred_by(resolved.reference)));
        }
        Ok(files)
    }

    fn open_file(
        &self,
        text: String,
        name: FileName,
        source: Arc<dyn RandomRead>,
        clip: Clip,
    ) -> Result<StoreFile> {
        let source = Arc::new(TimedFile::new(source, &self.env, self.cache.io_times()));
        let file = open_file(&self.cache, self.rules, self.order, text, name, source, clip)?;
        Ok(file.counted_by(&self.blooms))
    }

    /// Archives the inputs of every output that is there, and forgets them.
    fn archive_replaced(&self, files: &mut StoreFiles, report: &mut OpenReport) -> Result<()> {
        for name in replaced(&files.files) {
            archive(self.env.as_ref(), &self.dir, &name)?;
            files.files.retain(|f| f.name() != name);
            report.archived.push(name);
        }
        if !report.archived.is_empty() {
            sync_archived(self.env.as_ref(), &self.dir)?;
        }
        Ok(())
    }
}

/// How the pages of a family's files enter the cache.
pub(super) fn cache_rules(config: &FamilyConfig) -> CacheRules {
    CacheRules { data: config.block_cache || config.prefetch, in_memory: config.in_memory }
}

/// Opens a file whose bytes were found.
pub(super) fn open_file(
    cache: &Arc<BlockCache>,
    rules: CacheRules,
    order: RowOrder,
    text: String,
    name: FileName,
    source: Arc<dyn RandomRead>,
    clip: Clip,
) -> Result<StoreFile> {
    let info = ColumnFile::read_info(source.as_ref())?;
    let content: Box<dyn FileContent> = if ColumnFile::is_column_file(&info) {
        let file = ColumnFile::open_with_info(&source, info)?;
        if file.row_order() != order {
            let message = format!("{} is in another row order than its region", file.name());
            return Err(Error::new(ErrorKind::Corrupt, message));
        }
        let id = cache.identify(name.hfile());
        let open_bytes = ColumnContent::memory_bytes(&file);
        let pages = CachedPages::new(source, Arc::clone(cache), id, rules, open_bytes);
        Box::new(ColumnContent::new(file, pages, name.loaded_sequence()))
    } else {
        Box::new(ForeignContent::new(source.name(), source.len(), &info))
    };
    Ok(StoreFile::new(text, name, clip, content))
}

/// HBase passes over empty files that are neither link nor reference; so do we.
fn is_whole(name: &FileName, len: u64) -> bool {
    len > 0 || !matches!(name, FileName::Own(_))
}

/// Names of files that another file says it replaced: by their name, or, where a clone or restore gave a file another
/// name, by the file behind it, as long as that is only one.
pub(super) fn replaced(files: &[Arc<StoreFile>]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for output in files {
        for input in &output.facts().compaction_inputs {
            let exact = files.iter().find(|f| f.name() == input);
            let hfile = FileName::parse(input).map(|n| n.hfile().to_string());
            let same_bytes = || {
                let mut named = files.iter().filter(|f| Some(f.file_name().hfile()) == hfile.as_deref());
                named.next().filter(|_| named.next().is_none())
            };
            let victim = exact.or_else(same_bytes).filter(|f| !Arc::ptr_eq(f, output));
            found.extend(victim.map(|f| f.name().to_string()));
        }
    }
    found.sort();
    found.dedup();
    found
}
