//! One Parquet file of several: what it has, and which files are refused.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use bytes::Bytes;
use grampus_base::{Error, ErrorKind, RandomRead, Result};
use grampus_columns::{
    BatchLimits, BatchReader, Compression, Mapping, ParquetFile, ParquetOptions, TableWriter, Written,
    merge_parquet,
};
use grampus_testkit::wire::Cell;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};

use crate::common::full::Full;
use crate::common::{read_all, region, scan_all};

const MAPPING: &str = ":key=k:string,f:n=n:int,f:text=text:string";

/// A file in memory, which can be read up to a place.
struct Memory {
    name: String,
    bytes: Vec<u8>,
    readable: u64,
}

impl RandomRead for Memory {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset + buf.len() as u64;
        // The footer can always be read.
        if offset < self.readable && end > self.readable {
            return Err(io::Error::other("the disk is gone"));
        }
        let from = self.bytes.get(offset as usize..end as usize).ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(from);
        Ok(())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

fn memory(name: &str, bytes: &[u8]) -> Memory {
    Memory { name: name.to_string(), bytes: bytes.to_vec(), readable: u64::MAX }
}

fn small() -> ParquetOptions {
    ParquetOptions {
        compression: Compression::Snappy,
        row_group_bytes: 3000,
        rows_ascend: true,
        metadata: vec![("snapshot".to_string(), "s1".to_string())],
    }
}

fn batches(mapping: &Mapping, rows: Range<u32>) -> Vec<RecordBatch> {
    let row = |n: u32| {
        let key = format!("row{n:06}");
        let text =
            (!n.is_multiple_of(3)).then(|| Cell::put(&key, "f", "text", 1, format!("text {}", n % 50)));
        [Some(Cell::put(&key, "f", "n", 1, n.to_be_bytes())), text]
    };
    let cells: Vec<Cell> = rows.flat_map(row).flatten().collect();
    if cells.is_empty() {
        return Vec::new();
    }
    let limits = BatchLimits { rows: 64, ..BatchLimits::default() };
    let mut reader = BatchReader::of_scan(scan_all(&region(&cells)), mapping, limits).unwrap();
    read_all(&mut reader).collect()
}

/// A file of rows with these numbers.
fn file(mapping: &str, rows: Range<u32>, options: &ParquetOptions) -> Vec<u8> {
    let mapping = Mapping::parse(mapping).unwrap();
    let mut file = ParquetFile::create(Vec::new(), mapping.schema(), options).unwrap();
    batches(&mapping, rows).iter().for_each(|batch| file.write(batch).unwrap());
    file.finish().unwrap().0
}

fn merge(files: &[Vec<u8>]) -> Result<(Vec<u8>, Written)> {
    let open = |(number, bytes): (usize, &Vec<u8>)| -> Result<Arc<dyn RandomRead>> {
        Ok(Arc::new(memory(&format!("part-{number}"), bytes)))
    };
    merge_parquet(files.iter().enumerate().map(open), Vec::new())
}

fn merged(files: &[Vec<u8>]) -> Vec<u8> {
    let (bytes, written) = merge(files).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    assert_eq!(written.crc32c, crc32c::crc32c(&bytes));
    assert_eq!(written.rows, rows(&bytes, None).len() as u64);
    bytes
}

fn refusal(files: &[Vec<u8>]) -> Error {
    merge(files).err().unwrap()
}

fn builder(bytes: &[u8]) -> ParquetRecordBatchReaderBuilder<Bytes> {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
    ParquetRecordBatchReaderBuilder::try_new_with_options(Bytes::copy_from_slice(bytes), options).unwrap()
}

fn footer(bytes: &[u8]) -> ParquetMetaData {
    builder(bytes).metadata().as_ref().clone()
}

/// Key, number and text of rows: of all, or of those selected.
fn rows(bytes: &[u8], selection: Option<RowSelection>) -> Vec<(String, i32, Option<String>)> {
    let mut builder = builder(bytes);
    if let Some(selection) = selection {
        builder = builder.with_row_selection(selection);
    }
    let of_batch = |batch: RecordBatch| {
        let keys = batch.column(0).as_string::<i32>();
        let numbers = batch.column(1).as_primitive::<Int32Type>();
        let texts = batch.column(2).as_string::<i32>();
        let row = |n: usize| {
            let text = texts.iter().nth(n).unwrap().map(str::to_string);
            (keys.value(n).to_string(), numbers.value(n), text)
        };
        (0..batch.num_rows()).map(row).collect::<Vec<_>>()
    };
    builder.build().unwrap().flat_map(|batch| of_batch(batch.unwrap())).collect()
}

fn expected(range: Range<u32>) -> Vec<(String, i32, Option<String>)> {
    let text = |n: u32| (!n.is_multiple_of(3)).then(|| format!("text {}", n % 50));
    range.map(|n| (format!("row{n:06}"), n as i32, text(n))).collect()
}

/// Where a file's pages end, and what is said of them begins.
fn end_of_pages(bytes: &[u8]) -> usize {
    let footer = footer(bytes);
    let chunks = footer.row_groups().iter().flat_map(|group| group.columns());
    let ends = chunks.map(|chunk| chunk.byte_range().0 + chunk.byte_range().1);
    ends.max().unwrap() as usize
}

/// Files of several row groups, of one, and of none.
fn parts() -> Vec<Vec<u8>> {
    [0..900, 900..901, 901..901, 901..1400].map(|rows| file(MAPPING, rows, &small())).to_vec()
}

#[test]
fn a_merged_file_has_the_rows_of_all_in_their_order() {
    let parts = parts();
    let groups: Vec<usize> = parts.iter().map(|part| footer(part).num_row_groups()).collect();
    assert!(groups[0] > 2 && groups[1] == 1 && groups[2] == 0 && groups[3] > 1, "{groups:?}");
    let file = merged(&parts);
    assert_eq!(footer(&file).num_row_groups(), groups.iter().sum::<usize>());
    assert_eq!(rows(&file, None), expected(0..1400));
}

#[test]
fn an_order_and_empty_files_do_not_matter_to_each_other() {
    let mut parts = parts();
    parts.rotate_left(2);
    let file = merged(&parts);
    assert_eq!(rows(&file, None), [expected(901..1400), expected(0..901)].concat());
    assert!(footer(&file).row_groups().iter().all(|group| group.sorting_columns().is_some()));
    let empty = self::file(MAPPING, 0..0, &small());
    let file = merged(&[empty.clone(), empty]);
    assert_eq!(footer(&file).num_row_groups(), 0);
    assert_eq!(builder(&file).schema().fields(), Mapping::parse(MAPPING).unwrap().schema().fields());
}

/// A merged file is one that can be merged.
#[test]
fn a_merge_of_one_file_changes_nothing() {
    let parts = parts();
    let once = merged(&parts);
    assert!(merged(std::slice::from_ref(&once)) == once);
}

#[test]
fn chunks_keep_what_is_said_of_them() {
    let parts = parts();
    let merged = footer(&merged(&parts));
    let footers: Vec<ParquetMetaData> = parts.iter().map(|part| footer(part)).collect();
    let of_all = footers.iter().flat_map(|footer| {
        (0..footer.num_row_groups()).flat_map(move |group| (0..3).map(move |column| (footer, group, column)))
    });
    let places = (0..merged.num_row_groups()).flat_map(|group| (0..3).map(move |column| (group, column)));
    for ((group, column), (footer, old_group, old_column)) in places.zip(of_all) {
        let (new, old) =
            (merged.row_group(group).column(column), footer.row_group(old_group).column(old_column));
        assert_eq!(new.statistics().unwrap(), old.statistics().unwrap());
        assert_eq!(new.page_encoding_stats_mask(), old.page_encoding_stats_mask());
        assert!(new.page_encoding_stats_mask().is_some());
        assert_eq!(new.compression(), old.compression());
        assert_eq!(new.dictionary_page_offset().is_some(), column > 0);
        assert_eq!(
            merged.column_index().unwrap()[group][column],
            footer.column_index().unwrap()[old_group][old_column]
        );
        let pages = |footer: &ParquetMetaData, group: usize, column: usize| {
            let start = footer.row_group(group).column(column).byte_range().0 as i64;
            let pages = &footer.offset_index().unwrap()[group][column].page_locations;
            let page = pages
                .iter()
                .map(|page| (page.offset - start, page.compressed_page_size, page.first_row_index));
            page.collect::<Vec<_>>()
        };
        assert_eq!(pages(&merged, group, column), pages(footer, old_group, old_column));
    }
    let (new, old) = (merged.file_metadata(), footers[0].file_metadata());
    assert_eq!(new.key_value_metadata(), old.key_value_metadata());
    assert_eq!(new.created_by(), old.created_by());
    assert_eq!(new.schema(), old.schema());
    assert_eq!(merged.row_group(0).sorting_columns(), footers[0].row_group(0).sorting_columns());
}

/// A reader skips by the indexes.
#[test]
fn the_indexes_of_pages_are_right() {
    let file = merged(&parts());
    for range in [0..1u32, 450..460, 895..905, 1399..1400] {
        let selection = RowSelection::from(vec![
            RowSelector::skip(range.start as usize),
            RowSelector::select(range.len()),
            RowSelector::skip(1400 - range.end as usize),
        ]);
        assert_eq!(rows(&file, Some(selection)), expected(range));
    }
}

#[test]
fn no_file_is_an_error() {
    let error = refusal(&[]);
    assert_eq!(error.kind, ErrorKind::BadRequest);
    assert_eq!(error.message, "a merge has at least one Parquet file");
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let first = file(MAPPING, 0..10, &small());
    for other in [
        ":key=k:string,f:n=n:int",
        ":key=k:string,f:n=n:long,f:text=text:string",
        ":key=k:string,f:n=number:int,f:text=text:string",
        ":key=k,f:n=n:int,f:text=text:string",
        "*",
    ] {
        let other = file(other, 0..0, &small());
        let error = refusal(&[first.clone(), other.clone()]);
        assert_eq!(error.kind, ErrorKind::BadRequest);
        assert_eq!(error.message, "part-1 cannot be merged: it has other columns than part-0");
        assert_eq!(refusal(&[other, first.clone()]).message, error.message);
    }
    let unsorted = file(MAPPING, 10..20, &ParquetOptions { rows_ascend: false, ..small() });
    let error = refusal(&[first, unsorted]);
    assert_eq!(error.kind, ErrorKind::BadRequest);
    assert_eq!(
        error.message,
        "part-1 cannot be merged: its rows are in another order than those of the files before"
    );
}

#[test]
fn damaged_files_are_refused() {
    let (first, second) = (file(MAPPING, 0..10, &small()), file(MAPPING, 10..900, &small()));
    let mut no_end = second.clone();
    no_end.truncate(second.len() - 1);
    let mut length = second.clone();
    let at = second.len() - 8;
    length[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut shifted = second.clone();
    shifted.drain(4..end_of_pages(&second));
    for damaged in [Vec::new(), b"PAR1".to_vec(), vec![b'x'; 5000], no_end, length, shifted] {
        for files in [[first.clone(), damaged.clone()], [damaged, first.clone()]] {
            let error = refusal(&files);
            assert_eq!(error.kind, ErrorKind::Corrupt, "{}", error.message);
            assert!(error.message.starts_with("part-"), "{}", error.message);
            assert!(error.message.contains(" is damaged, or no Parquet file: "), "{}", error.message);
        }
    }
}

/// The same length, so that nothing else changes.
#[test]
fn files_of_another_maker_are_refused() {
    let mut other = file(MAPPING, 0..10, &small());
    let name = b"grampus version ";
    let at = other.windows(name.len()).rposition(|bytes| bytes == name).unwrap();
    other[at..at + 7].copy_from_slice(b"Octopus");
    let error = refusal(&[other]);
    assert_eq!(error.kind, ErrorKind::BadRequest);
    let expected = "part-0 cannot be merged: it was made by Octopus version ";
    assert!(error.message.starts_with(expected), "{}", error.message);
}

/// Each byte of footer and indexes: what is not refused makes a file.
#[test]
fn no_damage_of_a_footer_is_a_panic() {
    let whole = file(MAPPING, 0..100, &small());
    let mut refused = 0;
    for at in end_of_pages(&whole)..whole.len() {
        for flipped in [0x01, 0x10, 0x80, 0xFF] {
            let mut damaged = whole.clone();
            damaged[at] ^= flipped;
            match merge(&[damaged]) {
                Ok((bytes, written)) => assert_eq!(written.bytes, bytes.len() as u64),
                Err(error) => {
                    assert!(error.message.contains("part-0"), "{}", error.message);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_file_that_cannot_be_opened_or_read_is_named() {
    let part = file(MAPPING, 0..900, &small());
    let missing: Result<Arc<dyn RandomRead>> =
        Err(Error::io("open", "part-7", io::ErrorKind::NotFound.into()));
    let good: Result<Arc<dyn RandomRead>> = Ok(Arc::new(memory("part-0", &part)));
    let error = merge_parquet([good, missing], Vec::new()).err().unwrap();
    assert!(error.message.starts_with("cannot open part-7"), "{}", error.message);

    let torn = Memory { readable: 2000, ..memory("part-8", &part) };
    let torn: Result<Arc<dyn RandomRead>> = Ok(Arc::new(torn));
    let error = merge_parquet([torn], Vec::new()).err().unwrap();
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Io, "cannot read part-8: the disk is gone"));
}

#[test]
fn a_sink_that_is_full_is_an_error_of_the_sink() {
    let part = file(MAPPING, 0..3000, &small());
    let whole = merged(std::slice::from_ref(&part)).len();
    for room in [0, 100, whole / 2, whole - 1] {
        let open: Result<Arc<dyn RandomRead>> = Ok(Arc::new(memory("part-0", &part)));
        let error = merge_parquet([open], Full(room)).err().unwrap();
        assert_eq!((error.kind, error.source.unwrap().kind()), (ErrorKind::Io, io::ErrorKind::StorageFull));
        assert!(error.message.contains("no room"), "{}", error.message);
    }
}
