//! What splits and earlier servers have left for a region that is opened: `recovered.edits/`.

use std::io;
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result};
use grampus_env::Env;
use grampus_wal::{SegmentReader, UNFINISHED_SUFFIX};

use super::nonces::file;

const SEQUENCE_SUFFIX: &str = ".seqid";

/// Name of the directory of what splits and earlier servers have left for a region.
pub(super) const EDITS_DIRECTORY: &str = "recovered.edits";

/// A file of edits, as its name and its directory say. Of two with the same last id the longer one has all that the shorter has.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EditsFile {
    /// The last sequence id in it.
    pub(super) highest: u64,
    bytes: u64,
    pub(super) path: PathBuf,
}

/// A file of edits that was looked at.
pub(super) struct FoundEdits<'a> {
    pub(super) file: &'a EditsFile,
    /// It has an end, which it had when it got its name.
    pub(super) is_whole: bool,
}

/// Files below `recovered.edits/`.
#[derive(Default)]
pub(super) struct Recovered {
    /// Lowest last id first.
    pub(super) edits: Vec<EditsFile>,
    /// Sequence id files.
    pub(super) marks: Vec<(u64, PathBuf)>,
    /// Files of nonces.
    pub(super) nonces: Vec<(u64, PathBuf)>,
    /// What splits have left that did not come to their end.
    unfinished: Vec<PathBuf>,
}

impl Recovered {
    /// Lists what lies in a region's directory of these, and in the one that it has without a root of logs. Both may be the same, also
    /// under two names: then each file is listed under both.
    pub(super) fn list_both(env: &dyn Env, dir: &Path, region_dir: &Path) -> Result<Recovered> {
        let mut recovered = Recovered::list(env, dir)?;
        if region_dir != dir {
            recovered.add(Recovered::list(env, region_dir)?);
        }
        Ok(recovered)
    }

    /// Lists them; none where the directory is missing.
    pub(super) fn list(env: &dyn Env, dir: &Path) -> Result<Recovered> {
        let entries = match env.list(dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Recovered::default()),
            Err(e) => return Err(Error::io("list", dir, e)),
        };
        let mut recovered = Recovered::default();
        for entry in entries.into_iter().filter(|entry| !entry.is_dir) {
            recovered.add_file(&entry.name, entry.len, dir.join(&entry.name));
        }
        recovered.edits.sort();
        recovered.nonces.sort();
        Ok(recovered)
    }

    /// Adds a file to those of its kind, which its name says. Others are left alone.
    fn add_file(&mut self, name: &str, bytes: u64, path: PathBuf) {
        if let Some(mark) = name.strip_suffix(SEQUENCE_SUFFIX) {
            if let Ok(mark) = mark.parse() {
                self.marks.push((mark, path));
            }
        } else if let Some(sequence) = file::sequence_of(name) {
            self.nonces.push((sequence, path));
        } else if name.ends_with(UNFINISHED_SUFFIX) {
            self.unfinished.push(path);
        } else if name.bytes().all(|b| b.is_ascii_digit())
            && let Ok(highest) = name.parse()
        {
            self.edits.push(EditsFile { highest, bytes, path });
        }
    }

    fn add(&mut self, other: Recovered) {
        self.edits.extend(other.edits);
        self.edits.sort();
        self.marks.extend(other.marks);
        self.nonces.extend(other.nonces);
        self.nonces.sort();
        self.unfinished.extend(other.unfinished);
    }

    /// The files of edits that are to be read, lowest last id first: of files that are as long and end with the same id, one. Those whose end is
    /// missing are told from whole ones.
    pub(super) fn distinct_edits(&self, env: &dyn Env) -> Result<Vec<FoundEdits<'_>>> {
        let mut found = Vec::with_capacity(self.edits.len());
        for file in &self.edits {
            found.push(FoundEdits { file, is_whole: SegmentReader::has_end(env, &file.path)? });
        }
        found.dedup_by_key(|found| (found.file.highest, found.file.bytes, found.is_whole));
        Ok(found)
    }

    /// Deletes what splits did not finish. All that the region needs is in place before it is opened, so these are of workers that died, or
    /// of one that is taken for dead and must not put its file in place later.
    pub(super) fn delete_unfinished(&self, env: &dyn Env) -> Result<()> {
        let mut paths = self.unfinished.iter();
        paths.try_for_each(|path| delete_if_there(env, path).map_err(|e| Error::io("delete", path, e)))
    }

    /// Name of the mark of a sequence id.
    pub(super) fn mark_name(sequence: u64) -> String {
        format!("{sequence}{SEQUENCE_SUFFIX}")
    }

    /// The highest mark, 0 without one.
    pub(super) fn highest_mark(&self) -> u64 {
        self.marks.iter().map(|(mark, _)| *mark).max().unwrap_or(0)
    }
}

/// Deletes a file that may be gone: another worker may have deleted it, or this one under another name of its directory.
pub(super) fn delete_if_there(env: &dyn Env, path: &Path) -> io::Result<()> {
    match env.delete(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
}
