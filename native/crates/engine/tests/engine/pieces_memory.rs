//! What cutting a region with keys of the largest size takes of memory.

use std::time::Duration;

use grampus_testkit::wire::{Batch, Cell, RowOp};

use crate::common::{Fixture, noise, start};
use crate::counted::peak;

const ROWS: u32 = 2_000;
const KEY_BYTES: usize = 20_000;
/// What parts of files and memtables may take together, the list that has them included.
const LIMIT: usize = 10 << 20;
const REPLY_ROWS_BYTES: usize = 2 << 20;

/// A key that no encoding makes much smaller.
fn key(n: u32) -> String {
    let noise: String = noise(n).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{n:06}{}", noise.repeat(KEY_BYTES / noise.len() + 1))[..KEY_BYTES].to_string()
}

fn put(f: &Fixture, family: &str) {
    for chunk in (0..ROWS).collect::<Vec<_>>().chunks(100) {
        let add =
            |batch: Batch, n: &u32| batch.row_op(RowOp::put(&[Cell::put(&key(*n), family, "q", 1, "v")]));
        f.mutate(&chunk.iter().fold(Batch::new(), add));
    }
}

#[test]
fn keys_of_any_size_take_a_bounded_memory() {
    let f = start(&[("f", ""), ("g", "")]);
    f.engine.set_compactions_enabled(false);
    put(&f, "f");
    f.region.flush().unwrap();
    put(&f, "f");
    f.region.flush().unwrap();
    put(&f, "g");
    let whole: u64 = f.region.pieces(u64::MAX, Duration::MAX).unwrap().iter().map(|piece| piece.bytes).sum();
    let (pieces, most) = peak(|| f.region.pieces(1, Duration::MAX).unwrap());
    assert!(most <= LIMIT, "{most} bytes");
    assert!(pieces.iter().map(|piece| piece.first_row.len()).sum::<usize>() <= REPLY_ROWS_BYTES);
    assert!(pieces.len() > 40, "{} pieces", pieces.len());
    assert_eq!(pieces.iter().map(|piece| piece.bytes).sum::<u64>(), whole);
}
