//! The cells of one chunk, row by row.

mod pages;
mod run;

use std::sync::Arc;

use grampus_cells::{CellRef, CellType, Direction, FastPathSink};

use super::found::Found;
use super::rows::Rows;
use crate::cell_page::{CellAt, CellPage};
use crate::column_file::ColumnFile;
use crate::encoding::blobs::Scratch;
use crate::encoding::{CodeMatches, Located, Verdict};
use crate::error::{Decoded, Malformed, Result};
use crate::footer::{Chunk, PageEntry, RowGroup};
use crate::page::{LARGE_PAGE_BYTES, Page};
use crate::page_source::{Access, PageSource};
use crate::prefetch::prefetch;

/// Which chunk of a row group.
#[derive(Clone, Copy, Debug)]
pub(super) enum StreamKind {
    FamilyDeletes,
    /// Position in [`RowGroup::columns`].
    Column(usize),
    Mixed,
}

impl StreamKind {
    fn chunk(self, group: &RowGroup) -> Option<&Chunk> {
        match self {
            StreamKind::FamilyDeletes => Some(&group.family_deletes),
            StreamKind::Column(index) => group.columns.get(index).map(|c| &c.chunk),
            StreamKind::Mixed => Some(&group.mixed),
        }
    }
}

/// A loaded page.
struct Loaded {
    page: Arc<Page>,
    cells: CellPage,
    index: usize,
    offset: u64,
    /// Bytes of its longest value, where that had to be known.
    longest: Option<usize>,
}

/// The current cell, decoded as far as handing it out takes.
#[derive(Clone, Copy)]
struct Head {
    timestamp: i64,
    cell_type: CellType,
    sequence: u64,
    value: Located,
    tags: Located,
    qualifier: Located,
}

/// The stream. `row` is the row of its cell `at`; it answers for every row in `low..=row`.
pub(super) struct Stream {
    kind: StreamKind,
    loaded: Option<Loaded>,
    /// A page that was found in memory for a row that comes next, and its number.
    ahead: Option<(usize, Arc<Page>)>,
    /// Number of the page that was dropped between two calls; [`Stream::reload_page`] loads it again.
    dropped: Option<usize>,
    /// Page that holds the cell at `row`; it is loaded only when that row is asked for.
    page: usize,
    at: CellAt,
    low: u32,
    /// Row of which nothing more is wanted; where the next cell is has not been looked up.
    left: Option<u32>,
    /// Number of the qualifier in the footer, for a column.
    number: u32,
    head: Option<Head>,
    /// The last step went on within the page: this is a walk.
    walks: bool,
    /// Value of the cell that [`Stream::find_single_put`] found.
    found: Located,
    value: Scratch,
    qualifier: Scratch,
    tags: Scratch,
}

impl Stream {
    fn new(kind: StreamKind) -> Stream {
        Stream {
            kind,
            loaded: None,
            ahead: None,
            dropped: None,
            page: 0,
            at: CellAt { index: 0, row: 0 },
            low: u32::MAX,
            left: None,
            number: 0,
            head: None,
            walks: false,
            found: Located::EMPTY,
            value: Scratch::default(),
            qualifier: Scratch::default(),
            tags: Scratch::default(),
        }
    }
}

/// Smaller values lie so close together that the processor fetches them by itself.
const PREFETCH_VALUE_BYTES: u32 = 256;

/// Whether a value is large, as far as that is known before it is decoded: encoded values are short.
#[inline(always)]
fn is_large(value: Located) -> bool {
    matches!(value, Located::At(_, bytes) if bytes as usize >= LARGE_PAGE_BYTES)
}

/// A row that no row group has: the stream has no cell at or above `low`.
const NO_ROW: u32 = u32::MAX;

/// Whether the qualifier of a mixed page's cell is below a target.
fn is_below(cells: &CellPage, body: &[u8], index: u32, target: &[u8]) -> Decoded<bool> {
    let located = match cells.qualifiers() {
        Some(qualifiers) => qualifiers.locate(body, index as usize)?,
        None => Located::EMPTY,
    };
    let mut scratch = Scratch::default();
    scratch.load(body, located)?;
    Ok(scratch.slice(body, located) < target)
}

