//! The cells that increments and appends find, in the order in which they were read.

use std::cmp::Ordering;

use grampus_base::Result;
use grampus_cells::{CellRef, WireCell, cell_codec};

/// Encoded cells of one row, at most one of each column, by store and qualifier. They are asked for in the same order and looked at once:
/// row locks are held meanwhile, and to start anew for each of some hundred thousand columns takes minutes.
pub(super) struct CurrentCells<'c> {
    rest: &'c [u8],
}

impl<'c> CurrentCells<'c> {
    pub(super) fn new(encoded: &'c [u8]) -> CurrentCells<'c> {
        CurrentCells { rest: encoded }
    }

    /// The cell of a column, which is not before the column of the last call; it may be the same. `index_of` is of a family's store.
    pub(super) fn find(
        &mut self,
        store: usize,
        wanted: &WireCell<'_>,
        index_of: impl Fn(&[u8]) -> Result<usize>,
    ) -> Result<Option<CellRef<'c>>> {
        while !self.rest.is_empty() {
            let (found, used) = cell_codec::read_cell(self.rest)?;
            let own = (index_of(found.family)?, found.cell.qualifier);
            match own.cmp(&(store, wanted.cell.qualifier)) {
                Ordering::Less => self.rest = self.rest.get(used..).unwrap_or_default(),
                Ordering::Equal => return Ok(Some(found.cell)),
                Ordering::Greater => break,
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use grampus_cells::CellType;

    use super::*;

    fn cell<'a>(qualifier: &'a [u8], value: &'a [u8]) -> CellRef<'a> {
        let cell_type = CellType::PUT;
        CellRef { row: b"r", qualifier, timestamp: 1, cell_type, value, tags: &[], sequence: 0 }
    }

    #[test]
    fn columns_of_several_stores_are_found_in_order() {
        // Names are not in the order of their stores.
        let names: [&[u8]; 2] = [b"z", b"a"];
        let mut encoded = Vec::new();
        for (store, qualifier) in [(0, "b"), (0, "d"), (1, "a"), (1, "b")] {
            let value = [names[store], qualifier.as_bytes()].concat();
            cell_codec::append_cell(&mut encoded, names[store], &cell(qualifier.as_bytes(), &value));
        }
        let mut current = CurrentCells::new(&encoded);
        let mut find = |store: usize, qualifier: &str| {
            let wanted = WireCell { family: names[store], cell: cell(qualifier.as_bytes(), b"") };
            let index_of = |family: &[u8]| Ok(usize::from(family == names[1]));
            let found = current.find(store, &wanted, index_of).unwrap();
            found.map(|cell| String::from_utf8(cell.value.to_vec()).unwrap())
        };
        assert_eq!(find(0, "a"), None);
        assert_eq!(find(0, "b").as_deref(), Some("zb"));
        assert_eq!(find(0, "b").as_deref(), Some("zb"), "a column may be asked for twice");
        assert_eq!(find(0, "c"), None);
        assert_eq!(find(0, "e"), None);
        assert_eq!(find(1, "a").as_deref(), Some("aa"));
        assert_eq!(find(1, "b").as_deref(), Some("ab"));
        assert_eq!(find(1, "c"), None);
    }
}
