//! Loads that fail: files go back where they were, or are kept where they are.

use super::*;

#[test]
fn a_load_that_cannot_be_shown_is_whole_once_its_region_is_closed() {
    for asks_again in [false, true] {
        let (env, mut f, files) = with_two_files();
        // The record, two moves and the commit come before the first file is moved into its place.
        env.set_faults(Faults { fail_rename_in: Some(4), ..Faults::default() });
        let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
        assert!(error.message.contains("shows when the region is opened next"), "{error}");
        assert_eq!(loaded_files(&env), 0);
        if asks_again {
            let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
            assert!(error.message.contains("waits for the region to be opened again"), "{error}");
        }
        assert_eq!(everything(&f), [""; 0]);
        f.region.close(false).unwrap();
        // A split or merge comes here, and takes what is in the family directories.
        assert_eq!((loaded_files(&env), has_load(&env)), (2, false));
        f.region = f.engine.open_region(&f.open_json).unwrap();
        assert_eq!(everything(&f), LOADED);
    }
}

#[test]
fn files_that_cannot_go_back_keep_a_region_from_nothing() {
    let (env, mut f, files) = with_two_files();
    // The client's directory becomes read only when the first file has been moved.
    let read_only = Mounts { read_only: Some(OUT.into()), ..Mounts::default() };
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 2 {
            env.set_mounts(read_only.clone());
        }
        Ok(())
    };
    let error = order_fenced(&f.region, &[&files[0], &files[1]], false, &fence).unwrap_err();
    assert!(error.message.contains("its files are moved back when"), "{error}");
    assert_eq!(files.each_ref().map(|file| env.exists(&file.path()).unwrap()), [false, true]);
    f.region.close(true).unwrap();
    f.region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(everything(&f), [""; 0]);
    assert!(has_load(&env), "the file waits");
    // Other clients' loads do not.
    let other = Ordered { family: "f", number: 7 };
    env.mkdir(Path::new("/elsewhere")).unwrap();
    write(&env, Path::new("/elsewhere/7"), &file_of("f", &[Cell::put("x", "f", "q", 1, "v")]));
    let request = json!({"files": [{"family": hex("f"), "path": "/elsewhere/7", "name": format!("{:032x}", other.number)}], "copy": false, "verify": false});
    f.region.load_files(&request.to_string(), &|| Ok(())).unwrap();
    assert_eq!(everything(&f), ["x/f@1=v"]);
    // A split or merge comes behind a close, and finds the region's own files alone.
    f.region.close(false).unwrap();
    let places = listed(&env, "/h/staging/unreturned");
    assert!(!has_load(&env) && places.len() == 1 && places[0].starts_with(REGION), "{places:?}");
    let place = Path::new("/h/staging/unreturned").join(&places[0]);
    let said = said(&f);
    assert!(said.contains(&format!("and are in {}", place.display())), "{said}");
    assert!(env.exists(&place.join(format!("{:032x}", files[0].number))).unwrap());
    assert!(env.exists(&place.join("moving")).unwrap(), "its record says where it belongs");
    f.region = f.engine.open_region(&f.open_json).unwrap();
    assert_eq!(everything(&f), ["x/f@1=v"]);
}

#[test]
fn files_that_can_go_back_by_now_do_so_at_the_close() {
    let (env, f, files) = with_two_files();
    let read_only = Mounts { read_only: Some(OUT.into()), ..Mounts::default() };
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 2 {
            env.set_mounts(read_only.clone());
        }
        Ok(())
    };
    order_fenced(&f.region, &[&files[0], &files[1]], false, &fence).unwrap_err();
    env.set_mounts(Mounts::default());
    f.region.close(false).unwrap();
    assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env));
    let said = said(&f);
    assert!(said.contains("did not happen, its files are back: [/out/f/1]"), "{said}");
}

#[test]
fn what_a_close_cannot_delete_of_a_load_is_said() {
    let devices = Mounts { other_device: Some(OUT.into()), ..Mounts::default() };
    let (env, f, files) = with_two_files();
    env.set_mounts(devices.clone());
    // The record, two files put out of sight, and the commit come before the first file's move into its place.
    env.set_faults(Faults { fail_rename_in: Some(4 + 2), ..Faults::default() });
    let error = order(&f.region, &[&files[0], &files[1]], false).unwrap_err();
    assert!(error.message.contains("shows when the region is opened next"), "{error}");
    env.set_mounts(Mounts { read_only: Some(OUT.into()), ..devices });
    f.region.close(false).unwrap();
    assert_eq!(loaded_files(&env), 2);
    let said = said(&f);
    assert!(said.contains("is complete: [") && said.contains("what it has moved is still there: "), "{said}");
}

#[test]
fn a_load_that_panics_gives_its_files_back() {
    let (env, f, files) = with_two_files();
    let asked = AtomicU64::new(0);
    let fence = || {
        assert_ne!(asked.fetch_add(1, Ordering::Relaxed), 2, "the first file has been moved");
        Ok(())
    };
    let error = order_fenced(&f.region, &[&files[0], &files[1]], false, &fence).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Bug, "{error}");
    assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env));
    order(&f.region, &[&files[0], &files[1]], false).unwrap();
    assert_eq!(everything(&f), LOADED);
}
