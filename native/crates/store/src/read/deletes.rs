//! Delete markers met so far in a row, by the rules without NEW_VERSION_BEHAVIOR: a marker hides what is at or below it whatever was written first.

use std::cmp::Ordering;
use std::collections::BTreeSet;

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

/// Timestamps of a row's markers that hide one version of every column. A row may have very many markers and cells, so a cell is not
/// compared with each.
pub(crate) struct HiddenVersions<T = i64>(BTreeSet<T>);

impl<T: Ord> Default for HiddenVersions<T> {
    fn default() -> HiddenVersions<T> {
        HiddenVersions(BTreeSet::new())
    }
}

impl<T: Ord> HiddenVersions<T> {
    /// Takes the timestamp of a marker.
    pub(crate) fn add(&mut self, timestamp: T) {
        self.0.insert(timestamp);
    }

    /// Whether a marker has this timestamp.
    pub(crate) fn has(&self, timestamp: &T) -> bool {
        self.0.contains(timestamp)
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Markers of one row of one store.
#[derive(Default)]
pub(super) struct DeleteTracker {
    family_stamp: Option<i64>,
    family_versions: HiddenVersions,
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
            CellType::DELETE_FAMILY_VERSION => self.family_versions.add(cell.timestamp),
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
        if self.family_versions.has(&cell.timestamp) {
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A timestamp whose comparisons are counted.
    #[derive(Clone, Copy)]
    struct Counted<'a>(i64, &'a Cell<u64>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other).is_eq()
        }
    }

    impl Eq for Counted<'_> {}

    impl PartialOrd for Counted<'_> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Counted<'_> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.1.set(self.1.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn many_markers_and_cells_take_few_comparisons_each() {
        const MARKERS: i64 = 1 << 14;
        let compared = Cell::new(0);
        let mut hidden = HiddenVersions::default();
        for timestamp in (0..MARKERS).rev() {
            hidden.add(Counted(2 * timestamp, &compared));
        }
        for timestamp in 0..2 * MARKERS {
            assert_eq!(hidden.has(&Counted(timestamp, &compared)), timestamp % 2 == 0);
        }
        // A search looks at a node of up to 11 timestamps per level, of which there are at most five.
        assert!(compared.get() < 3 * MARKERS.unsigned_abs() * 55, "{} comparisons", compared.get());
    }
}
