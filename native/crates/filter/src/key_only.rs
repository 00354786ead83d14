//! KeyOnlyFilter: cells without their value.

use grampus_cells::CellRef;

use super::{Filter, ReturnCode, ValueForm};

/// Empties values.
pub(crate) struct KeyOnlyFilter {
    /// The value becomes its length.
    pub length_as_value: bool,
}

impl Filter for KeyOnlyFilter {
    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        ReturnCode::Include
    }

    fn value_form(&self) -> ValueForm {
        if self.length_as_value { ValueForm::Length } else { ValueForm::Empty }
    }
}
