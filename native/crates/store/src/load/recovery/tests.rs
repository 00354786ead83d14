use std::sync::Arc;

use grampus_env::{FakeEnv, Mounts};

use super::*;
use crate::load::{CheckedFile, StagedLoad, set_aside};

const REGION: &str = "/r";

/// An environment with files `/out/1` and `/out/2`, whose contents are their names.
fn with_files() -> FakeEnv {
    let env = FakeEnv::new(1);
    env.mkdir(Path::new("/out")).unwrap();
    env.mkdir(Path::new(REGION)).unwrap();
    write(&env, "/out/1", "1");
    write(&env, "/out/2", "2");
    env
}

fn write(env: &FakeEnv, path: &str, text: &str) {
    let mut file = env.create(Path::new(path)).unwrap();
    file.append(text.as_bytes()).unwrap();
    file.close().unwrap();
}

fn read(env: &FakeEnv, path: &str) -> String {
    String::from_utf8(env.read(Path::new(path)).unwrap()).unwrap()
}

fn file(number: u64) -> LoadFile {
    LoadFile {
        family: "f".to_string(),
        source: format!("/out/{number}").into(),
        name: format!("{number:032x}"),
        offset: number - 1,
        copy: false,
    }
}

fn stage(env: &FakeEnv, opening: u64, file: &LoadFile) -> StagedLoad {
    let shared: Arc<dyn Env> = Arc::new(env.clone());
    let checked = CheckedFile { file: file.clone(), id: env.stat(&file.source).unwrap().id };
    StagedLoad::take(&shared, Path::new(REGION), opening, &[checked], &|| Ok(())).unwrap()
}

fn only_dir(env: &FakeEnv) -> LoadDir {
    let dirs = LoadDir::all(env, Path::new(REGION)).unwrap().unwrap();
    assert_eq!(dirs.len(), 1, "{dirs:?}");
    dirs[0].clone()
}

fn recover_all(env: &FakeEnv, last: u64) -> Vec<LoadRecovery> {
    recover(env, Path::new(REGION), Openings::All { last }).unwrap()
}

fn is_undone(done: &[LoadRecovery], files: &[&str]) -> bool {
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    matches!(done, [LoadRecovery::Undone(back)] if *back == files)
}

fn other_device() -> Mounts {
    Mounts { other_device: Some("/out".into()), ..Mounts::default() }
}

#[test]
fn a_load_that_was_taken_away_is_not_committed_any_more() {
    let env = with_files();
    let staged = stage(&env, 7, &file(1));
    let taken = only_dir(&env).take(&env).unwrap().unwrap();
    // Its new owner has looked at the record, and the old one goes on.
    assert_eq!(taken.read(&env).unwrap().unwrap().0, Stage::Moving);
    assert!(staged.commit(8).is_err_and(|uncertain| uncertain.resolve().is_undone));
    assert_eq!(taken.read(&env).unwrap().unwrap().0, Stage::Moving);
    let done = recover_all(&env, 9);
    assert!(is_undone(&done, &["/out/1"]), "{done:?}");
    assert_eq!(env.files().len(), 2);
}

#[test]
fn of_two_that_recover_a_load_the_first_one_does_nothing_any_more() {
    let env = with_files();
    let _staged = stage(&env, 7, &file(1)).commit(8).ok().unwrap();
    let first = only_dir(&env).take(&env).unwrap().unwrap();
    let second = only_dir(&env).take(&env).unwrap().unwrap();
    let lost = recover_one(&env, Path::new(REGION), first, true).unwrap_err();
    assert_eq!(lost.kind, grampus_base::ErrorKind::NotServing, "{lost}");
    assert!(env.files().iter().all(|file| !file.starts_with("/r/f")), "{:?}", env.files());
    let done = recover_one(&env, Path::new(REGION), second, true).unwrap();
    assert!(matches!(done, Some(LoadRecovery::Completed { .. })), "{done:?}");
}

#[test]
fn who_still_undoes_an_older_load_does_not_bring_back_what_a_later_one_has_taken() {
    let env = with_files();
    env.set_mounts(other_device());
    let _older = stage(&env, 7, &file(1));
    let dir = only_dir(&env).take(&env).unwrap().unwrap();
    assert!(is_undone(&recover_all(&env, 9), &["/out/1"]));
    let later = stage(&env, 9, &file(1));
    assert!(undo(&env, &dir, &[file(1)]).unwrap().is_empty());
    assert!(!env.exists(Path::new("/out/1")).unwrap());
    later.commit(10).ok().unwrap().end().unwrap();
}

