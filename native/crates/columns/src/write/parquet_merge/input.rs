//! A file that is merged.

use std::ops::Range;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions,
    ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::reader::Length;

use crate::write::parquet_file::{CREATED_BY, of_parquet};
use crate::write::parquet_merge::source::Source;

/// What a file begins with, before its first page.
const MAGIC_BYTES: i64 = 4;
/// What the indexes of a file's pages have together at most.
const INDEX_BYTES_MAX: i64 = 256 << 20;

/// A file whose footer and indexes are read.
pub(super) struct Input {
    source: Source,
    footer: ParquetMetaData,
}

/// The first file, as the others have to be.
pub(super) struct Pattern {
    name: String,
    pub(super) facts: FileMetaData,
}

/// Numbers of a row group and of one of its columns.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) group: usize,
    pub(super) column: usize,
}

impl Input {
    pub(super) fn open(file: Arc<dyn RandomRead>) -> Result<Input> {
        let source = Source::new(file);
        let unread = |error| failure(&source, error, |error| damaged(&source, &error.to_string()));
        let footer = read_footer(&source).map_err(unread)?;
        check_maker(&source, &footer)?;
        let footer = read_indexes(&source, footer).map_err(unread)?;
        let input = Input { source, footer };
        input.check_indexes()?;
        Ok(input)
    }

    /// What others have to be like.
    pub(super) fn pattern(&self) -> Pattern {
        Pattern { name: self.source.name().to_string(), facts: self.footer.file_metadata().clone() }
    }

    /// Refuses a file that has other columns.
    pub(super) fn like(self, pattern: &Pattern) -> Result<Input> {
        if self.footer.file_metadata().schema() != pattern.facts.schema() {
            return Err(self.refused(&format!("it has other columns than {}", pattern.name)));
        }
        Ok(self)
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    pub(super) fn row_groups(&self) -> &[RowGroupMetaData] {
        self.footer.row_groups()
    }

    /// The columns of a row group.
    pub(super) fn columns(&self, group: usize) -> &[ColumnChunkMetaData] {
        self.row_groups().get(group).map_or(&[], RowGroupMetaData::columns)
    }

    pub(super) fn rows_of(&self, group: &RowGroupMetaData) -> Result<u64> {
        u64::try_from(group.num_rows())
            .map_err(|_| damaged(&self.source, "a row group has less than no rows"))
    }

    /// The sum of `rows` and the rows of a row group.
    pub(super) fn rows_after(&self, rows: u64, group: u64) -> Result<u64> {
        rows.checked_add(group).ok_or_else(|| damaged(&self.source, "it has more rows than can be counted"))
    }

    /// The bounds of a chunk's pages, if the file has them.
    pub(super) fn column_index(&self, place: Place) -> Option<&ColumnIndexMetaData> {
        let index = self.footer.column_index()?.get(place.group)?.get(place.column)?;
        (!matches!(index, ColumnIndexMetaData::NONE)).then_some(index)
    }

    /// The places of a chunk's pages, if the file has them.
    pub(super) fn offset_index(&self, place: Place) -> Option<&OffsetIndexMetaData> {
        self.footer.offset_index()?.get(place.group)?.get(place.column)
    }

    /// An error of a file that cannot be merged with those before.
    pub(super) fn refused(&self, why: &str) -> Error {
        refused(&self.source, why)
    }

    /// The error of a copy: of a read of the file, of the sink, or of what the footer says.
    pub(super) fn failure(&self, error: ParquetError) -> Error {
        failure(&self.source, error, |error| match error {
            ParquetError::External(_) => of_parquet(error),
            _ => damaged(&self.source, &error.to_string()),
        })
    }

    /// Refuses pages that lie outside of their chunk: the library moves their offsets and does not look.
    fn check_indexes(&self) -> Result<()> {
        for (group, row_group) in self.row_groups().iter().enumerate() {
            for (column, chunk) in row_group.columns().iter().enumerate() {
                let bytes = bytes_of(chunk);
                let pages = self.offset_index(Place { group, column });
                let mut pages = pages.into_iter().flat_map(|index| &index.page_locations);
                let lies_within = |page: &PageLocation| {
                    let end = page.offset.checked_add(page.compressed_page_size.into());
                    bytes.contains(&page.offset)
                        && end.is_some_and(|end| (page.offset..=bytes.end).contains(&end))
                };
                if !pages.all(lies_within) {
                    return Err(damaged(&self.source, "a page lies outside of its column"));
                }
            }
        }
        Ok(())
    }
}

/// The footer, which says where all the rest is.
fn read_footer(source: &Source) -> ParquetResult<ParquetMetaData> {
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let footer =
        ParquetMetaDataReader::new().with_metadata_options(Some(options)).parse_and_finish(source)?;
    check_chunks(source, &footer)?;
    Ok(footer)
}

/// Refuses files that were made elsewhere: what stands in them that is not known here, such as encrypted columns, would be lost.
fn check_maker(source: &Source, footer: &ParquetMetaData) -> Result<()> {
    match footer.file_metadata().created_by() {
        Some(CREATED_BY) => Ok(()),
        other => {
            let maker = other.unwrap_or("a program that does not say its name");
            Err(refused(source, &format!("it was made by {maker}, and not by {CREATED_BY}")))
        }
    }
}

/// Adds the indexes of pages, which lie together between the pages and the footer.
fn read_indexes(source: &Source, footer: ParquetMetaData) -> ParquetResult<ParquetMetaData> {
    check_index_places(source, &footer)?;
    let mut indexes =
        ParquetMetaDataReader::new_with_metadata(footer).with_page_index_policy(PageIndexPolicy::Optional);
    indexes.read_page_indexes(source)?;
    indexes.finish()
}

/// Refuses columns that do not lie in the file.
fn check_chunks(source: &Source, footer: &ParquetMetaData) -> ParquetResult<()> {
    let length = i64::try_from(source.len())?;
    for chunk in footer.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let bytes = bytes_of(chunk);
        let in_file = bytes.start >= MAGIC_BYTES && bytes.start <= bytes.end && bytes.end <= length;
        let is_empty = chunk.num_values() == 0 && chunk.compressed_size() == 0;
        let in_chunk = is_empty || bytes.contains(&chunk.data_page_offset());
        if !in_file || !in_chunk || chunk.file_path().is_some() {
            let message = format!("the column {} does not lie in the file", chunk.column_path());
            return Err(ParquetError::General(message));
        }
    }
    Ok(())
}

