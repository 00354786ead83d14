//! Bulk loads: what is visible of them, in which order, and what a process or a machine that dies at any step leaves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use common::external::{file_of, hex};
use common::mortal::{Life, Mortal};
use common::{Fixture, REGION, on_each_kind, start_in, until};
use grampus_base::{Error, ErrorKind};
use grampus_engine::{Engine, MutateStatus, Region};
use grampus_env::{Env, FakeEnv, FakeKind, Faults, LocalEnv, Mounts};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, open_region_json};
use parking_lot::Mutex;
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
    assert_eq!(
        f.region.load_files(&request.to_string(), &|| Ok(())).unwrap_err().kind,
        ErrorKind::NoSuchFamily
    );
    for name in ["../../../x", "0a", "_SeqId_1_"] {
        let request = json!({"files": [{"family": hex("f"), "path": "/out/f/1", "name": name}], "copy": false, "verify": false});
        assert_eq!(
            f.region.load_files(&request.to_string(), &|| Ok(())).unwrap_err().kind,
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
fn load_and_die(kind: FakeKind, mounts: &Mounts, steps: u64, copy: bool, machine: bool) -> bool {
    let env = FakeEnv::of(kind, steps);
    env.set_mounts(mounts.clone());
    let life = Life::of_steps(u64::MAX);
    let mortal: Arc<dyn Env> = Arc::new(Mortal::new(&env, &life));
    let (engine, region) = serve(mortal, 1).unwrap();
    put_both(&engine, &region, "b", "before");
    put_both(&engine, &region, "c", "before");
    let (f, g) = rows("load");
    let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
    // What a job does not sync it may lose with the machine, whichever server loads it.
    files.iter().for_each(|file| env.sync_file(&file.path()).unwrap());
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
    let at = format!("{kind:?}, {mounts:?}, {steps} steps, copy {copy}, machine {machine}");
    let there = files.iter().map(|file| env.exists(&file.path()).unwrap()).collect::<Vec<_>>();
    if found == after {
        assert_eq!(there, [copy, copy], "{at}");
    } else {
        assert_eq!(found, before, "{at}: all or nothing");
        assert!(outcome.is_err(), "{at}: an acknowledged load is lost");
        assert_eq!(there, [true, true], "{at}: the files are back");
        for (file, cells) in files.iter().zip([&f, &g]) {
            let whole = env.read(&file.path()).unwrap() == file_of(file.family, cells);
            assert!(whole, "{at}: the bytes of {} are back", file.path().display());
        }
    }
    assert!(!has_load(&env), "{at}");
    // The client asks again; a later put counts, whatever happened.
    put_both(&engine, &region, "c", "after");
    let again = order(&region, &[&files[0], &files[1]], copy).unwrap();
    assert_eq!(again["files"].as_array().unwrap().is_empty(), found == after, "{at}");
    let mut expected = after.map(str::to_string);
    expected[2] = "c/f@5=after".to_string();
    expected[3] = "c/g@5=after".to_string();
    assert_eq!(values(&common::scan_all(&region, &Spec::scan())), expected, "{at}");
    let left = env.files().iter().filter(|file| file.starts_with(OUT)).count();
    assert_eq!(left, if copy { 2 } else { 0 }, "{at}: {:?}", env.files());
    region.close(false).unwrap();
    ended
}

fn has_load(env: &FakeEnv) -> bool {
    env.exists(&Path::new("/h/data/default/t").join(REGION).join(".load")).unwrap()
}

#[test]
fn a_death_at_any_step_leaves_all_of_a_load_or_nothing() {
    let nfs = Mounts { renames_by_links: true, ..Mounts::default() };
    let devices = Mounts { other_device: Some(OUT.into()), ..Mounts::default() };
    let both = Mounts { renames_by_links: true, ..devices.clone() };
    let places = [Mounts::default(), devices, nfs, both];
    for (kind, mounts) in FakeKind::ALL.iter().flat_map(|kind| places.iter().map(move |m| (*kind, m))) {
        for (copy, machine) in [(false, false), (false, true), (true, false), (true, true)] {
            let ended = (1..400).find(|steps| load_and_die(kind, mounts, *steps, copy, machine));
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

#[test]
fn a_load_that_cannot_be_shown_is_whole_once_its_region_is_closed() {
    for asks_again in [false, true] {
        let (env, mut f, files) = with_two_files();
        // The record, two moves and the commit come before the first file is moved into its place.
        env.set_faults(Faults { fail_rename_in: Some(4), ..Faults::default() });
        let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
        assert!(error.message.contains("shows when the region is opened next"), "{error}");
        assert_eq!(loaded_files(&env), 0);
        if asks_again {
            let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
            assert!(error.message.contains("waits for the region to be opened again"), "{error}");
        }
        assert_eq!(everything(&f), [""; 0]);
        f.region.close(false).unwrap();
        // A split or merge comes here, and takes what is in the family directories.
        assert_eq!((loaded_files(&env), has_load(&env)), (2, false));
        f.region = f.engine.open_region(&f.open_json).unwrap();
        assert_eq!(everything(&f), LOADED);
    }
}

/// What the engine has said since it was asked last, one text a line.
fn said(f: &Fixture) -> String {
    let events = f.engine.poll_events(Duration::from_millis(1)).unwrap();
    events.iter().map(|event| format!("{:?} {}\n", event.level, event.text)).collect()
}

#[test]
fn files_that_cannot_go_back_keep_a_region_from_nothing() {
    let (env, mut f, files) = with_two_files();
    // The client's directory becomes read only when the first file has been moved.
    let read_only = Mounts { read_only: Some(OUT.into()), ..Mounts::default() };
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 2 {
            env.set_mounts(read_only.clone());
        }
        Ok(())
    };
    let error = order_fenced(&f.region, &[&files[0], &files[1]], false, &fence).unwrap_err();
    assert!(error.message.contains("its files are moved back when"), "{error}");
    assert_eq!(files.each_ref().map(|file| env.exists(&file.path()).unwrap()), [false, true]);
    f.region.close(true).unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(everything(&f), [""; 0]);
    assert!(has_load(&env), "the file waits");
    // Other clients' loads do not.
    let other = Ordered { family: "f", number: 7 };
    env.mkdir(Path::new("/elsewhere")).unwrap();
    write(&env, Path::new("/elsewhere/7"), &file_of("f", &[Cell::put("x", "f", "q", 1, "v")]));
    let request = json!({"files": [{"family": hex("f"), "path": "/elsewhere/7", "name": format!("{:032x}", other.number)}], "copy": false, "verify": false});
    f.region.load_files(&request.to_string(), &|| Ok(())).unwrap();
    assert_eq!(everything(&f), ["x/f@1=v"]);
    // A split or merge comes behind a close, and finds the region's own files alone.
    f.region.close(false).unwrap();
    let places = listed(&env, "/h/staging/unreturned");
    assert!(!has_load(&env) && places.len() == 1 && places[0].starts_with(REGION), "{places:?}");
    let place = Path::new("/h/staging/unreturned").join(&places[0]);
    let said = said(&f);
    assert!(said.contains(&format!("and are in {}", place.display())), "{said}");
    assert!(env.exists(&place.join(format!("{:032x}", files[0].number))).unwrap());
    assert!(env.exists(&place.join("moving")).unwrap(), "its record says where it belongs");
    f.region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(everything(&f), ["x/f@1=v"]);
}

#[test]
fn files_that_can_go_back_by_now_do_so_at_the_close() {
    let (env, f, files) = with_two_files();
    let read_only = Mounts { read_only: Some(OUT.into()), ..Mounts::default() };
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 2 {
            env.set_mounts(read_only.clone());
        }
        Ok(())
    };
    order_fenced(&f.region, &[&files[0], &files[1]], false, &fence).unwrap_err();
    env.set_mounts(Mounts::default());
    f.region.close(false).unwrap();
    assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env));
    let said = said(&f);
    assert!(said.contains("did not happen, its files are back: [/out/f/1]"), "{said}");
}

#[test]
fn what_a_close_cannot_delete_of_a_load_is_said() {
    let devices = Mounts { other_device: Some(OUT.into()), ..Mounts::default() };
    let (env, f, files) = with_two_files();
    env.set_mounts(devices.clone());
    // The record, two files put out of sight, and the commit come before the first file's move into its place.
    env.set_faults(Faults { fail_rename_in: Some(4 + 2), ..Faults::default() });
    let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
    assert!(error.message.contains("shows when the region is opened next"), "{error}");
    env.set_mounts(Mounts { read_only: Some(OUT.into()), ..devices });
    f.region.close(false).unwrap();
    assert_eq!(loaded_files(&env), 2);
    let said = said(&f);
    assert!(said.contains("is complete: [") && said.contains("what it has moved is still there: "), "{said}");
}

#[test]
fn a_load_that_panics_gives_its_files_back() {
    let (env, f, files) = with_two_files();
    let asked = AtomicU64::new(0);
    let fence = || {
        assert_ne!(asked.fetch_add(1, Ordering::Relaxed), 2, "the first file has been moved");
        Ok(())
    };
    let error = order_fenced(&f.region, &[&files[0], &files[1]], false, &fence).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Bug, "{error}");
    assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env));
    order(&f.region, &[&files[0], &files[1]], false).unwrap();
    assert_eq!(everything(&f), LOADED);
}