impl Stream {
    /// Pages of the chunk that a walk in this direction comes to after the one that is loaded.
    pub(super) fn pages_ahead<'g>(&self, group: &'g RowGroup, direction: Direction) -> &'g [PageEntry] {
        let pages = self.kind.chunk(group).map_or(&[][..], |chunk| &chunk.pages);
        let loaded = self.loaded.as_ref().map(|l| l.index);
        match direction {
            Direction::Forward => pages.get(loaded.map_or(0, |index| index + 1)..).unwrap_or_default(),
            Direction::Reverse => pages.get(..loaded.unwrap_or(pages.len())).unwrap_or_default(),
        }
    }

    /// The cells of a column of a row group.
    pub(super) fn of_column(group: &RowGroup, column: usize) -> Stream {
        let number = group.columns.get(column).map_or(0, |c| c.qualifier);
        Stream { number, ..Stream::new(StreamKind::Column(column)) }
    }

    /// The cells of a chunk that not every row group has; `None` where it has none.
    pub(super) fn of_rare(group: &RowGroup, kind: StreamKind) -> Option<Box<Stream>> {
        let exists = kind.chunk(group).is_some_and(|chunk| !chunk.pages.is_empty());
        exists.then(|| Box::new(Stream::new(kind)))
    }

    /// Position in [`RowGroup::columns`], for a column.
    pub(super) fn column(&self) -> Option<usize> {
        if let StreamKind::Column(column) = self.kind { Some(column) } else { None }
    }

    /// A column's qualifier.
    #[inline]
    pub(super) fn qualifier<'a>(&self, file: &'a ColumnFile) -> &'a [u8] {
        file.footer.qualifiers.get(self.number as usize).map_or(&[][..], |q| q)
    }

    /// Goes to the first cell of the current row, or stays at the cell where it is in that row; false when there is none
    /// (left).
    #[inline]
    pub(super) fn find_row(
        &mut self,
        rows: &Rows,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<bool> {
        if !self.go_to(rows.ordinal(), group, pages, access)? {
            return Ok(false);
        }
        if self.head.is_none() {
            self.load_head(rows, group, pages, access)?;
            if let (true, Some(head)) = (self.walks, self.head) {
                self.prefetch(head.value);
            }
        }
        Ok(true)
    }

    /// Goes to the first cell of a row without decoding it, or stays where it is in that row; false when there is none (left).
    #[inline(always)]
    fn go_to(&mut self, row: u32, group: &RowGroup, pages: &dyn PageSource, access: Access) -> Result<bool> {
        if self.left == Some(row) {
            return Ok(false);
        }
        let known = self.low <= row && row <= self.at.row;
        if !known {
            self.walks = self.step_within_page(row);
            if !self.walks {
                self.seek(row, group, pages, access)?;
            }
        }
        Ok(self.at.row == row)
    }

    /// Goes to the current row's cell, decoding no more of it than its value.
    #[inline(always)]
    pub(super) fn find_single_put(
        &mut self,
        rows: &Rows,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<Found> {
        if !self.go_to(rows.ordinal(), group, pages, access)? {
            return Ok(Found::Nothing);
        }
        self.load_page_of_cell(group, pages, access)?;
        let Some(loaded) = &self.loaded else { return Ok(Found::Unclear) };
        let body = loaded.page.body();
        if !loaded.cells.is_single_put(body, self.at) || self.row_goes_on_behind_page(group) {
            return Ok(Found::Unclear);
        }
        let place = |m: Malformed| m.in_page(pages.name(), loaded.offset);
        self.found = match loaded.cells.values() {
            Some(values) => values.locate(body, self.at.index as usize).map_err(place)?,
            None => Located::EMPTY,
        };
        if is_large(self.found) {
            return Ok(Found::Unclear); // a walk cell by cell can stop behind it
        }
        self.value.load(body, self.found).map_err(place)?;
        if self.walks {
            self.prefetch(self.found);
        }
        Ok(Found::Cell)
    }

    /// Whether the next page has more cells of the current cell's row.
    #[inline]
    fn row_goes_on_behind_page(&self, group: &RowGroup) -> bool {
        let last = self.loaded.as_ref().is_some_and(|l| self.at.index + 1 == l.cells.cells);
        let next = || self.kind.chunk(group).and_then(|c| c.pages.get(self.page + 1));
        last && next().is_some_and(|page| page.first_row == self.at.row)
    }

    /// Value of the cell that [`Stream::find_single_put`] found.
    #[inline]
    pub(super) fn found_value(&self) -> &[u8] {
        self.loaded.as_ref().map_or(&[], |loaded| self.value.slice(loaded.page.body(), self.found))
    }

    /// Number of the page that is loaded.
    pub(super) fn loaded_page(&self) -> Option<usize> {
        self.loaded.as_ref().map(|loaded| loaded.index)
    }

    /// About the bytes that a cell takes in the page that is loaded.
    pub(super) fn cell_bytes(&self) -> u64 {
        self.loaded.as_ref().map_or(0, |l| l.page.body().len() as u64 / u64::from(l.cells.cells))
    }

    /// After [`Stream::find_single_put`] in a row that is not wanted: the next row that is, of which more than a page's values has to be
    /// known, or for which the call has no time.
    pub(super) fn first_wanted_after(
        &self,
        row: u32,
        matches: &mut CodeMatches,
        sink: &dyn FastPathSink,
        pages: &dyn PageSource,
    ) -> Result<u32> {
        if self.at.row != row {
            return Ok(self.at.row); // none of the rows up to there has a cell, as this one
        }
        let Some(loaded) = self.loaded.as_ref().filter(|l| l.index == self.page) else {
            return Ok(row.saturating_add(1));
        };
        let (body, missing) = (loaded.page.body(), || sink.accepts(None));
        let may_take_long = sink.may_take_long();
        let predicate = |value: &[u8]| match sink.accepts(Some(value)) {
            false if may_take_long && sink.is_time_over() => Verdict::Last,
            wanted => wanted.into(),
        };
        let next = loaded.cells.first_wanted_after(body, self.at, matches, missing, predicate);
        next.map_err(|m| m.in_page(pages.name(), loaded.offset))
    }

    /// Timestamp of the cell that [`Stream::find_single_put`] found.
    #[inline(always)]
    pub(super) fn found_timestamp(&self, rows: &Rows, pages: &dyn PageSource) -> Result<i64> {
        let Some(loaded) = &self.loaded else { return Ok(0) };
        let timestamp = loaded.cells.timestamp(loaded.page.body(), self.at.index, || rows.timestamp());
        timestamp.map_err(|m| m.in_page(pages.name(), loaded.offset))
    }

    /// Goes forward to the first cell at or above a row if the page of the current cell has it, as in a walk it mostly does.
    #[inline(always)]
    fn step_within_page(&mut self, row: u32) -> bool {
        let Some(loaded) = self.loaded.as_ref().filter(|l| l.index == self.page) else { return false };
        if self.low > row || self.at.row >= row {
            return false;
        }
        let Some(at) = loaded.cells.at_or_above(loaded.page.body(), row, self.at) else { return false };
        (self.at, self.low, self.left, self.head) = (at, row, None, None);
        true
    }

    /// Asks for the value after the one that follows this one, which is where a walk over large values waits for memory.
    #[inline(always)]
    fn prefetch(&self, value: Located) {
        if let (Some(loaded), Located::At(at, bytes)) = (&self.loaded, value)
            && bytes >= PREFETCH_VALUE_BYTES
        {
            let from = at as usize + 2 * bytes as usize;
            let value = loaded.page.body().get(from..from + bytes as usize);
            prefetch(value.unwrap_or_default());
        }
    }

    /// The same, to the next cell whose qualifier is wanted.
    pub(super) fn find_wanted(
        &mut self,
        rows: &Rows,
        wanted: Option<&[Box<[u8]>]>,
        group: &RowGroup,
        pages: &dyn PageSource,
        access: Access,
    ) -> Result<bool> {
        while self.find_row(rows, group, pages, access)? {
            let Some(wanted) = wanted else { return Ok(true) };
            let qualifier = self.page_qualifier();
            match wanted.binary_search_by(|w| (**w).cmp(qualifier)) {
                Ok(_) => return Ok(true),
                Err(next) => match wanted.get(next) {
                    Some(target) => self.skip_to(target, group).map_err(|m| self.corrupt(m, pages))?,
                    None => {
                        (self.left, self.low, self.head) = (Some(rows.ordinal()), u32::MAX, None);
                        return Ok(false);
                    }
                },
            }
        }
        Ok(false)
    }

    /// Goes to the row's first cell at or above a qualifier that is above the current cell's, or leaves the page for it.
    fn skip_to(&mut self, target: &[u8], group: &RowGroup) -> Decoded<()> {
        self.head = None;
        let (row, page) = (self.at.row, self.page + 1);
        let later = self.kind.chunk(group).and_then(|c| c.pages.get(page..)).unwrap_or_default();
        let before = later.partition_point(|p| p.continues && p.first_row == row && *p.first_key < *target);
        if before > 0 {
            self.point_at_page(page + before - 1, group);
            return Ok(());
        }
        let Some(loaded) = &self.loaded else { return Ok(()) };
        let (body, cells) = (loaded.page.body(), &loaded.cells);
        let after = row.checked_add(1).and_then(|next| cells.at_or_above(body, next, self.at));
        let (mut low, mut high) = (self.at.index + 1, after.map_or(cells.cells, |at| at.index));
        let end = high;
        while low < high {
            let middle = low + (high - low) / 2;
            if is_below(cells, body, middle, target)? { low = middle + 1 } else { high = middle }
        }
        match after {
            _ if low < end => self.at = CellAt { index: low, row },
            Some(at) => self.at = at,
            None => self.point_at_page(page, group),
        }
        Ok(())
    }

    fn corrupt(&self, malformed: Malformed, pages: &dyn PageSource) -> crate::Error {
        malformed.in_page(pages.name(), self.loaded.as_ref().map_or(0, |l| l.offset))
    }

    /// Goes to the next cell, of whatever row; a `find` decodes it.
    pub(super) fn step(&mut self, group: &RowGroup) {
        let row = self.at.row;
        self.head = None;
        let Some(loaded) = &self.loaded else { return };
        match loaded.cells.next(loaded.page.body(), self.at) {
            Some(at) => self.at = at,
            None => {
                self.point_at_page(self.page + 1, group);
                // A row of many large cells would keep a page for each of its columns.
                self.loaded.take_if(|loaded| loaded.page.memory_bytes() >= LARGE_PAGE_BYTES);
            }
        }
        // For the row just left the answer is now: no more cells.
        self.low = row;
    }

    /// Leaves the rest of the current row. A large page whose last cell is the current one is dropped.
    pub(super) fn leave_row(&mut self, group: &RowGroup) {
        let at_end = |l: &Loaded| l.index == self.page && self.at.index + 1 == l.cells.cells;
        if self.loaded.as_ref().is_some_and(|l| l.page.memory_bytes() >= LARGE_PAGE_BYTES && at_end(l)) {
            self.step(group);
        }
    }

    /// The current cell, which a `find` has found.
    #[inline]
    pub(super) fn cell<'a>(&'a self, row: &'a [u8], file: &'a ColumnFile) -> CellRef<'a> {
        let (Some(loaded), Some(head)) = (&self.loaded, &self.head) else {
            return CellRef {
                row,
                qualifier: &[],
                timestamp: 0,
                cell_type: CellType::PUT,
                value: &[],
                tags: &[],
                sequence: 0,
            };
        };
        let body = loaded.page.body();
        let qualifier = match self.kind {
            StreamKind::FamilyDeletes => &[],
            StreamKind::Column(_) => self.qualifier(file),
            StreamKind::Mixed => self.qualifier.slice(body, head.qualifier),
        };
        CellRef {
            row,
            qualifier,
            timestamp: head.timestamp,
            cell_type: head.cell_type,
            value: self.value.slice(body, head.value),
            tags: self.tags.slice(body, head.tags),
            sequence: head.sequence,
        }
    }
}
