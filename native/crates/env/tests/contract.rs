//! What every environment promises, tested on each.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use grampus_env::{AppendFile, Env, FakeEnv, FakeKind, LocalEnv};

/// Runs a test in an empty directory of each environment.
fn everywhere(test: impl Fn(&dyn Env, &Path)) {
    let dir = tempfile::tempdir().unwrap();
    test(&LocalEnv::new(), dir.path());
    for kind in FakeKind::ALL {
        eprintln!("{kind:?}");
        let env = FakeEnv::of(kind, 1);
        env.mkdir(Path::new("/d")).unwrap();
        test(&env, Path::new("/d"));
    }
}

fn create(env: &dyn Env, path: &Path, bytes: &[u8]) -> Box<dyn AppendFile> {
    let mut file = env.create(path).unwrap();
    file.append(bytes).unwrap();
    file
}

fn write(env: &dyn Env, path: &Path, bytes: &[u8]) {
    create(env, path, bytes).close().unwrap();
}

#[test]
fn a_file_that_was_closed_is_whole() {
    everywhere(|env, dir| {
        let path = dir.join("f");
        let mut file = create(env, &path, b"abc");
        file.flush().unwrap();
        file.append(b"def").unwrap();
        assert_eq!(file.position(), 6);
        file.close().unwrap();
        assert_eq!((env.len(&path).unwrap(), env.read(&path).unwrap()), (6, b"abcdef".to_vec()));
        assert_eq!(env.list(dir).unwrap()[0].len, 6);
        env.recover_lease(&path).unwrap();
        assert_eq!(env.read(&path).unwrap(), b"abcdef", "a closed file stays as it is");
        assert_eq!(env.recover_lease(&dir.join("none")).unwrap_err().kind(), ErrorKind::NotFound);
    });
}

#[test]
fn what_was_flushed_survives_a_writer_that_is_gone() {
    everywhere(|env, dir| {
        let path = dir.join("f");
        let mut file = create(env, &path, b"flushed");
        file.flush().unwrap();
        file.append(b" or not").unwrap();
        drop(file);
        env.recover_lease(&path).unwrap();
        let left = env.read(&path).unwrap();
        assert!(left.starts_with(b"flushed") && b"flushed or not".starts_with(&left), "{left:?}");
        assert_eq!(env.len(&path).unwrap(), left.len() as u64);
    });
}

#[test]
fn a_create_makes_no_directory_and_replaces_nothing() {
    everywhere(|env, dir| {
        let create = |path: &Path| env.create(path).err().map(|e| e.kind());
        let bulk = |path: &Path| env.create_bulk(path).err().map(|e| e.kind());
        for make in [&create as &dyn Fn(&Path) -> Option<ErrorKind>, &bulk] {
            assert_eq!(make(&dir.join("none/f")), Some(ErrorKind::NotFound));
            assert!(!env.exists(&dir.join("none")).unwrap());
        }
        let (logs, renamed) = (dir.join("logs"), dir.join("logs-splitting"));
        env.mkdir(&logs).unwrap();
        write(env, &logs.join("1"), b"kept");
        for make in [&create as &dyn Fn(&Path) -> Option<ErrorKind>, &bulk] {
            assert_eq!(make(&logs.join("1")), Some(ErrorKind::AlreadyExists));
        }
        env.rename(&logs, &renamed).unwrap();
        assert_eq!(create(&logs.join("2")), Some(ErrorKind::NotFound), "its directory was renamed");
        assert!(!env.exists(&logs).unwrap());
        assert_eq!(env.read(&renamed.join("1")).unwrap(), b"kept");
    });
}

#[test]
fn a_rename_replaces_nothing() {
    everywhere(|env, dir| {
        let path = |name: &str| dir.join(name);
        let rename = |from: &str, to: &str| env.rename(&path(from), &path(to)).err().map(|e| e.kind());
        write(env, &path("a"), b"a");
        write(env, &path("b"), b"b");
        env.mkdir(&path("empty")).unwrap();
        env.mkdir(&path("full")).unwrap();
        write(env, &path("full/c"), b"c");
        for (from, to) in
            [("a", "b"), ("a", "empty"), ("a", "full"), ("full", "empty"), ("empty", "full"), ("full", "b")]
        {
            assert_eq!(rename(from, to), Some(ErrorKind::AlreadyExists), "{from} to {to}");
        }
        assert_eq!(rename("none", "new"), Some(ErrorKind::NotFound));
        assert_eq!(rename("a", "none/new"), Some(ErrorKind::NotFound));
        assert!(!env.exists(&path("none")).unwrap());
        let bytes = |name: &str| env.read(&path(name)).unwrap();
        assert_eq!((bytes("a"), bytes("b"), bytes("full/c")), (b"a".to_vec(), b"b".to_vec(), b"c".to_vec()));
        assert_eq!((rename("a", "new"), rename("full", "moved")), (None, None));
        assert_eq!((bytes("new"), bytes("moved/c")), (b"a".to_vec(), b"c".to_vec()));
    });
}

/// Of all who rename to one name at once, one does.
#[test]
fn of_renames_to_one_name_one_wins() {
    let dir = tempfile::tempdir().unwrap();
    let env = Arc::new(LocalEnv::new());
    for round in 0..50 {
        let target = dir.path().join(format!("target{round}"));
        let start = std::sync::Barrier::new(4);
        let winners = std::thread::scope(|scope| {
            let rename = |n: usize| {
                let (env, start, target) = (env.clone(), &start, &target);
                let own = dir.path().join(format!("own{round}-{n}"));
                write(&*env, &own, b"x");
                scope.spawn(move || {
                    start.wait();
                    env.rename(&own, target).is_ok()
                })
            };
            let all: Vec<_> = (0..4).map(rename).collect();
            all.into_iter().map(|thread| thread.join().unwrap()).filter(|won| *won).count()
        });
        assert_eq!(winners, 1);
    }
}

#[test]
fn a_closed_file_can_be_made_durable_by_another() {
    everywhere(|env, dir| {
        let path = dir.join("f");
        write(env, &path, b"abc");
        env.sync_file(&path).unwrap();
        assert_eq!(env.read(&path).unwrap(), b"abc");
        assert_eq!(env.sync_file(&dir.join("none")).unwrap_err().kind(), ErrorKind::NotFound);
    });
    let env = FakeEnv::new(1);
    env.mkdir_durably(Path::new("/d")).unwrap();
    let (synced, lost) = (Path::new("/d/synced"), Path::new("/d/lost"));
    write(&env, synced, b"abc");
    write(&env, lost, b"abc");
    env.sync_file(synced).unwrap();
    env.sync_dir(Path::new("/d")).unwrap();
    env.crash_machine();
    assert_eq!((env.read(synced).unwrap(), env.read(lost).unwrap()), (b"abc".to_vec(), Vec::new()));
}

#[test]
fn a_file_is_the_same_under_another_name() {
    everywhere(|env, dir| {
        let (path, moved, other) = (dir.join("f"), dir.join("moved"), dir.join("other"));
        write(env, &path, b"abc");
        write(env, &other, b"abc");
        let found = env.stat(&path).unwrap();
        assert!(found.is_plain && found.names == 1, "{found:?}");
        env.rename(&path, &moved).unwrap();
        assert_eq!(env.stat(&moved).unwrap(), found);
        assert_ne!(env.stat(&other).unwrap().id, found.id);
        assert!(!env.stat(dir).unwrap().is_plain);
        assert_eq!(env.stat(&path).unwrap_err().kind(), ErrorKind::NotFound);
    });
}
