//! Batches through Arrow's stream interface of C and back.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::mem::MaybeUninit;

use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchReader};
use common::{region, scan_all};
use grampus_columns::{BatchLimits, BatchReader, Mapping, export_stream};
use grampus_testkit::wire::Cell;

const MAPPING: &str = ":key=id:string,f:name=name:string+ts,f:number=number:int,g:raw,g:nothing";
const LIMITS: BatchLimits = BatchLimits { rows: 70, bytes: 1 << 20 };

/// Rows some of which lack some columns.
fn cells() -> Vec<Cell> {
    let row = |n: u32| {
        let key = format!("row{n:04}");
        let name = Cell::put(&key, "f", "name", i64::from(n), format!("näme {n}"));
        let number = (!n.is_multiple_of(3)).then(|| Cell::put(&key, "f", "number", 1, n.to_be_bytes()));
        let raw = (!n.is_multiple_of(5)).then(|| Cell::put(&key, "g", "raw", 1, vec![0xFF; n as usize % 7]));
        [Some(name), number, raw]
    };
    (0..500).flat_map(row).flatten().collect()
}

fn reader(cells: &[Cell], mapping: &str) -> BatchReader {
    let region = region(cells);
    BatchReader::of_scan(scan_all(&region), &Mapping::parse(mapping).unwrap(), LIMITS).unwrap()
}

/// The stream that a consumer finds at the address which it gave.
fn exported(reader: BatchReader) -> FFI_ArrowArrayStream {
    let mut place = MaybeUninit::<FFI_ArrowArrayStream>::uninit();
    // SAFETY: the place is a local variable without another reference.
    unsafe { export_stream(reader, place.as_mut_ptr()) }.unwrap();
    // SAFETY: the call has written it.
    unsafe { place.assume_init() }
}

#[test]
fn what_comes_out_is_what_went_in() {
    for mapping in [MAPPING, "*"] {
        let expected: Vec<RecordBatch> = reader(&cells(), mapping).map(Result::unwrap).collect();
        assert_eq!(expected.iter().map(RecordBatch::num_rows).sum::<usize>(), 500);
        let imported = ArrowArrayStreamReader::try_new(exported(reader(&cells(), mapping))).unwrap();
        assert_eq!(imported.schema(), expected[0].schema());
        let batches: Vec<RecordBatch> = imported.map(Result::unwrap).collect();
        assert_eq!(batches, expected);
    }
}

#[test]
fn batches_outlive_their_stream() {
    let mut imported = ArrowArrayStreamReader::try_new(exported(reader(&cells(), MAPPING))).unwrap();
    let first = imported.next().unwrap().unwrap();
    drop(imported);
    assert_eq!(first, reader(&cells(), MAPPING).next().unwrap().unwrap());
}

#[test]
fn an_error_crosses_with_its_sentence() {
    let mut cells = cells();
    cells.push(Cell::put("row0100x", "f", "number", 1, "no int"));
    let mut imported = ArrowArrayStreamReader::try_new(exported(reader(&cells, MAPPING))).unwrap();
    assert_eq!(imported.next().unwrap().unwrap().num_rows(), 70);
    let error = imported.next().unwrap().unwrap_err().to_string();
    let expected = "row row0100x, column f:number: 6 bytes are no int, which has 4";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn an_unread_stream_is_released() {
    drop(exported(reader(&cells(), MAPPING)));
}

#[test]
fn an_address_that_cannot_be_is_refused() {
    for address in [std::ptr::null_mut(), std::ptr::without_provenance_mut(1)] {
        // SAFETY: these are refused before anything is written.
        let refused = unsafe { export_stream(reader(&cells(), MAPPING), address) };
        assert!(
            refused
                .unwrap_err()
                .message
                .starts_with("a stream of batches cannot be written to the address 0x")
        );
    }
}
