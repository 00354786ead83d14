//! FilterList: all filters, or at least one of them.

use grampus_colfile::CellRef;

use super::single_column_value::SingleColumnValueFilter;
use super::{Filter, Hint, ReturnCode, RowCell, ValueForm};

fn stronger_form(left: ValueForm, right: ValueForm) -> ValueForm {
    match (left, right) {
        // Of two transformations the later one sees what the earlier one left.
        (left, ValueForm::Whole) => left,
        (_, right) => right,
    }
}

/// The order in which a walk within a row comes to hints, that of cells; all of it is turned round where rows descend.
fn hint_cmp(left: &Hint, right: &Hint, reversed: bool) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    let rank = |hint: &Hint| match hint {
        Hint::Version(_) => 0,
        Hint::Column(_) => 1,
        Hint::Row(_) => 2,
    };
    let turned = |ordering: Ordering| if reversed { ordering.reverse() } else { ordering };
    match (left, right) {
        (Hint::Version(left), Hint::Version(right)) => turned(right.cmp(left)),
        (Hint::Column(left), Hint::Column(right)) | (Hint::Row(left), Hint::Row(right)) => {
            turned(left.cmp(right))
        }
        (Hint::Row(_), _) | (_, Hint::Row(_)) => rank(left).cmp(&rank(right)),
        _ => turned(rank(left).cmp(&rank(right))),
    }
}

/// MUST_PASS_ALL.
pub struct AllFilters {
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
    pub fn new(filters: Vec<Box<dyn Filter>>, reversed: bool) -> AllFilters {
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

    fn hint(&mut self, cell: &CellRef<'_>) -> Option<Hint> {
        let mut best: Option<Hint> = None;
        for &index in &self.hinting {
            let filter = self.filters.get_mut(index).filter(|f| !f.filter_all_remaining());
            let Some(hint) = filter.and_then(|f| f.hint(cell)) else { continue };
            if best.as_ref().is_none_or(|best| hint_cmp(best, &hint, self.reversed).is_lt()) {
                best = Some(hint);
            }
        }
        best
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

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|f| f.is_family_essential(family))
    }
}

/// MUST_PASS_ONE.
pub struct AnyFilter {
    /// The filters, each with what it said of its last cell.
    pub filters: Vec<Member>,
    /// Rows descend.
    pub reversed: bool,
}

/// A filter of [`AnyFilter`].
pub struct Member {
    filter: Box<dyn Filter>,
    /// Its last code that reaches beyond a cell, with the family and qualifier it was said of.
    last: Option<(ReturnCode, Vec<u8>, Vec<u8>)>,
    included: bool,
}

impl Member {
    /// A filter that has said nothing.
    pub fn new(filter: Box<dyn Filter>) -> Member {
        Member { filter, last: None, included: false }
    }

    /// What the filter said before, if that covers this cell.
    fn remembered(&self, family: &[u8], cell: &CellRef<'_>) -> Option<ReturnCode> {
        let (code, last_family, last_qualifier) = self.last.as_ref()?;
        match code {
            ReturnCode::NextColumn | ReturnCode::IncludeNextColumn => {
                (last_family == family && last_qualifier == cell.qualifier).then_some(ReturnCode::NextColumn)
            }
            ReturnCode::NextRow | ReturnCode::IncludeNextRow => {
                (last_family == family).then_some(ReturnCode::NextRow)
            }
            _ => None,
        }
    }

    fn remember(&mut self, code: ReturnCode, family: &[u8], cell: &CellRef<'_>) {
        self.last = match code {
            ReturnCode::Include | ReturnCode::Skip | ReturnCode::Hint => None,
            code => Some((code, family.to_vec(), cell.qualifier.to_vec())),
        };
    }
}

fn merge_any(merged: Option<ReturnCode>, code: ReturnCode) -> ReturnCode {
    use ReturnCode::{Hint, Include, IncludeNextColumn, IncludeNextRow, NextColumn, NextRow, Skip};
    let Some(merged) = merged else { return code };
    if merged.includes() || code.includes() {
        return match (merged, code) {
            (Include | Skip | Hint, _) | (_, Include | Skip | Hint) => Include,
            (IncludeNextRow | NextRow, IncludeNextRow | NextRow) => IncludeNextRow,
            _ => IncludeNextColumn,
        };
    }
    match (merged, code) {
        (Hint, Hint) => Hint,
        (Skip | Hint, _) | (_, Skip | Hint) => Skip,
        (NextRow, NextRow) => NextRow,
        _ => NextColumn,
    }
}

impl Filter for AnyFilter {
    fn reset(&mut self) {
        for member in &mut self.filters {
            member.filter.reset();
            member.last = None;
            member.included = false;
        }
    }

    fn filter_all_remaining(&self) -> bool {
        !self.filters.is_empty() && self.filters.iter().all(|m| m.filter.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let mut out = !self.filters.is_empty();
        for member in &mut self.filters {
            if !member.filter.filter_all_remaining() && !member.filter.filter_row_key(row) {
                out = false;
            }
        }
        out
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.filters.is_empty() {
            return ReturnCode::Include;
        }
        let mut merged = None;
        for member in &mut self.filters {
            member.included = false;
            if member.filter.filter_all_remaining() {
                continue;
            }
            let code = match member.remembered(family, cell) {
                Some(code) => code,
                None => member.filter.filter_cell(family, cell),
            };
            member.remember(code, family, cell);
            member.included = code.includes();
            merged = Some(merge_any(merged, code));
        }
        merged.unwrap_or(ReturnCode::Skip)
    }

    fn hint(&mut self, cell: &CellRef<'_>) -> Option<Hint> {
        let mut best: Option<Hint> = None;
        for member in self.filters.iter_mut().filter(|m| !m.filter.filter_all_remaining()) {
            let hint = member.filter.hint(cell)?;
            if best.as_ref().is_none_or(|best| hint_cmp(best, &hint, self.reversed).is_gt()) {
                best = Some(hint);
            }
        }
        best
    }

    fn value_form(&self) -> ValueForm {
        let included = self.filters.iter().filter(|m| m.included);
        included.fold(ValueForm::Whole, |form, m| stronger_form(form, m.filter.value_form()))
    }

    fn has_filter_row(&self) -> bool {
        self.filters.iter().any(|m| m.filter.has_filter_row())
    }

    fn has_filter_row_cells(&self) -> bool {
        self.filters.iter().any(|m| m.filter.has_filter_row_cells())
    }

    fn drops_cell(&self, cell: &RowCell<'_>) -> bool {
        self.filters.iter().any(|m| m.filter.drops_cell(cell))
    }

    fn filter_row(&mut self) -> bool {
        for member in &mut self.filters {
            if !member.filter.filter_row() {
                return false;
            }
        }
        !self.filters.is_empty()
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|m| m.filter.is_family_essential(family))
    }
}
