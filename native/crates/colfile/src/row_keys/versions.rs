//! The timestamp and the sequence id that the cells of a row share, once per row instead of once per cell: a put gives all
//! its cells the same.
//!
//! `ints timestamps, with flag 1 | ints sequence ids, with flag 2`, one integer per row of the page.

use std::ops::Range;

use crate::bytes::FieldReader;
use crate::encoding::Ints;
use crate::encoding::ints::{self, Packing};
use crate::error::Decoded;

const HAS_TIMESTAMPS: u8 = 1;
const HAS_SEQUENCES: u8 = 2;

/// The page's flags that concern versions.
pub(crate) const FLAGS: u8 = HAS_TIMESTAMPS | HAS_SEQUENCES;

/// Cells per row, in halves, from which on sharing is worth its bytes: the rows' own numbers replace those of 1.5 cells each.
const CELLS_PER_ROW_MIN_HALVES: usize = 3;

/// What most cells of each row of a row group have; a part that would not pay is empty.
#[derive(Debug, Default)]
pub(crate) struct SharedVersions {
    /// As [`ints::from_i64`] maps them.
    pub(crate) timestamps: Vec<u64>,
    pub(crate) sequences: Vec<u64>,
}

/// Row, timestamp and sequence id of a cell.
type Version = (u32, u64, u64);

impl SharedVersions {
    /// Finds what the cells of each of `rows` rows share; cells are in row order.
    pub(crate) fn of(cells: impl Iterator<Item = Version> + Clone, rows: usize) -> SharedVersions {
        SharedVersions {
            timestamps: shared(cells.clone().map(|(row, timestamp, _)| (row, timestamp)), rows),
            sequences: shared(cells.map(|(row, _, sequence)| (row, sequence)), rows),
        }
    }

    /// The flags of a page of these rows.
    pub(crate) fn flags(&self) -> u8 {
        let some = |numbers: &[u64], flag| if numbers.is_empty() { 0 } else { flag };
        some(&self.timestamps, HAS_TIMESTAMPS) | some(&self.sequences, HAS_SEQUENCES)
    }

    /// Appends the part of the rows from `first` on, below `end`.
    pub(crate) fn write(&self, first: u32, end: u32, out: &mut Vec<u8>) {
        for numbers in [&self.timestamps, &self.sequences] {
            if let Some(part) = numbers.get(first as usize..end as usize) {
                ints::write(part, Packing::Tight, out);
            }
        }
    }
}

/// The number that most cells of each row have, or nothing when too few cells have it.
fn shared(cells: impl Iterator<Item = (u32, u64)> + Clone, rows: usize) -> Vec<u64> {
    let mut numbers = vec![0u64; rows];
    let mut votes = vec![0i32; rows];
    for (row, number) in cells.clone() {
        let row = row as usize;
        let (Some(chosen), Some(votes)) = (numbers.get_mut(row), votes.get_mut(row)) else { continue };
        match *votes {
            0 => (*chosen, *votes) = (number, 1),
            _ if *chosen == number => *votes += 1,
            _ => *votes -= 1,
        }
    }
    let same = cells.filter(|(row, number)| numbers.get(*row as usize) == Some(number)).count();
    if same * 2 < rows * CELLS_PER_ROW_MIN_HALVES {
        numbers.clear();
    }
    numbers
}

/// The parsed part of a page; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowVersions {
    timestamps: Option<Ints>,
    sequences: Option<Ints>,
}

impl RowVersions {
    pub(crate) fn parse(
        body: &[u8],
        reader: &mut FieldReader<'_>,
        flags: u8,
        rows: usize,
        note: &mut impl FnMut(&'static str, usize),
    ) -> Decoded<RowVersions> {
        let mut ints = |flag, name| {
            let ints = match flags & flag {
                0 => None,
                _ => Some(Ints::parse(body, reader, rows)?),
            };
            note(name, reader.at());
            Ok(ints)
        };
        let timestamps = ints(HAS_TIMESTAMPS, "timestamps")?;
        Ok(RowVersions { timestamps, sequences: ints(HAS_SEQUENCES, "sequence ids")? })
    }

    /// The timestamp of a row of the page, as [`ints::from_i64`] maps it; `None` when the page has none.
    #[inline]
    pub(crate) fn timestamp(&self, body: &[u8], index: usize) -> Option<u64> {
        self.timestamps.as_ref().map(|ints| ints.get(body, index))
    }

    /// Reads the timestamps of some rows of the page, as [`ints::from_i64`] maps them, in the place of those before: none when the page has none.
    pub(crate) fn read_timestamps(&self, body: &[u8], rows: Range<usize>, out: &mut Vec<u64>) {
        match &self.timestamps {
            Some(ints) => ints.read(body, rows, out),
            None => out.clear(),
        }
    }

    /// The sequence id of a row of the page; `None` when the page has none.
    #[inline]
    pub(crate) fn sequence(&self, body: &[u8], index: usize) -> Option<u64> {
        self.sequences.as_ref().map(|ints| ints.get(body, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_cells_of_a_row_decide_what_it_shares() {
        let cells = [(0, 7, 1), (0, 9, 1), (0, 9, 1), (1, 5, 2), (1, 5, 2), (2, 4, 3)];
        let found = SharedVersions::of(cells.into_iter(), 3);
        assert_eq!(found.timestamps, [9, 5, 4]);
        assert_eq!(found.sequences, [1, 2, 3]);
    }

    #[test]
    fn one_cell_per_row_shares_nothing() {
        let cells = (0..9u32).map(|row| (row, u64::from(row), 0));
        let found = SharedVersions::of(cells, 9);
        assert!(found.timestamps.is_empty() && found.sequences.is_empty());
    }

    #[test]
    fn the_part_of_a_page_comes_back() {
        let shared = SharedVersions { timestamps: (100..200).collect(), sequences: Vec::new() };
        let mut body = Vec::new();
        shared.write(10, 30, &mut body);
        let mut reader = FieldReader::new(&body);
        let parsed = RowVersions::parse(&body, &mut reader, shared.flags(), 20, &mut |_, _| {}).unwrap();
        assert_eq!(
            (0..20).map(|i| parsed.timestamp(&body, i)).collect::<Vec<_>>(),
            (110..130).map(Some).collect::<Vec<_>>()
        );
        assert_eq!(parsed.sequence(&body, 3), None);
    }
}
