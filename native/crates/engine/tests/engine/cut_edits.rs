//! Files of recovered edits that have lost their end since a split completed them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::ErrorKind;
use grampus_engine::Engine;
use grampus_env::{Env, FakeEnv, FakeKind};
use grampus_testkit::wire::{Batch, Cell, RowOp, Spec, open_region_json};
use grampus_wal::SegmentReader;

use crate::common::layout::{names, region_dir};
use crate::common::{Fixture, REGION, on_each_kind, start_in};

const FAMILIES: [(&str, &str); 1] = [("f", "")];
const LOGS: &str = "/h/WALs/s1";
const ROWS: [&str; 4] = ["a", "b", "c", "d"];

fn edits_dir() -> PathBuf {
    region_dir("t", REGION).join("recovered.edits")
}

/// A server writes a few rows, and dies; its log is split. Returns the region's file of edits.
fn recovered(env: &FakeEnv, flushes: bool) -> PathBuf {
    let f = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 1);
    for row in ROWS {
        f.mutate(&Batch::new().row_op(RowOp::put(&[Cell::put(row, "f", "q", 1, "value")])));
    }
    if flushes {
        f.region.flush().unwrap();
    }
    split(env); // before the end of the log, which moves a segment away that is not needed any more
    f.region.close(true).unwrap();
    drop(f);
    env.crash_process();
    let mut edits = names(env, &edits_dir());
    edits.retain(|name| name.parse::<u64>().is_ok());
    assert_eq!(edits.len(), 1);
    edits_dir().join(edits.remove(0))
}

fn split(env: &FakeEnv) {
    let splitter = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
    for segment in names(env, Path::new(LOGS)) {
        splitter.split_wal(&format!("{{\"wal\":\"{LOGS}/{segment}\",\"rootDir\":\"/h\"}}")).unwrap();
    }
    splitter.close().unwrap();
}

fn cut_to(env: &FakeEnv, path: &Path, len: usize) {
    let bytes = env.read(path).unwrap();
    env.delete(path).unwrap();
    let mut file = env.create(path).unwrap();
    file.append(&bytes[..len]).and_then(|()| file.sync()).and_then(|()| file.close()).unwrap();
}

/// What a server's rows are once it has opened the region.
fn rows(env: &FakeEnv) -> Vec<String> {
    let f: Fixture = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 2);
    f.scan(&Spec::scan()).into_iter().map(|cell| String::from_utf8(cell.row).unwrap()).collect()
}

/// The same world with a file of edits of each of many lengths.
fn cuts(kind: FakeKind, flushes: bool) -> impl Iterator<Item = (FakeEnv, PathBuf, usize)> {
    let whole = FakeEnv::of(kind, 1);
    let len = whole.read(&recovered(&whole, flushes)).unwrap().len();
    (0..len).step_by(23).chain([len - 1]).map(move |left| {
        let env = FakeEnv::of(kind, 1);
        let edits = recovered(&env, flushes);
        cut_to(&env, &edits, left);
        (env, edits, left)
    })
}

#[test]
fn edits_without_an_end_are_refused_and_stay() {
    on_each_kind(|kind| {
        for (env, edits, left) in cuts(kind, false) {
            let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
            engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
            for _again in 0..2 {
                let refused = engine.open_region(&open_region_json("/h", REGION, &FAMILIES)).err().unwrap();
                assert_eq!(refused.kind, ErrorKind::Corrupt, "{left} left: {refused}");
                for part in [edits.to_str().unwrap(), "recovered edits are missing", "move it away"] {
                    assert!(refused.message.contains(part), "{left} left: {refused}");
                }
                assert_eq!(env.len(&edits).unwrap(), left as u64);
            }
            env.rename(&edits, Path::new("/h/moved-away")).unwrap();
            engine.open_region(&open_region_json("/h", REGION, &FAMILIES)).unwrap();
        }
    });
}

#[test]
fn edits_without_an_end_do_no_harm_where_the_stores_have_them() {
    on_each_kind(|kind| {
        for (env, edits, left) in cuts(kind, true) {
            assert_eq!(rows(&env), ROWS, "{left} left");
            assert!(!env.exists(&edits).unwrap(), "{left} left");
        }
    });
}

/// A split that is repeated leaves its longer file beside the one that was cut. One edit that both have tells that they are of the same part of the log.
#[test]
fn a_whole_file_makes_good_for_one_that_was_cut() {
    on_each_kind(|kind| {
        let (mut good, mut refused) = (0, 0);
        for (env, edits, left) in cuts(kind, false) {
            split(&env);
            if SegmentReader::open(&env, &edits).unwrap().next_edit().unwrap().is_some() {
                assert_eq!(rows(&env), ROWS, "{left} left");
                assert!(!env.exists(&edits).unwrap(), "{left} left");
                good += 1;
            } else {
                let engine = Engine::open_in(Arc::new(env.clone()), "{}").unwrap();
                engine.start_wal("/h/WALs/s2", "/h/oldWALs", "s2").unwrap();
                engine.open_region(&open_region_json("/h", REGION, &FAMILIES)).err().unwrap();
                refused += 1;
            }
        }
        assert!(good > 5 && refused > 5, "{good} and {refused}");
    });
}