#[test]
fn a_server_that_has_lost_its_regions_loads_nothing() {
    let (env, f, files) = with_two_files();
    for asks in 0.. {
        let asked = AtomicU64::new(0);
        let fence = || match asked.fetch_add(1, Ordering::Relaxed) {
            n if n == asks => Err(Error::new(ErrorKind::NotServing, "lost")),
            _ => Ok(()),
        };
        let outcome = order_fenced(&f.region, &[&files[0], &files[1]], false, &fence);
        if outcome.is_ok() {
            // At the beginning, before each file, and before the commit.
            assert_eq!(asks, 4);
            break;
        }
        assert_eq!(outcome.unwrap_err().kind, ErrorKind::NotServing);
        assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env), "{asks}");
        assert_eq!(everything(&f), [""; 0]);
    }
    assert_eq!(everything(&f), LOADED);
}

#[test]
fn an_opening_commits_nothing_into_a_later_one() {
    // The region is opened elsewhere before the older server asks for the nth time, and it is told nothing of it. But for the first time: a
    // load that begins behind the other opening is one like any other, and the fence alone keeps it from its end.
    for nth in 0..4 {
        let env = FakeEnv::new(1);
        let (_old_engine, old) = serve(Arc::new(env.clone()), 1).unwrap();
        let (f, g) = rows("load");
        let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
        let asked = AtomicU64::new(0);
        let opened = parking_lot::Mutex::new(None);
        let fence = || {
            if asked.fetch_add(1, Ordering::Relaxed) == nth {
                *opened.lock() = serve(Arc::new(env.clone()), 2);
                if nth == 0 {
                    return Err(Error::new(ErrorKind::NotServing, "lost"));
                }
            }
            Ok(())
        };
        let outcome = order_fenced(&old, &[&files[0], &files[1]], false, &fence);
        let (_engine, new) = opened.into_inner().unwrap();
        outcome.unwrap_err();
        assert_eq!(loaded_files(&env), 0, "{nth}");
        assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()), "{nth}");
        order(&new, &[&files[0], &files[1]], false).unwrap();
        assert_eq!(values(&common::scan_all(&new, &Spec::scan())), LOADED);
    }
}

