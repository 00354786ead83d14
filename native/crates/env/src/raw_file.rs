//! What an append file needs of the file below it.

use std::fs::File;
use std::io::{self, Write};

/// A file of the machine, or in tests one that fails by plan. Writes may be short, as those of the system.
pub(super) trait RawFile: Write + Send + Sized {
    /// Waits until what was written is on the medium. Linux reports a failure once: the next call may succeed without the lost bytes.
    fn sync_data(&self) -> io::Result<()>;

    /// Closes it, and tells of what a network's or a quota's file system reports only then.
    fn close(self) -> io::Result<()>;

    /// Asks the system to start writing a range back; a refusal costs only time, a sync reports real errors.
    fn start_write_back(&self, from: u64, len: u64);

    /// From now on the file is written as every other.
    #[cfg(target_os = "linux")]
    fn go_through_page_cache(&self) -> io::Result<()>;
}

impl RawFile for File {
    fn sync_data(&self) -> io::Result<()> {
        File::sync_data(self)
    }

    fn close(self) -> io::Result<()> {
        use std::os::fd::IntoRawFd;
        // SAFETY: the descriptor is ours alone, and nothing uses it after this; on Linux it is gone after an error, too.
        match unsafe { libc::close(self.into_raw_fd()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    #[cfg(target_os = "linux")]
    fn start_write_back(&self, from: u64, len: u64) {
        use std::os::fd::AsRawFd;
        let (Ok(from), Ok(len)) = (i64::try_from(from), i64::try_from(len)) else { return };
        // SAFETY: the descriptor is open for the whole call and the call touches no memory of ours.
        unsafe {
            libc::sync_file_range(self.as_raw_fd(), from, len, libc::SYNC_FILE_RANGE_WRITE);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn start_write_back(&self, _from: u64, _len: u64) {}

    #[cfg(target_os = "linux")]
    fn go_through_page_cache(&self) -> io::Result<()> {
        use std::os::fd::AsRawFd;
        let descriptor = self.as_raw_fd();
        // SAFETY: the descriptor is open for the whole call and the call touches no memory of ours.
        let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFL) };
        // SAFETY: as above.
        if flags < 0 || unsafe { libc::fcntl(descriptor, libc::F_SETFL, flags & !libc::O_DIRECT) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}
