//! The newest versions of the columns that a delete names without a timestamp.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::vec;

use grampus_base::Result;
use grampus_cells::{CellRef, CellType, TimeRange, WireCell, cell_codec};
use grampus_store::read::{FamilyRead, ReadPlan, RowState};

use super::super::Region;
use super::LATEST;

/// Timestamps of the newest versions of columns, by store and qualifier, newest first: as many of each as cells of the delete name it, since each
/// of them takes another one. They are read at once: row locks are held meanwhile, and to start anew for each of some ten thousand cells that
/// name one column takes minutes.
#[derive(Default)]
pub(super) struct NewestVersions<'c>(BTreeMap<(usize, &'c [u8]), vec::IntoIter<i64>>);

impl<'c> NewestVersions<'c> {
    /// The newest version of a column that is left, which is taken.
    pub(super) fn take(&mut self, store: usize, qualifier: &'c [u8]) -> Option<i64> {
        self.0.get_mut(&(store, qualifier))?.next()
    }
}

/// Whether the cell of a delete names the newest version of its column.
pub(super) fn is_newest(named: &WireCell<'_>) -> bool {
    named.cell.cell_type == CellType::DELETE && named.cell.timestamp == LATEST
}

impl Region {
    /// What the cells of one delete take of the latest applied state.
    pub(super) fn newest_versions<'c>(
        &self,
        own: &[WireCell<'c>],
        may_block: bool,
        now: i64,
    ) -> Result<NewestVersions<'c>> {
        let mut wanted = BTreeMap::new();
        for named in own.iter().filter(|named| is_newest(named)) {
            let column = (self.store_index(named.family)?, named.cell.qualifier);
            wanted.entry(column).or_insert((named.cell, 0)).1 += 1;
        }
        let read = wanted.into_iter().map(|(column, (cell, count))| {
            let stamps = self.newest_of_column(column.0, &cell, count, may_block, now)?;
            Ok((column, stamps.into_iter()))
        });
        read.collect::<Result<_>>().map(NewestVersions)
    }

    /// Timestamps of the newest versions of a cell's column, of `count` at most.
    fn newest_of_column(
        &self,
        store: usize,
        cell: &CellRef<'_>,
        count: u32,
        may_block: bool,
        now: i64,
    ) -> Result<Vec<i64>> {
        let plan = ReadPlan::of_row(cell.row, u64::MAX, may_block, now).versions(count);
        let columns = Some(Arc::from([cell.qualifier.to_vec()]));
        let mut scan = self.row_scan(&[FamilyRead { store, range: TimeRange::ALL, columns }], plan)?;
        let mut stamps = Vec::new();
        if scan.enter_row()? == RowState::Row {
            let mut version = Vec::new();
            while stamps.len() < count as usize && scan.next_cell(&mut version)?.is_some() {
                stamps.push(cell_codec::read_cell(&version)?.0.cell.timestamp);
                version.clear();
            }
        }
        Ok(stamps)
    }
}
