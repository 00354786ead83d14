//! Files that a split leaves, which another worker may leave at the same time.
//!
//! The master gives a segment to another worker when it takes the first for dead, and the first may live. Each writes files of its own, named
//! by worker and attempt, and puts them in place by a rename that never replaces. What both write is the same.

use std::io;
use std::path::{Path, PathBuf};

use grampus_env::Env;

/// How a file is named that is not in place.
pub const UNFINISHED_SUFFIX: &str = ".tmp";
/// Each further attempt follows on a change that another worker made meanwhile.
const ATTEMPTS_MAX: u32 = 10;

/// Who splits.
#[derive(Clone, Copy, Debug)]
pub struct Worker<'a> {
    /// The server, for the operator who finds its files.
    pub name: &'a str,
    /// Different for each attempt.
    pub attempt: u64,
}

impl Worker<'_> {
    /// Where this worker writes what belongs to a name.
    pub(crate) fn unfinished(&self, dir: &Path, name: &str) -> PathBuf {
        dir.join(format!("{name}.{}-{:016x}{UNFINISHED_SUFFIX}", self.name, self.attempt))
    }
}

/// Puts a closed file in place. One that is there stays if it is as long, and goes if it is shorter: the longer has all that the shorter has.
/// The caller makes it durable by a sync of the directory.
pub(crate) fn put_in_place(env: &dyn Env, path: &Path, bytes: u64, target: &Path) -> io::Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        match env.len(target) {
            Ok(there) if there >= bytes => return env.delete(path),
            Ok(_) => none_is_fine(env.delete(target))?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
        match env.rename(path, target) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {} // another worker was faster
            renamed => return renamed,
        }
    }
    Err(io::Error::other(format!("other workers keep putting a file at {}", target.display())))
}

/// A deletion that finds nothing has succeeded.
pub(crate) fn none_is_fine(deleted: io::Result<()>) -> io::Result<()> {
    match deleted {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use grampus_env::{FakeEnv, FakeKind};

    use super::*;

    fn write(env: &FakeEnv, path: &Path, bytes: &[u8]) {
        let mut file = env.create(path).unwrap();
        file.append(bytes).unwrap();
        file.close().unwrap();
    }

    #[test]
    fn of_two_files_for_one_name_the_longer_stays() {
        for kind in FakeKind::ALL {
            let (env, target) = (FakeEnv::of(kind, 1), Path::new("/d/7"));
            env.mkdir(Path::new("/d")).unwrap();
            for (attempt, bytes, left) in [(1, "abc", "abc"), (2, "ab", "abc"), (3, "abcd", "abcd")] {
                let own = Worker { name: "s,1,2", attempt }.unfinished(Path::new("/d"), "segment");
                write(&env, &own, bytes.as_bytes());
                put_in_place(&env, &own, bytes.len() as u64, target).unwrap();
                assert_eq!(env.read(target).unwrap(), left.as_bytes());
                assert_eq!(env.files(), [target], "nothing else is left");
            }
        }
    }

    #[test]
    fn workers_and_attempts_have_names_of_their_own() {
        let name = |name, attempt| Worker { name, attempt }.unfinished(Path::new("/d"), "segment.1");
        let names = [name("a", 1), name("a", 2), name("b", 1)];
        assert_eq!(names[0], Path::new("/d/segment.1.a-0000000000000001.tmp"));
        assert!(names[0] != names[1] && names[0] != names[2] && names[1] != names[2]);
    }
}
