//! A walk over the rows of one file, forward or reverse, that touches only the pages of the qualifiers asked for.
//!
//! Seeking goes from the row-group index to the row-key page index to the restart points of one page. Within a row the cells
//! come from up to three kinds of stream: one per column, one for the rare qualifiers, one for family delete markers. A
//! stream looks for a row, and so for its page, only when the walk over the row's cells reaches it.

mod ahead;
mod bound;
mod column_run;
mod fast_path;
mod found;
mod groups;
mod options;
mod predicate;
mod projection;
mod rank;
mod rows;
mod stream;

use std::sync::Arc;

use bound::Bound;
use grampus_base::RandomRead;
use grampus_cells::{CellRef, Direction, RowOrder, RowRange};
pub use options::CursorOptions;
use predicate::PageMatches;
use projection::Projection;
pub use rank::RowsByRank;
use rows::Rows;
use stream::Stream;

use crate::column_file::ColumnFile;
use crate::error::Result;
use crate::page_source::{Access, DirectPages, PageSource};

/// Which stream has the current cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Current {
    None,
    FamilyDeletes,
    Column,
    Mixed,
}

/// The cursor. After an error it must not be used any more.
pub struct FileCursor {
    file: Arc<ColumnFile>,
    pages: Arc<dyn PageSource>,
    access: Access,
    direction: Direction,
    projection: Option<Projection>,
    start: Bound,
    end: Bound,
    times: (i64, i64),
    /// One row is read as a whole.
    whole_row: bool,
    /// Current row group; `None` at the end.
    group: Option<usize>,
    /// True when all rows of the current group lie within the range, so that rows need no comparison.
    group_inside: bool,
    rows: Rows,
    /// Of the columns that are asked for those that the row group has, ascending by qualifier.
    columns: Vec<Stream>,
    /// Family delete markers; `None` where the row group has none, as is usual.
    family_deletes: Option<Box<Stream>>,
    /// Cells of rare qualifiers; `None` where the row group has none.
    mixed: Option<Box<Stream>>,
    column: usize,
    current: Current,
    /// The row of a group, by their indexes, from which on a run is looked for again.
    next_try: Option<(usize, u32)>,
    matches: PageMatches,
}

impl FileCursor {
    /// A cursor before its first [`FileCursor::seek_first`] or [`FileCursor::seek`].
    pub fn new(file: Arc<ColumnFile>, pages: Arc<dyn PageSource>, options: &CursorOptions<'_>) -> FileCursor {
        let projection = options.projection.map(|qualifiers| Projection::of(&file, qualifiers));
        FileCursor {
            file,
            pages,
            access: options.access,
            direction: options.direction,
            projection,
            start: Bound::of(options.rows.start),
            end: Bound::of(options.rows.end),
            times: options.times,
            whole_row: options.all_cells && options.rows.as_single().is_some(),
            group: None,
            group_inside: false,
            rows: Rows::default(),
            columns: Vec::new(),
            family_deletes: None,
            mixed: None,
            column: 0,
            current: Current::None,
            next_try: None,
            matches: PageMatches::default(),
        }
    }

    /// A forward cursor over all columns of rows that are read once: it waits for the disk, and no page stays in memory.
    pub fn single_pass(
        file: &Arc<ColumnFile>,
        source: &Arc<dyn RandomRead>,
        rows: RowRange<'_>,
    ) -> FileCursor {
        let options = CursorOptions { rows, access: Access::READ_THROUGH, ..CursorOptions::default() };
        FileCursor::new(Arc::clone(file), Arc::new(DirectPages::new(Arc::clone(source))), &options)
    }

    /// Goes to the first row of the range in the cursor's direction.
    pub fn seek_first(&mut self) -> Result<()> {
        let from = match self.direction {
            Direction::Forward => std::mem::replace(&mut self.start, Bound::Unbounded),
            Direction::Reverse => std::mem::replace(&mut self.end, Bound::Unbounded),
        };
        let sought = match &from {
            Bound::Unbounded => self.seek_edge(),
            Bound::Included(row) => self.seek_row(row, false),
            Bound::Excluded(row) => self.seek_row(row, true),
        };
        match self.direction {
            Direction::Forward => self.start = from,
            Direction::Reverse => self.end = from,
        }
        sought
    }

