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

fn remote() -> FakeEnv {
    let env = FakeEnv::of(FakeKind::Remote, 1);
    env.mkdir(Path::new("/d")).unwrap();
    env
}

#[test]
fn a_remote_file_that_is_open_is_as_long_as_its_first_flush_to_others() {
    let (env, path) = (remote(), Path::new("/d/f"));
    let mut file = env.create(path).unwrap();
    file.append(b"abc").unwrap();
    assert_eq!((env.len(path).unwrap(), env.read(path).unwrap().len()), (0, 0));
    file.flush().unwrap();
    let early = env.open(path).unwrap();
    file.append(b"def").unwrap();
    file.flush().unwrap();
    file.append(b"ghi").unwrap();
    assert_eq!((env.len(path).unwrap(), env.list(Path::new("/d")).unwrap()[0].len), (3, 3));
    assert_eq!(env.read(path).unwrap(), b"abcdef");
    assert_eq!(early.len(), 3);
    assert_eq!(early.read_exact_at(&mut [0; 4], 0).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    file.close().unwrap();
    assert_eq!((env.len(path).unwrap(), env.read(path).unwrap()), (9, b"abcdefghi".to_vec()));
    assert_eq!(env.flushes(), 2);
}

#[test]
fn a_recovered_lease_fences_the_writer() {
    for call in 0..4 {
        let (env, path) = (remote(), Path::new("/d/f"));
        let mut file = env.create(path).unwrap();
        file.append(b"abc").unwrap();
        file.flush().unwrap();
        env.rename(path, Path::new("/d/moved")).unwrap();
        file.append(b"a rename fences no one").unwrap();
        file.flush().unwrap();
        env.recover_lease(Path::new("/d/moved")).unwrap();
        let failed = match call {
            0 => file.append(b"x"),
            1 => file.flush(),
            2 => file.sync(),
            _ => file.close(),
        };
        assert!(failed.unwrap_err().to_string().contains("lease"), "{call}");
        assert_eq!(env.read(Path::new("/d/moved")).unwrap(), b"abca rename fences no one");
    }
}

#[test]
fn behind_a_broken_pipeline_the_tail_is_undefined_and_a_new_file_works() {
    let mut lengths = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let (env, path) = (FakeEnv::of(FakeKind::Remote, seed), Path::new("/f"));
        let mut file = env.create(path).unwrap();
        file.append(b"kept").unwrap();
        file.flush().unwrap();
        let at_append = seed % 2 == 0;
        let faults =
            Faults { fail_append_in: Some(1), fail_flush_in: (!at_append).then_some(0), ..Faults::default() };
        env.set_faults(faults);
        file.append(b"12").unwrap();
        assert!(if at_append { file.append(b"34") } else { file.flush() }.is_err());
        assert!(file.append(b"5").is_err() && file.flush().is_err() && file.sync().is_err());
        assert!(file.close().is_err());
        env.set_faults(Faults::default());
        env.recover_lease(path).unwrap();
        let left = env.read(path).unwrap();
        assert!(left.starts_with(b"kept") && b"kept1234".starts_with(&left), "{left:?}");
        lengths.insert(left.len());
        env.create(Path::new("/g")).unwrap().close().unwrap();
    }
    assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [4, 5, 6, 7, 8]);
}

#[test]
fn a_dead_remote_machine_leaves_its_names_and_what_it_flushed() {
    let env = remote();
    let mut open = env.create(Path::new("/d/open")).unwrap();
    open.append(b"flushed").unwrap();
    open.flush().unwrap();
    env.create(Path::new("/d/closed")).unwrap().close().unwrap();
    env.crash_machine();
    assert!(open.append(b"of a dead process").is_err());
    env.recover_lease(Path::new("/d/open")).unwrap();
    assert_eq!(env.files(), [PathBuf::from("/d/closed"), PathBuf::from("/d/open")]);
    assert_eq!(env.read(Path::new("/d/open")).unwrap(), b"flushed");
}

#[test]
fn a_file_that_does_not_close_stays_open() {
    let (env, path) = (remote(), Path::new("/d/f"));
    let mut file = env.create(path).unwrap();
    file.append(b"abc").unwrap();
    env.set_faults(Faults { fail_close_in: Some(0), ..Faults::default() });
    assert!(file.close().is_err());
    assert_eq!(env.len(path).unwrap(), 0);
    env.recover_lease(path).unwrap();
    assert_eq!(env.len(path).unwrap(), env.read(path).unwrap().len() as u64);
}

#[test]
#[should_panic(expected = "an event loop waits for a Flush")]
fn an_event_loop_that_flushes_a_remote_file_is_found_out() {
    let env = remote();
    let mut file = env.create(Path::new("/d/f")).unwrap();
    FakeEnv::on_event_loop(|| drop(file.flush()));
}

