//! A file of tests that no `mod` names is never compiled, and nothing else would say so.

use std::fs;
use std::path::{Path, PathBuf};

/// The text that names the modules of a directory: that of its root, or of the file that has its name.
fn names(directory: &Path) -> String {
    let roots = [directory.join("main.rs"), directory.join("mod.rs"), directory.with_extension("rs")];
    let root = roots.iter().find(|root| root.exists());
    root.map(|root| fs::read_to_string(root).unwrap()).unwrap_or_default()
}

/// Adds to `found` the files and directories below a directory that no `mod` names. Returns how many are named.
fn lost(directory: &Path, found: &mut Vec<PathBuf>) -> usize {
    let names = names(directory);
    let is_named = |name: &str| {
        let wanted = format!("mod {name};");
        names.lines().any(|line| line == wanted || line.strip_prefix("pub(crate) ") == Some(wanted.as_str()))
    };
    let mut modules = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name == "main" || name == "mod" {
            continue;
        }
        if is_named(name) {
            modules += 1;
        } else {
            found.push(path.clone());
        }
        if path.is_dir() {
            modules += lost(&path, found);
        }
    }
    modules
}

/// Whether Cargo finds no program in what lies in `tests` itself: a file is one, a directory by its `main.rs`. `common` is what programs share.
fn is_lost_program(path: &Path) -> bool {
    path.is_dir() && !path.ends_with("common") && !path.join("main.rs").exists()
}

#[test]
fn each_file_of_tests_is_a_module() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut modules, mut found, mut programs) = (0, Vec::new(), Vec::new());
    for each in fs::read_dir(crates).unwrap() {
        let tests = each.unwrap().path().join("tests");
        if !tests.exists() {
            continue;
        }
        for entry in fs::read_dir(tests).unwrap() {
            let path = entry.unwrap().path();
            if is_lost_program(&path) {
                programs.push(path);
            } else if path.is_dir() {
                modules += lost(&path, &mut found);
            }
        }
    }
    assert!(programs.is_empty(), "Cargo finds no main.rs in {programs:?}");
    assert!(found.is_empty(), "no `mod` names {found:?}");
    assert!(modules > 80, "{modules} modules");
}

#[test]
fn files_and_directories_without_a_name_are_seen() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("main.rs", "mod named;\npub(crate) mod directory;\n// mod lost;\n");
    write("named.rs", "mod below;\n");
    write("named/below.rs", "");
    write("named/beside.rs", "");
    write("directory/mod.rs", "mod inner;\n");
    write("directory/inner.rs", "");
    write("lost.rs", "");
    write("without_root/one.rs", "");
    let mut found = Vec::new();
    let modules = lost(dir.path(), &mut found);
    let mut found: Vec<&str> =
        found.iter().map(|path| path.strip_prefix(dir.path()).unwrap().to_str().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, ["lost.rs", "named/beside.rs", "without_root", "without_root/one.rs"]);
    assert!(!is_lost_program(dir.path()));
    assert!(is_lost_program(&dir.path().join("directory")), "Cargo wants a main.rs");
    assert_eq!(modules, 5, "named, twice since its directory has its name, and what is named below");
}
