//! A region that closes in order saves its nonces in a file. The next opening of the region, of its daughters or of the region that it is
//! merged into loads them.
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

use super::Shared;
use super::nonces::{Done, Owner, file, keep_latest};
use super::recovered::{EDITS_DIRECTORY, Recovered, delete_if_there};
use super::store::Store;

/// The nonces of one opening of a region.
pub(super) struct RegionNonces<'a> {
    pub(super) shared: &'a Shared,
    pub(super) owner: Owner,
    /// The region in a sentence.
    pub(super) title: String,
    /// `recovered.edits` below the root of logs, where nonces are saved.
    pub(super) dir: &'a Path,
    /// `recovered.edits` in the region's directory, where they are without a root of logs; may be the same.
    pub(super) region_dir: &'a Path,
}

impl RegionNonces<'_> {
    /// Loads what the region's last server has left, or that of the regions to whose files it refers. True when there were nonces of
    /// others, of which this region has no file.
    pub(super) fn load(&self, recovered: &Recovered, stores: &[Store]) -> bool {
        let mut failures = Vec::new();
        let has_own = !recovered.nonces.is_empty();
        let done = if has_own {
            self.read_all(&recovered.nonces, &mut failures)
        } else {
            let of_parents = self.files_of_parents(stores, &mut failures);
            self.read_all(&of_parents, &mut failures)
        };
        self.warn("saved nonces cannot be loaded", &failures);
        self.shared.nonces.note_all(self.owner, &done, self.shared.monotonic_millis());
        !has_own && !done.is_empty()
    }

    fn files_of_parents(&self, stores: &[Store], failures: &mut Vec<String>) -> Vec<(u64, PathBuf)> {
        let mut files = Vec::new();
        for parent in parents(stores) {
            for place in BTreeSet::from([self.dir, self.region_dir]) {
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
            done.drain(..done.len().saturating_sub(file::COUNT_MAX));
        }
        done
    }

    fn read(&self, path: &Path) -> Result<Vec<Done>> {
        let env = &*self.shared.env;
        let bytes = env.read(path).map_err(|e| Error::io("read", path, e))?;
        let saved = file::decode(&bytes);
        let saved = saved.map_err(|e| Error::new(e.kind, format!("{}: {e}", path.display())))?;
        drop(bytes);
        let since_millis = env.now_millis().saturating_sub(saved.written_millis).max(0);
        let now_millis = self.shared.monotonic_millis();
        let live = saved.nonces.into_iter().filter_map(|nonce| {
            let age_millis = since_millis.saturating_add(nonce.age_millis.into());
            let at_millis = now_millis.saturating_sub(age_millis);
            let is_live = age_millis < self.shared.nonces.ttl_millis;
            is_live.then_some(Done { key: nonce.key, sequence: nonce.sequence, at_millis })
        });
        Ok(live.collect())
    }

    /// Saves what is of use now, durably. False when that failed.
    pub(super) fn save(&self, sequence: u64) -> bool {
        let now_millis = self.shared.monotonic_millis();
        let done = self.shared.nonces.of(self.owner, now_millis);
        if done.is_empty() {
            return true;
        }
        let nonces: Vec<file::SavedNonce> = done.into_iter().map(|done| saved(&done, now_millis)).collect();
        let env = &*self.shared.env;
        let path = self.dir.join(file::name_of(sequence, env.random()));
        let written = write(env, &path, &file::encode(env.now_millis(), &nonces));
        let failure = written.err().map(|e| Error::io("write", &path, e).message);
        self.warn("nonces cannot be saved", failure.as_slice());
        failure.is_none()
    }

    /// Removes what was there before what was saved now. Files above the sequence id are another server's.
    pub(super) fn remove_older(&self, recovered: &Recovered, sequence: u64) -> Result<()> {
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

fn saved(done: &Done, now_millis: i64) -> file::SavedNonce {
    let age_millis = u32::try_from(now_millis - done.at_millis).unwrap_or(u32::MAX);
    file::SavedNonce { key: done.key, sequence: done.sequence, age_millis }
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