#[test]
fn what_an_older_opening_has_committed_is_undone() {
    let env = FakeEnv::new(1);
    let (_old_engine, old) = serve(Arc::new(env.clone()), 1).unwrap();
    let (_engine, new) = serve(Arc::new(env.clone()), 2).unwrap();
    let (f, g) = rows("load");
    let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
    // It moves one file to its place, and dies.
    env.set_faults(Faults { fail_rename_in: Some(5), ..Faults::default() });
    order(&old, &[&files[0], &files[1]], false).unwrap_err();
    assert_eq!(loaded_files(&env), 1);
    new.close(true).unwrap();
    let (_engine, newest) = serve(Arc::new(env.clone()), 3).unwrap();
    assert_eq!(values(&common::scan_all(&newest, &Spec::scan())), [""; 0]);
    assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env));
}

#[test]
fn a_commit_that_ends_between_the_two_steps_of_its_rename_is_a_load() {
    let nfs = Mounts { renames_by_links: true, ..Mounts::default() };
    let mut hidden = 0;
    for unlinks in 0..5 {
        let (env, mut f, files) = with_two_files();
        env.set_mounts(nfs.clone());
        env.set_faults(Faults { fail_unlink_in: Some(unlinks), ..Faults::default() });
        let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
        assert_eq!(everything(&f), [""; 0]);
        if error.message.contains("shows when the region is opened next") {
            hidden += 1;
            let again = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
            assert!(again.message.contains("waits for the region to be opened again"), "{again}");
            reopen(&mut f);
        } else {
            assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()), "{unlinks}");
            order(&f.region, &[&files[0], &files[1]], false).unwrap();
        }
        assert_eq!(everything(&f), LOADED);
        assert!(!has_load(&env));
    }
    assert_eq!(hidden, 2, "the commit, and the first file's move into its place");
}

