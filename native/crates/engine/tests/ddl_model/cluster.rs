//! Servers that live and die, and what the master does about it: splits the logs of the dead, opens their regions elsewhere.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_engine::{Engine, MutateStatus, Region};
use grampus_env::{Env, FakeEnv, FakeKind, new_file_name};
use grampus_testkit::random::Random;
use grampus_testkit::wire::{Batch, Cell};
use serde_json::json;

use crate::common::external::{file_of, hex};
use crate::common::mortal::{Life, Mortal};
use crate::layout::{ROOT, delete_tree, move_file, names, region_dir};
use crate::master::TIMED;

const LOGS: &str = "/h/WALs";
const OLD_LOGS: &str = "/h/oldWALs";

/// Whether every write is on the medium, so that the machine may die too.
const FSYNC: &str = "{\"walSync\":\"fsync\",\"walSegmentBytes\":4000,\"flushThreads\":1}";
/// Files stay as they are.
const STILL: &str = "{\"walSegmentBytes\":4000,\"compactions\":false}";
const FLUSH: &str = "{\"walSegmentBytes\":4000,\"regionFlushBytes\":4000,\"flushThreads\":1}";

pub(crate) struct Server {
    pub name: String,
    pub life: Arc<Life>,
    pub engine: Arc<Engine>,
}

/// Where a region is open, or was when its server died.
pub(crate) struct Seat {
    pub server: String,
    pub region: Arc<Region>,
}

/// One region of a table.
pub(crate) struct Part {
    pub encoded: String,
    pub id: u64,
    pub start: String,
    pub end: String,
    pub seat: Option<Seat>,
}

/// A table as its descriptor and hbase:meta have it.
pub(crate) struct Layout {
    pub name: String,
    pub families: Vec<&'static str>,
    pub parts: Vec<Part>,
}

pub(crate) struct Cluster {
    pub env: FakeEnv,
    pub random: Random,
    pub tables: Vec<Layout>,
    servers: Vec<Server>,
    config: &'static str,
    /// Whether servers die by chance, too.
    pub dangerous: bool,
    started: u32,
    pub kills: u32,
}

impl Cluster {
    pub(crate) fn new(kind: FakeKind, seed: u64, dangerous: bool) -> Cluster {
        let mut random = Random::new(seed);
        let fsync = dangerous && random.one_in(2);
        Cluster::start(kind, seed, random, dangerous, if fsync { FSYNC } else { FLUSH })
    }

    /// A cluster without dangers whose writes are on the medium, so that its machine may die.
    pub(crate) fn on_the_medium(kind: FakeKind, seed: u64) -> Cluster {
        Cluster::start(kind, seed, Random::new(seed), false, FSYNC)
    }

    /// A cluster without dangers whose files change only by what the master does.
    pub(crate) fn without_compactions(kind: FakeKind, seed: u64) -> Cluster {
        Cluster::start(kind, seed, Random::new(seed), false, STILL)
    }

    fn start(kind: FakeKind, seed: u64, random: Random, dangerous: bool, config: &'static str) -> Cluster {
        let env = FakeEnv::of(kind, seed);
        for dir in ["/h/data/default", LOGS, OLD_LOGS] {
            env.mkdir_durably(Path::new(dir)).unwrap();
            env.sync_dir(Path::new(ROOT)).unwrap();
        }
        let mut cluster = Cluster {
            env,
            random,
            tables: Vec::new(),
            servers: Vec::new(),
            config,
            dangerous,
            started: 0,
            kills: 0,
        };
        cluster.recover();
        cluster
    }

    fn server(&self, name: &str) -> Option<&Server> {
        self.servers.iter().find(|server| server.name == name)
    }

    /// Kills all servers, as a kill of a standalone process does, and recovers.
    pub(crate) fn kill_all(&mut self) {
        self.servers.iter().for_each(|server| server.life.end());
        self.recover();
    }

    /// The machine dies with all servers, loses what was not synced, and recovers.
    pub(crate) fn kill_machine(&mut self) {
        self.servers.iter().for_each(|server| server.life.end());
        self.bury();
        self.env.crash_machine();
        self.recover();
    }

    /// What may happen between two steps of the master: a server or all of them die now, or will soon.
    pub(crate) fn chance(&mut self) {
        self.env.advance_millis(1);
        if !self.dangerous {
            return;
        }
        let victim = self.random.below(self.servers.len() as u64) as usize;
        match self.random.below(24) {
            0 => self.servers.iter().for_each(|server| server.life.end()),
            1 => self.servers[victim].life.end(),
            2..5 => {
                let steps = 1 + self.random.below(80);
                self.servers[victim].life.end_in(steps);
            }
            _ => {}
        }
        if self.servers.iter().any(|server| server.life.is_over()) {
            self.recover();
        }
    }

    /// Recovers until all that was open is open again on servers that live.
    pub(crate) fn recover(&mut self) {
        while !self.try_recover() {}
    }

