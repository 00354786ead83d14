//! Bulk loads: what is visible of them, in which order, and what a process or a machine that dies at any step leaves.

mod deaths;
mod openings;
mod refusals;
mod returns;
mod visibility;
mod waits;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use grampus_base::{Error, ErrorKind};
use grampus_engine::{Engine, MutateStatus, Region};
use grampus_env::{Env, FakeEnv, FakeKind, Faults, LocalEnv, Mounts};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, open_region_json};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::common::external::{file_of, hex};
use crate::common::mortal::{Life, Mortal};
use crate::common::{self, Fixture, REGION, on_each_kind, start_in, until};

const DELETE_COLUMN: u8 = 12;
const DELETE_FAMILY: u8 = 14;
/// So that the machine's death takes nothing back.
const FSYNC: u8 = 4;
const OUT: &str = "/out";

/// Writes a file to be loaded, without a care for its bytes, as a job does.
fn write(env: &dyn Env, path: &Path, bytes: &[u8]) {
    env.mkdir_durably(path.parent().unwrap()).unwrap();
    let mut file = env.create(path).unwrap();
    file.append(bytes).unwrap();
    file.close().unwrap();
    env.sync_dir(path.parent().unwrap()).unwrap();
}

/// A file that is ordered: its family, its number, its cells.
struct Ordered {
    family: &'static str,
    number: u32,
}

impl Ordered {
    fn path(&self) -> PathBuf {
        Path::new(OUT).join(self.family).join(self.number.to_string())
    }

    fn json(&self) -> Value {
        json!({"family": hex(self.family), "path": self.path(), "name": format!("{:032x}", self.number)})
    }
}

fn written(env: &dyn Env, family: &'static str, number: u32, cells: &[Cell]) -> Ordered {
    let ordered = Ordered { family, number };
    write(env, &ordered.path(), &file_of(family, cells));
    ordered
}

fn order(region: &Region, files: &[&Ordered], copy: bool) -> Result<Value, Error> {
    order_fenced(region, files, copy, &|| Ok(()))
}

fn order_fenced(
    region: &Region,
    files: &[&Ordered],
    copy: bool,
    fence: &dyn Fn() -> Result<(), Error>,
) -> Result<Value, Error> {
    let files: Vec<Value> = files.iter().map(|file| file.json()).collect();
    let request = json!({"files": files, "copy": copy, "verify": true}).to_string();
    region.load_files(&request, fence).map(|reply| serde_json::from_str(&reply).unwrap())
}

fn start(kind: FakeKind) -> Fixture {
    start_in(Arc::new(FakeEnv::of(kind, 1)), "{}", &[("f", "\"maxVersions\":3"), ("g", "")], 1)
}

fn values(cells: &[Cell]) -> Vec<String> {
    cells
        .iter()
        .map(|c| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            format!("{}/{}@{}={}", text(&c.row), text(&c.family), c.timestamp, text(&c.value))
        })
        .collect()
}

/// All cells through scans of the server, of the files alone, and row by row.
fn everything(f: &Fixture) -> Vec<String> {
    let scanned = f.scan(&Spec::scan().versions(3));
    assert_eq!(scanned, f.scan_frozen(&Spec::scan().versions(3)), "a scan of the files alone sees the same");
    let mut rows: Vec<&[u8]> = scanned.iter().map(|c| c.row.as_slice()).collect();
    rows.dedup();
    let gets = rows.iter().flat_map(|row| f.get(&Spec::get(std::str::from_utf8(row).unwrap()).versions(3)));
    assert_eq!(scanned, gets.collect::<Vec<_>>());
    values(&scanned)
}

fn compact(f: &Fixture) {
    let before = f.metric("compaction.major.count");
    f.region.compact("{\"major\":true}").unwrap();
    until("a major compaction", || f.metric("compaction.major.count") > before && files(f) == 1);
    let names = || listed(&*f.env, &format!("/h/data/default/t/{REGION}/f"));
    until("only the output is left", || names().len() == 1); // inputs leave the directory behind the commit
    assert!(!names()[0].contains("SeqId"), "{:?}", names());
}

fn files(f: &Fixture) -> u64 {
    let stats: Value = serde_json::from_str(&f.region.stats().to_string()).unwrap();
    stats["storeFileCount"].as_u64().unwrap()
}

fn reopen(f: &mut Fixture) {
    f.region.close(false).unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
}

fn listed(env: &dyn Env, dir: &str) -> Vec<String> {
    env.list(Path::new(dir)).map(|e| e.into_iter().map(|e| e.name).collect()).unwrap_or_default()
}

/// Columns of both families for each row.
fn rows(value: &str) -> (Vec<Cell>, Vec<Cell>) {
    let cells = |family: &'static str| ["b", "d"].map(|row| Cell::put(row, family, "q", 5, value)).to_vec();
    (cells("f"), cells("g"))
}

/// A server with a life, which opens the region as its predecessor left it.
fn serve(env: Arc<dyn Env>, generation: u32) -> Option<(Arc<Engine>, Arc<Region>)> {
    let engine = Engine::open_in(env.clone(), "{\"compactions\":false}").ok()?;
    let prefix = format!("s{generation}");
    engine.start_wal(&format!("/h/WALs/{prefix}"), "/h/oldWALs", &prefix).ok()?;
    let json = open_region_json("/h", REGION, &[("f", ""), ("g", "")]);
    env.mkdir_durably(&Path::new("/h/data/default/t").join(REGION)).ok()?;
    let region = engine.open_region(&json).ok()?;
    Some((engine, region))
}

fn put_both(engine: &Engine, region: &Region, row: &str, value: &str) {
    let cells = [Cell::put(row, "f", "q", 5, value), Cell::put(row, "g", "q", 5, value)];
    common::mutate(engine, region, &Batch::new().row_op(RowOp::put_as(FSYNC, &cells)));
}

fn has_load(env: &FakeEnv) -> bool {
    env.exists(&Path::new("/h/data/default/t").join(REGION).join(".load")).unwrap()
}

/// A region and two files of it that a load wants.
fn with_two_files() -> (FakeEnv, Fixture, [Ordered; 2]) {
    let env = FakeEnv::new(1);
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", ""), ("g", "")], 1);
    let (cells_f, cells_g) = rows("load");
    let files = [written(&env, "f", 1, &cells_f), written(&env, "g", 2, &cells_g)];
    (env, f, files)
}

const LOADED: [&str; 4] = ["b/f@5=load", "b/g@5=load", "d/f@5=load", "d/g@5=load"];

fn loaded_files(env: &FakeEnv) -> usize {
    let is_loaded =
        |path: &&PathBuf| path.starts_with("/h/data") && path.to_string_lossy().contains("_SeqId_");
    env.files().iter().filter(is_loaded).count()
}

/// What the engine has said since it was asked last, one text a line.
fn said(f: &Fixture) -> String {
    let events = f.engine.poll_events(Duration::from_millis(1)).unwrap();
    events.iter().map(|event| format!("{:?} {}\n", event.level, event.text)).collect()
}
