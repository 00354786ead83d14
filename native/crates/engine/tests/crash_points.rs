//! A process that dies at each named crash point, and what its successors find.
//!
//! Each child recovers what its predecessors left, checks it against the list of acknowledged operations, and works on until it
//! dies at its point or is done.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use common::REGION;
use common::external::{file_of, hex};
use grampus_engine::{Engine, Region};
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, column_condition, open_region_json};
use serde_json::json;

/// All points of the engine.
const POINTS: &[&str] = &[
    "ack.after_append_before_write",
    "ack.after_write_before_complete",
    "close.after_flush_before_mark",
    "close.after_mark_before_settled",
    "close.after_settled_mark",
    "compaction.after_archive_one",
    "compaction.after_rename_before_archive",
    "compaction.after_sync_before_rename",
    "compaction.after_write_before_sync",
    "flush.after_commit",
    "flush.after_rename",
    "flush.after_sync_before_rename",
    "flush.after_write_before_sync",
    "flush.before_write",
    "load.after_commit_before_place",
    "load.after_move_before_commit",
    "load.after_move_one",
    "load.after_place_before_end",
    "load.after_place_one",
    "load.after_record_before_move",
    "nonces.after_sync_before_rename",
    "recovery.after_flush_before_delete",
    "recovery.after_replay_before_flush",
    "recovery.after_split_before_rename",
    "wal.before_archive",
    "wal.before_forget_settled",
    "wal.rotate.after_create",
    "wal.rotate.after_retire",
];

const CHILD_DIR: &str = "GRAMPUS_CRASH_DIR";

/// What was acknowledged: puts by number, and the last value of the counter.
#[derive(Default)]
struct Acknowledged {
    puts: BTreeMap<u64, u64>,
    counter: u64,
}

impl Acknowledged {
    fn read(dir: &Path) -> Acknowledged {
        let mut acknowledged = Acknowledged::default();
        for line in fs::read_to_string(dir.join("acks")).unwrap_or_default().lines() {
            let (kind, rest) = line.split_once(' ').unwrap();
            match (kind, rest.split_once('=')) {
                ("put", Some((n, value))) => {
                    acknowledged.puts.insert(n.parse().unwrap(), value.parse().unwrap());
                }
                _ => acknowledged.counter = rest.parse().unwrap(),
            }
        }
        acknowledged
    }
}

struct Child {
    dir: std::path::PathBuf,
    engine: Arc<Engine>,
    region: Arc<Region>,
    acks: fs::File,
    json: String,
}

impl Child {
    /// Recovers the way a server does: split what dead servers left, then open.
    fn start(dir: &Path) -> Child {
        let root = dir.to_str().unwrap();
        let config = "{\"walSegmentBytes\":3000,\"flushThreads\":1}";
        let engine = Engine::open(config).unwrap();
        fs::create_dir_all(dir.join("WALs")).unwrap();
        fs::create_dir_all(dir.join("oldWALs")).unwrap();
        let mut generation = 0;
        let mut servers: Vec<_> =
            fs::read_dir(dir.join("WALs")).unwrap().map(|e| e.unwrap().path()).collect();
        servers.sort();
        for server in servers {
            generation += 1;
            let mut segments: Vec<_> = fs::read_dir(&server).unwrap().map(|e| e.unwrap().path()).collect();
            segments.sort();
            for segment in segments {
                let request = format!("{{\"wal\":\"{}\",\"rootDir\":\"{root}\"}}", segment.display());
                engine.split_wal(&request).unwrap();
                let name = segment.file_name().unwrap();
                fs::rename(&segment, dir.join("oldWALs").join(name)).unwrap();
            }
        }
        let prefix = format!("s{generation:03}");
        engine.start_wal(&format!("{root}/WALs/{prefix}"), &format!("{root}/oldWALs"), &prefix).unwrap();
        fs::create_dir_all(dir.join(format!("data/default/t/{REGION}"))).unwrap();
        let json = open_region_json(root, REGION, &[("f", ""), ("g", "")]);
        let region = engine.open_region(&json).unwrap();
        let acks = OpenOptions::new().create(true).append(true).open(dir.join("acks")).unwrap();
        Child { dir: dir.to_path_buf(), engine, region, acks, json }
    }

