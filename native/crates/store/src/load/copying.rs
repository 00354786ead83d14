//! Copies of whole files, made in parts.

use std::path::Path;

use grampus_base::{Error, Result};
use grampus_env::Env;

/// Bytes that are copied at a time.
const PART_BYTES: usize = 1 << 20;

/// Copies a file durably under a name that is not taken; its name is durable once its directory is synced. `go_on` is asked before each part,
/// and ends the copy with an error.
pub(super) fn copy_file(env: &dyn Env, from: &Path, to: &Path, go_on: &dyn Fn() -> Result<()>) -> Result<()> {
    let source = env.open(from).map_err(|e| Error::io("open", from, e))?;
    let mut copy = env.create_bulk(to).map_err(|e| Error::io("create", to, e))?;
    let mut part = vec![0; PART_BYTES];
    let mut at = 0;
    while at < source.len() {
        go_on()?;
        let left = usize::try_from(source.len() - at).unwrap_or(PART_BYTES).min(PART_BYTES);
        let part = part.get_mut(..left).unwrap_or_default();
        source.read_exact_at(part, at).map_err(|e| Error::io("read", from, e))?;
        copy.append(part).map_err(|e| Error::io("write", to, e))?;
        at += left as u64;
    }
    copy.sync().map_err(|e| Error::io("sync", to, e))?;
    copy.close().map_err(|e| Error::io("close", to, e))
}