#[test]
fn a_file_of_another_device_is_moved_by_copying_it() {
    let devices = Mounts { other_device: Some(OUT.into()), ..Mounts::default() };
    let (env, mut f, files) = with_two_files();
    env.set_mounts(devices.clone());
    order(&f.region, &[&files[0], &files[1]], false).unwrap();
    assert_eq!(everything(&f), LOADED);
    assert!(!env.files().iter().any(|file| file.starts_with(OUT)), "{:?}", env.files());
    // One that can be read and not taken away is not loaded: the next load would load it again.
    let third = written(&env, "f", 3, &[Cell::put("x", "f", "q", 1, "v")]);
    env.set_mounts(Mounts { read_only: Some(OUT.into()), ..devices.clone() });
    order(&f.region, &[&third], false).unwrap_err();
    assert!(env.exists(&third.path()).unwrap());
    order(&f.region, &[&third], true).unwrap();
    // One that cannot be taken away any more is out of sight.
    env.set_mounts(devices.clone());
    let fourth = written(&env, "f", 4, &[Cell::put("y", "f", "q", 1, "v")]);
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 4 {
            env.set_mounts(Mounts { read_only: Some(OUT.into()), ..devices.clone() });
        }
        Ok(())
    };
    order_fenced(&f.region, &[&fourth], false, &fence).unwrap();
    assert!(!env.exists(&fourth.path()).unwrap());
    reopen(&mut f);
    assert_eq!(everything(&f).len(), 6);
    assert!(!has_load(&env));
}

#[test]
fn what_is_swapped_in_after_the_look_is_not_loaded() {
    let (env, f, files) = with_two_files();
    let other = written(&env, "f", 8, &[Cell::put("c", "f", "q", 1, "other")]);
    for copy in [false, true] {
        let asked = AtomicU64::new(0);
        let fence = || {
            if asked.fetch_add(1, Ordering::Relaxed) == 1 {
                env.rename(&files[0].path(), Path::new("/out/kept")).unwrap();
                env.rename(&other.path(), &files[0].path()).unwrap();
            }
            Ok(())
        };
        let error = order_fenced(&f.region, &[&files[0], &files[1]], copy, &fence).unwrap_err();
        assert!(error.message.contains("another file has got its name"), "{error}");
        assert_eq!(error.kind, ErrorKind::BadRequest);
        assert!(!has_load(&env) && everything(&f).is_empty());
        env.rename(&files[0].path(), &other.path()).unwrap();
        env.rename(Path::new("/out/kept"), &files[0].path()).unwrap();
    }
    order(&f.region, &[&files[0], &files[1]], false).unwrap();
}

