//! Which cells a compaction keeps: HBase's rules for minor and major compactions.
//!
//! Cells of a row come in order, so every marker comes before what it hides. Nothing above the smallest read point is used
//! to hide or to count: an open scanner may not see it.

use grampus_cells::{CellRef, CellType, tags};

use crate::policy::CompactionKind;
use crate::read::deletes::HiddenVersions;
use crate::read::new_version::NewVersionTracker;
use crate::{FamilyConfig, KeepDeleted};

/// What the rules depend on.
#[derive(Clone, Debug)]
pub struct RetentionRules {
    kind: CompactionKind,
    max_versions: u32,
    min_versions: u32,
    keep_deleted: KeepDeleted,
    new_version_behavior: bool,
    /// Markers of at most this age stay, if it is above 0: puts that they hide may still come.
    purge_deletes_after_millis: i64,
    now_millis: i64,
    /// Timestamps below it are expired.
    oldest_unexpired: i64,
    smallest_read_point: u64,
    /// Smallest timestamp of a put among all inputs: markers below it hide nothing that is left.
    earliest_put: i64,
}

impl RetentionRules {
    /// The rules of a family at a time. `smallest_read_point` is that of the oldest open scanner.
    pub fn new(
        kind: CompactionKind,
        config: &FamilyConfig,
        now_millis: i64,
        smallest_read_point: u64,
        earliest_put: i64,
    ) -> RetentionRules {
        RetentionRules {
            kind,
            max_versions: config.max_versions,
            min_versions: config.min_versions,
            keep_deleted: config.keep_deleted,
            new_version_behavior: config.new_version_behavior,
            purge_deletes_after_millis: config.purge_deletes_after_millis,
            now_millis,
            oldest_unexpired: config.ttl_millis.map_or(i64::MIN, |ttl| now_millis.saturating_sub(ttl)),
            smallest_read_point,
            earliest_put,
        }
    }

    /// Whether a marker is too young to be dropped.
    fn is_young(&self, marker: &CellRef<'_>) -> bool {
        let age = self.now_millis.saturating_sub(marker.timestamp);
        self.purge_deletes_after_millis > 0 && age <= self.purge_deletes_after_millis
    }
}

/// What hides puts of the current column.
#[derive(Default)]
struct ColumnState {
    started: bool,
    qualifier: Vec<u8>,
    /// Highest DeleteColumn.
    column_delete: Option<i64>,
    /// The last Delete; what it hides follows at once.
    version_delete: Option<i64>,
    versions: u32,
    /// Timestamp and type of the last cell kept, to recognise its older writes.
    last: Option<(i64, CellType)>,
    /// No further put of this column stays.
    done: bool,
}

/// The state of a walk over one row after the other.
pub struct Retention {
    rules: RetentionRules,
    family_delete: Option<i64>,
    family_version_deletes: HiddenVersions,
    column: ColumnState,
    /// NEW_VERSION_BEHAVIOR's markers and versions.
    by_sequence: NewVersionTracker,
}

impl Retention {
    /// Starts before the first row.
    pub fn new(rules: RetentionRules) -> Retention {
        Retention {
            by_sequence: NewVersionTracker::new(rules.max_versions),
            rules,
            family_delete: None,
            family_version_deletes: HiddenVersions::default(),
            column: ColumnState::default(),
        }
    }

    /// Starts a row.
    pub fn start_row(&mut self) {
        self.family_delete = None;
        self.family_version_deletes.clear();
        self.column.started = false;
        if self.rules.new_version_behavior {
            self.by_sequence.reset();
        }
    }

    /// Whether the next cell of the row stays.
    pub fn keeps(&mut self, cell: &CellRef<'_>) -> bool {
        if self.rules.new_version_behavior {
            return self.keeps_by_sequence(cell);
        }
        if !self.column.started || self.column.qualifier != cell.qualifier {
            self.start_column(cell.qualifier);
        }
        let expired = cell.timestamp < self.rules.oldest_unexpired;
        let all_expired = self.rules.min_versions == 0 && expired;
        if all_expired || tags::is_expired(cell, self.rules.now_millis) {
            return false;
        }
        let pinned = cell.sequence > self.rules.smallest_read_point;
        match cell.cell_type {
            CellType::PUT => !self.column.done && self.keeps_put(cell, pinned, expired),
            _ => self.keeps_marker(cell, pinned),
        }
    }

