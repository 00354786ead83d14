//! What a file is: by its first bytes, by its tail, and only then by its name and place.

use std::ffi::OsStr;
use std::path::Path;

use grampus_base::{Error, RandomRead, Result};
use grampus_colfile::ColumnFile;
use grampus_store::fileset::FileName;
use grampus_wal::segment;

const COLUMN_FILE: &[u8] = b"GRAMPUS";
const HBASE_DATA_BLOCK: &[u8] = b"DATABLK";
const HBASE_LOG: &[u8] = b"PWAL";

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    ColumnFile,
    LogSegment,
    /// A file of the layout whose content is not ours to check.
    Skipped {
        name: &'static str,
        why: String,
    },
    /// Nothing that belongs to stores or logs.
    Unknown,
}

impl Kind {
    /// Its name in a document.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Kind::ColumnFile => "columnFile",
            Kind::LogSegment => "logSegment",
            Kind::Skipped { name, .. } => name,
            Kind::Unknown => "unknown",
        }
    }

    fn skipped(name: &'static str, why: impl Into<String>) -> Kind {
        Kind::Skipped { name, why: why.into() }
    }
}

/// Directories whose files are log segments.
pub(super) fn is_log_directory(name: &OsStr) -> bool {
    ["WALs", "oldWALs", "recovered.edits"].iter().any(|known| name == *known)
}

/// The kind of a file; one whose beginning is damaged is what its tail, its name or its place says.
pub(super) fn of(source: &dyn RandomRead, path: &Path, in_logs: bool) -> Result<Kind> {
    let mut head = [0; 8];
    let len = usize::try_from(source.len()).unwrap_or(usize::MAX).min(head.len());
    let head = head.get_mut(..len).unwrap_or_default();
    source.read_exact_at(head, 0).map_err(|e| Error::io("read", path, e))?;
    if head.starts_with(COLUMN_FILE) {
        return Ok(Kind::ColumnFile);
    }
    if head == segment::MAGIC {
        return Ok(Kind::LogSegment);
    }
    if head.starts_with(HBASE_LOG) {
        return Ok(Kind::skipped("foreignLog", "a log that HBase itself wrote"));
    }
    let foreign = || Kind::skipped("foreignHFile", "an HFile that HBase itself wrote");
    if head.starts_with(HBASE_DATA_BLOCK) {
        return Ok(foreign());
    }
    if let Ok(info) = ColumnFile::read_info(source) {
        return Ok(if ColumnFile::is_column_file(&info) { Kind::ColumnFile } else { foreign() });
    }
    Ok(of_name(path, in_logs))
}

/// The kind that a name and its place stand for.
pub(super) fn of_name(path: &Path, in_logs: bool) -> Kind {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if in_logs { of_log_name(&name) } else { of_store_name(&name) }
}

fn of_log_name(name: &str) -> Kind {
    match name {
        _ if name.ends_with(".seqid") => Kind::Unknown,
        _ if name.ends_with(".nonces") => Kind::skipped("nonces", "nonces that a region left when it closed"),
        _ if name.ends_with(".tmp") => Kind::skipped("unfinished", "an unfinished log split"),
        _ => Kind::LogSegment,
    }
}

fn of_store_name(name: &str) -> Kind {
    let by_name = "only its name was checked";
    match FileName::parse(name) {
        None => Kind::Unknown,
        Some(FileName::Own(_)) => Kind::ColumnFile,
        Some(FileName::Reference { hfile, parent }) => {
            Kind::skipped("reference", format!("a reference to {hfile} of region {parent}; {by_name}"))
        }
        Some(FileName::LinkReference { link, parent }) => Kind::skipped(
            "reference",
            format!("a reference of region {parent} to {} of table {}; {by_name}", link.hfile, link.table),
        ),
        Some(FileName::Link(link)) => Kind::skipped(
            "link",
            format!("a link to {} of region {} of table {}; {by_name}", link.hfile, link.region, link.table),
        ),
    }
}
