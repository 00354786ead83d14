//! What a load is about: each file's family, origin and name. The record's name tells how far the load has come, the directory's whose it is.

use std::io::ErrorKind::{DirectoryNotEmpty as NotEmpty, NotFound};
use std::path::{Path, PathBuf};

use grampus_base::{Error, ErrorKind, Result};
use grampus_env::{Env, is_absolute};
use serde::{Deserialize, Serialize};

use crate::fileset::FileName;

/// The version of the record's text.
const FORMAT: u32 = 1;
/// The record while it is written.
const NEW: &str = "record.new";
/// The record while files are moved in.
pub(super) const MOVING: &str = "moving";
/// Stands before the sequence id in the record's name once the load is done.
const COMMITTED: &str = "committed.";
/// Ends the name of a file that was copied.
const COPY: &str = ".copy";
/// Ends the name, beside its old one, of a file of another device that is to be moved and was copied: it goes once the load is done.
const PARKED: &str = ".moved";
/// Stands in the name of a load's directory that was taken away from its owner.
const TAKEN: &str = ".taken.";
/// Below a region: where its loads have their directories.
pub(super) const ROOT: &str = ".load";

/// One file of a load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadFile {
    /// The family, which is also its directory's name.
    pub family: String,
    /// Where the file is before the load.
    pub source: PathBuf,
    /// 32 hex digits: the name that it gets, before the sequence id. Another order with the same name is the same order.
    pub name: String,
    /// Files of one family get ascending sequence ids, so that of equal cells those of the later file count: id of the load plus this.
    pub offset: u64,
    /// The file stays where it is. Records of earlier versions do not say it.
    #[serde(default)]
    pub copy: bool,
}

impl LoadFile {
    /// The name in the family directory after a load with a sequence id.
    pub fn name_at(&self, sequence: u64) -> String {
        FileName::loaded(&self.name, sequence + self.offset)
    }

    /// Where the file goes back to when another one has its name meanwhile. Loaders pass over the name.
    pub(super) fn beside(&self, end: &str) -> PathBuf {
        self.source.with_file_name(format!("_{}{end}", self.name))
    }

    /// Refuses what could lead out of a directory.
    fn check(&self) -> Result<()> {
        let is_hex =
            self.name.len() == 32 && FileName::parse(&self.name).is_some_and(|n| n.hfile() == self.name);
        let is_plain = !self.family.is_empty() && !self.family.starts_with('.') && !self.family.contains('/');
        if is_hex && is_plain && is_absolute(&self.source) {
            return Ok(());
        }
        let message = format!(
            "{} as {} of family {} cannot be loaded: a file needs an absolute path, a name of 32 hex digits and a family",
            self.source.display(),
            self.name,
            self.family
        );
        Err(Error::new(ErrorKind::BadRequest, message))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    format: u32,
    files: Vec<LoadFile>,
}

impl Record {
    /// The files of a record, or why it is none.
    fn decode(text: &[u8]) -> std::result::Result<Vec<LoadFile>, String> {
        let record: Record = serde_json::from_slice(text).map_err(|e| e.to_string())?;
        if record.format != FORMAT {
            return Err(format!("its format is {}", record.format));
        }
        record.files.iter().try_for_each(LoadFile::check).map_err(|e| e.message)?;
        let files = record.files.len() as u64;
        match record.files.iter().find(|file| file.offset >= files) {
            Some(file) => Err(format!("{} has offset {} among {files} files", file.name, file.offset)),
            None => Ok(record.files),
        }
    }
}

/// Reads a record; for fuzzing. The names of its files lead out of no directory.
pub fn decode_record(text: &[u8]) {
    for file in Record::decode(text).unwrap_or_default() {
        let names = [file.name_at(7), file.family];
        assert!(names.iter().all(|name| Path::new(name).components().count() == 1), "{names:?}");
    }
}

/// The directory of one load: `<region>/.load/<opening>.<16 hex digits>`.
///
/// No other load has its name, so two servers that both believe to serve the region do not meet in it. Recovery renames it first, and then no
/// step of its owner has an effect any more.
#[derive(Clone, Debug)]
pub(super) struct LoadDir {
    pub(super) path: PathBuf,
    /// The sequence id of the opening that began the load. Later openings have higher ones. `None` for `.load` itself, where an earlier
    /// version had the one load of a region.
    pub(super) opening: Option<u64>,
    /// The digits, which stay when the directory is renamed.
    id: String,
}

/// How far a load has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Files are being moved in.
    Moving,
    /// The load is done, with this sequence id.
    Committed(u64),
}

