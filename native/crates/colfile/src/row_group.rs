//! The rows that a writer has collected for the next row group, in the order in which they came.

use std::collections::HashMap;

use grampus_base::narrow;
use grampus_cells::{CellRef, CellType, RowOrder, ValueBounds};

use crate::cell_page::CellColumns;
use crate::encoding::ints;
use crate::hash::BuildXxh3;
use crate::row_keys::page::EncodedKeys;
use crate::row_keys::prefixes::PrefixWriter;
use crate::row_keys::{SharedVersions, fields};
use crate::zone_map::CellStats;
use crate::{Compression, WriterOptions};

/// Divisor of the bytes of keys and values: keys are stored field by field where that saves this share of them.
const KEYS_SAVED_SHARE_MIN: usize = 64;

/// A cell whose bytes are in the buffer's arena.
#[derive(Clone, Copy)]
struct Buffered {
    row: u32,
    column: u32,
    timestamp: i64,
    sequence: u64,
    value_at: usize,
    value_len: u32,
    tags_len: u32,
    cell_type: CellType,
}

/// A qualifier of the row group.
pub(crate) struct BufferedColumn {
    pub(crate) qualifier: Box<[u8]>,
    pub(crate) stats: CellStats,
    pub(crate) values: ValueBounds,
    /// All its cells are puts without tags, at most one in a row.
    pub(crate) single_puts: bool,
    /// Positions of its cells, family delete markers excluded.
    pub(crate) cells: Vec<u32>,
    pub(crate) bytes: u64,
}

/// The buffer.
#[derive(Default)]
pub(crate) struct RowGroupBuffer {
    arena: Vec<u8>,
    cells: Vec<Buffered>,
    pub(crate) columns: Vec<BufferedColumn>,
    by_qualifier: HashMap<Box<[u8]>, u32, BuildXxh3>,
    /// Positions of the family delete markers.
    pub(crate) family_deletes: Vec<u32>,
    row_ends: Vec<usize>,
    row_bytes: Vec<u8>,
    pub(crate) stats: Option<CellStats>,
    last_column: u32,
}

impl RowGroupBuffer {
    pub(crate) fn rows(&self) -> u32 {
        narrow::to_u32(self.row_ends.len())
    }

    /// About the encoded size.
    pub(crate) fn bytes(&self) -> u64 {
        (self.arena.len() + self.row_bytes.len() + self.cells.len() * 4) as u64
    }

    pub(crate) fn row(&self, index: u32) -> &[u8] {
        let index = index as usize;
        let start = index.checked_sub(1).and_then(|i| self.row_ends.get(i)).copied().unwrap_or(0);
        let end = self.row_ends.get(index).copied().unwrap_or(0);
        self.row_bytes.get(start..end).unwrap_or_default()
    }

    /// Starts a row; the cells that follow belong to it.
    pub(crate) fn push_row(&mut self, row: &[u8]) {
        self.row_bytes.extend_from_slice(row);
        self.row_ends.push(self.row_bytes.len());
        self.last_column = u32::MAX;
    }

    /// Cells so far.
    pub(crate) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Adds a cell to the last row; the writer has checked its lengths and that there is room for its position.
    pub(crate) fn push(&mut self, cell: &CellRef<'_>) {
        let position = narrow::to_u32(self.cells.len());
        let column = self.column_of(cell.qualifier);
        let value_at = self.arena.len();
        self.arena.extend_from_slice(cell.value);
        self.arena.extend_from_slice(cell.tags);
        self.cells.push(Buffered {
            row: self.rows() - 1,
            column,
            timestamp: cell.timestamp,
            sequence: cell.sequence,
            value_at,
            value_len: narrow::to_u32(cell.value.len()),
            tags_len: narrow::to_u32(cell.tags.len()),
            cell_type: cell.cell_type,
        });
        self.stats.get_or_insert(CellStats::EMPTY).add(cell);
        // A family marker with a qualifier, which HBase clients cannot make, stays with its qualifier's cells.
        if cell.cell_type.is_family_delete() && cell.qualifier.is_empty() {
            self.family_deletes.push(position);
        } else if let Some(column) = self.columns.get_mut(column as usize) {
            let repeated = column.cells.last().and_then(|last| self.cells.get(*last as usize));
            let alone = repeated.is_none_or(|last| last.row != narrow::to_u32(self.row_ends.len()) - 1);
            column.single_puts &= alone && cell.cell_type == CellType::PUT && cell.tags.is_empty();
            column.stats.add(cell);
            column.values.add(cell.cell_type, cell.value);
            column.cells.push(position);
            column.bytes += (cell.value.len() + cell.tags.len() + 2) as u64;
        }
    }

    /// Position of a qualifier; rows mostly repeat the qualifiers of the row before in the same order.
    fn column_of(&mut self, qualifier: &[u8]) -> u32 {
        let is = |columns: &[BufferedColumn], i: u32| {
            columns.get(i as usize).is_some_and(|c| *c.qualifier == *qualifier)
        };
        for guess in [self.last_column, self.last_column.wrapping_add(1)] {
            if is(&self.columns, guess) {
                self.last_column = guess;
                return guess;
            }
        }
        let next = narrow::to_u32(self.columns.len());
        let column = match self.by_qualifier.get(qualifier) {
            Some(column) => *column,
            None => {
                self.by_qualifier.insert(qualifier.into(), next);
                self.columns.push(BufferedColumn {
                    qualifier: qualifier.into(),
                    stats: CellStats::EMPTY,
                    values: ValueBounds::default(),
                    single_puts: true,
                    cells: Vec::new(),
                    bytes: 0,
                });
                next
            }
        };
        self.last_column = column;
        column
    }

