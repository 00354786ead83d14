//! The meeting point of reads and sources: a walk over the rows of one source of a store.

use grampus_base::Result;

use crate::{CellRef, ColumnRunSink, FastPathSink, RunBuffers};

/// Where a [`RowCursor::seek`] goes.
#[derive(Clone, Copy, Debug)]
pub enum SeekTarget<'a> {
    /// The first row in the cursor's direction.
    Start,
    /// The given row, or the next one in the cursor's direction.
    AtOrAfter(&'a [u8]),
    /// The next row in the cursor's direction, the given row excluded.
    After(&'a [u8]),
}

/// A sorted walk over rows of one source (active memtable, immutable memtable, column file, foreign HFile).
///
/// A cursor is created with a direction, a projection and a row range, and yields only cells whose sequence id is at or
/// below its read point and that the projection asks for; family delete markers belong to every projection.
/// Contract: after `seek` or `next_row`, `row()` is the current row and `cell()` its first cell, or both are `None` at the end.
/// A row without any cell for the projection may still be visited or be skipped: callers accept both.
/// In a reversed walk rows descend; cells within a row keep their normal order.
/// `Err(WouldBlock)` (only when created non-blocking) leaves the cursor unusable; callers drop it and run again blocking.
pub trait RowCursor: Send {
    /// Positions the cursor. Seeks may go backwards only before the first `next_row`.
    fn seek(&mut self, target: SeekTarget<'_>) -> Result<()>;

    /// The current row, `None` at the end.
    fn row(&self) -> Option<&[u8]>;

    /// Moves to the next row in the cursor's direction, whatever is left of the current one.
    fn next_row(&mut self) -> Result<()>;

    /// The current cell of the current row, `None` when the row has no more.
    fn cell(&self) -> Option<CellRef<'_>>;

    /// Moves to the next cell within the current row.
    fn next_cell(&mut self) -> Result<()>;

    /// Hands out rows of single puts from the current one on, no cell of which was stepped over yet, as long as they come before
    /// `until`. Returns how many it left, see [`FileCursor::fast_rows`](grampus_colfile::FileCursor::fast_rows). Default: none.
    fn fast_rows(&mut self, _until: Option<&[u8]>, _sink: &mut dyn FastPathSink) -> Result<u32> {
        Ok(0)
    }

    /// Hands out one run of simple rows column by column, from the current row on, under the conditions of [`RowCursor::fast_rows`]. Returns how many
    /// rows it left, those without a cell included, see [`FileCursor::column_run`](grampus_colfile::FileCursor::column_run). Default: none.
    fn column_run(
        &mut self,
        _until: Option<&[u8]>,
        _buffers: &mut RunBuffers,
        _sink: &mut dyn ColumnRunSink,
    ) -> Result<u32> {
        Ok(0)
    }

    /// Whether its cells are those of a memtable that has left its store, so that the walk keeps memory from being freed. Default: no.
    fn is_of_left_memtable(&self) -> bool {
        false
    }

    /// Begins to fetch what the walk comes to next, up to about the given bytes. Does not wait. Default: there is nothing to fetch.
    fn read_ahead(&self, _bytes: u64) {}

    /// Bytes that the walk keeps in memory, pages included that the cache has, too. From now on they are the caller's to count. Default: it
    /// has no pages.
    fn count_memory(&self) -> u64 {
        0
    }

    /// Drops the pages, until [`RowCursor::reload_pages`]. In between the cursor has its row and no cell, and nothing else may be asked of
    /// it. Default: it has none.
    fn drop_pages(&mut self) {}

    /// Loads the pages that were dropped; the walk is where it was. After an error the cursor is unusable. Default: it has none.
    fn reload_pages(&mut self) -> Result<()> {
        Ok(())
    }

    /// Moves past all cells of the current row whose qualifier is at or below the given one. Default: steps.
    fn skip_column(&mut self, qualifier: &[u8]) -> Result<()> {
        while self.cell().is_some_and(|c| c.qualifier <= qualifier) {
            self.next_cell()?;
        }
        Ok(())
    }

    /// Moves to the first cell of the current row whose qualifier is at or above the given one, never back. Default: steps.
    fn seek_column(&mut self, qualifier: &[u8]) -> Result<()> {
        while self.cell().is_some_and(|c| c.qualifier < qualifier) {
            self.next_cell()?;
        }
        Ok(())
    }
}
