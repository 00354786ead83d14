//! A medium of the tier in memory.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};

use crate::tier::medium::Medium;

/// Bytes in memory that can be damaged, cut, made to fail, to be full and to wait.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) bytes: Mutex<Vec<u8>>,
    pub(super) failing: AtomicBool,
    /// The next write panics.
    pub(super) panicking: AtomicBool,
    /// Bytes that may still be written; a write beyond them is cut short and fails.
    pub(super) room: Mutex<Option<usize>>,
    shut: Mutex<bool>,
    opened: Condvar,
}

impl Memory {
    /// Writes wait from now on.
    pub(super) fn shut(&self) {
        *self.shut.lock() = true;
    }

    pub(super) fn open(&self) {
        *self.shut.lock() = false;
        self.opened.notify_all();
    }

    fn check(&self) -> io::Result<()> {
        if self.failing.load(Ordering::Relaxed) { Err(io::Error::other("the disk is gone")) } else { Ok(()) }
    }
}

pub(super) struct Handle(pub(super) Arc<Memory>);

impl Medium for Handle {
    fn read_exact_at(&self, buf: &mut [u8], at: u64) -> io::Result<()> {
        self.0.check()?;
        let bytes = self.0.bytes.lock();
        let at = at as usize;
        buf.copy_from_slice(bytes.get(at..at + buf.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_all_at(&self, new: &[u8], at: u64) -> io::Result<()> {
        let mut shut = self.0.shut.lock();
        while *shut {
            self.0.opened.wait(&mut shut);
        }
        self.0.check()?;
        assert!(!self.0.panicking.swap(false, Ordering::Relaxed), "planned");
        let mut room = self.0.room.lock();
        let fits = room.map_or(new.len(), |room| room.min(new.len()));
        *room = room.map(|room| room - fits);
        let (new, cut) = new.split_at(fits);
        let mut bytes = self.0.bytes.lock();
        let at = at as usize;
        let len = bytes.len().max(at + new.len());
        bytes.resize(len, 0);
        bytes[at..at + new.len()].copy_from_slice(new);
        if cut.is_empty() { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
    }

    fn name(&self) -> &str {
        "/memory"
    }
}
