//! Files of a load that did not happen, which cannot go back to their client.

use std::path::{Path, PathBuf};

use grampus_base::{Error, ErrorKind, Result};
use grampus_env::Env;

use crate::load::record::{self, LoadDir};

/// Moves the directory of such a load out of its region, to `<root>/staging/unreturned`, and returns its place there: the region can be closed
/// and split then. The record in it says where its files belong.
///
/// # Errors
/// The root directory takes no files, or the load of an earlier version has others beside it.
pub fn set_aside(env: &dyn Env, load_dir: &Path, root_dir: &Path, region: &str) -> Result<PathBuf> {
    let unreturned = root_dir.join("staging").join("unreturned");
    let place = unreturned.join(format!("{region}.{:016x}", env.random()));
    let is_earlier = load_dir.ends_with(record::ROOT);
    if is_earlier && env.list(load_dir).map_err(|e| Error::io("list", load_dir, e))?.iter().any(|e| e.is_dir)
    {
        let message = format!("{} has other loads, which end first", load_dir.display());
        return Err(Error::new(ErrorKind::Busy, message));
    }
    env.mkdir_durably(&unreturned).map_err(|e| Error::io("create directory", &unreturned, e))?;
    env.rename(load_dir, &place).map_err(|e| Error::io("move", load_dir, e))?;
    let parent = load_dir.parent().unwrap_or(Path::new("/"));
    for dir in [&unreturned, parent] {
        env.sync_dir(dir).map_err(|e| Error::io("sync directory", dir, e))?;
    }
    if !is_earlier {
        LoadDir::delete_if_empty(env, parent)?;
    }
    Ok(place)
}
