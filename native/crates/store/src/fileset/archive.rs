//! Moves files to HBase's archive, where snapshots and links find them and the master's cleaner removes them.

use std::io::ErrorKind;
use std::path::Path;

use grampus_base::{Error, Result};
use grampus_env::Env;

use crate::fileset::paths::StoreDir;

/// Archives a file of the family directory; one that is gone already is fine.
pub(super) fn archive(env: &dyn Env, dir: &StoreDir, name: &str) -> Result<()> {
    let archive = dir.archive_dir();
    env.mkdir_durably(&archive).map_err(|e| Error::io("create directory", &archive, e))?;
    let (from, to) = (dir.family_dir().join(name), archive.join(name));
    if !env.exists(&from).map_err(|e| Error::io("look for", &from, e))? {
        return Ok(());
    }
    make_room(env, &to)?;
    env.rename(&from, &to).map_err(|e| Error::io("archive", &from, e))
}

/// An archived file of the same name keeps its bytes under a name with the time, as HBase does it.
fn make_room(env: &dyn Env, to: &Path) -> Result<()> {
    let mut aside = to.as_os_str().to_owned();
    aside.push(format!(".{}", env.now_millis()));
    match env.rename(to, Path::new(&aside)) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io("move aside", to, e)),
    }
}
