//! Where a region is split: the row that halves the bytes of its largest store, over all files.

use grampus_base::Result;
use grampus_store::fileset::{Clip, GroupAmong, Piece, RowGroups};
use grampus_store::flush::FlushReason;

use super::Region;
use super::store::Store;

/// A row group that may lie on both sides of the middle is looked at in pieces of this share of all bytes.
const PIECES: u64 = 64;

impl Region {
    /// A row strictly inside the region near the middle of its data; flushes first when nothing is in files.
    ///
    /// Row groups that surely lie on one side of the middle are known from the footers in memory. Of the others pages of row keys are
    /// read: where files do not overlap of one group, and of none that is small among all.
    pub fn split_point(&self) -> Result<Option<Vec<u8>>> {
        self.check_serving()?;
        if !self.has_files() {
            self.flush_memtables(FlushReason::Splitting)?;
        }
        let largest = self.stores.iter().max_by_key(|store| store.file_size().1);
        let Some(store) = largest else { return Ok(None) };
        let pieces = self.pieces_near_middle(store)?;
        let total: u64 = pieces.iter().map(|piece| piece.bytes).sum();
        let mut before: u64 = 0;
        let mut best = None;
        for Piece { first_row: row, bytes } in pieces {
            if before > 0 && self.is_inside(&row) {
                let distance = before.abs_diff(total / 2);
                if best.as_ref().is_none_or(|(known, _)| distance < *known) {
                    best = Some((distance, row));
                }
            }
            before += bytes;
        }
        match best {
            Some((_, row)) => Ok(Some(row)),
            None => self.middle_row(store),
        }
    }

    /// Pieces that cover all files of a store, of which those near the middle are small.
    fn pieces_near_middle(&self, store: &Store) -> Result<Vec<Piece>> {
        let files = store.files.snapshot();
        let bounds = Clip::between(&self.start_key, &self.end_key);
        let groups = RowGroups::of(files.files(), &bounds, self.order)?;
        let total = groups.bytes();
        groups.cut(|group: &GroupAmong| {
            let straddles = group.begun > total / 2 && group.below < total / 2;
            if straddles { (group.bytes * PIECES).div_ceil(total.max(1)) } else { 1 }
        })
    }

    /// Whether a split at the row leaves rows on both sides.
    fn is_inside(&self, row: &[u8]) -> bool {
        self.contains_row(row) && row != self.start_key.as_slice() && !row.is_empty()
    }

    /// Where no piece begins inside, as of many files of a few rows each: the row in the middle by count.
    fn middle_row(&self, store: &Store) -> Result<Option<Vec<u8>>> {
        let files = store.files.snapshot();
        let largest = files.files().iter().max_by_key(|file| file.effective_bytes());
        let middle = largest.map_or(Ok(None), |file| file.middle_row())?;
        Ok(middle.filter(|row| self.is_inside(row)))
    }
}
