//! What the engine asks of a file system, tried out: the promises of [`Env`] and [`crate::AppendFile`] that can be seen without a fault.
//!
//! The environments of this crate are tested with it, and so is each file system of Hadoop's, by `org.grampus.engine.FileSystemCheck`.

mod bytes;
mod names;

use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use crate::Env;

/// One promise.
type Step = fn(&dyn Env, &Path) -> Result<()>;

/// The promises by their names.
const STEPS: [(&str, Step); 13] = [
    ("a file is created once, and never with its directory", names::creates_once),
    ("what is appended is read", bytes::reads_what_was_appended),
    ("a file that is flushed and synced goes on", bytes::goes_on_behind_a_sync),
    ("a log takes groups that are flushed or synced", bytes::takes_groups),
    ("a file is abandoned where it is not closed", bytes::can_be_abandoned),
    ("a list has names in order, lengths and kinds", names::lists),
    ("a rename replaces nothing", names::renames_onto_nothing),
    ("of renames to one name one is done", names::renames_once),
    ("a file is the same under another name", names::tells_files_apart),
    ("a reader goes on after a rename", bytes::reads_on_after_a_rename),
    ("a directory with something in it is not deleted", names::deletes_what_is_empty),
    ("a closed file stays as it is", bytes::leaves_closed_files),
    ("a lease that is recovered fences the writer", bytes::fences),
];

/// Tries each promise in a directory of its own below `dir`, which is made where it is missing and must have nothing in it. All of
/// it is deleted where all is well.
///
/// # Errors
/// The first promise that is not kept, by name, or that could not be tried.
pub fn check(env: &dyn Env, dir: &Path) -> Result<()> {
    env.mkdir_durably(dir)?;
    for (at, (promise, step)) in STEPS.into_iter().enumerate() {
        let own = dir.join(at.to_string());
        let named = |e: Error| Error::new(e.kind(), format!("{promise}: {e}"));
        env.mkdir(&own).map_err(named)?;
        step(env, &own).map_err(named)?;
        clear(env, &own).map_err(named)?;
    }
    env.delete(dir)
}

fn ensure(kept: bool, or: &str) -> Result<()> {
    if kept { Ok(()) } else { Err(Error::other(format!("broken: {or}"))) }
}

/// The call fails, and by this kind of error.
fn fails<T>(outcome: Result<T>, kind: ErrorKind, what: &str) -> Result<()> {
    match outcome {
        Err(e) if e.kind() == kind => Ok(()),
        Err(e) => Err(Error::other(format!("broken: {what} is {:?} and not {kind:?}: {e}", e.kind()))),
        Ok(_) => Err(Error::other(format!("broken: {what} succeeds"))),
    }
}

fn clear(env: &dyn Env, dir: &Path) -> Result<()> {
    for entry in env.list(dir)? {
        let path = dir.join(&entry.name);
        if entry.is_dir { clear(env, &path)? } else { env.delete(&path)? }
    }
    env.delete(dir)
}

fn write(env: &dyn Env, path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = env.create(path)?;
    file.append(bytes)?;
    file.close()
}
