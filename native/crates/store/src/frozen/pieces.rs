//! A frozen region cut by rows, for readers that take a part each.

use grampus_base::Result;

use super::FrozenRegion;
use crate::fileset::{Clip, Parts, Piece, PieceSize, RowGroups};

impl FrozenRegion {
    /// Pieces of about `piece_bytes` that cover all rows of all files, in ascending order of their first rows, each of which begins behind the
    /// one before. One is larger where rows are, and the last one is smaller; all are larger where there would be more than about 4,096, or
    /// where their rows would take more than 2 MiB. Takes about 8 MiB of memory at most while it cuts.
    ///
    /// Reads pages of row keys, and of row groups that are small among `piece_bytes` none.
    ///
    /// # Errors
    /// A page of row keys cannot be read, or a file is an HFile that HBase wrote.
    pub fn pieces(&self, piece_bytes: u64) -> Result<Vec<Piece>> {
        let files = || self.stores.iter().flat_map(|store| store.files.files());
        files().try_for_each(|file| file.check_readable())?;
        let bounds = Clip::between(&self.start_key, &self.end_key);
        let groups = RowGroups::of(files(), &bounds, self.order)?;
        let size = PieceSize::of(piece_bytes, groups.bytes());
        let mut parts = Parts::new(self.order);
        size.add_parts(&groups, &mut parts, &|| Ok(true))?;
        Ok(size.joined(parts))
    }
}

#[cfg(test)]
mod tests;