    fn try_recover(&mut self) -> bool {
        self.env.advance_millis(1);
        self.bury();
        while self.servers.len() < 2 {
            self.start_server();
        }
        self.split_logs() && self.reopen() && self.servers.iter().all(|server| !server.life.is_over())
    }

    fn bury(&mut self) {
        let (dead, alive): (Vec<Server>, Vec<Server>) =
            self.servers.drain(..).partition(|server| server.life.is_over());
        self.servers = alive;
        for server in &dead {
            // What its threads still try has no effect.
            for part in self.tables.iter().flat_map(|table| &table.parts) {
                if let Some(seat) = part.seat.as_ref().filter(|seat| seat.server == server.name) {
                    drop(seat.region.close(true));
                }
            }
            drop(server.engine.close());
            self.kills += 1;
        }
        if self.servers.is_empty() && self.config == FSYNC && self.random.one_in(2) {
            self.env.crash_machine();
        }
    }

    fn start_server(&mut self) {
        self.started += 1;
        let name = format!("s{}", self.started);
        let doomed = self.dangerous && self.random.one_in(8);
        let life = Life::of_steps(if doomed { 1 + self.random.below(300) } else { u64::MAX });
        let engine = Engine::open_in(Arc::new(Mortal::new(&self.env, &life)), self.config).unwrap();
        match engine.start_wal(&format!("{LOGS}/{name}"), OLD_LOGS, &name) {
            Ok(()) => self.servers.push(Server { name, life, engine }),
            Err(e) => {
                assert!(life.is_over(), "{name} cannot start its log: {e}");
                engine.close().unwrap();
            }
        }
    }

    /// A server to send an order to.
    fn any_server(&mut self) -> usize {
        self.random.below(self.servers.len() as u64) as usize
    }

    fn split_logs(&mut self) -> bool {
        for dir in names(&self.env, Path::new(LOGS)) {
            let name = dir.strip_suffix("-splitting").unwrap_or(&dir).to_string();
            if self.server(&name).is_none() && !self.split_log(&name) {
                return false;
            }
        }
        true
    }

    fn split_log(&mut self, name: &str) -> bool {
        let (live, splitting) = (format!("{LOGS}/{name}"), format!("{LOGS}/{name}-splitting"));
        let (live, splitting) = (Path::new(&live), Path::new(&splitting));
        self.env.mkdir_durably(splitting).unwrap();
        for segment in names(&self.env, live) {
            move_file(&self.env, &live.join(&segment), &splitting.join(&segment));
        }
        delete_tree(&self.env, live);
        for segment in names(&self.env, splitting) {
            let path = splitting.join(&segment);
            let request = json!({"wal": path, "rootDir": ROOT}).to_string();
            let worker = self.any_server();
            let worker = &self.servers[worker];
            if let Err(e) = worker.engine.split_wal(&request) {
                assert!(worker.life.is_over(), "{segment} cannot be split: {e}");
                return false;
            }
            if self.dangerous && self.random.one_in(20) {
                return false; // the master did not hear of it: once more
            }
            move_file(&self.env, &path, &Path::new(OLD_LOGS).join(&segment));
        }
        delete_tree(&self.env, splitting);
        true
    }

    /// Opens what was on servers whose logs are split; one that has died since is still among the others.
    fn reopen(&mut self) -> bool {
        for table in 0..self.tables.len() {
            for part in 0..self.tables[table].parts.len() {
                let seat = &self.tables[table].parts[part].seat;
                if seat.as_ref().is_some_and(|seat| self.server(&seat.server).is_none())
                    && !self.try_open(table, part)
                {
                    return false;
                }
            }
        }
        true
    }

    fn try_open(&mut self, table: usize, part: usize) -> bool {
        let server = self.any_server();
        let server = &self.servers[server];
        let request = open_request(&self.tables[table], part);
        match server.engine.open_region(&request) {
            Ok(region) => {
                self.tables[table].parts[part].seat = Some(Seat { server: server.name.clone(), region });
                true
            }
            Err(e) => {
                assert!(server.life.is_over(), "{request} cannot be opened: {e}");
                false
            }
        }
    }

    /// Opens a region that is closed.
    pub(crate) fn assign(&mut self, table: usize, part: usize) {
        assert!(self.tables[table].parts[part].seat.is_none());
        while !self.try_open(table, part) {
            self.recover();
        }
        self.chance();
    }

    /// Closes a region in order.
    pub(crate) fn unassign(&mut self, table: usize, part: usize) {
        loop {
            let seat = self.tables[table].parts[part].seat.as_ref().unwrap();
            let closed = seat.region.close(false);
            let server = self.server(&seat.server).unwrap();
            let lost = match closed {
                // The report is lost with its server: for the master the region was open, and is opened elsewhere.
                Ok(()) => self.dangerous && self.random.one_in(16),
                Err(e) => {
                    assert!(server.life.is_over(), "a region cannot be closed: {e}");
                    true
                }
            };
            if !lost {
                self.tables[table].parts[part].seat = None;
                return self.chance();
            }
            let name = self.tables[table].parts[part].seat.as_ref().unwrap().server.clone();
            self.server(&name).unwrap().life.end();
            self.recover();
        }
    }

