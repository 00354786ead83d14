//! FuzzyRowFilter: rows whose key matches a pattern with fixed and free bytes, the rows between them jumped over.
//!
//! A port of HBase's filter, oddities included: a row that is shorter than a pattern matches if it matches as far as it goes, and a row
//! of which any cell was asked about without a match is dropped as a whole.

use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// A mask byte of a fixed position, once preprocessed.
const FIXED: u8 = 0xff;

/// A key with a mask.
struct Pattern {
    key: Vec<u8>,
    /// Whether a byte is fixed.
    fixed: Vec<bool>,
}

impl Pattern {
    /// Of a key and mask as they travel: the mask as an application gave it (0 fixed, 1 free) or preprocessed by its client, -1 fixed
    /// and `wildcard` free.
    fn new(mut key: Vec<u8>, mut mask: Vec<u8>, wildcard: u8) -> Pattern {
        if !mask.iter().all(|m| *m == FIXED || *m == wildcard) {
            for byte in &mut mask {
                *byte = match *byte {
                    0 => FIXED,
                    1 => wildcard,
                    other => other,
                };
            }
        }
        for (key, mask) in key.iter_mut().zip(&mask) {
            if *mask == wildcard {
                *key = 0;
            }
        }
        Pattern { key, fixed: mask.iter().map(|m| *m > i8::MAX as u8).collect() }
    }

    fn is_fixed(&self, at: usize) -> bool {
        self.fixed.get(at).is_some_and(|fixed| *fixed)
    }

    fn matches(&self, row: &[u8]) -> bool {
        let masked = row.iter().zip(&self.fixed).map(|(byte, fixed)| if *fixed { *byte } else { 0 });
        masked.zip(&self.key).all(|(byte, key)| byte == *key)
    }

    /// The nearest key behind a row that may match, in the direction of the scan: HBase's `getNextForFuzzyRule`.
    fn next(&self, row: &[u8], reversed: bool) -> Option<Vec<u8>> {
        let first = if reversed { u8::MAX } else { 0 };
        let mut next = self.key.clone();
        if row.len() > next.len() {
            next.resize(row.len(), first);
        }
        let (is_ahead, step) = self.follow(row, reversed, &mut next);
        if !is_ahead {
            self.step_from(step?, first, reversed, &mut next);
        }
        if !reversed {
            // A row that ends where only free bytes follow matches, too.
            let fixed = (0..next.len()).rev().find(|at| self.is_fixed(*at));
            next.truncate(fixed.max(step).map_or(0, |at| at + 1));
        }
        Some(next)
    }

    /// Puts the row's bytes into the free places of a key, up to the first fixed byte in which they differ. Returns whether the key lies
    /// behind the row by that byte, and the last free place whose byte can be stepped on.
    fn follow(&self, row: &[u8], reversed: bool, next: &mut [u8]) -> (bool, Option<usize>) {
        let last = if reversed { 0 } else { u8::MAX };
        let mut step = None;
        for (at, byte) in next.iter_mut().enumerate() {
            let here = row.get(at).copied().unwrap_or(0);
            if !self.is_fixed(at) {
                *byte = here;
                if here != last {
                    step = Some(at);
                }
                continue;
            }
            if here != *byte {
                return (if reversed { here > *byte } else { here < *byte }, step);
            }
        }
        (false, step)
    }

    /// Steps a key on by one at a free place; free bytes behind it begin anew, with `first`.
    fn step_from(&self, at: usize, first: u8, reversed: bool, next: &mut [u8]) {
        for (index, byte) in next.iter_mut().enumerate().skip(at) {
            if index == at {
                *byte = if reversed { byte.wrapping_sub(1) } else { byte.wrapping_add(1) };
            } else if !self.is_fixed(index) {
                *byte = first;
            }
        }
    }
}

/// Keeps rows that match one of the patterns.
pub(crate) struct FuzzyRowFilter {
    patterns: Vec<Pattern>,
    reversed: bool,
    /// The pattern that matched last.
    last_found: Option<usize>,
    /// For each pattern that may still match, the nearest row that could, once a row did not match.
    ahead: Option<Vec<(Vec<u8>, usize)>>,
    /// A cell of the row did not match.
    out: bool,
    /// No pattern can match any more.
    done: bool,
}

impl FuzzyRowFilter {
    /// Keys with masks of equal length, as they travel; `mask_v2` says that clients write 2 for a free byte, not 0.
    pub(crate) fn new(patterns: Vec<(Vec<u8>, Vec<u8>)>, mask_v2: bool, reversed: bool) -> FuzzyRowFilter {
        let wildcard = if mask_v2 { 2 } else { 0 };
        let patterns = patterns.into_iter().map(|(key, mask)| Pattern::new(key, mask, wildcard)).collect();
        FuzzyRowFilter { patterns, reversed, last_found: None, ahead: None, out: false, done: false }
    }

    /// Whether a row still lies before another in the direction of the scan.
    fn is_before(&self, row: &[u8], other: &[u8]) -> bool {
        if self.reversed { row > other } else { row < other }
    }

    /// Moves the patterns that a row has reached to the next row that they could match.
    fn update(&mut self, row: &[u8]) {
        let (mut ahead, reached): (Vec<_>, Vec<_>) = match self.ahead.take() {
            None => (Vec::new(), (0..self.patterns.len()).collect()),
            Some(known) => {
                let (ahead, reached): (Vec<_>, Vec<_>) =
                    known.into_iter().partition(|(next, _)| self.is_before(row, next));
                (ahead, reached.into_iter().map(|(_, pattern)| pattern).collect())
            }
        };
        for pattern in reached {
            let next = self.patterns.get(pattern).and_then(|p| p.next(row, self.reversed));
            ahead.extend(next.map(|next| (next, pattern)));
        }
        self.ahead = Some(ahead);
    }
}

impl Filter for FuzzyRowFilter {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_cell(&mut self, _family: &[u8], cell: &CellRef<'_>) -> ReturnCode {
        let count = self.patterns.len();
        let start = self.last_found.unwrap_or(0);
        let mut order = (start..count).chain(0..start);
        self.last_found = order.find(|index| self.patterns.get(*index).is_some_and(|p| p.matches(cell.row)));
        if self.last_found.is_some() {
            return ReturnCode::Include;
        }
        self.out = true;
        ReturnCode::Hint
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, _family: &[u8], cell: &CellRef<'_>) -> Option<Hint> {
        self.update(cell.row);
        let rows = self.ahead.iter().flatten().map(|(row, _)| row);
        let next = if self.reversed { rows.max() } else { rows.min() };
        self.done = next.is_none();
        next.cloned().map(Hint::Row)
    }
}
