//! A column file as a store's file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use grampus_base::{Error, Result};
use grampus_cache::{CachedPages, FileId};
use grampus_cells::{RowCursor, RowRange, TimeRange};
use grampus_colfile::{
    Access, ColumnFile, CursorOptions, FileCursor, PageSource, Presence, Qualifiers, RowGroupInfo, RowsByRank,
};

use crate::fileset::cursor_spec::CursorSpec;
use crate::fileset::page_holders::PageHolders;
use crate::fileset::row_cursor::ColumnCursor;
use crate::fileset::store_file::{FileContent, FileFacts, RowGroupSpan, Warmed, share};

/// About what the engine keeps of an open file beside its footer: names, [`FileFacts`], the descriptor, its place in lists.
const BESIDE_FOOTER_BYTES: u64 = 1152;
/// How rows are read by number, and numbers of rows: some of every page's, and seldom again. They would push out what is read often.
const BY_RANK: Access = Access::READ_THROUGH;

/// A column file and its pages.
pub(super) struct ColumnContent {
    file: Arc<ColumnFile>,
    pages: Arc<CachedPages>,
    facts: FileFacts,
    /// The sequence id of all cells, for a file that was loaded; else each has its own.
    loaded: Option<u64>,
}

impl ColumnContent {
    /// Bytes of memory that a column file takes while it is open, its pages in the cache not counted.
    pub(super) fn memory_bytes(file: &ColumnFile) -> u64 {
        file.memory_bytes() as u64 + BESIDE_FOOTER_BYTES
    }

    /// A file of a store; one that was loaded with a sequence id has that id in all respects, whatever it was written with. What it says of
    /// compactions is about the store where it was written.
    pub(super) fn new(file: ColumnFile, pages: Arc<CachedPages>, loaded: Option<u64>) -> ColumnContent {
        let stats = file.stats();
        let facts = FileFacts {
            bytes: file.file_bytes(),
            open_bytes: ColumnContent::memory_bytes(&file),
            raw: file.raw_bytes(),
            rows: file.rows(),
            cells: stats.cells,
            deletes: stats.deletes,
            max_sequence: loaded.unwrap_or_else(|| file.max_sequence()),
            min_cell_sequence: loaded.unwrap_or_else(|| file.cell_sequences().0),
            times: (stats.cells > 0).then_some((stats.times.min, stats.times.max)),
            earliest_put: file.earliest_put(),
            range: file.first_row().zip(file.last_row()).map(|(first, last)| (first.to_vec(), last.to_vec())),
            major: loaded.is_none() && file.is_major(),
            created_millis: file.created_millis(),
            compaction_inputs: if loaded.is_some() { Vec::new() } else { file.compaction_inputs() },
            foreign: false,
        };
        ColumnContent { file: Arc::new(file), pages, facts, loaded }
    }

    /// The numbers of the rows between two rows, the upper one excluded.
    fn ranks(&self, from: Option<&[u8]>, until: Option<&[u8]>) -> Result<Range<u64>> {
        let rank = |row: Option<&[u8]>, open_end| match row {
            Some(row) => self.file.rank(row, &*self.pages, BY_RANK),
            None => Ok(open_end),
        };
        Ok(rank(from, 0)?..rank(until, self.file.rows())?)
    }

    /// The rows of a row group that have these numbers; it has `before` rows of the file below it.
    fn span<'f>(&self, group: &RowGroupInfo<'f>, before: u64, rows: Range<u64>) -> Result<RowGroupSpan<'f>> {
        let all = u64::from(group.rows);
        let first = match rows.start == before {
            true => Cow::Borrowed(group.first_row),
            false => Cow::Owned(self.row_at(rows.start)?.unwrap_or_default()),
        };
        let last = match rows.end == before + all {
            true => Cow::Borrowed(group.last_row),
            false => Cow::Owned(self.row_at(rows.end - 1)?.unwrap_or_default()),
        };
        let count = rows.end - rows.start;
        Ok(RowGroupSpan {
            first,
            last,
            rows_before: rows.start,
            rows: count,
            bytes: share(group.stored_bytes, count, all),
        })
    }

    /// The row that has `rank` rows of the file below it; `None` past the last.
    fn row_at(&self, rank: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.file.row_at(rank, &*self.pages, BY_RANK)?)
    }

    fn overlaps(&self, rows: RowRange<'_>) -> bool {
        let order = self.file.row_order();
        let ends = self.file.first_row().zip(self.file.last_row());
        ends.is_some_and(|(first, last)| !rows.is_after(first, order) && !rows.is_before(last, order))
    }
}

