//! Regions on disk as a server leaves them, their lists of files, and what the server answers to scans.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use grampus_engine::Region;
use grampus_env::LocalEnv;
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};
use serde_json::Value;

use crate::common::{self, Fixture, REGION, row, scan_all, start_at};
use crate::specs;

const DAUGHTER: &str = "00000000000000000000000000000005";
const CLONE: &str = "00000000000000000000000000000006";
const DELETE: u8 = 8;
const DELETE_FAMILY_VERSION: u8 = 10;
const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;
const TTL_SECONDS: i64 = 3600;
const FAMILIES: [(&str, &str); 3] = [
    ("f", "\"maxVersions\":3"),
    ("g", "\"maxVersions\":2,\"ttlSeconds\":3600"),
    ("k", "\"maxVersions\":2,\"keepDeletedCells\":\"TRUE\""),
];
const ROWS: u32 = 400;

/// A list of files and what a server answered while it was made.
pub(crate) struct Frozen {
    pub(crate) what: &'static str,
    pub(crate) open_json: String,
    pub(crate) listed: Value,
    pub(crate) now_millis: i64,
    pub(crate) scans: Vec<(&'static str, Spec, Vec<Cell>)>,
}

impl Frozen {
    fn of(f: &Fixture, what: &'static str, region: &Arc<Region>, open_json: String) -> Frozen {
        let listed = serde_json::from_str(&region.snapshot_files(true).unwrap()).unwrap();
        let scan = |(name, spec): (&'static str, Spec)| (name, spec.clone(), scan_all(region, &spec));
        let scans = specs().into_iter().map(scan).collect();
        Frozen { what, open_json, listed, now_millis: f.env.now_millis(), scans }
    }

    /// How many files the list has.
    pub(crate) fn files(&self) -> usize {
        let families = self.listed["families"].as_array().unwrap().iter();
        families.map(|family| family["files"].as_array().unwrap().len()).sum()
    }

    /// The same list without what reference files contain.
    fn without_references(mut self, what: &'static str) -> Frozen {
        for family in self.listed["families"].as_array_mut().unwrap() {
            for file in family["files"].as_array_mut().unwrap() {
                let reference = file.as_object_mut().unwrap().remove("reference");
                assert!(reference.is_some(), "{file} is no reference");
            }
        }
        Frozen { what, ..self }
    }
}

/// A server's directory with a region, a daughter of it that has references, and a clone that has links.
pub(crate) struct World {
    f: Fixture,
    root: PathBuf,
}

impl World {
    /// Writes versions, deletes of every kind, expired cells and tags into three families and several files.
    pub(crate) fn write(root: &Path) -> World {
        let f = start_at(Arc::new(LocalEnv::new()), root, "{}", &FAMILIES, 1);
        f.engine.set_compactions_enabled(false);
        let now = f.env.now_millis();
        for version in 0..3 {
            put_rows(&f, now - 60_000, version);
            f.region.flush().unwrap();
        }
        delete_some(&f, now - 60_000);
        f.region.flush().unwrap();
        World { f, root: root.to_path_buf() }
    }

    /// The lists, of which the first ones are out of date when this returns: compactions have moved their files to the archive.
    pub(crate) fn lists(&self) -> Vec<Frozen> {
        let f = &self.f;
        let own = Frozen::of(f, "archived files", &f.region, f.open_json.clone());
        let daughter_json = self.make_daughter(&own.listed);
        let clone_json = self.make_clone(&own.listed);
        let daughter = f.engine.open_region(&daughter_json).unwrap();
        let clone = f.engine.open_region(&clone_json).unwrap();
        let references = Frozen::of(f, "archived references", &daughter, daughter_json.clone());
        let bare = Frozen::of(f, "", &daughter, daughter_json.clone())
            .without_references("archived references without their content");
        let links = Frozen::of(f, "links to archived files", &clone, clone_json);
        f.engine.set_compactions_enabled(true);
        self.compact(&f.region, REGION, &own.listed);
        self.compact(&daughter, DAUGHTER, &references.listed);
        let written_anew = Frozen::of(f, "outputs of compactions", &f.region, f.open_json.clone());
        vec![own, references, bare, links, written_anew]
    }

    fn family_dir(&self, region: &str, family: &str) -> PathBuf {
        self.root.join("data/default/t").join(region).join(family)
    }

