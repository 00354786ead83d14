//! Parquet.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use grampus_base::{Error, ErrorKind, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::shown::shown;
use crate::write::counted::Counted;
use crate::write::progress::Progress;
use crate::write::{Compression, TableWriter, Written, of_io};

/// Level of ZSTD, that of the engine's own files.
const ZSTD_LEVEL: i32 = 3;
/// Columns from which on none has a dictionary: one in the making takes about 72 KiB, however little is in it.
const NO_DICTIONARY_COLUMNS: usize = 1000;
/// The program's name in files. Readers look for "NAME version NUMBER", and take no bounds of text from files where they find something else.
pub(super) const CREATED_BY: &str = concat!("grampus version ", env!("CARGO_PKG_VERSION"));

/// What a Parquet file is like.
#[derive(Clone, Debug)]
pub struct ParquetOptions {
    /// How pages are compressed; deflate is refused.
    pub compression: Compression,
    /// About how large a row group becomes, encoded, and at most a batch more. That much is in memory while it is made.
    pub row_group_bytes: usize,
    /// The row keys ascend by their bytes, as they do in a scan that is not reversed, of a table and not of hbase:meta: the file says that it is sorted
    /// by its first column if that has bytes or text. A batch of which it is not true is refused. Text in which something was replaced is in another
    /// order.
    pub rows_ascend: bool,
    /// Keys and values that stand beside the schema, such as the name of the snapshot.
    pub metadata: Vec<(String, String)>,
}

impl Default for ParquetOptions {
    /// ZSTD, row groups of 128 MiB, not sorted, no metadata.
    fn default() -> ParquetOptions {
        ParquetOptions {
            compression: Compression::USUAL_OF_PARQUET,
            row_group_bytes: 128 << 20,
            rows_ascend: false,
            metadata: Vec::new(),
        }
    }
}

/// A Parquet file with statistics of all columns, by row group and page.
pub struct ParquetFile<W: Write + Send> {
    writer: ArrowWriter<Counted<W>>,
    /// Keeps what the file says of its order true.
    order: Option<KeyOrder>,
    row_group_bytes: usize,
    progress: Progress,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file. The first column is the row key's.
    ///
    /// # Errors
    /// The sink fails, a column is of a type that Parquet does not have, or deflate is asked for.
    pub fn create(sink: W, schema: SchemaRef, options: &ParquetOptions) -> Result<ParquetFile<W>> {
        let order = options.rows_ascend.then(|| KeyOrder::of(&schema)).flatten();
        let properties = properties(&schema, options, order.is_some())?;
        let writer = ArrowWriter::try_new(Counted::new(sink), schema.clone(), Some(properties));
        Ok(ParquetFile {
            writer: writer.map_err(of_parquet)?,
            order,
            row_group_bytes: options.row_group_bytes,
            progress: Progress::new(schema),
        })
    }
}

impl<W: Write + Send> TableWriter for ParquetFile<W> {
    type Sink = W;

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.progress.begin(batch)?;
        if let Some(order) = &mut self.order {
            order.check(batch)?;
        }
        self.writer.write(batch).map_err(of_parquet)?;
        // The library would cut a batch at the limit, one call within the other.
        if self.writer.in_progress_size() >= self.row_group_bytes {
            self.writer.flush().map_err(of_parquet)?;
        }
        self.progress.end(batch);
        Ok(())
    }

    fn finish(mut self) -> Result<(W, Written)> {
        self.progress.check()?;
        self.writer.finish().map_err(of_parquet)?;
        self.progress.complete(self.writer.inner_mut().take())
    }
}

fn properties(schema: &SchemaRef, options: &ParquetOptions, sorted: bool) -> Result<WriterProperties> {
    let metadata = options.metadata.iter();
    let metadata: Vec<KeyValue> =
        metadata.map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    let by_key = SortingColumn { column_idx: 0, descending: false, nulls_first: false };
    let mut properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_string())
        .set_compression(codec(options.compression)?)
        .set_max_row_group_row_count(None)
        .set_max_row_group_bytes(None)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_sorting_columns(sorted.then(|| vec![by_key]))
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata));
    if schema.fields().len() >= NO_DICTIONARY_COLUMNS {
        properties = properties.set_dictionary_enabled(false);
    } else if let Some(key) = schema.fields().first() {
        // No two rows have the same key: a dictionary of keys would be all of them, once more.
        let key = ColumnPath::new(vec![key.name().clone()]);
        properties = properties.set_column_dictionary_enabled(key, false);
    }
    Ok(properties.build())
}

fn codec(compression: Compression) -> Result<Codec> {
    Ok(match compression {
        Compression::None => Codec::UNCOMPRESSED,
        Compression::Snappy => Codec::SNAPPY,
        Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL).map_err(of_parquet)?),
        Compression::Deflate => {
            let message = "Parquet files cannot be compressed with deflate; choose zstd, snappy or none";
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
    })
}

/// Row keys that ascend from batch to batch.
struct KeyOrder {
    is_text: bool,
    last: Vec<u8>,
}

impl KeyOrder {
    /// `None` for a key whose order is not that of its bytes.
    fn of(schema: &SchemaRef) -> Option<KeyOrder> {
        let is_text = match schema.fields().first()?.data_type() {
            DataType::Binary => false,
            DataType::Utf8 => true,
            _ => return None,
        };
        Some(KeyOrder { is_text, last: Vec::new() })
    }

    fn check(&mut self, batch: &RecordBatch) -> Result<()> {
        let keys = batch.columns().first();
        if self.is_text {
            self.check_all(keys.and_then(|keys| keys.as_string_opt::<i32>()), |keys, row| {
                keys.value(row).as_bytes()
            })
        } else {
            self.check_all(keys.and_then(|keys| keys.as_binary_opt::<i32>()), |keys, row| keys.value(row))
        }
    }

    fn check_all<A: Array>(&mut self, keys: Option<&A>, key: impl Fn(&A, usize) -> &[u8]) -> Result<()> {
        let Some(keys) = keys else { return Ok(()) };
        for row in 0..keys.len() {
            let before = if row == 0 { self.last.as_slice() } else { key(keys, row - 1) };
            if key(keys, row) < before {
                let message = format!("row {} is not in the order that the file has", shown(key(keys, row)));
                return Err(Error::new(ErrorKind::BadRequest, message));
            }
        }
        if let Some(last) = keys.len().checked_sub(1) {
            self.last.clear();
            self.last.extend_from_slice(key(keys, last));
        }
        Ok(())
    }
}

/// What the library says: of the sink, or of a type that it has not.
pub(super) fn of_parquet(error: ParquetError) -> Error {
    let message = format!("the Parquet file cannot be written: {error}");
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(source) => of_io(message, *source),
            Err(_) => Error::new(ErrorKind::Bug, message),
        },
        ParquetError::NYI(_) | ParquetError::ArrowError(_) => Error::new(ErrorKind::BadRequest, message),
        _ => Error::new(ErrorKind::Bug, message),
    }
}
