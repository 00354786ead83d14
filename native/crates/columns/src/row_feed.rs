//! Rows on their way to batches: of scans, one after the other, or of blocks of cells that were read elsewhere.

use arrow_array::RecordBatch;
use grampus_base::{Error, ErrorKind, Result};
use grampus_store::FrozenScan;

use crate::mapping::Mapping;
use crate::reader::{BatchLimits, BatchReader, BlockSource, FrozenSource, Step};

/// Where the batches of a [`RowFeed`] go.
pub trait BatchSink {
    /// Takes the next batch.
    ///
    /// # Errors
    /// Those of what it is written to.
    fn take_batch(&mut self, batch: RecordBatch) -> Result<()>;
}

/// Makes batches of a mapping's columns for a sink; of several versions of a column the newest counts. An error ends it: rows may be missing then.
pub struct RowFeed<S> {
    pub(crate) mapping: Mapping,
    pub(crate) sink: S,
    limits: BatchLimits,
    /// The scan of the last `begin`.
    scan: Option<BatchReader<FrozenSource>>,
    /// It has more rows.
    in_scan: bool,
    /// A call was begun and has not ended well.
    broken: bool,
}

impl<S> RowFeed<S> {
    pub(crate) fn with_sink(sink: S, mapping: Mapping, limits: BatchLimits) -> RowFeed<S> {
        RowFeed { mapping, sink, limits, scan: None, in_scan: false, broken: false }
    }

    /// Begins the rows of a scan, which [`RowFeed::advance`] reads.
    ///
    /// # Errors
    /// The scan before has not come to its end, a call before has failed, or the scan returns batches of a row's cells.
    pub fn begin(&mut self, scan: FrozenScan) -> Result<()> {
        if self.in_scan {
            return Err(Error::new(ErrorKind::Bug, "a scan begins while another one is being read"));
        }
        self.check()?;
        self.scan = Some(BatchReader::of_scan(scan, &self.mapping, self.limits)?);
        self.in_scan = true;
        Ok(())
    }

    /// The scan of the last `begin`, for what it has looked at so far; `None` before the first one.
    pub fn scan(&self) -> Option<&FrozenScan> {
        self.scan.as_ref().map(|reader| reader.source().scan())
    }

    /// Rows of this scan that make batches so far, the last of which may not be taken yet.
    pub fn scan_rows(&self) -> u64 {
        self.scan.as_ref().map_or(0, BatchReader::rows_read)
    }

    /// Whether all rows that were begun have been taken.
    pub(crate) fn is_complete(&self) -> bool {
        !self.in_scan && !self.broken
    }

    /// Refuses what follows an error.
    pub(crate) fn check(&self) -> Result<()> {
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "columns of a table were used after their error"));
        }
        Ok(())
    }

    /// Runs a call that takes rows; none follows one that has failed.
    fn run<T>(&mut self, call: impl FnOnce(&mut RowFeed<S>) -> Result<T>) -> Result<T> {
        self.check()?;
        self.broken = true;
        let outcome = call(self)?;
        self.broken = false;
        Ok(outcome)
    }
}

impl<S: BatchSink> RowFeed<S> {
    /// Reads for about a second at most, which makes a batch at most; false when the scan has come to its end, and all of its rows were taken.
    ///
    /// # Errors
    /// A file cannot be read, a value is not of its column's type, or the sink fails.
    pub fn advance(&mut self) -> Result<bool> {
        self.run(|feed| {
            let Some(scan) = &mut feed.scan else { return Ok(false) };
            match scan.step()? {
                Step::Batch(batch) => feed.sink.take_batch(batch)?,
                Step::Pending => {}
                Step::End => feed.in_scan = false,
            }
            Ok(feed.in_scan)
        })
    }

    /// Takes rows that were read elsewhere: KeyValues one behind the other, and the number of cells of each row. Within a row cells come by family
    /// and qualifier, newer versions first.
    ///
    /// # Errors
    /// A scan has not come to its end, cells and numbers do not belong together, the cells have more than 256 MiB, a value is not of its column's
    /// type, or the sink fails.
    pub fn append(&mut self, cells: &[u8], counts: &[u32]) -> Result<()> {
        if self.in_scan {
            return Err(Error::new(ErrorKind::Bug, "rows are appended while a scan is being read"));
        }
        self.run(|feed| {
            let block = BlockSource::new(cells, counts)?;
            let mut reader = BatchReader::new(block, &feed.mapping, feed.limits);
            while let Some(batch) = reader.next_batch()? {
                feed.sink.take_batch(batch)?;
            }
            Ok(())
        })
    }
}
