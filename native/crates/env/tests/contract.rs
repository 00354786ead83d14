//! What every environment promises, tested on each. HDFS is tested with the same list from Java.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test says so by panicking"
)]

use std::path::Path;

use grampus_env::{Env, FakeEnv, FakeKind, LocalEnv, contract};

#[test]
fn local_disks_keep_all_promises() {
    let dir = tempfile::tempdir().unwrap();
    contract::check(&LocalEnv::new(), &dir.path().join("check/it")).unwrap();
}

#[test]
fn what_is_faked_keeps_all_promises() {
    for kind in FakeKind::ALL {
        let env = FakeEnv::of(kind, 1);
        contract::check(&env, Path::new("/check")).unwrap();
        assert!(env.files().is_empty(), "{kind:?}");
    }
}

#[test]
fn a_closed_file_can_be_made_durable_by_another() {
    let env = FakeEnv::new(1);
    env.mkdir_durably(Path::new("/d")).unwrap();
    let (synced, lost) = (Path::new("/d/synced"), Path::new("/d/lost"));
    for path in [synced, lost] {
        let mut file = env.create(path).unwrap();
        file.append(b"abc").unwrap();
        file.close().unwrap();
    }
    env.sync_file(synced).unwrap();
    env.sync_dir(Path::new("/d")).unwrap();
    env.crash_machine();
    assert_eq!((env.read(synced).unwrap(), env.read(lost).unwrap()), (b"abc".to_vec(), Vec::new()));
}
