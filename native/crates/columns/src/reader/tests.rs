//! Batches of rows that tests make, whole and hostile.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, TimestampMillisecondType};
use grampus_testkit::random::Random;
use grampus_testkit::wire::Cell;

use super::*;

/// Hands out blocks of cells, each with the numbers of cells of its rows.
struct Blocks {
    blocks: std::vec::IntoIter<(Vec<u8>, Vec<u32>)>,
    current: (Vec<u8>, Vec<u32>),
    /// What the reader asked for.
    asked: Vec<(usize, usize)>,
}

impl RowSource for Blocks {
    fn advance(&mut self, rows: usize, bytes: usize) -> Result<bool> {
        self.asked.push((rows, bytes));
        self.current = self.blocks.next().unwrap_or_default();
        Ok(self.blocks.len() > 0)
    }

    fn cells(&self) -> &[u8] {
        &self.current.0
    }

    fn cell_counts(&self) -> impl Iterator<Item = u32> {
        self.current.1.iter().copied()
    }
}

/// A block for each row.
fn source(rows: &[&[Cell]]) -> Blocks {
    let block = |cells: &&[Cell]| {
        let mut out = Vec::new();
        cells.iter().for_each(|cell| cell.encode(&mut out));
        (out, vec![cells.len() as u32])
    };
    blocks(rows.iter().map(block).collect())
}

fn blocks(blocks: Vec<(Vec<u8>, Vec<u32>)>) -> Blocks {
    Blocks { blocks: blocks.into_iter(), current: Default::default(), asked: Vec::new() }
}

fn put(row: &str, column: &str, value: impl AsRef<[u8]>) -> Cell {
    let (family, qualifier) = column.split_once(':').unwrap();
    Cell::put(row, family, qualifier, 5, value)
}

fn reader(rows: &[&[Cell]], mapping: &str) -> BatchReader<Blocks> {
    BatchReader::new(source(rows), &Mapping::parse(mapping).unwrap(), BatchLimits::default())
}

/// All that a reader has.
fn batches<S: RowSource>(reader: &mut BatchReader<S>) -> impl Iterator<Item = RecordBatch> {
    std::iter::from_fn(move || reader.next_batch().unwrap())
}

fn error(rows: &[&[Cell]], mapping: &str) -> Error {
    reader(rows, mapping).next_batch().unwrap_err()
}

#[test]
fn the_newest_version_counts_and_what_is_missing_is_null() {
    let old = Cell { timestamp: 4, ..put("r1", "f:b", "old") };
    let rows: [&[Cell]; 3] = [
        &[put("r1", "f:a", "1"), put("r1", "f:b", "new"), old, put("r1", "g:x", "9")],
        &[put("r2", "f:a", "2")],
        &[put("r3", "e:z", "?"), put("r3", "f:aa", "?"), put("r3", "g:x", "")],
    ];
    let mut reader = reader(&rows, "g:x,f:b=b:string+ts,f:c,f:a");
    let batch = reader.next_batch().unwrap().unwrap();
    assert_eq!(reader.next_batch().unwrap(), None);
    assert_eq!(reader.next_batch().unwrap(), None);
    assert_eq!((batch.num_rows(), reader.rows_read()), (3, 3));
    let binary = |column: usize| {
        let array = batch.column(column).as_binary::<i32>();
        array.iter().map(|v| v.map(|v| String::from_utf8(v.to_vec()).unwrap())).collect::<Vec<_>>()
    };
    let some = |text: &str| Some(text.to_string());
    assert_eq!(binary(0), [some("r1"), some("r2"), some("r3")]);
    assert_eq!(binary(1), [some("9"), None, some("")]);
    assert_eq!(batch.column(2).as_string::<i32>().iter().collect::<Vec<_>>(), [Some("new"), None, None]);
    let stamps = batch.column(3).as_primitive::<TimestampMillisecondType>();
    assert_eq!(stamps.iter().collect::<Vec<_>>(), [Some(5), None, None]);
    assert_eq!(binary(4), [None, None, None]);
    assert_eq!(binary(5), [some("1"), some("2"), None]);
}

#[test]
fn all_cells_come_as_they_are() {
    let marker = Cell::new("r1", "f", "", 9, 14, "");
    let rows: [&[Cell]; 2] = [&[marker, put("r1", "f:a", "1")], &[put("r2", "g:b", [0xFF])]];
    let batch = reader(&rows, "*").next_batch().unwrap().unwrap();
    let lists = batch.column(1).as_list::<i32>();
    assert_eq!((lists.value_length(0), lists.value_length(1)), (2, 1));
    let cells = lists.values().as_struct();
    let families: Vec<_> = cells.column(0).as_string::<i32>().iter().flatten().collect();
    assert_eq!(families, ["f", "f", "g"]);
    assert_eq!(cells.column(1).as_binary::<i32>().value(2), b"b");
    assert_eq!(cells.column(2).as_primitive::<TimestampMillisecondType>().values()[..], [9, 5, 5]);
    assert_eq!(cells.column(3).as_primitive::<arrow_array::types::Int8Type>().values()[..], [14, 4, 4]);
    assert_eq!(cells.column(4).as_binary::<i32>().value(2), [0xFF]);
}

