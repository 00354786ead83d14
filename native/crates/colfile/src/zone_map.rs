//! Smallest and largest timestamp and value of a set of cells.

use crate::allocation::allocated;
use crate::bytes::{ByteReader, put_blob};
use crate::error::{Decoded, Malformed};
use crate::{CellRef, CellType};

/// Values are kept up to this many bytes.
pub const ZONE_VALUE_BYTES_MAX: usize = 32;

/// Timestamps of a set of cells, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBounds {
    /// Smallest timestamp; `i64::MIN` when the cells have a marker that reaches down to all older cells.
    pub min: i64,
    /// Largest timestamp.
    pub max: i64,
}

impl TimeBounds {
    /// The bounds of no cell; widening replaces them.
    pub const EMPTY: TimeBounds = TimeBounds { min: i64::MAX, max: i64::MIN };

    /// Takes a cell in. DeleteColumn and DeleteFamily reach down to the oldest cell.
    pub fn add(&mut self, timestamp: i64, cell_type: CellType) {
        let covers_older = cell_type == CellType::DELETE_COLUMN || cell_type == CellType::DELETE_FAMILY;
        self.min = self.min.min(if covers_older { i64::MIN } else { timestamp });
        self.max = self.max.max(timestamp);
    }

    /// Takes another set in.
    pub fn merge(&mut self, other: TimeBounds) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.min.to_le_bytes());
        out.extend_from_slice(&self.max.to_le_bytes());
    }

    pub(crate) fn read(reader: &mut ByteReader<'_>) -> Decoded<TimeBounds> {
        Ok(TimeBounds { min: reader.i64()?, max: reader.i64()? })
    }
}

/// Values of a column's puts in a row group, cut to [`ZONE_VALUE_BYTES_MAX`] bytes.
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
        let cut = value.get(..ZONE_VALUE_BYTES_MAX).unwrap_or(value);
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
    pub(crate) fn merge(&mut self, other: &ValueBounds) {
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

    /// Bytes of memory outside the struct itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        allocated(self.min.capacity()) + allocated(self.max.capacity())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.known) | u8::from(self.max_cut) << 1);
        if self.known {
            put_blob(out, &self.min);
            put_blob(out, &self.max);
        }
    }

    pub(crate) fn read(reader: &mut ByteReader<'_>) -> Decoded<ValueBounds> {
        let at = reader.at();
        match reader.u8()? {
            0 => Ok(ValueBounds::default()),
            flags @ (1 | 3) => {
                let (min, max) = (reader.blob()?.to_vec(), reader.blob()?.to_vec());
                Ok(ValueBounds { min, max, max_cut: flags == 3, known: true })
            }
            _ => Err(Malformed::new(at, "unknown zone map flags")),
        }
    }
}

/// Counts and bounds of a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellStats {
    /// All cells.
    pub cells: u64,
    /// Delete markers among them.
    pub deletes: u64,
    /// Their timestamps.
    pub times: TimeBounds,
}

impl CellStats {
    /// No cells.
    pub const EMPTY: CellStats = CellStats { cells: 0, deletes: 0, times: TimeBounds::EMPTY };

    /// Takes a cell in.
    pub fn add(&mut self, cell: &CellRef<'_>) {
        self.cells += 1;
        self.deletes += u64::from(cell.cell_type.is_delete());
        self.times.add(cell.timestamp, cell.cell_type);
    }

    /// Takes another set in.
    pub fn merge(&mut self, other: CellStats) {
        self.cells = self.cells.saturating_add(other.cells);
        self.deletes = self.deletes.saturating_add(other.deletes);
        self.times.merge(other.times);
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        crate::bytes::put_varint(out, self.cells);
        crate::bytes::put_varint(out, self.deletes);
        self.times.write(out);
    }

    pub(crate) fn read(reader: &mut ByteReader<'_>) -> Decoded<CellStats> {
        Ok(CellStats { cells: reader.varint()?, deletes: reader.varint()?, times: TimeBounds::read(reader)? })
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

    #[test]
    fn covering_markers_reach_down() {
        let mut times = TimeBounds::EMPTY;
        times.add(100, CellType::DELETE);
        assert_eq!(times, TimeBounds { min: 100, max: 100 });
        times.add(100, CellType::DELETE_COLUMN);
        assert_eq!(times.min, i64::MIN);
    }
}
