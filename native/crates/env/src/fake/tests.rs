use super::*;

#[test]
fn a_machine_crash_takes_directories_whose_parent_was_not_synced() {
    let env = FakeEnv::new(1);
    for dir in ["/d/lost/x", "/d/kept"] {
        env.mkdir(Path::new(dir)).unwrap();
        env.create(&Path::new(dir).join("file")).unwrap().sync().unwrap();
        env.sync_dir(Path::new(dir)).unwrap();
    }
    env.mkdir_durably(Path::new("/e/all/of/it")).unwrap();
    env.sync_dir(Path::new("/d/lost")).unwrap();
    env.crash_machine();
    assert_eq!(env.list(Path::new("/d")).unwrap(), []);
    assert!(env.exists(Path::new("/e/all/of/it")).unwrap());
    assert_eq!(env.files(), Vec::<PathBuf>::new());
}

#[test]
fn a_machine_crash_takes_unsynced_bytes_and_names() {
    let env = FakeEnv::new(1);
    env.mkdir_durably(Path::new("/d")).unwrap();
    let mut kept = env.create(Path::new("/d/kept")).unwrap();
    kept.append(b"synced").unwrap();
    kept.sync().unwrap();
    env.sync_dir(Path::new("/d")).unwrap();
    kept.append(b" not").unwrap();
    env.create(Path::new("/d/lost")).unwrap().sync().unwrap();
    env.crash_machine();
    kept.append(b" of a dead process").unwrap();
    kept.sync().unwrap();
    assert_eq!(env.files(), [PathBuf::from("/d/kept")]);
    assert_eq!(env.read(Path::new("/d/kept")).unwrap(), b"synced");
}

#[test]
fn a_full_disk_refuses_what_does_not_fit() {
    let env = FakeEnv::new(1);
    env.mkdir(Path::new("/d")).unwrap();
    env.set_faults(Faults { free_bytes: Some(5), ..Faults::default() });
    let mut file = env.create(Path::new("/d/f")).unwrap();
    file.append(b"1234").unwrap();
    assert_eq!(file.append(b"56").unwrap_err().kind(), io::ErrorKind::StorageFull);
}

#[test]
fn readers_survive_rename_and_delete() {
    let env = FakeEnv::new(1);
    env.mkdir(Path::new("/d")).unwrap();
    env.create(Path::new("/d/a")).unwrap().append(b"abc").unwrap();
    let reader = env.open(Path::new("/d/a")).unwrap();
    env.rename(Path::new("/d/a"), Path::new("/d/b")).unwrap();
    env.delete(Path::new("/d/b")).unwrap();
    let mut buf = [0; 3];
    reader.read_exact_at(&mut buf, 0).unwrap();
    assert_eq!(&buf, b"abc");
    assert!(env.open(Path::new("/d/b")).is_err());
}
