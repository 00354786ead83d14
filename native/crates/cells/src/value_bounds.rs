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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maximum_that_is_cut_says_so() {
        let mut bounds = ValueBounds::default();
        bounds.add(CellType::DELETE_COLUMN, b"zzz");
        assert_eq!(bounds, ValueBounds::default(), "a marker has no value");
        bounds.add(CellType::PUT, &[b'x'; VALUE_BYTES_MAX]);
        bounds.add(CellType::PUT, b"abc");
        let whole = ValueBounds {
            min: b"abc".to_vec(),
            max: vec![b'x'; VALUE_BYTES_MAX],
            max_cut: false,
            known: true,
        };
        assert_eq!(bounds, whole);
        bounds.add(CellType::PUT, &[b'x'; VALUE_BYTES_MAX + 1]);
        assert_eq!(bounds, ValueBounds { max_cut: true, ..whole });
    }
}
