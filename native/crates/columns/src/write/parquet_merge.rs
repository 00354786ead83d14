//! One Parquet file of several: row groups are copied as they are.

mod input;
mod source;

use std::io::Write;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::write::Written;
use crate::write::counted::Counted;
use crate::write::parquet_file::{CREATED_BY, of_parquet};
use crate::write::parquet_merge::input::{Input, Pattern, Place};

/// Row groups have numbers of 16 bits, with a sign.
const ROW_GROUPS_MAX: usize = 1 << 15;

/// Writes one Parquet file of the row groups of others, in their order. Nothing is decoded: pages, statistics and indexes of pages are those of the
/// files. Metadata is the first file's, the order of the rows is that of the first row group. Bloom filters are left out.
///
/// A file is taken when those before are copied, and closed when it is copied. In memory are 1 MiB of its pages, its footer and its indexes, and those of
/// the new file.
///
/// What the sink has after an error is a part of a file; see [`TableWriter`](crate::TableWriter).
///
/// # Errors
/// There is no file, or a file is missing, damaged or no Parquet file, was made by another program or version, has other columns than the first one, or
/// rows in another order than the first row group; the sink fails, or there are more than 32,768 row groups.
pub fn merge_parquet<W: Write + Send>(
    files: impl IntoIterator<Item = Result<Arc<dyn RandomRead>>>,
    sink: W,
) -> Result<(W, Written)> {
    let mut inputs = files.into_iter().map(|file| Input::open(file?));
    let Some(first) = inputs.next() else {
        return Err(Error::new(ErrorKind::BadRequest, "a merge has at least one Parquet file"));
    };
    // A file without row groups does not say how it is sorted.
    let mut head = first?;
    let pattern = head.pattern();
    while head.row_groups().is_empty() {
        let Some(input) = inputs.next() else { break };
        head = input?.like(&pattern)?;
    }
    let mut merged = Merged::begin(&pattern, &head, sink)?;
    merged.append(&head)?;
    drop(head);
    for input in inputs {
        merged.append(&input?.like(&pattern)?)?;
    }
    merged.finish()
}

/// The new file.
struct Merged<W: Write + Send> {
    writer: SerializedFileWriter<Counted<W>>,
    sorting: Option<Vec<SortingColumn>>,
    rows: u64,
}

impl<W: Write + Send> Merged<W> {
    fn begin(pattern: &Pattern, head: &Input, sink: W) -> Result<Merged<W>> {
        let facts = &pattern.facts;
        let sorting = head.row_groups().first().and_then(|group| group.sorting_columns().cloned());
        let properties = WriterProperties::builder()
            .set_created_by(CREATED_BY.to_string())
            .set_key_value_metadata(facts.key_value_metadata().cloned())
            .set_sorting_columns(sorting.clone());
        let schema = facts.schema_descr().root_schema_ptr();
        let writer = SerializedFileWriter::new(Counted::new(sink), schema, Arc::new(properties.build()));
        Ok(Merged { writer: writer.map_err(of_parquet)?, sorting, rows: 0 })
    }

    /// Appends the row groups of a file.
    fn append(&mut self, input: &Input) -> Result<()> {
        for (number, group) in input.row_groups().iter().enumerate() {
            if self.writer.flushed_row_groups().len() == ROW_GROUPS_MAX {
                return Err(
                    input.refused("the new file has 32,768 row groups already, the most that Parquet allows")
                );
            }
            if group.sorting_columns() != self.sorting.as_ref() {
                return Err(input.refused("its rows are in another order than those of the files before"));
            }
            let rows = input.rows_of(group)?;
            self.copy(input, number, rows).map_err(|error| input.failure(error))?;
            self.rows = input.rows_after(self.rows, rows)?;
        }
        Ok(())
    }

    fn copy(&mut self, input: &Input, group: usize, rows: u64) -> ParquetResult<()> {
        let mut to = self.writer.next_row_group()?;
        for (column, chunk) in input.columns(group).iter().enumerate() {
            let place = Place { group, column };
            let copied = ColumnCloseResult {
                bytes_written: u64::try_from(chunk.compressed_size())?,
                rows_written: rows,
                metadata: chunk.clone(),
                bloom_filter: None,
                column_index: input.column_index(place).cloned(),
                offset_index: input.offset_index(place).cloned(),
            };
            to.append_column(input.source(), copied)?;
        }
        to.close()?;
        Ok(())
    }

    fn finish(mut self) -> Result<(W, Written)> {
        self.writer.finish().map_err(of_parquet)?;
        self.writer.inner_mut().take().complete(self.rows)
    }
}
