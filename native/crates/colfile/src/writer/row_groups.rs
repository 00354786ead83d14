//! Writing a row group: its row keys, its columns, its bloom filter.

use std::io::Write;

use grampus_base::narrow;

use super::{
    CELL_BYTES, COLUMN_ROWS_PER_CELL_MAX, COLUMNS_MAX, CUT_SAMPLE_VALUE_BYTES_MAX, ColumnFileWriter,
};
use crate::bloom;
use crate::cell_page::CELLS_MAX;
use crate::encoding::blobs::{self, Target};
use crate::encoding::stats::BlobStats;
use crate::encoding::symbols::Symbols;
use crate::error::Result;
use crate::footer::{Chunk, Column, PageEntry, RowGroup};
use crate::options::BloomKind;
use crate::page::{LARGE_PAGE_BYTES, PageKind};
use crate::row_group::{BufferedColumn, RowGroupBuffer};
use crate::row_keys::SharedVersions;
use crate::zone_map::CellStats;

impl<W: Write> ColumnFileWriter<W> {
    pub(super) fn close_row_group(&mut self) -> Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        let written = if buffer.rows() > 0 { self.write_row_group(&buffer) } else { Ok(()) };
        self.buffer = buffer;
        self.buffer.clear();
        written
    }

    fn write_row_group(&mut self, buffer: &RowGroupBuffer) -> Result<()> {
        let versions = buffer.shared_versions();
        let row_keys = self.write_row_keys(buffer, &versions)?;
        let family_deletes =
            self.write_cells(buffer, &versions, PageKind::FamilyDeletes, &buffer.family_deletes)?;
        let (own, mixed) = self.classify(buffer);
        let mut columns = Vec::with_capacity(own.len());
        for column in own {
            let next = narrow::to_u32(self.qualifiers.len());
            let qualifier = *self.qualifiers.entry(column.qualifier.clone()).or_insert(next);
            let chunk = self.write_cells(buffer, &versions, PageKind::Column, &column.cells)?;
            let BufferedColumn { stats, values, single_puts, .. } = column;
            columns.push(Column {
                qualifier,
                stats: *stats,
                values: values.clone(),
                single_puts: *single_puts,
                chunk,
            });
        }
        let mixed = self.write_cells(buffer, &versions, PageKind::Mixed, &mixed)?;
        let (bloom, bloom_blocks) = self.write_bloom(buffer)?;
        self.totals.rows += u64::from(buffer.rows());
        self.groups.push(RowGroup {
            rows: buffer.rows(),
            first_row: buffer.row(0).into(),
            last_row: buffer.row(buffer.rows() - 1).into(),
            stats: buffer.stats.unwrap_or(CellStats::EMPTY),
            row_keys,
            family_deletes,
            columns,
            mixed,
            bloom,
            bloom_blocks,
        });
        Ok(())
    }

    /// The qualifiers that get a column, in order, and the positions of all other cells, in order.
    fn classify<'b>(&self, buffer: &'b RowGroupBuffer) -> (Vec<&'b BufferedColumn>, Vec<u32>) {
        let block = u64::from(self.options.block_size);
        let deserves = |c: &BufferedColumn| {
            let common = c.stats.cells * COLUMN_ROWS_PER_CELL_MAX >= u64::from(buffer.rows());
            c.bytes >= block || (common && c.bytes >= self.options.column_bytes_min)
        };
        let (mut own, mut rare): (Vec<_>, Vec<_>) = buffer.columns.iter().partition(|c| deserves(c));
        if own.len() > COLUMNS_MAX {
            own.sort_by_key(|c| std::cmp::Reverse(c.bytes));
            rare.extend(own.split_off(COLUMNS_MAX));
        }
        own.sort_by(|a, b| a.qualifier.cmp(&b.qualifier));
        let mut mixed: Vec<u32> = rare.iter().flat_map(|c| c.cells.iter().copied()).collect();
        mixed.sort_unstable();
        (own, mixed)
    }

    fn write_row_keys(&mut self, buffer: &RowGroupBuffer, versions: &SharedVersions) -> Result<Chunk> {
        let mut chunk = Chunk::default();
        for keys in buffer.row_keys(&self.options) {
            let at = self.write_page(PageKind::Rows, &keys.page(versions))?;
            let (first_row, first_key) = (keys.first_row, buffer.row(keys.first_row).into());
            chunk.pages.push(PageEntry { at, first_row, continues: false, first_key });
        }
        Ok(chunk)
    }

    fn write_cells(
        &mut self,
        buffer: &RowGroupBuffer,
        versions: &SharedVersions,
        kind: PageKind,
        positions: &[u32],
    ) -> Result<Chunk> {
        let mixed = kind == PageKind::Mixed;
        let symbols = if mixed { None } else { Symbols::train(&buffer.values(positions)) };
        let target = Target { compression: self.options.compression, symbols: symbols.as_ref() };
        let mut chunk = Chunk::default();
        let mut last_row = None;
        for part in cut(buffer, positions, u64::from(self.options.block_size), mixed) {
            let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
            let at = self.write_page(kind, &buffer.gather(part, mixed, versions).encode(target))?;
            let first_row = buffer.cell_row(*first);
            let first_key = if mixed { buffer.cell_qualifier(*first).into() } else { Box::default() };
            chunk.pages.push(PageEntry { at, first_row, continues: last_row == Some(first_row), first_key });
            last_row = Some(buffer.cell_row(*last));
        }
        Ok(chunk)
    }

    fn write_bloom(&mut self, buffer: &RowGroupBuffer) -> Result<(Chunk, u32)> {
        let hashes: Vec<u64> = match self.options.bloom {
            BloomKind::None => return Ok((Chunk::default(), 0)),
            BloomKind::Row => (0..buffer.rows()).map(|row| bloom::row_hash(buffer.row(row))).collect(),
            BloomKind::RowCol => row_col_hashes(buffer),
            BloomKind::RowPrefix(len) => prefix_hashes(buffer, len),
        };
        let filter = bloom::build(&hashes);
        let blocks_per_page = (self.options.block_size as usize / bloom::BLOCK_BYTES).max(1);
        let mut chunk = Chunk::default();
        for (index, part) in filter.chunks(blocks_per_page * bloom::BLOCK_BYTES).enumerate() {
            let at = self.write_page(PageKind::Bloom, part)?;
            let first_row = narrow::to_u32(index * blocks_per_page);
            chunk.pages.push(PageEntry { at, first_row, continues: false, first_key: Box::default() });
        }
        Ok((chunk, narrow::to_u32(filter.len() / bloom::BLOCK_BYTES)))
    }
}