    /// Runs a batch; false if the server died before it answered.
    pub(crate) fn mutate(&mut self, table: usize, part: usize, batch: &Batch) -> bool {
        let seat = self.tables[table].parts[part].seat.as_ref().unwrap();
        let server = self.server(&seat.server).unwrap();
        let mut out = Vec::new();
        match seat.region.mutate(&batch.ops(), &batch.cells, 77, &mut out) {
            Ok(MutateStatus::Done) => true,
            Ok(MutateStatus::Pending) => {
                let mut tokens = Vec::new();
                while tokens.is_empty() {
                    assert!(server.engine.poll_completions(&mut tokens, Duration::from_secs(10)));
                }
                tokens.iter().all(|(_, kind)| *kind == 0)
            }
            Ok(MutateStatus::WouldBlock | MutateStatus::Wait(_)) => panic!("nothing here has to wait"),
            Err(e) => {
                assert!(server.life.is_over(), "a write failed: {e}");
                false
            }
        }
    }

    /// Loads a file for each cell; false if the server died before it answered.
    pub(crate) fn load(&mut self, table: usize, part: usize, cells: &[Cell]) -> bool {
        let out = Path::new("/out");
        self.env.mkdir_durably(out).unwrap();
        let mut files = Vec::new();
        for cell in cells {
            let name = new_file_name(&self.env);
            let family = std::str::from_utf8(&cell.family).unwrap();
            let mut file = self.env.create(&out.join(&name)).unwrap();
            file.append(&file_of(family, std::slice::from_ref(cell))).unwrap();
            file.close().unwrap();
            files.push(json!({"family": hex(family), "path": out.join(&name), "name": name}));
        }
        let copy = self.random.one_in(3);
        let request = json!({"files": files, "copy": copy, "verify": true}).to_string();
        let seat = self.tables[table].parts[part].seat.as_ref().unwrap();
        let server = self.server(&seat.server).unwrap();
        match seat.region.load_files(&request, &|| Ok(())) {
            Ok(_) => true,
            Err(e) => {
                assert!(server.life.is_over(), "a load failed: {e}");
                false
            }
        }
    }

    /// Runs something on the server of a region; a failure is its death.
    pub(crate) fn at<T>(&self, seat: &Seat, run: impl Fn(&Server, &Region) -> grampus_base::Result<T>) {
        let server = self.server(&seat.server).unwrap();
        if let Err(e) = run(server, &seat.region) {
            assert!(server.life.is_over(), "upkeep failed: {e}");
        }
    }

    /// The files of a region with all that it was told, as a snapshot lists them: by the next server where one dies over it.
    pub(crate) fn listed(&mut self, table: usize, part: usize) -> String {
        loop {
            let seat = self.tables[table].parts[part].seat.as_ref().unwrap();
            match seat.region.snapshot_files(true) {
                Ok(listed) => return listed,
                Err(e) => assert!(self.server(&seat.server).unwrap().life.is_over(), "no list: {e}"),
            }
            self.recover();
        }
    }

    /// Marks of settled regions that lie about, by server.
    pub(crate) fn settled_marks(&self) -> Vec<(String, Vec<String>)> {
        let dir = Path::new("/h/.grampus/settled");
        names(&self.env, dir)
            .into_iter()
            .map(|name| (name.clone(), names(&self.env, &dir.join(&name))))
            .collect()
    }

    /// Segments that the logs of a table's servers have in their directories, the active ones included.
    pub(crate) fn segments(&self) -> usize {
        let logs = Path::new(LOGS);
        names(&self.env, logs).iter().map(|server| names(&self.env, &logs.join(server)).len()).sum()
    }

    /// Ends all servers in order.
    pub(crate) fn stop(&mut self) {
        self.dangerous = false;
        self.recover();
        for table in 0..self.tables.len() {
            for part in 0..self.tables[table].parts.len() {
                if self.tables[table].parts[part].seat.is_some() {
                    self.unassign(table, part);
                }
            }
        }
        self.servers.drain(..).for_each(|server| server.engine.close().unwrap());
    }
}

pub(crate) fn open_request(table: &Layout, part: usize) -> String {
    let hex = |text: &str| text.bytes().map(|b| format!("{b:02x}")).collect::<String>();
    let Part { encoded, start, end, .. } = &table.parts[part];
    let family = |name: &&str| match *name {
        TIMED => json!({"name": hex(name), "maxVersions": 3, "ttlSeconds": 2}),
        _ => json!({"name": hex(name), "maxVersions": 1}),
    };
    let families: Vec<_> = table.families.iter().map(family).collect();
    json!({
        "table": table.name, "encodedName": encoded, "rootDir": ROOT, "regionDir": region_dir(&table.name, encoded),
        "startKey": hex(start), "endKey": hex(end), "rowOrder": "bytes", "durability": 3, "families": families,
    })
    .to_string()
}
