//! A file of a table, of any form, filled scan by scan or block by block.

use std::io::Write;

use arrow_array::RecordBatch;
use grampus_base::{Error, ErrorKind, Result};

use crate::mapping::{Mapping, NEEDS_KEY};
use crate::reader::BatchLimits;
use crate::row_feed::{BatchSink, RowFeed};
use crate::write::{
    ArrowStream, AvroFile, Compression, CsvFile, CsvOptions, JsonLinesFile, ParquetFile, ParquetOptions,
    TableWriter, Written,
};

/// What a file is like.
#[derive(Clone, Debug)]
pub enum FileForm {
    /// Parquet.
    Parquet(ParquetOptions),
    /// Avro.
    Avro(Compression),
    /// A table of text.
    Csv(CsvOptions),
    /// A JSON object per line.
    JsonLines,
    /// Arrow's stream of batches.
    Arrow,
}

/// A file in the making.
///
/// An error or a drop leaves a part of a file in the sink; see [`TableWriter`].
pub type TableFile<W> = RowFeed<FormWriter<W>>;

/// Writes batches in the form of a file.
pub struct FormWriter<W: Write + Send>(Writer<W>);

/// The forms, each with its writer.
enum Writer<W: Write + Send> {
    Parquet(Box<ParquetFile<W>>),
    Avro(Box<AvroFile<W>>),
    Csv(Box<CsvFile<W>>),
    JsonLines(Box<JsonLinesFile<W>>),
    Arrow(Box<ArrowStream<W>>),
}

impl<W: Write + Send> TableFile<W> {
    /// Begins a file of a mapping's columns.
    ///
    /// # Errors
    /// The sink fails, the form has no place for a column of the mapping, or the mapping has no row key and the form is not Arrow.
    pub fn create(sink: W, mapping: Mapping, form: &FileForm) -> Result<TableFile<W>> {
        let writer = Writer::create(sink, &mapping, form)?;
        Ok(RowFeed::with_sink(FormWriter(writer), mapping, BatchLimits::default()))
    }

    /// Completes the file and gives back what it was written to.
    ///
    /// # Errors
    /// A scan has not come to its end, the sink fails, or a call before has failed.
    pub fn finish(self) -> Result<(W, Written)> {
        if !self.is_complete() {
            return Err(Error::new(ErrorKind::Bug, "a file is completed that does not have all of its rows"));
        }
        self.sink.0.finish()
    }
}

impl<W: Write + Send> BatchSink for FormWriter<W> {
    fn take_batch(&mut self, batch: RecordBatch) -> Result<()> {
        self.0.write(&batch)
    }
}

impl<W: Write + Send> Writer<W> {
    fn create(sink: W, mapping: &Mapping, form: &FileForm) -> Result<Writer<W>> {
        if mapping.key().is_none() && !matches!(form, FileForm::Arrow) {
            return Err(Error::new(ErrorKind::BadRequest, NEEDS_KEY)); // an import could not put its rows back
        }
        let schema = mapping.schema();
        Ok(match form {
            FileForm::Parquet(options) => {
                // Text in which something was replaced is not in the order of its bytes.
                let keeps_order = mapping.key().is_some_and(|key| key.column_type.keeps_order());
                let rows_ascend = options.rows_ascend && keeps_order;
                let options = ParquetOptions { rows_ascend, ..options.clone() };
                Writer::Parquet(Box::new(ParquetFile::create(sink, schema, &options)?))
            }
            FileForm::Avro(compression) => {
                Writer::Avro(Box::new(AvroFile::create(sink, schema, *compression)?))
            }
            FileForm::Csv(options) => Writer::Csv(Box::new(CsvFile::create(sink, schema, *options)?)),
            FileForm::JsonLines => Writer::JsonLines(Box::new(JsonLinesFile::create(sink, schema))),
            FileForm::Arrow => Writer::Arrow(Box::new(ArrowStream::create(sink, schema)?)),
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match self {
            Writer::Parquet(file) => file.write(batch),
            Writer::Avro(file) => file.write(batch),
            Writer::Csv(file) => file.write(batch),
            Writer::JsonLines(file) => file.write(batch),
            Writer::Arrow(file) => file.write(batch),
        }
    }

    fn finish(self) -> Result<(W, Written)> {
        match self {
            Writer::Parquet(file) => file.finish(),
            Writer::Avro(file) => file.finish(),
            Writer::Csv(file) => file.finish(),
            Writer::JsonLines(file) => file.finish(),
            Writer::Arrow(file) => file.finish(),
        }
    }
}