    /// Goes to a row, or (always when `after`) to the next one in the cursor's direction, but not before the range.
    pub fn seek(&mut self, row: &[u8], after: bool) -> Result<()> {
        let range = self.range();
        let outside = match self.direction {
            Direction::Forward => range.is_before(row, self.order()),
            Direction::Reverse => range.is_after(row, self.order()),
        };
        if outside { self.seek_first() } else { self.seek_row(row, after) }
    }

    /// The current row, `None` at the end.
    #[inline]
    pub fn row(&self) -> Option<&[u8]> {
        self.group.map(|_| self.rows.key())
    }

    /// Ordinal of the current row within its row group.
    fn ordinal(&self) -> u32 {
        self.rows.ordinal()
    }

    /// Rows of the group from the current one on, in the cursor's direction.
    #[inline]
    fn rows_left(&self) -> u32 {
        match self.direction {
            Direction::Forward => self.rows.group_rows() - self.ordinal(),
            Direction::Reverse => self.ordinal() + 1,
        }
    }

    /// Ordinal of the group's row that comes `rows` rows after the current one in the cursor's direction.
    #[inline]
    fn ordinal_after(&self, rows: u32) -> Option<u32> {
        match self.direction {
            Direction::Forward => {
                self.ordinal().checked_add(rows).filter(|row| *row < self.rows.group_rows())
            }
            Direction::Reverse => self.ordinal().checked_sub(rows),
        }
    }

    /// Goes to the next row in the cursor's direction.
    #[inline]
    pub fn next_row(&mut self) -> Result<()> {
        let Some(group) = self.group else { return Ok(()) };
        match self.ordinal_after(1) {
            Some(row) => {
                self.load_row(group, row)?;
                self.enter_row()
            }
            None => self.next_group(group),
        }
    }

