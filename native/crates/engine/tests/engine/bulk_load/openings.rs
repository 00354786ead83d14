//! Loads of an older opening, whose server may still work, and of other devices.

use super::*;

#[test]
fn an_opening_commits_nothing_into_a_later_one() {
    // The region is opened elsewhere before the older server asks for the nth time, and it is told nothing of it. But for the first time: a
    // load that begins behind the other opening is one like any other, and the fence alone keeps it from its end.
    for nth in 0..4 {
        let env = FakeEnv::new(1);
        let (_old_engine, old) = serve(Arc::new(env.clone()), 1).unwrap();
        let (f, g) = rows("load");
        let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
        let asked = AtomicU64::new(0);
        let opened = parking_lot::Mutex::new(None);
        let fence = || {
            if asked.fetch_add(1, Ordering::Relaxed) == nth {
                *opened.lock() = serve(Arc::new(env.clone()), 2);
                if nth == 0 {
                    return Err(Error::new(ErrorKind::NotServing, "lost"));
                }
            }
            Ok(())
        };
        let outcome = order_fenced(&old, &[&files[0], &files[1]], false, &fence);
        let (_engine, new) = opened.into_inner().unwrap();
        outcome.unwrap_err();
        assert_eq!(loaded_files(&env), 0, "{nth}");
        assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()), "{nth}");
        order(&new, &[&files[0], &files[1]], false).unwrap();
        assert_eq!(values(&common::scan_all(&new, &Spec::scan())), LOADED);
    }
}

#[test]
fn what_an_older_opening_has_committed_is_undone() {
    let env = FakeEnv::new(1);
    let (_old_engine, old) = serve(Arc::new(env.clone()), 1).unwrap();
    let (_engine, new) = serve(Arc::new(env.clone()), 2).unwrap();
    let (f, g) = rows("load");
    let files = [written(&env, "f", 1, &f), written(&env, "g", 2, &g)];
    // It moves one file to its place, and dies.
    env.set_faults(Faults { fail_rename_in: Some(5), ..Faults::default() });
    order(&old, &[&files[0], &files[1]], false).unwrap_err();
    assert_eq!(loaded_files(&env), 1);
    new.close(true).unwrap();
    let (_engine, newest) = serve(Arc::new(env.clone()), 3).unwrap();
    assert_eq!(values(&common::scan_all(&newest, &Spec::scan())), [""; 0]);
    assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env));
}

#[test]
fn a_commit_that_ends_between_the_two_steps_of_its_rename_is_a_load() {
    let nfs = Mounts { renames_by_links: true, ..Mounts::default() };
    let mut hidden = 0;
    for unlinks in 0..5 {
        let (env, mut f, files) = with_two_files();
        env.set_mounts(nfs.clone());
        env.set_faults(Faults { fail_unlink_in: Some(unlinks), ..Faults::default() });
        let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
        assert_eq!(everything(&f), [""; 0]);
        if error.message.contains("shows when the region is opened next") {
            hidden += 1;
            let again = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
            assert!(again.message.contains("waits for the region to be opened again"), "{again}");
            reopen(&mut f);
        } else {
            assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()), "{unlinks}");
            order(&f.region, &[&files[0], &files[1]], false).unwrap();
        }
        assert_eq!(everything(&f), LOADED);
        assert!(!has_load(&env));
    }
    assert_eq!(hidden, 2, "the commit, and the first file's move into its place");
}

#[test]
fn a_file_of_another_device_is_moved_by_copying_it() {
    let devices = Mounts { other_device: Some(OUT.into()), ..Mounts::default() };
    let (env, mut f, files) = with_two_files();
    env.set_mounts(devices.clone());
    order(&f.region, &[&files[0], &files[1]], false).unwrap();
    assert_eq!(everything(&f), LOADED);
    assert!(!env.files().iter().any(|file| file.starts_with(OUT)), "{:?}", env.files());
    // One that can be read and not taken away is not loaded: the next load would load it again.
    let third = written(&env, "f", 3, &[Cell::put("x", "f", "q", 1, "v")]);
    env.set_mounts(Mounts { read_only: Some(OUT.into()), ..devices.clone() });
    order(&f.region, &[&third], false).unwrap_err();
    assert!(env.exists(&third.path()).unwrap());
    order(&f.region, &[&third], true).unwrap();
    // One that cannot be taken away any more is out of sight.
    env.set_mounts(devices.clone());
    let fourth = written(&env, "f", 4, &[Cell::put("y", "f", "q", 1, "v")]);
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 4 {
            env.set_mounts(Mounts { read_only: Some(OUT.into()), ..devices.clone() });
        }
        Ok(())
    };
    order_fenced(&f.region, &[&fourth], false, &fence).unwrap();
    assert!(!env.exists(&fourth.path()).unwrap());
    reopen(&mut f);
    assert_eq!(everything(&f).len(), 6);
    assert!(!has_load(&env));
}
