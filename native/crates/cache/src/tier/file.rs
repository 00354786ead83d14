//! A file of the tier (`docs/format/tier-file.md`): a header of 4 KiB with a magic, then the segments.
//!
//! What it holds is of use only with the index, which is elsewhere (`saved`). The magic says that the file may be
//! overwritten, the lock on it that no other process does.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use grampus_base::{Error, ErrorKind, Result, events};

use super::medium::Medium;

const MAGIC: &[u8; 16] = b"grampus tier  1\n";

/// The segments start here.
const HEADER_BYTES: u64 = 4096;

/// An open, locked file.
pub(super) struct TierFile {
    file: File,
    name: String,
}

impl TierFile {
    /// Opens or creates a file with room for `bytes`, which are allocated now if `reserve`. A file that is not
    /// the tier's is left as it is, and refused.
    pub(super) fn open(path: &Path, bytes: u64, reserve: bool) -> Result<TierFile> {
        let refuse = |why: &str| Error::new(ErrorKind::BadRequest, format!("{} {why}", path.display()));
        let failed = |action: &'static str| move |e| Error::io(action, path, e);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("open the block cache's file"))?;
        let meta = file.metadata().map_err(failed("open the block cache's file"))?;
        if !meta.is_file() {
            return Err(refuse("is not a regular file; name a file for the block cache's second tier"));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refuse("is in use as a block cache by another server, or named twice"));
            }
            Err(TryLockError::Error(e)) => return Err(failed("lock the block cache's file")(e)),
        }
        if meta.len() > 0 && !starts_with_magic(&file).map_err(failed("read the block cache's file"))? {
            return Err(refuse("is not a file of a block cache; name another path or remove it"));
        }
        file.write_all_at(MAGIC, 0).map_err(failed("write the block cache's file"))?;
        let len = HEADER_BYTES + bytes;
        file.set_len(len).map_err(failed("set the size of the block cache's file"))?;
        if reserve && let Err(e) = allocate(&file, len) {
            file.set_len(0).map_err(failed("give back the room of the block cache's file"))?;
            let size = events::bytes(len);
            return Err(refuse(&format!("cannot have {size} for the block cache: {e}")));
        }
        Ok(TierFile { file, name: path.display().to_string() })
    }
}

fn starts_with_magic(file: &File) -> io::Result<bool> {
    let mut start = [0; MAGIC.len()];
    match file.read_exact_at(&mut start, 0) {
        Ok(()) => Ok(start == *MAGIC),
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(e) => Err(e),
    }
}

/// Allocates the blocks of the first `len` bytes. Asks for the free room first: an allocation that fails has filled the disk for a
/// moment.
#[cfg(target_os = "linux")]
fn allocate(file: &File, len: u64) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::MetadataExt;
    let allocated = file.metadata()?.blocks() * 512;
    if free_bytes(file)?.saturating_add(allocated) < len {
        return Err(io::ErrorKind::StorageFull.into());
    }
    let len = i64::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
    // SAFETY: the descriptor is open for the whole call and the call touches no memory of ours.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, len) } {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}

/// Bytes that the file system has left for us.
#[cfg(target_os = "linux")]
fn free_bytes(file: &File) -> io::Result<u64> {
    use std::os::fd::AsRawFd;
    let mut stat = std::mem::MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the descriptor is open for the whole call, and `stat` has room for what the call writes.
    if unsafe { libc::fstatvfs(file.as_raw_fd(), stat.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a call that succeeds has filled it.
    let stat = unsafe { stat.assume_init() };
    Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Without such a call of the system, a full disk is noticed when it is written to.
#[cfg(not(target_os = "linux"))]
fn allocate(_file: &File, _len: u64) -> io::Result<()> {
    Ok(())
}

impl Medium for TierFile {
    fn read_exact_at(&self, buf: &mut [u8], at: u64) -> io::Result<()> {
        self.file.read_exact_at(buf, HEADER_BYTES + at)
    }

    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, HEADER_BYTES + at)
    }

    fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::super::record;
    use super::*;
    use crate::FileId;

    #[test]
    fn a_file_is_made_sparse_or_reserved_and_may_be_taken_again_with_another_size() {
        let dir = tempfile::tempdir().unwrap();
        for (reserve, bytes) in [(false, 1 << 20), (true, 3 << 20), (false, 2 << 20)] {
            let path = dir.path().join("tier");
            let file = TierFile::open(&path, bytes, reserve).unwrap();
            assert_eq!(path.metadata().unwrap().len(), HEADER_BYTES + bytes);
            file.write_all_at(b"end", bytes - 3).unwrap();
            let mut read = [0; 3];
            file.read_exact_at(&mut read, bytes - 3).unwrap();
            assert_eq!(&read, b"end");
        }
    }

    #[test]
    fn the_bytes_are_those_of_version_1() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tier-file/v1/two-records");
        let golden = std::fs::read(golden).unwrap();
        let mut records = Vec::new();
        for (offset, body) in [(0, &b"cells"[..]), (4096, b"more cells")] {
            record::append(&mut records, (FileId::of_number(1 << 100), offset), body);
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tier");
        let file = TierFile::open(&path, records.len() as u64, false).unwrap();
        file.write_all_at(&records, 0).unwrap();
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), golden, "docs/format/tier-file.md says what they are");
        assert!(TierFile::open(&path, records.len() as u64, false).is_ok(), "it is ours");
    }

    #[test]
    fn what_is_not_ours_is_refused_and_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        for foreign in ["x", "a database of another program"] {
            let path = dir.path().join("foreign");
            std::fs::write(&path, foreign).unwrap();
            let refusal = TierFile::open(&path, 1 << 20, false).err().unwrap().message;
            assert!(refusal.contains("is not a file of a block cache"), "{refusal}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign);
        }
        assert!(TierFile::open(dir.path(), 1 << 20, false).is_err(), "a directory");
        assert!(TierFile::open(&dir.path().join("no/such/directory"), 1 << 20, false).is_err());
    }

    #[test]
    fn a_file_has_one_owner() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tier");
        let first = TierFile::open(&path, 1 << 20, false).unwrap();
        assert!(TierFile::open(&path, 1 << 20, false).err().unwrap().message.contains("is in use"));
        drop(first);
        assert!(TierFile::open(&path, 1 << 20, false).is_ok());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn more_than_the_disk_has_is_refused_at_the_start() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tier");
        let refusal = TierFile::open(&path, 1 << 42, true).err().unwrap().message;
        assert!(refusal.contains("for the block cache"), "{refusal}");
        assert_eq!(path.metadata().unwrap().len(), 0, "no room is kept");
    }
}
