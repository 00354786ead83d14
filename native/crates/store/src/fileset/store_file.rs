//! One file of a store, whatever its kind.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grampus_base::{Error, Result};
use grampus_cache::FileId;
use grampus_cells::{RowBound, RowCursor, RowOrder, RowRange};
use grampus_colfile::{Access, Presence, Qualifiers, RawBytes, RowsByRank};

use crate::fileset::bloom_counters::BloomCounters;
use crate::fileset::cursor_spec::CursorSpec;
use crate::fileset::name::FileName;
use crate::fileset::page_holders::PageHolders;
use crate::fileset::reference::Clip;

/// How far the pages of a file were loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warmed {
    /// Pages that are in the cache now.
    pub loaded: usize,
    /// Pages of the file.
    pub pages: usize,
}

/// What a store needs of a file's content: a column file, or an HFile that HBase wrote.
pub(crate) trait FileContent: Send + Sync {
    /// A cursor over the rows of the spec; `None` when the file cannot matter to it.
    fn cursor(&self, spec: &CursorSpec<'_>) -> Result<Option<Box<dyn RowCursor>>>;

    /// Whether the file may have a cell of the row.
    fn may_contain_row(&self, row: &[u8], access: Access) -> Result<Presence>;

    /// Whether the file may have a cell of the row and qualifier, or a family delete marker of the row.
    fn may_contain_row_col(&self, row: &[u8], qualifier: &[u8], access: Access) -> Result<Presence>;

    /// Whether the file may have a row of the range.
    fn may_contain_range(&self, rows: RowRange<'_>, access: Access) -> Result<Presence>;

    /// What is known without reading.
    fn facts(&self) -> &FileFacts;

    /// The name that errors of reading it give.
    fn source_name(&self) -> &str;

    /// Loads pages into the cache as long as `go_on` says so for the next one.
    fn warm(&self, go_on: &dyn Fn() -> bool) -> Result<Warmed>;

    /// The pages stay in the cache after the file is closed.
    fn keep_pages(&self);

    /// The pages leave the cache, and those that are read later leave it with the file.
    fn evict_pages(&self);

    /// The identity of its pages in the cache; `None` for a file that is not read through the cache.
    fn cache_id(&self) -> Option<FileId>;

    /// The pages that are in the cache now leave it; returns how many.
    fn clear_pages(&self) -> u64;

    /// The holders of its pages, the content itself included.
    fn page_holders(&self) -> PageHolders;

    /// The row in the middle of those between two rows, the upper one excluded; `None` for less than two rows.
    fn middle_row(&self, from: Option<&[u8]>, until: Option<&[u8]>) -> Result<Option<Vec<u8>>>;

    /// Its rows by their numbers.
    fn rows_by_rank(&self) -> Result<RowsByRank<'_>>;

    /// Adds the qualifiers of the whole file.
    fn add_qualifiers(&self, found: &mut Qualifiers) -> Result<()>;

    /// The row groups between two rows, the upper one excluded: of one that lies there in part, that part.
    fn row_groups(&self, from: Option<&[u8]>, until: Option<&[u8]>) -> Result<Vec<RowGroupSpan<'_>>>;
}

/// Where a row group of a file lies, or the part of one that is looked at. The rows at its ends are those of the footer in memory, but for
/// a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroupSpan<'f> {
    /// First row.
    pub first: Cow<'f, [u8]>,
    /// Last row.
    pub last: Cow<'f, [u8]>,
    /// Rows of the file before it.
    pub rows_before: u64,
    /// Rows.
    pub rows: u64,
    /// Bytes in the file; of a part of a row group its share by rows.
    pub bytes: u64,
}

/// `part` of `parts` of a number, rounded down.
pub(super) fn share(whole: u64, part: u64, parts: u64) -> u64 {
    let parts = parts.max(1);
    (whole / parts).saturating_mul(part) + (whole % parts).saturating_mul(part) / parts
}

/// What is known of a file while it is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// Bytes of the whole file.
    pub bytes: u64,
    /// Bytes of memory that it takes while it is open, its pages in the cache not counted.
    pub open_bytes: u64,
    /// Bytes of its parts before compression.
    pub raw: RawBytes,
    /// Rows of the whole file.
    pub rows: u64,
    /// Cells of the whole file.
    pub cells: u64,
    /// Delete markers among them.
    pub deletes: u64,
    /// Highest sequence id that the file covers.
    pub max_sequence: u64,
    /// Smallest sequence id of a cell, 0 once zeroed.
    pub min_cell_sequence: u64,
    /// Smallest and largest timestamp, widened by covering markers.
    pub times: Option<(i64, i64)>,
    /// Smallest timestamp of a put.
    pub earliest_put: Option<i64>,
    /// First and last row; `None` without rows.
    pub range: Option<(Vec<u8>, Vec<u8>)>,
    /// True when a major compaction wrote it.
    pub major: bool,
    /// Creation time in milliseconds.
    pub created_millis: i64,
    /// Names of the files that it replaced.
    pub compaction_inputs: Vec<String>,
    /// True for an HFile that HBase wrote.
    pub foreign: bool,
}