impl Stage {
    fn of(name: &str) -> Option<Stage> {
        match name.strip_prefix(COMMITTED) {
            Some(digits) => digits.parse().ok().map(Stage::Committed),
            None => (name == MOVING).then_some(Stage::Moving),
        }
    }

    fn name(self) -> String {
        match self {
            Stage::Moving => MOVING.to_string(),
            Stage::Committed(sequence) => format!("{COMMITTED}{sequence}"),
        }
    }
}

impl LoadDir {
    fn root(region_dir: &Path) -> PathBuf {
        region_dir.join(ROOT)
    }

    /// The directory of a load that begins.
    pub(super) fn fresh(env: &dyn Env, region_dir: &Path, opening: u64) -> LoadDir {
        let id = format!("{:016x}", env.random());
        let path = LoadDir::root(region_dir).join(format!("{opening}.{id}"));
        LoadDir { path, opening: Some(opening), id }
    }

    /// Those that are there, that of an earlier version last; `None` without `.load`.
    pub(super) fn all(env: &dyn Env, region_dir: &Path) -> Result<Option<Vec<LoadDir>>> {
        let root = LoadDir::root(region_dir);
        let entries = match env.list(&root) {
            Ok(entries) => entries,
            Err(e) if e.kind() == NotFound => return Ok(None),
            Err(e) => return Err(Error::io("list", &root, e)),
        };
        let mut dirs = Vec::new();
        let mut has_earlier = false;
        for entry in entries {
            match LoadDir::named(&root, &entry.name).filter(|_| entry.is_dir) {
                Some(dir) => dirs.push(dir),
                None if !entry.is_dir && is_of_a_load(&entry.name) => has_earlier = true,
                None => {
                    let path = root.join(entry.name);
                    let message = format!(
                        "{} is nothing of a load that this version knows; move it away",
                        path.display()
                    );
                    return Err(Error::new(ErrorKind::Corrupt, message));
                }
            }
        }
        if has_earlier {
            dirs.push(LoadDir { path: root, opening: None, id: String::new() });
        }
        Ok(Some(dirs))
    }

    fn named(root: &Path, name: &str) -> Option<LoadDir> {
        let (opening, rest) = name.split_once('.')?;
        let id = rest.split('.').next().unwrap_or_default().to_string();
        Some(LoadDir { path: root.join(name), opening: Some(opening.parse().ok()?), id })
    }

    /// Takes the directory away from its owner, be it the server that made it or one that took it before. From now on none of its steps
    /// has an effect. `None` when it is gone.
    ///
    /// The rename of a directory is one step everywhere. It need not outlive the machine: after its death the owner is gone as well. That of
    /// an earlier version has one place, and is not taken away.
    pub(super) fn take(&self, env: &dyn Env) -> Result<Option<LoadDir>> {
        let Some(opening) = self.opening else { return Ok(Some(self.clone())) };
        // A name of its own: two that recover the same load must not go on in one directory.
        let path = self.path.with_file_name(format!("{opening}.{}{TAKEN}{:016x}", self.id, env.random()));
        match env.rename(&self.path, &path) {
            Ok(()) => Ok(Some(LoadDir { path, ..self.clone() })),
            // Also where another one has taken it, and its new name is there.
            Err(_) if env.exists(&self.path).is_ok_and(|is_there| !is_there) => Ok(None),
            Err(e) => Err(Error::io("rename", &self.path, e)),
        }
    }

    /// Where a file is while its copy is on its way, if it is of another device and was to be moved. Loaders pass over the name, and no other
    /// load of the file has it: a server that still undoes an older one does not bring back what a later one has loaded.
    pub(super) fn parked(&self, file: &LoadFile) -> PathBuf {
        file.source.with_file_name(format!("_{}.{}{PARKED}", file.name, self.id))
    }

    /// Where a file that was moved is.
    pub(super) fn moved(&self, file: &LoadFile) -> PathBuf {
        self.path.join(&file.name)
    }

    /// Where the copy of a file is.
    pub(super) fn copied(&self, file: &LoadFile) -> PathBuf {
        self.path.join(format!("{}{COPY}", file.name))
    }

