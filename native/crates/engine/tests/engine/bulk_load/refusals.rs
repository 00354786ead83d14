//! Files and orders that are refused.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

use super::*;

#[test]
fn what_cannot_be_loaded_is_refused_and_stays_where_it_is() {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let f = start_in(env, "{}", &[("f", ""), ("g", "")], 1);
    let good = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    let refusal = |second: &Ordered, part: &str| {
        let error = order(&f.region, &[&good, second], false).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest, "{error}");
        assert!(
            error.message.contains(part) && error.message.contains(second.path().to_str().unwrap()),
            "{error}"
        );
        assert!(f.env.exists(&good.path()).unwrap(), "all or nothing");
        assert!(!f.env.exists(&Path::new("/h/data/default/t").join(REGION).join(".load")).unwrap());
        assert_eq!(everything(&f), [""; 0]);
    };
    let missing = Ordered { family: "f", number: 2 };
    refusal(&missing, "it is not there");
    refusal(&written(&*f.env, "f", 3, &[]), "it has no rows");
    let other = Ordered { family: "g", number: 4 };
    write(&*f.env, &other.path(), &file_of("f", &[Cell::put("a", "f", "q", 1, "v")]));
    refusal(&other, "it is a file of family f, not of g");
    let damaged = written(&*f.env, "f", 5, &[Cell::put("a", "f", "q", 1, "v")]);
    f.env.rename(&damaged.path(), Path::new("/out/whole")).unwrap();
    let mut bytes = f.env.read(Path::new("/out/whole")).unwrap();
    bytes[20] ^= 0xFF; // in the first page, which only a look at every byte finds
    write(&*f.env, &damaged.path(), &bytes);
    let error = order(&f.region, &[&good, &damaged], false).unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadRequest, "{error}");
    assert!(f.env.exists(&good.path()).unwrap() && f.env.exists(&damaged.path()).unwrap());
    let text = Ordered { family: "f", number: 6 };
    write(&*f.env, &text.path(), b"a text");
    assert_eq!(order(&f.region, &[&text], false).unwrap_err().kind, ErrorKind::BadRequest);
    let request = json!({"files": [{"family": hex("x"), "path": "/out/f/1", "name": format!("{:032x}", 1)}], "copy": false, "verify": false});
    assert_eq!(
        f.region.load_files(&request.to_string(), &|| Ok(())).unwrap_err().kind,
        ErrorKind::NoSuchFamily
    );
    for name in ["../../../x", "0a", "_SeqId_1_"] {
        let request = json!({"files": [{"family": hex("f"), "path": "/out/f/1", "name": name}], "copy": false, "verify": false});
        assert_eq!(
            f.region.load_files(&request.to_string(), &|| Ok(())).unwrap_err().kind,
            ErrorKind::BadRequest,
            "{name}"
        );
    }
    f.region.close(false).unwrap();
    assert_eq!(order(&f.region, &[&good], false).unwrap_err().kind, ErrorKind::NotServing);
}

#[test]
fn a_file_whose_pages_take_more_memory_than_a_page_may_is_refused() {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let settings = "{\"largeReadBytes\":80000,\"maxCellBytes\":40000}";
    let f = start_in(env, settings, &[("f", "")], 1);
    let put = |row: &str, qualifier: &str, len: usize| Cell::put(row, "f", qualifier, 1, vec![0; len]);
    let refusal = |file: &Ordered, part: &str| {
        let error = order(&f.region, &[file], false).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest, "{error}");
        assert!(error.message.contains(part), "{error}");
        assert!(f.env.exists(&file.path()).unwrap());
        assert_eq!(everything(&f), [""; 0]);
    };
    refusal(&written(&*f.env, "f", 1, &[put("a", "q", 90_000)]), "more than the 80000 that it may take");
    // Rows that a footer names, as the first and the last of their row groups.
    let long = |number: usize| format!("{number}{}", "k".repeat(6_000));
    refusal(&written(&*f.env, "f", 2, &[put(&long(1), "q", 0)]), "its footer takes");
    order(&f.region, &[&written(&*f.env, "f", 3, &[put("a", "q", 40_000)])], false).unwrap();
    assert_eq!(everything(&f).len(), 1);
}

#[test]
fn a_file_with_rows_of_other_regions_is_a_wrong_region() {
    let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
    let f = start_in(env, "{}", &[("f", "")], 1);
    f.region.close(false).unwrap();
    let bounded =
        f.open_json.replace("\"startKey\":\"\",\"endKey\":\"\"", "\"startKey\":\"62\",\"endKey\":\"64\"");
    let region = f.engine.open_region(&bounded).unwrap();
    let file = |number, rows: &[&str]| {
        let cells: Vec<Cell> = rows.iter().map(|row| Cell::put(row, "f", "q", 1, "v")).collect();
        written(&*f.env, "f", number, &cells)
    };
    for (number, rows) in [(1, ["a", "c"]), (2, ["c", "d"]), (3, ["a", "d"])] {
        let file = file(number, &rows);
        assert_eq!(order(&region, &[&file], false).unwrap_err().kind, ErrorKind::WrongRegion);
        assert!(f.env.exists(&file.path()).unwrap());
    }
    // What no other order makes good is said first.
    let (wrong, empty) = (file(4, &["a", "c"]), file(5, &[]));
    assert_eq!(order(&region, &[&wrong, &empty], false).unwrap_err().kind, ErrorKind::BadRequest);
    order(&region, &[&file(6, &["b", "c"])], false).unwrap();
    assert_eq!(common::scan_all(&region, &Spec::scan()).len(), 2);
}

