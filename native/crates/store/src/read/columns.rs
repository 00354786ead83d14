//! Which columns of a row are wanted and how many versions of each were seen.

use std::cmp::Ordering;
use std::sync::Arc;

use grampus_cells::{CellRef, CellType};

use crate::read::match_code::Match;

/// Version limits of a family as one read sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct VersionLimits {
    /// Versions after which a column is done.
    pub max: u32,
    /// Versions that survive their TTL.
    pub min: u32,
    /// Cells with a lower timestamp are expired.
    pub oldest: i64,
}

impl VersionLimits {
    /// True when a cell of this age cannot be wanted, however few versions there are.
    #[inline]
    pub(super) fn is_done(&self, timestamp: i64) -> bool {
        self.min == 0 && timestamp < self.oldest
    }
}

/// All columns of the family.
#[derive(Default)]
pub(super) struct AllColumns {
    current: Option<Vec<u8>>,
    spare: Vec<u8>,
    count: u32,
    last: Option<(i64, CellType)>,
}

impl AllColumns {
    /// Forgets everything for a new row.
    pub(super) fn reset(&mut self) {
        if let Some(spare) = self.current.take() {
            self.spare = spare;
        }
        self.last = None;
    }

    /// Counts a version.
    pub(super) fn check(&mut self, cell: &CellRef<'_>, limits: &VersionLimits) -> Match {
        if self.current.as_deref() == Some(cell.qualifier) {
            if self.last == Some((cell.timestamp, cell.cell_type)) {
                return Match::Skip;
            }
        } else {
            let mut qualifier = self.current.take().unwrap_or_else(|| std::mem::take(&mut self.spare));
            qualifier.clear();
            qualifier.extend_from_slice(cell.qualifier);
            self.current = Some(qualifier);
            self.count = 0;
            self.last = None;
        }
        if !cell.cell_type.is_delete() {
            self.count += 1;
        }
        let wanted =
            self.count <= limits.max && (self.count <= limits.min || cell.timestamp >= limits.oldest);
        if !wanted {
            return Match::NextColumn;
        }
        self.last = Some((cell.timestamp, cell.cell_type));
        Match::Include
    }
}

/// A sorted list of columns.
pub(super) struct ListedColumns {
    columns: Arc<[Vec<u8>]>,
    index: usize,
    count: u32,
    last: Option<i64>,
}

impl ListedColumns {
    /// Columns in qualifier order.
    pub(super) fn new(columns: Arc<[Vec<u8>]>) -> ListedColumns {
        ListedColumns { columns, index: 0, count: 0, last: None }
    }

    /// Starts over for a new row.
    pub(super) fn reset(&mut self) {
        self.index = 0;
        self.count = 0;
        self.last = None;
    }

    /// True when every column had its versions.
    #[inline]
    pub(super) fn done(&self) -> bool {
        self.index >= self.columns.len()
    }

    /// The column to look for next.
    pub(super) fn wanted(&self) -> Option<&[u8]> {
        self.columns.get(self.index).map(Vec::as_slice)
    }

    fn advance(&mut self) {
        self.index += 1;
        self.count = 0;
        self.last = None;
    }

    /// Whether the cell's column is wanted.
    pub(super) fn check_column(&mut self, qualifier: &[u8]) -> Match {
        while let Some(wanted) = self.columns.get(self.index) {
            match qualifier.cmp(wanted) {
                Ordering::Equal => return Match::Include,
                Ordering::Less => {
                    self.last = None;
                    return Match::NextColumn;
                }
                Ordering::Greater => self.advance(),
            }
        }
        Match::NextRow
    }

    /// Counts a version of the wanted column.
    pub(super) fn check_version(&mut self, cell: &CellRef<'_>, limits: &VersionLimits) -> Match {
        if self.last == Some(cell.timestamp) {
            return Match::Skip;
        }
        self.count += 1;
        if self.count >= limits.max || self.count >= limits.min && cell.timestamp < limits.oldest {
            self.advance();
            return if self.done() { Match::IncludeNextRow } else { Match::IncludeNextColumn };
        }
        self.last = Some(cell.timestamp);
        Match::Include
    }

    /// No more versions of this column are wanted.
    pub(super) fn done_with(&mut self, qualifier: &[u8]) {
        while self.columns.get(self.index).is_some_and(|wanted| wanted.as_slice() <= qualifier) {
            self.advance();
        }
        self.last = None;
    }
}
