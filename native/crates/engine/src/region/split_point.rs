//! Where a region is split: the row that halves the bytes of its largest store, over all files.

use grampus_base::Result;
use grampus_cells::RowOrder;
use grampus_store::fileset::RowGroupSpan;
use grampus_store::flush::FlushReason;

use super::Region;
use super::store::Store;

/// A row group that may lie on both sides of the middle is looked at in pieces of this share of all bytes.
const PIECES: u64 = 64;

/// Rows in order, each with the bytes of all row groups up to it.
struct Sums<'a> {
    order: RowOrder,
    rows: Vec<(&'a [u8], u64)>,
}

impl<'a> Sums<'a> {
    fn new(order: RowOrder, groups: impl Iterator<Item = (&'a [u8], u64)>) -> Sums<'a> {
        let mut rows: Vec<(&[u8], u64)> = groups.collect();
        rows.sort_by(|a, b| order.compare(a.0, b.0));
        let mut sum = 0;
        for (_, bytes) in &mut rows {
            sum += *bytes;
            *bytes = sum;
        }
        Sums { order, rows }
    }

    /// Bytes of the groups whose row is below a row.
    fn below(&self, row: &[u8]) -> u64 {
        self.at(self.rows.partition_point(|(known, _)| self.order.compare(known, row).is_lt()))
    }

    /// The same of those whose row is not above it.
    fn up_to(&self, row: &[u8]) -> u64 {
        self.at(self.rows.partition_point(|(known, _)| self.order.compare(known, row).is_le()))
    }

    fn at(&self, count: usize) -> u64 {
        count.checked_sub(1).and_then(|last| self.rows.get(last)).map_or(0, |(_, bytes)| *bytes)
    }
}

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
        let pieces = self.pieces(store)?;
        let total: u64 = pieces.iter().map(|(_, bytes)| bytes).sum();
        let mut before: u64 = 0;
        let mut best = None;
        for (row, bytes) in pieces {
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

    /// First row and bytes of pieces that cover all files, in the order of their first rows.
    fn pieces(&self, store: &Store) -> Result<Vec<(Vec<u8>, u64)>> {
        let files = store.files.snapshot();
        let groups: Vec<(usize, RowGroupSpan)> = (files.files().iter().enumerate())
            .flat_map(|(index, file)| file.row_groups().into_iter().map(move |group| (index, group)))
            .collect();
        let total: u64 = groups.iter().map(|(_, group)| group.bytes).sum();
        let begun = Sums::new(self.order, groups.iter().map(|(_, group)| (&group.first[..], group.bytes)));
        let ended = Sums::new(self.order, groups.iter().map(|(_, group)| (&group.last[..], group.bytes)));
        let mut pieces = Vec::new();
        for (index, group) in &groups {
            let straddles = begun.up_to(&group.last) > total / 2 && ended.below(&group.first) < total / 2;
            let wanted = if straddles { (group.bytes * PIECES).div_ceil(total.max(1)) } else { 1 };
            let count = wanted.clamp(1, group.rows.max(1));
            pieces.push((group.first.clone(), group.bytes / count));
            for piece in 1..count {
                let rank = group.rows_before + group.rows * piece / count;
                let row = files.files().get(*index).map_or(Ok(None), |file| file.row_at(rank))?;
                pieces.extend(row.map(|row| (row, group.bytes / count)));
            }
        }
        pieces.sort_by(|a, b| self.order.compare(&a.0, &b.0));
        Ok(pieces)
    }

    /// Whether a split at the row leaves rows on both sides.
    fn is_inside(&self, row: &[u8]) -> bool {
        self.contains_row(row) && row != self.start_key.as_slice() && !row.is_empty()
    }

    /// For files that no piece divides, such as parts of another region's file: the row in the middle by count.
    fn middle_row(&self, store: &Store) -> Result<Option<Vec<u8>>> {
        let files = store.files.snapshot();
        let largest = files.files().iter().max_by_key(|file| file.effective_bytes());
        let middle = largest.map_or(Ok(None), |file| file.middle_row())?;
        Ok(middle.filter(|row| self.is_inside(row)))
    }
}