    /// NEW_VERSION_BEHAVIOR goes by sequence id, and versions that are hidden still count: only a compaction of all files,
    /// which drops all that is hidden together with what hides it, may drop any of it.
    fn keeps_by_sequence(&mut self, cell: &CellRef<'_>) -> bool {
        let expired = self.rules.min_versions == 0 && cell.timestamp < self.rules.oldest_unexpired;
        if expired || tags::is_expired(cell, self.rules.now_millis) {
            return false;
        }
        let drops_hidden =
            self.rules.kind == CompactionKind::Major && self.rules.keep_deleted == KeepDeleted::False;
        if !drops_hidden || cell.sequence > self.rules.smallest_read_point {
            return true;
        }
        if cell.cell_type.is_delete() {
            self.by_sequence.add(cell);
            return self.rules.is_young(cell);
        }
        !self.by_sequence.hides(cell)
    }

    fn start_column(&mut self, qualifier: &[u8]) {
        let mut kept = std::mem::take(&mut self.column.qualifier);
        kept.clear();
        kept.extend_from_slice(qualifier);
        self.column = ColumnState { started: true, qualifier: kept, ..ColumnState::default() };
    }

    fn keeps_marker(&mut self, cell: &CellRef<'_>, pinned: bool) -> bool {
        if pinned {
            return true;
        }
        self.track(cell);
        if self.rules.kind == CompactionKind::Minor || self.rules.is_young(cell) {
            return true;
        }
        let alive = match self.rules.keep_deleted {
            KeepDeleted::False => false,
            KeepDeleted::True => true,
            KeepDeleted::Ttl => cell.timestamp >= self.rules.oldest_unexpired,
        };
        let useful = !self.column.done || cell.cell_type.is_family_delete();
        alive && useful && cell.timestamp >= self.rules.earliest_put && !self.repeats(cell)
    }

    /// A marker hides puts unless deleted cells are kept (and, for TTL, the marker has not expired).
    fn track(&mut self, cell: &CellRef<'_>) {
        let hides = match self.rules.keep_deleted {
            KeepDeleted::False => true,
            KeepDeleted::True => false,
            KeepDeleted::Ttl => cell.timestamp < self.rules.oldest_unexpired,
        };
        if !hides {
            return;
        }
        let timestamp = Some(cell.timestamp);
        match cell.cell_type {
            CellType::DELETE_FAMILY => self.family_delete = self.family_delete.max(timestamp),
            CellType::DELETE_FAMILY_VERSION => self.family_version_deletes.add(cell.timestamp),
            CellType::DELETE_COLUMN => self.column.column_delete = self.column.column_delete.max(timestamp),
            _ => self.column.version_delete = timestamp,
        }
    }

    fn keeps_put(&mut self, cell: &CellRef<'_>, pinned: bool, expired: bool) -> bool {
        if self.is_hidden(cell.timestamp) {
            return false;
        }
        if pinned {
            return true;
        }
        if self.repeats(cell) {
            return false;
        }
        self.column.versions += 1;
        let too_many = self.column.versions > self.rules.max_versions;
        let too_old = expired && self.column.versions > self.rules.min_versions;
        self.column.done = too_many || too_old;
        !self.column.done
    }

    fn is_hidden(&self, timestamp: i64) -> bool {
        self.family_delete.is_some_and(|t| timestamp <= t)
            || self.column.column_delete.is_some_and(|t| timestamp <= t)
            || self.column.version_delete == Some(timestamp)
            || self.family_version_deletes.has(&timestamp)
    }

    /// True for an older write of the cell kept before.
    fn repeats(&mut self, cell: &CellRef<'_>) -> bool {
        let key = Some((cell.timestamp, cell.cell_type));
        let repeats = self.column.last == key;
        self.column.last = key;
        repeats
    }
}
