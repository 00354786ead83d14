//! What one column says of a row, under a filter that is made of SingleColumnValueFilters: one, or several of which a row has to pass all.

use grampus_cells::ValueBounds;
use grampus_filter::{Filter, SingleColumnValueFilter};

/// The test by the first filter's column.
pub(super) struct RowTest<'a> {
    first: &'a SingleColumnValueFilter,
    filter: &'a dyn Filter,
    /// There is more than the first.
    several: bool,
    /// All of them are about one column.
    one_column: bool,
    /// The column is not returned.
    excludes: bool,
}

impl<'a> RowTest<'a> {
    /// `None` for other filters.
    pub(super) fn of(filter: &'a dyn Filter) -> Option<RowTest<'a>> {
        let first = filter.single_column(0)?;
        let several = filter.single_column(1).is_some();
        let test = RowTest { first, filter, several, one_column: true, excludes: false };
        Some(RowTest {
            one_column: test.others().all(|other| test.is_of_column(other)),
            excludes: first.exclude || test.others().any(|other| other.exclude),
            ..test
        })
    }

    fn others(&self) -> impl Iterator<Item = &'a SingleColumnValueFilter> {
        let filter = self.filter;
        (1..).map_while(move |index| filter.single_column(index))
    }

    fn others_of_column(&self) -> impl Iterator<Item = &'a SingleColumnValueFilter> {
        self.others().filter(|other| self.is_of_column(other))
    }

    fn is_of_column(&self, other: &SingleColumnValueFilter) -> bool {
        other.qualifier == self.first.qualifier && other.family == self.first.family
    }

    /// The column's qualifier, if it is one of the family.
    pub(super) fn qualifier_in(&self, family: &[u8]) -> Option<&'a [u8]> {
        (self.first.family == family).then_some(self.first.qualifier.as_slice())
    }

    /// False when a row is not wanted whose column has this value and no other, or, for `None`, lacks it.
    #[inline]
    pub(super) fn keeps(&self, value: Option<&[u8]>) -> bool {
        self.first.keeps(value) && (!self.several || self.others_of_column().all(|other| other.keeps(value)))
    }

    /// Whether [`RowTest::keeps`] may hold for a value within bounds.
    pub(super) fn may_keep(&self, values: &ValueBounds) -> bool {
        self.first.may_keep(values) && self.others_of_column().all(|other| other.may_keep(values))
    }

    /// Whether a value may be searched outside of the engine.
    pub(super) fn may_search(&self) -> bool {
        self.filter.may_search()
    }

    /// Whether a value was searched outside of the engine since the last call, which may have taken long.
    pub(super) fn take_search(&self) -> bool {
        self.filter.take_search()
    }

    /// Whether rows that are kept are wanted; else other columns have a say, too.
    #[inline]
    pub(super) fn decides(&self) -> bool {
        self.one_column
    }

    /// Whether a column is taken out of rows that are wanted. Only where the test decides.
    #[inline]
    pub(super) fn excludes(&self, family: &[u8], qualifier: &[u8]) -> bool {
        self.excludes && self.first.qualifier == qualifier && self.first.family == family
    }
}
