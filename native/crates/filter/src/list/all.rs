//! A list of filters all of which have to pass.

use grampus_cells::CellRef;

use super::place::compare_hints;
use super::stronger_form;
use crate::{Filter, Hint, ReturnCode, RowCell, SingleColumnValueFilter, ValueForm};

/// MUST_PASS_ALL.
pub(crate) struct AllFilters {
    filters: Vec<Box<dyn Filter>>,
    /// Rows descend.
    reversed: bool,
    /// Filters that gave a hint for the current cell.
    hinting: Vec<usize>,
    /// Each of the filters is one of a single column.
    single_columns: bool,
}

impl AllFilters {
    /// A list of filters, for rows that descend or not.
    pub(crate) fn new(filters: Vec<Box<dyn Filter>>, reversed: bool) -> AllFilters {
        // A list within the list has a second one, or is taken for the one that it has.
        let is_single = |f: &dyn Filter| f.single_column(0).is_some() && f.single_column(1).is_none();
        let single_columns = filters.iter().all(|f| is_single(f.as_ref()));
        AllFilters { filters, reversed, hinting: Vec::new(), single_columns }
    }
}

fn merge_all(merged: ReturnCode, code: ReturnCode) -> ReturnCode {
    use ReturnCode::{Hint, Include, IncludeNextColumn, IncludeNextRow, NextColumn, NextRow, Skip};
    match (merged, code) {
        (Hint, _) | (_, Hint) => Hint,
        (NextRow, _) | (_, NextRow) => NextRow,
        (merged, Include) => merged,
        (Include, code) => code,
        (IncludeNextColumn, IncludeNextColumn) => IncludeNextColumn,
        (IncludeNextRow, IncludeNextColumn | IncludeNextRow) | (IncludeNextColumn, IncludeNextRow) => {
            IncludeNextRow
        }
        (Skip, Skip) => Skip,
        (IncludeNextRow, Skip | NextColumn) | (Skip | NextColumn, IncludeNextRow) => NextRow,
        (Skip | NextColumn, IncludeNextColumn | NextColumn)
        | (IncludeNextColumn, Skip | NextColumn)
        | (NextColumn, Skip) => NextColumn,
    }
}

impl Filter for AllFilters {
    fn reset(&mut self) {
        self.filters.iter_mut().for_each(|f| f.reset());
        self.hinting.clear();
    }

    fn filter_all_remaining(&self) -> bool {
        self.filters.iter().any(|f| f.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let (mut out, mut may_hint) = (false, false);
        for filter in &mut self.filters {
            if filter.filter_all_remaining() {
                return true;
            }
            if filter.filter_row_key(row) {
                out = true;
            } else {
                may_hint |= filter.is_hinting();
            }
        }
        out && !may_hint
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        self.hinting.clear();
        let mut merged = ReturnCode::Include;
        let mut filters = self.filters.iter_mut().enumerate();
        for (index, filter) in filters.by_ref() {
            if filter.filter_all_remaining() {
                merged = ReturnCode::NextRow;
                break;
            }
            let code = filter.filter_cell(family, cell);
            if code == ReturnCode::Hint {
                self.hinting.push(index);
            }
            merged = merge_all(merged, code);
            if !merged.includes() {
                break;
            }
        }
        for (index, filter) in filters.filter(|(_, filter)| filter.is_hinting()) {
            if filter.filter_cell(family, cell) == ReturnCode::Hint {
                self.hinting.push(index);
            }
        }
        if self.hinting.is_empty() { merged } else { ReturnCode::Hint }
    }

    fn hint(&mut self, family: &[u8], cell: &CellRef<'_>) -> Option<Hint> {
        let mut farthest: Option<Hint> = None;
        for &index in &self.hinting {
            let filter = self.filters.get_mut(index).filter(|f| !f.filter_all_remaining());
            let Some(hint) = filter.and_then(|f| f.hint(family, cell)) else { continue };
            let is_better = |far: &Hint| compare_hints(far, &hint, family, cell, self.reversed).is_lt();
            if farthest.as_ref().is_none_or(is_better) {
                farthest = Some(hint);
            }
        }
        farthest
    }

    fn value_form(&self) -> ValueForm {
        self.filters.iter().fold(ValueForm::Whole, |form, f| stronger_form(form, f.value_form()))
    }

    fn has_filter_row(&self) -> bool {
        self.filters.iter().any(|f| f.has_filter_row())
    }

    fn has_filter_row_cells(&self) -> bool {
        self.filters.iter().any(|f| f.has_filter_row_cells())
    }

    fn drops_cell(&self, cell: &RowCell<'_>) -> bool {
        self.filters.iter().any(|f| f.drops_cell(cell))
    }

    fn filter_row(&mut self) -> bool {
        self.filters.iter_mut().any(|f| f.filter_row())
    }

    fn single_column(&self, index: usize) -> Option<&SingleColumnValueFilter> {
        self.filters.get(index).filter(|_| self.single_columns)?.single_column(0)
    }

    fn remembers_rows(&self) -> bool {
        self.filters.iter().any(|f| f.remembers_rows())
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|f| f.is_family_essential(family))
    }
}
