//! Smallest and largest value of a set of cells.

use crate::CellType;

/// Values are kept up to this many bytes.
pub(crate) const VALUE_BYTES_MAX: usize = 32;

/// Values of a column's puts in a row group, cut to [`VALUE_BYTES_MAX`] bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueBounds {
    /// At or below every value.
    pub min: Vec<u8>,
    /// A prefix of the largest value; `None` as bound when `max_cut` and the reader cannot extend it.
    pub max: Vec<u8>,
    /// True when the largest value is longer than `max`.
    pub max_cut: bool,
    /// False when the column has no put, and so no bounds.
    pub known: bool,
}

impl ValueBounds {
    /// Takes a cell in.
    pub fn add(&mut self, cell_type: CellType, value: &[u8]) {
        if cell_type != CellType::PUT {
            return;
        }
        let cut = value.get(..VALUE_BYTES_MAX).unwrap_or(value);
        if !self.known {
            *self = ValueBounds {
                min: cut.to_vec(),
                max: cut.to_vec(),
                max_cut: cut.len() < value.len(),
                known: true,
            };
            return;
        }
        if cut < self.min.as_slice() {
            self.min = cut.to_vec();
        }
        match cut.cmp(self.max.as_slice()) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => self.max_cut |= cut.len() < value.len(),
            std::cmp::Ordering::Greater => {
                self.max = cut.to_vec();
                self.max_cut = cut.len() < value.len();
            }
        }
    }

    /// Takes the bounds of other cells of the same qualifier in.
    pub fn merge(&mut self, other: &ValueBounds) {
        if !self.known {
            *self = other.clone();
        } else if other.known {
            if other.min < self.min {
                self.min.clone_from(&other.min);
            }
            match other.max.cmp(&self.max) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => self.max_cut |= other.max_cut,
                std::cmp::Ordering::Greater => {
                    self.max.clone_from(&other.max);
                    self.max_cut = other.max_cut;
                }
            }
        }
    }

    /// True when some value may lie within the bounds given, both included.
    pub fn may_overlap(&self, low: &[u8], high: &[u8]) -> bool {
        let below_max = self.max.as_slice() >= low || (self.max_cut && low.starts_with(&self.max));
        self.known && below_max && self.min.as_slice() <= high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_maximum_still_covers_longer_values() {
        let mut bounds = ValueBounds::default();
        let long = [b'x'; 40];
        bounds.add(CellType::PUT, &long);
        bounds.add(CellType::PUT, b"abc");
        assert!(bounds.may_overlap(&long, &long));
        assert!(bounds.may_overlap(b"abc", b"abd"));
        assert!(!bounds.may_overlap(b"y", b"z"));
        assert!(!bounds.may_overlap(b"a", b"ab"));
        assert!(!ValueBounds::default().may_overlap(b"", b"zzz"));
    }
}
