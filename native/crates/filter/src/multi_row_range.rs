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
    ranges: Vec<KeyRange>,
    reversed: bool,
    done: bool,
    code: ReturnCode,
    /// The next range to go to.
    target: Option<Vec<u8>>,
}

impl MultiRowRangeFilter {
    /// Sorts the ranges.
    pub(crate) fn new(mut ranges: Vec<KeyRange>, reversed: bool) -> Result<MultiRowRangeFilter> {
        if ranges.is_empty() || ranges.iter().any(|range| !range.is_valid()) {
            return Err(Error::new(
                ErrorKind::BadRequest,
                "MultiRowRangeFilter: no ranges, or one that ends before it starts",
            ));
        }
        ranges.sort_by(|a, b| a.start.cmp(&b.start));
        Ok(MultiRowRangeFilter { ranges, reversed, done: false, code: ReturnCode::NextRow, target: None })
    }

    /// The nearest row ahead that a range begins with.
    fn ahead(&self, row: &[u8]) -> Option<Vec<u8>> {
        if self.reversed {
            self.ranges.iter().filter(|r| r.ends_before(row)).map(|r| &r.stop).max().cloned()
        } else {
            self.ranges.iter().filter(|r| r.starts_after(row)).map(|r| &r.start).min().cloned()
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
        if self.ranges.iter().any(|range| !range.starts_after(row) && !range.ends_before(row)) {
            self.code = ReturnCode::Include;
            return false;
        }
        self.target = self.ahead(row);
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
}
