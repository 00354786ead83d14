//! NEW_VERSION_BEHAVIOR: deletes and versions count in the order of sequence ids. A marker hides only what was written before it,
//! and a deleted version still counts against VERSIONS.

use std::collections::{BTreeMap, BTreeSet};

use grampus_cells::{CellRef, CellType};

/// The writes up to a marker of the whole family or column: the version deletes since the marker before it, and what is counted of the puts;
/// HBase's `NewVersionBehaviorTracker.DeleteVersionsNode`. The last epoch has no such marker behind it.
#[derive(Clone)]
struct Epoch {
    /// The marker's timestamp: it hides puts up to here. `i64::MIN` in the last epoch.
    hidden_to: i64,
    /// Per timestamp the sequence ids of version deletes.
    versions: BTreeMap<i64, BTreeSet<u64>>,
    /// For each version delete, and for the epoch's end, the sequence ids of the puts before it that count against VERSIONS.
    counts: BTreeMap<u64, BTreeSet<u64>>,
}

impl Epoch {
    fn new(hidden_to: i64) -> Epoch {
        Epoch { hidden_to, versions: BTreeMap::new(), counts: BTreeMap::from([(u64::MAX, BTreeSet::new())]) }
    }

    fn add_version(&mut self, cell: &CellRef<'_>) {
        self.versions.entry(cell.timestamp).or_default().insert(cell.sequence);
        let next = self.counts.range(cell.sequence..).next().map(|(_, set)| set.clone()).unwrap_or_default();
        self.counts.insert(cell.sequence, next.range(..cell.sequence).copied().collect());
    }
}

/// Markers and versions of one row of one store.
pub(crate) struct NewVersionTracker {
    max_versions: usize,
    /// Epochs of the current column, those of the family included, by the sequence id of the marker; `u64::MAX` is the last one's.
    column: BTreeMap<u64, Epoch>,
    /// Those that end with a marker of the family, and the last one.
    family: BTreeMap<u64, Epoch>,
    last_qualifier: Option<Vec<u8>>,
    last: (i64, u64, CellType),
    /// Visible versions of the current column.
    pub count: u32,
}

impl NewVersionTracker {
    /// A tracker for a family that keeps `max_versions` versions.
    pub(crate) fn new(max_versions: u32) -> NewVersionTracker {
        let mut tracker = NewVersionTracker {
            max_versions: max_versions as usize,
            column: BTreeMap::new(),
            family: BTreeMap::new(),
            last_qualifier: None,
            last: (i64::MIN, 0, CellType::DELETE),
            count: 0,
        };
        tracker.reset();
        tracker
    }

    /// Forgets everything for a new row.
    pub(crate) fn reset(&mut self) {
        self.column.clear();
        self.family.clear();
        self.family.insert(u64::MAX, Epoch::new(i64::MIN));
        self.last_qualifier = None;
        self.last = (i64::MIN, 0, CellType::DELETE);
        self.count = 0;
    }

    /// Notes the cell; for a put that repeats the last one's timestamp, the sequence id of that one.
    fn prepare(&mut self, cell: &CellRef<'_>) -> Option<u64> {
        let changed = self.last_qualifier.as_deref() != Some(cell.qualifier);
        if changed && !(self.last_qualifier.is_none() && cell.cell_type.is_family_delete()) {
            self.column = self.family.clone();
            self.count = 0;
            self.last_qualifier = Some(cell.qualifier.to_vec());
        } else if !changed
            && self.last.2 == CellType::PUT
            && self.last.2 == cell.cell_type
            && self.last.0 == cell.timestamp
        {
            return Some(self.last.1);
        }
        self.last = (cell.timestamp, cell.sequence, cell.cell_type);
        None
    }

    /// Takes a marker; markers come in cell order.
    pub(crate) fn add(&mut self, cell: &CellRef<'_>) {
        self.prepare(cell);
        let (epochs, whole) = match cell.cell_type {
            CellType::DELETE_FAMILY => (&mut self.family, true),
            CellType::DELETE_FAMILY_VERSION => (&mut self.family, false),
            CellType::DELETE_COLUMN => (&mut self.column, true),
            _ => (&mut self.column, false),
        };
        if whole {
            epochs.insert(cell.sequence, Epoch::new(cell.timestamp));
        } else if let Some((_, epoch)) = epochs.range_mut(cell.sequence..).next() {
            epoch.add_version(cell);
        }
    }

    /// True when a marker, newer versions or a newer write of the same version hide the put.
    pub(crate) fn hides(&mut self, cell: &CellRef<'_>) -> bool {
        let duplicate = self.prepare(cell);
        for (_, epoch) in self.column.range_mut(cell.sequence..) {
            let version_delete = epoch
                .versions
                .get(&cell.timestamp)
                .and_then(|set| set.range(cell.sequence..).next().copied());
            let until = duplicate.unwrap_or(u64::MAX).min(version_delete.unwrap_or(u64::MAX));
            if cell.sequence <= until {
                for (_, counted) in epoch.counts.range_mut(cell.sequence..=until) {
                    if counted.len() >= self.max_versions {
                        return true;
                    }
                    counted.insert(cell.sequence);
                }
            }
            if version_delete.is_some() || cell.timestamp <= epoch.hidden_to {
                return true;
            }
        }
        duplicate.is_some()
    }
}