impl FileContent for ColumnContent {
    fn cursor(&self, spec: &CursorSpec<'_>) -> Result<Option<Box<dyn RowCursor>>> {
        if !self.overlaps(spec.rows) || self.loaded.is_some_and(|sequence| sequence > spec.read_point) {
            return Ok(None);
        }
        let (projection, times) = match spec.all_rows {
            true => (None, TimeRange::ALL),
            false => (spec.projection, spec.time_range),
        };
        let options = CursorOptions {
            direction: spec.direction,
            projection,
            rows: spec.rows,
            access: Access { cache: spec.cache, blocking: spec.blocking },
            times: times.inclusive(),
            all_cells: spec.all_cells,
        };
        let pages: Arc<dyn PageSource> =
            if spec.one_pass { self.pages.one_pass() } else { self.pages.clone() };
        let cursor = FileCursor::new(Arc::clone(&self.file), pages, &options);
        let newer = self.loaded.is_none() && self.file.cell_sequences().1 > spec.read_point;
        let read_point = newer.then_some(spec.read_point);
        Ok(Some(Box::new(ColumnCursor::new(cursor, read_point, self.loaded, spec.all_rows))))
    }

    fn may_contain_row(&self, row: &[u8], access: Access) -> Result<Presence> {
        self.file.may_contain_row(row, &*self.pages, access).map_err(Error::from)
    }

    fn may_contain_row_col(&self, row: &[u8], qualifier: &[u8], access: Access) -> Result<Presence> {
        self.file.may_contain_row_col(row, qualifier, &*self.pages, access).map_err(Error::from)
    }

    fn may_contain_range(&self, rows: RowRange<'_>, access: Access) -> Result<Presence> {
        self.file.may_contain_range(rows, &*self.pages, access).map_err(Error::from)
    }

    fn facts(&self) -> &FileFacts {
        &self.facts
    }

    fn source_name(&self) -> &str {
        self.file.name()
    }

    fn warm(&self, go_on: &dyn Fn() -> bool) -> Result<Warmed> {
        let pages = self.file.pages();
        let mut warmed = Warmed { loaded: 0, pages: pages.len() };
        for at in pages {
            if !go_on() {
                break;
            }
            warmed.loaded += usize::from(self.pages.load(at)?);
        }
        Ok(warmed)
    }

    fn keep_pages(&self) {
        self.pages.keep();
    }

    fn evict_pages(&self) {
        self.pages.evict();
    }

    fn cache_id(&self) -> Option<FileId> {
        Some(self.pages.cache_id())
    }

    fn clear_pages(&self) -> u64 {
        self.pages.clear()
    }

    fn page_holders(&self) -> PageHolders {
        PageHolders::of(Arc::downgrade(&self.pages))
    }

    fn middle_row(&self, from: Option<&[u8]>, until: Option<&[u8]>) -> Result<Option<Vec<u8>>> {
        let rows = self.ranks(from, until)?;
        let count = rows.end - rows.start.min(rows.end);
        if count < 2 { Ok(None) } else { self.row_at(rows.start + count / 2) }
    }

    fn rows_by_rank(&self) -> Result<RowsByRank<'_>> {
        Ok(self.file.rows_by_rank(&*self.pages, BY_RANK))
    }

    fn add_qualifiers(&self, found: &mut Qualifiers) -> Result<()> {
        Ok(self.file.add_qualifiers(&*self.pages, found)?)
    }

    fn row_groups(&self, from: Option<&[u8]>, until: Option<&[u8]>) -> Result<Vec<RowGroupSpan<'_>>> {
        let inside = self.ranks(from, until)?;
        let (mut spans, mut before) = (Vec::new(), 0);
        for group in self.file.row_groups() {
            let end = before + u64::from(group.rows);
            let rows = before.max(inside.start)..end.min(inside.end);
            if !rows.is_empty() {
                spans.push(self.span(&group, before, rows)?);
            }
            before = end;
        }
        Ok(spans)
    }
}
