//! Rows as typed columns, for programs that know neither HBase nor cells: Arrow record batches, their form in C, and files of Parquet, Avro,
//! CSV and JSON lines.
//!
//! A [`Mapping`] says which columns there are and what their bytes mean. A [`BatchReader`] makes record batches of the rows that a scan of
//! frozen files returns. A [`BatchStream`] hands them to another language; [`ParquetFile`], [`AvroFile`], [`CsvFile`], [`JsonLinesFile`] and
//! [`ArrowStream`] write them, and [`merge_parquet`] makes one file of several.
//! Nothing here opens a file: readers get a scan, writers something to write to.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod arrow_struct;
mod batch_stream;
mod mapping;
mod reader;
mod request;
mod row_feed;
mod shown;
mod table_file;
mod values;
mod write;

pub use arrow_struct::ArrowStruct;
pub use batch_stream::{BatchStream, ReadyBatches};
pub use mapping::{Column, ColumnType, KeyColumn, MappedColumn, Mapping, ParsedColumn, ParsedMapping};
pub use reader::{BatchLimits, BatchReader, FrozenSource, RowSource, Step};
pub use request::{BatchStreamRequest, TableFileRequest};
pub use row_feed::{BatchSink, RowFeed};
pub use table_file::{FileForm, FormWriter, TableFile};
pub use write::{
    ArrowStream, AvroFile, Compression, CsvFile, CsvOptions, CsvStyle, JsonLinesFile, ParquetFile,
    ParquetOptions, TableWriter, Written, merge_parquet,
};
