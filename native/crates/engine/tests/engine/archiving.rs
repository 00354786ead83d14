//! Files that a compaction has replaced, on their way to the archive.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use grampus_env::{Env, FakeEnv, FakeKind, Faults};
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

/// Refuses renames of inputs into the archive, from the second file on, while it is told to.
#[derive(Clone, Default)]
struct Refusal {
    is_on: Arc<AtomicBool>,
    archived: Arc<AtomicUsize>,
}

impl Refusal {
    fn watch(&self) -> Watch {
        let refusal = self.clone();
        Box::new(move |what, path| {
            let into_archive = what == "rename" && path.parent() == Some(&*archive());
            if !into_archive || !refusal.is_on.load(Ordering::SeqCst) {
                return Ok(());
            }
            match refusal.archived.fetch_add(1, Ordering::SeqCst) {
                0 => Ok(()),
                _ => Err(io::Error::other("the archive takes no more")),
            }
        })
    }

    fn set(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::SeqCst);
    }
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

/// The master splits and merges what is in the directory.
#[test]
fn a_close_archives_what_a_compaction_has_left_or_fails() {
    on_each_kind(|kind| {
        let (env, refusal) = (FakeEnv::of(kind, 1), Refusal::default());
        let f = fixture(&env, refusal.watch());
        let files = two_files(&env, &f);
        refusal.set(true);
        f.region.compact(MAJOR).unwrap();
        until("the failure behind the commit", || f.metric("compaction.failed_count") > 0);
        assert_eq!(files_in(&env, &family()).len(), 2, "the output, and an input");
        let error = f.region.close(false).unwrap_err();
        assert!(error.to_string().contains("the archive takes no more"), "{error}");
        assert_eq!(files_in(&env, &family()).len(), 2);
        refusal.set(false);
        f.region.close(false).unwrap();
        assert_eq!(files_in(&env, &family()).len(), 1, "the output");
        let archived: Vec<PathBuf> = files.iter().map(|(name, _)| archive().join(name)).collect();
        assert_eq!(files_in(&env, &archive()), archived);
    });
}

#[test]
fn a_tick_archives_what_a_compaction_has_left_without_another_one() {
    let (env, refusal) = (FakeEnv::new(1), Refusal::default());
    let f = fixture(&env, refusal.watch());
    two_files(&env, &f);
    refusal.set(true);
    f.region.compact(MAJOR).unwrap();
    until("the failure behind the commit", || f.metric("compaction.failed_count") > 0);
    until("an attempt of a tick", || refusal.archived.load(Ordering::SeqCst) > 2);
    f.engine.set_compactions_enabled(false);
    refusal.set(false);
    until("the archive to have the other input", || {
        env.advance_millis(60_000);
        files_in(&env, &family()).len() == 1
    });
    assert_eq!(files_in(&env, &archive()).len(), 2);
    f.region.close(false).unwrap();
}

/// The master's cleaner deletes directories of the archive that are empty.
#[test]
fn an_archive_that_the_cleaner_deletes_is_made_again() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let (cleaner, deleted) = (env.clone(), Arc::new(AtomicBool::new(false)));
        let was_deleted = Arc::clone(&deleted);
        let watch: Watch = Box::new(move |what, path| {
            let into_archive = what == "rename" && path.parent() == Some(&*archive());
            if into_archive && !deleted.swap(true, Ordering::SeqCst) {
                cleaner.delete(&archive())?;
            }
            Ok(())
        });
        let f = fixture(&env, watch);
        two_files(&env, &f);
        await_one_file(&env, &f);
        assert!(was_deleted.load(Ordering::SeqCst));
        assert_eq!(files_in(&env, &archive()).len(), 2);
        assert_eq!(f.metric("compaction.failed_count"), 0);
    });
}

/// The answer to the output's rename was lost, so that this server has not taken the file; the next one has.
#[test]
fn a_late_server_archives_no_file_of_its_successor() {
    let (env, refusal) = (FakeEnv::new(1), Refusal::default());
    refusal.archived.store(1, Ordering::SeqCst);
    refusal.set(true);
    let late = fixture(&env, refusal.watch());
    two_files(&env, &late);
    env.set_faults(Faults { lose_rename_in: Some(0), ..Faults::default() });
    late.region.compact(MAJOR).unwrap();
    until("the lost answer", || late.metric("compaction.failed_count") > 0);
    assert_eq!(files_in(&env, &family()).len(), 3);
    env.rename(Path::new("/h/WALs/s1"), Path::new("/h/WALs/s1-splitting")).unwrap();
    let now = start_in(Arc::new(env.clone()), "{}", &FAMILIES, 2);
    let output = files_in(&env, &family());
    assert_eq!(output.len(), 1);
    refusal.set(false);
    late.region.close(false).unwrap_err();
    assert_eq!(files_in(&env, &family()), output);
    now.region.close(false).unwrap();
}
