//! A damaged file gives an error or the very same cells; it never panics and never gives other cells. Verifying it finds every
//! damage.

use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::{CellType, RowOrder};
use grampus_colfile::{BloomKind, ColumnFile, Compression, CursorOptions, FinishInfo, WriterOptions, verify};
use proptest::prelude::*;

use crate::common::{self, Cell, cell, open, sorted, write};

fn sample(compression: Compression) -> (Vec<Cell>, Vec<u8>) {
    let mut cells: Vec<Cell> = (0..40)
        .flat_map(|n| {
            ["a", "b", "rare"].map(|q| Cell::put(&format!("row{n:02}"), q, n, format!("v{n}").as_bytes()))
        })
        .filter(|c| c.qualifier != b"rare" || c.row.ends_with(b"7"))
        .collect();
    cells.push(Cell { cell_type: CellType::DELETE_FAMILY, ..Cell::put("row05", "", 3, b"") });
    let cells = sorted(cells, RowOrder::Bytes);
    let options = WriterOptions {
        block_size: 256,
        row_group_rows_max: 15,
        column_bytes_min: 10,
        bloom: BloomKind::RowCol,
        compression,
        ..WriterOptions::default()
    };
    let (bytes, _) = write(&cells, &options, FinishInfo { max_sequence: 9, ..FinishInfo::default() });
    (cells, bytes)
}

fn check(bytes: Vec<u8>, cells: &[Cell], what: &str) {
    if let Ok(found) = open(bytes).and_then(|opened| opened.scan(&CursorOptions::default())) {
        assert_eq!(found, cells, "{what}");
    }
}

#[test]
fn every_flipped_byte_is_noticed_or_harmless() {
    for compression in [Compression::None, Compression::Zstd] {
        let (cells, bytes) = sample(compression);
        for at in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xFF] {
                let mut bad = bytes.clone();
                bad[at] ^= mask;
                check(bad, &cells, &format!("byte {at} mask {mask:#x}"));
            }
        }
    }
}

#[test]
fn every_truncation_is_noticed() {
    let (_, bytes) = sample(Compression::None);
    for len in 0..bytes.len() {
        assert!(open(bytes[..len].to_vec()).is_err(), "cut to {len}");
    }
}

#[test]
fn errors_name_file_page_and_byte() {
    let (_, mut bytes) = sample(Compression::None);
    bytes[40] ^= 1;
    let error = open(bytes).unwrap().scan(&CursorOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "memory is corrupt in the page at offset 8, byte 12: the checksum does not match");
}

/// Opens and verifies a file; the error's sentence.
fn verify(bytes: Vec<u8>) -> Result<(), String> {
    let source: Arc<dyn RandomRead> = Arc::new(common::Memory(bytes));
    let file = ColumnFile::open(&source).map_err(|e| e.to_string())?;
    verify::verify(&Arc::new(file), &source).map(|_| ()).map_err(|e| e.to_string())
}

#[test]
fn verifying_finds_every_flipped_byte_and_names_file_and_offset() {
    for compression in [Compression::None, Compression::Zstd] {
        let (_, bytes) = sample(compression);
        assert_eq!(verify(bytes.clone()), Ok(()));
        for at in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xFF] {
                let mut bad = bytes.clone();
                bad[at] ^= mask;
                let error = verify(bad).expect_err(&format!("byte {at} mask {mask:#x}"));
                assert!(error.starts_with("memory") && error.contains("offset"), "byte {at}: {error}");
            }
        }
    }
}

#[test]
fn verifying_notices_what_lies_between_pages() {
    let (_, bytes) = sample(Compression::None);
    let longer = [&bytes[..], &[0; 8]].concat();
    assert!(verify(longer).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn damage_anywhere_never_panics(
        cells in prop::collection::vec(cell(RowOrder::Bytes), 1..60),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let cells = sorted(cells, RowOrder::Bytes);
        let options = WriterOptions { block_size: 128, row_group_rows_max: 5, column_bytes_min: 20, ..WriterOptions::default() };
        let (mut bytes, _) = write(&cells, &options, FinishInfo::default());
        prop_assert_eq!(verify(bytes.clone()), Ok(()));
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = verify(bytes.clone());
        check(bytes, &cells, "damaged");
    }

    #[test]
    fn decoders_survive_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        grampus_colfile::fuzz::blobs(&bytes);
        grampus_colfile::fuzz::ints(&bytes);
        grampus_colfile::fuzz::cell_page(&bytes);
        grampus_colfile::fuzz::row_key_page(&bytes);
        grampus_colfile::fuzz::rows_page(&bytes);
        grampus_colfile::fuzz::footer(&bytes);
        grampus_colfile::fuzz::page(&bytes);
        grampus_colfile::fuzz::hfile_tail(&bytes);
        grampus_colfile::fuzz::file(&bytes);
    }
}
