//! Writing memtables out as column files.
//!
//! The families of a region are written side by side, four at a time; the write-back of each file starts while it is written, and only when
//! all are complete are they synced and moved in, one after the other. It need not be atomic over families: a replay skips,
//! per store, what that store's files already hold.

mod reason;

use std::sync::Arc;

use grampus_base::{Result, contain, crash_point};
use grampus_cells::CellRef;
use grampus_colfile::FinishInfo;
use parking_lot::Mutex;
pub use reason::FlushReason;

use crate::FamilyConfig;
use crate::fileset::{PendingFile, StoreFile, StoreFileSet};

#[cfg(test)]
mod tests;

/// Families of a region that are written at a time: each takes a thread, a row group and a write buffer.
const WRITERS_MAX: usize = 4;

/// Cells of one family in the order of [`CellRef::cmp_in`].
pub type CellIter<'a> = Box<dyn Iterator<Item = CellRef<'a>> + Send + 'a>;

/// One family to flush.
pub struct FamilyFlush<'a> {
    /// The store's files.
    pub files: &'a StoreFileSet,
    /// The family's settings.
    pub config: &'a FamilyConfig,
    /// The memtable's cells.
    pub cells: CellIter<'a>,
    /// Highest sequence id that the file will cover.
    pub max_sequence: u64,
}

/// Writes one file per family and commits them; the files are in the order of the families, `None` for one without cells.
///
/// On an error, families committed before it stay committed and the others leave nothing behind.
pub fn flush_families(families: Vec<FamilyFlush<'_>>) -> Result<Vec<Option<Arc<StoreFile>>>> {
    let sets: Vec<&StoreFileSet> = families.iter().map(|f| f.files).collect();
    let mut pending = write_side_by_side(families)?;
    crash_point!("flush.after_write_before_sync");
    for file in pending.iter_mut().flatten() {
        file.close()?;
    }
    crash_point!("flush.after_sync_before_rename");
    let mut committed = Vec::with_capacity(pending.len());
    for (set, file) in sets.into_iter().zip(pending) {
        committed.push(match file {
            Some(file) => Some(set.commit_flush(file)?),
            None => None,
        });
        crash_point!("flush.after_rename");
    }
    Ok(committed)
}

/// Writes the families' files, this thread and a few others taking one after the other. Without further threads this one writes them all.
fn write_side_by_side(families: Vec<FamilyFlush<'_>>) -> Result<Vec<Option<PendingFile>>> {
    let writers = families.len().min(WRITERS_MAX);
    let mut written: Vec<Result<Option<PendingFile>>> = families.iter().map(|_| Ok(None)).collect();
    let work = Mutex::new(families.into_iter().zip(&mut written));
    let write = || {
        while let Some((family, result)) = next(&work) {
            *result = contain("a flush of a family", || write_family(family));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..writers {
            let name = std::thread::Builder::new().name("flush-writer".to_string());
            let _one_less_where_the_system_has_none_left = name.spawn_scoped(scope, write);
        }
        write();
    });
    // All have ended before the first error is returned, so that no file is left half written.
    drop(work);
    written.into_iter().collect()
}

/// The next piece of work; the lock is not held while it is done.
fn next<T>(work: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    work.lock().next()
}

/// Writes one family's file below `.tmp`; `None` when there are no cells.
fn write_family(family: FamilyFlush<'_>) -> Result<Option<PendingFile>> {
    let mut cells = family.cells.peekable();
    if cells.peek().is_none() {
        return Ok(None);
    }
    let mut writer = family.files.new_file(family.config)?;
    for cell in cells {
        writer.append(cell)?;
    }
    let info = FinishInfo { max_sequence: family.max_sequence, ..FinishInfo::default() };
    writer.finish(info).map(Some)
}
