//! A file that moves between its places while it is read.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_env::Env;
use parking_lot::RwLock;

use crate::fileset::resolve::find;

/// An open file that is looked for once more when a read does not find it. A local file that was moved stays open; HDFS asks for the blocks of a
/// long file by its path, and object stores open nothing.
pub(super) struct MovingFile {
    env: Arc<dyn Env>,
    places: Vec<PathBuf>,
    name: String,
    len: u64,
    open: RwLock<Arc<dyn RandomRead>>,
}

impl MovingFile {
    /// A file that was found in one of its places.
    pub(super) fn new(env: &Arc<dyn Env>, places: Vec<PathBuf>, file: Arc<dyn RandomRead>) -> MovingFile {
        let (name, len) = (file.name().to_string(), file.len());
        MovingFile { env: Arc::clone(env), places, name, len, open: RwLock::new(file) }
    }

    /// The file in the place where it is now, which replaces `lost` for all readers.
    fn find_again(&self, lost: &Arc<dyn RandomRead>) -> io::Result<Arc<dyn RandomRead>> {
        let current = Arc::clone(&self.open.read());
        if !Arc::ptr_eq(&current, lost) {
            return Ok(current); // another reader has found it
        }
        let found = find(&*self.env, &self.places).map_err(|e| io::Error::other(e.message))?;
        let found = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        if found.len() != self.len {
            let message =
                format!("{} had {} bytes, and {} has {}", self.name, self.len, found.name(), found.len());
            return Err(io::Error::other(message));
        }
        *self.open.write() = Arc::clone(&found);
        Ok(found)
    }
}

impl RandomRead for MovingFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        // No lock is held while something is read or looked for: both may call Java.
        let open = Arc::clone(&self.open.read());
        match open.read_exact_at(buf, offset) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                self.find_again(&open)?.read_exact_at(buf, offset)
            }
            outcome => outcome,
        }
    }

    fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use grampus_env::FakeEnv;

    use super::*;

    /// A file whose path is asked for at each read.
    struct ByPath {
        file: Arc<dyn RandomRead>,
        gone: Arc<AtomicBool>,
    }

    impl RandomRead for ByPath {
        fn len(&self) -> u64 {
            self.file.len()
        }

        fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
            if self.gone.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::NotFound.into());
            }
            self.file.read_exact_at(buf, offset)
        }

        fn name(&self) -> &str {
            self.file.name()
        }
    }

    fn write(env: &Arc<dyn Env>, path: &str, bytes: &[u8]) {
        let mut file = env.create(Path::new(path)).unwrap();
        file.append(bytes).unwrap();
        file.close().unwrap();
    }

    fn world() -> (Arc<dyn Env>, Arc<AtomicBool>, MovingFile) {
        let env: Arc<dyn Env> = Arc::new(FakeEnv::new(1));
        for dir in ["/data", "/archive"] {
            env.mkdir(Path::new(dir)).unwrap();
        }
        write(&env, "/data/f", b"abcdef");
        let gone = Arc::new(AtomicBool::new(false));
        let file = env.open(Path::new("/data/f")).unwrap();
        let file = Arc::new(ByPath { file, gone: Arc::clone(&gone) });
        let places = ["/data/f", "/archive/f"].map(PathBuf::from).to_vec();
        let moving = MovingFile::new(&env, places, file);
        (env, gone, moving)
    }

    fn read(file: &MovingFile) -> io::Result<[u8; 3]> {
        let mut bytes = [0; 3];
        file.read_exact_at(&mut bytes, 2).map(|()| bytes)
    }

    #[test]
    fn a_file_is_found_where_it_went() {
        let (env, gone, file) = world();
        assert_eq!(&read(&file).unwrap(), b"cde");
        env.rename(Path::new("/data/f"), Path::new("/archive/f")).unwrap();
        gone.store(true, Ordering::Relaxed);
        assert_eq!(&read(&file).unwrap(), b"cde");
        assert_eq!(&read(&file).unwrap(), b"cde");
        assert_eq!((file.name(), file.len()), ("/data/f", 6));
    }

    #[test]
    fn a_file_that_is_nowhere_or_another_one_is_an_error() {
        let (env, gone, file) = world();
        env.delete(Path::new("/data/f")).unwrap();
        gone.store(true, Ordering::Relaxed);
        assert_eq!(read(&file).unwrap_err().kind(), io::ErrorKind::NotFound);
        write(&env, "/archive/f", b"another");
        assert!(read(&file).unwrap_err().to_string().contains("had 6 bytes"));
    }
}
