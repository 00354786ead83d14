//! One store's part of a scan.

use std::sync::Arc;

use grampus_base::Result;
use grampus_cells::SeekTarget;

use crate::FamilyConfig;
use crate::read::store_cursor::StoreCursor;
use crate::read::visibility::Visibility;

/// One store's part of a scan.
pub(crate) struct StoreScan {
    /// The family.
    pub family: Arc<FamilyConfig>,
    /// Its sources.
    pub cursor: StoreCursor,
    /// Its rules.
    pub visibility: Visibility,
    /// Whether rows can be evaluated only with it.
    pub essential: bool,
    pub(super) on_row: bool,
    /// The filter wanted nothing more of the row behind a cell that it took.
    pub(super) row_done: bool,
    /// The filter wanted nothing more at all, in the middle of a row or behind its cells; the scan sees nothing more of the store.
    pub(super) closed: bool,
    /// The row before which the filter wants nothing of the store.
    pub(super) hint: Option<Vec<u8>>,
    pub(super) cells: i64,
    pub(super) bytes: u64,
    /// The row that comes next, of a store whose sources were taken out.
    parked: Option<Vec<u8>>,
}

impl StoreScan {
    /// A store's part of a scan.
    pub(crate) fn new(family: Arc<FamilyConfig>, cursor: StoreCursor, visibility: Visibility) -> StoreScan {
        StoreScan {
            family,
            cursor,
            visibility,
            essential: true,
            on_row: false,
            row_done: false,
            closed: false,
            hint: None,
            cells: 0,
            bytes: 0,
            parked: None,
        }
    }

    /// The store's next row.
    pub(super) fn row(&self) -> Option<&[u8]> {
        if self.closed { None } else { self.cursor.row() }
    }

    pub(super) fn begin_row(&mut self) {
        self.visibility.reset();
        self.row_done = false;
        self.cells = 0;
        self.bytes = 0;
    }

    /// Between rows: takes the sources out and notes the row that comes next. A store at its end, or closed, needs none any more.
    pub(super) fn park(&mut self) -> StoreCursor {
        self.parked = self.row().map(<[u8]>::to_vec);
        self.cursor.take()
    }

    /// Whether its sources were taken out and are needed again.
    pub(super) fn is_parked(&self) -> bool {
        self.parked.is_some()
    }

    /// Goes on with other sources at the row that comes next. After an error the scan cannot go on.
    pub(super) fn seat(&mut self, cursor: StoreCursor) -> Result<()> {
        self.cursor = cursor;
        match self.parked.take() {
            Some(row) => self.cursor.seek(SeekTarget::AtOrAfter(&row)),
            None => Ok(()),
        }
    }

    /// Takes the sources out for good.
    pub(super) fn release(&mut self) -> StoreCursor {
        self.parked = None;
        self.cursor.take()
    }
}
