//! Smallest and largest timestamp of a set of cells, and how these and the bounds of values are written.

use grampus_cells::{CellRef, CellType, ValueBounds};

use crate::allocation::allocated;
use crate::bytes::{FieldReader, put_blob};
use crate::error::{Decoded, Malformed};

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

    pub(crate) fn read(reader: &mut FieldReader<'_>) -> Decoded<TimeBounds> {
        Ok(TimeBounds { min: reader.i64()?, max: reader.i64()? })
    }
}

/// Bytes of memory outside the struct itself.
pub(crate) fn heap_bytes(values: &ValueBounds) -> usize {
    allocated(values.min.capacity()) + allocated(values.max.capacity())
}

pub(crate) fn write_values(values: &ValueBounds, out: &mut Vec<u8>) {
    out.push(u8::from(values.known) | u8::from(values.max_cut) << 1);
    if values.known {
        put_blob(out, &values.min);
        put_blob(out, &values.max);
    }
}

pub(crate) fn read_values(reader: &mut FieldReader<'_>) -> Decoded<ValueBounds> {
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

    pub(crate) fn read(reader: &mut FieldReader<'_>) -> Decoded<CellStats> {
        Ok(CellStats { cells: reader.varint()?, deletes: reader.varint()?, times: TimeBounds::read(reader)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covering_markers_reach_down() {
        let mut times = TimeBounds::EMPTY;
        times.add(100, CellType::DELETE);
        assert_eq!(times, TimeBounds { min: 100, max: 100 });
        times.add(100, CellType::DELETE_COLUMN);
        assert_eq!(times.min, i64::MIN);
    }
}
