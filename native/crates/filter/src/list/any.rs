//! A list of filters one of which has to pass.

use grampus_cells::{CellRef, CellType};

use super::place::{Place, compare_hints};
use super::stronger_form;
use crate::{Filter, Hint, ReturnCode, RowCell, ValueForm};

/// MUST_PASS_ONE.
pub(crate) struct AnyFilter {
    members: Vec<Member>,
    /// Rows descend.
    reversed: bool,
}

impl AnyFilter {
    /// A list of filters, for rows that descend or not.
    pub(crate) fn new(filters: Vec<Box<dyn Filter>>, reversed: bool) -> AnyFilter {
        let member = |filter| Member { filter, last: None, included: false };
        AnyFilter { members: filters.into_iter().map(member).collect(), reversed }
    }
}

/// A filter of a list, and what it said in this row.
struct Member {
    filter: Box<dyn Filter>,
    /// Its last code that reaches beyond a cell.
    last: Option<Said>,
    /// Its code for the current cell includes the cell, so that [`Filter::value_form`] counts.
    included: bool,
}

/// The last code that a filter gave, or that held for it without asking, and the place of that cell in its row.
struct Said {
    code: ReturnCode,
    family: Vec<u8>,
    qualifier: Vec<u8>,
    timestamp: i64,
}

impl Said {
    /// The cell, of which only the place is known.
    fn cell<'a>(&'a self, row: &'a [u8]) -> CellRef<'a> {
        let (qualifier, timestamp) = (&self.qualifier, self.timestamp);
        CellRef { row, qualifier, timestamp, cell_type: CellType::PUT, value: b"", tags: b"", sequence: 0 }
    }
}

impl Member {
    /// What the filter says of a cell. It is asked only if what it said of the cell before does not cover this one: as in HBase
    /// (`FilterListWithOR#calculateReturnCodeByPrevCellAndRC`), since the filter may count the cells that it is asked about.
    fn evaluate(&mut self, family: &[u8], cell: &CellRef<'_>, reversed: bool) -> ReturnCode {
        let code = match self.remembered(family, cell, reversed) {
            Some(code) => code,
            None => self.filter.filter_cell(family, cell),
        };
        self.remember(code, family, cell);
        self.included = code.includes();
        code
    }

    /// What the filter said of the cell before, if that holds for this one too.
    fn remembered(&mut self, family: &[u8], cell: &CellRef<'_>, reversed: bool) -> Option<ReturnCode> {
        let last = self.last.as_ref()?;
        match last.code {
            ReturnCode::NextColumn | ReturnCode::IncludeNextColumn => {
                (last.family == family && last.qualifier == cell.qualifier).then_some(ReturnCode::NextColumn)
            }
            ReturnCode::NextRow | ReturnCode::IncludeNextRow => {
                (last.family == family).then_some(ReturnCode::NextRow)
            }
            ReturnCode::Hint => {
                let at = last.cell(cell.row);
                let hint = self.filter.hint(&last.family, &at)?;
                let target = Place::of_hint(&hint, &last.family, &at);
                target.is_ahead_of(family, cell, reversed).then_some(ReturnCode::Hint)
            }
            ReturnCode::Include | ReturnCode::Skip => None,
        }
    }

    fn remember(&mut self, code: ReturnCode, family: &[u8], cell: &CellRef<'_>) {
        self.last = match code {
            ReturnCode::Include | ReturnCode::Skip => None,
            code => Some(Said {
                code,
                family: family.to_vec(),
                qualifier: cell.qualifier.to_vec(),
                timestamp: cell.timestamp,
            }),
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
        for member in &mut self.members {
            member.filter.reset();
            member.last = None;
            member.included = false;
        }
    }

    fn filter_all_remaining(&self) -> bool {
        !self.members.is_empty() && self.members.iter().all(|m| m.filter.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let mut out = !self.members.is_empty();
        for member in &mut self.members {
            if !member.filter.filter_all_remaining() && !member.filter.filter_row_key(row) {
                out = false;
            }
        }
        out
    }

    fn filter_cell(&mut self, family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        if self.members.is_empty() {
            return ReturnCode::Include;
        }
        let mut merged = None;
        for member in &mut self.members {
            member.included = false;
            if member.filter.filter_all_remaining() {
                continue;
            }
            merged = Some(merge_any(merged, member.evaluate(family, cell, self.reversed)));
        }
        merged.unwrap_or(ReturnCode::Skip)
    }

    fn hint(&mut self, family: &[u8], cell: &CellRef<'_>) -> Option<Hint> {
        let mut nearest: Option<Hint> = None;
        for member in self.members.iter_mut().filter(|m| !m.filter.filter_all_remaining()) {
            let hint = member.filter.hint(family, cell)?;
            let is_better = |near: &Hint| compare_hints(near, &hint, family, cell, self.reversed).is_gt();
            if nearest.as_ref().is_none_or(is_better) {
                nearest = Some(hint);
            }
        }
        nearest
    }

    fn value_form(&self) -> ValueForm {
        let included = self.members.iter().filter(|m| m.included);
        included.fold(ValueForm::Whole, |form, m| stronger_form(form, m.filter.value_form()))
    }

    fn has_filter_row(&self) -> bool {
        self.members.iter().any(|m| m.filter.has_filter_row())
    }

    fn has_filter_row_cells(&self) -> bool {
        self.members.iter().any(|m| m.filter.has_filter_row_cells())
    }

    fn drops_cell(&self, cell: &RowCell<'_>) -> bool {
        self.members.iter().any(|m| m.filter.drops_cell(cell))
    }

    fn filter_row(&mut self) -> bool {
        for member in &mut self.members {
            if !member.filter.filter_row() {
                return false;
            }
        }
        !self.members.is_empty()
    }

    fn remembers_rows(&self) -> bool {
        self.members.iter().any(|m| m.filter.remembers_rows())
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|m| m.filter.is_family_essential(family))
    }
}
