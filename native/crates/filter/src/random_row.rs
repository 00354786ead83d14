//! RandomRowFilter: each row with a given chance.

use std::cmp::Ordering;

use grampus_base::split_mix;
use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Keeps rows at random.
pub(crate) struct RandomRowFilter {
    /// The chance of a row, from 0 to 1 and beyond.
    pub chance: f32,
    /// State of the generator.
    pub state: u64,
    /// The current row is out.
    pub out: bool,
}

impl Filter for RandomRowFilter {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_row_key(&mut self, _row: &[u8]) -> bool {
        // 24 bits are what a float holds.
        let drawn = (split_mix(&mut self.state) >> 40) as f32 / (1u32 << 24) as f32;
        self.out = drawn.partial_cmp(&self.chance) != Some(Ordering::Less); // as HBase, nothing passes a chance that is no number
        self.out
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        if self.out { ReturnCode::NextRow } else { ReturnCode::Include }
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}
