//! What the master does to the directories, as HBase's procedures do it, each step durable when it returns.

use std::path::{Path, PathBuf};

use grampus_env::{Env, FakeEnv};

pub(crate) const ROOT: &str = "/h";

pub(crate) fn region_dir(table: &str, region: &str) -> PathBuf {
    Path::new(ROOT).join("data/default").join(table).join(region)
}

pub(crate) fn family_dir(table: &str, region: &str, family: &str) -> PathBuf {
    region_dir(table, region).join(family)
}

pub(crate) fn archive_dir(table: &str, region: &str, family: &str) -> PathBuf {
    Path::new(ROOT).join("archive/data/default").join(table).join(region).join(family)
}

pub(crate) fn names(env: &FakeEnv, dir: &Path) -> Vec<String> {
    env.list(dir).map(|entries| entries.into_iter().map(|e| e.name).collect()).unwrap_or_default()
}

pub(crate) fn create(env: &FakeEnv, path: &Path, bytes: &[u8]) {
    env.mkdir_durably(path.parent().unwrap()).unwrap();
    if env.exists(path).unwrap() {
        return; // the step is repeated
    }
    let mut file = env.create(path).unwrap();
    file.append(bytes).unwrap();
    file.sync().and_then(|()| file.close()).unwrap();
    env.sync_dir(path.parent().unwrap()).unwrap();
}

pub(crate) fn move_file(env: &FakeEnv, from: &Path, to: &Path) {
    env.mkdir_durably(to.parent().unwrap()).unwrap();
    if env.exists(to).unwrap() {
        env.delete(to).unwrap();
    }
    env.rename(from, to).unwrap();
    env.sync_dir(to.parent().unwrap()).unwrap();
    env.sync_dir(from.parent().unwrap()).unwrap();
}

/// Deletes everything below a directory, and the directory.
pub(crate) fn delete_tree(env: &FakeEnv, dir: &Path) {
    for entry in env.list(dir).unwrap_or_default() {
        let path = dir.join(&entry.name);
        if entry.is_dir { delete_tree(env, &path) } else { env.delete(&path).unwrap() }
    }
    if env.exists(dir).unwrap() {
        env.delete(dir).unwrap();
        env.sync_dir(dir.parent().unwrap()).unwrap();
    }
}

/// `HFileArchiver.archiveFamily`: the family's files are kept for snapshots, its directory goes.
pub(crate) fn archive_family(env: &FakeEnv, table: &str, region: &str, family: &str) {
    let dir = family_dir(table, region, family);
    for name in names(env, &dir) {
        move_file(env, &dir.join(&name), &archive_dir(table, region, family).join(&name));
    }
    delete_tree(env, &dir);
}

/// `HFileArchiver.archiveRegion`: recovered edits and sequence id files go with the directory.
pub(crate) fn archive_region(env: &FakeEnv, table: &str, region: &str, families: &[&'static str]) {
    families.iter().for_each(|family| archive_family(env, table, region, family));
    delete_tree(env, &region_dir(table, region));
}

/// A link to a file of a snapshot (`HFileLink`).
pub(crate) fn link(env: &FakeEnv, to: (&str, &str, &str), family: &str, hfile: &str) {
    let (table, region, home) = to;
    create(env, &family_dir(table, region, family).join(format!("{home}-{hfile}")), b"");
}

/// The files of a family that a split or merge refers to, by the name that a reference begins with.
pub(crate) fn refer(env: &FakeEnv, table: &str, parent: &str, child: &str, family: &str, range: Range<'_>) {
    for name in names(env, &family_dir(table, parent, family)) {
        create(env, &family_dir(table, child, family).join(format!("{name}.{parent}")), &reference(range));
    }
}

/// The part of a parent that a child has.
#[derive(Clone, Copy)]
pub(crate) enum Range<'a> {
    Below(&'a str),
    From(&'a str),
}

/// HBase's `Reference`: the first key of the row at which the parent is cut, and which side it is.
fn reference(range: Range<'_>) -> Vec<u8> {
    let (row, bottom) = match range {
        Range::Below(row) => (row, 1),
        Range::From(row) => (row, 0),
    };
    let mut key = (row.len() as u16).to_be_bytes().to_vec();
    key.extend_from_slice(row.as_bytes());
    key.extend_from_slice(&[0, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
    let mut out = b"PBUF".to_vec();
    out.extend_from_slice(&[0x0A, key.len() as u8]);
    out.extend_from_slice(&key);
    out.extend_from_slice(&[0x10, bottom]);
    out
}

/// The highest sequence id file of a region.
pub(crate) fn highest_mark(env: &FakeEnv, table: &str, region: &str) -> u64 {
    let names = names(env, &region_dir(table, region).join("recovered.edits"));
    names.iter().filter_map(|name| name.strip_suffix(".seqid")?.parse().ok()).max().unwrap_or(0)
}

/// Gives a child of a split or merge its parents' sequence id.
pub(crate) fn put_mark(env: &FakeEnv, table: &str, region: &str, sequence: u64) {
    create(env, &region_dir(table, region).join("recovered.edits").join(format!("{sequence}.seqid")), b"");
}
