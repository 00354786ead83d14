//! What changes of a store's directory have left to do.

use std::io;
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result, crash_point};
use grampus_env::{Env, new_file_name};

use crate::fileset::archive::{archive, sync_archived};
use crate::fileset::opening::{Opening, delete};
use crate::fileset::paths::StoreDir;

/// What is left to do for files that were replaced, and for those of which it is not known whether they came into the directory.
///
/// It must be done before the next replacement: an output names its own inputs only, so an input of an earlier output that
/// came back after a crash would not be recognised any more.
#[derive(Default)]
pub(super) struct LeftWork {
    /// Files that the set forgot, and that are not archived yet.
    pub(super) replaced: Vec<String>,
    /// Files that the set never took, by the names that they had below `.tmp`.
    pub(super) uncertain: Vec<PathBuf>,
    /// True until the directory is known to be without them after a crash.
    unsynced: bool,
}

impl LeftWork {
    /// True when nothing is left.
    pub(super) fn is_done(&self) -> bool {
        self.replaced.is_empty() && self.uncertain.is_empty() && !self.unsynced
    }

    /// Does all of it. Fails when the store may be open elsewhere.
    pub(super) fn do_all(&mut self, env: &dyn Env, dir: &StoreDir, opening: &Opening) -> Result<()> {
        if self.is_done() {
            return Ok(());
        }
        opening.check_ours()?;
        while let Some(begun) = self.uncertain.last().cloned() {
            self.take_back(env, dir, opening, &begun)?;
        }
        while let Some(name) = self.replaced.last() {
            archive(env, dir, name)?;
            self.replaced.pop();
            self.unsynced = true;
            crash_point!("compaction.after_archive_one");
        }
        if self.unsynced {
            sync_archived(env, dir)?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Takes a file out of the directory into which its rename was to bring it, if it did.
    ///
    /// It goes back into the directory of this opening: where a successor has opened the store that one is gone, and the file is perhaps one of
    /// the successor's. The file system does either the successor's deletion or this rename first.
    pub(super) fn take_back(
        &mut self,
        env: &dyn Env,
        dir: &StoreDir,
        opening: &Opening,
        begun: &Path,
    ) -> Result<()> {
        // Without its source a rename that is still on its way comes to nothing.
        delete(env, begun)?;
        let target = dir.family_dir().join(begun.file_name().unwrap_or_default());
        let mut taken = back(env, opening, &target);
        if is_missing(&taken) && !exists(env, &opening.dir())? {
            opening.renew(env)?; // an operator has deleted it, or else this fails
            taken = back(env, opening, &target);
        }
        if !is_missing(&taken) {
            taken.map_err(|e| Error::io("take back", &target, e))?;
        }
        self.uncertain.retain(|path| path != begun);
        self.unsynced = true;
        Ok(())
    }
}

/// Renames a file into the directory of an opening, where it is deleted.
fn back(env: &dyn Env, opening: &Opening, target: &Path) -> io::Result<()> {
    let unused = opening.dir().join(new_file_name(env));
    env.rename(target, &unused)?;
    let _ = env.delete(&unused); // best effort: the next opening deletes it as well
    Ok(())
}

fn is_missing(outcome: &io::Result<()>) -> bool {
    outcome.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
}

fn exists(env: &dyn Env, path: &Path) -> Result<bool> {
    env.exists(path).map_err(|e| Error::io("look for", path, e))
}