/// One file of a store.
pub struct StoreFile {
    text: String,
    name: FileName,
    clip: Clip,
    /// The content of the reference file, for a part of another region's file.
    reference: Option<Vec<u8>>,
    content: Box<dyn FileContent>,
    /// Where questions to its bloom filter are counted.
    blooms: Arc<BloomCounters>,
    /// The pages were loaded, or are being loaded.
    warmed: AtomicBool,
    /// A compaction could not read it. Opened again it is tried again.
    damaged: AtomicBool,
}

impl StoreFile {
    pub(super) fn new(text: String, name: FileName, clip: Clip, content: Box<dyn FileContent>) -> StoreFile {
        StoreFile {
            text,
            name,
            clip,
            reference: None,
            content,
            blooms: Arc::default(),
            warmed: AtomicBool::new(false),
            damaged: AtomicBool::new(false),
        }
    }

    /// The same file, found through a reference file of this content.
    pub(super) fn referred_by(self, reference: Option<Vec<u8>>) -> StoreFile {
        StoreFile { reference, ..self }
    }

    /// The same file, whose store counts questions to bloom filters.
    pub(super) fn counted_by(self, blooms: &Arc<BloomCounters>) -> StoreFile {
        StoreFile { blooms: Arc::clone(blooms), ..self }
    }

    /// Name in the family directory.
    pub fn name(&self) -> &str {
        &self.text
    }

    /// The parsed name.
    pub fn file_name(&self) -> &FileName {
        &self.name
    }

    /// True for a part of another region's file.
    pub fn is_reference(&self) -> bool {
        self.name.is_reference()
    }

    /// The content of the reference file, HBase's `FSProtos.Reference` behind `PBUF`, for a part of another region's file.
    pub fn reference(&self) -> Option<&[u8]> {
        self.reference.as_deref()
    }

    /// What is known without reading.
    pub fn facts(&self) -> &FileFacts {
        self.content.facts()
    }

    /// True when compactions leave it alone: it was found damaged or has too large a row, or HBase wrote it.
    pub fn is_unreadable(&self) -> bool {
        self.facts().foreign || self.damaged.load(Ordering::Acquire)
    }

    /// An error for an HFile that HBase wrote, as each read of it gives.
    pub(crate) fn check_readable(&self) -> Result<()> {
        // Such a file answers no question about its rows; one of ours is not asked.
        if self.facts().foreign { self.content.rows_by_rank().map(drop) } else { Ok(()) }
    }

    /// Adds the qualifiers of the whole file, see [`ColumnFile::add_qualifiers`](grampus_colfile::ColumnFile::add_qualifiers).
    pub(crate) fn add_qualifiers(&self, found: &mut Qualifiers) -> Result<()> {
        self.content.add_qualifiers(found)
    }

    /// Whether an error is one of reading this file.
    pub fn is_source_of(&self, error: &Error) -> bool {
        error.file.as_deref() == Some(self.content.source_name())
    }

    /// Compactions leave it alone from now on. False when they did before.
    pub fn set_damaged(&self) -> bool {
        !self.damaged.swap(true, Ordering::AcqRel)
    }

    /// The holders of its pages, a store that has it open included.
    pub(super) fn page_holders(&self) -> PageHolders {
        self.content.page_holders()
    }

    /// Cursors that are open on it, of compactions as well.
    pub fn reader_count(&self) -> usize {
        self.page_holders().holders().saturating_sub(1) // less the store's own hold
    }

    /// Highest sequence id that the file covers.
    pub fn max_sequence(&self) -> u64 {
        self.facts().max_sequence
    }

    /// No cell has a larger timestamp.
    pub(crate) fn max_timestamp(&self) -> i64 {
        self.facts().times.map_or(i64::MAX, |(_, max)| max)
    }

    /// About the bytes that belong to this region: half of the file for half a file.
    pub fn effective_bytes(&self) -> u64 {
        self.part_of(self.facts().bytes)
    }

    /// About the rows that belong to this region.
    pub(crate) fn effective_rows(&self) -> u64 {
        self.part_of(self.facts().rows)
    }

    fn part_of(&self, whole: u64) -> u64 {
        if self.clip == Clip::default() { whole } else { whole / 2 }
    }

    /// A cursor for a read; `None` when the file cannot matter to it: by rows, by time, or by bloom filter.
    pub fn cursor(&self, spec: &CursorSpec<'_>) -> Result<Option<Box<dyn RowCursor>>> {
        let facts = self.facts();
        if facts.times.is_some_and(|(min, max)| !spec.time_range.overlaps(min, max)) {
            return Ok(None);
        }
        match self.clipped(spec.rows) {
            Some(rows) if self.passes_bloom(rows, spec)? => {
                self.content.cursor(&CursorSpec { rows, ..spec.clone() })
            }
            _ => Ok(None),
        }
    }

