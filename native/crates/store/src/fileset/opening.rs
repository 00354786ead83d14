//! The directory that one opening of a store writes its unfinished files to.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grampus_base::{Error, Result};
use grampus_env::Env;

/// Fails when this server may have been taken for dead: another one then opens its stores. Asks the file system.
pub type CheckOurs = Arc<dyn Fn() -> Result<()> + Send + Sync>;

/// One opening of a store: a directory below the store's `.tmp`, which only its own server makes.
///
/// A server that was taken for dead may live, and may be about to commit a file. The next opening deletes the directories of those before
/// it, before it looks at the store's files: a late server then finds neither a place for a file nor the file that it wanted to rename.
pub(super) struct Opening {
    /// The store's `.tmp`.
    tmp: PathBuf,
    number: AtomicU64,
    check_ours: CheckOurs,
}

impl Opening {
    /// Begins an opening below `tmp`, and ends those before it; returns the names of the unfinished files that it has deleted.
    ///
    /// `check_ours` is asked when the openings before this one are known and nothing is deleted yet: one of these openings may be that of a
    /// successor.
    pub(super) fn begin(
        env: &dyn Env,
        tmp: PathBuf,
        check_ours: CheckOurs,
    ) -> Result<(Opening, Vec<String>)> {
        let opening = Opening { tmp, number: AtomicU64::new(env.random()), check_ours };
        let (tmp, own) = (&opening.tmp, opening.dir());
        make(env, &own)?;
        let entries = env.list(tmp).map_err(|e| Error::io("list", tmp, e))?;
        opening.check_ours()?;
        let mut deleted = Vec::new();
        for entry in entries {
            let path = tmp.join(&entry.name);
            if !entry.is_dir {
                delete(env, &path)?;
                deleted.push(entry.name);
            } else if path != own {
                end(env, &path, &mut deleted)?;
            }
        }
        Ok((opening, deleted))
    }

    /// Goes on in another directory, where an operator or a repair of the cluster has deleted the one before. A successor that opens the
    /// store after the check finds the new directory and deletes it; one that opened it before makes the check fail, and then no file is
    /// ever begun in it.
    pub(super) fn renew(&self, env: &dyn Env) -> Result<()> {
        let number = env.random();
        let dir = directory(&self.tmp, number);
        make(env, &dir)?;
        if let Err(e) = self.check_ours() {
            let _ = env.delete(&dir); // best effort: the next opening deletes it as well
            return Err(e);
        }
        self.number.store(number, Ordering::Release);
        Ok(())
    }

    /// Its directory below a store's `.tmp`.
    pub(super) fn dir(&self) -> PathBuf {
        directory(&self.tmp, self.number.load(Ordering::Acquire))
    }

    /// Fails when this server may have been taken for dead.
    pub(super) fn check_ours(&self) -> Result<()> {
        (self.check_ours)()
    }
}

fn directory(tmp: &Path, number: u64) -> PathBuf {
    tmp.join(format!("{number:016x}"))
}

fn make(env: &dyn Env, dir: &Path) -> Result<()> {
    env.mkdir(dir).map_err(|e| Error::io("create directory", dir, e))
}

/// Deletes the directory of an opening with its files, to which its server may add one more at any time before.
fn end(env: &dyn Env, dir: &Path, deleted: &mut Vec<String>) -> Result<()> {
    loop {
        match env.delete(dir) {
            Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io("delete directory", dir, e));
            }
            _ => return Ok(()),
        }
        for entry in env.list(dir).map_err(|e| Error::io("list", dir, e))? {
            delete(env, &dir.join(&entry.name))?;
            deleted.push(entry.name);
        }
    }
}

/// Deletes a file that its own server may have deleted meanwhile.
pub(super) fn delete(env: &dyn Env, path: &Path) -> Result<()> {
    match env.delete(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io("delete", path, e)),
        _ => Ok(()),
    }
}
