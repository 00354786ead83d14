//! A server with one region, which checks what its predecessors have acknowledged and works on until it dies or is done.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::{Engine, Region};
use grampus_env::Env;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, column_condition, open_region_json};
use serde_json::json;

use crate::common::external::{file_of, hex};
use crate::common::{self, REGION};

/// Where the list of what was acknowledged is, which outlives the process.
pub(crate) trait Acks {
    fn lines(&self) -> String;

    fn add(&mut self, line: &str);
}

/// What was acknowledged: puts by number, and the last value of the counter.
#[derive(Default)]
pub(crate) struct Acknowledged {
    puts: BTreeMap<u64, u64>,
    counter: u64,
}

impl Acknowledged {
    fn parse(lines: &str) -> Acknowledged {
        let mut acknowledged = Acknowledged::default();
        for line in lines.lines() {
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

/// Its files are those of an environment, its list is the test's.
pub(crate) struct Server<A> {
    pub(crate) engine: Arc<Engine>,
    pub(crate) region: Arc<Region>,
    env: Arc<dyn Env>,
    root: PathBuf,
    acks: A,
    json: String,
}

/// The names in a directory, in order.
fn names(env: &dyn Env, dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = env.list(dir).unwrap().into_iter().map(|entry| entry.name).collect();
    names.sort();
    names
}

/// Splits the logs of dead servers. Returns how many there are.
fn split_logs(env: &dyn Env, engine: &Engine, root: &Path) -> usize {
    let (logs, old) = (root.join("WALs"), root.join("oldWALs"));
    [&logs, &old].into_iter().for_each(|dir| env.mkdir_durably(dir).unwrap());
    let servers = names(env, &logs);
    for server in servers.iter().map(|name| logs.join(name)) {
        for segment in names(env, &server) {
            let path = server.join(&segment);
            engine.split_wal(&json!({"wal": path, "rootDir": root}).to_string()).unwrap();
            env.rename(&path, &old.join(&segment)).unwrap();
        }
    }
    servers.len()
}

impl<A: Acks> Server<A> {
    /// Recovers the way a server does: split what dead servers left, then open.
    pub(crate) fn start(env: Arc<dyn Env>, root: &Path, acks: A) -> Server<A> {
        let engine = Engine::open_in(env.clone(), "{\"walSegmentBytes\":3000,\"flushThreads\":1}").unwrap();
        let text = root.to_str().unwrap();
        let prefix = format!("s{:03}", split_logs(&*env, &engine, root));
        engine.start_wal(&format!("{text}/WALs/{prefix}"), &format!("{text}/oldWALs"), &prefix).unwrap();
        env.mkdir_durably(&root.join(format!("data/default/t/{REGION}"))).unwrap();
        let json = open_region_json(text, REGION, &[("f", ""), ("g", "")]);
        let region = engine.open_region(&json).unwrap();
        Server { engine, region, env, root: root.to_path_buf(), acks, json }
    }

    /// Compares the region with what was acknowledged.
    pub(crate) fn verify(&self) -> Acknowledged {
        let acknowledged = Acknowledged::parse(&self.acks.lines());
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
        // Each process begins with the row after the last acknowledged one, which its predecessor may have written without an acknowledgement.
        assert!(found.len() <= acknowledged.puts.len() + 1, "more rows than were ever written");
        let counter = common::get(&self.region, &Spec::get("counter"));
        let counter =
            counter.first().map_or(0, |c| u64::from_be_bytes(c.value.as_slice().try_into().unwrap()));
        assert!(counter >= acknowledged.counter, "counter {counter}, acknowledged {}", acknowledged.counter);
        acknowledged
    }

    /// Writes, flushes, loads, compacts and opens the region again.
    pub(crate) fn work(&mut self, acknowledged: &Acknowledged) {
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
            self.acks.add(&format!("put {n}={value}\n"));
            let one = Cell::put("counter", "f", "n", i64::MAX, 1u64.to_be_bytes());
            let increment = || Batch::new().row_op(RowOp::increment(value + 1, std::slice::from_ref(&one)));
            let first_answer = self.mutate(increment());
            let [Answer::Cells(cells)] = &first_answer[..] else { panic!("no result") };
            let counter = u64::from_be_bytes(cells[0].value.as_slice().try_into().unwrap());
            self.acks.add(&format!("counter {counter}\n"));
            let never = Cell::put(&row, "f", "never", 1, "x");
            let condition = column_condition("f", "q", 2, b"not this");
            let check = Batch::new().check(&row, &condition, vec![RowOp::put(&[never])]);
            assert_eq!(self.mutate(check), [Answer::NotMatched]);
            match step {
                10 | 20 | 30 | 40 => {
                    let _flushed = self.region.flush().unwrap();
                }
                // The close at 50 writes its mark for edits that are still in the log, wherever the segments before have ended.
                48 => self.engine.roll_wal().unwrap(),
                // No segment is needed after this, so all but the active one go, and the mark of the close at 50 with them.
                70 => {
                    let _flushed = self.region.flush().unwrap();
                    self.engine.roll_wal().unwrap();
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
                let path = self.root.join(format!("out-{family}-{value}"));
                let mut file = self.env.create(&path).unwrap();
                file.append(&file_of(family, &[cell])).unwrap();
                file.close().unwrap();
                let name = format!("{value:030x}{:02x}", family.as_bytes()[0]);
                json!({"family": hex(family), "path": path, "name": name})
            })
            .collect();
        let request = json!({"files": files, "copy": false, "verify": false}).to_string();
        common::until("compactions that are not behind the loads", || {
            self.env.sync_dir(&self.root).unwrap(); // a dead process does not wait
            let loaded = self.region.load_files(&request, &|| Ok(()));
            let is_behind = matches!(&loaded, Err(e) if e.kind == ErrorKind::Busy);
            if !is_behind {
                loaded.unwrap();
            }
            !is_behind
        });
        self.acks.add(&format!("put {n}={value}\n"));
    }

    fn compact(&self) {
        self.region.compact("{\"major\":true}").unwrap();
        common::until("one file in each of the two families", || {
            self.env.sync_dir(&self.root).unwrap(); // a dead process does not wait
            self.region.stats().stores.iter().all(|store| store.files == 1)
        });
    }

    fn mutate(&self, batch: Batch) -> Vec<Answer> {
        common::mutate(&self.engine, &self.region, &batch)
    }
}
