//! Cells, files in memory and walks for the tests of this crate.

#![allow(dead_code, clippy::unwrap_used)] // each test binary uses its part; a failed step fails the test

mod memory;

use std::cmp::Ordering;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::{CellRef, CellType, RowOrder};
use grampus_colfile::{
    ColumnFile, ColumnFileWriter, CursorOptions, DirectPages, FileCursor, FinishInfo, Result, Summary,
    WriterOptions,
};
pub(crate) use memory::Memory;
use proptest::prelude::*;

/// An owned cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub row: Vec<u8>,
    pub qualifier: Vec<u8>,
    pub timestamp: i64,
    pub cell_type: CellType,
    pub value: Vec<u8>,
    pub tags: Vec<u8>,
    pub sequence: u64,
}

impl Cell {
    pub(crate) fn borrow(&self) -> CellRef<'_> {
        CellRef {
            row: &self.row,
            qualifier: &self.qualifier,
            timestamp: self.timestamp,
            cell_type: self.cell_type,
            value: &self.value,
            tags: &self.tags,
            sequence: self.sequence,
        }
    }

    pub(crate) fn of(cell: CellRef<'_>) -> Cell {
        Cell {
            row: cell.row.to_vec(),
            qualifier: cell.qualifier.to_vec(),
            timestamp: cell.timestamp,
            cell_type: cell.cell_type,
            value: cell.value.to_vec(),
            tags: cell.tags.to_vec(),
            sequence: cell.sequence,
        }
    }

    pub(crate) fn put(row: &str, qualifier: &str, timestamp: i64, value: &[u8]) -> Cell {
        Cell {
            row: row.as_bytes().to_vec(),
            qualifier: qualifier.as_bytes().to_vec(),
            timestamp,
            cell_type: CellType::PUT,
            value: value.to_vec(),
            tags: Vec::new(),
            sequence: 0,
        }
    }
}

/// Cells in file order, without repeated keys.
pub(crate) fn sorted(mut cells: Vec<Cell>, order: RowOrder) -> Vec<Cell> {
    cells.sort_by(|a, b| a.borrow().cmp_in(&b.borrow(), order));
    cells.dedup_by(|a, b| a.borrow().cmp_in(&b.borrow(), order) == Ordering::Equal);
    // Rows that the meta order calls equal although their bytes differ cannot be told apart by it.
    cells.dedup_by(|a, b| a.row != b.row && order.compare(&a.row, &b.row) == Ordering::Equal);
    cells
}

pub(crate) fn write(cells: &[Cell], options: &WriterOptions, finish: FinishInfo) -> (Vec<u8>, Summary) {
    let mut writer = ColumnFileWriter::new(Vec::new(), options.clone()).unwrap();
    for cell in cells {
        writer.append(cell.borrow()).unwrap();
    }
    writer.finish(finish).unwrap()
}

/// An open file and the pages to read it through.
#[derive(Clone)]
pub(crate) struct Opened {
    pub file: Arc<ColumnFile>,
    pub pages: Arc<DirectPages>,
}

pub(crate) fn open(bytes: Vec<u8>) -> Result<Opened> {
    let source: Arc<dyn RandomRead> = Arc::new(Memory(bytes));
    Ok(Opened { file: Arc::new(ColumnFile::open(&source)?), pages: Arc::new(DirectPages::new(source)) })
}

impl Opened {
    pub(crate) fn cursor(&self, options: &CursorOptions<'_>) -> FileCursor {
        FileCursor::new(Arc::clone(&self.file), self.pages.clone(), options)
    }

    pub(crate) fn scan(&self, options: &CursorOptions<'_>) -> Result<Vec<Cell>> {
        let mut cursor = self.cursor(options);
        cursor.seek_first()?;
        rest(&mut cursor)
    }
}

/// All cells from the cursor's place on.
pub(crate) fn rest(cursor: &mut FileCursor) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    while cursor.row().is_some() {
        while let Some(cell) = cursor.cell() {
            cells.push(Cell::of(cell));
            cursor.next_cell()?;
        }
        cursor.next_row()?;
    }
    Ok(cells)
}

fn qualifier() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        2 => Just(b"a".to_vec()),
        2 => Just(b"bb".to_vec()),
        1 => Just(Vec::new()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ]
}

fn row(order: RowOrder) -> BoxedStrategy<Vec<u8>> {
    match order {
        RowOrder::Bytes => prop_oneof![
            (0u32..60).prop_map(|n| format!("row{n:03}").into_bytes()),
            prop::collection::vec(any::<u8>(), 1..6),
        ]
        .boxed(),
        RowOrder::Meta => ("t[0-2]", "[!-/a-c]{0,3}", 0u32..5)
            .prop_map(|(table, start, id)| format!("{table},{start},{id}").into_bytes())
            .boxed(),
    }
}

/// One cell of any kind.
pub(crate) fn cell(order: RowOrder) -> impl Strategy<Value = Cell> {
    let kind = prop_oneof![
        12 => Just(CellType::PUT),
        1 => Just(CellType::DELETE),
        1 => Just(CellType::DELETE_COLUMN),
        1 => Just(CellType::DELETE_FAMILY),
        1 => Just(CellType::DELETE_FAMILY_VERSION),
    ];
    let timestamp = prop_oneof![5 => 0i64..20, 1 => any::<i64>()];
    let value = prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 0..12),
        1 => "[0-9]{1,9}".prop_map(String::into_bytes),
        1 => (0u64..1000).prop_map(|n| n.to_be_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 300),
    ];
    let tags = prop_oneof![9 => Just(Vec::new()), 1 => Just(vec![0, 2, 7, 9])];
    let sequence = prop_oneof![1 => Just(0u64), 1 => 1u64..50];
    (row(order), qualifier(), timestamp, kind, value, tags, sequence).prop_map(
        |(row, qualifier, timestamp, cell_type, value, tags, sequence)| Cell {
            row,
            qualifier: if cell_type.is_family_delete() { Vec::new() } else { qualifier },
            timestamp,
            value: if cell_type.is_delete() { Vec::new() } else { value },
            cell_type,
            tags,
            sequence,
        },
    )
}
