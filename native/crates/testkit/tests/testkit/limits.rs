//! Sizes that files keep, in the whole repository: code that grows beyond them has two nouns, prose beyond them hides what a diff changes.

use std::path::{Path, PathBuf};

/// Most lines of a file of Rust or Java, tests included.
const FILE_LINES_MAX: usize = 450;
/// Characters that a line of prose stays below.
const PROSE_CHARS: usize = 160;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap().to_path_buf()
}

/// The files below a directory, without what builds and servers leave there.
fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_symlink() || name.starts_with('.') || ["target", "build", "data"].contains(&name) {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Whether a path from the root is that of code which is no test.
fn is_product(path: &Path) -> bool {
    let text = path.to_str().unwrap();
    let is_test = path.with_extension("").iter().any(|name| name.to_str().unwrap().ends_with("tests"));
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => text.contains("/src/") && !is_test,
        Some("java") => text.contains("src/main/java/"),
        _ => false,
    }
}

/// Numbers of the lines of prose that are too long: neither in a block of code nor of a table.
fn long_lines(page: &str) -> Vec<usize> {
    let mut in_code = false;
    let mut long = Vec::new();
    for (number, line) in page.lines().enumerate() {
        let start = line.trim_start();
        if start.starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !start.starts_with('|') && line.chars().count() >= PROSE_CHARS {
            long.push(number + 1);
        }
    }
    long
}

/// The paths, from the root, that are of some kind, and what is in them.
fn texts(is_wanted: impl Fn(&Path) -> bool) -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    files(&root, &mut found);
    let relative = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_path_buf();
    found
        .iter()
        .filter(|path| is_wanted(&relative(path)))
        .map(|path| (relative(path).to_str().unwrap().to_string(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn files_of_code_are_short() {
    let is_code =
        |path: &Path| path.extension().is_some_and(|extension| extension == "rs" || extension == "java");
    let texts = texts(is_code);
    for part in [
        "native/crates/engine/src/engine.rs",
        "native/crates/engine/tests/",
        "server/src/main/java/",
        "server/src/test/java/",
    ] {
        assert!(texts.iter().any(|(path, _)| path.starts_with(part)), "{part} was not looked at");
    }
    let long: Vec<String> = texts
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > FILE_LINES_MAX)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "more than {FILE_LINES_MAX} lines, split by noun: {long:#?}");
}

#[test]
fn lines_of_prose_are_short() {
    let is_page = |path: &Path| {
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        is_markdown && (path.starts_with("docs") || path == Path::new("README.md"))
    };
    let texts = texts(is_page);
    assert!(texts.iter().any(|(path, _)| path == "docs/testing.md"), "the pages were not looked at");
    let long: Vec<String> = texts
        .iter()
        .flat_map(|(path, text)| long_lines(text).into_iter().map(move |line| format!("{path}:{line}")))
        .collect();
    assert!(long.is_empty(), "{PROSE_CHARS} characters or more, wrap them: {long:#?}");
}

#[test]
fn comments_are_short() {
    let is_comment = |line: &str| ["//", "*", "/*"].iter().any(|start| line.trim_start().starts_with(start));
    let texts = texts(is_product);
    let long: Vec<String> = texts
        .iter()
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(number, line)| (path, number, line)))
        .filter(|(_, _, line)| is_comment(line) && line.chars().count() >= PROSE_CHARS)
        .map(|(path, number, _)| format!("{path}:{}", number + 1))
        .collect();
    assert!(texts.iter().any(|(_, text)| text.contains("\n/// ")), "no comment was looked at");
    assert!(long.is_empty(), "{PROSE_CHARS} characters or more, wrap them: {long:#?}");
}

#[test]
fn a_long_line_is_found_in_prose_alone() {
    let long = "é".repeat(PROSE_CHARS);
    let page = format!("{long}\n| {long} |\n```\n{long}\n```\n- {long}\n{}\n", &long[2..]);
    assert_eq!(long_lines(&page), [1, 6]);
}

#[test]
fn tests_are_no_product() {
    for (path, product) in [
        ("native/crates/wal/src/log/mod.rs", true),
        ("native/crates/wal/src/log/tests.rs", false),
        ("native/crates/wal/src/tests/log.rs", false),
        ("native/crates/wal/tests/log.rs", false),
        ("server/src/main/java/org/grampus/Some.java", true),
        ("server/src/test/java/org/grampus/SomeTest.java", false),
    ] {
        assert_eq!(is_product(Path::new(path)), product, "{path}");
    }
}
