//! Files of record batches.
//!
//! A writer that is dropped without [`TableWriter::finish`], or that has met an error, leaves a part of a file in what it wrote to. It removes nothing:
//! the caller does, and takes no file for complete before `finish` has returned its [`Written`].

mod arrow_stream;
mod avro_file;
mod compression;
mod counted;
mod csv_file;
mod fields;
mod json_lines;
mod lines;
mod parquet_file;
mod parquet_merge;
mod progress;
mod timestamp;

use arrow_array::RecordBatch;
pub use arrow_stream::ArrowStream;
pub use avro_file::AvroFile;
pub use compression::Compression;
pub use csv_file::{CsvFile, CsvOptions, CsvStyle};
use grampus_base::{Error, ErrorKind, Result};
pub use json_lines::JsonLinesFile;
pub use parquet_file::{ParquetFile, ParquetOptions};
pub use parquet_merge::merge_parquet;

/// What a file has, once it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Rows.
    pub rows: u64,
    /// Bytes that were written.
    pub bytes: u64,
    /// CRC-32C of these bytes, as object stores and HDFS have it for their files.
    pub crc32c: u32,
}

/// A file in the making.
pub trait TableWriter {
    /// What the file is written to.
    type Sink;

    /// Appends the rows of a batch. After an error every further call fails, and the file is none.
    ///
    /// # Errors
    /// The batch has another schema than the file, the sink fails, or see the writer.
    fn write(&mut self, batch: &RecordBatch) -> Result<()>;

    /// Completes the file and gives back what it was written to, which is flushed and neither synced nor closed.
    ///
    /// # Errors
    /// The sink fails, or a call before has failed.
    fn finish(self) -> Result<(Self::Sink, Written)>;
}

/// What the sink says.
fn of_sink(error: std::io::Error) -> Error {
    of_io(format!("the table cannot be written: {error}"), error)
}

/// An error of the sink.
fn of_io(message: String, source: std::io::Error) -> Error {
    Error { kind: ErrorKind::Io, message, source: Some(source), file: None }
}
