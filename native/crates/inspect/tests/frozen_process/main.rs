//! A region's files read by a process of its own that has no engine: the cells are the server's, and the trace of its system calls has
//! nothing below the root but reads.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

#[path = "../../../engine/tests/common/mod.rs"]
mod common;
mod trace;
mod world;

use std::io::Write;
use std::path::Path;
use std::process::Command;

use common::REGION;
use grampus_testkit::wire::{Cell, Spec};
use serde_json::{Value, json};
use world::{Frozen, World, tree};

const BINARY: &str = env!("CARGO_BIN_EXE_grampus-frozen-scan");
const RAW: u32 = 2;
const REVERSED: u32 = 32;
const WITH_TAGS: u32 = 2048;
/// Set where a test must not pass without a trace.
const DEMAND: &str = "GRAMPUS_DEMAND_STRACE";

/// Tests print to where the harness shows it though they pass.
fn say_loudly(text: &str) {
    let _ = writeln!(std::io::stderr(), "\n==== {text} ====\n");
}

/// Printable ASCII but the backslash as it is, other bytes as `\xNN`.
fn text(bytes: &[u8]) -> String {
    let escaped = |byte: &u8| match byte {
        b'\\' => "\\x5C".to_string(),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    bytes.iter().map(escaped).collect()
}

fn document(cell: &Cell) -> Value {
    let kind = match cell.code {
        4 => "Put",
        8 => "Delete",
        10 => "DeleteFamilyVersion",
        12 => "DeleteColumn",
        14 => "DeleteFamily",
        other => panic!("a cell of type {other}"),
    };
    let mut document = json!({
        "row": text(&cell.row),
        "family": text(&cell.family),
        "qualifier": text(&cell.qualifier),
        "timestamp": cell.timestamp,
        "type": kind,
        "value": text(&cell.value),
    });
    if !cell.tags.is_empty() {
        document["tags"] = json!(text(&cell.tags));
    }
    document
}

/// What the process prints of a list, traced where that is possible.
fn scanned_by_process(frozen: &Frozen, spec: &Spec, root: &Path, traced: bool) -> Vec<Value> {
    let outside = tempfile::tempdir().unwrap();
    let (list, log) = (outside.path().join("list.json"), outside.path().join("trace"));
    let request = json!({
        "region": serde_json::from_str::<Value>(&frozen.open_json).unwrap(),
        "files": frozen.listed,
        "spec": grampus_base::to_hex(&spec.encode()),
        "nowMillis": frozen.now_millis,
    });
    std::fs::write(&list, request.to_string()).unwrap();
    let mut command = if traced { trace::strace(&log) } else { Command::new(BINARY) };
    if traced {
        command.arg(BINARY);
    }
    let output = command.arg(&list).current_dir("/").output().unwrap();
    assert!(output.status.success(), "{}: {}", frozen.what, String::from_utf8_lossy(&output.stderr));
    if traced {
        check_trace(&std::fs::read_to_string(&log).unwrap(), root, frozen);
    }
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check_trace(trace: &str, root: &Path, frozen: &Frozen) {
    let calls = trace::calls_below(trace, root);
    let opened = calls.iter().filter(|call| call.contains("open") && !call.contains("ENOENT")).count();
    assert!(opened >= frozen.files(), "{}: {opened} opens of {} files", frozen.what, frozen.files());
    let others: Vec<&&str> = calls.iter().filter(|call| !trace::is_read(call)).collect();
    assert!(others.is_empty(), "{}: {others:#?}", frozen.what);
}

/// Whether processes are traced. Where that is not possible, a test compares cells alone and says so; with the demand of `bin/test` it fails.
fn is_tracing_possible() -> bool {
    let Some(why) = trace::hindrance() else { return true };
    let what = format!(
        "nothing is traced: {why}. Install strace (bin/test does where it may), and allow it to trace"
    );
    assert!(std::env::var_os(DEMAND).is_none(), "{what}; {DEMAND} demands it");
    say_loudly(&format!("{what}. Only cells are compared"));
    false
}

#[test]
fn a_process_without_an_engine_reads_what_the_server_reads_and_touches_nothing() {
    let traced = is_tracing_possible();
    let dir = tempfile::tempdir().unwrap();
    let world = World::write(dir.path());
    let regions = world.lists();
    drop(world); // its server would go on to compact
    let before = tree(dir.path());
    for frozen in &regions {
        for (name, spec, expected) in &frozen.scans {
            let printed = scanned_by_process(frozen, spec, dir.path(), traced);
            let expected: Vec<Value> = expected.iter().map(document).collect();
            assert!(!expected.is_empty(), "{}, {name}", frozen.what);
            assert_eq!(printed, expected, "{}, {name}", frozen.what);
        }
    }
    assert_eq!(tree(dir.path()), before, "no file has changed");
}

/// The specs that each region is scanned with.
fn specs() -> Vec<(&'static str, Spec)> {
    vec![
        ("newest", Spec::scan()),
        ("versions", Spec::scan().versions(9)),
        ("raw", Spec::scan().versions(9).with(RAW | WITH_TAGS)),
        ("reversed", Spec::scan().versions(2).with(REVERSED)),
        ("a column", Spec::scan().column("f", "q1").column("g", "q1")),
    ]
}

#[test]
fn the_trace_of_a_process_that_writes_is_not_one_of_reads() {
    if !is_tracing_possible() {
        return;
    }
    let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let log = outside.path().join("trace");
    for script in [
        "echo x >@/f",
        "mkdir @/d",
        "mv @/f @/g",
        "chmod 600 @/g",
        "ln @/g @/h",
        "truncate -s 0 @/h",
        "rm @/g",
        "rmdir @/d",
    ] {
        let script = script.replace('@', root.path().to_str().unwrap());
        let output = trace::strace(&log).args(["sh", "-c", &script]).current_dir("/").output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        let trace = std::fs::read_to_string(&log).unwrap();
        let calls = trace::calls_below(&trace, root.path());
        let others = calls.iter().filter(|call| !trace::is_read(call) && !call.contains("execve("));
        assert!(others.count() > 0, "{script}: {trace}");
    }
}

#[test]
fn the_process_links_no_engine() {
    let binary = std::fs::read(BINARY).unwrap();
    let names = |krate: &str| binary.windows(krate.len()).any(|bytes| bytes == krate.as_bytes());
    assert!(names("grampus_store"), "the binary names its crates");
    for krate in ["grampus_engine", "grampus_memtable", "grampus_testkit"] {
        assert!(!names(krate), "{krate} is linked");
    }
}

#[test]
fn a_list_that_cannot_be_read_is_an_error_that_says_why() {
    let run = |list: &str| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("list.json");
        std::fs::write(&path, list).unwrap();
        let output = Command::new(BINARY).arg(&path).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(run("{}").contains("missing field"));
    let region: Value =
        serde_json::from_str(&grampus_testkit::wire::open_region_json("/nowhere", REGION, &[("f", "")]))
            .unwrap();
    let list = |family: &str, name: &str| {
        let families =
            json!([{"family": grampus_base::to_hex(family.as_bytes()), "files": [{"name": name}]}]);
        json!({"region": region, "files": {"families": families}}).to_string()
    };
    assert!(run(&list("x", "ab")).contains("family x, which the region does not have"));
    let missing = run(&list("f", "ab"));
    assert!(
        missing.contains("the file behind ab is missing") && missing.contains("Make the list anew"),
        "{missing}"
    );
    let reference = run(&list("f", "ab.cd"));
    assert!(
        reference.contains("the reference ab.cd, whose content the list does not have, is missing"),
        "{reference}"
    );
    assert_eq!(Command::new(BINARY).output().unwrap().status.code(), Some(2));
}
