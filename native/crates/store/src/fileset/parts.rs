//! Parts of files and memtables, collected in bounded memory until they make pieces.

use grampus_cells::RowOrder;

use crate::fileset::piece::Piece;

/// About how much memory parts take at most, whatever they are of: keys of the largest size in the finest cut would take gigabytes.
const MEMORY_MAX: usize = 8 << 20;
/// About what a part takes beside its row: its place in a list that has room for more, and what the allocator adds.
const BESIDE_ROW_BYTES: usize = 2 * size_of::<Piece>();

/// Parts of about equal size of several sources. Once they take too much memory, those that follow each other are joined, so that all rows
/// are covered as before and the parts are larger.
pub struct Parts {
    order: RowOrder,
    parts: Vec<Piece>,
    memory: usize,
    /// Up to how many bytes parts were joined last.
    joined_bytes: u64,
}

impl Parts {
    /// No parts yet, of rows in an order.
    pub fn new(order: RowOrder) -> Parts {
        Parts { order, parts: Vec::new(), memory: 0, joined_bytes: 1 }
    }

    /// Adds the rows of a source from one on, up to the first one of the source's next part.
    pub fn add(&mut self, first_row: Vec<u8>, bytes: u64) {
        self.memory += first_row.len() + BESIDE_ROW_BYTES;
        self.parts.push(Piece { first_row, bytes });
        if self.memory > MEMORY_MAX {
            self.coarsen();
        }
    }

    fn coarsen(&mut self) {
        self.sort();
        loop {
            // What came since the last time is small as yet, and may make room enough.
            join(&mut self.parts, self.joined_bytes);
            self.memory = self.parts.iter().map(|part| part.first_row.len() + BESIDE_ROW_BYTES).sum();
            if self.memory <= MEMORY_MAX / 2 || self.parts.len() <= 1 {
                return;
            }
            self.joined_bytes = self.joined_bytes.saturating_mul(2);
        }
    }

    fn sort(&mut self) {
        self.parts.sort_by(|a, b| self.order.compare(&a.first_row, &b.first_row));
    }

    /// The parts, ascending by their first rows; two may begin at the same row.
    pub(crate) fn into_ascending(mut self) -> Vec<Piece> {
        self.sort();
        self.parts
    }
}

/// Joins pieces that follow each other, up to `piece_bytes`, and those that begin at the same row.
pub(super) fn join(pieces: &mut Vec<Piece>, piece_bytes: u64) {
    pieces.dedup_by(|next, last| {
        let joined = last.bytes.saturating_add(next.bytes);
        let joins = last.first_row == next.first_row || joined <= piece_bytes;
        if joins {
            last.bytes = joined;
        }
        joins
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_with_long_rows_are_joined_evenly() {
        let mut parts = Parts::new(RowOrder::Bytes);
        // Two sources one after the other, of which each has all rows.
        for source in 0..2 {
            for n in 0..5_000 {
                parts.add(format!("{:030000}", 2 * n + source).into_bytes(), 10);
                assert!(parts.memory <= MEMORY_MAX, "{} bytes", parts.memory);
            }
        }
        let parts = parts.into_ascending();
        assert!(parts.len() >= 60, "{} parts", parts.len());
        assert!(parts.windows(2).all(|pair| pair[0].first_row <= pair[1].first_row));
        assert_eq!(parts.iter().map(|part| part.bytes).sum::<u64>(), 100_000);
        let largest = parts.iter().map(|part| part.bytes).max().unwrap();
        assert!(largest <= 8 * 100_000 / parts.len() as u64, "{largest} of {} parts", parts.len());
    }

    #[test]
    fn parts_of_nothing_and_of_everything_are_joined_too() {
        let mut parts = Parts::new(RowOrder::Bytes);
        for n in 0..1_000 {
            let bytes = if n % 2 == 0 { 0 } else { u64::MAX };
            parts.add(format!("{n:030000}").into_bytes(), bytes);
            assert!(parts.memory <= MEMORY_MAX, "{} bytes", parts.memory);
        }
        assert_eq!(parts.into_ascending().first().unwrap().first_row, vec![b'0'; 30_000]);
    }
}