    /// The current cell of the current row, `None` after its last.
    #[inline]
    pub fn cell(&self) -> Option<CellRef<'_>> {
        let stream = match self.current {
            Current::None => return None,
            Current::Column => self.columns.get(self.column)?,
            Current::FamilyDeletes => self.family_deletes.as_deref()?,
            Current::Mixed => self.mixed.as_deref()?,
        };
        Some(stream.cell(self.rows.key(), &self.file))
    }

    /// Goes to the next cell of the row.
    #[inline]
    pub fn next_cell(&mut self) -> Result<()> {
        let Some(group) = self.group.and_then(|g| self.file.footer.groups.get(g)) else { return Ok(()) };
        let stream = match self.current {
            Current::None => return Ok(()),
            Current::Column => self.columns.get_mut(self.column),
            Current::FamilyDeletes => self.family_deletes.as_deref_mut(),
            Current::Mixed => self.mixed.as_deref_mut(),
        };
        if let Some(stream) = stream {
            stream.step(group);
        }
        self.select()
    }

    /// Passes all cells of the row whose qualifier is at or below the given one.
    pub fn skip_column(&mut self, qualifier: &[u8]) -> Result<()> {
        while let Some(cell) = self.cell() {
            if cell.qualifier > qualifier {
                break;
            }
            if self.current == Current::Column {
                self.pass_column();
                self.select()?;
            } else {
                self.next_cell()?;
            }
        }
        Ok(())
    }

    /// Leaves the current column for the row's next one.
    #[inline]
    fn pass_column(&mut self) {
        let group = self.group.and_then(|group| self.file.footer.groups.get(group));
        if let (Some(group), Some(stream)) = (group, self.columns.get_mut(self.column)) {
            stream.leave_row(group);
        }
        self.column += 1;
    }

    fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        let rare = [&mut self.family_deletes, &mut self.mixed];
        self.columns.iter_mut().chain(rare.into_iter().flatten().map(|stream| &mut **stream))
    }

    /// Bytes that the cursor keeps in memory, pages included that the cache has, too. From now on they are the caller's to count.
    pub fn count_memory(&self) -> u64 {
        let rare = [&self.family_deletes, &self.mixed].into_iter().flatten().map(|stream| &**stream);
        let pages: usize = self.columns.iter().chain(rare).map(Stream::count_page).sum();
        let streams = self.columns.capacity() * size_of::<Stream>();
        (pages + streams + self.rows.count_memory()) as u64
    }

    /// Drops the pages, until [`FileCursor::reload_pages`]. In between the cursor has its row and no cell, and nothing else may be asked of
    /// it.
    pub fn drop_pages(&mut self) {
        self.streams().for_each(Stream::drop_page);
        self.rows.drop_page();
    }

    /// Loads the pages that were dropped; the cursor is where it was.
    pub fn reload_pages(&mut self) -> Result<()> {
        let (file, pages, access) = (Arc::clone(&self.file), Arc::clone(&self.pages), self.access);
        let Some(group) = self.group.and_then(|group| file.footer.groups.get(group)) else { return Ok(()) };
        self.rows.reload_page(group, &*pages, access)?;
        self.streams().try_for_each(|stream| stream.reload_page(group, &*pages, access))
    }

    /// The walk is over; no page is kept.
    fn end(&mut self) {
        self.group = None;
        self.current = Current::None;
        (self.family_deletes, self.mixed) = (None, None);
        self.columns.clear();
        self.rows.enter(0);
    }

    fn order(&self) -> RowOrder {
        self.file.footer.row_order
    }

    fn range(&self) -> RowRange<'_> {
        RowRange { start: self.start.borrow(), end: self.end.borrow() }
    }

    /// Whether cells of the current row group come from more than the columns.
    #[inline]
    fn has_rare(&self) -> bool {
        self.family_deletes.is_some() || self.mixed.is_some()
    }

    /// Whether the row that has been loaded lies past the range.
    #[inline]
    fn is_row_past_range(&self) -> bool {
        !self.group_inside
            && match self.direction {
                Direction::Forward => self.range().is_after(self.rows.key(), self.order()),
                Direction::Reverse => self.range().is_before(self.rows.key(), self.order()),
            }
    }

    /// After the row has been loaded: ends the walk past the range, or selects the row's first cell.
    #[inline]
    fn enter_row(&mut self) -> Result<()> {
        if self.is_row_past_range() {
            self.end();
            return Ok(());
        }
        self.column = 0;
        self.select()
    }

    /// Finds the stream with the next cell of the row.
    #[inline]
    fn select(&mut self) -> Result<()> {
        let (file, pages, access) = (&*self.file, &*self.pages, self.access);
        let Some(group) = self.group.and_then(|g| file.footer.groups.get(g)) else { return Ok(()) };
        self.current = Current::None;
        while let Some(stream) = self.columns.get_mut(self.column) {
            if stream.find_row(&self.rows, group, pages, access)? {
                self.current = Current::Column;
                break;
            }
            self.column += 1;
        }
        if self.has_rare() { self.select_among_all() } else { Ok(()) }
    }

    fn select_among_all(&mut self) -> Result<()> {
        let (file, pages, access) = (&*self.file, &*self.pages, self.access);
        let Some(group) = self.group.and_then(|g| file.footer.groups.get(g)) else { return Ok(()) };
        let wanted = self.projection.as_ref().map(|p| p.qualifiers.as_slice());
        let mixed = match &mut self.mixed {
            Some(stream) => stream.find_wanted(&self.rows, wanted, group, pages, access)?,
            None => false,
        };
        let marker = match &mut self.family_deletes {
            Some(stream) => stream.find_row(&self.rows, group, pages, access)?,
            None => false,
        };
        let key = self.rows.key();
        let column = self.columns.get(self.column).filter(|_| self.current == Current::Column);
        let mut best = column.map(|stream| (Current::Column, stream.cell(key, file)));
        let others =
            [(mixed, Current::Mixed, &self.mixed), (marker, Current::FamilyDeletes, &self.family_deletes)];
        for (present, current, stream) in others {
            let Some(stream) = stream.as_deref().filter(|_| present) else { continue };
            let cell = stream.cell(key, file);
            if best.is_none_or(|(_, other)| cell.cmp_in_row(&other).is_lt()) {
                best = Some((current, cell));
            }
        }
        self.current = best.map_or(Current::None, |(current, _)| current);
        Ok(())
    }
}
