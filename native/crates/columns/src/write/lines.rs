//! Files of lines, a line per row.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use grampus_base::Result;

use crate::write::counted::Counted;
use crate::write::progress::Progress;
use crate::write::{TableWriter, Written, of_sink};

/// Bytes of lines that are collected before they are written.
const BUFFER_BYTES: usize = 256 << 10;

/// What the lines are like.
pub trait LineForm {
    /// The columns of a batch, ready to be read.
    type Columns<'a>;

    /// The columns of a batch.
    ///
    /// # Errors
    /// A column is of a type that has no form here.
    fn columns<'a>(&self, batch: &'a RecordBatch) -> Result<Self::Columns<'a>>;

    /// Appends the line of a row, with its end.
    fn push_line(&mut self, columns: &Self::Columns<'_>, row: usize, out: &mut Vec<u8>);
}

/// A file of lines in the making.
pub struct Lines<W: Write, F> {
    sink: Counted<W>,
    form: F,
    lines: Vec<u8>,
    progress: Progress,
}

impl<W: Write, F> Lines<W, F> {
    /// Begins a file with these lines.
    pub(super) fn begin(sink: W, schema: SchemaRef, form: F, lines: Vec<u8>) -> Lines<W, F> {
        Lines { sink: Counted::new(sink), form, lines, progress: Progress::new(schema) }
    }

    fn write_lines(&mut self) -> Result<()> {
        self.sink.write_all(&self.lines).map_err(of_sink)?;
        self.lines.clear();
        Ok(())
    }
}

impl<W: Write, F: LineForm> TableWriter for Lines<W, F> {
    type Sink = W;

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.progress.begin(batch)?;
        let columns = self.form.columns(batch)?;
        for row in 0..batch.num_rows() {
            self.form.push_line(&columns, row, &mut self.lines);
            if self.lines.len() >= BUFFER_BYTES {
                self.write_lines()?;
            }
        }
        self.progress.end(batch);
        Ok(())
    }

    fn finish(mut self) -> Result<(W, Written)> {
        self.progress.check()?;
        self.write_lines()?;
        self.progress.complete(self.sink)
    }
}
