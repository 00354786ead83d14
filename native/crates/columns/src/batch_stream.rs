//! Batches one by one for another language.

use std::collections::VecDeque;

use arrow_array::RecordBatch;
use grampus_base::Result;

use crate::arrow_struct::ArrowStruct;
use crate::mapping::Mapping;
use crate::reader::BatchLimits;
use crate::row_feed::{BatchSink, RowFeed};

/// Batches of a mapping's columns, which their consumer takes when it wants them.
///
/// After an error there are no more batches, and those before are not all.
pub type BatchStream = RowFeed<ReadyBatches>;

/// Batches that were made and not taken yet.
#[derive(Default)]
pub struct ReadyBatches(VecDeque<RecordBatch>);

impl BatchSink for ReadyBatches {
    fn take_batch(&mut self, batch: RecordBatch) -> Result<()> {
        self.0.push_back(batch);
        Ok(())
    }
}

impl BatchStream {
    /// A stream without rows.
    pub fn new(mapping: Mapping, limits: BatchLimits) -> BatchStream {
        RowFeed::with_sink(ReadyBatches::default(), mapping, limits)
    }

    /// The schema of the batches: an `ArrowSchema` of a struct whose fields are the columns.
    ///
    /// # Errors
    /// A column's name has a NUL, which no C text has.
    pub fn schema(&self) -> Result<ArrowStruct> {
        ArrowStruct::of_schema(&self.mapping.schema())
    }

    /// The next batch that was made, an `ArrowArray` of a struct whose children are the columns; `None` when there is none yet. It outlives the stream.
    ///
    /// # Errors
    /// A call before has failed.
    pub fn take(&mut self) -> Result<Option<ArrowStruct>> {
        self.check()?;
        Ok(self.sink.0.pop_front().map(ArrowStruct::of_batch))
    }
}
