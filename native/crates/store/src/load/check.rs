//! Whether a file may become a region's.

use std::path::Path;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result, printable};
use grampus_cells::RowOrder;
use grampus_colfile::{ColumnFile, verify};
use grampus_env::{Env, FileStat};

use crate::load::record::LoadFile;

/// What a file has to keep to.
#[derive(Clone, Copy, Debug)]
pub struct LoadBounds<'a> {
    /// The family.
    pub family: &'a [u8],
    /// First row of the region; empty = open.
    pub start_key: &'a [u8],
    /// First row behind the region; empty = open.
    pub end_key: &'a [u8],
    /// Order of the rows.
    pub order: RowOrder,
    /// No page may take more memory, and no footer more than a part of it ([`ColumnFile::open_within`]): a few bytes of a file can stand for
    /// gigabytes of a page, which the readers of the region would take.
    pub page_bytes_max: u64,
}

/// A file that was found good, and which one it was: another one may get its name before it is taken over.
#[derive(Clone, Debug)]
pub struct CheckedFile {
    /// The file.
    pub file: LoadFile,
    /// What [`Env::stat`] says of it.
    pub id: (u64, u64),
}

/// Refuses a file that must not be touched: one that is no column file, has no rows, is of another family, order or region, or would take more
/// memory than the bounds allow. Its footer is read and checked, and no other page.
/// One that is to be moved must have no second name, under which it could be changed later.
///
/// # Errors
/// `WrongRegion` for one whose rows are not all in the region.
pub fn check_source(env: &dyn Env, file: LoadFile, bounds: &LoadBounds<'_>) -> Result<CheckedFile> {
    let path = &file.source;
    let id = if file.copy { plain(env, path)?.id } else { movable(env, path, path)? };
    // A directory that became a link since the path was resolved would lead to a place that the client has no right to.
    if env.real_path(path).map_err(|e| Error::io("resolve", path, e))? != *path {
        return Err(refused(path, "a link is on the way to it"));
    }
    open(env, path, bounds).map_err(|e| damaged(path, e))?;
    if id != plain(env, path)?.id {
        return Err(refused(path, "another file has got its name meanwhile"));
    }
    Ok(CheckedFile { file, id })
}

/// What is at a path, which must be a plain file.
pub(super) fn plain(env: &dyn Env, path: &Path) -> Result<FileStat> {
    let found = env.stat(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => refused(path, "it is not there"),
        _ => Error::io("look at", path, e),
    })?;
    if found.is_plain { Ok(found) } else { Err(refused(path, "it is no plain file")) }
}

/// The id of a file, which must be plain and have one name. It is called by the name that it had first.
pub(super) fn movable(env: &dyn Env, path: &Path, first: &Path) -> Result<(u64, u64)> {
    let found = plain(env, path).map_err(|e| if path == first { e } else { refused(first, &e.message) })?;
    match found.names {
        1 => Ok(found.id),
        names => {
            let why =
                format!("it has {names} names (hard links), and could be changed by another one; copy it");
            Err(refused(first, &why))
        }
    }
}

/// The same once the file cannot be changed any more. With `every_byte` all checksums are compared, and all that the file says of its cells
/// with these, as `bin/grampus inspect` does.
pub fn check_content(env: &dyn Env, path: &Path, bounds: &LoadBounds<'_>, every_byte: bool) -> Result<()> {
    let check = || {
        let (file, source) = open(env, path, bounds)?;
        if every_byte {
            verify::verify(&Arc::new(file), &source)?;
        }
        Ok(())
    };
    check().map_err(|e| damaged(path, e))
}

/// A damaged file is the fault of the client that ordered the load: no other attempt makes it whole.
fn damaged(path: &Path, error: Error) -> Error {
    match error.kind {
        ErrorKind::Corrupt => refused(path, &error.message),
        _ => error,
    }
}

fn open(env: &dyn Env, path: &Path, bounds: &LoadBounds<'_>) -> Result<(ColumnFile, Arc<dyn RandomRead>)> {
    let source = env.open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => refused(path, "it is not there"),
        _ => Error::io("open", path, e),
    })?;
    let info = ColumnFile::read_info(source.as_ref())?;
    if !ColumnFile::is_column_file(&info) {
        let why = "it is an HFile in HBase's own format, which this server cannot read; write column files, or the cells with a client";
        return Err(refused(path, why));
    }
    let file = ColumnFile::open_within(&source, info, bounds.page_bytes_max)?;
    check_family(path, &file, bounds)?;
    check_rows(path, &file, bounds)?;
    Ok((file, source))
}

fn check_family(path: &Path, file: &ColumnFile, bounds: &LoadBounds<'_>) -> Result<()> {
    if file.row_order() != bounds.order {
        return Err(refused(path, "its rows are in another order than the region's"));
    }
    // A file without rows does not say its family.
    match file.family() {
        None => Err(refused(path, "it has no rows")),
        Some(family) if family == bounds.family => Ok(()),
        Some(other) => {
            let (found, wanted) = (printable(other), printable(bounds.family));
            Err(refused(path, &format!("it is a file of family {found}, not of {wanted}")))
        }
    }
}

fn check_rows(path: &Path, file: &ColumnFile, bounds: &LoadBounds<'_>) -> Result<()> {
    let Some((first, last)) = file.first_row().zip(file.last_row()) else {
        return Err(refused(path, "it has no rows"));
    };
    let begins = bounds.start_key.is_empty() || bounds.order.compare(first, bounds.start_key).is_ge();
    let ends = bounds.end_key.is_empty() || bounds.order.compare(last, bounds.end_key).is_lt();
    if begins && ends {
        return Ok(());
    }
    let message = format!(
        "Bulk load file {} does not fit inside the region: its rows are {} to {}, those of the region {} to {}",
        path.display(),
        printable(first),
        printable(last),
        printable(bounds.start_key),
        printable(bounds.end_key)
    );
    Err(Error::new(ErrorKind::WrongRegion, message))
}

pub(super) fn refused(path: &Path, why: &str) -> Error {
    Error::new(ErrorKind::BadRequest, format!("{} cannot be loaded: {why}", path.display()))
}
