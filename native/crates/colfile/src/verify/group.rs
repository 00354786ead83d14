//! Whether the pages of a row group have what its entry in the footer says.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::cell_codec::ROW_KEY_BYTES_MAX;
use grampus_cells::{CellRef, CellType, RowBound, RowOrder, RowRange, ValueBounds};

use super::bloom::Bloom;
use super::{Totals, damage, first_offset};
use crate::error::Result;
use crate::footer::{self, RowGroup};
use crate::zone_map::CellStats;
use crate::{ColumnFile, FileCursor};

/// What the cells of a qualifier with pages of its own add up to in a row group.
#[derive(Default)]
struct Column {
    stats: Option<CellStats>,
    values: ValueBounds,
    /// It has a cell that is no put, has tags, or is not the only one of its row.
    mingled: bool,
    /// Number of the row that has its last cell.
    row: Option<u32>,
}

impl Column {
    /// Takes the next cell, of the row of a number.
    fn add(&mut self, cell: &CellRef<'_>, row: u32) {
        self.stats.get_or_insert(CellStats::EMPTY).add(cell);
        self.values.add(cell.cell_type, cell.value);
        let repeated = self.row.replace(row) == Some(row);
        self.mingled |= repeated || cell.cell_type != CellType::PUT || !cell.tags.is_empty();
    }
}

/// The cell before, and its row.
#[derive(Default)]
struct Last {
    row: Vec<u8>,
    qualifier: Vec<u8>,
    version: Option<(i64, CellType, u64)>,
}

impl Last {
    /// Takes the next cell of the row, which must not be below this one.
    fn ascends_to(&mut self, cell: &CellRef<'_>) -> bool {
        let ascends = self.version.is_none_or(|(timestamp, cell_type, sequence)| {
            let qualifier = self.qualifier.as_slice();
            let last = CellRef { qualifier, timestamp, cell_type, sequence, ..*cell };
            last.cmp_in_row(cell) != Ordering::Greater
        });
        self.version = Some((cell.timestamp, cell.cell_type, cell.sequence));
        self.qualifier.clear();
        self.qualifier.extend_from_slice(cell.qualifier);
        ascends
    }

    /// Takes the next row, which must be above this one.
    fn ascends_to_row(&mut self, row: &[u8], order: RowOrder) -> bool {
        let ascends = self.row.is_empty() || order.compare(&self.row, row) == Ordering::Less;
        self.row.clear();
        self.row.extend_from_slice(row);
        self.version = None;
        ascends
    }
}

/// Reads a row group cell by cell and adds its cells to those of the file.
pub(super) fn check_group(
    file: &Arc<ColumnFile>,
    source: &Arc<dyn RandomRead>,
    group: &RowGroup,
    totals: &mut Totals,
) -> Result<()> {
    let rows =
        RowRange { start: RowBound::Included(&group.first_row), end: RowBound::Included(&group.last_row) };
    let mut cursor = FileCursor::single_pass(file, source, rows);
    let mut found = GroupCells::new(file, source.as_ref(), group)?;
    cursor.seek_first()?;
    while let Some(row) = cursor.row() {
        found.begin_row(row, cursor.cell().is_some())?;
        while let Some(cell) = cursor.cell() {
            found.add(&cell)?;
            totals.add(&cell);
            cursor.next_cell()?;
        }
        cursor.next_row()?;
    }
    totals.rows += u64::from(found.rows);
    totals.stats.merge(found.stats);
    found.check(group)?;
    found.bloom.check()
}

/// What the cells of a row group add up to.
struct GroupCells<'a> {
    file: &'a ColumnFile,
    /// Where damage is said to be that has no better place.
    offset: u64,
    bloom: Bloom<'a>,
    columns: HashMap<&'a [u8], Column>,
    rows: u32,
    stats: CellStats,
    last: Last,
}

impl<'a> GroupCells<'a> {
    fn new(file: &'a ColumnFile, source: &'a dyn RandomRead, group: &'a RowGroup) -> Result<GroupCells<'a>> {
        let own_pages = |column: &footer::Column| (qualifier_of(file, column), Column::default());
        Ok(GroupCells {
            file,
            offset: first_offset(group),
            bloom: Bloom::new(file, source, group)?,
            columns: group.columns.iter().map(own_pages).collect(),
            rows: 0,
            stats: CellStats::EMPTY,
            last: Last::default(),
        })
    }

    fn begin_row(&mut self, row: &[u8], has_cells: bool) -> Result<()> {
        let well_formed = (1..=ROW_KEY_BYTES_MAX).contains(&row.len());
        if !well_formed || !self.last.ascends_to_row(row, self.file.row_order()) {
            return damage(self.file, self.offset, "the rows of a row group do not ascend");
        }
        if !has_cells {
            return damage(self.file, self.offset, "a row of a row group has no cells");
        }
        self.rows += 1;
        Ok(())
    }

    fn add(&mut self, cell: &CellRef<'_>) -> Result<()> {
        if !self.last.ascends_to(cell) {
            return damage(self.file, self.offset, "the cells of a row do not ascend");
        }
        self.bloom.add(cell)?;
        self.stats.add(cell);
        // Without a qualifier, markers of a family have pages of their own.
        let own_pages = !(cell.cell_type.is_family_delete() && cell.qualifier.is_empty());
        if let Some(column) = self.columns.get_mut(cell.qualifier).filter(|_| own_pages) {
            column.add(cell, self.rows);
        }
        Ok(())
    }

    /// Compares with what the footer says.
    fn check(&self, group: &RowGroup) -> Result<()> {
        let differs = |what| damage(self.file, self.offset, what);
        if self.rows != group.rows || self.last.row != *group.last_row {
            return differs("the footer has other rows for a row group than its pages");
        }
        if self.stats != group.stats {
            return differs("the footer has other counts or timestamps for a row group than its pages");
        }
        group.columns.iter().try_for_each(|column| self.check_column(column))
    }

    fn check_column(&self, column: &footer::Column) -> Result<()> {
        let found = self.columns.get(qualifier_of(self.file, column));
        let offset = column.chunk.pages.first().map_or(self.offset, |entry| entry.at.offset);
        if !found.is_some_and(|found| found.stats == Some(column.stats) && found.values == column.values) {
            let what = "the footer has other counts or bounds for a column than its pages";
            return damage(self.file, offset, what);
        }
        if column.single_puts && found.is_some_and(|found| found.mingled) {
            let what = "the footer says of a column that it has single puts alone, but it has more";
            return damage(self.file, offset, what);
        }
        Ok(())
    }
}

fn qualifier_of<'a>(file: &'a ColumnFile, column: &footer::Column) -> &'a [u8] {
    file.footer.qualifiers.get(column.qualifier as usize).map_or(&[][..], |q| q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_out_of_order_are_noticed() {
        let cell = |qualifier: &'static [u8], timestamp| CellRef {
            row: b"row",
            qualifier,
            timestamp,
            cell_type: CellType::PUT,
            value: b"",
            tags: b"",
            sequence: 0,
        };
        let mut last = Last::default();
        assert!(last.ascends_to_row(b"row", RowOrder::Bytes));
        assert!(last.ascends_to(&cell(b"a", 5)) && last.ascends_to(&cell(b"a", 4)));
        assert!(!last.ascends_to(&cell(b"a", 5)));
        assert!(!last.ascends_to_row(b"row", RowOrder::Bytes), "a row occurs once");
        assert!(last.ascends_to_row(b"rowa", RowOrder::Bytes));
        assert!(last.ascends_to(&cell(b"a", 9)), "a row begins anew");
    }
}
