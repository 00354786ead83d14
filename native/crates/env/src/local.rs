//! Local disks through `std::fs`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use grampus_base::RandomRead;

use super::buffered::BufferedAppend;
use super::strict::Strict;
use super::{AppendFile, DirEntry, Env, FileStat};

/// The machine's own disks and clock.
pub struct LocalEnv {
    start: Instant,
    random: AtomicU64,
}

#[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
impl LocalEnv {
    /// An environment over the machine's file systems.
    pub fn new() -> LocalEnv {
        let seed = std::hash::BuildHasher::hash_one(
            &std::collections::hash_map::RandomState::new(),
            std::process::id(),
        );
        LocalEnv { start: Instant::now(), random: AtomicU64::new(seed) }
    }
}

impl Default for LocalEnv {
    fn default() -> Self {
        LocalEnv::new()
    }
}

impl Env for LocalEnv {
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let file = OpenOptions::new().append(true).create_new(true).open(path)?;
        Ok(Box::new(Strict::new(BufferedAppend::new(file))))
    }

    #[cfg(target_os = "linux")]
    fn create_bulk(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        match super::direct::DirectAppend::create(path)? {
            Some(file) => Ok(Box::new(Strict::new(file))),
            None => self.create(path),
        }
    }

    fn create_log(&self, path: &Path, _most: u64) -> io::Result<Box<dyn AppendFile>> {
        self.create(path)
    }

    /// A flush is one write into the page cache.
    fn flush_is_cheap(&self) -> bool {
        true
    }

    fn failed_syncs_are_final(&self, _path: &Path) -> bool {
        true
    }

    /// Nothing to do: a local disk knows no lease. The length is that of the bytes there are, and its writer is dead: a process that is gone
    /// has no open file, and no other machine writes here. One that is only paused is fenced by nothing; a standalone server is its own
    /// master's process and cannot be taken for dead by it.
    fn recover_lease(&self, path: &Path) -> io::Result<()> {
        fs::metadata(path).map(drop)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        // A pipe without a writer would keep a plain open waiting.
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        let found = file.metadata()?;
        if !found.is_file() && !found.is_dir() {
            let message = format!("{} is no file", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let len = found.len();
        Ok(Arc::new(LocalRead { file, len, name: path.display().to_string() }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let meta = match entry.metadata() {
                Ok(meta) => meta,
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue, // gone since the directory was read
                Err(e) => return Err(e),
            };
            let len = if meta.is_dir() { 0 } else { meta.len() };
            entries.push(DirEntry {
                name: entry.file_name().to_string_lossy().into_owned(),
                is_dir: meta.is_dir(),
                len,
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if let Some(renamed) = rename_exclusively(from, to) {
            return renamed;
        }
        // A file gets its second name in one step, which fails where there is one; then it loses the first.
        match fs::hard_link(from, to) {
            Ok(()) => return fs::remove_file(from),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(e),
            Err(_) => {} // a directory, or a file system without links
        }
        // Also a link that leads nowhere is in the way.
        if fs::symlink_metadata(to).is_ok() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", to.display())));
        }
        fs::rename(from, to)
    }

    fn delete(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) }
    }

    fn mkdir(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        File::open(dir)?.sync_all()
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn len(&self, path: &Path) -> io::Result<u64> {
        Ok(fs::metadata(path)?.len())
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        path.try_exists()
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        let found = fs::symlink_metadata(path)?;
        Ok(FileStat { is_plain: found.is_file(), names: found.nlink(), id: (found.dev(), found.ino()) })
    }

    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn now_millis(&self) -> i64 {
        #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn monotonic_nanos(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn random(&self) -> u64 {
        super::random_bits(&self.random)
    }
}

struct LocalRead {
    file: File,
    len: u64,
    name: String,
}

impl RandomRead for LocalRead {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(buf, offset)
    }

    fn name(&self) -> &str {
        &self.name
    }

    #[cfg(target_os = "linux")]
    fn will_read(&self, bytes: Range<u64>) {
        will_read(&self.file, bytes);
    }

    #[cfg(target_os = "linux")]
    fn one_pass(&self) -> Option<Arc<dyn RandomRead>> {
        let pass = super::direct::PassRead::reopen(&self.file, self.len, &self.name)?;
        Some(Arc::new(pass))
    }
}

/// Renames in one step, which fails where another process makes the target at this moment; `None` where the file system cannot.
#[cfg(target_os = "linux")]
fn rename_exclusively(from: &Path, to: &Path) -> Option<io::Result<()>> {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    let path = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
    let (from, to) = (path(from)?, path(to)?);
    let here = libc::AT_FDCWD;
    // SAFETY: both are strings with an end that live for the whole call.
    let renamed = unsafe { libc::renameat2(here, from.as_ptr(), here, to.as_ptr(), libc::RENAME_NOREPLACE) };
    if renamed == 0 {
        return Some(Ok(()));
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EINVAL | libc::ENOSYS) => None,
        _ => Some(Err(error)),
    }
}

/// Asks Linux to read a range into the page cache without waiting for it; it takes at most a few hundred KiB at a time.
#[cfg(target_os = "linux")]
fn will_read(file: &File, bytes: Range<u64>) {
    use std::os::fd::AsRawFd;
    const STEP: usize = 256 * 1024;
    for start in bytes.clone().step_by(STEP) {
        let len = (bytes.end - start).min(STEP as u64);
        let (Ok(start), Ok(len)) = (i64::try_from(start), i64::try_from(len)) else { return };
        // SAFETY: the descriptor is open for the whole call and the call touches no memory of ours.
        unsafe {
            libc::posix_fadvise(file.as_raw_fd(), start, len, libc::POSIX_FADV_WILLNEED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffered::BUFFER_BYTES;
    use super::*;

    #[test]
    fn files_are_created_once_appended_renamed_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let (env, path, moved) = (LocalEnv::new(), dir.path().join("a/b/file"), dir.path().join("a/moved"));
        env.mkdir(path.parent().unwrap()).unwrap();
        let mut file = env.create(&path).unwrap();
        assert_eq!(env.create(&path).err().unwrap().kind(), io::ErrorKind::AlreadyExists);
        let large = vec![7u8; BUFFER_BYTES + 1];
        for part in [&b"small"[..], &large, b"", b"end"] {
            file.append(part).unwrap();
        }
        assert_eq!(file.position(), large.len() as u64 + 8);
        file.start_write_back().unwrap();
        file.sync().unwrap();
        env.sync_dir(path.parent().unwrap()).unwrap();
        assert_eq!(env.read(&path).unwrap(), [&b"small"[..], &large, b"end"].concat());
        let reader = env.open(&path).unwrap();
        env.rename(&path, &moved).unwrap();
        assert!(env.create(&path).is_ok());
        assert_eq!(env.rename(&path, &moved).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        env.delete(&moved).unwrap();
        let mut end = [0; 3];
        reader.read_exact_at(&mut end, large.len() as u64 + 5).unwrap();
        assert_eq!(&end, b"end");
        assert_eq!(
            reader.read_exact_at(&mut end, reader.len()).unwrap_err().kind(),
            io::ErrorKind::UnexpectedEof
        );
        let names: Vec<String> =
            env.list(&dir.path().join("a")).unwrap().into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["b"]);
        assert_eq!(env.list(&dir.path().join("x")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_that_is_not_small_is_not_read_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        let most = crate::SMALL_FILE_BYTES_MAX as u64;
        File::create(&path).unwrap().set_len(most + 1).unwrap();
        assert_eq!(LocalEnv::new().read(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn links_are_not_followed_and_pipes_are_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let (env, file, link) = (LocalEnv::new(), dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, b"abc").unwrap();
        fs::hard_link(&file, dir.path().join("second")).unwrap();
        assert_eq!(env.stat(&file).unwrap().names, 2);
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(!env.stat(&link).unwrap().is_plain);
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(!env.stat(&pipe).unwrap().is_plain);
        assert_eq!(env.open(&pipe).err().unwrap().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn random_names_differ_between_processes_and_calls() {
        let (a, b) = (LocalEnv::new(), LocalEnv::new());
        assert_ne!(a.random(), a.random());
        assert_ne!(a.random(), b.random());
    }
}
