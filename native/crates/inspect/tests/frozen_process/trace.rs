//! What `strace` saw a process do below a directory, and whether all of it was reading.

use std::path::Path;
use std::process::Command;

/// Calls that change nothing, whatever their arguments.
const READS: [&str; 22] = [
    "access",
    "close",
    "faccessat",
    "faccessat2",
    "fadvise64",
    "fstat",
    "fstatfs",
    "getdents64",
    "lseek",
    "lstat",
    "newfstatat",
    "pread64",
    "preadv",
    "preadv2",
    "read",
    "readahead",
    "readlink",
    "readlinkat",
    "readv",
    "stat",
    "statfs",
    "statx",
];
/// What makes an `open` more than one for reading.
const WRITING_FLAGS: [&str; 6] = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"];

/// The options under which paths stand in a trace beside the descriptors they belong to.
pub(crate) fn strace(log: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-s", "4096", "-e", "trace=%file,%desc", "-o"]).arg(log);
    command
}

/// Why nothing can be traced here; `None` where it can.
pub(crate) fn hindrance() -> Option<String> {
    match strace(Path::new("/dev/null")).arg("true").output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_string()),
        Err(e) => Some(format!("strace: {e}")),
    }
}

/// The calls of a trace that name something below a root.
pub(crate) fn calls_below<'a>(trace: &'a str, root: &Path) -> Vec<&'a str> {
    let root = root.to_str().unwrap();
    trace.lines().filter(|line| line.contains(root)).collect()
}

/// Whether a call is one of reading.
pub(crate) fn is_read(call: &str) -> bool {
    let call = call.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let name = call.split('(').next().unwrap_or_default();
    match name {
        "open" | "openat" => {
            call.contains("O_RDONLY") && !WRITING_FLAGS.iter().any(|flag| call.contains(flag))
        }
        "fcntl" => call.contains(" F_GETFD)") || call.contains(" F_GETFL)"),
        "mmap" => !call.contains("PROT_WRITE") || call.contains("MAP_PRIVATE"),
        _ => READS.contains(&name),
    }
}

#[test]
fn the_judge_knows_reads() {
    for call in [
        r#"77 openat(AT_FDCWD</>, "/r/f", O_RDONLY|O_CLOEXEC) = 3</r/f>"#,
        r#"openat(AT_FDCWD</>, "/r/f", O_RDONLY|O_DIRECT|O_CLOEXEC) = -1 ENOENT (No such file or directory)"#,
        r#"pread64(3</r/f>, "abc", 3, 0) = 3"#,
        r#"statx(3</r/f>, "", AT_STATX_SYNC_AS_STAT|AT_EMPTY_PATH, STATX_ALL, {…}) = 0"#,
        r#"close(3</r/f>) = 0"#,
        r#"fcntl(3</r/f>, F_GETFD) = 0x1 (flags FD_CLOEXEC)"#,
    ] {
        assert!(is_read(call), "{call}");
    }
}

#[test]
fn the_judge_names_all_that_changes_something() {
    for call in [
        r#"77 openat(AT_FDCWD</>, "/r/f", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</r/f>"#,
        r#"openat(AT_FDCWD</>, "/r/f", O_RDONLY|O_CREAT, 0666) = 3</r/f>"#,
        r#"write(3</r/f>, "x", 1) = 1"#,
        r#"pwrite64(3</r/f>, "x", 1, 0) = 1"#,
        r#"rename("/r/f", "/r/g") = 0"#,
        r#"unlink("/r/f") = 0"#,
        r#"mkdir("/r/d", 0777) = -1 EEXIST (File exists)"#,
        r#"truncate("/r/f", 0) = 0"#,
        r#"ftruncate(3</r/f>, 0) = 0"#,
        r#"fallocate(3</r/f>, 0, 0, 9) = 0"#,
        r#"fchmodat(AT_FDCWD</>, "/r/f", 0644) = 0"#,
        r#"linkat(AT_FDCWD</>, "/r/f", AT_FDCWD</>, "/r/g", 0) = 0"#,
        r#"symlink("/r/f", "/r/g") = 0"#,
        r#"utimensat(AT_FDCWD</>, "/r/f", NULL, 0) = 0"#,
        r#"fsync(3</r/f>) = 0"#,
        r#"fcntl(3</r/f>, F_SETFL, O_RDWR|O_APPEND) = 0"#,
        r#"mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 3</r/f>, 0) = 0x7f00"#,
    ] {
        assert!(!is_read(call), "{call}");
    }
}
