//! Bulk loads: what is visible of them, in which order, and what a process or a machine that dies at any step leaves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::external::{file_of, hex};
use common::mortal::{Life, Mortal};
use common::{Fixture, REGION, on_each_kind, start_in, until};
use grampus_base::{Error, ErrorKind};
use grampus_engine::{Engine, Region};
use grampus_env::{Env, FakeEnv, FakeKind, Faults, LocalEnv};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};
use serde_json::{Value, json};

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
    let files: Vec<Value> = files.iter().map(|file| file.json()).collect();
    let request = json!({"files": files, "copy": copy, "verify": true}).to_string();
    region.load_files(&request).map(|reply| serde_json::from_str(&reply).unwrap())
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
    let names = listed(&*f.env, &format!("/h/data/default/t/{REGION}/f"));
    assert!(names.len() == 1 && !names[0].contains("SeqId"), "only the output is left: {names:?}");
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

#[test]
fn the_newest_load_counts_among_equal_timestamps_and_later_puts_count_more() {
    on_each_kind(|kind| {
        let mut f = start(kind);
        let put = |value: &str| Cell::put("r", "f", "q", 5, value);
        f.put(put("memory"));
        let first = written(&*f.env, "f", 1, &[put("load 1")]);
        order(&f.region, &[&first], false).unwrap();
        assert_eq!(everything(&f), ["r/f@5=load 1"]);
        let second = written(&*f.env, "f", 2, &[put("load 2")]);
        order(&f.region, &[&second], false).unwrap();
        assert_eq!(everything(&f), ["r/f@5=load 2"]);
        f.put(put("put"));
        assert_eq!(everything(&f), ["r/f@5=put"]);
        f.region.flush().unwrap();
        let third = written(&*f.env, "f", 3, &[put("load 3")]);
        order(&f.region, &[&third], false).unwrap();
        for _ in 0..2 {
            assert_eq!(everything(&f), ["r/f@5=load 3"]);
            compact(&f);
            assert_eq!(everything(&f), ["r/f@5=load 3"]);
            reopen(&mut f);
        }
        f.put(put("last"));
        assert_eq!(everything(&f), ["r/f@5=last"]);
    });
}

#[test]
fn of_equal_cells_of_one_order_the_later_file_counts_before_and_after_a_compaction() {
    let mut f = start(FakeKind::Local);
    let file = |number, value: &str| written(&*f.env, "f", number, &[Cell::put("r", "f", "q", 5, value)]);
    let files = [file(9, "a"), file(3, "b"), file(6, "c")];
    let reply = order(&f.region, &files.iter().collect::<Vec<_>>(), false).unwrap();
    assert_eq!(reply["files"].as_array().unwrap().len(), 3);
    assert_eq!(everything(&f), ["r/f@5=c"]);
    reopen(&mut f);
    assert_eq!(everything(&f), ["r/f@5=c"]);
    compact(&f);
    assert_eq!(everything(&f), ["r/f@5=c"]);
}

#[test]
fn loaded_markers_and_versions_are_as_if_they_had_been_written() {
    on_each_kind(|kind| {
        let mut f = start(kind);
        for timestamp in [1, 2, 3] {
            f.put(Cell::put("a", "f", "q", timestamp, "old"));
            f.put(Cell::put("b", "f", "q", timestamp, "old"));
            f.put(Cell::put("c", "f", "q", timestamp, "old"));
        }
        let cells = [
            Cell::new("a", "f", "", 2, DELETE_FAMILY, ""),
            Cell::new("b", "f", "q", 1, DELETE_COLUMN, ""),
            Cell::put("c", "f", "q", 9, "new"),
            Cell::put("c", "f", "q", 4, "new"),
        ];
        let file = written(&*f.env, "f", 1, &cells);
        order(&f.region, &[&file], false).unwrap();
        let expected = ["a/f@3=old", "b/f@3=old", "b/f@2=old", "c/f@9=new", "c/f@4=new", "c/f@3=old"];
        assert_eq!(everything(&f), expected);
        compact(&f);
        assert_eq!(everything(&f), expected);
        reopen(&mut f);
        assert_eq!(everything(&f), expected);
    });
}

