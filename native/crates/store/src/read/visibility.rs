//! What of a row's cells a read may see: versions, TTL, delete markers, columns, time range, and the filter's word on each cell.
//! The order of the checks is HBase's; changing it changes answers.

use std::sync::Arc;

use grampus_cells::{CellRef, TimeRange, tags};
use grampus_filter::{Filter, ReturnCode};

use crate::read::columns::{AllColumns, ListedColumns, VersionLimits};
use crate::read::deletes::{DeleteTracker, Hidden};
use crate::read::match_code::Match;
use crate::read::new_version::NewVersionTracker;
use crate::{FamilyConfig, KeepDeleted};

/// One store's part of a read.
pub(crate) struct StoreRead {
    /// Timestamps asked for.
    pub range: TimeRange,
    /// Sorted qualifiers, `None` = all.
    pub columns: Option<Arc<[Vec<u8>]>>,
    /// Versions asked for.
    pub max_versions: u32,
    /// Return markers and what they hide.
    pub raw: bool,
    /// The read has a filter.
    pub filtered: bool,
    /// Wall clock of the read.
    pub now: i64,
}

enum Columns {
    All(AllColumns),
    Listed(ListedColumns),
    New { tracker: NewVersionTracker, listed: Option<ListedColumns> },
}

/// Evaluates the cells of one store, row by row.
pub(crate) struct Visibility {
    range: TimeRange,
    limits: VersionLimits,
    result_max: u32,
    raw: bool,
    now: i64,
    /// KEEP_DELETED_CELLS: markers at or above the end of the time range hide nothing, so that a read of the past sees what was deleted
    /// later. HBase's `seePastDeleteMarkers`.
    see_past_markers: bool,
    deletes: DeleteTracker,
    columns: Columns,
    filter_column: Option<Vec<u8>>,
    filter_count: u32,
}

impl Visibility {
    /// The rules of a family applied to a read.
    pub(crate) fn new(family: &FamilyConfig, read: StoreRead) -> Visibility {
        let result_max =
            if read.raw { read.max_versions } else { read.max_versions.min(family.max_versions) };
        let check_max = match (read.filtered, read.raw) {
            (false, _) => result_max,
            (true, true) => u32::MAX,
            (true, false) => family.max_versions,
        };
        let oldest = match family.ttl_millis {
            Some(ttl) if !read.raw => read.now.saturating_sub(ttl),
            _ => i64::MIN,
        };
        let listed = read.columns.map(ListedColumns::new);
        let columns = if family.new_version_behavior && !read.raw {
            Columns::New { tracker: NewVersionTracker::new(family.max_versions), listed }
        } else if let Some(listed) = listed {
            Columns::Listed(listed)
        } else {
            Columns::All(AllColumns::default())
        };
        Visibility {
            range: read.range,
            limits: VersionLimits { max: check_max, min: family.min_versions, oldest },
            result_max,
            raw: read.raw,
            now: read.now,
            see_past_markers: family.keep_deleted != KeepDeleted::False,
            deletes: DeleteTracker::default(),
            columns,
            filter_column: None,
            filter_count: 0,
        }
    }

    /// Forgets everything for a new row.
    pub(crate) fn reset(&mut self) {
        self.deletes.reset();
        match &mut self.columns {
            Columns::All(all) => all.reset(),
            Columns::Listed(listed) => listed.reset(),
            Columns::New { tracker, listed } => {
                tracker.reset();
                if let Some(listed) = listed {
                    listed.reset();
                }
            }
        }
        self.filter_column = None;
        self.filter_count = 0;
    }

    /// Timestamps (first and last) at which a put that is the only cell of its column is visible whatever the rest of the row is;
    /// `None` when no such rule holds. What a filter says comes on top.
    pub(crate) fn fast_path_times(&self) -> Option<(i64, i64)> {
        if self.raw
            || self.limits.max == 0
            || self.result_max == 0
            || matches!(self.columns, Columns::New { .. })
        {
            return None;
        }
        let first = self.range.from.max(self.limits.oldest).max(i64::MIN + 1);
        let last = if self.range.to == i64::MAX { i64::MAX } else { self.range.to.checked_sub(1)? };
        Some((first, last))
    }

    /// The column to look for after `Match::NextColumn`, `None` = whichever comes next.
    pub(crate) fn wanted_column(&self) -> Option<&[u8]> {
        match &self.columns {
            Columns::All(_) => None,
            Columns::Listed(listed) => listed.wanted(),
            Columns::New { listed, .. } => listed.as_ref().and_then(ListedColumns::wanted),
        }
    }

