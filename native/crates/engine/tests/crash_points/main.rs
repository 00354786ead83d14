//! A process that dies at each named crash point, and what its successors find: child processes on a disk here, and on file systems in memory
//! in `in_memory`.
//!
//! Each recovers what its predecessors left, checks it against the list of acknowledged operations, and works on until it dies at its point or
//! is done.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

#[path = "../common/mod.rs"]
mod common;
mod in_memory;
mod points;
mod server;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use grampus_env::LocalEnv;
use points::{COUNTS, POINTS};
use server::{Acks, Server};

const CHILD_DIR: &str = "GRAMPUS_CRASH_DIR";

/// A list in a file.
struct AckFile {
    path: PathBuf,
    file: fs::File,
}

impl AckFile {
    fn open(dir: &Path) -> AckFile {
        let path = dir.join("acks");
        let file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
        AckFile { path, file }
    }
}

impl Acks for AckFile {
    fn lines(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }

    fn add(&mut self, line: &str) {
        self.file.write_all(line.as_bytes()).unwrap();
    }
}

#[test]
#[ignore = "started as a child by the other tests"]
fn child() {
    let dir = std::env::var(CHILD_DIR).expect("the parent names the directory");
    let dir = Path::new(&dir);
    let mut server = Server::start(Arc::new(LocalEnv::new()), dir, AckFile::open(dir));
    let acknowledged = server.verify();
    if std::env::var("GRAMPUS_CRASH_VERIFY_ONLY").is_err() {
        server.work(&acknowledged);
        // Ends without closing anything, as a kill would.
        std::process::exit(0);
    }
    server.region.close(false).unwrap();
    server.engine.close().unwrap();
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
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
        for count in COUNTS {
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
