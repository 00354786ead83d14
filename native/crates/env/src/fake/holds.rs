//! Calls that wait for a machine that does not answer.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::FakeEnv;

/// A call that may be held up.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    /// Of a file, also of a log.
    Create,
    /// Of a file being written.
    Flush,
    /// Of a file being written.
    Sync,
    /// Of a file being written.
    Close,
    /// Of a file or directory.
    Rename,
    /// Of a file or directory.
    Delete,
    /// Of a lease.
    Recovery,
    /// Of bytes of a file.
    Read,
    /// Of a directory.
    List,
}

/// One for each [`Call`], held for reading by each of these calls.
pub(super) type Holds = [RwLock<()>; 9];

impl FakeEnv {
    /// Calls of a kind wait until the guard is dropped, as for a name node or data nodes that are away. Waits for those under way.
    pub fn hold(&self, call: Call) -> RwLockWriteGuard<'_, ()> {
        self.shared.holds[call as usize].write()
    }

    /// Waits for as long as calls of this kind are held up.
    pub(super) fn answered(&self, call: Call) -> RwLockReadGuard<'_, ()> {
        self.may_wait(format_args!("a {call:?}"));
        self.shared.holds[call as usize].read()
    }
}
