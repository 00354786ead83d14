//! RandomRowFilter: each row with a given chance.
//!
//! The chance is drawn from the row's key, so that a row has one answer however often it is asked about: a read that gave up because it would have
//! blocked begins again, and a row is evaluated by more ways than one.

use std::cmp::Ordering;

use grampus_base::split_mix;
use grampus_cells::CellRef;

use super::{Filter, ReturnCode};

/// Keeps rows at random.
pub(crate) struct RandomRowFilter {
    /// The chance of a row, from 0 to 1 and beyond.
    pub chance: f32,
    /// What the keys are mixed with.
    pub seed: u64,
    /// The current row is out.
    pub out: bool,
}

impl Filter for RandomRowFilter {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let drawn = draw(self.seed, row);
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

/// A number from 0 to 1, the latter excluded, for a row.
fn draw(seed: u64, row: &[u8]) -> f32 {
    let mut state = seed ^ row.len() as u64;
    for piece in row.chunks(8) {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
        state ^= u64::from_le_bytes(bytes);
        state = split_mix(&mut state);
    }
    // 24 bits are what a float holds.
    (split_mix(&mut state) >> 40) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: u32 = 10_000;

    fn kept(filter: &mut RandomRowFilter) -> Vec<u32> {
        (0..ROWS).filter(|n| !filter.filter_row_key(format!("row{n:08}").as_bytes())).collect()
    }

    #[test]
    fn a_row_has_one_answer_however_often_it_is_asked_about() {
        let mut filter = RandomRowFilter { chance: 0.3, seed: 7, out: false };
        let first = kept(&mut filter);
        assert_eq!(kept(&mut filter), first);
        let later = first.iter().filter(|n| !filter.filter_row_key(format!("row{n:08}").as_bytes()));
        assert_eq!(later.count(), first.len());
        let other = kept(&mut RandomRowFilter { chance: 0.3, seed: 8, out: false });
        assert_ne!(other, first);
    }

    #[test]
    fn rows_pass_as_often_as_the_chance_says() {
        for (chance, expected) in
            [(0.0, 0), (0.1, ROWS / 10), (0.5, ROWS / 2), (1.0, ROWS), (2.0, ROWS), (-1.0, 0), (f32::NAN, 0)]
        {
            let passed = kept(&mut RandomRowFilter { chance, seed: 1, out: false }).len();
            let off = expected.abs_diff(u32::try_from(passed).unwrap());
            // Six times the standard deviation, which is at most 50.
            assert!(
                off <= if (0.0..1.0).contains(&chance) && chance > 0.0 { 300 } else { 0 },
                "{passed} of {chance}"
            );
        }
    }
}
