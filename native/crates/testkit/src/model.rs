//! What a store must answer, said as plainly as possible: all cells ever written, and for a read the definition of visibility
//! applied to each of them. Nothing is ever dropped, so a scenario must not ask for what a compaction may have dropped.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::wire::Cell;

const DELETE: u8 = 8;
const DELETE_FAMILY_VERSION: u8 = 10;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;
const PUT: u8 = 4;

/// What a read asks for.
#[derive(Clone)]
pub struct Query {
    /// Versions of each column.
    pub versions: usize,
    /// Timestamps from (inclusive) to (exclusive).
    pub range: (i64, i64),
    /// Qualifiers per family; empty = all of both.
    pub columns: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
}

impl Query {
    /// The newest version of everything.
    pub fn newest() -> Query {
        Query { versions: 1, range: (0, i64::MAX), columns: BTreeMap::new() }
    }
}

/// A table of one region.
#[derive(Clone, Default)]
pub struct Model {
    /// VERSIONS of each family.
    pub families: BTreeMap<Vec<u8>, usize>,
    /// Rows, families, and their cells in the order in which they were written.
    rows: BTreeMap<Vec<u8>, BTreeMap<Vec<u8>, Vec<Cell>>>,
}

impl Model {
    /// A table with families and their VERSIONS.
    pub fn new(families: &[(&str, usize)]) -> Model {
        let families =
            families.iter().map(|(name, versions)| (name.as_bytes().to_vec(), *versions)).collect();
        Model { families, rows: BTreeMap::new() }
    }

    /// Writes a cell.
    pub fn write(&mut self, cell: Cell) {
        let row = self.rows.entry(cell.row.clone()).or_default();
        row.entry(cell.family.clone()).or_default().push(cell);
    }

    /// All row keys ever written.
    pub fn rows(&self) -> Vec<Vec<u8>> {
        self.rows.keys().cloned().collect()
    }

    /// The visible cells of a row.
    pub fn get(&self, row: &[u8], query: &Query) -> Vec<Cell> {
        let Some(families) = self.rows.get(row) else { return Vec::new() };
        let mut visible = Vec::new();
        for (family, cells) in families {
            let wanted = query.columns.get(family);
            if !query.columns.is_empty() && wanted.is_none() {
                continue;
            }
            let limit = query.versions.min(self.families.get(family).copied().unwrap_or(0));
            visible.extend(visible_cells(
                cells,
                query.range,
                limit,
                wanted.map(Vec::as_slice).unwrap_or_default(),
            ));
        }
        visible
    }

    /// The visible cells of all rows from `start` on that are below `stop`.
    pub fn scan(&self, start: &[u8], stop: &[u8], reversed: bool, query: &Query) -> Vec<Cell> {
        let inside = |row: &&Vec<u8>| row.as_slice() >= start && (stop.is_empty() || row.as_slice() < stop);
        let mut rows: Vec<&Vec<u8>> = self.rows.keys().filter(inside).collect();
        if reversed {
            rows.reverse();
        }
        rows.into_iter().flat_map(|row| self.get(row, query)).collect()
    }

    /// Timestamps of the visible versions of a column, newest first.
    pub fn timestamps(&self, row: &[u8], family: &[u8], qualifier: &[u8]) -> Vec<i64> {
        let columns = BTreeMap::from([(family.to_vec(), vec![qualifier.to_vec()])]);
        let query = Query { versions: usize::MAX, columns, ..Query::newest() };
        self.get(row, &query).iter().map(|cell| cell.timestamp).collect()
    }
}

fn visible_cells(cells: &[Cell], range: (i64, i64), limit: usize, columns: &[Vec<u8>]) -> Vec<Cell> {
    let mut by_column: BTreeMap<&[u8], BTreeMap<Reverse<i64>, &Cell>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.code == PUT) {
        if columns.is_empty() || columns.contains(&cell.qualifier) {
            // A later write of the same version replaces the earlier one.
            by_column.entry(&cell.qualifier).or_default().insert(Reverse(cell.timestamp), cell);
        }
    }
    let markers: Vec<&Cell> =
        cells.iter().filter(|cell| cell.code != PUT && cell.timestamp >= range.0).collect();
    let hidden = |put: &Cell| {
        markers.iter().any(|marker| match marker.code {
            DELETE_FAMILY => marker.timestamp >= put.timestamp,
            DELETE_FAMILY_VERSION => marker.timestamp == put.timestamp,
            DELETE_COLUMN => marker.qualifier == put.qualifier && marker.timestamp >= put.timestamp,
            DELETE => marker.qualifier == put.qualifier && marker.timestamp == put.timestamp,
            _ => false,
        })
    };
    let mut visible = Vec::new();
    for versions in by_column.values() {
        let shown = versions.values().filter(|put| {
            !hidden(put) && put.timestamp >= range.0 && (put.timestamp < range.1 || range.1 == i64::MAX)
        });
        visible.extend(shown.take(limit).map(|cell| (*cell).clone()));
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_hide_and_versions_are_limited() {
        let mut model = Model::new(&[("f", 2)]);
        for ts in 1..=4 {
            model.write(Cell::put("r", "f", "q", ts, format!("{ts}")));
        }
        model.write(Cell::new("r", "f", "q", 4, DELETE, ""));
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [3, 2]);
        model.write(Cell::new("r", "f", "", 2, DELETE_FAMILY, ""));
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [3]);
    }
}
