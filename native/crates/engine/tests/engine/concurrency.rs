//! Many threads at once: increments add up, rows stay whole, every token comes back once, through flushes and compactions.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use grampus_engine::{GetOutcome, MutateStatus};
use grampus_env::FakeEnv;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, Spec, decode_answers};
use parking_lot::Mutex;

use crate::common::{self, Fixture, start_in};

type Waiters = Mutex<HashMap<u64, Sender<u8>>>;

/// A server in small: one thread polls, writers wait for their token.
struct Server {
    fixture: Fixture,
    waiters: Waiters,
    early: Mutex<HashMap<u64, u8>>,
    token: AtomicU64,
    stop: AtomicBool,
}

impl Server {
    fn new(config: &str) -> Arc<Server> {
        let fixture =
            start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "\"maxVersions\":1"), ("g", "")], 1);
        Arc::new(Server {
            fixture,
            waiters: Mutex::default(),
            early: Mutex::default(),
            token: AtomicU64::new(1),
            stop: AtomicBool::new(false),
        })
    }

    fn poll(&self) {
        let mut tokens = Vec::new();
        while !self.stop.load(Ordering::Acquire) {
            tokens.clear();
            self.fixture.engine.poll_completions(&mut tokens, Duration::from_millis(20));
            let waiters = self.waiters.lock();
            for (token, kind) in &tokens {
                match waiters.get(token) {
                    Some(waiter) => waiter.send(*kind).unwrap(),
                    None => {
                        assert!(self.early.lock().insert(*token, *kind).is_none(), "token {token} came twice")
                    }
                }
            }
        }
    }

    /// Runs a batch as a server does: first without blocking, then blocking, then waits for the token.
    fn mutate(&self, mut batch: Batch) -> Vec<Answer> {
        let token = self.token.fetch_add(1, Ordering::Relaxed);
        let mut out = Vec::new();
        batch.non_blocking = true;
        let mut status = common::run(&self.fixture.region, &batch, token, &mut out).unwrap();
        if status == MutateStatus::WouldBlock {
            assert!(out.is_empty());
            batch.non_blocking = false;
            status = common::run(&self.fixture.region, &batch, token, &mut out).unwrap();
        }
        match status {
            MutateStatus::Done => {}
            MutateStatus::Pending => {
                let (sender, receiver) = channel();
                let early = {
                    let mut waiters = self.waiters.lock();
                    let early = self.early.lock().remove(&token);
                    if early.is_none() {
                        waiters.insert(token, sender);
                    }
                    early
                };
                let kind = early
                    .unwrap_or_else(|| receiver.recv_timeout(Duration::from_secs(20)).expect("no token"));
                assert_eq!(kind, 0);
                self.waiters.lock().remove(&token);
            }
            other => panic!("a blocking call that has waited is answered {other:?}"),
        }
        decode_answers(&out)
    }
}

fn long(bytes: &[u8]) -> i64 {
    i64::from_be_bytes(bytes.try_into().unwrap())
}

fn run(config: &str) {
    const THREADS: i64 = 4;
    const STEPS: i64 = 400;
    let server = Server::new(config);
    std::thread::scope(|scope| {
        let poller = server.clone();
        scope.spawn(move || poller.poll());
        let writers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let server = server.clone();
                scope.spawn(move || {
                    for step in 0..STEPS {
                        let add = |row: &str| {
                            let one = Cell::put(row, "f", "n", i64::MAX, 1i64.to_be_bytes());
                            server.mutate(Batch::new().row_op(RowOp::increment(0, &[one])))
                        };
                        add("shared");
                        add(&format!("own{thread}"));
                        // The row's two families always carry the same value.
                        let value = format!("{thread}-{step}");
                        let row = format!("pair{}", step % 7);
                        let cells = ["f", "g"]
                            .map(|family| Cell::put(&row, family, "v", thread * STEPS + step, &value));
                        server.mutate(Batch::new().row_op(RowOp::put(&cells)));
                    }
                })
            })
            .collect();
        let reader = {
            let server = server.clone();
            scope.spawn(move || {
                let mut last = 0;
                let mut out = vec![0; 1 << 16];
                while !server.stop.load(Ordering::Acquire) {
                    let spec = Spec::get("shared").with(1).encode();
                    if let GetOutcome::Done(n) = server.fixture.region.get_into(&spec, &mut out).unwrap() {
                        let cells = Cell::decode_all(&out[8..n]);
                        let now = cells.first().map_or(0, |c| long(&c.value));
                        assert!(now >= last, "the counter went back from {last} to {now}");
                        last = now;
                    }
                    for cells in common::scan_all(
                        &server.fixture.region,
                        &Spec { start: "pair".into(), stop: "paiz".into(), ..Spec::scan() },
                    )
                    .chunks(2)
                    {
                        assert_eq!(cells[0].value, cells[1].value, "half a write was seen");
                    }
                }
            })
        };
        let upkeep = {
            let server = server.clone();
            scope.spawn(move || {
                while !server.stop.load(Ordering::Acquire) {
                    server.fixture.region.flush().unwrap();
                    server.fixture.region.compact("{\"major\":true}").unwrap();
                    server.fixture.engine.roll_wal().unwrap();
                    std::thread::sleep(Duration::from_millis(3));
                }
            })
        };
        let writers: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        server.stop.store(true, Ordering::Release);
        let rest = [reader.join(), upkeep.join()];
        assert!(writers.into_iter().chain(rest).all(|end| end.is_ok()));
    });
    let value = |row: &str| long(&server.fixture.get(&Spec::get(row))[0].value);
    assert_eq!(value("shared"), THREADS * STEPS);
    (0..THREADS).for_each(|thread| assert_eq!(value(&format!("own{thread}")), STEPS));
    assert!(server.early.lock().is_empty(), "tokens of no call: {:?}", server.early.lock());
    server.fixture.region.close(false).unwrap();
    let again = server.fixture.engine.open_region(&server.fixture.open_json).unwrap();
    assert_eq!(long(&common::get(&again, &Spec::get("shared"))[0].value), THREADS * STEPS);
}

#[test]
fn writers_readers_and_upkeep_agree() {
    run("{\"walSegmentBytes\":50000}");
}

#[test]
fn writers_readers_and_upkeep_agree_when_every_write_is_synced() {
    run("{\"walSync\":\"fsync\",\"regionFlushBytes\":100000}");
}
