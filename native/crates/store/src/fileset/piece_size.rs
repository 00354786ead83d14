//! How finely files are cut for pieces of equal bytes, in bounded work and memory.

use grampus_base::Result;

use crate::fileset::parts::{Parts, join};
use crate::fileset::piece::Piece;
use crate::fileset::pieces::{GroupAmong, RowGroups};

/// Approximate number of parts that overlapping sources have together where one piece is asked for: at each end of a piece the
/// others' parts lie on both sides, and count where they begin.
const PARTS: u64 = 10;
/// About how many pieces a region has at most.
pub(crate) const PIECES_MAX: u64 = 4096;
/// About how many parts row groups are cut into at most, all together: each costs memory and a look at row keys.
const PARTS_MAX: u64 = 16 * PIECES_MAX;
/// Bytes that the first rows of all pieces take at most: they travel in one message.
const ROWS_BYTES_MAX: usize = 2 << 20;

/// How large pieces of a region are to be. They are joined from smaller parts of each source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceSize {
    bytes: u64,
}

impl PieceSize {
    /// Pieces of about `wanted` bytes, larger ones where a region of `bytes_of_all` would have more than about 4,096.
    pub fn of(wanted: u64, bytes_of_all: u64) -> PieceSize {
        PieceSize { bytes: wanted.max(bytes_of_all / PIECES_MAX).max(1) }
    }

    /// Bytes of the parts that a source alone is cut into, at least 1.
    pub fn part_bytes(self) -> u64 {
        (self.bytes / PARTS).max(1)
    }

    /// Adds the parts of row groups. Reads pages of row keys, and of row groups that are small among the pieces none. `go_on` is asked before
    /// each; once it says no, what is left of each row group is one part.
    ///
    /// # Errors
    /// A page of row keys cannot be read, or an error of `go_on`.
    pub fn add_parts(
        self,
        groups: &RowGroups<'_>,
        parts: &mut Parts,
        go_on: &dyn Fn() -> Result<bool>,
    ) -> Result<()> {
        let count: u64 = groups.among().map(|group| self.parts_of(&group)).sum();
        let fewer = count.div_ceil(PARTS_MAX).max(1);
        groups.cut_into(parts, |group| self.parts_of(group).div_ceil(fewer), go_on)
    }

    /// Into how many parts a row group is cut. One that no other file's overlaps is cut into pieces: rows in memory may lie between, but a
    /// piece's end is only as far from where it should be as for pieces without them. Where files overlap, those that begin at about the
    /// same row add up: either all have as many parts as their bytes together need, or each one's are smaller by the number of files,
    /// whichever is less to read.
    fn parts_of(self, group: &GroupAmong) -> u64 {
        let together = group.begun - group.below.min(group.begun);
        let shared = group.bytes.saturating_mul(group.overlapping);
        let finer = if group.overlapping > 1 { PARTS } else { 1 };
        together.min(shared).saturating_mul(finer).div_ceil(self.bytes).min(group.rows)
    }

    /// The pieces that parts make, in ascending order of their first rows, each of which begins behind the one before. They are larger than
    /// they are to be where their rows would take more than 2 MiB.
    pub fn joined(self, parts: Parts) -> Vec<Piece> {
        let mut pieces = parts.into_ascending();
        let mut bytes = self.bytes;
        join(&mut pieces, bytes);
        while pieces.len() > 1 && rows_bytes(&pieces) > ROWS_BYTES_MAX {
            bytes = bytes.saturating_mul(2);
            join(&mut pieces, bytes);
        }
        pieces
    }
}

fn rows_bytes(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.first_row.len()).sum()
}

#[cfg(test)]
mod tests {
    use grampus_cells::RowOrder;

    use super::*;

    fn add(parts: &mut Parts, rows: u64, row_bytes: usize) {
        (0..rows).for_each(|n| parts.add(format!("{n:0row_bytes$}").into_bytes(), 10));
    }

    #[test]
    fn parts_that_begin_at_the_same_row_are_one_piece() {
        let mut twice = Parts::new(RowOrder::Bytes);
        add(&mut twice, 3, 4);
        add(&mut twice, 3, 4);
        let pieces = PieceSize::of(1, 60).joined(twice);
        assert_eq!(pieces.iter().map(|piece| piece.bytes).collect::<Vec<_>>(), [20, 20, 20]);
    }

    #[test]
    fn pieces_with_long_rows_are_fewer() {
        let mut parts = Parts::new(RowOrder::Bytes);
        add(&mut parts, 2_000, 30_000);
        let pieces = PieceSize::of(1, 0).joined(parts);
        assert!(rows_bytes(&pieces) <= ROWS_BYTES_MAX);
        assert!(pieces.len() >= 30, "{} pieces", pieces.len());
        assert_eq!(pieces.iter().map(|piece| piece.bytes).sum::<u64>(), 20_000);
    }

    #[test]
    fn only_row_groups_that_overlap_are_cut_more_finely_than_pieces() {
        let alone = GroupAmong { bytes: 1_000, below: 0, begun: 1_000, overlapping: 1, rows: 10_000 };
        let size = PieceSize::of(100, 2_000);
        assert_eq!(size.parts_of(&alone), 10);
        assert_eq!(size.parts_of(&GroupAmong { begun: 2_000, overlapping: 2, ..alone }), 200);
    }

    #[test]
    fn a_part_has_bytes_however_small_the_pieces_are() {
        assert_eq!(PieceSize::of(0, 0).part_bytes(), 1);
        assert_eq!(PieceSize::of(1_000, 0).part_bytes(), 100);
        assert_eq!(PieceSize::of(1, 4096 * 500).part_bytes(), 50);
    }
}
