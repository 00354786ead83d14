//! Many simple rows at a time: row by row, or column by column.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::RunBuffers;

use super::RowScan;
use super::cells::row_too_big;
use crate::read::call::Call;
use crate::read::column_run::{ColumnRun, ColumnSink};
use crate::read::fast_path::{FastPath, RunEnd, RunSource};
use crate::read::heap_size::heap_size;
use crate::read::row_test::RowTest;
use crate::read::sink::ResultSink;
use crate::read::store_scan::StoreScan;

impl RowScan {
    /// Writes whole rows and leaves them, as long as they can be returned without evaluating their cells one by one: one store, one
    /// source on the row, puts that hide nothing, no filter or one of single columns. Returns how many rows it left, dropped ones
    /// included, and why it ended; it may leave none.
    pub fn fast_rows(
        &mut self,
        sink: &mut impl ResultSink,
        call: &mut Call<'_>,
    ) -> Result<(u32, Option<RunEnd>)> {
        if !matches!(self.stores.as_slice(), [store] if store.cursor.has_one_source()) {
            return Ok((0, None)); // a scan over several files comes here for each row: nothing is made ready for a run
        }
        if self.filter.is_none() {
            let rows = self.cell_run(sink, call)?;
            if rows > 0 {
                // A limit that is reached is why the call ends, whatever the clock says.
                let stop = call.limit().or_else(|| call.expired(rows));
                return Ok((rows, stop.map(RunEnd::Stop)));
            }
        }
        let (Some(times), [StoreScan { family, cursor, .. }]) =
            (self.fast_path_times, self.stores.as_mut_slice())
        else {
            return Ok((0, None));
        };
        let source = RunSource {
            family: &family.name,
            bounds: &self.bounds,
            times,
            test: self.filter.as_ref().and_then(|filter| RowTest::of(filter.as_ref())),
            counts: &mut self.counts,
            row: &mut self.row,
        };
        let mut run = FastPath::new(source, sink, call);
        let rows = cursor.fast_rows(&mut run)?;
        Ok((rows, run.end()))
    }

    /// Writes whole rows that come column by column, as many as reach no limit of the call. Returns how many it left, those without a cell included.
    fn cell_run(&mut self, sink: &mut impl ResultSink, call: &mut Call<'_>) -> Result<u32> {
        let mut run = std::mem::take(&mut call.run);
        let bytes = call.size_left().min(sink.room() as u64);
        run.bound(call.rows_left(), bytes);
        let mut buffers = std::mem::take(&mut run.buffers);
        let rows = self.column_run(&mut buffers, &mut run)?;
        run.buffers = buffers;
        for row in 0..run.rows() {
            let written = run.write_row(row, sink);
            if sink.is_overfull() {
                return Err(Error::new(ErrorKind::RowTooBig, "there is no memory for the cells of a row"));
            }
            call.progress.size += heap_size(written.cells, written.bytes as u64);
            call.push(written.cells, false, sink.position());
        }
        call.run = run;
        Ok(rows)
    }

    /// Hands out rows column by column and leaves them, under the conditions of [`RowScan::fast_rows`] and without a filter. Returns how many it left,
    /// those without a cell included; it may leave none.
    pub(crate) fn column_run(&mut self, buffers: &mut RunBuffers, sink: &mut impl ColumnSink) -> Result<u32> {
        let (Some(times), None, [StoreScan { family, cursor, .. }]) =
            (self.fast_path_times, &self.filter, self.stores.as_mut_slice())
        else {
            return Ok(0);
        };
        let mut run = ColumnRun::new(sink, &family.name, &self.bounds, times);
        let rows = cursor.column_run(buffers, &mut run)?;
        if let Some(row) = run.too_big() {
            return Err(row_too_big(&family.name, row, self.bounds.row_bytes_max));
        }
        if let Some(last) = run.last_key() {
            self.row.clear();
            self.row.extend_from_slice(last);
        }
        self.counts.bytes_scanned += run.bytes();
        self.counts.rows_filtered += u64::from(rows).saturating_sub(run.rows());
        self.counts.rows_scanned += u64::from(rows);
        Ok(rows)
    }
}
