//! Snapshots, which are taken, restored and cloned.

use super::*;

impl Master {
    /// Of a table that is closed, or whose memtables are empty and whose files do not change. False where references are left.
    pub(crate) fn snapshot(&mut self, table: usize) -> bool {
        let Layout { name, families, parts } = &self.cluster.tables[table];
        if (0..parts.len()).any(|part| self.has_references(table, part)) {
            return false;
        }
        let part = |(n, part): (usize, &Part)| {
            let Part { encoded, id, start, end, .. } = part;
            let (encoded, start, end) = (encoded.clone(), start.clone(), end.clone());
            SnapshotPart { encoded, id: *id, start, end, files: self.files(table, n) }
        };
        let parts = parts.iter().enumerate().map(part).collect();
        let rows = self.rows[name].clone();
        self.snapshots.push(Snapshot { table: name.clone(), families: families.clone(), parts, rows });
        true
    }

    /// `RestoreSnapshotHelper`: what the snapshot does not have is archived, what is missing is linked.
    pub(crate) fn restore(&mut self, snapshot: usize) {
        let snapshot = self.snapshots.swap_remove(snapshot);
        let table = self.table(&snapshot.table);
        self.disable(table);
        for region in names(&self.cluster.env, &region_dir(&snapshot.table, "")) {
            if snapshot.parts.iter().all(|part| part.encoded != region) {
                archive_region(&self.cluster.env, &snapshot.table, &region, &FAMILIES);
                self.cluster.chance();
            }
        }
        let mut parts = Vec::new();
        for part in &snapshot.parts {
            parts.push(self.part(&snapshot.table, &part.start, &part.end, part.id));
            for family in FAMILIES {
                let wanted =
                    part.files.iter().find(|(known, _)| *known == family).map(|(_, names)| names.as_slice());
                self.restore_family(&snapshot.table, &part.encoded, family, wanted.unwrap_or_default());
                self.cluster.chance();
            }
        }
        self.cluster.tables[table].parts = parts;
        self.cluster.tables[table].families = snapshot.families.clone();
        self.rows.insert(snapshot.table.clone(), snapshot.rows.clone());
        self.snapshots.push(snapshot);
        self.enable(table);
    }

    fn restore_family(&mut self, table: &str, region: &str, family: &'static str, wanted: &[String]) {
        let dir = family_dir(table, region, family);
        let there = names(&self.cluster.env, &dir);
        for name in there.iter().filter(|name| !wanted.contains(name)) {
            move_file(&self.cluster.env, &dir.join(name), &archive_dir(table, region, family).join(name));
            self.cluster.chance();
        }
        for name in wanted.iter().filter(|name| !there.contains(name)) {
            self.link_to((table, region), (table, region), family, name);
            self.cluster.chance();
        }
    }

    fn link_to(&self, (table, region): (&str, &str), source: (&str, &str), family: &str, name: &str) {
        match name.split_once('-') {
            Some((home, hfile)) => link(&self.cluster.env, (table, region, home), family, hfile),
            None => {
                link(&self.cluster.env, (table, region, &format!("{}={}", source.0, source.1)), family, name)
            }
        }
    }

    /// A table from a snapshot; where a table of the snapshot's name was dropped, its regions come back under their old names.
    pub(crate) fn clone_snapshot(&mut self, snapshot: usize, name: &str) {
        let snapshot = self.snapshots.swap_remove(snapshot);
        let mut parts = Vec::new();
        for source in &snapshot.parts {
            let part = self.part(name, &source.start, &source.end, source.id);
            for (family, file) in
                source.files.iter().flat_map(|(f, files)| files.iter().map(move |file| (*f, file)))
            {
                self.link_to((name, &part.encoded), (&snapshot.table, &source.encoded), family, file);
                self.cluster.chance();
            }
            parts.push(part);
        }
        self.add_table(name, snapshot.families.clone(), parts, snapshot.rows.clone());
        self.snapshots.push(snapshot);
    }
}
