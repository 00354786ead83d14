//! Rows of columns by name.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, TimestampMillisecondBuilder};
use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{RunValues, Strings, WireCell};

use crate::mapping::{Column, KeyColumn, timestamp_type};
use crate::reader::errors::{of_cell, of_key};
use crate::reader::row_cells::RowCells;
use crate::shown::OrWhy;
use crate::values::{Refused, Values, of_type};

/// Columns in the making. Those of the mapping that a row does not have are filled up with nulls when a later row has them, or at the end; they count
/// from the beginning.
pub(super) struct NamedRows {
    key: Option<Box<dyn Values>>,
    rows: usize,
    columns: Vec<Built>,
    order: MappedOrder,
    /// Bytes of a row without a value.
    row_width: usize,
    bytes: usize,
}

/// A column in the making.
struct Built {
    values: Box<dyn Values>,
    stamps: Option<TimestampMillisecondBuilder>,
}

impl NamedRows {
    pub(super) fn new(key: Option<&KeyColumn>, columns: &[Column]) -> NamedRows {
        let key_width = key.map_or(0, |key| key.column_type.width());
        NamedRows {
            key: key.map(|key| of_type(key.column_type)),
            rows: 0,
            columns: columns.iter().map(Built::new).collect(),
            order: MappedOrder::new(columns),
            row_width: key_width + columns.iter().map(Column::width).sum::<usize>(),
            bytes: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Whether the batches have the row keys.
    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that a row counts at least.
    pub(super) fn row_width(&self) -> usize {
        self.row_width
    }

    /// Takes the key of a row whose values come later.
    fn push_key(&mut self, row: &[u8]) -> OrWhy<()> {
        if let Some(key) = &mut self.key {
            key.push(row)?;
            self.bytes += row.len();
        }
        self.bytes += self.row_width;
        self.rows += 1;
        Ok(())
    }

    /// Takes the keys of rows whose values come later.
    ///
    /// # Errors
    /// The key that is not of the column's type.
    pub(super) fn push_keys(&mut self, keys: &Strings) -> Result<()> {
        let refused = |Refused { position, why }| of_key(keys.get(position), &why);
        if let Some(key) = &mut self.key {
            key.extend(keys, 0..keys.len()).map_err(refused)?;
            self.bytes += keys.bytes_len();
        }
        self.bytes += keys.len() * self.row_width;
        self.rows += keys.len();
        Ok(())
    }

    /// The column of a family's qualifier.
    pub(super) fn find(&self, family: &[u8], qualifier: &[u8]) -> Option<usize> {
        self.order.find(family, qualifier)
    }

    /// Takes the values of a column in a run of rows, the first of which has a number in the batch.
    pub(super) fn push_values(
        &mut self,
        column: usize,
        first: usize,
        values: &RunValues<'_>,
    ) -> std::result::Result<(), Refused> {
        let Some(column) = self.columns.get_mut(column) else { return Ok(()) };
        column.put_run(first, values)?;
        self.bytes += values.values.bytes_len();
        Ok(())
    }

    /// Takes a row.
    pub(super) fn push(&mut self, row: &mut RowCells<'_>) -> Result<()> {
        let number = self.rows;
        self.push_key(row.row()).map_err(|why| of_key(row.row(), &why))?;
        self.order.begin_row();
        while let Some(cell) = row.next()? {
            let Some(column) = self.order.place(&cell)? else { continue };
            let Some(column) = self.columns.get_mut(column) else { continue };
            column.push(number, &cell)?;
            self.bytes += cell.cell.value.len();
        }
        Ok(())
    }

    /// The columns, the row key's first if there is one; the next batch begins empty.
    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        let mut arrays: Vec<ArrayRef> = self.key.as_mut().map(|key| key.finish()).into_iter().collect();
        for column in &mut self.columns {
            column.finish(rows, &mut arrays);
        }
        arrays
    }
}

impl Built {
    fn new(column: &Column) -> Built {
        let stamps = column
            .with_timestamp
            .then(|| TimestampMillisecondBuilder::new().with_data_type(timestamp_type()));
        Built { values: of_type(column.column_type), stamps }
    }

    /// Takes the cell of a row, by the row's number in the batch.
    fn push(&mut self, row: usize, cell: &WireCell<'_>) -> Result<()> {
        if cell.cell.cell_type.is_delete() {
            let why = "is a delete marker, which a raw scan returns; only a mapping of all cells takes them";
            return Err(of_cell(cell, why));
        }
        self.put(row, cell.cell.timestamp, cell.cell.value).map_err(|why| of_cell(cell, &why))
    }