#[test]
fn a_rename_by_links_leaves_both_names_where_it_ends_in_the_middle() {
    let env = FakeEnv::new(1);
    env.set_mounts(Mounts { renames_by_links: true, ..Mounts::default() });
    for dir in ["/a", "/b"] {
        env.mkdir_durably(Path::new(dir)).unwrap();
    }
    let (from, to) = (Path::new("/a/f"), Path::new("/b/f"));
    let mut file = env.create(from).unwrap();
    file.append(b"abc").unwrap();
    file.sync().unwrap();
    env.sync_dir(Path::new("/a")).unwrap();
    env.set_faults(Faults { fail_unlink_in: Some(0), ..Faults::default() });
    env.rename(from, to).unwrap_err();
    assert_eq!(env.files(), [from, to]);
    assert_eq!((env.stat(from).unwrap().names, env.stat(from).unwrap()), (2, env.stat(to).unwrap()));
    env.sync_dir(Path::new("/b")).unwrap();
    env.crash_machine();
    assert_eq!(env.files(), [from, to]);
    assert_eq!(env.stat(from).unwrap(), env.stat(to).unwrap(), "it is one file also on the medium");
    env.rename(from, Path::new("/b/g")).unwrap();
    assert_eq!(env.files(), [to, Path::new("/b/g")]);
    env.mkdir(Path::new("/c")).unwrap();
    env.rename(Path::new("/b"), Path::new("/c/b")).unwrap();
    assert!(env.exists(Path::new("/c/b/g")).unwrap(), "directories are renamed in one step");
}

#[test]
fn other_devices_and_read_only_places_say_so() {
    let env = FakeEnv::new(1);
    for dir in ["/a", "/b", "/b/c"] {
        env.mkdir(Path::new(dir)).unwrap();
        env.create(&Path::new(dir).join("f")).unwrap().close().unwrap();
    }
    let kind = |result: io::Result<()>| result.unwrap_err().kind();
    env.set_mounts(Mounts { other_device: Some("/b".into()), ..Mounts::default() });
    assert_eq!(kind(env.rename(Path::new("/a/f"), Path::new("/b/g"))), io::ErrorKind::CrossesDevices);
    assert_eq!(kind(env.rename(Path::new("/b/f"), Path::new("/a/g"))), io::ErrorKind::CrossesDevices);
    env.rename(Path::new("/b/f"), Path::new("/b/c/g")).unwrap();
    env.set_mounts(Mounts { read_only: Some("/b".into()), ..Mounts::default() });
    let of = io::ErrorKind::ReadOnlyFilesystem;
    assert_eq!(kind(env.rename(Path::new("/b/c/g"), Path::new("/a/g"))), of);
    assert_eq!(kind(env.delete(Path::new("/b/c/g"))), of);
    assert_eq!(env.create(Path::new("/b/h")).err().unwrap().kind(), of);
    env.delete(Path::new("/a/f")).unwrap();
}

#[test]
fn a_mark_outlives_the_machine_and_may_be_made_again() {
    let env = FakeEnv::new(1);
    env.mkdir_durably(Path::new("/d")).unwrap();
    for _ in 0..2 {
        env.create_mark(Path::new("/d/7.mark")).unwrap();
        env.crash_machine();
        assert!(env.exists(Path::new("/d/7.mark")).unwrap());
    }
    assert_eq!(env.create_mark(Path::new("/nowhere/7.mark")).unwrap_err().kind(), io::ErrorKind::NotFound);
}

/// As HBase's fan-out stream: new bytes take what was flushed before to the media, and without them nothing goes there.
#[test]
fn a_sync_of_a_remote_log_needs_new_bytes() {
    for (is_log, then, succeeds, synced) in
        [(false, "", true, 7), (true, "", false, 0), (true, " and synced", true, 18)]
    {
        let mut kept = std::collections::BTreeSet::new();
        for seed in 0..300 {
            let (env, path) = (FakeEnv::of(FakeKind::Remote, seed), Path::new("/f"));
            let mut file = if is_log { env.create_log(path, 100) } else { env.create(path) }.unwrap();
            file.append(b"flushed").unwrap();
            file.flush().unwrap();
            file.append(then.as_bytes()).unwrap();
            assert_eq!(file.sync().is_ok(), succeeds);
            let goes_on = file.append(b" and not").and_then(|()| file.flush());
            assert_eq!(goes_on.is_ok(), succeeds);
            env.lose_power();
            assert!(file.append(b"of a dead process").is_err());
            env.recover_lease(path).unwrap();
            let left = String::from_utf8(env.read(path).unwrap()).unwrap();
            assert!("flushed and synced and not".starts_with(&left) || "flushed and not".starts_with(&left));
            kept.insert(left.len());
        }
        let most = 7 + then.len() + if succeeds { 8 } else { 0 };
        assert!(kept.into_iter().eq(synced..=most), "{is_log} {then}");
    }
}

#[test]
fn a_power_loss_leaves_of_a_local_file_what_was_synced_and_perhaps_more() {
    let mut kept = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let (env, path) = (FakeEnv::new(seed), Path::new("/f"));
        let mut file = env.create(path).unwrap();
        env.sync_dir(Path::new("/")).unwrap();
        file.append(b"synced").unwrap();
        file.sync().unwrap();
        file.append(b" not").unwrap();
        env.lose_power();
        kept.insert(env.read(path).unwrap().len());
    }
    assert!(kept.into_iter().eq(6..=10));
}

#[test]
fn a_full_block_breaks_a_remote_log() {
    let env = remote();
    let mut long = env.create_log(Path::new("/d/long"), 4).unwrap();
    long.append(b"12345").unwrap(); // as HDFS
    env.set_faults(Faults { full_blocks: true, ..Faults::default() });
    let mut full = env.create_log(Path::new("/d/full"), 4).unwrap();
    full.append(b"1234").unwrap();
    assert!(full.append(b"5").is_err() && full.flush().is_err());
}

#[test]
fn a_create_that_fails_may_have_made_its_file() {
    for leaves_created in [false, true] {
        let env = remote();
        env.set_faults(Faults { failing_creates: 1, leaves_created, ..Faults::default() });
        assert!(env.create(Path::new("/d/f")).is_err());
        assert_eq!(env.files().len(), usize::from(leaves_created));
    }
}
