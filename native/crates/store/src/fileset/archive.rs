//! Moves files to HBase's archive, where snapshots and links find them and the master's cleaner removes them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result};
use grampus_env::Env;

use crate::fileset::paths::StoreDir;

/// Attempts to archive a file that something comes between.
const ATTEMPTS_MAX: u32 = 3;

/// Archives a file of the family directory; one that is gone already is fine, since another server may have archived it.
///
/// Nothing is moved aside before a rename has found the name taken and the file in its place: what has the name in the archive may be the
/// file itself, which snapshots and links would then not find.
pub(super) fn archive(env: &dyn Env, dir: &StoreDir, name: &str) -> Result<()> {
    let (archive, from) = (dir.archive_dir(), dir.family_dir().join(name));
    let to = archive.join(name);
    let (mut attempts, mut aside) = (0, None);
    loop {
        attempts += 1;
        env.mkdir_durably(&archive).map_err(|e| Error::io("create directory", &archive, e))?;
        let Err(error) = env.rename(&from, &to) else { return Ok(()) };
        let is_taken = error.kind() == ErrorKind::AlreadyExists;
        let is_missing = error.kind() == ErrorKind::NotFound;
        if (is_taken || is_missing) && !env.exists(&from).map_err(|e| Error::io("look for", &from, e))? {
            return aside.map_or(Ok(()), |aside: PathBuf| put_back(env, &aside, &to));
        }
        if !(is_taken || is_missing) || attempts == ATTEMPTS_MAX {
            return Err(Error::io("archive", &from, error));
        }
        // Else the directory is missing: the master's cleaner deletes empty ones.
        if is_taken {
            aside = make_room(env, &to)?.or(aside);
        }
    }
}

/// An archived file of the same name keeps its bytes under a name with the time, as HBase does it. Returns where it is now.
fn make_room(env: &dyn Env, to: &Path) -> Result<Option<PathBuf>> {
    let mut aside = to.as_os_str().to_owned();
    aside.push(format!(".{}", env.now_millis()));
    let aside = PathBuf::from(aside);
    match env.rename(to, &aside) {
        Ok(()) => Ok(Some(aside)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io("move aside", to, e)),
    }
}

/// Another server has archived the file meanwhile: what was moved aside may be that, if nothing has its name now.
fn put_back(env: &dyn Env, aside: &Path, to: &Path) -> Result<()> {
    match env.rename(aside, to) {
        Err(e) if !matches!(e.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            Err(Error::io("move back", aside, e))
        }
        _ => Ok(()),
    }
}

/// Makes durable that files have gone to the archive: there before they are gone here. The cleaner may have deleted them there, with the directory.
pub(super) fn sync_archived(env: &dyn Env, dir: &StoreDir) -> Result<()> {
    let (archive, family) = (dir.archive_dir(), dir.family_dir());
    match env.sync_dir(&archive) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(Error::io("sync directory", &archive, e)),
        _ => {}
    }
    env.sync_dir(&family).map_err(|e| Error::io("sync directory", &family, e))
}