/// Refuses indexes that lie elsewhere or apart: the library reads all from the first to the last one at once.
fn check_index_places(source: &Source, footer: &ParquetMetaData) -> ParquetResult<()> {
    let chunks = || footer.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let indexes = chunks().flat_map(|chunk| {
        let bounds = (chunk.column_index_offset(), chunk.column_index_length());
        let pages = (chunk.offset_index_offset(), chunk.offset_index_length());
        [bounds, pages].into_iter().filter_map(|(offset, length)| Some((offset?, i64::from(length?))))
    });
    let (mut first, mut end, mut sum) = (i64::MAX, i64::MIN, 0i64);
    for (offset, length) in indexes {
        first = first.min(offset);
        end = end.max(offset.saturating_add(length));
        sum = sum.saturating_add(length.max(0));
    }
    if first > end {
        return Ok(()); // there are none
    }
    let pages_end = chunks().map(|chunk| bytes_of(chunk).end).max().unwrap_or(MAGIC_BYTES);
    let lie_together = end.saturating_sub(first) <= sum && sum <= INDEX_BYTES_MAX;
    if first < pages_end || end > i64::try_from(source.len())? || !lie_together {
        return Err(ParquetError::General("the indexes of its pages do not lie behind them".to_string()));
    }
    Ok(())
}

/// Where a column chunk lies, as the footer says.
fn bytes_of(chunk: &ColumnChunkMetaData) -> Range<i64> {
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    start..start.saturating_add(chunk.compressed_size())
}

fn failure(source: &Source, error: ParquetError, other: impl FnOnce(ParquetError) -> Error) -> Error {
    match source.take_failure() {
        Some(failed) => Error::io("read", source.name(), failed),
        None => other(error),
    }
}

fn refused(source: &Source, why: &str) -> Error {
    Error::new(ErrorKind::BadRequest, format!("{} cannot be merged: {why}", source.name()))
}

fn damaged(source: &Source, why: &str) -> Error {
    let message = format!("{} is damaged, or no Parquet file: {why}", source.name());
    Error::new(ErrorKind::Corrupt, message)
}