#[test]
fn links_and_pipes_are_refused_without_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
    let f = common::start_at(env, dir.path(), "{}", &[("f", "")], 1);
    let out = dir.path().join("out");
    write(&*f.env, &out.join("file"), &file_of("f", &[Cell::put("a", "f", "q", 1, "v")]));
    std::fs::hard_link(out.join("file"), out.join("second")).unwrap();
    std::os::unix::fs::symlink(out.join("file"), out.join("link")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(out.join("pipe")).status().unwrap().success());
    let load = |name: &str, copy: bool| {
        let file = json!({"family": hex("f"), "path": out.join(name), "name": format!("{:032x}", 1)});
        let request = json!({"files": [file], "copy": copy, "verify": true}).to_string();
        f.region.load_files(&request, &|| Ok(())).map(drop)
    };
    // As if a directory had become a link since the path was resolved.
    std::os::unix::fs::symlink(&out, out.join("linked")).unwrap();
    write(&*f.env, &out.join("single"), &file_of("f", &[Cell::put("b", "f", "q", 1, "v")]));
    for copy in [false, true] {
        let error = load("linked/single", copy).unwrap_err();
        assert!(
            error.kind == ErrorKind::BadRequest && error.message.contains("a link is on the way"),
            "{error}"
        );
    }
    for name in ["link", "pipe"] {
        let error = load(name, false).unwrap_err();
        assert!(error.kind == ErrorKind::BadRequest && error.message.contains("no plain file"), "{error}");
    }
    let error = load("file", false).unwrap_err();
    assert!(error.message.contains("it has 2 names"), "{error}");
    load("file", true).unwrap();
    assert_eq!(values(&f.scan(&Spec::scan())), ["a/f@1=v"]);
}

#[test]
fn a_second_load_is_told_to_come_again() {
    let (_env, f, files) = with_two_files();
    let inner = parking_lot::Mutex::new(None);
    let fence = || {
        inner.lock().get_or_insert_with(|| order(&f.region, &[&files[1]], false).unwrap_err().kind);
        Ok(())
    };
    order_fenced(&f.region, &[&files[0]], false, &fence).unwrap();
    assert_eq!(inner.into_inner(), Some(ErrorKind::Busy));
    order(&f.region, &[&files[1]], false).unwrap();
    assert_eq!(everything(&f), LOADED);
}

#[test]
fn a_load_of_too_many_files_is_refused() {
    let f = start(FakeKind::Local);
    let many: Vec<Ordered> = (0..1025).map(|number| Ordered { family: "f", number }).collect();
    let error = order(&f.region, &many.iter().collect::<Vec<_>>(), false).unwrap_err();
    assert!(error.kind == ErrorKind::BadRequest && error.message.contains("1025 files"), "{error}");
}

#[test]
fn an_operation_that_reads_sees_a_load_that_is_below_it() {
    let (env, f, _) = with_two_files();
    let one = 1_i64.to_be_bytes();
    let increment = |nonce| RowOp::increment(nonce, &[Cell::put("n", "f", "q", i64::MAX, one)]);
    f.put(Cell::put("n", "f", "q", 5, one));
    let late = env.now_millis() + 1_000_000; // behind what the server stamps
    let file = written(&env, "f", 9, &[Cell::put("n", "f", "q", late, 100_i64.to_be_bytes())]);
    let asked = AtomicU64::new(0);
    let fence = || {
        // What is read is in memory, so that nothing else has to be waited for.
        f.get(&Spec::get("n"));
        match asked.fetch_add(1, Ordering::Relaxed) {
            1 => assert_ne!(tries(&f.region, increment(1)), MutateStatus::WouldBlock),
            // The last time it is asked, the load has its ids, and is not shown.
            2 => {
                assert_eq!(tries(&f.region, increment(2)), MutateStatus::WouldBlock);
                assert_ne!(
                    tries(&f.region, RowOp::put(&[Cell::put("p", "f", "q", 5, one)])),
                    MutateStatus::WouldBlock
                );
            }
            _ => {}
        }
        Ok(())
    };
    order_fenced(&f.region, &[&file], false, &fence).unwrap();
    f.mutate(&Batch::new().row_op(increment(3)));
    assert_eq!(f.get(&Spec::get("n"))[0].value, 101_i64.to_be_bytes());
    assert_eq!(asked.into_inner(), 3);
}

const NON_BLOCKING_ADMITTED: u8 = 1 | 2;

fn tries(region: &Region, op: RowOp) -> MutateStatus {
    let batch = Batch::new().row_op(op);
    let mut ops = batch.ops();
    ops[1] |= NON_BLOCKING_ADMITTED;
    region.mutate(&ops, &batch.cells, 78, &mut Vec::new()).unwrap()
}

