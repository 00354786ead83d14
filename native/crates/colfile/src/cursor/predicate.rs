//! Rows that one column decides against: passed over by the bounds of a row group's values, by the encoded values of a page, or
//! by the value of a row.
//!
//! Only the column's pages are read for it, and none where the bounds say enough. Nothing is decided about rows where the column's cells
//! may hide each other: those are left to the walk cell by cell.

use grampus_cells::{Direction, FastPathSink, PredicateColumn};

use super::FileCursor;
use super::found::Found;
use crate::encoding::CodeMatches;
use crate::error::Result;
use crate::footer::RowGroup;

/// How the rows of a group are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowTest {
    /// All alike: whether they are wanted.
    Alike(bool),
    /// By the column at this place among the streams.
    Stream(usize),
}

/// Rows from the current one on that are not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rejected {
    /// At least 1.
    pub(super) rows: u32,
    /// About the bytes of pages that were looked at for it.
    pub(super) bytes: u64,
}

/// Matches of a dictionary's strings, with the row group and page that they belong to.
#[derive(Default)]
pub(super) struct PageMatches {
    page: Option<(usize, usize)>,
    matches: CodeMatches,
}

impl PageMatches {
    fn of(&mut self, page: Option<(usize, usize)>) -> &mut CodeMatches {
        if self.page != page {
            *self = PageMatches { page, matches: CodeMatches::default() };
        }
        &mut self.matches
    }
}

impl FileCursor {
    /// How the rows of the current group are evaluated; `None` where only a walk cell by cell can tell.
    pub(super) fn row_test(
        &self,
        group: &RowGroup,
        predicate: PredicateColumn<'_>,
        sink: &dyn FastPathSink,
    ) -> Option<RowTest> {
        match self.test_bounds(group, predicate, sink) {
            Bounds::Unclear => None,
            Bounds::Alike(wanted) => Some(RowTest::Alike(wanted)),
            Bounds::Column(place) => {
                let mut streams = self.columns.iter();
                streams.position(|stream| stream.column() == Some(place)).map(RowTest::Stream)
            }
        }
    }

    /// Whether no row of a group that the walk has not entered is wanted, as far as its bounds tell.
    pub(super) fn rejects_group(
        &self,
        group: &RowGroup,
        until: Option<&[u8]>,
        sink: &dyn FastPathSink,
    ) -> bool {
        let Some(predicate) = sink.predicate_column() else { return false };
        let (from, to) = self.times;
        let is_walked = group.stats.times.max >= from && group.stats.times.min <= to;
        is_walked
            && self.is_inside(group)
            && self.is_before(group, until)
            && group.family_deletes.pages.is_empty()
            && self.test_bounds(group, predicate, sink) == Bounds::Alike(false)
    }

    fn test_bounds(
        &self,
        group: &RowGroup,
        predicate: PredicateColumn<'_>,
        sink: &dyn FastPathSink,
    ) -> Bounds {
        let Some(qualifier) = predicate.qualifier else { return Bounds::Alike(sink.accepts(None)) };
        let number = self.file.qualifier_number(qualifier);
        if number.is_some_and(|number| !self.projects(number)) {
            return Bounds::Alike(sink.accepts(None));
        }
        let place = number.and_then(|n| group.columns.binary_search_by_key(&n, |c| c.qualifier).ok());
        let Some((place, column)) = place.and_then(|p| group.columns.get(p).map(|c| (p, c))) else {
            // Its cells may be among those of the rare qualifiers.
            let has_none = group.mixed.pages.is_empty();
            return if has_none { Bounds::Alike(sink.accepts(None)) } else { Bounds::Unclear };
        };
        let (first, last) = predicate.times;
        if column.stats.times.min < first || column.stats.times.max > last {
            return Bounds::Unclear;
        }
        // What hides a value, a marker or an age, makes a row of one that lacks it.
        let all_have_it = || column.single_puts && column.stats.cells == u64::from(group.rows);
        if !sink.may_accept(&column.values) && (!sink.accepts(None) || all_have_it()) {
            return Bounds::Alike(false);
        }
        Bounds::Column(place)
    }

    /// Rows from the current one on that are not wanted, `None` when it is wanted or may be; no more than the current one unless
    /// all rows `to_the_end` of the group belong to the run, and none after the one whose value has taken the call's time.
    #[inline(always)]
    pub(super) fn reject(
        &mut self,
        group: &RowGroup,
        test: Option<RowTest>,
        to_the_end: bool,
        sink: &dyn FastPathSink,
    ) -> Result<Option<Rejected>> {
        match test {
            None | Some(RowTest::Alike(true)) => Ok(None),
            Some(RowTest::Alike(false)) => {
                let rows = if to_the_end { self.rows_left() } else { 1 };
                Ok(Some(Rejected { rows, bytes: 0 }))
            }
            Some(RowTest::Stream(place)) => self.reject_by_values(group, place, to_the_end, sink),
        }
    }

    #[inline(always)]
    fn reject_by_values(
        &mut self,
        group: &RowGroup,
        place: usize,
        to_the_end: bool,
        sink: &dyn FastPathSink,
    ) -> Result<Option<Rejected>> {
        let (row, left) = (self.rows.ordinal(), self.rows_left());
        let Some(stream) = self.columns.get_mut(place) else { return Ok(None) };
        let wanted = match stream.find_single_put(&self.rows, group, &*self.pages, self.access)? {
            Found::Nothing => sink.accepts(None),
            Found::Cell => sink.accepts(Some(stream.found_value())),
            // Not known; the code that hands the row out finds the same and leaves it to the walk.
            Found::Unclear => true,
        };
        if wanted {
            return Ok(None);
        }
        let is_alone = !to_the_end || self.direction == Direction::Reverse;
        if is_alone || (sink.may_take_long() && sink.is_time_over()) {
            return Ok(Some(Rejected { rows: 1, bytes: stream.cell_bytes() }));
        }
        let matches = self.matches.of(self.group.zip(stream.loaded_page()));
        let next = stream.first_wanted_after(row, matches, sink, &*self.pages)?;
        // Only rows of cells that do not ascend, which no writer produces, lead back.
        let rows = next.saturating_sub(row).clamp(1, left);
        Ok(Some(Rejected { rows, bytes: stream.cell_bytes() * u64::from(rows) }))
    }
}

/// What the bounds of a row group say of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    /// Nothing, and neither would single values.
    Unclear,
    /// All rows are alike: whether they are wanted.
    Alike(bool),
    /// Values have to be looked at: those of the column at this place in the row group.
    Column(usize),
}
