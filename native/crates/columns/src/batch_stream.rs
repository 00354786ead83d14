//! Batches one by one for another language.

use std::collections::VecDeque;

use arrow_array::RecordBatch;
use grampus_base::Result;
use grampus_store::FrozenScan;

use crate::arrow_struct::ArrowStruct;
use crate::mapping::Mapping;
use crate::reader::BatchLimits;
use crate::row_feed::RowFeed;

/// Batches of a mapping's columns, which their consumer takes when it wants them. The rows come from scans, one after the other, or from blocks of
/// cells; of several versions of a column the newest counts.
///
/// After an error there are no more batches, and those before are not all.
pub struct BatchStream {
    feed: RowFeed,
    /// Made and not taken yet.
    ready: VecDeque<RecordBatch>,
}

impl BatchStream {
    /// A stream without rows.
    pub fn new(mapping: Mapping, limits: BatchLimits) -> BatchStream {
        BatchStream { feed: RowFeed::new(mapping, limits), ready: VecDeque::new() }
    }

    /// The schema of the batches: an `ArrowSchema` of a struct whose fields are the columns.
    ///
    /// # Errors
    /// A column's name has a NUL, which no C text has.
    pub fn schema(&self) -> Result<ArrowStruct> {
        ArrowStruct::of_schema(&self.feed.mapping().schema())
    }

    /// Begins the rows of a scan, which [`BatchStream::advance`] reads.
    ///
    /// # Errors
    /// The scan before has not come to its end, a call before has failed, or the scan returns batches of a row's cells.
    pub fn begin(&mut self, scan: FrozenScan) -> Result<()> {
        self.feed.begin(scan)
    }

    /// Reads for about a second at most, which makes a batch at most; false when the scan has come to its end.
    ///
    /// # Errors
    /// A file cannot be read, or a value is not of its column's type.
    pub fn advance(&mut self) -> Result<bool> {
        let ready = &mut self.ready;
        self.feed.advance(|batch| keep(ready, batch))
    }

    /// The scan of the last `begin`, for what it has looked at so far; `None` before the first one.
    pub fn scan(&self) -> Option<&FrozenScan> {
        self.feed.scan()
    }

    /// Rows of this scan that make batches so far, taken or not.
    pub fn scan_rows(&self) -> u64 {
        self.feed.scan_rows()
    }

    /// Takes rows that were read elsewhere, see [`crate::TableFile::append`].
    ///
    /// # Errors
    /// A scan has not come to its end, cells and numbers do not belong together, the cells have more than 256 MiB, or a value is not of its column's
    /// type.
    pub fn append(&mut self, cells: &[u8], counts: &[u32]) -> Result<()> {
        let ready = &mut self.ready;
        self.feed.append(cells, counts, |batch| keep(ready, batch))
    }

    /// The next batch that was made, an `ArrowArray` of a struct whose children are the columns; `None` when there is none yet. It outlives the stream.
    ///
    /// # Errors
    /// A call before has failed.
    pub fn take(&mut self) -> Result<Option<ArrowStruct>> {
        self.feed.check()?;
        Ok(self.ready.pop_front().map(ArrowStruct::of_batch))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the feed's taker may fail where it writes")]
fn keep(ready: &mut VecDeque<RecordBatch>, batch: RecordBatch) -> Result<()> {
    ready.push_back(batch);
    Ok(())
}