#[test]
fn an_open_scanner_sees_nothing_of_a_later_load() {
    let f = start(FakeKind::Local);
    f.put(Cell::put("a", "f", "q", 1, "put"));
    let mut scanner = f.region.open_scanner(&Spec::scan().encode()).unwrap();
    let file =
        written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "load"), Cell::put("b", "f", "q", 1, "load")]);
    order(&f.region, &[&file], false).unwrap();
    let (cells, info) = common::next(&mut scanner, &common::NO_LIMITS, 4096);
    assert!(info.end);
    assert_eq!(values(&cells), ["a/f@1=put"]);
    assert_eq!(everything(&f), ["a/f@1=load", "b/f@1=load"]);
}

#[test]
fn a_repeated_order_is_not_done_again() {
    for copy in [false, true] {
        let mut f = start(FakeKind::Local);
        let file = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
        let first = order(&f.region, &[&file], copy).unwrap();
        assert_eq!(first["files"].as_array().unwrap().len(), 1);
        assert_eq!(f.env.exists(&file.path()).unwrap(), copy);
        let again = |f: &Fixture| {
            let reply = order(&f.region, &[&file], copy).unwrap();
            assert_eq!(reply["files"], json!([]), "nothing more is loaded");
            assert_eq!(files(f), 1);
        };
        again(&f);
        reopen(&mut f);
        again(&f);
        f.put(Cell::put("a", "f", "q", 1, "later"));
        f.region.flush().unwrap();
        compact(&f);
        again(&f); // the file is in the archive
        assert_eq!(everything(&f), ["a/f@1=later"]);
    }
}

#[test]
fn what_cannot_be_loaded_is_refused_and_stays_where_it_is() {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let f = start_in(env, "{}", &[("f", ""), ("g", "")], 1);
    let good = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    let refusal = |second: &Ordered, part: &str| {
        let error = order(&f.region, &[&good, second], false).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest, "{error}");
        assert!(
            error.message.contains(part) && error.message.contains(second.path().to_str().unwrap()),
            "{error}"
        );
        assert!(f.env.exists(&good.path()).unwrap(), "all or nothing");
        assert!(!f.env.exists(&Path::new("/h/data/default/t").join(REGION).join(".load")).unwrap());
        assert_eq!(everything(&f), [""; 0]);
    };
    let missing = Ordered { family: "f", number: 2 };
    refusal(&missing, "it is not there");
    refusal(&written(&*f.env, "f", 3, &[]), "it has no rows");
    let other = Ordered { family: "g", number: 4 };
    write(&*f.env, &other.path(), &file_of("f", &[Cell::put("a", "f", "q", 1, "v")]));
    refusal(&other, "it is a file of family f, not of g");
    let damaged = written(&*f.env, "f", 5, &[Cell::put("a", "f", "q", 1, "v")]);
    f.env.rename(&damaged.path(), Path::new("/out/whole")).unwrap();
    let mut bytes = f.env.read(Path::new("/out/whole")).unwrap();
    bytes[20] ^= 0xFF; // in the first page, which only a look at every byte finds
    write(&*f.env, &damaged.path(), &bytes);
    let error = order(&f.region, &[&good, &damaged], false).unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadRequest, "{error}");
    assert!(f.env.exists(&good.path()).unwrap() && f.env.exists(&damaged.path()).unwrap());
    let text = Ordered { family: "f", number: 6 };
    write(&*f.env, &text.path(), b"a text");
    assert_eq!(order(&f.region, &[&text], false).unwrap_err().kind, ErrorKind::BadRequest);
    let request = json!({"files": [{"family": hex("x"), "path": "/out/f/1", "name": format!("{:032x}", 1)}], "copy": false, "verify": false});
    assert_eq!(f.region.load_files(&request.to_string()).unwrap_err().kind, ErrorKind::NoSuchFamily);
    for name in ["../../../x", "0a", "_SeqId_1_"] {
        let request = json!({"files": [{"family": hex("f"), "path": "/out/f/1", "name": name}], "copy": false, "verify": false});
        assert_eq!(
            f.region.load_files(&request.to_string()).unwrap_err().kind,
            ErrorKind::BadRequest,
            "{name}"
        );
    }
    f.region.close(false).unwrap();
    assert_eq!(order(&f.region, &[&good], false).unwrap_err().kind, ErrorKind::NotServing);
}