    pub(crate) fn cell_row(&self, position: u32) -> u32 {
        self.cells.get(position as usize).map_or(0, |c| c.row)
    }

    pub(crate) fn cell_qualifier(&self, position: u32) -> &[u8] {
        let column = self.cells.get(position as usize).and_then(|c| self.columns.get(c.column as usize));
        column.map_or(&[], |c| &c.qualifier)
    }

    pub(crate) fn value(&self, position: u32) -> &[u8] {
        let Some(cell) = self.cells.get(position as usize) else { return &[] };
        self.arena.get(cell.value_at..cell.value_at + cell.value_len as usize).unwrap_or_default()
    }

    /// The values of the cells at some positions.
    pub(crate) fn values(&self, positions: &[u32]) -> Vec<&[u8]> {
        positions.iter().map(|position| self.value(*position)).collect()
    }

    /// What the rows share.
    pub(crate) fn shared_versions(&self) -> SharedVersions {
        let cells = self.cells.iter().map(|c| (c.row, ints::from_i64(c.timestamp), c.sequence));
        SharedVersions::of(cells, self.row_ends.len())
    }

    /// The cells at some positions, ready to encode; `versions` are what the rows share.
    pub(crate) fn gather(
        &self,
        positions: &[u32],
        with_qualifiers: bool,
        versions: &SharedVersions,
    ) -> CellColumns<'_> {
        let mut out = CellColumns::default();
        for position in positions {
            let Some(cell) = self.cells.get(*position as usize) else { continue };
            let tags_at = cell.value_at + cell.value_len as usize;
            out.rows.push(cell.row);
            out.timestamps.push(ints::from_i64(cell.timestamp));
            out.types.push(cell.cell_type.0);
            out.sequences.push(cell.sequence);
            out.tags.push(self.arena.get(tags_at..tags_at + cell.tags_len as usize).unwrap_or_default());
            out.values.push(self.value(*position));
            if with_qualifiers {
                out.qualifiers.push(self.cell_qualifier(*position));
            }
        }
        let shares = |numbers: &[u64], of_rows: &[u64]| {
            let mut both = numbers.iter().zip(&out.rows);
            both.all(|(number, row)| of_rows.get(*row as usize) == Some(number))
        };
        out.shares =
            (shares(&out.timestamps, &versions.timestamps), shares(&out.sequences, &versions.sequences));
        out
    }

    /// The encoded keys, cut into pages of about `options.block_size` bytes.
    pub(crate) fn row_keys(&self, options: &WriterOptions) -> Vec<EncodedKeys> {
        let prefixes = self.keys_by_prefix(options.block_size as usize);
        let bytes: usize = prefixes.iter().map(|page| page.bytes.len()).sum();
        if !self.is_share_of_all(bytes, options.compression) {
            return prefixes;
        }
        match self.keys_by_field(options) {
            Some(fields) if self.pays(&prefixes, &fields, options.compression) => fields,
            _ => prefixes,
        }
    }

    fn keys_by_prefix(&self, block_size: usize) -> Vec<EncodedKeys> {
        let (mut pages, mut writer, mut first_row) = (Vec::new(), PrefixWriter::default(), 0);
        for row in 0..self.rows() {
            writer.push(self.row(row));
            if writer.len() >= block_size || row + 1 == self.rows() {
                let (rows, bytes) = (writer.rows(), writer.finish());
                pages.push(EncodedKeys { first_row, rows, by_field: false, bytes });
                first_row += rows;
                writer = PrefixWriter::default();
            }
        }
        pages
    }

    /// `None` where the keys have no common form. The order of hbase:meta is not that of fields.
    fn keys_by_field(&self, options: &WriterOptions) -> Option<Vec<EncodedKeys>> {
        if options.row_order != RowOrder::Bytes {
            return None;
        }
        let delimiters = fields::delimiters((0..self.rows()).map(|row| self.row(row)))?;
        let encode = |first_row: u32, rows: u32| {
            let mut bytes = Vec::new();
            let keys = (first_row..first_row + rows).map(|row| self.row(row));
            fields::write(keys, &delimiters, options.compression, &mut bytes);
            EncodedKeys { first_row, rows, by_field: true, bytes }
        };
        let whole = encode(0, self.rows());
        let parts = narrow::to_u32(whole.bytes.len() / options.block_size.max(1) as usize) + 1;
        if parts == 1 {
            return Some(vec![whole]);
        }
        let rows = self.rows().div_ceil(parts);
        Some(
            (0..self.rows())
                .step_by(rows as usize)
                .map(|at| encode(at, rows.min(self.rows() - at)))
                .collect(),
        )
    }

    /// Keys that are slower to find and to read must save a share of what the rows take altogether.
    fn pays(&self, prefixes: &[EncodedKeys], fields: &[EncodedKeys], compression: Compression) -> bool {
        let stored = |pages: &[EncodedKeys]| -> usize {
            pages.iter().map(|page| compression.compressed_len(&page.bytes)).sum()
        };
        self.is_share_of_all(stored(prefixes).saturating_sub(stored(fields)), compression)
    }

    fn is_share_of_all(&self, bytes: usize, compression: Compression) -> bool {
        let all = self.arena.len() + self.row_bytes.len();
        // What a compressor leaves of all is not known yet; half of it is a fair guess.
        bytes * KEYS_SAVED_SHARE_MIN > if compression == Compression::None { all } else { all / 2 }
    }

    /// Empties the buffer, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.cells.clear();
        self.columns.clear();
        self.by_qualifier.clear();
        self.family_deletes.clear();
        self.row_ends.clear();
        self.row_bytes.clear();
        self.stats = None;
    }
}
