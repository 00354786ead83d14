//! Batches through Arrow's C data interface and back.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{RecordBatch, StructArray};
use grampus_base::ErrorKind;
use grampus_columns::{ArrowStruct, BatchLimits, BatchReader, BatchStream, Mapping};
use grampus_testkit::wire::Cell;

use crate::common::{read_all, region, scan_all};

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

fn stream(cells: &[Cell], mapping: &str) -> BatchStream {
    let mut stream = BatchStream::new(Mapping::parse(mapping).unwrap(), LIMITS);
    stream.begin(scan_all(&region(cells))).unwrap();
    stream
}

/// What the reader makes without the C interface.
fn expected(mapping: &str) -> Vec<RecordBatch> {
    let scan = scan_all(&region(&cells()));
    let mut reader = BatchReader::of_scan(scan, &Mapping::parse(mapping).unwrap(), LIMITS).unwrap();
    read_all(&mut reader).collect()
}

/// Moves a batch away, as a consumer does.
fn imported(schema: &ArrowStruct, batch: &ArrowStruct) -> RecordBatch {
    // SAFETY: the address is that of an exported schema, which lives during the call.
    let schema = unsafe { &*std::ptr::with_exposed_provenance::<FFI_ArrowSchema>(schema.address()) };
    let place = std::ptr::with_exposed_provenance_mut(batch.address());
    // SAFETY: the address is that of an exported batch, which is moved away once.
    let array = unsafe { FFI_ArrowArray::from_raw(place) };
    // SAFETY: both were exported together.
    let data = unsafe { from_ffi(array, schema) }.unwrap();
    RecordBatch::from(StructArray::from(data))
}

fn all(mut stream: BatchStream) -> Vec<RecordBatch> {
    let schema = stream.schema().unwrap();
    let mut batches = Vec::new();
    loop {
        let more = stream.advance().unwrap();
        while let Some(batch) = stream.take().unwrap() {
            batches.push(imported(&schema, &batch));
        }
        if !more {
            return batches;
        }
    }
}

#[test]
fn what_comes_out_is_what_went_in() {
    for mapping in [MAPPING, "*", ":key"] {
        let batches = all(stream(&cells(), mapping));
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 500);
        assert_eq!(batches, expected(mapping));
    }
}

#[test]
fn scans_follow_each_other() {
    let mut both = stream(&cells(), MAPPING);
    while both.advance().unwrap() {}
    assert_eq!(both.scan_rows(), 500);
    both.begin(scan_all(&region(&cells()))).unwrap();
    assert_eq!(all(both).len(), 2 * expected(MAPPING).len());
}

#[test]
fn rows_that_were_read_elsewhere_make_batches() {
    let cells = cells();
    let scan = scan_all(&region(&cells));
    let mut rows = grampus_store::FrozenRows::of_at_most(1 << 30);
    let mut scan = scan;
    let limits =
        grampus_store::FrozenLimits { rows: 1000, bytes: 1 << 30, ..grampus_store::FrozenLimits::USUAL };
    while scan.next(&limits, &mut rows).unwrap() != grampus_store::read::Stop::End && rows.cells().is_empty()
    {
    }
    let counts: Vec<u32> = rows.cell_counts().collect();
    let mut stream = BatchStream::new(Mapping::parse(MAPPING).unwrap(), LIMITS);
    stream.append(rows.cells(), &counts).unwrap();
    assert_eq!(all(stream), expected(MAPPING));
}

#[test]
fn batches_outlive_their_stream() {
    let mut from = stream(&cells(), MAPPING);
    let schema = from.schema().unwrap();
    let first = loop {
        from.advance().unwrap();
        if let Some(batch) = from.take().unwrap() {
            break batch;
        }
    };
    drop(from);
    let first = imported(&schema, &first);
    drop(schema);
    assert_eq!(first, expected(MAPPING)[0]);
}

#[test]
fn what_is_not_taken_is_released() {
    let mut unread = stream(&cells(), MAPPING);
    let schema = unread.schema().unwrap();
    while unread.advance().unwrap() {}
    let batch = unread.take().unwrap().unwrap();
    assert_ne!(batch.address(), schema.address());
    drop(batch);
    drop(unread);
    drop(schema);
}

#[test]
fn an_error_is_the_end() {
    let mut cells = cells();
    cells.push(Cell::put("row0100x", "f", "number", 1, "no int"));
    let mut stream = stream(&cells, MAPPING);
    let error = loop {
        if let Err(error) = stream.advance() {
            break error;
        }
    };
    assert_eq!(error.message, "row row0100x, column f:number: 6 bytes are no int, which has 4");
    assert_eq!(stream.advance().unwrap_err().kind, ErrorKind::Bug);
    assert_eq!(stream.take().err().unwrap().kind, ErrorKind::Bug);
    assert_eq!(stream.append(&[], &[]).unwrap_err().kind, ErrorKind::Bug);
}
