//! From rows of cells to record batches.

mod errors;
mod generic;
mod named;
mod named_columns;
mod row_cells;
mod source;

#[cfg(test)]
mod tests;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use grampus_base::{Error, ErrorKind, Result};
use grampus_store::FrozenScan;
pub(crate) use source::BlockSource;
pub use source::{FrozenSource, RowSource};

use crate::mapping::Mapping;
use generic::GenericRows;
use named::NamedRows;
use named_columns::NamedColumns;
use row_cells::RowCells;

/// Bytes that a batch may have at most: the offsets of a column are of 32 bits, and a row comes on top.
const BATCH_BYTES_MAX: usize = 512 << 20;
/// Bytes of cells that a source is asked for at least, so that the end of a batch does not come row by row. A batch goes beyond its limit by
/// these bytes and one row.
const CALL_BYTES_MIN: usize = 64 << 10;
/// And at most, since a call keeps that much beside the batch.
const CALL_BYTES_MAX: usize = 4 << 20;

/// Rows that a source is asked for at most, since those behind them may come column by column.
const CALL_ROWS_MAX: usize = 1024;

/// What a batch may have. It goes beyond its bytes by 64 KiB and one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimits {
    /// Rows, at least 1.
    pub rows: usize,
    /// Bytes of row keys, values, timestamps, and nulls, which take as much as offsets and numbers do; at most 512 MiB.
    pub bytes: usize,
}

impl Default for BatchLimits {
    /// 16,384 rows or 16 MiB.
    fn default() -> BatchLimits {
        BatchLimits { rows: 16_384, bytes: 16 << 20 }
    }
}

/// The rows of a source as record batches of a mapping's schema; of several versions of a column the newest.
///
/// An error or a panic ends it: [`BatchReader::next_batch`] then fails for good. What an error leaves is not all there is, so a caller that meets
/// one must not take the batches before it for the whole.
pub struct BatchReader<S = FrozenSource> {
    source: S,
    schema: SchemaRef,
    rows: Rows,
    limits: BatchLimits,
    state: State,
    rows_read: u64,
}

/// What a step of a reader has come to.
#[derive(Debug)]
pub enum Step {
    /// A batch, which has a row at least.
    Batch(RecordBatch),
    /// Nothing yet: the source was asked once, and may have looked at many rows that a filter drops.
    Pending,
    /// There are no more rows.
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// There are no more rows.
    Ended,
    /// A call was begun and has not ended well.
    Broken,
}

/// Rows of the batch in the making.
enum Rows {
    Named(NamedRows),
    Generic(Box<GenericRows>),
}

impl BatchReader {
    /// A reader of what a scan returns.
    ///
    /// # Errors
    /// Those of [`FrozenSource::new`].
    pub fn of_scan(scan: FrozenScan, mapping: &Mapping, limits: BatchLimits) -> Result<BatchReader> {
        Ok(BatchReader::new(FrozenSource::new(scan)?, mapping, limits))
    }
}

impl<S: RowSource> BatchReader<S> {
    /// A reader of what a source has.
    pub fn new(source: S, mapping: &Mapping, limits: BatchLimits) -> BatchReader<S> {
        let rows = match (mapping.columns(), mapping.key()) {
            (None, Some(key)) => Rows::Generic(Box::new(GenericRows::new(key))),
            (columns, key) => Rows::Named(NamedRows::new(key, columns.unwrap_or_default())),
        };
        let limits = BatchLimits { rows: limits.rows.max(1), bytes: limits.bytes.clamp(1, BATCH_BYTES_MAX) };
        BatchReader { source, schema: mapping.schema(), rows, limits, state: State::Open, rows_read: 0 }
    }

    /// The schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Rows of the batches so far.
    pub(crate) fn rows_read(&self) -> u64 {
        self.rows_read
    }

    /// Where the rows come from.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The next batch, which has a row at least; `None` behind the last one.
    ///
    /// # Errors
    /// Those of [`BatchReader::step`].
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            match self.step()? {
                Step::Batch(batch) => return Ok(Some(batch)),
                Step::Pending => {}
                Step::End => return Ok(None),
            }
        }
    }

    /// Asks the source once, so that a caller gets control back where it takes long to find a row.
    ///
    /// # Errors
    /// The source fails, a cell is malformed, or a value is not of its column's type: the error names row and column. Each further call fails.
    pub fn step(&mut self) -> Result<Step> {
        match self.state {
            State::Ended => return Ok(Step::End),
            State::Broken => {
                return Err(Error::new(ErrorKind::Bug, "a reader of batches was used after its error"));
            }
            State::Open => self.state = State::Broken,
        }
        let more = self.ask_source()?;
        let step = match (more, self.is_full()) {
            (true, false) => Step::Pending,
            _ => self.finish()?.map_or(Step::End, Step::Batch),
        };
        self.state = if more { State::Open } else { State::Ended };
        Ok(step)
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= self.limits.rows || self.rows.bytes() >= self.limits.bytes
    }

    /// Takes the rows of one call; false when there are no more.
    fn ask_source(&mut self) -> Result<bool> {
        if self.take_columns()? {
            return Ok(true);
        }
        let bytes = self.limits.bytes - self.rows.bytes();
        // Rows of many columns are large, however little they have.
        let rows = (self.limits.rows - self.rows.len()).min(bytes.div_ceil(self.rows.row_width()));
        let rows = rows.min(CALL_ROWS_MAX);
        let more = self.source.advance(rows, bytes.clamp(CALL_BYTES_MIN, CALL_BYTES_MAX))?;
        self.take_rows()?;
        Ok(more)
    }

    /// Takes rows that come column by column. False when there are none.
    fn take_columns(&mut self) -> Result<bool> {
        let Rows::Named(rows) = &mut self.rows else { return Ok(false) };
        let mut columns = NamedColumns::new(rows, self.limits);
        let left = self.source.advance_columns(&mut columns)?;
        columns.finish()?;
        Ok(left > 0)
    }

    fn take_rows(&mut self) -> Result<()> {
        let mut block = self.source.cells();
        for count in self.source.cell_counts() {
            let mut row = RowCells::new(block, count)?;
            match &mut self.rows {
                Rows::Named(rows) => rows.push(&mut row)?,
                Rows::Generic(rows) => rows.push(&mut row)?,
            }
            block = row.rest()?;
        }
        if block.is_empty() {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Bug, "there are cells behind those of the last row"))
    }

    fn finish(&mut self) -> Result<Option<RecordBatch>> {
        let rows = self.rows.len();
        if rows == 0 {
            return Ok(None);
        }
        let columns = match &mut self.rows {
            Rows::Named(rows) => rows.finish(),
            Rows::Generic(rows) => rows.finish()?,
        };
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(of_arrow)?;
        self.rows_read += rows as u64;
        Ok(Some(batch))
    }
}

impl Rows {
    fn len(&self) -> usize {
        match self {
            Rows::Named(rows) => rows.len(),
            Rows::Generic(rows) => rows.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Rows::Named(rows) => rows.bytes(),
            Rows::Generic(rows) => rows.bytes(),
        }
    }

    /// Bytes that a row counts at least; not 0.
    fn row_width(&self) -> usize {
        match self {
            Rows::Named(rows) => rows.row_width(),
            Rows::Generic(rows) => rows.row_width(),
        }
    }
}

/// What Arrow finds wrong with columns that were built here.
fn of_arrow(error: ArrowError) -> Error {
    Error::new(ErrorKind::Bug, format!("the columns do not make a batch: {error}"))
}