#[test]
fn no_caller_waits_for_files_that_go_back() {
    // The fence is shut before the commit, or the commit itself fails.
    for by_fence in [true, false] {
        let env = FakeEnv::new(1);
        let source = Ordered { family: "f", number: 1 }.path();
        let region: Arc<OnceLock<Arc<Region>>> = Arc::default();
        let outcome: Arc<Mutex<Option<MutateStatus>>> = Arc::default();
        let (watched_region, seen, home) = (Arc::clone(&region), Arc::clone(&outcome), source.clone());
        let watch = move |_: &str, path: &Path| {
            let is_commit = path.to_string_lossy().contains("/committed.");
            if is_commit && !by_fence {
                return Err(std::io::Error::other("no commit"));
            }
            if let Some(region) = watched_region.get().filter(|_| path == home) {
                let one = Cell::put("n", "f", "q", i64::MAX, 1_i64.to_be_bytes());
                *seen.lock() = Some(tries(region, RowOp::increment(1, &[one])));
            }
            Ok(())
        };
        let (engine, opened) = serve(Arc::new(Mortal::watched(&env, Box::new(watch))), 1).unwrap();
        region.set(Arc::clone(&opened)).ok().unwrap();
        let file = written(&env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
        let asked = AtomicU64::new(0);
        let fence = || match asked.fetch_add(1, Ordering::Relaxed) {
            2 if by_fence => Err(Error::new(ErrorKind::NotServing, "lost")),
            _ => Ok(()),
        };
        order_fenced(&opened, &[&file], false, &fence).unwrap_err();
        assert!(env.exists(&source).unwrap());
        let seen = outcome.lock().take();
        assert!(seen.is_some_and(|status| status != MutateStatus::WouldBlock), "{by_fence}: {seen:?}");
        drop(engine);
    }
}

#[test]
fn an_operation_waits_for_a_load_no_longer_than_for_a_row() {
    let config = "{\"rowLockWaitMillis\":1}";
    let f = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "")], 1);
    let file = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 2 {
            let one = Cell::put("n", "f", "q", i64::MAX, 1_i64.to_be_bytes());
            let answers = f.mutate(&Batch::new().row_op(RowOp::increment(1, &[one])));
            let is_busy =
                |answer: &Answer| matches!(answer, Answer::Failed(kind, _) if *kind == ErrorKind::Busy as u8);
            assert!(answers.iter().all(is_busy) && answers.len() == 1, "{answers:?}");
        }
        Ok(())
    };
    order_fenced(&f.region, &[&file], false, &fence).unwrap();
    assert_eq!(asked.into_inner(), 3);
}

#[test]
fn a_flush_does_not_wait_for_a_look_at_the_archive() {
    let env = FakeEnv::new(1);
    let region: Arc<OnceLock<Arc<Region>>> = Arc::default();
    let flushed: Arc<AtomicU64> = Arc::default();
    let (watched_region, seen) = (Arc::clone(&region), Arc::clone(&flushed));
    let watch = move |what: &str, path: &Path| {
        let is_archive = what == "list" && path.starts_with("/h/archive");
        if let Some(region) = watched_region.get().filter(|_| is_archive).cloned() {
            let (done, ended) = std::sync::mpsc::channel();
            std::thread::spawn(move || done.send(region.flush().is_ok()));
            if ended.recv_timeout(Duration::from_secs(20)) == Ok(true) {
                seen.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    let (engine, opened) = serve(Arc::new(Mortal::watched(&env, Box::new(watch))), 1).unwrap();
    region.set(Arc::clone(&opened)).ok().unwrap();
    put_both(&engine, &opened, "b", "before");
    let file = written(&env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    order(&opened, &[&file], false).unwrap();
    assert_eq!(flushed.load(Ordering::Relaxed), 1);
}

#[test]
fn a_region_with_too_many_files_is_busy_for_a_load() {
    // Nothing is ever merged: a compaction would need more files than there are.
    let policy = "\"maxVersions\":3,\"compaction\":{\"filesMin\":9,\"filesMax\":10,\"filesBlocking\":2}";
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", policy)], 1);
    for timestamp in 2..5 {
        f.put(Cell::put("a", "f", "q", timestamp, "v"));
        f.region.flush().unwrap();
    }
    let file = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    let error = order(&f.region, &[&file], false).unwrap_err();
    assert!(error.kind == ErrorKind::Busy && error.message.contains("has 3 files, more than 2"), "{error}");
    assert!(f.env.exists(&file.path()).unwrap());
    compact(&f);
    order(&f.region, &[&file], false).unwrap();
}
