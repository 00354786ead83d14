//! Arrow's own stream of record batches.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};
use grampus_base::{Error, ErrorKind, Result};

use crate::write::counted::Counted;
use crate::write::progress::Progress;
use crate::write::{TableWriter, Written, of_io};

/// Arrow's streaming format (its `IPC`): the schema, the batches as they come, a mark of the end. Nothing is compressed, and the sink is flushed
/// behind the schema and behind each batch, so that a program at the other end of a pipe has them at once.
///
/// Most readers take a stream without its mark for a complete one.
pub struct ArrowStream<W: Write> {
    writer: StreamWriter<Counted<W>>,
    progress: Progress,
}

impl<W: Write> ArrowStream<W> {
    /// Begins a stream with its schema.
    ///
    /// # Errors
    /// The sink fails.
    pub fn create(sink: W, schema: SchemaRef) -> Result<ArrowStream<W>> {
        let mut writer = StreamWriter::try_new(Counted::new(sink), &schema).map_err(of_arrow)?;
        writer.flush().map_err(of_arrow)?;
        Ok(ArrowStream { writer, progress: Progress::new(schema) })
    }
}

impl<W: Write> TableWriter for ArrowStream<W> {
    type Sink = W;

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.progress.begin(batch)?;
        if batch.num_rows() > 0 {
            self.writer.write(batch).and_then(|()| self.writer.flush()).map_err(of_arrow)?;
        }
        self.progress.end(batch);
        Ok(())
    }

    fn finish(mut self) -> Result<(W, Written)> {
        self.progress.check()?;
        self.writer.finish().map_err(of_arrow)?;
        self.progress.complete(self.writer.get_mut().take())
    }
}

/// What the library says: of the sink, or of itself.
fn of_arrow(error: ArrowError) -> Error {
    let message = format!("the Arrow stream cannot be written: {error}");
    match error {
        ArrowError::IoError(_, source) => of_io(message, source),
        _ => Error::new(ErrorKind::Bug, message),
    }
}
