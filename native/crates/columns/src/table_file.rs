//! A file of a table, of any form, filled scan by scan or block by block.

use std::io::Write;

use arrow_array::RecordBatch;
use grampus_base::{Error, ErrorKind, Result};
use grampus_store::FrozenScan;

use crate::mapping::{Mapping, NEEDS_KEY};
use crate::reader::BatchLimits;
use crate::row_feed::RowFeed;
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

/// A file in the making. Its rows come from scans, one after the other, or from blocks of cells; of several versions of a column the newest counts.
///
/// An error or a drop leaves a part of a file in the sink; see [`TableWriter`].
pub struct TableFile<W: Write + Send> {
    feed: RowFeed,
    writer: Writer<W>,
}

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
        Ok(TableFile { feed: RowFeed::new(mapping, BatchLimits::default()), writer })
    }

    /// Begins the rows of a scan, which [`TableFile::advance`] writes.
    ///
    /// # Errors
    /// The scan before has not come to its end, a call before has failed, or the scan returns batches of a row's cells.
    pub fn begin(&mut self, scan: FrozenScan) -> Result<()> {
        self.feed.begin(scan)
    }

    /// Reads for about a second at most, and writes what makes a batch; false when the scan has come to its end, and all of its rows are written.
    ///
    /// # Errors
    /// A file cannot be read, a value is not of its column's type, or the sink fails. The file is none then.
    pub fn advance(&mut self) -> Result<bool> {
        let writer = &mut self.writer;
        self.feed.advance(|batch| writer.write(&batch))
    }

    /// The scan of the last `begin`, for what it has looked at so far; `None` before the first one.
    pub fn scan(&self) -> Option<&FrozenScan> {
        self.feed.scan()
    }

    /// Rows of this scan that make batches so far, the last of which may not be written yet.
    pub fn scan_rows(&self) -> u64 {
        self.feed.scan_rows()
    }

    /// Appends rows that were read elsewhere: KeyValues one behind the other, and the number of cells of each row. Within a row cells come by family
    /// and qualifier, newer versions first.
    ///
    /// # Errors
    /// A scan has not come to its end, cells and numbers do not belong together, the cells have more than 256 MiB, a value is not of its column's
    /// type, or the sink fails. The file is none then.
    pub fn append(&mut self, cells: &[u8], counts: &[u32]) -> Result<()> {
        let writer = &mut self.writer;
        self.feed.append(cells, counts, |batch| writer.write(&batch))
    }

    /// Completes the file and gives back what it was written to.
    ///
    /// # Errors
    /// A scan has not come to its end, the sink fails, or a call before has failed.
    pub fn finish(self) -> Result<(W, Written)> {
        if !self.feed.is_complete() {
            return Err(Error::new(ErrorKind::Bug, "a file is completed that does not have all of its rows"));
        }
        self.writer.finish()
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
