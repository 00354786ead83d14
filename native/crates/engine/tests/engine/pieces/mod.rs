//! Pieces of a live region: those of its files, and of its rows in memory.

mod beside_changes;
mod checks;

use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_store::fileset::Piece;
use grampus_testkit::wire::{Batch, Cell, RowOp};

use crate::common::{Fixture, noise, start};

const NO_LIMIT: Duration = Duration::MAX;

fn row(n: u32) -> String {
    format!("r{n:06}")
}

/// Puts rows of about 100 bytes.
fn put(f: &Fixture, family: &str, rows: impl Iterator<Item = u32>) {
    let rows: Vec<u32> = rows.collect();
    for chunk in rows.chunks(500) {
        let add = |batch: Batch, n: &u32| {
            let value = noise(*n).split_off(1024 - 80);
            batch.row_op(RowOp::put(&[Cell::put(&row(*n), family, "q", 1, value)]))
        };
        f.mutate(&chunk.iter().fold(Batch::new(), add));
    }
}

fn two_families() -> Fixture {
    let f = start(&[("f", ""), ("g", "")]);
    f.engine.set_compactions_enabled(false);
    f
}

fn bytes(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|piece| piece.bytes).sum()
}

fn assert_ascending(pieces: &[Piece]) {
    assert!(pieces.windows(2).all(|pair| pair[0].first_row < pair[1].first_row));
}

#[test]
fn pieces_of_files_are_those_of_the_same_files_without_a_server() {
    let f = two_families();
    for first in 0..4 {
        put(&f, "f", (0..8_000).filter(|n| n % 4 == first));
        put(&f, "g", (first * 1_000..first * 1_000 + 3_000).step_by(3));
        f.region.flush().unwrap();
    }
    let frozen = f.frozen();
    let all = bytes(&f.region.pieces(u64::MAX, NO_LIMIT).unwrap());
    for wanted in [1, 3, 10, 200] {
        let pieces = f.region.pieces(all / wanted, NO_LIMIT).unwrap();
        assert_eq!(pieces, frozen.pieces(all / wanted).unwrap());
        assert!(pieces.len() as u64 >= wanted, "{} pieces", pieces.len());
        assert_ascending(&pieces);
    }
}

#[test]
fn rows_in_memory_count_beside_those_in_files() {
    let f = two_families();
    put(&f, "f", 0..2_000);
    f.region.flush().unwrap();
    let in_files = bytes(&f.region.pieces(u64::MAX, NO_LIMIT).unwrap());
    put(&f, "f", 2_000..8_000);
    put(&f, "g", 6_000..8_000);
    let whole = f.region.pieces(u64::MAX, NO_LIMIT).unwrap();
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].first_row, row(0).into_bytes());
    let in_memory = bytes(&whole) - in_files;
    assert!((8_000 * 80..8_000 * 120).contains(&in_memory), "{in_memory} bytes of 8,000 rows");
    let wanted = in_memory / 40;
    let pieces = f.region.pieces(wanted, NO_LIMIT).unwrap();
    assert_ascending(&pieces);
    assert_eq!(bytes(&pieces), in_memory + in_files);
    assert!(pieces.iter().all(|piece| piece.bytes <= wanted), "{pieces:?}");
    let of_g = pieces.iter().filter(|piece| piece.first_row >= row(6_000).into_bytes()).count();
    assert!(
        (18..=24).contains(&of_g),
        "{of_g} of {} pieces where half of the bytes in memory are",
        pieces.len()
    );
}

#[test]
fn a_region_of_memtables_alone_is_cut() {
    let f = two_families();
    put(&f, "g", 0..1_000);
    let all = bytes(&f.region.pieces(u64::MAX, NO_LIMIT).unwrap());
    let pieces = f.region.pieces(all / 10, NO_LIMIT).unwrap();
    assert!((10..=13).contains(&pieces.len()), "{} pieces", pieces.len());
    let rows = f.region.pieces(1, NO_LIMIT).unwrap();
    assert_eq!(rows.len(), 1_000, "a piece for each row");
}

#[test]
fn without_time_pieces_are_coarse_and_nothing_is_missing() {
    let f = two_families();
    put(&f, "f", 0..4_000);
    f.region.flush().unwrap();
    let reads = f.metric("files.page_reads");
    let all = bytes(&f.region.pieces(u64::MAX, NO_LIMIT).unwrap());
    let coarse = f.region.pieces(1, Duration::ZERO).unwrap();
    assert_eq!(bytes(&coarse), all);
    assert_eq!(coarse.len(), 1, "one row group");
    assert_eq!(f.metric("files.page_reads"), reads, "no page of row keys is read");
    put(&f, "g", 0..4_000);
    let coarse = f.region.pieces(1, Duration::ZERO).unwrap();
    assert!(coarse.len() <= 1_025, "{} pieces", coarse.len());
    assert!(bytes(&coarse) > all + 4_000 * 80);
}

#[test]
fn a_region_without_rows_has_no_pieces() {
    let f = two_families();
    assert_eq!(f.region.pieces(1, NO_LIMIT).unwrap(), []);
    f.region.flush().unwrap();
    assert_eq!(f.region.pieces(1, NO_LIMIT).unwrap(), []);
}

#[test]
fn a_closed_region_has_none_to_tell() {
    let f = two_families();
    put(&f, "f", 0..10);
    f.region.close(false).unwrap();
    assert_eq!(f.region.pieces(1, NO_LIMIT).err().unwrap().kind, ErrorKind::NotServing);
}