    /// What to do with the next cell of the row, and where to go on from it. A delete marker is noted and skipped, unless the read is raw.
    pub(crate) fn match_cell(
        &mut self,
        family: &[u8],
        cell: &CellRef<'_>,
        filter: &mut Option<Box<dyn Filter>>,
    ) -> Match {
        if let Some(filter) = filter
            && filter.filter_all_remaining()
        {
            return Match::Done;
        }
        if self.columns_done() {
            return Match::NextRow;
        }
        let new_version = matches!(self.columns, Columns::New { .. });
        if cell.timestamp == i64::MIN || !new_version && self.limits.is_done(cell.timestamp) {
            return self.next_row_or_column(cell);
        }
        if !cell.tags.is_empty() && tags::is_expired(cell, self.now) {
            return Match::Skip;
        }
        if !self.raw {
            if cell.cell_type.is_delete() {
                self.take_marker(cell);
                return Match::Skip;
            }
            if let Some(hidden) = self.check_deleted(cell) {
                return hidden;
            }
        }
        let matched = self.match_column(cell);
        if !matches!(matched, Match::Include | Match::IncludeNextColumn | Match::IncludeNextRow) {
            return matched;
        }
        match filter {
            None => matched,
            Some(filter) => self.merge_filter(cell, matched, filter.filter_cell(family, cell)),
        }
    }

    fn columns_done(&self) -> bool {
        match &self.columns {
            Columns::All(_) => false,
            Columns::Listed(listed) => listed.done(),
            Columns::New { listed, .. } => listed.as_ref().is_some_and(ListedColumns::done),
        }
    }

    fn next_row_or_column(&mut self, cell: &CellRef<'_>) -> Match {
        if let Columns::Listed(listed) = &mut self.columns {
            listed.done_with(cell.qualifier);
            if listed.done() {
                return Match::NextRow;
            }
        }
        Match::NextColumn
    }

    fn take_marker(&mut self, cell: &CellRef<'_>) {
        let below_end = cell.timestamp < self.range.to || self.range.to == i64::MAX;
        let counts = if self.see_past_markers {
            below_end && cell.timestamp >= self.range.from
        } else {
            cell.timestamp >= self.range.from
        };
        if counts {
            match &mut self.columns {
                Columns::New { tracker, .. } => tracker.add(cell),
                _ => self.deletes.add(cell),
            }
        }
    }

    fn check_deleted(&mut self, cell: &CellRef<'_>) -> Option<Match> {
        if let Columns::New { tracker, .. } = &mut self.columns {
            return tracker.hides(cell).then_some(Match::Skip);
        }
        if self.deletes.is_empty() {
            return None;
        }
        match self.deletes.hides(cell) {
            Hidden::No => None,
            Hidden::Version => Some(Match::Skip),
            Hidden::Column => Some(self.next_row_or_column(cell)),
        }
    }

    fn match_column(&mut self, cell: &CellRef<'_>) -> Match {
        if cell.timestamp >= self.range.to && self.range.to != i64::MAX {
            return Match::Skip;
        }
        if cell.timestamp < self.range.from {
            return self.next_row_or_column(cell);
        }
        let (limits, result_max) = (self.limits, self.result_max);
        match &mut self.columns {
            Columns::All(all) => all.check(cell, &limits),
            Columns::Listed(listed) => match listed.check_column(cell.qualifier) {
                Match::Include => listed.check_version(cell, &limits),
                other => other,
            },
            Columns::New { tracker, listed } => {
                if let Some(listed) = listed {
                    let wanted = listed.check_column(cell.qualifier);
                    if wanted != Match::Include {
                        return wanted;
                    }
                }
                tracker.count += 1;
                if cell.timestamp < limits.oldest {
                    if tracker.count == limits.min {
                        return Match::IncludeNextColumn;
                    }
                    if tracker.count > limits.min {
                        return Match::NextColumn;
                    }
                }
                match tracker.count.cmp(&result_max) {
                    std::cmp::Ordering::Less => Match::Include,
                    std::cmp::Ordering::Equal => Match::IncludeNextColumn,
                    std::cmp::Ordering::Greater => Match::NextColumn,
                }
            }
        }
    }

    fn merge_filter(&mut self, cell: &CellRef<'_>, mut matched: Match, code: ReturnCode) -> Match {
        match code {
            ReturnCode::Skip => {
                return match matched {
                    Match::IncludeNextColumn => Match::NextColumn,
                    Match::IncludeNextRow => Match::NextRow,
                    _ => Match::Skip,
                };
            }
            ReturnCode::NextColumn => {
                return match matched {
                    Match::IncludeNextRow => Match::NextRow,
                    _ => self.next_row_or_column(cell),
                };
            }
            ReturnCode::NextRow => return Match::NextRow,
            ReturnCode::Hint => return Match::Hint,
            ReturnCode::Include => {}
            ReturnCode::IncludeNextColumn => {
                if matched == Match::Include {
                    matched = Match::IncludeNextColumn;
                }
            }
            ReturnCode::IncludeNextRow => matched = Match::IncludeNextRow,
        }
        if self.filter_column.as_deref() != Some(cell.qualifier) {
            self.filter_column = Some(cell.qualifier.to_vec());
            self.filter_count = 0;
        }
        self.filter_count += 1;
        if self.filter_count > self.result_max {
            matched = if matched == Match::IncludeNextRow { Match::NextRow } else { Match::NextColumn };
        }
        if matches!(matched, Match::IncludeNextColumn | Match::NextColumn)
            && let Columns::Listed(listed) = &mut self.columns
        {
            listed.done_with(cell.qualifier);
        }
        matched
    }
}