    /// As a split leaves it: a reference to the upper half of each file.
    fn make_daughter(&self, listed: &Value) -> String {
        for (family, name) in names(listed) {
            let dir = self.family_dir(DAUGHTER, &family);
            self.f.env.mkdir(&dir).unwrap();
            let path = dir.join(format!("{name}.{REGION}"));
            fs::write(path, upper_half(&row(ROWS / 2))).unwrap();
        }
        open_region_json(self.root.to_str().unwrap(), DAUGHTER, &FAMILIES)
    }

    fn make_clone(&self, listed: &Value) -> String {
        for (family, name) in names(listed) {
            let dir = self.family_dir(CLONE, &family);
            self.f.env.mkdir(&dir).unwrap();
            fs::write(dir.join(format!("t={REGION}-{name}")), b"").unwrap();
        }
        open_region_json(self.root.to_str().unwrap(), CLONE, &FAMILIES)
    }

    /// Compacts a region and waits until its files of a list have left for the archive.
    fn compact(&self, region: &Arc<Region>, encoded: &str, listed: &Value) {
        region.compact("{\"major\":true}").unwrap();
        for (family, name) in names(listed) {
            let path = self.family_dir(encoded, &family).join(&name);
            common::until(&format!("{} to be archived", path.display()), || !path.exists());
            let archived = self.root.join("archive/data/default/t").join(encoded).join(&family).join(&name);
            assert!(archived.exists(), "{}", archived.display());
        }
    }
}

fn put_rows(f: &Fixture, stamp: i64, version: i64) {
    for first in (0..ROWS).step_by(50) {
        let puts = (first..first + 50).fold(Batch::new(), |batch, n| {
            let mut cells = Vec::new();
            for (family, _) in FAMILIES {
                // Every seventh row of the family with a time to live is past it.
                let age = if family == "g" && n % 7 == 0 { 2 * TTL_SECONDS * 1000 } else { 0 };
                for q in 0..1 + n % 4 {
                    let value = format!("{family}{n}-{version}\\\u{7f}");
                    let mut cell = Cell::put(&row(n), family, &format!("q{q}"), stamp + version - age, value);
                    if n % 50 == 3 {
                        cell.tags = vec![0, 2, 77, 1];
                    }
                    cells.push(cell);
                }
            }
            batch.row_op(RowOp::put(&cells))
        });
        f.mutate(&puts);
    }
}

fn delete_some(f: &Fixture, stamp: i64) {
    for n in (0..ROWS).step_by(9) {
        for (family, _) in FAMILIES {
            let (kind, qualifier) = match n % 4 {
                0 => (DELETE, "q0"),
                1 => (DELETE_COLUMN, "q1"),
                2 => (DELETE_FAMILY_VERSION, ""),
                _ => (DELETE_FAMILY, ""),
            };
            let marker = Cell::new(&row(n), family, qualifier, stamp + 1, kind, "");
            f.mutate(&Batch::new().row_op(RowOp::delete(&[marker])));
        }
    }
}

/// Families and names of the files of a list.
fn names(listed: &Value) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for family in listed["families"].as_array().unwrap() {
        let bytes = grampus_base::from_hex(family["family"].as_str().unwrap(), "").unwrap();
        for file in family["files"].as_array().unwrap() {
            names.push((
                String::from_utf8(bytes.clone()).unwrap(),
                file["name"].as_str().unwrap().to_string(),
            ));
        }
    }
    names
}

/// FSProtos.Reference behind PBUF: the key of the first cell on a row, the upper half.
fn upper_half(row: &str) -> Vec<u8> {
    let mut key = u16::try_from(row.len()).unwrap().to_be_bytes().to_vec();
    key.extend(row.as_bytes());
    key.extend([0, 0x7F]);
    key.extend([0xFF; 8]);
    let mut reference = b"PBUF\x0a".to_vec();
    reference.push(u8::try_from(key.len()).unwrap());
    reference.extend(key);
    reference.extend([0x10, 0]);
    reference
}

/// Every file and directory below a directory, with its length and when it was written.
pub(crate) fn tree(dir: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![dir.to_path_buf()]);
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            if about.is_dir() {
                waiting.push(path.clone());
            }
            found.insert(path, (about.len(), about.modified().unwrap()));
        }
    }
    found
}
