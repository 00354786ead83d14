//! Tables as the master changes them, beside what a serial history of the acknowledged changes leaves in them.

mod snapshots;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use grampus_env::{Env, FakeKind};
use grampus_testkit::wire::{Batch, Cell, RowOp};

use crate::cluster::{Cluster, Layout, Part, Seat};
use crate::layout::{
    Range, archive_dir, archive_family, archive_region, family_dir, highest_mark, link, move_file, names,
    put_mark, refer, region_dir,
};

/// The two whose cells the serial history has, and the one that forgets.
pub(crate) const FAMILIES: [&str; 3] = ["f", "g", TIMED];
/// A family with three versions and a TTL: what it holds is compared between a region and its files, and is in no history.
pub(crate) const TIMED: &str = "t";
const ASYNC: u8 = 2;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;

/// A table's cells: the value of each row and family.
pub(crate) type Rows = BTreeMap<(String, &'static str), u64>;

pub(crate) struct Snapshot {
    pub table: String,
    families: Vec<&'static str>,
    parts: Vec<SnapshotPart>,
    rows: Rows,
}

struct SnapshotPart {
    encoded: String,
    id: u64,
    start: String,
    end: String,
    /// Names by family.
    files: Vec<(&'static str, Vec<String>)>,
}

pub(crate) struct Master {
    pub cluster: Cluster,
    /// Of each table.
    pub rows: BTreeMap<String, Rows>,
    pub snapshots: Vec<Snapshot>,
    /// Also the timestamp of the next write.
    next_id: u64,
}

fn encoded_name(table: &str, start: &str, id: u64) -> String {
    let mut hasher = DefaultHasher::new();
    (table, start, id).hash(&mut hasher);
    format!("{:032x}", hasher.finish())
}

impl Master {
    pub(crate) fn new(kind: FakeKind, seed: u64, dangerous: bool) -> Master {
        Master::of(Cluster::new(kind, seed, dangerous))
    }

    pub(crate) fn of(cluster: Cluster) -> Master {
        Master { cluster, rows: BTreeMap::new(), snapshots: Vec::new(), next_id: 1 }
    }

    fn next_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    pub(crate) fn table(&self, name: &str) -> usize {
        self.cluster.tables.iter().position(|table| table.name == name).unwrap()
    }

    fn part(&mut self, table: &str, start: &str, end: &str, id: u64) -> Part {
        let encoded = encoded_name(table, start, id);
        self.cluster.env.mkdir_durably(&region_dir(table, &encoded)).unwrap();
        Part { encoded, id, start: start.to_string(), end: end.to_string(), seat: None }
    }

    pub(crate) fn create(&mut self, name: &str, splits: &[&str]) {
        let parts = self.fresh_parts(name, splits);
        self.add_table(name, FAMILIES.to_vec(), parts, Rows::new());
    }

    fn fresh_parts(&mut self, name: &str, splits: &[&str]) -> Vec<Part> {
        let bounds: Vec<&str> = [&[""], splits, &[""]].concat();
        let id = self.next_id();
        bounds.windows(2).map(|bound| self.part(name, bound[0], bound[1], id)).collect()
    }

    fn add_table(&mut self, name: &str, families: Vec<&'static str>, parts: Vec<Part>, rows: Rows) {
        self.cluster.tables.push(Layout { name: name.to_string(), families, parts });
        self.rows.insert(name.to_string(), rows);
        self.enable(self.cluster.tables.len() - 1);
    }

    pub(crate) fn disable(&mut self, table: usize) {
        for part in 0..self.cluster.tables[table].parts.len() {
            self.cluster.unassign(table, part);
        }
    }

    pub(crate) fn enable(&mut self, table: usize) {
        for part in 0..self.cluster.tables[table].parts.len() {
            self.cluster.assign(table, part);
        }
    }

    pub(crate) fn name(&self, table: usize) -> String {
        self.cluster.tables[table].name.clone()
    }

    /// Archives every region that is on disk, split parents included.
    fn archive_table(&mut self, name: &str) {
        for region in names(&self.cluster.env, &region_dir(name, "")) {
            archive_region(&self.cluster.env, name, &region, &FAMILIES);
            self.cluster.chance();
        }
    }

    pub(crate) fn drop_table(&mut self, table: usize) {
        self.disable(table);
        let name = self.name(table);
        self.archive_table(&name);
        self.cluster.tables.remove(table);
        self.rows.remove(&name);
    }

    pub(crate) fn truncate(&mut self, table: usize) {
        self.disable(table);
        let name = self.name(table);
        self.archive_table(&name);
        let starts: Vec<String> =
            self.cluster.tables[table].parts[1..].iter().map(|p| p.start.clone()).collect();
        let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
        self.cluster.tables[table].parts = self.fresh_parts(&name, &starts);
        self.rows.insert(name, Rows::new());
        self.enable(table);
    }

    /// The region is made anew under its old name.
    pub(crate) fn truncate_region(&mut self, table: usize, part: usize) {
        self.cluster.unassign(table, part);
        let name = self.name(table);
        let Part { encoded, start, end, .. } = &self.cluster.tables[table].parts[part];
        let (encoded, start, end) = (encoded.clone(), start.clone(), end.clone());
        archive_region(&self.cluster.env, &name, &encoded, &FAMILIES);
        self.cluster.chance();
        self.cluster.env.mkdir_durably(&region_dir(&name, &encoded)).unwrap();
        let inside = |row: &String| *row >= start && (end.is_empty() || *row < end);
        self.rows.get_mut(&name).unwrap().retain(|(row, _), _| !inside(row));
        self.cluster.assign(table, part);
    }

    fn reopen_all(&mut self, table: usize) {
        for part in 0..self.cluster.tables[table].parts.len() {
            self.cluster.unassign(table, part);
            self.cluster.assign(table, part);
        }
    }

    pub(crate) fn drop_family(&mut self, table: usize, family: &'static str) {
        self.cluster.tables[table].families.retain(|known| *known != family);
        self.reopen_all(table);
        let name = self.name(table);
        for part in 0..self.cluster.tables[table].parts.len() {
            archive_family(&self.cluster.env, &name, &self.cluster.tables[table].parts[part].encoded, family);
            self.cluster.chance();
        }
        self.rows.get_mut(&name).unwrap().retain(|(_, known), _| *known != family);
    }

    pub(crate) fn add_family(&mut self, table: usize, family: &'static str) {
        self.cluster.tables[table].families.push(family);
        self.reopen_all(table);
    }

    pub(crate) fn move_part(&mut self, table: usize, part: usize) {
        self.cluster.unassign(table, part);
        self.cluster.assign(table, part);
    }

    pub(crate) fn files(&self, table: usize, part: usize) -> Vec<(&'static str, Vec<String>)> {
        let Layout { name, families, parts } = &self.cluster.tables[table];
        let of = |family| names(&self.cluster.env, &family_dir(name, &parts[part].encoded, family));
        families.iter().map(|family| (*family, of(family))).collect()
    }

    fn has_references(&self, table: usize, part: usize) -> bool {
        self.files(table, part).iter().flat_map(|(_, names)| names).any(|name| name.contains('.'))
    }

    /// False where references are left, or the row is no place to split at.
    pub(crate) fn split(&mut self, table: usize, part: usize, row: &str) -> bool {
        let Part { start, end, .. } = &self.cluster.tables[table].parts[part];
        let (start, end) = (start.clone(), end.clone());
        if row <= start.as_str() || !end.is_empty() && row >= end.as_str() {
            return false;
        }
        self.replace(
            table,
            part..part + 1,
            &[(&start, row, Range::Below(row)), (row, &end, Range::From(row))],
        )
    }

    pub(crate) fn merge(&mut self, table: usize, first: usize) -> bool {
        let parts = &self.cluster.tables[table].parts;
        let (start, end) = (parts[first].start.clone(), parts[first + 1].end.clone());
        self.replace(table, first..first + 2, &[(&start, &end, Range::From(""))])
    }

    /// Regions give way to others that refer to their files.
    fn replace(
        &mut self,
        table: usize,
        parents: std::ops::Range<usize>,
        children: &[(&str, &str, Range<'_>)],
    ) -> bool {
        parents.clone().for_each(|parent| self.cluster.unassign(table, parent));
        if parents.clone().any(|parent| self.has_references(table, parent)) {
            parents.for_each(|parent| self.cluster.assign(table, parent));
            return false;
        }
        let name = self.name(table);
        let old: Vec<String> = self.cluster.tables[table].parts[parents.clone()]
            .iter()
            .map(|part| part.encoded.clone())
            .collect();
        let mark = old.iter().map(|parent| highest_mark(&self.cluster.env, &name, parent)).max().unwrap_or(0);
        let id = self.next_id();
        let mut parts = Vec::new();
        for (start, end, range) in children {
            let child = self.part(&name, start, end, id);
            for (parent, family) in old.iter().flat_map(|parent| FAMILIES.map(|family| (parent, family))) {
                refer(&self.cluster.env, &name, parent, &child.encoded, family, *range);
            }
            put_mark(&self.cluster.env, &name, &child.encoded, mark);
            parts.push(child);
            self.cluster.chance();
        }
        let first = parents.start;
        let count = parts.len();
        self.cluster.tables[table].parts.splice(parents, parts);
        (first..first + count).for_each(|child| self.cluster.assign(table, child));
        true
    }

    /// `CatalogJanitor`: regions that were split or merged go when no reference to them is left.
    pub(crate) fn collect_garbage(&mut self, table: usize) {
        let Layout { name, parts, .. } = &self.cluster.tables[table];
        let env = &self.cluster.env;
        let mut referred = Vec::new();
        for (region, family) in
            names(env, &region_dir(name, "")).iter().flat_map(|r| FAMILIES.map(|f| (r, f)))
        {
            let files = names(env, &family_dir(name, region, family));
            referred.extend(files.iter().filter_map(|file| Some(file.rsplit_once('.')?.1.to_string())));
        }
        for region in names(env, &region_dir(name, "")) {
            if parts.iter().all(|part| part.encoded != region) && !referred.contains(&region) {
                archive_region(env, name, &region, &FAMILIES);
            }
        }
    }

    fn part_of(&self, table: usize, row: &str) -> usize {
        let parts = &self.cluster.tables[table].parts;
        parts.iter().rposition(|part| part.start.as_str() <= row).unwrap()
    }

    pub(crate) fn seat(&self, table: usize, part: usize) -> &Seat {
        self.cluster.tables[table].parts[part].seat.as_ref().unwrap()
    }

    /// Puts a row into some families, or deletes it from them; the first family's write may be one that is logged late.
    pub(crate) fn write(
        &mut self,
        table: usize,
        row: &str,
        families: &[&'static str],
        delete: bool,
        late: bool,
    ) {
        let value = self.next_id();
        let cells = cells_of(row, families, value, delete);
        let mut batch = Batch::new();
        if late {
            // A write behind it that waits for the log makes this one as durable.
            batch = batch.row_op(RowOp::put_as(ASYNC, &[Cell::put(row, families[0], "late", 1, "x")]));
        }
        batch = batch.row_op(if delete { RowOp::delete(&cells) } else { RowOp::put(&cells) });
        batch = batch.row_op(self.timed_op(row, value));
        self.change(table, (row, families, value), delete, |cluster, part| {
            cluster.mutate(table, part, &batch)
        });
    }

    /// A version of a timed cell, or a marker that hides the earlier ones, with a time of the last half second.
    fn timed_op(&mut self, row: &str, value: u64) -> RowOp {
        let at = self.cluster.env.now_millis() - self.cluster.random.below(500) as i64;
        match self.cluster.random.one_in(4) {
            true => RowOp::delete(&[Cell::new(row, TIMED, "q", at, DELETE_COLUMN, "")]),
            false => RowOp::put(&[Cell::put(row, TIMED, "q", at, value.to_string())]),
        }
    }

    /// The same by a load: a file of each family.
    pub(crate) fn load(&mut self, table: usize, row: &str, families: &[&'static str], delete: bool) {
        let value = self.next_id();
        let cells = cells_of(row, families, value, delete);
        self.change(table, (row, families, value), delete, |cluster, part| cluster.load(table, part, &cells));
    }

    /// Changes a row, and finds out what became of that where its server dies.
    fn change(
        &mut self,
        table: usize,
        (row, families, value): (&str, &[&'static str], u64),
        delete: bool,
        apply: impl FnOnce(&mut Cluster, usize) -> bool,
    ) {
        let part = self.part_of(table, row);
        let name = self.name(table);
        let before = self.row(&name, row);
        let mut after = before.clone();
        for family in families {
            if delete {
                after.remove(family);
            } else {
                after.insert(family, value);
            }
        }
        let now = if apply(&mut self.cluster, part) {
            after
        } else {
            self.cluster.recover();
            let seen = self.seen(table);
            let seen: BTreeMap<&'static str, u64> = seen
                .range((row.to_string(), "")..)
                .take_while(|((r, _), _)| r == row)
                .map(|((_, f), v)| (*f, *v))
                .collect();
            assert!(
                seen == before || seen == after,
                "row {row} of {name} is {seen:?}, was {before:?}, or {after:?}"
            );
            seen
        };
        let rows = self.rows.get_mut(&name).unwrap();
        rows.retain(|(known, _), _| known != row);
        rows.extend(now.into_iter().map(|(family, value)| ((row.to_string(), family), value)));
    }

    fn row(&self, table: &str, row: &str) -> BTreeMap<&'static str, u64> {
        let rows = self.rows[table].iter().filter(|((known, _), _)| known == row);
        rows.map(|((_, family), value)| (*family, *value)).collect()
    }
}

/// A cell or marker of a row in each family.
fn cells_of(row: &str, families: &[&str], value: u64, delete: bool) -> Vec<Cell> {
    let cell = |family: &&str| match delete {
        true => Cell::new(row, family, "", value as i64, DELETE_FAMILY, ""),
        false => Cell::put(row, family, "q", value as i64, value.to_string()),
    };
    families.iter().map(cell).collect()
}