#[test]
fn a_server_that_has_lost_its_regions_loads_nothing() {
    let (env, f, files) = with_two_files();
    for asks in 0.. {
        let asked = AtomicU64::new(0);
        let fence = || match asked.fetch_add(1, Ordering::Relaxed) {
            n if n == asks => Err(Error::new(ErrorKind::NotServing, "lost")),
            _ => Ok(()),
        };
        let outcome = order_fenced(&f.region, &[&files[0], &files[1]], false, &fence);
        if outcome.is_ok() {
            // At the beginning, before each file, and before the commit.
            assert_eq!(asks, 4);
            break;
        }
        assert_eq!(outcome.unwrap_err().kind, ErrorKind::NotServing);
        assert!(files.iter().all(|file| env.exists(&file.path()).unwrap()) && !has_load(&env), "{asks}");
        assert_eq!(everything(&f), [""; 0]);
    }
    assert_eq!(everything(&f), LOADED);
}

#[test]
fn what_is_swapped_in_after_the_look_is_not_loaded() {
    let (env, f, files) = with_two_files();
    let other = written(&env, "f", 8, &[Cell::put("c", "f", "q", 1, "other")]);
    for copy in [false, true] {
        let asked = AtomicU64::new(0);
        let fence = || {
            if asked.fetch_add(1, Ordering::Relaxed) == 1 {
                env.rename(&files[0].path(), Path::new("/out/kept")).unwrap();
                env.rename(&other.path(), &files[0].path()).unwrap();
            }
            Ok(())
        };
        let error = order_fenced(&f.region, &[&files[0], &files[1]], copy, &fence).unwrap_err();
        assert!(error.message.contains("another file has got its name"), "{error}");
        assert_eq!(error.kind, ErrorKind::BadRequest);
        assert!(!has_load(&env) && everything(&f).is_empty());
        env.rename(&files[0].path(), &other.path()).unwrap();
        env.rename(Path::new("/out/kept"), &files[0].path()).unwrap();
    }
    order(&f.region, &[&files[0], &files[1]], false).unwrap();
}

/// Between fork and exec a child holds this process's file locks, and tests beside this one lock files of the second cache tier; so `mkfifo`
/// is called, not run.
fn make_pipe(path: &Path) {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: the string ends with a zero byte and outlives the call.
    let code = unsafe { libc::mkfifo(path.as_ptr(), 0o600) };
    assert_eq!(code, 0, "{}", std::io::Error::last_os_error());
}

#[test]
fn links_and_pipes_are_refused_without_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let env: Arc<dyn Env> = Arc::new(LocalEnv::new());
    let f = common::start_at(env, dir.path(), "{}", &[("f", "")], 1);
    let out = dir.path().join("out");
    write(&*f.env, &out.join("file"), &file_of("f", &[Cell::put("a", "f", "q", 1, "v")]));
    std::fs::hard_link(out.join("file"), out.join("second")).unwrap();
    std::os::unix::fs::symlink(out.join("file"), out.join("link")).unwrap();
    make_pipe(&out.join("pipe"));
    let load = |name: &str, copy: bool| {
        let file = json!({"family": hex("f"), "path": out.join(name), "name": format!("{:032x}", 1)});
        let request = json!({"files": [file], "copy": copy, "verify": true}).to_string();
        f.region.load_files(&request, &|| Ok(())).map(drop)
    };
    // As if a directory had become a link since the path was resolved.
    std::os::unix::fs::symlink(&out, out.join("linked")).unwrap();
    write(&*f.env, &out.join("single"), &file_of("f", &[Cell::put("b", "f", "q", 1, "v")]));
    for copy in [false, true] {
        let error = load("linked/single", copy).unwrap_err();
        assert!(
            error.kind == ErrorKind::BadRequest && error.message.contains("a link is on the way"),
            "{error}"
        );
    }
    for name in ["link", "pipe"] {
        let error = load(name, false).unwrap_err();
        assert!(error.kind == ErrorKind::BadRequest && error.message.contains("no plain file"), "{error}");
    }
    let error = load("file", false).unwrap_err();
    assert!(error.message.contains("it has 2 names"), "{error}");
    load("file", true).unwrap();
    assert_eq!(values(&f.scan(&Spec::scan())), ["a/f@1=v"]);
}

#[test]
fn a_load_of_too_many_files_is_refused() {
    let f = start(FakeKind::Local);
    let many: Vec<Ordered> = (0..1025).map(|number| Ordered { family: "f", number }).collect();
    let error = order(&f.region, &many.iter().collect::<Vec<_>>(), false).unwrap_err();
    assert!(error.kind == ErrorKind::BadRequest && error.message.contains("1025 files"), "{error}");
}

#[test]
fn a_region_with_too_many_files_is_busy_for_a_load() {
    // Nothing is ever merged: a compaction would need more files than there are.
    let policy = "\"maxVersions\":3,\"compaction\":{\"filesMin\":9,\"filesMax\":10,\"filesBlocking\":2}";
    let f = start_in(Arc::new(FakeEnv::new(1)), "{}", &[("f", policy)], 1);
    for timestamp in 2..5 {
        f.put(Cell::put("a", "f", "q", timestamp, "v"));
        f.region.flush().unwrap();
    }
    let file = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    let error = order(&f.region, &[&file], false).unwrap_err();
    assert!(error.kind == ErrorKind::Busy && error.message.contains("has 3 files, more than 2"), "{error}");
    assert!(f.env.exists(&file.path()).unwrap());
    compact(&f);
    order(&f.region, &[&file], false).unwrap();
}
