//! The points on file systems in memory, a local and a remote one. What is written and not flushed may be lost with the process there.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;

use grampus_base::crash_point::set_hook;
use grampus_env::{FakeEnv, FakeKind};
use parking_lot::Mutex;

use crate::End;
use crate::common::mortal::{Life, Mortal};
use crate::common::on_each_kind;
use crate::points::{COUNTS, POINTS};
use crate::server::{Acks, Server};

#[derive(Clone, Default)]
struct AckList(Arc<Mutex<String>>);

impl Acks for AckList {
    fn lines(&self) -> String {
        self.0.lock().clone()
    }

    fn add(&mut self, line: &str) {
        self.0.lock().push_str(line);
    }
}

/// A file system, and what the servers on it have acknowledged.
struct Machine {
    env: FakeEnv,
    acks: AckList,
}

/// Ends a life at a point; from then on no thread of the process passes any.
fn die_at(point: &'static str, count: u64, life: &Arc<Life>) {
    let (life, mut left) = (Arc::clone(life), count);
    set_hook(Some(Box::new(move |name| {
        if name == point && !life.is_over() {
            left -= 1;
            if left == 0 {
                life.end();
            }
        }
        match life.is_over() {
            true => Err(std::io::Error::other("the process is dead")),
            false => Ok(()),
        }
    })));
}

impl Machine {
    /// A server that works until it dies, at the latest when its work is done.
    fn run(&self, crash: Option<(&'static str, u64)>) -> End {
        let life = Life::of_steps(u64::MAX);
        if let Some((point, count)) = crash {
            die_at(point, count, &life);
        }
        let mut server = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let server = server.insert(self.start(&life));
            let acknowledged = server.verify();
            server.work(&acknowledged);
        }));
        let died = life.is_over();
        life.end();
        if let Some(server) = server {
            drop(server.region.close(true)); // which its threads see, and no file
            drop(server.engine.close());
        }
        set_hook(None);
        self.env.crash_process();
        match outcome {
            Ok(()) if !died => End::Finished,
            Err(failure) if !died => resume_unwind(failure),
            _ => End::Died,
        }
    }

    /// A server that only looks, and ends in order.
    fn verify(&self) {
        let server = self.start(&Life::of_steps(u64::MAX));
        server.verify();
        server.region.close(false).unwrap();
        server.engine.close().unwrap();
    }

    fn start(&self, life: &Arc<Life>) -> Server<AckList> {
        Server::start(Arc::new(Mortal::new(&self.env, life)), Path::new("/h"), self.acks.clone())
    }
}

fn nothing_is_lost_at(point: &'static str, kind: FakeKind, seed: u64) {
    let machine = Machine { env: FakeEnv::of(kind, seed), acks: AckList::default() };
    // A predecessor leaves a log, so that there is something to recover.
    assert_eq!(machine.run(None), End::Finished);
    let died = COUNTS.iter().filter(|count| machine.run(Some((point, **count))) == End::Died).count();
    assert!(died > 0, "{point} was never reached on a {kind:?} file system");
    machine.verify();
    machine.verify();
}

/// The only test of its binary that reaches points in this process, whose hook is everyone's.
#[test]
fn nothing_acknowledged_is_lost_at_any_crash_point_of_any_file_system() {
    on_each_kind(|kind| {
        // A remote log is rolled and archived by the flush threads' tick, and this work is over before the first one.
        let is_reached = |point: &&str| kind == FakeKind::Local || !point.starts_with("wal.");
        for (seed, point) in (1..).zip(POINTS.iter().copied().filter(|point| is_reached(point))) {
            eprintln!("{point}, seed {seed}");
            nothing_is_lost_at(point, kind, seed);
        }
    });
}
