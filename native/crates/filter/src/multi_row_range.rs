//! MultiRowRangeFilter: rows of several ranges, the gaps jumped over.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::CellRef;

use super::{Filter, Hint, ReturnCode};

/// A range of rows; an empty stop is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyRange {
    /// First row.
    pub start: Vec<u8>,
    /// Whether it belongs to the range.
    pub include_start: bool,
    /// Last row.
    pub stop: Vec<u8>,
    /// Whether it belongs to the range.
    pub include_stop: bool,
}

impl KeyRange {
    fn starts_after(&self, row: &[u8]) -> bool {
        let ordering = self.start.as_slice().cmp(row);
        ordering.is_gt() || ordering.is_eq() && !self.include_start
    }

    fn ends_before(&self, row: &[u8]) -> bool {
        let ordering = self.stop.as_slice().cmp(row);
        !self.stop.is_empty() && (ordering.is_lt() || ordering.is_eq() && !self.include_stop)
    }

    /// Adds a range that starts at or behind this one's start. False where a row between them may belong to neither.
    fn join(&mut self, next: &KeyRange) -> bool {
        let ordering = next.start.cmp(&self.stop);
        let touches = ordering.is_lt() || ordering.is_eq() && (self.include_stop || next.include_start);
        if !self.stop.is_empty() && !touches {
            return false;
        }
        if self.stop.is_empty() || next.stop.is_empty() {
            self.stop.clear();
        } else if self.stop == next.stop {
            self.include_stop |= next.include_stop;
        } else if self.stop < next.stop {
            (self.stop, self.include_stop) = (next.stop.clone(), next.include_stop);
        }
        true
    }

    fn is_valid(&self) -> bool {
        let ordering = self.start.cmp(&self.stop);
        self.start.is_empty()
            || self.stop.is_empty()
            || ordering.is_lt()
            || ordering.is_eq() && self.include_stop
    }
}

/// Keeps rows of the ranges.
pub(crate) struct MultiRowRangeFilter {
    /// Ascending and disjoint.
    ranges: Vec<KeyRange>,
    reversed: bool,
    done: bool,
    code: ReturnCode,
    /// The next range to go to.
    target: Option<Vec<u8>>,
}

impl MultiRowRangeFilter {
    /// Sorts the ranges and joins those that overlap.
    pub(crate) fn new(mut ranges: Vec<KeyRange>, reversed: bool) -> Result<MultiRowRangeFilter> {
        if ranges.is_empty() || ranges.iter().any(|range| !range.is_valid()) {
            return Err(Error::new(
                ErrorKind::BadRequest,
                "MultiRowRangeFilter: no ranges, or one that ends before it starts",
            ));
        }
        ranges.sort_by(|a, b| (&a.start, !a.include_start).cmp(&(&b.start, !b.include_start)));
        ranges.dedup_by(|next, range| range.join(next));
        Ok(MultiRowRangeFilter { ranges, reversed, done: false, code: ReturnCode::NextRow, target: None })
    }

    /// The number of ranges that end before a row.
    fn before(&self, row: &[u8]) -> usize {
        self.ranges.partition_point(|range| range.ends_before(row))
    }

    /// The nearest row ahead at which a range begins, for a row in no range; `before` is the number of ranges that end before it.
    fn ahead(&self, before: usize) -> Option<Vec<u8>> {
        match self.reversed {
            true => Some(self.ranges.get(before.checked_sub(1)?)?.stop.clone()),
            false => Some(self.ranges.get(before)?.start.clone()),
        }
    }
}

impl Filter for MultiRowRangeFilter {
    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.done {
            return true;
        }
        let before = self.before(row);
        if self.ranges.get(before).is_some_and(|range| !range.starts_after(row)) {
            self.code = ReturnCode::Include;
            return false;
        }
        self.target = self.ahead(before);
        match &self.target {
            None => {
                self.done = true;
                self.code = ReturnCode::NextRow;
            }
            // The row itself begins the range but does not belong to it.
            Some(target) if target.as_slice() == row => self.code = ReturnCode::NextRow,
            Some(_) => self.code = ReturnCode::Hint,
        }
        false
    }

    fn filter_cell(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> ReturnCode {
        self.code
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn hint(&mut self, _family: &[u8], _cell: &CellRef<'_>) -> Option<Hint> {
        self.target.clone().map(Hint::Row)
    }
}

#[cfg(test)]
mod tests {
    use grampus_base::split_mix;

    use super::*;

    #[test]
    fn rows_of_ranges_pass_and_the_scan_ends_behind_the_last() {
        let range = |start: &str, stop: &str| KeyRange {
            start: start.into(),
            include_start: true,
            stop: stop.into(),
            include_stop: false,
        };
        let mut filter = MultiRowRangeFilter::new(vec![range("m", "p"), range("b", "d")], false).unwrap();
        let mut codes = Vec::new();
        for row in ["a", "b", "d", "m", "p"] {
            filter.filter_row_key(row.as_bytes());
            codes.push((filter.code, filter.target.clone()));
        }
        assert_eq!(codes[0], (ReturnCode::Hint, Some(b"b".to_vec())));
        assert_eq!(codes[1].0, ReturnCode::Include);
        assert_eq!(codes[2], (ReturnCode::Hint, Some(b"m".to_vec())));
        assert_eq!(codes[3].0, ReturnCode::Include);
        assert!(filter.filter_all_remaining());
        assert!(MultiRowRangeFilter::new(vec![range("z", "a")], false).is_err());
    }

    /// What is said of a row when it is compared with each range: whether it passes, and else where the next range ahead begins.
    fn one_by_one(ranges: &[KeyRange], row: &[u8], reversed: bool) -> (bool, Option<Vec<u8>>) {
        if ranges.iter().any(|range| !range.starts_after(row) && !range.ends_before(row)) {
            return (true, None);
        }
        let ahead = if reversed {
            ranges.iter().filter(|range| range.ends_before(row)).map(|range| &range.stop).max()
        } else {
            ranges.iter().filter(|range| range.starts_after(row)).map(|range| &range.start).min()
        };
        (false, ahead.cloned())
    }

    #[test]
    fn a_row_has_the_answer_that_a_look_at_each_range_gives() {
        let mut state = 0x5eed;
        let mut below = |end: u64| usize::try_from(split_mix(&mut state) % end).unwrap();
        for round in 0..2000 {
            let mut ranges = Vec::new();
            while ranges.is_empty() || below(6) > 0 {
                let mut key = || format!("{:02}", below(12)).into_bytes();
                let (mut start, mut stop) = (key(), key());
                match below(8) {
                    0 => start.clear(),
                    1 => stop.clear(),
                    _ => {}
                }
                let (include_start, include_stop) = (below(2) == 0, below(2) == 0);
                ranges.extend(
                    Some(KeyRange { start, include_start, stop, include_stop }).filter(KeyRange::is_valid),
                );
            }
            for reversed in [false, true] {
                for row in (0..24).map(|n| format!("{:02}{}", n / 2, &"a"[..n % 2])) {
                    let mut filter = MultiRowRangeFilter::new(ranges.clone(), reversed).unwrap();
                    filter.filter_row_key(row.as_bytes());
                    let found = (filter.code == ReturnCode::Include, filter.target);
                    let expected = one_by_one(&ranges, row.as_bytes(), reversed);
                    assert_eq!(found, expected, "round {round}, row {row}, reversed: {reversed}: {ranges:?}");
                }
            }
        }
    }
}