#[test]
fn a_close_leaves_the_load_of_a_later_opening_alone() {
    let env = with_files();
    let later = stage(&env, 9, &file(1));
    assert!(recover(&env, Path::new(REGION), Openings::UpTo(7)).unwrap().is_empty());
    env.mkdir(Path::new("/r/f")).unwrap();
    let committed = later.commit(10).ok().unwrap();
    committed.place("f").unwrap();
    committed.end().unwrap();
    assert_eq!(read(&env, "/r/f/00000000000000000000000000000001_SeqId_10_"), "1");
}

/// What the version before this one has left: one load, in `.load` itself, whose second file is copied.
fn left_by_the_earlier_version(record: &str) -> FakeEnv {
    let env = with_files();
    env.mkdir(Path::new("/r/.load")).unwrap();
    env.rename(Path::new("/out/1"), &Path::new("/r/.load").join(file(1).name)).unwrap();
    write(&env, &format!("/r/.load/{}.copy", file(2).name), "2");
    write(
        &env,
        &format!("/r/.load/{record}"),
        include_str!("../../../../../testdata/load-record/v1/earlier.json"),
    );
    env
}

#[test]
fn a_load_of_the_earlier_version_is_undone_or_completed() {
    let env = left_by_the_earlier_version("moving");
    let done = recover_all(&env, 60);
    assert!(is_undone(&done, &["/out/1"]), "{done:?}");
    assert_eq!((read(&env, "/out/1"), read(&env, "/out/2")), ("1".to_string(), "2".to_string()));
    let env_committed = left_by_the_earlier_version("committed.60");
    let done = recover_all(&env_committed, 70);
    assert!(matches!(done.as_slice(), [LoadRecovery::Completed { .. }]), "{done:?}");
    let loaded = |number: u64| format!("/r/f/{}", file(number).name_at(60));
    assert_eq!(read(&env_committed, &loaded(1)) + &read(&env_committed, &loaded(2)), "12");
    for env in [env, env_committed] {
        assert!(!env.exists(Path::new("/r/.load")).unwrap() && env.exists(Path::new(REGION)).unwrap());
    }
}

#[test]
fn a_load_that_cannot_go_back_is_set_aside_with_its_record() {
    let read_only = Mounts { read_only: Some("/out".into()), ..Mounts::default() };
    let current = with_files();
    let _staged = stage(&current, 7, &file(1));
    for env in [current, left_by_the_earlier_version("moving")] {
        env.set_mounts(read_only.clone());
        let done = recover(&env, Path::new(REGION), Openings::UpTo(7)).unwrap();
        let [LoadRecovery::Waiting { dir, .. }] = done.as_slice() else { panic!("{done:?}") };
        let place = set_aside(&env, dir, Path::new("/root"), "0a").unwrap();
        assert!(place.starts_with("/root/staging/unreturned"), "{place:?}");
        assert!(env.exists(&place.join("moving")).unwrap() && env.exists(&place.join(file(1).name)).unwrap());
        assert!(!env.exists(Path::new("/r/.load")).unwrap() && env.exists(Path::new(REGION)).unwrap());
    }
}

#[test]
fn the_last_bytes_of_a_file_come_back() {
    let env = with_files();
    env.set_mounts(other_device());
    let _staged = stage(&env, 7, &file(1));
    // An operator clears up what loaders pass over.
    env.delete(&only_dir(&env).parked(&file(1))).unwrap();
    let done = recover_all(&env, 9);
    assert!(is_undone(&done, &["/out/1"]), "{done:?}");
    assert_eq!(read(&env, "/out/1"), "1");
    assert_eq!(env.files().len(), 2, "{:?}", env.files());
}

#[test]
fn a_file_goes_back_to_a_directory_that_is_another_devices_by_now() {
    let env = with_files();
    let _staged = stage(&env, 7, &file(1));
    env.set_mounts(other_device());
    write(&env, &format!("/out/_{}.half", file(1).name), "of an attempt before");
    let done = recover_all(&env, 9);
    assert!(is_undone(&done, &["/out/1"]), "{done:?}");
    assert_eq!(read(&env, "/out/1"), "1");
    assert_eq!(env.files().len(), 2, "{:?}", env.files());
}

#[test]
fn a_file_whose_names_are_taken_gets_another_one() {
    let env = with_files();
    let _staged = stage(&env, 7, &file(1));
    let beside = format!("/out/_{}", file(1).name);
    write(&env, "/out/1", "another");
    write(&env, &beside, "a third");
    let done = recover_all(&env, 9);
    let [LoadRecovery::Undone(back)] = done.as_slice() else { panic!("{done:?}") };
    let back = back[0].to_str().unwrap();
    assert!(back.starts_with(&format!("{beside}.")) && read(&env, back) == "1", "{back}");
}