    /// Takes the value of a row. After an error the column is as it was, but for nulls of the rows before.
    #[inline]
    fn put(&mut self, row: usize, timestamp: i64, value: &[u8]) -> OrWhy<()> {
        self.fill_up(row);
        self.values.push(value)?;
        if let Some(stamps) = &mut self.stamps {
            stamps.append_value(timestamp);
        }
        Ok(())
    }

    /// Takes the values of a run of rows, the first of which has a number in the batch: at one go what stands in rows without a gap.
    fn put_run(&mut self, first: usize, values: &RunValues<'_>) -> std::result::Result<(), Refused> {
        let count = values.values.len();
        let mut from = 0;
        while from < count {
            let row = values.row(from);
            let follows = |at: &usize| values.row(*at) - row == *at - from;
            let until = match values.rows {
                None => count,
                Some(_) => (from..count).take_while(follows).last().map_or(count, |last| last + 1),
            };
            self.fill_up(first + row);
            self.values.extend(values.values, from..until)?;
            if let Some(stamps) = &mut self.stamps {
                stamps.append_slice(values.timestamps.get(from..until).unwrap_or_default());
            }
            from = until;
        }
        Ok(())
    }

    /// Nulls for the rows before that did not have the column.
    #[inline]
    fn fill_up(&mut self, rows: usize) {
        let missing = rows.saturating_sub(self.values.len());
        if missing > 0 {
            self.values.push_nulls(missing);
            if let Some(stamps) = &mut self.stamps {
                stamps.append_nulls(missing);
            }
        }
    }

    fn finish(&mut self, rows: usize, arrays: &mut Vec<ArrayRef>) {
        self.fill_up(rows);
        arrays.push(self.values.finish());
        if let Some(stamps) = &mut self.stamps {
            debug_assert_eq!(stamps.len(), rows);
            arrays.push(Arc::new(stamps.finish()));
        }
    }
}

/// Finds the columns of a row's cells, which come in the order of family and qualifier, by a walk over the mapping in the same order.
struct MappedOrder {
    /// The mapping's columns in that order.
    sorted: Vec<Place>,
    /// The first one that a later cell of the row may belong to.
    at: usize,
}

struct Place {
    family: Box<[u8]>,
    qualifier: Box<[u8]>,
    column: usize,
}

impl Place {
    /// How a cell's column is ordered beside this one.
    #[inline]
    fn compare(&self, cell: &WireCell<'_>) -> Ordering {
        cell.family.cmp(&self.family).then_with(|| cell.cell.qualifier.cmp(&self.qualifier))
    }
}

impl MappedOrder {
    fn new(columns: &[Column]) -> MappedOrder {
        let place = |(column, of): (usize, &Column)| Place {
            family: of.family.as_slice().into(),
            qualifier: of.qualifier.as_slice().into(),
            column,
        };
        let mut sorted: Vec<Place> = columns.iter().enumerate().map(place).collect();
        sorted.sort_by(|a, b| (&a.family, &a.qualifier).cmp(&(&b.family, &b.qualifier)));
        MappedOrder { sorted, at: 0 }
    }

    fn begin_row(&mut self) {
        self.at = 0;
    }

    /// The column of a family's qualifier.
    fn find(&self, family: &[u8], qualifier: &[u8]) -> Option<usize> {
        let compare = |place: &Place| (&*place.family, &*place.qualifier).cmp(&(family, qualifier));
        let place = self.sorted.binary_search_by(compare).ok()?;
        self.sorted.get(place).map(|place| place.column)
    }

    /// The column of a cell; `None` for one that is not mapped, and for an older version.
    #[inline]
    fn place(&mut self, cell: &WireCell<'_>) -> Result<Option<usize>> {
        while let Some(next) = self.sorted.get(self.at) {
            match next.compare(cell) {
                Ordering::Less => break,
                Ordering::Equal => {
                    self.at += 1;
                    return Ok(Some(next.column));
                }
                Ordering::Greater => self.at += 1,
            }
        }
        let before = self.at.checked_sub(1).and_then(|before| self.sorted.get(before));
        if before.is_some_and(|before| before.compare(cell).is_lt()) {
            let message = of_cell(cell, "comes behind a column that it belongs before").message;
            return Err(Error::new(ErrorKind::Bug, message));
        }
        Ok(None)
    }
}
