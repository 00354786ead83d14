//! RandomRowFilter: each row with a given chance.

use std::cmp::Ordering;

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
        // SplitMix64; 24 bits are what a float holds.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let drawn = ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32;
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
