//! Files of recovered edits that have lost their end.
//!
//! A split ends each of its files, syncs and closes it, and only then gives it its name. So one without an end was cut since, by a file system or
//! a copy that lost bytes, and what it has left must not count for all: the region would come without acknowledged edits.

use std::path::Path;

use grampus_base::{Error, ErrorKind, Result};
use grampus_env::Env;
use grampus_wal::SegmentReader;

use super::recovered::{EditsFile, FoundEdits};

/// Fails where edits are missing. They are not where the stores have them, all of which have everything up to `in_files`, or where a whole file has
/// them: from one that the cut file has left to the last one, and so all between. Returns the files that were cut.
pub(super) fn check<'a>(
    env: &dyn Env,
    files: &[FoundEdits<'a>],
    in_files: u64,
) -> Result<Vec<&'a EditsFile>> {
    let cut: Vec<&EditsFile> = files.iter().filter(|found| !found.is_whole).map(|found| found.file).collect();
    for cut in cut.iter().filter(|cut| cut.highest > in_files) {
        let last = last_sequence(env, &cut.path)?;
        let whole = files.iter().filter(|found| found.is_whole && found.file.highest == cut.highest);
        let mut is_covered = false;
        for twin in whole {
            let first = first_sequence(env, &twin.file.path)?;
            is_covered |= first.is_some_and(|first| first <= last);
        }
        if !is_covered {
            return Err(missing(cut, last));
        }
    }
    Ok(cut)
}

/// What it means that a file has no end.
pub(super) fn missing(file: &EditsFile, last: u64) -> Error {
    let message = format!(
        "recovered edits are missing: {} had those up to sequence id {} and was cut behind {last}. Put a whole copy in its place, or move it away \
         to open the region without them",
        file.path.display(),
        file.highest
    );
    Error::new(ErrorKind::Corrupt, message)
}

/// The sequence id of a file's first edit.
pub(super) fn first_sequence(env: &dyn Env, path: &Path) -> Result<Option<u64>> {
    Ok(SegmentReader::open(env, path)?.next_edit()?.map(|first| first.sequence))
}

/// The sequence id of its last one, 0 without one.
fn last_sequence(env: &dyn Env, path: &Path) -> Result<u64> {
    let (mut reader, mut last) = (SegmentReader::open(env, path)?, 0);
    while let Some(edit) = reader.next_edit()? {
        last = edit.sequence;
    }
    Ok(last)
}