#[test]
fn batches_end_at_their_limits() {
    let row = |n: u32| vec![put(&format!("r{n:03}"), "f:a", n.to_be_bytes())];
    let rows: Vec<Vec<Cell>> = (0..25).map(row).collect();
    let rows: Vec<&[Cell]> = rows.iter().map(Vec::as_slice).collect();
    let mapping = Mapping::parse("f:a=a:int").unwrap();
    let sizes = |limits| {
        let mut reader = BatchReader::new(source(&rows), &mapping, limits);
        batches(&mut reader).map(|batch| batch.num_rows()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(BatchLimits { rows: 10, bytes: usize::MAX }), [10, 10, 5]);
    // A row has 4 bytes of key, its offset, number and value each.
    assert_eq!(sizes(BatchLimits { rows: usize::MAX, bytes: 16 * 20 }), [20, 5]);
    assert_eq!(sizes(BatchLimits { rows: 0, bytes: 0 }), [1; 25]);
    assert_eq!(sizes(BatchLimits::default()), [25]);

    let mut reader = BatchReader::new(source(&rows), &mapping, BatchLimits { rows: 10, bytes: 1 << 40 });
    let numbers: Vec<i32> = batches(&mut reader)
        .flat_map(|batch| batch.column(1).as_primitive::<Int32Type>().values().to_vec())
        .collect();
    assert_eq!(numbers, (0..25).collect::<Vec<_>>());
    assert_eq!(reader.source().asked[..2], [(10, CALL_BYTES_MAX), (9, CALL_BYTES_MAX)]);
}

/// A block of rows of one cell, and their counts.
fn block_of(rows: u32) -> (Vec<u8>, Vec<u32>) {
    let mut out = Vec::new();
    (0..rows).for_each(|n| put(&format!("r{n:05}"), "f:a", "1").encode(&mut out));
    (out, vec![1; rows as usize])
}

#[test]
fn nulls_count_and_blocks_become_several_batches() {
    let (cells, counts) = block_of(1000);
    let columns: Vec<String> = (0..1000).map(|n| format!("f:c{n}=c{n}:long+ts")).collect();
    let wide = Mapping::parse(&format!("f:a,{}", columns.join(","))).unwrap();
    let sizes = |mapping: &Mapping, limits| {
        let mut reader = BatchReader::new(BlockSource::new(&cells, &counts).unwrap(), mapping, limits);
        batches(&mut reader).map(|batch| batch.num_rows()).collect::<Vec<_>>()
    };
    // Each row has 16,000 bytes of nulls, and a few of its own.
    let million = BatchLimits { bytes: 1 << 20, ..BatchLimits::default() };
    assert_eq!(sizes(&wide, million)[..3], [66, 66, 66]);
    assert_eq!(sizes(&wide, million).iter().sum::<usize>(), 1000);
    assert_eq!(sizes(&Mapping::parse("f:a").unwrap(), million), [1000]);
    for mapping in ["f:a", "*"] {
        let few = BatchLimits { rows: 300, ..BatchLimits::default() };
        assert_eq!(sizes(&Mapping::parse(mapping).unwrap(), few), [300, 300, 300, 100]);
    }
}

#[test]
fn blocks_that_do_not_fit_their_counts_are_an_error() {
    let (cells, _) = block_of(2);
    let mapping = Mapping::parse("f:a").unwrap();
    for (counts, expected) in [
        (&[][..], "there are cells behind those of the last row"),
        (&[1], "there are cells behind those of the last row"),
        (&[2], "a row has a cell of another one"),
        (&[1, 0, 1], "a row has no cell"),
        (&[1, 1, 1], "malformed cell: the block ends inside it"),
    ] {
        let source = BlockSource::new(&cells, counts).unwrap();
        let error = BatchReader::new(source, &mapping, BatchLimits::default()).next_batch().unwrap_err();
        assert_eq!(error.message, expected);
    }
    let large = vec![0; source::ROW_BYTES_MAX + 1];
    let error = BlockSource::new(&large, &[1]).err().unwrap();
    assert_eq!(error.kind, ErrorKind::RowTooBig);
}

#[test]
fn calls_without_rows_do_not_end_a_batch() {
    let mut list = vec![Default::default(); 3];
    list.extend(source(&[&[put("r", "f:a", "1")]]).blocks);
    list.extend(vec![Default::default(); 3]);
    let mut reader = BatchReader::new(blocks(list), &Mapping::parse("f:a").unwrap(), BatchLimits::default());
    assert_eq!(reader.next_batch().unwrap().unwrap().num_rows(), 1);
    assert_eq!(reader.next_batch().unwrap(), None);
}

#[test]
fn an_error_names_row_and_column_and_ends_the_reader() {
    let good: &[Cell] = &[put("a", "f:n", [0, 0, 0, 1])];
    let bad: &[Cell] = &[put("b\0", "f:n", [1, 2])];
    let mut reader = reader(&[good, bad, good], "f:n=n:int");
    let error = reader.next_batch().unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadRequest);
    assert_eq!(error.message, r"row b\x00, column f:n: 2 bytes are no int, which has 4");
    assert_eq!(reader.next_batch().unwrap_err().message, "a reader of batches was used after its error");
    assert_eq!(reader.rows_read(), 0);
}

