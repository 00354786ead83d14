//! HBase's filter protocol, one file per filter.
//!
//! Per row: `filter_row_key`, then `filter_cell` for each visible cell, then `filter_row_cells` and `filter_row`, then `reset`.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod column_count_get;
mod column_pagination;
mod column_prefix;
mod column_range;
mod column_value;
mod comparator;
mod compare_op;
mod comparison;
mod decode;
mod dependent_column;
mod family;
mod filter_all;
mod first_key_only;
mod fuzzy_row;
mod guard;
mod inclusive_stop;
mod key_only;
mod list;
mod multi_row_range;
mod multiple_column_prefix;
mod page;
pub mod pattern;
mod prefix;
mod qualifier;
mod random_row;
mod row;
mod single_column_value;
mod skip;
mod tag;
mod timestamps;
mod value;
mod while_match;

use grampus_base::Result;
use grampus_cells::CellRef;

pub use self::compare_op::CompareOp;
pub use self::comparison::Comparison;
pub use self::decode::decode;
pub use self::single_column_value::SingleColumnValueFilter;

/// A filter's word on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnCode {
    /// Return it.
    Include,
    /// Return it, then go to the next column.
    IncludeNextColumn,
    /// Return it, then leave this row of the store.
    IncludeNextRow,
    /// Not this cell.
    Skip,
    /// Not this column.
    NextColumn,
    /// Nothing more of this row in this store.
    NextRow,
    /// Nothing before [`Filter::hint`].
    Hint,
}

impl ReturnCode {
    /// True for the three codes that return the cell.
    pub(crate) fn includes(self) -> bool {
        matches!(self, ReturnCode::Include | ReturnCode::IncludeNextColumn | ReturnCode::IncludeNextRow)
    }
}

/// Where a filter wants to go on; versions come before columns, columns before rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The newest version of this column at or below this timestamp.
    Version(i64),
    /// The first cell of this row at or above this qualifier.
    Column(Vec<u8>),
    /// This row, or the next one in the direction of the scan.
    Row(Vec<u8>),
}

/// What is returned as a cell's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueForm {
    /// The value.
    #[default]
    Whole,
    /// Nothing.
    Empty,
    /// Its length as four bytes, big-endian.
    Length,
}

/// A cell that was collected for the current row.
pub struct RowCell<'a> {
    /// Its family.
    pub family: &'a [u8],
    /// The cell.
    pub cell: CellRef<'a>,
}

/// A filter.
pub trait Filter: Send {
    /// Begins a new row.
    fn reset(&mut self) {}

    /// True when nothing more of the scan is wanted.
    fn filter_all_remaining(&self) -> bool {
        false
    }

    /// True when the row is not wanted.
    fn filter_row_key(&mut self, _row: &[u8]) -> bool {
        self.filter_all_remaining()
    }

    /// Evaluates a cell.
    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode;

    /// How the value of a cell that was just included is returned.
    fn value_form(&self) -> ValueForm {
        ValueForm::Whole
    }

    /// True when the row can only be evaluated as a whole.
    fn has_filter_row(&self) -> bool {
        false
    }

    /// True when a collected cell of the row is not wanted after all.
    fn drops_cell(&self, _cell: &RowCell<'_>) -> bool {
        false
    }

    /// True when [`Filter::drops_cell`] must be asked.
    fn has_filter_row_cells(&self) -> bool {
        false
    }

    /// True when the row is not wanted after all.
    fn filter_row(&mut self) -> bool {
        false
    }

    /// True for what implements HBase's `HintingFilter`: a list of which all must pass asks it also about cells and rows that another
    /// of its filters drops, because its hint may lead further.
    fn is_hinting(&self) -> bool {
        false
    }

    /// Where to go on after [`ReturnCode::Hint`] was said of a cell; `None` is the next cell. [`list::AnyFilter`] asks again
    /// with cells behind it, about which `filter_cell` was not called.
    fn hint(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> Option<Hint> {
        None
    }

    /// The filters that evaluate rows by one column each, all of which a row has to pass and nothing else, by index from 0.
    fn single_column(&self, _index: usize) -> Option<&SingleColumnValueFilter> {
        None
    }

    /// False when rows can be evaluated without the family.
    fn is_family_essential(&self, _family: &[u8]) -> bool {
        true
    }

    /// Whether what it says of later rows depends on all rows whose keys it was asked about, also on those of which nothing is visible. Then it is
    /// asked about exactly those that HBase asks about.
    fn remembers_rows(&self) -> bool {
        false
    }

    /// Whether an answer may take a search of a regular expression by Java ([`pattern`]).
    fn may_search(&self) -> bool {
        false
    }

    /// Whether an answer since the last call took one: it may have taken long.
    fn take_search(&self) -> bool {
        false
    }

    /// An error when an answer since the decoding was none: the read has to fail with it.
    fn check(&self) -> Result<()> {
        Ok(())
    }
}