    /// False when the file certainly has no cell of the row.
    pub fn may_contain_row(&self, row: &[u8], access: Access) -> Result<bool> {
        let inside = self.clipped(RowRange::single(row)).is_some();
        Ok(inside && self.content.may_contain_row(row, access)?.is_possible())
    }

    /// False when the file certainly has neither a cell of the row and qualifier nor a family delete marker of the row.
    pub fn may_contain_row_col(&self, row: &[u8], qualifier: &[u8], access: Access) -> Result<bool> {
        let inside = self.clipped(RowRange::single(row)).is_some();
        Ok(inside && self.content.may_contain_row_col(row, qualifier, access)?.is_possible())
    }

    /// Loads all pages into the cache, for CACHE_DATA_ON_WRITE.
    pub fn warm(&self) -> Result<()> {
        self.warmed.store(true, Ordering::Release);
        self.content.warm(&|| true).map(|_| ())
    }

    /// Loads pages into the cache while `go_on`, once in the file's life, for PREFETCH_BLOCKS_ON_OPEN.
    /// `None` when that was done before.
    pub fn prefetch(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Warmed>> {
        if self.warmed.swap(true, Ordering::AcqRel) {
            return Ok(None);
        }
        self.content.warm(go_on).map(Some)
    }

    /// The pages stay in the cache after the file is closed; without this call they leave it.
    pub(super) fn keep_pages(&self) {
        self.content.keep_pages();
    }

    /// The pages leave the cache, and those that are read later leave it with the file.
    pub(super) fn evict_pages(&self) {
        self.content.evict_pages();
    }

    /// The identity of its pages in the cache; `None` for a file that is not read through the cache.
    pub(super) fn cache_id(&self) -> Option<FileId> {
        self.content.cache_id()
    }

    /// The pages that are in the cache now leave it; returns how many.
    pub fn clear_pages(&self) -> u64 {
        self.content.clear_pages()
    }

    /// The row in the middle of this region's part of the file; `None` for less than two rows.
    pub fn middle_row(&self) -> Result<Option<Vec<u8>>> {
        self.content.middle_row(self.clip.from.as_deref(), self.clip.until.as_deref())
    }

    /// The rows of the whole file by their numbers, from pages of row keys. The block cache stays as it is.
    pub fn rows_by_rank(&self) -> Result<RowsByRank<'_>> {
        self.content.rows_by_rank()
    }

    /// The row groups of this region's part of the file in row order, as far as they lie within bounds. They are known from the footer; of
    /// those at the ends of a part a page of row keys is read.
    pub fn row_groups(&self, bounds: &Clip, order: RowOrder) -> Result<Vec<RowGroupSpan<'_>>> {
        let part = self.clip.within(bounds, order);
        self.content.row_groups(part.from.as_deref(), part.until.as_deref())
    }

    fn passes_bloom(&self, rows: RowRange<'_>, spec: &CursorSpec<'_>) -> Result<bool> {
        let presence = self.presence(rows, spec)?;
        self.blooms.count(presence);
        Ok(presence.is_possible())
    }

    fn presence(&self, rows: RowRange<'_>, spec: &CursorSpec<'_>) -> Result<Presence> {
        let access = Access { cache: spec.cache, blocking: spec.blocking };
        let Some(row) = rows.as_single() else { return self.content.may_contain_range(rows, access) };
        let qualifiers = match spec.projection {
            None | Some([]) => return self.content.may_contain_row(row, access),
            Some(qualifiers) => qualifiers,
        };
        let mut presence = Presence::OutOfRange;
        for qualifier in qualifiers {
            presence = self.content.may_contain_row_col(row, qualifier, access)?;
            if presence.is_possible() {
                break;
            }
        }
        Ok(presence)
    }

    /// The range within this region's part of the file; `None` when nothing is left for a single row.
    fn clipped<'a>(&'a self, rows: RowRange<'a>) -> Option<RowRange<'a>> {
        // References exist only for tables in byte order: HBase never splits hbase:meta.
        let order = RowOrder::Bytes;
        let mut clipped = rows;
        if let Some(from) = &self.clip.from {
            let starts_inside = match rows.start {
                RowBound::Unbounded => false,
                RowBound::Included(row) | RowBound::Excluded(row) => order.compare(row, from).is_ge(),
            };
            if !starts_inside {
                clipped.start = RowBound::Included(from);
            }
        }
        if let Some(until) = &self.clip.until {
            let ends_inside = match rows.end {
                RowBound::Unbounded => false,
                RowBound::Included(row) | RowBound::Excluded(row) => order.compare(row, until).is_lt(),
            };
            if !ends_inside {
                clipped.end = RowBound::Excluded(until);
            }
        }
        let keeps_row = rows.as_single().is_none_or(|row| clipped.contains(row, order));
        keeps_row.then_some(clipped)
    }
}
