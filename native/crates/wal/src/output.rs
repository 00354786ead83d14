//! Files that a split leaves, which another worker may leave at the same time.
//!
//! The master gives a segment to another worker when it takes the first for dead, and the first may live. Each attempt writes files with
//! names of their own and puts them in place by a rename that never replaces. Of two files with the same last id the longer
//! one has all that the shorter has.

use std::io;
use std::path::{Path, PathBuf};

use grampus_env::Env;

/// How a file is named that is not in place.
pub const UNFINISHED_SUFFIX: &str = ".tmp";
/// Names that are tried for a file; each but the first one stands for a shorter file of another attempt.
const NAMES_MAX: usize = 10;

/// One attempt to split a segment: 64 random bits. The name of the server is left out, since it may be as long as the file's name may be.
#[derive(Clone, Copy, Debug)]
pub struct Attempt(pub u64);

/// A file that is not in place. It is deleted when this is dropped, so that a split that fails again and again leaves nothing behind.
pub(crate) struct Unfinished<'a> {
    env: &'a dyn Env,
    dir: PathBuf,
    path: PathBuf,
    ended: bool,
}

impl<'a> Unfinished<'a> {
    /// Where an attempt writes what belongs to a name; nothing is created.
    pub(crate) fn new(env: &'a dyn Env, dir: &Path, name: &str, attempt: Attempt) -> Unfinished<'a> {
        let path = dir.join(format!("{name}.{:016x}{UNFINISHED_SUFFIX}", attempt.0));
        Unfinished { env, dir: dir.to_path_buf(), path, ended: false }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the closed file in place, and returns where it is. A file that is there and as long has all that this one has, which goes. Beside a
    /// shorter one it gets a name with a zero in front, which reads as the same number: a file in place is never deleted, because another
    /// worker may have put it there a moment ago. The caller makes the name durable by a sync of the directory.
    pub(crate) fn put_in_place(mut self, bytes: u64, name: &str) -> io::Result<PathBuf> {
        let mut target = self.dir.join(name);
        for zeros in 1..=NAMES_MAX {
            match self.env.rename(&self.path, &target) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                renamed => {
                    self.ended = renamed.is_ok();
                    return renamed.map(|()| target);
                }
            }
            if self.env.len(&target)? >= bytes {
                return Ok(target);
            }
            target = self.dir.join(format!("{}{name}", "0".repeat(zeros)));
        }
        Err(io::Error::other(format!(
            "there are shorter files under {NAMES_MAX} names for {}",
            target.display()
        )))
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.ended {
            // One that stays is deleted when its region opens, and takes no other attempt's name.
            let _ = self.env.delete(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use grampus_env::{FakeEnv, FakeKind};

    use super::*;

    const DIR: &str = "/d";

    fn write<'a>(env: &'a FakeEnv, attempt: u64, bytes: &[u8]) -> Unfinished<'a> {
        let unfinished = Unfinished::new(env, Path::new(DIR), "segment.1", Attempt(attempt));
        let mut file = env.create(unfinished.path()).unwrap();
        file.append(bytes).unwrap();
        file.close().unwrap();
        unfinished
    }

    #[test]
    fn a_longer_file_stands_beside_a_shorter_one_and_another_goes() {
        for kind in FakeKind::ALL {
            let env = FakeEnv::of(kind, 1);
            env.mkdir(Path::new(DIR)).unwrap();
            let cases: [(&[u8], &str, usize); 4] =
                [(b"abc", "/d/7", 1), (b"ab", "/d/7", 1), (b"abcd", "/d/07", 2), (b"abcd", "/d/07", 2)];
            for (attempt, (bytes, place, files)) in (1..).zip(cases) {
                let put = write(&env, attempt, bytes).put_in_place(bytes.len() as u64, "7").unwrap();
                assert_eq!(put, Path::new(place), "attempt {attempt}");
                assert_eq!(env.files().len(), files, "nothing else is left by attempt {attempt}");
            }
            assert_eq!(env.read(Path::new("/d/7")).unwrap(), b"abc", "what is in place is not touched");
        }
    }

    #[test]
    fn what_is_not_put_in_place_is_deleted() {
        let env = FakeEnv::of(FakeKind::ALL[0], 1);
        env.mkdir(Path::new(DIR)).unwrap();
        drop(write(&env, 1, b"abc"));
        assert!(env.files().is_empty());
    }

    #[test]
    fn attempts_have_names_of_their_own() {
        let env = FakeEnv::of(FakeKind::ALL[0], 1);
        let path = |attempt| {
            Unfinished::new(&env, Path::new(DIR), "segment.1", Attempt(attempt)).path().to_path_buf()
        };
        assert_eq!(path(1), Path::new("/d/segment.1.0000000000000001.tmp"));
        assert_ne!(path(1), path(2));
    }
}
