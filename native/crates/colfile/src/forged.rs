//! Files that no writer makes, all checksums being right: what is read of them ends soon, with an error or not.

use std::sync::Arc;

use grampus_base::{RandomRead, narrow};
use grampus_cells::{CellRef, CellType, RunBuffers};

use crate::cell_page::CellColumns;
use crate::compression::Compression;
use crate::encoding::blobs::Target;
use crate::every_column::EveryColumn;
use crate::memory_file::MemoryFile;
use crate::page::{PageAt, PageKind, seal};
use crate::qualifiers::Qualifiers;
use crate::verify::verify;
use crate::{
    ColumnFile, ColumnFileWriter, CursorOptions, DirectPages, FileCursor, FinishInfo, Result, WriterOptions,
};

const ROWS: u32 = 10;

/// A file of ten rows of one column, or of one rare qualifier, the page of which has another body.
fn forged_page(kind: PageKind, body: &[u8]) -> (Arc<ColumnFile>, Arc<dyn RandomRead>) {
    let column_bytes_min = if kind == PageKind::Column { 0 } else { u64::MAX };
    let options = WriterOptions { column_bytes_min, ..WriterOptions::default() };
    let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
    for row in 0..ROWS {
        let (row, value, tags) = (&row.to_be_bytes()[..], b"".as_slice(), b"".as_slice());
        let cell_type = CellType::PUT;
        writer
            .append(CellRef { row, qualifier: b"q", timestamp: 1, cell_type, value, tags, sequence: 0 })
            .unwrap();
    }
    let mut bytes = writer.finish(FinishInfo::default()).unwrap().0;
    let sound: Arc<dyn RandomRead> = Arc::new(MemoryFile(bytes.clone()));
    let mut file = ColumnFile::open(&sound).unwrap();
    let page = seal(kind, body, Compression::None).unwrap();
    let (offset, stored_len) = (bytes.len() as u64, narrow::to_u32(page.len()));
    bytes.extend_from_slice(&page);
    let group = &mut file.footer.groups[0];
    let chunk = if kind == PageKind::Column { &mut group.columns[0].chunk } else { &mut group.mixed };
    chunk.pages[0].at = PageAt { offset, stored_len, raw_len: narrow::to_u32(body.len()), kind };
    (Arc::new(file), Arc::new(MemoryFile(bytes)))
}

fn forged(body: &[u8]) -> (Arc<ColumnFile>, Arc<dyn RandomRead>) {
    forged_page(PageKind::Column, body)
}

/// Presence by rows: integers of some bits each, as in bit packing.
fn rows(count: u32, width: u8, packed: &[u8]) -> Vec<u8> {
    [&[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, width], &count.to_le_bytes()[..], packed].concat()
}

/// The body of a page of empty puts at time 1 that begins with row 0.
fn page(cells: u32, presence: &[u8]) -> Vec<u8> {
    let count = &cells.to_le_bytes()[..];
    [&[0, 0, 0, 0, 0], count, presence, &[1, 1, 0, 0, 0, 0, 0, 0, 0x80, 0], count].concat()
}

fn cursor(body: &[u8]) -> FileCursor {
    let (file, source) = forged(body);
    FileCursor::new(file, Arc::new(DirectPages::new(source)), &CursorOptions::default())
}

/// Cells that a walk comes to, a thousand at most.
fn walked(body: &[u8]) -> Result<usize> {
    let (mut cursor, mut cells) = (cursor(body), 0);
    cursor.seek_first()?;
    while cursor.row().is_some() && cells < 1000 {
        match cursor.cell() {
            Some(_) => {
                cells += 1;
                cursor.next_cell()?;
            }
            None => cursor.next_row()?,
        }
    }
    Ok(cells)
}

#[test]
fn a_page_with_more_rows_than_its_row_group_is_malformed() {
    assert_eq!(walked(&page(ROWS, &[0])).unwrap(), ROWS as usize);
    for body in [page(ROWS + 1, &[0]), page(u32::MAX, &[0])] {
        let error = walked(&body).unwrap_err().to_string();
        assert!(error.contains("a page has cells after the last row of its row group"), "{error}");
    }
}

#[test]
fn a_page_of_rare_qualifiers_names_none_of_more_rows_than_its_row_group() {
    let named = |rows: u32| {
        let cells = CellColumns {
            rows: (0..rows).collect(),
            timestamps: vec![1; rows as usize],
            qualifiers: vec![b"q"; rows as usize],
            ..CellColumns::default()
        };
        let (file, source) = forged_page(PageKind::Mixed, &cells.encode(Target::of(Compression::None)));
        let mut found = Qualifiers::of_at_most(10, 100);
        file.add_qualifiers(&DirectPages::new(source), &mut found)?;
        Result::Ok(found.into_names().collect::<Vec<_>>())
    };
    assert_eq!(named(ROWS).unwrap(), [b"q"]);
    let error = named(ROWS + 1).unwrap_err().to_string();
    assert!(error.contains("a page has cells after the last row of its row group"), "{error}");
}

#[test]
fn a_walk_over_rows_that_do_not_ascend_ends() {
    let body = page(51, &rows(51, 8, &[vec![0], vec![9; 20], vec![1; 30]].concat()));
    assert!(walked(&body).unwrap() <= 51);
    let (file, source) = forged(&body);
    assert!(verify(&file, &source).is_err());
}

#[test]
fn a_run_of_rows_takes_no_memory_for_more_cells_than_rows() {
    let cells = 100_000;
    let mut cursor = cursor(&page(cells, &rows(cells, 0, &[])));
    cursor.seek_first().unwrap();
    let mut buffers = RunBuffers::default();
    let error = cursor.column_run(None, &mut buffers, &mut EveryColumn).unwrap_err().to_string();
    assert!(error.contains("the footer's single puts"), "{error}");
    let room = buffers.rows.capacity().max(buffers.integers[0].capacity());
    assert!(room <= ROWS as usize, "room for {room} cells");
}

#[test]
fn cells_that_are_all_the_same_are_read_again() {
    let cells = 200_001;
    let options = WriterOptions { block_size: 64 << 20, column_bytes_min: 0, ..WriterOptions::default() };
    let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
    let (cell_type, value, tags) = (CellType::PUT, b"".as_slice(), b"".as_slice());
    let cell = CellRef { row: b"r", qualifier: b"q", timestamp: 1, cell_type, value, tags, sequence: 0 };
    (0..cells).for_each(|_| writer.append(cell).unwrap());
    let bytes = writer.finish(FinishInfo::default()).unwrap().0;
    let source: Arc<dyn RandomRead> = Arc::new(MemoryFile(bytes));
    let file = Arc::new(ColumnFile::open(&source).unwrap());
    assert_eq!(file.stats().cells, cells);
    verify(&file, &source).unwrap();
}
