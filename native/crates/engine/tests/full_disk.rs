//! Files that cannot grow any more, for real: a process with a limit of the system on the length of a file, through the page cache
//! and past it.
//!
//! The limit ends a log segment and a column file as a full disk does: a write is cut short, the next one fails.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use common::{Fixture, noise, row, start_at};
use grampus_engine::Engine;
use grampus_env::LocalEnv;
use grampus_testkit::wire::Spec;

const DIR: &str = "GRAMPUS_FULL_DISK_DIR";

/// Blocks of 512 bytes that a file of the child may have: within a piece and a block of what is written past the page cache.
const LIMIT_BLOCKS: u64 = 3 * 1024 + 5;

/// Rows of 1 KiB: more than twice the limit.
const ROWS: u32 = 4_000;

fn check_rows(f: &Fixture) {
    for n in 0..ROWS {
        let cells = f.get(&Spec::get(&row(n)));
        assert_eq!(cells.first().map(|cell| &cell.value), Some(&noise(n)), "row {n}");
    }
}

/// Files below a directory, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

/// Writes more than a file may hold, and ends without closing anything.
#[test]
#[ignore = "started as a child by the other test"]
fn child() {
    let dir = PathBuf::from(std::env::var(DIR).expect("the parent names the directory"));
    let f = start_at(Arc::new(LocalEnv::new()), &dir, "{\"compactions\":false}", &[("f", "")], 1);
    f.fill(ROWS);
    assert!(f.metric("wal.error_rolls") > 0, "no segment met the limit");
    let data = dir.join("data");
    let before = files(&data);
    for _ in 0..2 {
        let failure = f.region.flush().unwrap_err();
        assert!(failure.message.contains(".tmp"), "{failure}");
        assert_eq!(files(&data), before, "the output is gone");
        check_rows(&f);
    }
    assert_eq!(f.metric("flush.failed_count"), 2);
    std::process::exit(0);
}

#[test]
fn acknowledged_rows_outlive_files_that_cannot_grow() {
    let dir = tempfile::tempdir().unwrap();
    // The signal that the system sends besides the error is ignored, as the JVM does.
    let limits = format!("trap '' XFSZ; ulimit -f {LIMIT_BLOCKS}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limits])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(DIR, dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{}\n{}\n{said}",
        output.status,
        String::from_utf8_lossy(&output.stdout)
    );
    let limit = LIMIT_BLOCKS * 512;
    assert!(files(dir.path()).iter().any(|file| file.metadata().unwrap().len() == limit), "no file met it");
    // The next server has room: it finds everything in the segments.
    let root = dir.path().to_str().unwrap();
    let splitter = Engine::open("{}").unwrap();
    for segment in files(&dir.path().join("WALs")) {
        splitter.split_wal(&format!("{{\"wal\":\"{}\",\"rootDir\":\"{root}\"}}", segment.display())).unwrap();
    }
    splitter.close().unwrap();
    let f = start_at(Arc::new(LocalEnv::new()), dir.path(), "{}", &[("f", "")], 2);
    check_rows(&f);
    assert_eq!(f.scan(&Spec::scan()).len(), ROWS as usize);
}