#[test]
fn what_a_column_cannot_take_is_an_error() {
    let text = Cell { value: vec![0xFF], ..put("r", "f:a", "") };
    for (cell, mapping, expected) in [
        (text.clone(), "f:a=a:string", r"row r, column f:a: \xFF is no UTF-8 from byte 0 on"),
        (put("r", "f:a", "x"), "f:a=a:long(text)", "row r, column f:a: x is no long"),
        (
            put("r", "f:a", "1.25"),
            "f:a=a:decimal(3,1)",
            "row r, column f:a: 1.25 has more digits behind the point than a decimal(3,1)",
        ),
        (put("rr", "f:a", "x"), ":key=k:long,f:a", "row rr, the row key: 2 bytes are no long, which has 8"),
        (
            Cell::new("r", "f", "a", 1, 8, ""),
            "f:a",
            "row r, column f:a: is a delete marker, which a raw scan returns; only a mapping of all cells takes them",
        ),
        (
            Cell { family: vec![0xFF], ..text.clone() },
            "*",
            r"row r, column \xFF:a: \xFF is no UTF-8 from byte 0 on",
        ),
    ] {
        assert_eq!(error(&[&[cell]], mapping).message, expected);
    }
    let long = Cell { row: vec![b'r'; 200], ..text };
    let message = error(&[&[long]], "f:a=a:string").message;
    assert!(message.starts_with(&format!("row {}... (200 bytes), column", "r".repeat(64))), "{message}");
}

#[test]
fn columns_out_of_order_are_an_error_and_not_missed() {
    for cells in [[put("r", "f:b", "1"), put("r", "f:a", "2")], [put("r", "g:a", "1"), put("r", "f:b", "2")]]
    {
        let error = error(&[&cells], "f:a,f:b,g:a");
        assert_eq!(error.kind, ErrorKind::Bug);
        assert!(error.message.ends_with("comes behind a column that it belongs before"), "{}", error.message);
    }
}

#[test]
fn rows_and_counts_that_do_not_fit_are_an_error() {
    let mut two = Vec::new();
    put("a", "f:a", "1").encode(&mut two);
    put("b", "f:a", "1").encode(&mut two);
    for (cells, counts, expected) in [
        (two.clone(), vec![2], "a row has a cell of another one"),
        (two.clone(), vec![1], "there are cells behind those of the last row"),
        (two.clone(), vec![1, 0, 1], "a row has no cell"),
        (two.clone(), vec![1, 1, 1], "malformed cell: the block ends inside it"),
        (two[..two.len() - 1].to_vec(), vec![1, 1], "malformed cell: the block ends inside it"),
    ] {
        for mapping in ["f:a", "*"] {
            let source = blocks(vec![(cells.clone(), counts.clone())]);
            let mut reader =
                BatchReader::new(source, &Mapping::parse(mapping).unwrap(), BatchLimits::default());
            assert_eq!(reader.next_batch().unwrap_err().message, expected);
        }
    }
}

#[test]
fn damaged_cells_never_panic() {
    let mut random = Random::new(11);
    let mut block = Vec::new();
    for cell in [put("row", "f:a", "1"), put("row", "f:b", [0; 4]), put("row", "g:c", "text")] {
        cell.encode(&mut block);
    }
    let mappings =
        ["f:a=a:string,f:b=b:int+ts,g:c=c:decimal(5,2)", "*", "f:b"].map(|m| Mapping::parse(m).unwrap());
    for at in 0..block.len() {
        for _ in 0..40 {
            let mut damaged = block.clone();
            damaged[at] = random.bits() as u8;
            let counts = vec![1 + random.below(4) as u32; 1 + random.below(2) as usize];
            for mapping in &mappings {
                let source = blocks(vec![(damaged.clone(), counts.clone())]);
                let _ = BatchReader::new(source, mapping, BatchLimits::default()).next_batch();
            }
        }
    }
}

#[test]
fn a_reader_may_go_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<BatchReader>();
}