    fn verify(&self) -> Acknowledged {
        let acknowledged = Acknowledged::read(&self.dir);
        let cells = common::scan_all(&self.region, &Spec::scan());
        let mut found: BTreeMap<u64, u64> = BTreeMap::new();
        let mut pairs = BTreeMap::new();
        for cell in &cells {
            let text = |b: &[u8]| String::from_utf8(b.to_vec()).unwrap();
            if cell.row == b"counter" {
                continue;
            }
            let n = text(&cell.row)[3..].parse().unwrap();
            found.insert(n, text(&cell.value).parse().unwrap());
            *pairs.entry(n).or_insert(0) += 1;
        }
        for (n, value) in &acknowledged.puts {
            assert!(
                found.get(n).is_some_and(|v| v >= value),
                "put {n}={value} was acknowledged, found {:?}",
                found.get(n)
            );
        }
        assert!(pairs.values().all(|count| *count == 2), "a row is in one family only: {pairs:?}");
        // One put per dead process may be there without its acknowledgement.
        assert!(found.len() <= acknowledged.puts.len() + POINTS.len(), "more rows than were ever written");
        let counter = common::get(&self.region, &Spec::get("counter"));
        let counter =
            counter.first().map_or(0, |c| u64::from_be_bytes(c.value.as_slice().try_into().unwrap()));
        assert!(counter >= acknowledged.counter, "counter {counter}, acknowledged {}", acknowledged.counter);
        acknowledged
    }

    fn ack(&mut self, line: String) {
        self.acks.write_all(line.as_bytes()).unwrap();
    }

    fn work(&mut self, acknowledged: &Acknowledged) {
        let first = acknowledged.puts.keys().next_back().map_or(0, |n| n + 1);
        for step in 0..80 {
            let n = first + step % 50;
            let value = first * 1000 + step;
            let row = format!("row{n:06}");
            let cells = [
                Cell::put(&row, "f", "q", (value + 1) as i64, value.to_string()),
                Cell::put(&row, "g", "q", (value + 1) as i64, value.to_string()),
            ];
            assert_eq!(self.mutate(Batch::new().row_op(RowOp::put(&cells))), [Answer::Done]);
            self.ack(format!("put {n}={value}\n"));
            let one = Cell::put("counter", "f", "n", i64::MAX, 1u64.to_be_bytes());
            let increment = || Batch::new().row_op(RowOp::increment(value + 1, std::slice::from_ref(&one)));
            let first_answer = self.mutate(increment());
            let [Answer::Cells(cells)] = &first_answer[..] else { panic!("no result") };
            let counter = u64::from_be_bytes(cells[0].value.as_slice().try_into().unwrap());
            self.ack(format!("counter {counter}\n"));
            let never = Cell::put(&row, "f", "never", 1, "x");
            let condition = column_condition("f", "q", 2, b"not this");
            let check = Batch::new().check(&row, &condition, vec![RowOp::put(&[never])]);
            assert_eq!(self.mutate(check), [Answer::NotMatched]);
            match step {
                10 | 20 | 30 | 40 | 70 => {
                    let _flushed = self.region.flush().unwrap();
                }
                15 | 25 | 45 => self.load(n, value),
                35 | 75 => self.compact(),
                50 => {
                    self.region.close(false).unwrap();
                    self.region = self.engine.open_region(&self.json).unwrap();
                    assert_eq!(self.mutate(increment()), first_answer, "a close leaves its nonces");
                }
                _ => {}
            }
        }
    }

