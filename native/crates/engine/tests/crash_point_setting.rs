//! The setting that ends a process at a crash point.
//!
//! In a test binary of its own: a process that is just being started holds the locks of all files that are open in this one for a
//! moment, and tests of files that only one may have would fail beside it.
#![allow(clippy::unwrap_used, reason = "a failing test says so by panicking")]

use std::process::Command;

use grampus_base::crash_point::reach;

/// Run by the test below in a process of its own; alone it only shows that points without a setting do nothing.
#[test]
fn points_are_passed_twice() {
    for _ in 0..2 {
        assert!(reach("test.twice").is_ok());
    }
}

#[test]
fn the_named_point_ends_the_process_at_its_count() {
    let run = |setting: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "points_are_passed_twice"])
            .env("GRAMPUS_CRASH_POINT", setting)
            .output()
            .unwrap()
            .status
            .success()
    };
    assert!(!run("test.twice"));
    assert!(!run("test.twice:2"));
    assert!(run("test.twice:3"));
    assert!(run("test.other"));
}
