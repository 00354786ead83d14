//! A region cut by rows, for readers that take a part each.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::Result;
use grampus_cells::{CellRef, RowCursor, SeekTarget};
use grampus_memtable::{Memtable, MemtableCursor};
use grampus_store::fileset::{Clip, Parts, Piece, PieceSize, RowGroups};

use super::Region;

/// Cells of a memtable between two checks of the clock.
const CELLS_PER_CHECK: u64 = 1024;
/// Bytes of a cell beside its row, qualifier, value and tags: timestamp and type.
const CELL_EXTRA_BYTES: usize = 9;

impl Region {
    /// Pieces of about `piece_bytes` that cover all rows in files and memtables, in ascending order of their first rows, each of which begins
    /// behind the one before. Of files bytes are those in the files, of memtables those of the cells. One is larger where rows are, and the
    /// last one is smaller; all are larger where there would be more than about 4,096, or where their rows would take more than 2 MiB. Takes
    /// about 8 MiB of memory at most while it cuts.
    ///
    /// Holds no lock while it walks memtables and reads pages of row keys, and the memtables of the moment only for as long as it walks them.
    /// After `time` nothing is cut any more: what is left of a memtable counts where the walk has come to, by the number of its cells, and
    /// what is left of a row group where its last part begins. A flush in between may make its rows count twice. An HFile that HBase wrote
    /// counts nothing.
    ///
    /// # Errors
    /// The region is closed or closing, be it that it begins to close meanwhile, or a page of row keys cannot be read.
    pub fn pieces(&self, piece_bytes: u64, time: Duration) -> Result<Vec<Piece>> {
        self.check_serving()?;
        let _read = self.begin_read();
        let begun_nanos = self.shared.env.monotonic_nanos();
        let go_on = || -> Result<bool> {
            self.check_serving()?;
            Ok(u128::from(self.shared.env.monotonic_nanos() - begun_nanos) < time.as_nanos())
        };
        // Memtables come before files, as for reads: a flush in between is seen twice, never not at all.
        let tables: Vec<Arc<Memtable>> =
            self.stores.iter().flat_map(|store| store.memtables().all()).collect();
        let files: Vec<_> = self.stores.iter().map(|store| store.files.snapshot()).collect();
        self.check_memtables()?;
        let files = || files.iter().flat_map(|files| files.files());
        let mut parts = Parts::new(self.order);
        let about = tables.iter().map(|table| table.bytes() as u64).sum::<u64>()
            + files().map(|file| file.effective_bytes()).sum::<u64>();
        let part_bytes = PieceSize::of(piece_bytes, about).part_bytes();
        let mut in_memory: u64 = 0;
        for table in tables {
            in_memory += Walk::over(table, &go_on)?.add_parts(part_bytes, &mut parts)?;
        }
        let bounds = Clip::between(&self.start_key, &self.end_key);
        let groups = RowGroups::of(files(), &bounds, self.order)?;
        let size = PieceSize::of(piece_bytes, groups.bytes().saturating_add(in_memory));
        size.add_parts(&groups, &mut parts, &go_on)?;
        Ok(size.joined(parts))
    }
}

/// A walk over all cells of a memtable, which it keeps in memory meanwhile.
struct Walk<'a> {
    cells_of_all: u64,
    cursor: MemtableCursor,
    go_on: &'a dyn Fn() -> Result<bool>,
    /// Cells that were walked over.
    cells: u64,
    /// Their bytes.
    bytes: u64,
}

impl<'a> Walk<'a> {
    fn over(table: Arc<Memtable>, go_on: &'a dyn Fn() -> Result<bool>) -> Result<Walk<'a>> {
        let mut cursor = table.cursor(u64::MAX, false);
        cursor.seek(SeekTarget::Start)?;
        Ok(Walk { cells_of_all: table.cell_count() as u64, cursor, go_on, cells: 0, bytes: 0 })
    }

    /// Adds the memtable in parts of whole rows, which have `part_bytes` or a little more. Returns the bytes of all of them.
    fn add_parts(mut self, part_bytes: u64, parts: &mut Parts) -> Result<u64> {
        while let Some(row) = self.cursor.row() {
            let (first_row, begun) = (row.to_vec(), self.bytes);
            while self.bytes - begun < part_bytes && self.cursor.row().is_some() {
                if !self.pass_row()? {
                    self.bytes += self.bytes_left();
                    parts.add(first_row, self.bytes - begun);
                    return Ok(self.bytes);
                }
            }
            parts.add(first_row, self.bytes - begun);
        }
        Ok(self.bytes)
    }

    /// Goes on to the next row, unless there is no time left.
    fn pass_row(&mut self) -> Result<bool> {
        while let Some(cell) = self.cursor.cell() {
            self.bytes += cell_bytes(&cell);
            self.cells += 1;
            if self.cells.is_multiple_of(CELLS_PER_CHECK) && !(self.go_on)()? {
                return Ok(false);
            }
            self.cursor.next_cell()?;
        }
        self.cursor.next_row()?;
        Ok(true)
    }

    /// About the bytes of the cells that were not walked over, which are taken to be as large as the others.
    fn bytes_left(&self) -> u64 {
        let cells = self.cells_of_all.saturating_sub(self.cells);
        self.bytes.saturating_mul(cells) / self.cells.max(1)
    }
}

fn cell_bytes(cell: &CellRef<'_>) -> u64 {
    let parts = [cell.row, cell.qualifier, cell.value, cell.tags];
    (parts.iter().map(|part| part.len()).sum::<usize>() + CELL_EXTRA_BYTES) as u64
}
