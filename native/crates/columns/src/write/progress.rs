//! How far a file is, and whether it may go on.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use grampus_base::{Error, ErrorKind, Result};

use crate::write::Written;
use crate::write::counted::Counted;

/// What all writers keep: the schema, the rows so far, and whether a call was begun that has not ended well.
pub(super) struct Progress {
    schema: SchemaRef,
    rows: u64,
    broken: bool,
}

impl Progress {
    pub(super) fn new(schema: SchemaRef) -> Progress {
        Progress { schema, rows: 0, broken: false }
    }

    /// Begins a call that appends a batch.
    pub(super) fn begin(&mut self, batch: &RecordBatch) -> Result<()> {
        self.check()?;
        if batch.schema_ref().fields() != self.schema.fields() {
            return Err(Error::new(ErrorKind::BadRequest, "the batch has other columns than the file"));
        }
        self.broken = true;
        Ok(())
    }

    /// The call has ended well.
    pub(super) fn end(&mut self, batch: &RecordBatch) {
        self.rows += batch.num_rows() as u64;
        self.broken = false;
    }

    /// Refuses what follows an error.
    pub(super) fn check(&self) -> Result<()> {
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "a table's writer was used after its error"));
        }
        Ok(())
    }

    /// The file is complete.
    pub(super) fn complete<W: Write>(&self, sink: Counted<W>) -> Result<(W, Written)> {
        sink.complete(self.rows)
    }
}