fn row_col_hashes(buffer: &RowGroupBuffer) -> Vec<u64> {
    let mut hashes = Vec::new();
    let mut last = None;
    for position in &buffer.family_deletes {
        let row = buffer.cell_row(*position);
        if last.replace(row) != Some(row) {
            hashes.push(bloom::row_hash(buffer.row(row)));
        }
    }
    for column in &buffer.columns {
        let mut last = None;
        for position in &column.cells {
            let row = buffer.cell_row(*position);
            if last.replace(row) != Some(row) {
                hashes.push(bloom::row_col_hash(buffer.row(row), &column.qualifier));
            }
        }
    }
    hashes
}

/// One hash per distinct prefix: rows with the same one are neighbours.
fn prefix_hashes(buffer: &RowGroupBuffer, len: u32) -> Vec<u64> {
    let mut hashes: Vec<u64> =
        (0..buffer.rows()).map(|row| bloom::prefix_hash(buffer.row(row), len)).collect();
    hashes.dedup();
    hashes
}

/// Cuts cells into pages of about `block` encoded bytes.
fn cut<'p>(buffer: &RowGroupBuffer, positions: &'p [u32], block: u64, mixed: bool) -> Vec<&'p [u32]> {
    if !mixed && let Some(bytes) = even_bytes(buffer, positions) {
        // Parts of one size: a short last one would repeat a dictionary for few cells.
        let parts = usize::try_from((bytes + block / 2) / block).unwrap_or(usize::MAX);
        let parts = parts.max(positions.len().div_ceil(CELLS_MAX));
        return positions.chunks(positions.len().div_ceil(parts)).collect();
    }
    let (mut parts, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (index, position) in positions.iter().enumerate() {
        // A large cell has a page of its own: a read of the small ones before it need not load it.
        if buffer.value(*position).len() >= LARGE_PAGE_BYTES && index > start {
            parts.extend(positions.get(start..index));
            (start, bytes) = (index, 0);
        }
        let qualifier = if mixed { buffer.cell_qualifier(*position).len() as u64 } else { 0 };
        bytes += qualifier + buffer.value(*position).len() as u64 + CELL_BYTES;
        if bytes >= block || index + 1 == positions.len() || index + 1 - start == CELLS_MAX {
            parts.extend(positions.get(start..=index));
            (start, bytes) = (index + 1, 0);
        }
    }
    parts
}

/// Encoded bytes of all cells when the values will shrink evenly; `None` when their lengths say it.
fn even_bytes(buffer: &RowGroupBuffer, positions: &[u32]) -> Option<u64> {
    let total: u64 = positions.iter().map(|p| buffer.value(*p).len() as u64).sum();
    let count = positions.len() as u64;
    let has_large = positions.iter().any(|p| buffer.value(*p).len() >= LARGE_PAGE_BYTES);
    if count == 0 || has_large || total / count > CUT_SAMPLE_VALUE_BYTES_MAX {
        return None;
    }
    let (encoding, bytes) = blobs::choose(&BlobStats::of(&buffer.values(positions)));
    encoding.shrinks_evenly().then_some(bytes as u64 + count)
}
