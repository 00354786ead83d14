//! A file of a table, of any form, filled scan by scan or block by block.

use std::io::Write;

use arrow_array::RecordBatch;
use grampus_base::{Error, ErrorKind, Result};
use grampus_store::FrozenScan;

use crate::mapping::Mapping;
use crate::reader::{BatchLimits, BatchReader, BlockSource, FrozenSource, Step};
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
    mapping: Mapping,
    writer: Writer<W>,
    /// The scan of the last `begin`.
    scan: Option<BatchReader<FrozenSource>>,
    /// It has more rows.
    in_scan: bool,
    /// A call was begun and has not ended well: rows may be missing.
    broken: bool,
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
    /// The sink fails, or the form has no place for a column of the mapping.
    pub fn create(sink: W, mapping: Mapping, form: &FileForm) -> Result<TableFile<W>> {
        let writer = Writer::create(sink, &mapping, form)?;
        Ok(TableFile { mapping, writer, scan: None, in_scan: false, broken: false })
    }

    /// Begins the rows of a scan, which [`TableFile::advance`] writes.
    ///
    /// # Errors
    /// The scan before has not come to its end, a call before has failed, or the scan returns batches of a row's cells.
    pub fn begin(&mut self, scan: FrozenScan) -> Result<()> {
        if self.in_scan {
            return Err(Error::new(ErrorKind::Bug, "a scan begins while another one is being written"));
        }
        self.check()?;
        self.scan = Some(BatchReader::of_scan(scan, &self.mapping, BatchLimits::default())?);
        self.in_scan = true;
        Ok(())
    }

    /// Reads for about a second at most, and writes what makes a batch; false when the scan has come to its end, and all of its rows are written.
    ///
    /// # Errors
    /// A file cannot be read, a value is not of its column's type, or the sink fails. The file is none then.
    pub fn advance(&mut self) -> Result<bool> {
        self.run(|file| {
            let Some(scan) = &mut file.scan else { return Ok(false) };
            match scan.step()? {
                Step::Batch(batch) => file.writer.write(&batch)?,
                Step::Pending => {}
                Step::End => file.in_scan = false,
            }
            Ok(file.in_scan)
        })
    }

    /// The scan of the last `begin`, for what it has looked at so far; `None` before the first one.
    pub fn scan(&self) -> Option<&FrozenScan> {
        self.scan.as_ref().map(|reader| reader.source().scan())
    }

    /// Rows of this scan that make batches so far, the last of which may not be written yet.
    pub fn scan_rows(&self) -> u64 {
        self.scan.as_ref().map_or(0, BatchReader::rows_read)
    }

    /// Appends rows that were read elsewhere: KeyValues one behind the other, and the number of cells of each row. Within a row cells come by family
    /// and qualifier, newer versions first.
    ///
    /// # Errors
    /// A scan has not come to its end, cells and numbers do not belong together, the cells have more than 256 MiB, a value is not of its column's
    /// type, or the sink fails. The file is none then.
    pub fn append(&mut self, cells: &[u8], counts: &[u32]) -> Result<()> {
        if self.in_scan {
            return Err(Error::new(ErrorKind::Bug, "rows are appended while a scan is being written"));
        }
        self.run(|file| {
            let block = BlockSource::new(cells, counts)?;
            let mut reader = BatchReader::new(block, &file.mapping, BatchLimits::default());
            while let Some(batch) = reader.next_batch()? {
                file.writer.write(&batch)?;
            }
            Ok(())
        })
    }

    /// Completes the file and gives back what it was written to.
    ///
    /// # Errors
    /// A scan has not come to its end, the sink fails, or a call before has failed.
    pub fn finish(self) -> Result<(W, Written)> {
        if self.in_scan || self.broken {
            return Err(Error::new(ErrorKind::Bug, "a file is completed that does not have all of its rows"));
        }
        self.writer.finish()
    }

    /// Runs a call that writes; none follows one that has failed.
    fn run<T>(&mut self, call: impl FnOnce(&mut TableFile<W>) -> Result<T>) -> Result<T> {
        self.check()?;
        self.broken = true;
        let outcome = call(self)?;
        self.broken = false;
        Ok(outcome)
    }

    /// Refuses what follows an error.
    fn check(&self) -> Result<()> {
        if self.broken {
            return Err(Error::new(ErrorKind::Bug, "a file of a table was used after its error"));
        }
        Ok(())
    }
}

impl<W: Write + Send> Writer<W> {
    fn create(sink: W, mapping: &Mapping, form: &FileForm) -> Result<Writer<W>> {
        let schema = mapping.schema();
        Ok(match form {
            FileForm::Parquet(options) => {
                // Text in which something was replaced is not in the order of its bytes.
                let rows_ascend = options.rows_ascend && mapping.key().column_type.keeps_order();
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