    /// Loads a newer version of a row, a file for each family.
    fn load(&mut self, n: u64, value: u64) {
        let value = value + 500;
        let files: Vec<serde_json::Value> = ["f", "g"]
            .iter()
            .map(|family| {
                let cell =
                    Cell::put(&format!("row{n:06}"), family, "q", (value + 1) as i64, value.to_string());
                let path = self.dir.join(format!("out-{family}-{value}"));
                fs::write(&path, file_of(family, &[cell])).unwrap();
                let name = format!("{value:030x}{:02x}", family.as_bytes()[0]);
                json!({"family": hex(family), "path": path, "name": name})
            })
            .collect();
        let request = json!({"files": files, "copy": false, "verify": false}).to_string();
        self.region.load_files(&request, &|| Ok(())).unwrap();
        self.ack(format!("put {n}={value}\n"));
    }

    fn compact(&self) {
        self.region.compact("{\"major\":true}").unwrap();
        for _ in 0..2000 {
            if self.region.stats().to_string().contains("\"storeFileCount\":2") {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the compaction did not finish: {} {}", self.region.stats(), self.engine.metrics_json());
    }

    fn mutate(&self, batch: Batch) -> Vec<Answer> {
        common::mutate(&self.engine, &self.region, &batch)
    }
}

#[test]
#[ignore = "started as a child by the other tests"]
fn child() {
    let dir = std::env::var(CHILD_DIR).expect("the parent names the directory");
    let mut child = Child::start(Path::new(&dir));
    let acknowledged = child.verify();
    if std::env::var("GRAMPUS_CRASH_VERIFY_ONLY").is_err() {
        child.work(&acknowledged);
        // Ends without closing anything, as a kill would.
        std::process::exit(0);
    }
    child.region.close(false).unwrap();
    child.engine.close();
}

#[derive(Debug, PartialEq, Eq)]
enum End {
    Died,
    Finished,
}

/// A child that works until it is killed from outside.
fn kill_child_after(dir: &Path, wait: Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored"])
        .env(CHILD_DIR, dir)
        .env_remove("GRAMPUS_CRASH_POINT")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(wait);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(status.signal() == Some(9) || status.success(), "the child failed by itself: {status}");
}

fn run_child(dir: &Path, point: Option<&str>, verify_only: bool) -> End {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(CHILD_DIR, dir)
        .env_remove("GRAMPUS_CRASH_POINT");
    if let Some(point) = point {
        command.env("GRAMPUS_CRASH_POINT", point);
    }
    if verify_only {
        command.env("GRAMPUS_CRASH_VERIFY_ONLY", "1");
    }
    let output = command.output().unwrap();
    match (output.status.signal(), output.status.code()) {
        (Some(6), _) => End::Died,
        (_, Some(0)) => End::Finished,
        _ => panic!(
            "child at {point:?}: {}\n{}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
    }
}

#[test]
fn nothing_acknowledged_is_lost_at_any_crash_point() {
    for point in POINTS {
        let dir = tempfile::tempdir().unwrap();
        // A predecessor leaves a log, so that there is something to recover.
        assert_eq!(run_child(dir.path(), None, false), End::Finished);
        let mut died = 0;
        for count in [1, 2, 5] {
            let setting = format!("{point}:{count}");
            died += u32::from(run_child(dir.path(), Some(&setting), false) == End::Died);
        }
        assert!(died > 0, "{point} was never reached");
        assert_eq!(run_child(dir.path(), None, true), End::Finished, "after {point}");
        assert_eq!(run_child(dir.path(), None, true), End::Finished, "again after {point}");
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_kills_at_any_moment() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = grampus_testkit::random::Random::new(std::process::id().into());
    for round in 0..12 {
        kill_child_after(dir.path(), Duration::from_millis(10 + random.below(250)));
        if round % 4 == 3 {
            assert_eq!(run_child(dir.path(), None, true), End::Finished, "round {round}");
        }
    }
}
