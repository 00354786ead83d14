//! What tables hold, beside the serial history of what was acknowledged, with servers and from the files alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use grampus_env::Env;
use grampus_testkit::wire::{Cell, Spec};

use crate::cluster::open_request;
use crate::common::frozen::{frozen_region, scan_frozen};
use crate::common::scan_all;
use crate::layout;
use crate::master::{FAMILIES, Master, Rows, TIMED};

/// What a name in a family directory stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    Plain,
    Reference,
    Link,
    LinkReference,
}

impl FileKind {
    fn of(name: &str) -> FileKind {
        match (name.contains('='), name.contains('.')) {
            (false, false) => FileKind::Plain,
            (false, true) => FileKind::Reference,
            (true, false) => FileKind::Link,
            (true, true) => FileKind::LinkReference,
        }
    }
}

/// The values of all regions of a table, but for the timed ones.
fn rows_of(parts: impl Iterator<Item = Vec<Cell>>) -> Rows {
    let mut rows = Rows::new();
    let is_known = |cell: &Cell| cell.qualifier == b"q" && cell.family != TIMED.as_bytes();
    for cell in parts.flatten().filter(is_known) {
        let family = FAMILIES.into_iter().find(|family| family.as_bytes() == cell.family).unwrap();
        let value = String::from_utf8(cell.value).unwrap().parse().unwrap();
        let known = rows.insert((String::from_utf8(cell.row).unwrap(), family), value);
        assert_eq!(known, None, "a cell is there twice");
    }
    rows
}

impl Master {
    /// What an enabled table holds.
    pub(crate) fn seen(&self, table: usize) -> Rows {
        let parts = 0..self.cluster.tables[table].parts.len();
        rows_of(parts.map(|part| scan_all(&self.seat(table, part).region, &Spec::scan())))
    }

    pub(crate) fn verify(&self, table: usize) {
        let name = self.name(table);
        assert_eq!(self.seen(table), self.rows[&name], "table {name} in {}", layout::ROOT);
    }

    /// What an enabled table's files hold, read without a server as a job reads them: where servers die meanwhile, those of the next ones.
    pub(crate) fn verify_files(&mut self, table: usize) {
        let lists: Vec<String> = (0..self.cluster.tables[table].parts.len())
            .map(|part| self.cluster.listed(table, part))
            .collect();
        let (layout, now) = (&self.cluster.tables[table], self.cluster.env.now_millis());
        let cells = lists.iter().enumerate().map(|(part, listed)| {
            let env = Arc::new(self.cluster.env.clone());
            scan_frozen(&frozen_region(env, &open_request(layout, part), listed), &Spec::scan(), now)
        });
        assert_eq!(
            rows_of(cells),
            self.rows[&layout.name],
            "files of table {} in {}",
            layout.name,
            layout::ROOT
        );
        for (part, listed) in lists.iter().enumerate() {
            self.verify_timed(table, part, listed);
        }
    }

    /// All versions that a region holds at a time are those that its files hold at that time.
    fn verify_timed(&self, table: usize, part: usize, listed: &str) {
        let (layout, env) = (&self.cluster.tables[table], &self.cluster.env);
        let frozen = frozen_region(Arc::new(env.clone()), &open_request(layout, part), listed);
        let spec = Spec::scan().versions(u32::MAX >> 1);
        // A thread of the engine that waits moves the clock.
        let (now, of_region) = loop {
            let before = env.now_millis();
            let cells = scan_all(&self.seat(table, part).region, &spec);
            if env.now_millis() == before {
                break (before, cells);
            }
        };
        assert_eq!(
            scan_frozen(&frozen, &spec, now),
            of_region,
            "files of table {}, part {part}, at {now}",
            layout.name
        );
    }

    /// The files of each region, read without it, have what the region has; they are of the kinds named, and of no other.
    pub(crate) fn verify_frozen(&self, table: usize, kinds: &[FileKind]) {
        let files = (0..self.cluster.tables[table].parts.len()).flat_map(|part| self.files(table, part));
        let found: BTreeSet<FileKind> =
            files.flat_map(|(_, names)| names).map(|name| FileKind::of(&name)).collect();
        assert_eq!(found, kinds.iter().copied().collect());
        let layout = &self.cluster.tables[table];
        for part in 0..layout.parts.len() {
            let region = &self.seat(table, part).region;
            let listed = region.snapshot_files(true).unwrap();
            let env = Arc::new(self.cluster.env.clone());
            let frozen = frozen_region(env, &open_request(layout, part), &listed);
            let cells = scan_frozen(&frozen, &Spec::scan(), self.cluster.env.now_millis());
            assert_eq!(cells, scan_all(region, &Spec::scan()), "table {}, part {part}, frozen", layout.name);
        }
    }
}
