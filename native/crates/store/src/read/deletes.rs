//! Delete markers met so far in a row, by the rules without NEW_VERSION_BEHAVIOR: a marker hides what is at or below it whatever was written first.

use std::cmp::Ordering;

use grampus_cells::{CellRef, CellType};

/// What hides a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// Nothing.
    No,
    /// This version only.
    Version,
    /// This and all older versions of the column.
    Column,
}

/// Markers of one row of one store.
#[derive(Default)]
pub(super) struct DeleteTracker {
    family_stamp: Option<i64>,
    family_versions: Vec<i64>,
    /// The column marker that counts, if any.
    column: Option<(CellType, i64)>,
    column_qualifier: Vec<u8>,
}

impl DeleteTracker {
    /// Forgets everything for a new row.
    pub(super) fn reset(&mut self) {
        self.family_stamp = None;
        self.family_versions.clear();
        self.column = None;
    }

    /// True when nothing can be hidden.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.column.is_none() && self.family_stamp.is_none() && self.family_versions.is_empty()
    }

    /// Takes a marker; markers come in cell order.
    pub(super) fn add(&mut self, cell: &CellRef<'_>) {
        if self.family_stamp.is_some_and(|stamp| cell.timestamp <= stamp) {
            return;
        }
        match cell.cell_type {
            CellType::DELETE_FAMILY => self.family_stamp = Some(cell.timestamp),
            CellType::DELETE_FAMILY_VERSION => self.family_versions.push(cell.timestamp),
            kind => {
                let weaker = self.column.is_some_and(|(known, _)| kind < known);
                if weaker && self.column_qualifier == cell.qualifier {
                    return;
                }
                self.column = Some((kind, cell.timestamp));
                self.column_qualifier.clear();
                self.column_qualifier.extend_from_slice(cell.qualifier);
            }
        }
    }

    /// What the markers do to a put.
    pub(super) fn hides(&mut self, cell: &CellRef<'_>) -> Hidden {
        if self.family_stamp.is_some_and(|stamp| cell.timestamp <= stamp) {
            return Hidden::Column;
        }
        if self.family_versions.contains(&cell.timestamp) {
            return Hidden::Version;
        }
        let Some((kind, stamp)) = self.column else { return Hidden::No };
        if cell.qualifier.cmp(&self.column_qualifier) == Ordering::Equal {
            if kind == CellType::DELETE_COLUMN {
                return Hidden::Column;
            }
            if cell.timestamp == stamp {
                return Hidden::Version;
            }
        }
        self.column = None;
        Hidden::No
    }
}