#[test]
fn a_file_with_rows_of_other_regions_is_a_wrong_region() {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let f = start_in(env, "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    let bounded =
        f.open_json.replace("\"startKey\":\"\",\"endKey\":\"\"", "\"startKey\":\"62\",\"endKey\":\"64\"");
    let region = f.engine.open_region(&bounded).unwrap();
    let file = |number, rows: &[&str]| {
        let cells: Vec<Cell> = rows.iter().map(|row| Cell::put(row, "f", "q", 1, "v")).collect();
        written(&*f.env, "f", number, &cells)
    };
    for (number, rows) in [(1, ["a", "c"]), (2, ["c", "d"]), (3, ["a", "d"])] {
        let file = file(number, &rows);
        assert_eq!(order(&region, &[&file], false).unwrap_err().kind, ErrorKind::WrongRegion);
        assert!(f.env.exists(&file.path()).unwrap());
    }
    // What no other order makes good is said first.
    let (wrong, empty) = (file(4, &["a", "c"]), file(5, &[]));
    assert_eq!(order(&region, &[&wrong, &empty], false).unwrap_err().kind, ErrorKind::BadRequest);
    order(&region, &[&file(6, &["b", "c"])], false).unwrap();
    assert_eq!(common::scan_all(&region, &Spec::scan()).len(), 2);
}

#[test]
fn a_file_of_another_store_is_loaded_without_its_past() {
    let f = start(FakeKind::Local);
    for value in ["1", "2"] {
        f.put(Cell::put("a", "f", "q", 1, value));
        f.region.flush().unwrap();
    }
    compact(&f);
    f.put(Cell::put("a", "f", "q", 1, "newer"));
    f.region.flush().unwrap();
    // The output of a compaction, whose ids are old and which names files that it replaced.
    let dir = format!("/h/data/default/t/{REGION}/f");
    let names = listed(&*f.env, &dir);
    let copy = Ordered { family: "f", number: 7 };
    let output = names.iter().map(|name| f.env.read(&Path::new(&dir).join(name)).unwrap());
    let output =
        output.filter(|bytes| bytes.windows(17).any(|w| w == b"GRAMPUS.COMPACTED")).collect::<Vec<_>>();
    assert_eq!(output.len(), 1);
    write(&*f.env, &copy.path(), &output[0]);
    order(&f.region, &[&copy], true).unwrap();
    assert_eq!(everything(&f), ["a/f@1=2"], "the load is newer than all there was");
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

/// The logs of dead servers, for the region.
fn recover_logs(env: &FakeEnv, generation: u32) {
    let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for server in 1..generation {
        let dir = format!("/h/WALs/s{server}");
        for segment in listed(env, &dir) {
            let request = json!({"wal": format!("{dir}/{segment}"), "rootDir": "/h"}).to_string();
            engine.split_wal(&request).unwrap();
            env.rename(&Path::new(&dir).join(&segment), &Path::new("/h/oldWALs").join(&segment)).unwrap();
        }
    }
}

fn put_both(engine: &Engine, region: &Region, row: &str, value: &str) {
    let cells = [Cell::put(row, "f", "q", 5, value), Cell::put(row, "g", "q", 5, value)];
    common::mutate(engine, region, &Batch::new().row_op(RowOp::put_as(FSYNC, &cells)));
}

/// One load by a server that dies after a given number of its steps. True when the load ended before that.
fn load_and_die(kind: FakeKind, steps: u64, copy: bool, machine: bool) -> bool {
    let env = FakeEnv::of(kind, steps);
    let life = Life::of_steps(u64::MAX);
    let mortal: Arc<dyn Env> = Arc::new(Mortal::new(&env, &life));
    let (engine, region) = serve(mortal, 1).unwrap();
    put_both(&engine, &region, "b", "before");
    put_both(&engine, &region, "c", "before");
    let (f, g) = rows("load");
    let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
    if machine {
        env.sync_file(&files[0].path()).unwrap();
        env.sync_file(&files[1].path()).unwrap();
    }
    life.end_in(steps);
    let outcome = order(&region, &[&files[0], &files[1]], copy);
    let ended = !life.is_over();
    assert!(!ended || outcome.is_ok(), "{outcome:?}");
    life.end();
    drop(engine);
    drop(region);
    if machine {
        env.crash_machine()
    } else {
        env.crash_process()
    }
    recover_logs(&env, 2);
    let (engine, region) = serve(Arc::new(env.clone()), 2).unwrap();
    let found = values(&common::scan_all(&region, &Spec::scan()));
    let before = ["b/f@5=before", "b/g@5=before", "c/f@5=before", "c/g@5=before"];
    let after = ["b/f@5=load", "b/g@5=load", "c/f@5=before", "c/g@5=before", "d/f@5=load", "d/g@5=load"];
    let at = format!("{kind:?}, {steps} steps, copy {copy}, machine {machine}");
    let there = files.iter().map(|file| env.exists(&file.path()).unwrap()).collect::<Vec<_>>();
    if found == after {
        assert_eq!(there, [copy, copy], "{at}");
    } else {
        assert_eq!(found, before, "{at}: all or nothing");
        assert!(outcome.is_err(), "{at}: an acknowledged load is lost");
        assert_eq!(there, [true, true], "{at}: the files are back");
    }
    assert!(!env.exists(&Path::new("/h/data/default/t").join(REGION).join(".load")).unwrap(), "{at}");
    // The client asks again; a later put counts, whatever happened.
    put_both(&engine, &region, "c", "after");
    let again = order(&region, &[&files[0], &files[1]], copy).unwrap();
    assert_eq!(again["files"].as_array().unwrap().is_empty(), found == after, "{at}");
    let mut expected = after.map(str::to_string);
    expected[2] = "c/f@5=after".to_string();
    expected[3] = "c/g@5=after".to_string();
    assert_eq!(values(&common::scan_all(&region, &Spec::scan())), expected, "{at}");
    region.close(false).unwrap();
    ended
}

#[test]
fn a_death_at_any_step_leaves_all_of_a_load_or_nothing() {
    for kind in FakeKind::ALL {
        for (copy, machine) in [(false, false), (false, true), (true, false), (true, true)] {
            let ended = (1..400).find(|steps| load_and_die(kind, *steps, copy, machine));
            assert!(ended.is_some_and(|steps| steps > 20), "{kind:?}: a load ends, and has steps: {ended:?}");
        }
    }
}

#[test]
fn an_error_of_the_file_system_leaves_the_files_where_they_were() {
    for renames in 0..3 {
        let env = FakeEnv::new(1);
        let f = start_in(Arc::new(env.clone()), "{}", &[("f", ""), ("g", "")], 1);
        let (cells_f, cells_g) = rows("load");
        let files = [written(&env, "f", 1, &cells_f), written(&env, "g", 2, &cells_g)];
        env.set_faults(Faults { fail_rename_in: Some(renames), ..Faults::default() });
        order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
        assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()), "rename {renames}");
        assert_eq!(everything(&f), [""; 0]);
        order(&f.region, &[&files[0], &files[1]], false).unwrap();
        assert_eq!(everything(&f).len(), 4);
    }
}

