//! Rows of all cells as they are.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Int8Builder, TimestampMillisecondBuilder};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::WireCell;

use crate::mapping::{KeyColumn, cell_field, cell_fields, timestamp_type};
use crate::reader::errors::{of_cell, of_key};
use crate::reader::of_arrow;
use crate::reader::row_cells::RowCells;
use crate::shown::{OrWhy, shown};
use crate::values::{Binary, Utf8, Values, of_type};

/// What a cell counts beside its bytes: offsets, timestamp and type.
const CELL_EXTRA_BYTES: usize = 24;

/// What a row counts beside its key and its cells: offsets.
const ROW_EXTRA_BYTES: usize = 8;

/// A column of row keys and one of lists of cells, in the making.
pub(super) struct GenericRows {
    key: Box<dyn Values>,
    /// Where the cells of each row begin; one more than there are rows.
    offsets: Vec<i32>,
    cells: CellColumns,
    bytes: usize,
}

/// The fields of cells in the making.
struct CellColumns {
    families: Utf8,
    qualifiers: Binary,
    timestamps: TimestampMillisecondBuilder,
    types: Int8Builder,
    values: Binary,
}

impl GenericRows {
    pub(super) fn new(key: &KeyColumn) -> GenericRows {
        let cells = CellColumns {
            families: Utf8::checked(),
            qualifiers: Binary::default(),
            timestamps: TimestampMillisecondBuilder::new().with_data_type(timestamp_type()),
            types: Int8Builder::new(),
            values: Binary::default(),
        };
        GenericRows { key: of_type(key.column_type), offsets: vec![0], cells, bytes: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.key.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that a row counts at least.
    pub(super) fn row_width(&self) -> usize {
        ROW_EXTRA_BYTES
    }

    /// Takes a row.
    pub(super) fn push(&mut self, row: &mut RowCells<'_>) -> Result<()> {
        self.key.push(row.row()).map_err(|why| of_key(row.row(), &why))?;
        self.bytes += row.row().len() + ROW_EXTRA_BYTES;
        while let Some(cell) = row.next()? {
            self.cells.push(&cell).map_err(|why| of_cell(&cell, &why))?;
            let bytes = cell.family.len() + cell.cell.qualifier.len() + cell.cell.value.len();
            self.bytes += bytes + CELL_EXTRA_BYTES;
        }
        let end = i32::try_from(self.cells.types.len());
        self.offsets.push(end.map_err(|_| {
            let message = format!("row {}: a batch cannot have more than 2^31 cells", shown(row.row()));
            Error::new(ErrorKind::RowTooBig, message)
        })?);
        Ok(())
    }

    /// The two columns; the next batch begins empty.
    pub(super) fn finish(&mut self) -> Result<Vec<ArrayRef>> {
        self.bytes = 0;
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let cells = StructArray::try_new(cell_fields(), self.cells.finish(), None).map_err(of_arrow)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let lists = ListArray::try_new(cell_field(), offsets, Arc::new(cells), None).map_err(of_arrow)?;
        debug_assert_eq!(lists.len(), self.key.len());
        Ok(vec![self.key.finish(), Arc::new(lists)])
    }
}

impl CellColumns {
    fn push(&mut self, cell: &WireCell<'_>) -> OrWhy<()> {
        let code = i8::try_from(cell.cell.cell_type.0).map_err(|_| "has a type above 127".to_string())?;
        self.families.push(cell.family)?;
        self.qualifiers.push(cell.cell.qualifier)?;
        self.values.push(cell.cell.value)?;
        self.timestamps.append_value(cell.cell.timestamp);
        self.types.append_value(code);
        Ok(())
    }

    /// In the order of [`cell_fields`].
    fn finish(&mut self) -> Vec<ArrayRef> {
        vec![
            self.families.finish(),
            self.qualifiers.finish(),
            Arc::new(self.timestamps.finish()),
            Arc::new(self.types.finish()),
            self.values.finish(),
        ]
    }
}
