//! An HFile that HBase wrote, in a store of ours: it is known, listed and kept, but not read.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::FileId;
use grampus_cells::{RowCursor, RowRange};
use grampus_colfile::{Access, FileInfo, Presence, Qualifiers, RowsByRank, info_keys};

use crate::fileset::cursor_spec::CursorSpec;
use crate::fileset::page_holders::PageHolders;
use crate::fileset::store_file::{FileContent, FileFacts, RowGroupSpan, Warmed};

/// The file; every read of it fails with its name.
pub(super) struct ForeignContent {
    name: String,
    facts: FileFacts,
}

impl ForeignContent {
    pub(super) fn new(name: &str, bytes: u64, info: &FileInfo) -> ForeignContent {
        let facts = FileFacts {
            bytes,
            max_sequence: info.long(info_keys::MAX_SEQ_ID).unwrap_or(0),
            major: info.boolean(info_keys::MAJOR_COMPACTION),
            foreign: true,
            ..FileFacts::default()
        };
        ForeignContent { name: name.to_string(), facts }
    }

    fn refuse<T>(&self) -> Result<T> {
        let message =
            format!("{} is an HFile in HBase's own format, which this server cannot read", self.name);
        Err(Error::new(ErrorKind::BadRequest, message))
    }
}

impl FileContent for ForeignContent {
    fn cursor(&self, _spec: &CursorSpec<'_>) -> Result<Option<Box<dyn RowCursor>>> {
        self.refuse()
    }

    fn may_contain_row(&self, _row: &[u8], _access: Access) -> Result<Presence> {
        self.refuse()
    }

    fn may_contain_row_col(&self, _row: &[u8], _qualifier: &[u8], _access: Access) -> Result<Presence> {
        self.refuse()
    }

    fn may_contain_range(&self, _rows: RowRange<'_>, _access: Access) -> Result<Presence> {
        self.refuse()
    }

    fn source_name(&self) -> &str {
        "" // nothing of it is read
    }

    fn facts(&self) -> &FileFacts {
        &self.facts
    }

    fn warm(&self, _go_on: &dyn Fn() -> bool) -> Result<Warmed> {
        Ok(Warmed::default()) // there are no pages to read
    }

    fn keep_pages(&self) {}

    fn evict_pages(&self) {}

    fn cache_id(&self) -> Option<FileId> {
        None
    }

    fn clear_pages(&self) -> u64 {
        0
    }

    fn page_holders(&self) -> PageHolders {
        PageHolders::default()
    }

    fn middle_row(&self, _from: Option<&[u8]>, _until: Option<&[u8]>) -> Result<Option<Vec<u8>>> {
        self.refuse()
    }

    fn rows_by_rank(&self) -> Result<RowsByRank<'_>> {
        self.refuse()
    }

    fn add_qualifiers(&self, _found: &mut Qualifiers) -> Result<()> {
        self.refuse()
    }

    fn row_groups(&self, _from: Option<&[u8]>, _until: Option<&[u8]>) -> Result<Vec<RowGroupSpan<'_>>> {
        Ok(Vec::new()) // a region with other files beside it can be split
    }
}
