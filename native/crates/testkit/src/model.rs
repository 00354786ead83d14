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

    fn is_below_end(&self, timestamp: i64) -> bool {
        let (_, to) = self.range;
        timestamp < to || to == i64::MAX
    }
}

/// What a family's attributes say about what is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// VERSIONS.
    pub versions: usize,
    /// MIN_VERSIONS: the number of versions that survive their TTL.
    pub min_versions: usize,
    /// TTL in milliseconds.
    pub ttl_millis: Option<i64>,
    /// KEEP_DELETED_CELLS TRUE or TTL: a read whose range ends below a marker sees what the marker hides from others.
    pub keep_deleted: bool,
    /// NEW_VERSION_BEHAVIOR: a marker hides only what was written before it.
    pub by_sequence: bool,
}

impl Family {
    /// HBase's defaults with `versions` versions.
    pub fn of_versions(versions: usize) -> Family {
        Family { versions, min_versions: 0, ttl_millis: None, keep_deleted: false, by_sequence: false }
    }
}

/// A table of one region.
#[derive(Clone, Default)]
pub struct Model {
    /// The families.
    pub families: BTreeMap<Vec<u8>, Family>,
    /// Wall clock of the reads in milliseconds.
    pub now_millis: i64,
    /// Rows, families, and their cells in the order in which they were written.
    rows: BTreeMap<Vec<u8>, BTreeMap<Vec<u8>, Vec<Cell>>>,
}

impl Model {
    /// An empty table.
    pub fn new(families: &[(&str, Family)]) -> Model {
        let families = families.iter().map(|(name, family)| (name.as_bytes().to_vec(), *family)).collect();
        Model { families, now_millis: 0, rows: BTreeMap::new() }
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
            if let Some(rules) = self.families.get(family) {
                let columns = wanted.map(Vec::as_slice).unwrap_or_default();
                visible.extend(visible_cells(cells, query, rules, self.now_millis, columns));
            }
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

/// Of each column by timestamp, newest first: the cell and when it was written.
type Versions<'a> = BTreeMap<Reverse<i64>, (usize, &'a Cell)>;

fn visible_cells(
    cells: &[Cell],
    query: &Query,
    family: &Family,
    now_millis: i64,
    columns: &[Vec<u8>],
) -> Vec<Cell> {
    let (from, _) = query.range;
    let counts = |marker: &Cell| {
        marker.timestamp >= from && (!family.keep_deleted || query.is_below_end(marker.timestamp))
    };
    let markers: Vec<(usize, &Cell)> =
        cells.iter().enumerate().filter(|(_, cell)| cell.code != PUT && counts(cell)).collect();
    let hidden = |written: usize, put: &Cell| {
        let mut counted = markers.iter().filter(|(at, _)| !family.by_sequence || *at > written);
        counted.any(|(_, marker)| hides(marker, put))
    };
    let limit = query.versions.min(family.versions);
    let oldest = family.ttl_millis.map_or(i64::MIN, |ttl| now_millis - ttl);
    let mut visible = Vec::new();
    for versions in puts_by_column(cells, columns).values() {
        let shown = versions.values().filter(|(written, put)| {
            !hidden(*written, put) && put.timestamp >= from && query.is_below_end(put.timestamp)
        });
        let alive = shown.take(limit).enumerate();
        let alive = alive.filter(|(n, (_, put))| *n < family.min_versions || put.timestamp >= oldest);
        visible.extend(alive.map(|(_, (_, cell))| (*cell).clone()));
    }
    visible
}

/// The puts of some columns; of all where none is named.
fn puts_by_column<'a>(cells: &'a [Cell], columns: &[Vec<u8>]) -> BTreeMap<&'a [u8], Versions<'a>> {
    let mut by_column: BTreeMap<&[u8], Versions<'_>> = BTreeMap::new();
    for (written, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.code == PUT) {
        if columns.is_empty() || columns.contains(&cell.qualifier) {
            // A later write of the same version replaces the earlier one.
            by_column.entry(&cell.qualifier).or_default().insert(Reverse(cell.timestamp), (written, cell));
        }
    }
    by_column
}

/// Whether a put is among those that a marker is of, whenever both were written.
fn hides(marker: &Cell, put: &Cell) -> bool {
    match marker.code {
        DELETE_FAMILY => marker.timestamp >= put.timestamp,
        DELETE_FAMILY_VERSION => marker.timestamp == put.timestamp,
        DELETE_COLUMN => marker.qualifier == put.qualifier && marker.timestamp >= put.timestamp,
        DELETE => marker.qualifier == put.qualifier && marker.timestamp == put.timestamp,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_hide_and_versions_are_limited() {
        let mut model = Model::new(&[("f", Family::of_versions(2))]);
        for ts in 1..=4 {
            model.write(Cell::put("r", "f", "q", ts, format!("{ts}")));
        }
        model.write(Cell::new("r", "f", "q", 4, DELETE, ""));
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [3, 2]);
        model.write(Cell::new("r", "f", "", 2, DELETE_FAMILY, ""));
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [3]);
    }

    #[test]
    fn the_youngest_survive_their_ttl_and_a_read_below_a_marker_sees_what_is_kept() {
        let family =
            Family { min_versions: 1, ttl_millis: Some(10), keep_deleted: true, ..Family::of_versions(5) };
        let mut model = Model::new(&[("f", family)]);
        (1..=3).for_each(|ts| model.write(Cell::put("r", "f", "q", ts, "v")));
        model.now_millis = 12;
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [3, 2]);
        model.now_millis = 20;
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [3]);
        model.now_millis = 12;
        model.write(Cell::new("r", "f", "q", 4, DELETE_COLUMN, ""));
        assert_eq!(model.timestamps(b"r", b"f", b"q"), [0i64; 0]);
        let below = Query { versions: 5, range: (0, 4), ..Query::newest() };
        assert_eq!(model.get(b"r", &below).len(), 2);
    }

    #[test]
    fn by_sequence_a_marker_spares_what_was_written_after_it() {
        for (by_sequence, seen) in [(false, 0), (true, 1)] {
            let mut model = Model::new(&[("f", Family { by_sequence, ..Family::of_versions(5) })]);
            model.write(Cell::put("r", "f", "q", 1, "old"));
            model.write(Cell::new("r", "f", "q", 2, DELETE_COLUMN, ""));
            model.write(Cell::put("r", "f", "q", 1, "new"));
            assert_eq!(model.timestamps(b"r", b"f", b"q").len(), seen);
        }
    }
}
