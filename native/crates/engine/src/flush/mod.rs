//! Writing memtables out as column files.
//!
//! The families of a region are written side by side; the write-back of each file starts while it is written, and only when
//! all are complete are they synced and moved in, one after the other. It need not be atomic over families: a replay skips,
//! per store, what that store's files already hold.

mod reason;

use std::sync::Arc;

use grampus_colfile::{CellRef, FinishInfo};

use crate::crash_point;
use crate::env::Env;
use crate::error::{Error, ErrorKind, Result};
use crate::fileset::{FileWriter, PendingFile, StoreFile, StoreFileSet};
use crate::store::FamilyConfig;

pub use reason::FlushReason;

#[cfg(test)]
mod tests;

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
        file.sync()?;
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

fn write_side_by_side(families: Vec<FamilyFlush<'_>>) -> Result<Vec<Option<PendingFile>>> {
    if families.len() == 1 {
        return families.into_iter().map(write_family).collect();
    }
    std::thread::scope(|scope| {
        let writers: Vec<_> = families.into_iter().map(|f| scope.spawn(move || write_family(f))).collect();
        let join = |writer: std::thread::ScopedJoinHandle<'_, Result<Option<PendingFile>>>| {
            let died = |_| Err(Error::new(ErrorKind::Bug, "a flush writer panicked"));
            writer.join().unwrap_or_else(died)
        };
        // All are joined before the first error is returned, so that no file is left half written.
        let results: Vec<_> = writers.into_iter().map(join).collect();
        results.into_iter().collect()
    })
}

/// Writes one family's file below `.tmp`; `None` when there are no cells.
fn write_family(family: FamilyFlush<'_>) -> Result<Option<PendingFile>> {
    let env: &Arc<dyn Env> = family.files.env();
    let mut cells = family.cells.peekable();
    if cells.peek().is_none() {
        return Ok(None);
    }
    let mut writer = FileWriter::create(env, family.files.dir(), family.config, family.files.order())?;
    for cell in cells {
        writer.append(cell)?;
    }
    let info = FinishInfo { max_sequence: family.max_sequence, ..FinishInfo::default() };
    writer.finish(info).map(Some)
}
