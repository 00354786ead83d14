//! Files that a compaction has replaced, on their way to the archive.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grampus_env::{Env, FakeEnv, FakeKind};
use grampus_testkit::wire::Cell;

use crate::common::mortal::{Mortal, Watch};
use crate::common::{Fixture, REGION, on_each_kind, start_in, until};

/// Compactions come when they are asked for.
const FAMILIES: [(&str, &str); 1] =
    [("f", "\"maxVersions\":1,\"compaction\":{\"filesMin\":99,\"filesMax\":99}")];
const MAJOR: &str = "{\"major\":true}";

fn family() -> PathBuf {
    PathBuf::from(format!("/h/data/default/t/{REGION}/f"))
}

fn archive() -> PathBuf {
    PathBuf::from(format!("/h/archive/data/default/t/{REGION}/f"))
}

fn files_in(env: &FakeEnv, dir: &Path) -> Vec<PathBuf> {
    env.files().into_iter().filter(|path| path.parent() == Some(dir)).collect()
}

fn fixture(env: &FakeEnv, watch: Watch) -> Fixture {
    start_in(Arc::new(Mortal::watched(env, watch)), "{}", &FAMILIES, 1)
}

/// Flushes two files, and returns their names and bytes.
fn two_files(env: &FakeEnv, f: &Fixture) -> Vec<(String, Vec<u8>)> {
    for row in ["a", "b"] {
        f.put(Cell::put(row, "f", "q", 1, row));
        f.region.flush().unwrap();
    }
    let files = files_in(env, &family());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_string();
    files.iter().map(|path| (name(path), env.read(path).unwrap())).collect()
}

fn await_one_file(env: &FakeEnv, f: &Fixture) {
    f.region.compact(MAJOR).unwrap();
    until("the inputs to leave the directory", || files_in(env, &family()).len() == 1);
    f.region.close(false).unwrap();
}

/// Another server archives a file at one of our renames of it, where an older file may have its name. False when there is no such rename.
fn another_archives(kind: FakeKind, at: usize, with_older: bool) -> bool {
    let env = FakeEnv::of(kind, 1);
    let (other, renames) = (env.clone(), Arc::new(AtomicUsize::new(0)));
    let begun = Arc::clone(&renames);
    let watch: Watch = Box::new(move |what, path| {
        if what != "rename" || path.parent() != Some(&*archive()) {
            return Ok(());
        }
        if renames.fetch_add(1, Ordering::SeqCst) == at {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap();
            archive_one(&other, name);
        }
        Ok(())
    });
    let f = fixture(&env, watch);
    let files = two_files(&env, &f);
    env.mkdir_durably(&archive()).unwrap();
    if with_older {
        for (name, _) in &files {
            env.create(&archive().join(name)).unwrap().append(b"older").unwrap();
        }
    }
    await_one_file(&env, &f);
    for (name, bytes) in &files {
        let found = env.read(&archive().join(name)).ok();
        assert_eq!(found.as_ref(), Some(bytes), "{name}, other at {at}, {:?}", files_in(&env, &archive()));
    }
    assert_eq!(files_in(&env, &archive()).len(), if with_older { 4 } else { 2 });
    begun.load(Ordering::SeqCst) > at
}

/// As a server does it that this one does not know of; a file that is gone stays as it is.
fn archive_one(env: &FakeEnv, name: &str) {
    let (from, to) = (family().join(name), archive().join(name));
    if env.exists(&from).unwrap() {
        if env.exists(&to).unwrap() {
            env.rename(&to, &to.with_extension("other")).unwrap();
        }
        env.rename(&from, &to).unwrap();
    }
}

/// Snapshots and clones look for it there under its name.
#[test]
fn a_file_that_two_servers_archive_keeps_its_name() {
    on_each_kind(|kind| {
        for (with_older, least) in [(false, 2), (true, 6)] {
            let renames = (0..).take_while(|at| another_archives(kind, *at, with_older)).count();
            assert!(renames >= least, "{renames} renames");
        }
    });
}
