//! A raw file in memory whose calls fail by plan.

use std::io::{self, Write};
use std::sync::Arc;

use parking_lot::Mutex;

use super::raw_file::RawFile;

/// What the file holds and what it will do. Clones are the same file.
#[derive(Clone, Default)]
pub(super) struct PlannedFile(pub(super) Arc<Mutex<Plan>>);

/// The state of a [`PlannedFile`].
#[derive(Default)]
pub(super) struct Plan {
    /// What was written.
    pub(super) bytes: Vec<u8>,
    /// Length of what the last sync that succeeded found.
    pub(super) synced: usize,
    /// Bytes that a file may have; a write beyond them is cut short, the next one fails.
    pub(super) room: Option<usize>,
    /// No write takes more.
    pub(super) longest_write: Option<usize>,
    /// Number of first writes that are interrupted.
    pub(super) interruptions: usize,
    /// Past the page cache, offsets and lengths must be multiples of it.
    pub(super) block: Option<usize>,
    /// Number of syncs that fail; as on Linux, those after them succeed.
    pub(super) failing_syncs: usize,
    /// The close fails.
    pub(super) failing_close: bool,
}

impl PlannedFile {
    pub(super) fn new(plan: Plan) -> PlannedFile {
        PlannedFile(Arc::new(Mutex::new(plan)))
    }

    pub(super) fn written_and_synced(&self) -> (Vec<u8>, usize) {
        let plan = self.0.lock();
        (plan.bytes.clone(), plan.synced)
    }
}

impl Write for PlannedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut plan = self.0.lock();
        if plan.interruptions > 0 {
            plan.interruptions -= 1;
            return Err(io::ErrorKind::Interrupted.into());
        }
        let at = plan.bytes.len();
        if plan.block.is_some_and(|block| !at.is_multiple_of(block) || !bytes.len().is_multiple_of(block)) {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        let room = plan.room.map_or(usize::MAX, |room| room - at);
        if room == 0 {
            return Err(io::Error::from_raw_os_error(libc::ENOSPC));
        }
        let len = bytes.len().min(room).min(plan.longest_write.unwrap_or(usize::MAX));
        plan.bytes.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RawFile for PlannedFile {
    fn sync_data(&self) -> io::Result<()> {
        let mut plan = self.0.lock();
        if plan.failing_syncs > 0 {
            plan.failing_syncs -= 1;
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        plan.synced = plan.bytes.len();
        Ok(())
    }

    fn close(self) -> io::Result<()> {
        let fails = self.0.lock().failing_close;
        if fails { Err(io::Error::from_raw_os_error(libc::EIO)) } else { Ok(()) }
    }

    fn start_write_back(&self, _from: u64, _len: u64) {}

    #[cfg(target_os = "linux")]
    fn go_through_page_cache(&self) -> io::Result<()> {
        self.0.lock().block = None;
        Ok(())
    }
}