#[test]
fn a_load_that_cannot_be_shown_comes_with_the_next_open() {
    let env = FakeEnv::new(1);
    let mut f = start_in(Arc::new(env.clone()), "{}", &[("f", ""), ("g", "")], 1);
    let (cells_f, cells_g) = rows("load");
    let files = [written(&env, "f", 1, &cells_f), written(&env, "g", 2, &cells_g)];
    // The record, two moves and the commit come before the first file is moved into its place.
    env.set_faults(Faults { fail_rename_in: Some(4), ..Faults::default() });
    let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
    assert!(error.message.contains("shows when the region is opened next"), "{error}");
    let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
    assert!(error.message.contains("waits for the region to be opened again"), "{error}");
    reopen(&mut f);
    assert_eq!(everything(&f), ["b/f@5=load", "b/g@5=load", "d/f@5=load", "d/g@5=load"]);
}

#[test]
fn a_file_of_another_disk_is_moved_by_copying_it() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir_in("/dev/shm"));
    let Ok(there) = there else { return eprintln!("there is no second file system to try this on") };
    let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
    let f = common::start_at(env, here.path(), "{}", &[("f", "")], 1);
    let source = there.path().join("1");
    write(&*f.env, &source, &file_of("f", &[Cell::put("a", "f", "q", 1, "v")]));
    let file = json!({"family": hex("f"), "path": source, "name": format!("{:032x}", 1)});
    let request = json!({"files": [file], "copy": false, "verify": true}).to_string();
    f.region.load_files(&request).unwrap();
    assert_eq!(values(&f.scan(&Spec::scan())), ["a/f@1=v"]);
    assert!(!source.exists());
}
