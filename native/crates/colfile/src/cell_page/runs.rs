//! Many cells of a page at a time.

use std::ops::Range;

use super::bitmap::bitmap_word;
use super::{CellAt, CellPage, Presence, Versions};
use crate::error::{Decoded, Malformed};

impl CellPage {
    /// Refuses a page that has cells after the last row of its row group.
    ///
    /// `rows` is the number of rows of the group.
    pub(crate) fn check_rows(&self, body: &[u8], rows: u32) -> Decoded<()> {
        match self.rows_end(body) <= u64::from(rows) {
            true => Ok(()),
            false => Err(Malformed::new(0, "a page has cells after the last row of its row group")),
        }
    }

    /// The row after the page's last one.
    pub(super) fn rows_end(&self, body: &[u8]) -> u64 {
        let rows = match &self.presence {
            Presence::Dense => u64::from(self.cells),
            Presence::Rows(ints) => ints.get(body, self.cells as usize - 1).saturating_add(1),
            Presence::Bitmap { bits, .. } => u64::from(*bits),
        };
        rows.saturating_add(u64::from(self.first_row))
    }

    /// Whether each row from the first cell's to the last one's has one cell.
    pub(crate) fn is_dense(&self) -> bool {
        matches!(self.presence, Presence::Dense)
    }

    /// Reads the rows of the cells from one on, before a position, in the place of those before. `integers` is room for that.
    pub(crate) fn read_rows(
        &self,
        body: &[u8],
        from: CellAt,
        end: u32,
        integers: &mut Vec<u64>,
        out: &mut Vec<u32>,
    ) {
        out.clear();
        match &self.presence {
            Presence::Dense => {
                out.extend((from.index..end).map(|index| self.first_row.saturating_add(index)))
            }
            Presence::Rows(ints) => {
                ints.read(body, from.index as usize..end as usize, integers);
                let row =
                    |above: &u64| self.first_row.saturating_add(u32::try_from(*above).unwrap_or(u32::MAX));
                out.extend(integers.iter().map(row));
            }
            Presence::Bitmap { bits, at } => {
                let count = end.saturating_sub(from.index) as usize;
                let mut bit = from.row.saturating_sub(self.first_row);
                while bit < *bits && out.len() < count {
                    let mut word = bitmap_word(body, *at, *bits, bit);
                    while word != 0 && out.len() < count {
                        out.push(self.first_row + bit + word.trailing_zeros());
                        word &= word - 1;
                    }
                    bit += 64;
                }
            }
        }
    }

    /// Reads the timestamps of the cells at some positions, as [`ints::from_i64`] maps them, in the place of those before. False if the cells share those
    /// of their rows.
    pub(crate) fn read_timestamps(&self, body: &[u8], positions: Range<usize>, out: &mut Vec<u64>) -> bool {
        match &self.timestamps {
            Versions::Zero => {
                out.clear();
                out.resize(positions.len(), 0);
            }
            Versions::Own(ints) => ints.read(body, positions, out),
            Versions::OfRows => return false,
        }
        true
    }
}
