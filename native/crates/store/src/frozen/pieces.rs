//! A frozen region cut by rows, for readers that take a part each.

use grampus_base::Result;

use super::FrozenRegion;
use crate::fileset::{Clip, GroupAmong, Piece, RowGroups};

/// Row groups are cut so that files which overlap have about so many pieces together where one is asked for: at each end of a piece the
/// others' pieces lie on both sides, and count where they begin.
const PARTS: u64 = 10;
/// About how many pieces a region has at most.
const PIECES_MAX: u64 = 4096;
/// About how many parts row groups are cut into at most, all together: each costs memory and a look at row keys.
const PARTS_MAX: u64 = 16 * PIECES_MAX;

impl FrozenRegion {
    /// Pieces of about `piece_bytes` that cover all rows of all files, in ascending order of their first rows, each of which begins behind the
    /// one before. One is larger where rows are, and the last one is smaller; all are larger where there would be more than about 4,096.
    /// Reads pages of row keys, and of row groups that are small among `piece_bytes` none.
    ///
    /// # Errors
    /// A page of row keys cannot be read, or a file is an HFile that HBase wrote.
    pub fn pieces(&self, piece_bytes: u64) -> Result<Vec<Piece>> {
        let files = || self.stores.iter().flat_map(|store| store.files.files());
        files().try_for_each(|file| file.check_readable())?;
        let bounds = Clip::between(&self.start_key, &self.end_key);
        let groups = RowGroups::of(files(), &bounds, self.order)?;
        let piece_bytes = piece_bytes.max(groups.bytes() / PIECES_MAX).max(1);
        let parts: u64 = groups.among().map(|group| parts_of(&group, piece_bytes)).sum();
        let fewer = parts.div_ceil(PARTS_MAX).max(1);
        Ok(merged(groups.cut(|group| parts_of(group, piece_bytes).div_ceil(fewer))?, piece_bytes))
    }
}

/// Into how many parts a row group is cut. Where files overlap, those that begin at about the same row add up: either all have as many parts as
/// their bytes together need, or each one's are smaller by the number of files, whichever is less to read.
fn parts_of(group: &GroupAmong, piece_bytes: u64) -> u64 {
    let together = group.begun - group.below.min(group.begun);
    let shared = group.bytes.saturating_mul(group.overlapping);
    together.min(shared).saturating_mul(PARTS).div_ceil(piece_bytes).min(group.rows)
}

/// Joins pieces that follow each other, up to `piece_bytes`.
fn merged(parts: Vec<Piece>, piece_bytes: u64) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match pieces.last_mut() {
            Some(last) if last.first_row == part.first_row || last.bytes + part.bytes <= piece_bytes => {
                last.bytes += part.bytes;
            }
            _ => pieces.push(part),
        }
    }
    pieces
}

#[cfg(test)]
mod tests;
