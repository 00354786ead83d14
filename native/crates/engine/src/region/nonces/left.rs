//! What a region leaves of its nonces when it closes in order, for whoever opens it next, its daughters, or what it is merged into.
//!
//! The files are beside the sequence id files, `recovered.edits/<sequence id>.<random>.nonces`. One stays until a close that comes later has written
//! what is still of use of it: a server that dies meanwhile leaves no other copy. Daughters have references to their parent's files until a
//! compaction; their first opening makes the parent's nonces their own. What cannot be read or written costs nonces and no opening or close.
//! The reasons are in `docs/design/0055-nonces-move-with-their-regions.md`.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use grampus_base::events::{Level, Topic};
use grampus_base::{Error, Result, crash_point};
use grampus_env::Env;
use grampus_wal::UNFINISHED_SUFFIX;

use super::file::{self, COUNT_MAX, LeftNonce};
use super::{Done, Owner, keep_latest};
use crate::region::Shared;
use crate::region::recovered::{EDITS_DIRECTORY, Recovered, delete_if_there};
use crate::region::store::Store;

/// How a file's name ends.
const NONCES_SUFFIX: &str = ".nonces";

/// The sequence id in the name of a file of nonces; `None` for other names.
pub(in crate::region) fn sequence_of(name: &str) -> Option<u64> {
    name.strip_suffix(NONCES_SUFFIX)?.split_once('.')?.0.parse().ok()
}

/// The nonces of one opening of a region.
pub(in crate::region) struct RegionNonces<'a> {
    pub(in crate::region) shared: &'a Shared,
    pub(in crate::region) owner: Owner,
    /// The region in a sentence.
    pub(in crate::region) title: String,
    /// Its `recovered.edits`, where nonces are left.
    pub(in crate::region) dir: &'a Path,
    /// Where they were left before the logs had a root of their own; may be the same.
    pub(in crate::region) first_dir: &'a Path,
}

impl RegionNonces<'_> {
    /// Takes in what the region's last server has left, or that of the regions to whose files it refers. True when there were nonces of
    /// others, of which this region has no file.
    pub(in crate::region) fn take_in(&self, recovered: &Recovered, stores: &[Store]) -> bool {
        let mut failures = Vec::new();
        let has_own = !recovered.nonces.is_empty();
        let done = if has_own {
            self.read_all(&recovered.nonces, &mut failures)
        } else {
            let of_parents = self.files_of_parents(stores, &mut failures);
            self.read_all(&of_parents, &mut failures)
        };
        self.warn("nonces that were left cannot be taken in", &failures);
        self.shared.nonces.note_all(self.owner, &done, self.shared.monotonic_millis());
        !has_own && !done.is_empty()
    }

    fn files_of_parents(&self, stores: &[Store], failures: &mut Vec<String>) -> Vec<(u64, PathBuf)> {
        let mut files = Vec::new();
        for parent in parents(stores) {
            for place in BTreeSet::from([self.dir, self.first_dir]) {
                let Some(table_dir) = place.parent().and_then(Path::parent) else { continue };
                match Recovered::list(&*self.shared.env, &table_dir.join(&parent).join(EDITS_DIRECTORY)) {
                    Ok(recovered) => files.extend(recovered.nonces),
                    Err(e) => failures.push(e.message),
                }
            }
        }
        files
    }

    /// What is still of use of all files, each nonce once, oldest first; of more than a file may have, the youngest.
    fn read_all(&self, files: &[(u64, PathBuf)], failures: &mut Vec<String>) -> Vec<Done> {
        let mut done = Vec::new();
        for (_, path) in files {
            match self.read(path) {
                Ok(more) => done.extend(more),
                Err(e) => failures.push(e.message),
            }
            keep_latest(&mut done);
            done.drain(..done.len().saturating_sub(COUNT_MAX));
        }
        done
    }

    fn read(&self, path: &Path) -> Result<Vec<Done>> {
        let env = &*self.shared.env;
        let bytes = env.read(path).map_err(|e| Error::io("read", path, e))?;
        let left = file::decode(&bytes);
        let left = left.map_err(|e| Error::new(e.kind, format!("{}: {e}", path.display())))?;
        drop(bytes);
        let since_millis = env.now_millis().saturating_sub(left.written_millis).max(0);
        let now_millis = self.shared.monotonic_millis();
        let live = left.nonces.into_iter().filter_map(|nonce| {
            let age_millis = since_millis.saturating_add(nonce.age_millis.into());
            let at_millis = now_millis.saturating_sub(age_millis);
            let is_live = age_millis < self.shared.nonces.ttl_millis;
            is_live.then_some(Done { key: nonce.key, sequence: nonce.sequence, at_millis })
        });
        Ok(live.collect())
    }

    /// Leaves what is of use now, durably. False when that failed.
    pub(in crate::region) fn leave(&self, sequence: u64) -> bool {
        let now_millis = self.shared.monotonic_millis();
        let done = self.shared.nonces.of(self.owner, now_millis);
        if done.is_empty() {
            return true;
        }
        let left: Vec<LeftNonce> = done.into_iter().map(|done| left_of(&done, now_millis)).collect();
        let env = &*self.shared.env;
        let path = self.dir.join(format!("{sequence}.{:016x}{NONCES_SUFFIX}", env.random()));
        let written = write(env, &path, &file::encode(env.now_millis(), &left));
        let failure = written.err().map(|e| Error::io("write", &path, e).message);
        self.warn("nonces cannot be left", failure.as_slice());
        failure.is_none()
    }

    /// Removes what was there before what was left now. Files above the sequence id are another server's.
    pub(in crate::region) fn remove_older(&self, recovered: &Recovered, sequence: u64) -> Result<()> {
        for (_, path) in recovered.nonces.iter().filter(|(of_file, _)| *of_file <= sequence) {
            delete_if_there(&*self.shared.env, path).map_err(|e| Error::io("delete", path, e))?;
        }
        Ok(())
    }

    fn warn(&self, what: &str, failures: &[String]) {
        if failures.is_empty() {
            return;
        }
        let text = format!(
            "{}: {what}, and what a client repeats of these increments and appends is executed twice: {}",
            self.title,
            failures.join("; ")
        );
        self.shared.events.report(Level::Warn, Topic::Open, text);
    }
}

fn left_of(done: &Done, now_millis: i64) -> LeftNonce {
    let age_millis = u32::try_from(now_millis - done.at_millis).unwrap_or(u32::MAX);
    LeftNonce { key: done.key, sequence: done.sequence, age_millis }
}

/// The regions of whose files parts are in the stores.
fn parents(stores: &[Store]) -> BTreeSet<String> {
    let mut parents = BTreeSet::new();
    for store in stores {
        let files = store.files.snapshot();
        parents.extend(files.files().iter().filter_map(|file| file.file_name().parent().map(str::to_string)));
    }
    parents
}

/// A file of this name is complete. One that is not is deleted by the next opening, as what splits leave unfinished.
fn write(env: &dyn Env, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(UNFINISHED_SUFFIX);
    let unfinished = PathBuf::from(unfinished);
    let mut file = env.create(&unfinished)?;
    file.append(bytes)?;
    file.sync()?;
    file.close()?;
    crash_point!("nonces.after_sync_before_rename");
    env.rename(&unfinished, path)?;
    path.parent().map_or(Ok(()), |dir| env.sync_dir(dir))
}