    pub(super) fn record(&self, stage: Stage) -> PathBuf {
        self.path.join(stage.name())
    }

    /// Writes the record of a load that begins, durably.
    pub(super) fn begin(&self, env: &dyn Env, files: &[LoadFile]) -> Result<()> {
        files.iter().try_for_each(LoadFile::check)?;
        let io = |action: &'static str, path: &Path| {
            let path = path.to_path_buf();
            move |e| Error::io(action, path, e)
        };
        env.mkdir_durably(&self.path).map_err(io("create directory", &self.path))?;
        let (new, moving) = (self.path.join(NEW), self.record(Stage::Moving));
        let record = Record { format: FORMAT, files: files.to_vec() };
        let text = serde_json::to_vec(&record)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("the files of a load: {e}")))?;
        let mut file = env.create(&new).map_err(io("create", &new))?;
        file.append(&text).and_then(|()| file.sync()).map_err(io("write", &new))?;
        file.close().map_err(io("close", &new))?;
        env.rename(&new, &moving).map_err(io("rename", &new))?;
        env.sync_dir(&self.path).map_err(io("sync directory", &self.path))
    }

    /// What is under way; `None` where nothing is, or nothing was moved yet.
    pub(super) fn read(&self, env: &dyn Env) -> Result<Option<(Stage, Vec<LoadFile>)>> {
        let entries = match env.list(&self.path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == NotFound => return Ok(None),
            Err(e) => return Err(Error::io("list", &self.path, e)),
        };
        // Where a rename has two steps, a death between them leaves two records: the load is done.
        let stages = entries.iter().filter_map(|entry| Stage::of(&entry.name));
        let Some(stage) = stages.max_by_key(|stage| *stage != Stage::Moving) else { return Ok(None) };
        let path = self.record(stage);
        let text = env.read(&path).map_err(|e| Error::io("read", &path, e))?;
        let damaged = |why: String| {
            let message = format!(
                "{} is no record of a load that this version reads: {why}. The files beside it wait for it",
                path.display()
            );
            Error::new(ErrorKind::Corrupt, message)
        };
        let mut files = Record::decode(&text).map_err(damaged)?;
        if self.opening.is_none() {
            let is_there = |name: &str| entries.iter().any(|entry| entry.name == name);
            files.iter_mut().for_each(|file| file.copy = is_there(&format!("{}{COPY}", file.name)));
        }
        Ok(Some((stage, files)))
    }

    /// The load is over: its record and the directory go. Other files stay.
    pub(super) fn end(&self, env: &dyn Env) -> Result<()> {
        let entries = match env.list(&self.path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == NotFound => return Ok(()),
            Err(e) => return Err(Error::io("list", &self.path, e)),
        };
        let (own, others): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|e| e.name == NEW || Stage::of(&e.name).is_some());
        for entry in own {
            let path = self.path.join(entry.name);
            env.delete(&path).map_err(|e| Error::io("delete", path, e))?;
        }
        env.sync_dir(&self.path).map_err(|e| Error::io("sync directory", &self.path, e))?;
        if self.opening.is_none() {
            return LoadDir::delete_if_empty(env, &self.path);
        }
        if !others.is_empty() {
            return Ok(());
        }
        env.delete(&self.path).map_err(|e| Error::io("delete", &self.path, e))?;
        self.path.parent().map_or(Ok(()), |root| LoadDir::delete_if_empty(env, root))
    }

    /// Deletes `.load` once no load has a directory there.
    pub(super) fn remove_root_if_empty(env: &dyn Env, region_dir: &Path) -> Result<()> {
        LoadDir::delete_if_empty(env, &LoadDir::root(region_dir))
    }

    pub(super) fn delete_if_empty(env: &dyn Env, root: &Path) -> Result<()> {
        match env.delete(root) {
            Err(e) if !matches!(e.kind(), NotEmpty | NotFound) => Err(Error::io("delete", root, e)),
            _ => Ok(()),
        }
    }
}

/// Whether a name in `.load` itself is one of a load of an earlier version.
fn is_of_a_load(name: &str) -> bool {
    let file = name.strip_suffix(COPY).unwrap_or(name);
    name == NEW
        || Stage::of(name).is_some()
        || (file.len() == 32 && file.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests;
